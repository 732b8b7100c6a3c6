//! The comparisons of types on the wire with expected ones that the decoder may make.

use std::collections::HashMap;

use candid::types::{Type, TypeEnv, TypeInner};

use super::super::graph::longest_chain;
use super::{CodecError, Members, Table, TableType, TypeId, opcode};

/// The longest chain of comparisons.
const MAX_CHAIN: usize = 800;
/// The most comparisons.
const MAX_PAIRS: usize = 50_000;

/// Follows every comparison that decoding `args` as `types` may make, and refuses chains that are
/// too long: two recursive types can go on for as long as the product of their lengths.
pub(super) fn scan(
    table: &mut Table,
    args: &[TypeId],
    env: &TypeEnv,
    types: &[Type],
) -> Result<(), CodecError> {
    let expected = Expected::read(table, env, types);
    compare(table, args.iter().copied().zip(expected))
}

/// Adds the expected types to a table.
struct Expected<'a> {
    env: &'a TypeEnv,
    names: HashMap<&'a str, TypeId>,
    open: Vec<(TypeId, &'a Type)>,
}

impl<'a> Expected<'a> {
    fn read(table: &mut Table, env: &'a TypeEnv, types: &'a [Type]) -> Vec<TypeId> {
        let mut expected = Self {
            env,
            names: HashMap::new(),
            open: Vec::new(),
        };
        let ids = types.iter().map(|ty| expected.id(table, ty)).collect();
        while let Some((id, ty)) = expected.open.pop() {
            table.types[id] = expected.table_type(table, ty);
        }
        ids
    }

    fn id(&mut self, table: &mut Table, ty: &'a Type) -> TypeId {
        let mut ty = ty;
        let mut name = None;
        while let TypeInner::Var(next) = ty.as_ref() {
            name = Some(next.as_str());
            ty = &self.env.0[next];
        }
        if let Some(id) = name.and_then(|name| self.names.get(name)) {
            return *id;
        }
        let id = table.types.len();
        table.types.push(TableType::Primitive(opcode::EMPTY));
        if let Some(name) = name {
            self.names.insert(name, id);
        }
        self.open.push((id, ty));
        id
    }

    fn members(&mut self, table: &mut Table, fields: &'a [candid::types::Field]) -> Members {
        Members {
            labels: fields.iter().map(|field| field.id.get_id()).collect(),
            types: fields
                .iter()
                .map(|field| self.id(table, &field.ty))
                .collect(),
        }
    }

    fn table_type(&mut self, table: &mut Table, ty: &'a Type) -> TableType {
        let primitive = TableType::Primitive;
        match ty.as_ref() {
            TypeInner::Null => primitive(opcode::NULL),
            TypeInner::Bool => primitive(opcode::BOOL),
            TypeInner::Nat => primitive(opcode::NAT),
            TypeInner::Int => primitive(opcode::INT),
            TypeInner::Nat8 => primitive(opcode::NAT8),
            TypeInner::Nat16 => primitive(opcode::NAT16),
            TypeInner::Nat32 => primitive(opcode::NAT32),
            TypeInner::Nat64 => primitive(opcode::NAT64),
            TypeInner::Int8 => primitive(opcode::INT8),
            TypeInner::Int16 => primitive(opcode::INT16),
            TypeInner::Int32 => primitive(opcode::INT32),
            TypeInner::Int64 => primitive(opcode::INT64),
            TypeInner::Float32 => primitive(opcode::FLOAT32),
            TypeInner::Float64 => primitive(opcode::FLOAT64),
            TypeInner::Text => primitive(opcode::TEXT),
            TypeInner::Reserved => primitive(opcode::RESERVED),
            TypeInner::Principal => primitive(opcode::PRINCIPAL),
            TypeInner::Empty
            | TypeInner::Var(_)
            | TypeInner::Knot(_)
            | TypeInner::Unknown
            | TypeInner::Class(..)
            | TypeInner::Future => primitive(opcode::EMPTY),
            TypeInner::Opt(inner) => TableType::Opt([self.id(table, inner)]),
            TypeInner::Vec(inner) => TableType::Vec([self.id(table, inner)]),
            TypeInner::Record(fields) => TableType::Record(self.members(table, fields)),
            TypeInner::Variant(cases) => TableType::Variant(self.members(table, cases)),
            TypeInner::Func(func) => TableType::Func(
                func.args
                    .iter()
                    .chain(&func.rets)
                    .map(|ty| self.id(table, ty))
                    .collect(),
                func.args.len(),
            ),
            TypeInner::Service(methods) => TableType::Service(
                methods
                    .iter()
                    .map(|(name, _)| name.clone().into_bytes())
                    .collect(),
                methods.iter().map(|(_, ty)| self.id(table, ty)).collect(),
            ),
        }
    }
}

fn compare(table: &Table, pairs: impl Iterator<Item = (TypeId, TypeId)>) -> Result<(), CodecError> {
    let mut ids: HashMap<(TypeId, TypeId), usize> = HashMap::new();
    let mut met = Vec::new();
    for pair in pairs {
        ids.entry(pair).or_insert_with(|| {
            met.push(pair);
            met.len() - 1
        });
    }
    let mut children: Vec<Vec<usize>> = Vec::new();
    while let Some((have, want)) = met.get(children.len()).copied() {
        let mut next = Vec::new();
        for pair in compared(&table.types[have], &table.types[want], have) {
            let id = *ids.entry(pair).or_insert_with(|| {
                met.push(pair);
                met.len() - 1
            });
            next.push(id);
        }
        children.push(next);
        if met.len() > MAX_PAIRS {
            return Err(CodecError::TooDeep);
        }
    }
    if longest_chain(children.len(), |pair| &children[pair]) > MAX_CHAIN {
        return Err(CodecError::TooDeep);
    }
    Ok(())
}

/// The pairs that a comparison of `have` (whose id is given) with `want` leads to.
fn compared(have: &TableType, want: &TableType, id: TypeId) -> Vec<(TypeId, TypeId)> {
    match (have, want) {
        (TableType::Opt([have]), TableType::Opt([want])) => vec![(*have, *want), (id, *want)],
        (TableType::Vec([have]), TableType::Vec([want])) => vec![(*have, *want)],
        (_, TableType::Opt([want])) => vec![(id, *want)],
        (TableType::Record(have), TableType::Record(want))
        | (TableType::Variant(have), TableType::Variant(want)) => {
            let mut pairs = Vec::new();
            for (label, have) in have.labels.iter().zip(&have.types) {
                if let Ok(at) = want.labels.binary_search(label) {
                    pairs.push((*have, want.types[at]));
                }
            }
            pairs
        }
        (TableType::Func(have, have_args), TableType::Func(want, want_args)) => {
            let (have_args, have_results) = have.split_at(*have_args);
            let (want_args, want_results) = want.split_at(*want_args);
            let args = want_args.iter().zip(have_args);
            let results = have_results.iter().zip(want_results);
            args.chain(results)
                .map(|(have, want)| (*have, *want))
                .collect()
        }
        (TableType::Service(have, have_types), TableType::Service(want, want_types)) => want
            .iter()
            .zip(want_types)
            .filter_map(|(name, want)| {
                let at = have.iter().position(|have| have == name)?;
                Some((have_types[at], *want))
            })
            .collect(),
        _ => Vec::new(),
    }
}
