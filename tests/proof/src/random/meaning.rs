//! What a value means, as JSON that every reader of a message can give: another decoder's word is
//! compared with what the value was made as.

use super::{
    types::{Label, Model, Prim, Ty},
    values::Val,
};
use candid::{
    IDLValue, Int, Nat, Principal,
    types::{
        Label as CandidLabel,
        value::{IDLField, VariantValue},
    },
};
use countersign_core::ids::to_hex;
use serde_json::{Value, json};

/// What the values of the arguments mean.
#[must_use]
pub fn of_values(model: &Model, values: &[Val]) -> Value {
    let values = model.args.iter().zip(values);
    Value::Array(
        values
            .map(|(ty, value)| meaning(model, ty, value))
            .collect(),
    )
}

/// What values mean that `candid` holds.
#[must_use]
pub fn of_candid(values: &[IDLValue]) -> Value {
    Value::Array(values.iter().map(read).collect())
}

fn float(value: f64) -> Value {
    // A decoder may give another of the many forms of "no number".
    if value.is_nan() {
        json!("nan")
    } else {
        json!(format!("f:{:016x}", value.to_bits()))
    }
}

fn meaning(model: &Model, ty: &Ty, value: &Val) -> Value {
    match (model.resolve(ty), value) {
        (_, Val::Null) => Value::Null,
        (_, Val::Bool(value)) => json!(value),
        (_, Val::Number(number)) => json!(number.to_string()),
        (_, Val::Float(bits)) => float(f64::from_bits(*bits)),
        (_, Val::Text(text)) => json!(format!("t:{text}")),
        (Ty::Service(_), Val::Principal(id)) => json!({ "s": to_hex(id) }),
        (_, Val::Principal(id)) => json!(format!("p:{}", to_hex(id))),
        (_, Val::Func(id, method)) => json!({ "f": [to_hex(id), method] }),
        (Ty::Opt(inner), Val::Opt(held)) => {
            let held = held.iter().map(|held| meaning(model, inner, held));
            Value::Array(held.collect())
        }
        (_, Val::Blob(bytes)) => json!({ "b": to_hex(bytes) }),
        (Ty::Vec(inner), Val::Vec(values)) => {
            let values = values.iter().map(|value| meaning(model, inner, value));
            json!({ "v": values.collect::<Vec<_>>() })
        }
        (Ty::Record(fields), Val::Record(values)) => {
            let values = fields.iter().zip(values);
            let values = values.map(|((_, ty), value)| meaning(model, ty, value));
            json!({ "r": values.collect::<Vec<_>>() })
        }
        (Ty::Variant(cases), Val::Variant(index, held)) => {
            let (label, ty) = &cases[*index];
            json!({ "c": [label.id(), meaning(model, ty, held)] })
        }
        (ty, value) => unreachable!("{value:?} is not of {ty:?}"),
    }
}

fn read(value: &IDLValue) -> Value {
    let digits = |number: &dyn ToString| json!(number.to_string());
    match value {
        IDLValue::Null | IDLValue::Reserved => Value::Null,
        IDLValue::Bool(value) => json!(value),
        IDLValue::Nat(number) => digits(&number.0),
        IDLValue::Int(number) => digits(&number.0),
        IDLValue::Nat8(number) => digits(number),
        IDLValue::Nat16(number) => digits(number),
        IDLValue::Nat32(number) => digits(number),
        IDLValue::Nat64(number) => digits(number),
        IDLValue::Int8(number) => digits(number),
        IDLValue::Int16(number) => digits(number),
        IDLValue::Int32(number) => digits(number),
        IDLValue::Int64(number) => digits(number),
        IDLValue::Number(number) => digits(number),
        IDLValue::Float32(value) => float((*value).into()),
        IDLValue::Float64(value) => float(*value),
        IDLValue::Text(text) => json!(format!("t:{text}")),
        IDLValue::Principal(id) => json!(format!("p:{}", to_hex(id.as_slice()))),
        IDLValue::Service(id) => json!({ "s": to_hex(id.as_slice()) }),
        IDLValue::Func(id, method) => json!({ "f": [to_hex(id.as_slice()), method] }),
        IDLValue::None => json!([]),
        IDLValue::Opt(held) => json!([read(held)]),
        IDLValue::Blob(bytes) => json!({ "b": to_hex(bytes) }),
        IDLValue::Vec(values) => {
            json!({ "v": values.iter().map(read).collect::<Vec<_>>() })
        }
        IDLValue::Record(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|field| field.id.get_id());
            let values = fields.into_iter().map(|field| read(&field.val));
            json!({ "r": values.collect::<Vec<_>>() })
        }
        IDLValue::Variant(variant) => {
            json!({ "c": [variant.0.id.get_id(), read(&variant.0.val)] })
        }
    }
}

/// The values as the wallet's codec and `candid` take them.
#[must_use]
pub fn to_candid(model: &Model, values: &[Val]) -> Vec<IDLValue> {
    let values = model.args.iter().zip(values);
    values.map(|(ty, value)| candid(model, ty, value)).collect()
}

fn label(label: &Label) -> CandidLabel {
    match label {
        Label::Named(name) => CandidLabel::Named(name.clone()),
        Label::Id(id) => CandidLabel::Id(*id),
    }
}

fn candid(model: &Model, ty: &Ty, value: &Val) -> IDLValue {
    let id = |bytes: &[u8]| Principal::from_slice(bytes);
    match (model.resolve(ty), value) {
        (Ty::Prim(prim), Val::Number(number)) => number_of(*prim, number),
        (Ty::Prim(Prim::Float32), Val::Float(bits)) => {
            IDLValue::Float32(f64::from_bits(*bits) as f32)
        }
        (_, Val::Float(bits)) => IDLValue::Float64(f64::from_bits(*bits)),
        (Ty::Prim(Prim::Reserved), Val::Null) => IDLValue::Reserved,
        (_, Val::Null) => IDLValue::Null,
        (_, Val::Bool(value)) => IDLValue::Bool(*value),
        (_, Val::Text(text)) => IDLValue::Text(text.clone()),
        (Ty::Service(_), Val::Principal(bytes)) => IDLValue::Service(id(bytes)),
        (_, Val::Principal(bytes)) => IDLValue::Principal(id(bytes)),
        (_, Val::Func(bytes, method)) => IDLValue::Func(id(bytes), method.clone()),
        (Ty::Opt(inner), Val::Opt(Some(held))) => {
            IDLValue::Opt(Box::new(candid(model, inner, held)))
        }
        (_, Val::Opt(_)) => IDLValue::None,
        (_, Val::Blob(bytes)) => IDLValue::Blob(bytes.clone()),
        (Ty::Vec(inner), Val::Vec(values)) => {
            let values = values.iter().map(|value| candid(model, inner, value));
            IDLValue::Vec(values.collect())
        }
        (Ty::Record(fields), Val::Record(values)) => {
            let fields = fields.iter().zip(values);
            let fields = fields.map(|((name, ty), value)| IDLField {
                id: label(name),
                val: candid(model, ty, value),
            });
            IDLValue::Record(fields.collect())
        }
        (Ty::Variant(cases), Val::Variant(index, held)) => {
            let (name, ty) = &cases[*index];
            let field = IDLField {
                id: label(name),
                val: candid(model, ty, held),
            };
            let index = u64::try_from(*index).expect("a small number");
            IDLValue::Variant(VariantValue(Box::new(field), index))
        }
        (ty, value) => unreachable!("{value:?} is not of {ty:?}"),
    }
}

/// A number as a value of an integer type.
///
/// # Panics
///
/// The type does not hold it.
#[must_use]
pub fn number_of(prim: Prim, number: &num_bigint::BigInt) -> IDLValue {
    macro_rules! of {
        ($case:ident) => {
            IDLValue::$case(number.try_into().expect("the type holds it"))
        };
    }
    match prim {
        Prim::Nat => IDLValue::Nat(Nat(number.magnitude().clone())),
        Prim::Int => IDLValue::Int(Int(number.clone())),
        Prim::NatBits(8) => of!(Nat8),
        Prim::NatBits(16) => of!(Nat16),
        Prim::NatBits(32) => of!(Nat32),
        Prim::NatBits(_) => of!(Nat64),
        Prim::IntBits(8) => of!(Int8),
        Prim::IntBits(16) => of!(Int16),
        Prim::IntBits(32) => of!(Int32),
        Prim::IntBits(_) => of!(Int64),
        other => unreachable!("{other:?} has no numbers"),
    }
}

/// The types as `candid` has them. A case whose name holds a comma and a field named `_` are given by
/// their numbers: the decoder passes names on between commas, and drops what has the other name.
#[must_use]
pub fn types_of(model: &Model) -> (candid::TypeEnv, Vec<candid::types::Type>) {
    let env = (model.definitions.iter().enumerate())
        .map(|(index, ty)| (format!("d{index}"), type_of(ty)))
        .collect();
    let args = model.args.iter().map(type_of).collect();
    (candid::TypeEnv(env), args)
}

fn type_of(ty: &Ty) -> candid::types::Type {
    use candid::types::{Field, FuncMode, Function, TypeInner};
    let fields = |fields: &super::types::Fields, of_cases: bool| {
        let fields = fields.iter().map(|(name, ty)| Field {
            id: match name {
                Label::Named(text) if of_cases && text.contains(',') => CandidLabel::Id(name.id()),
                Label::Named(text) if !of_cases && text == "_" => CandidLabel::Id(name.id()),
                name => label(name),
            }
            .into(),
            ty: type_of(ty),
        });
        fields.collect::<Vec<_>>()
    };
    let func = |func: &super::types::Func| Function {
        modes: match func.mode {
            None => vec![],
            Some((_, 1)) => vec![FuncMode::Query],
            Some((_, 2)) => vec![FuncMode::Oneway],
            Some(_) => vec![FuncMode::CompositeQuery],
        },
        args: func.args.iter().map(type_of).collect(),
        rets: func.rets.iter().map(type_of).collect(),
    };
    match ty {
        Ty::Prim(prim) => match prim {
            Prim::Null => TypeInner::Null,
            Prim::Bool => TypeInner::Bool,
            Prim::Nat => TypeInner::Nat,
            Prim::Int => TypeInner::Int,
            Prim::NatBits(8) => TypeInner::Nat8,
            Prim::NatBits(16) => TypeInner::Nat16,
            Prim::NatBits(32) => TypeInner::Nat32,
            Prim::NatBits(_) => TypeInner::Nat64,
            Prim::IntBits(8) => TypeInner::Int8,
            Prim::IntBits(16) => TypeInner::Int16,
            Prim::IntBits(32) => TypeInner::Int32,
            Prim::IntBits(_) => TypeInner::Int64,
            Prim::Float32 => TypeInner::Float32,
            Prim::Float64 => TypeInner::Float64,
            Prim::Text => TypeInner::Text,
            Prim::Reserved => TypeInner::Reserved,
            Prim::Empty => TypeInner::Empty,
            Prim::Principal => TypeInner::Principal,
        },
        Ty::Name(index) => TypeInner::Var(format!("d{index}")),
        Ty::Opt(inner) => TypeInner::Opt(type_of(inner)),
        Ty::Vec(inner) => TypeInner::Vec(type_of(inner)),
        Ty::Record(inner) => TypeInner::Record(fields(inner, false)),
        Ty::Variant(inner) => TypeInner::Variant(fields(inner, true)),
        Ty::Func(inner) => TypeInner::Func(func(inner)),
        Ty::Service(methods) => {
            let methods = methods.iter().map(|(name, inner)| {
                let ty = TypeInner::Func(func(inner)).into();
                (name.clone(), ty)
            });
            TypeInner::Service(methods.collect())
        }
    }
    .into()
}
