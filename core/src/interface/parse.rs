//! From text to [`Interface`], through the scan of `guard` and the parser of `candid_parser`.
//!
//! The AST is lowered here and not by `candid_parser::check_prog`, which recurses along chains of
//! definitions. Tests hold the two against each other.

use std::collections::{BTreeMap, BTreeSet};

use candid::types::{Field, FuncMode, Function, Type, TypeEnv, TypeInner};
use candid_parser::syntax::{
    Binding, Dec, FuncType, IDLArgType, IDLProg, IDLType, PrimType, TypeField,
};
use candid_parser::token::{Tokenizer, TriviaMap};

use super::graph::Graph;
use super::guard::{self, Guarded};
use super::{Arg, Interface, InterfaceError, MAX_CHAIN, MAX_METHODS, MAX_NODES, Method, Mode};
use crate::text::Untrusted;

pub(super) fn parse(text: &str) -> Result<Interface, InterfaceError> {
    let guarded = guard::scan(text)?;
    let prog = read(&guarded)?;
    let mut definitions = BTreeMap::new();
    for dec in &prog.decs {
        match dec {
            Dec::TypD(Binding { id, typ, .. }) => {
                if definitions.insert(id.as_str(), typ).is_some() {
                    return Err(InterfaceError::DefinedTwice {
                        name: Untrusted::new(id),
                    });
                }
            }
            // The scan refuses the word; a text without it has no such declaration.
            Dec::ImportType(_) | Dec::ImportServ(_) => {
                return Err(InterfaceError::Imports { line: 1 });
            }
        }
    }
    let actor = prog.actor.as_ref().ok_or(InterfaceError::NoService)?;
    let mut lower = Lower {
        ends: ends(&definitions)?,
        nodes: 0,
    };
    let mut env = TypeEnv::new();
    for (name, ast) in &definitions {
        env.0.insert((*name).to_owned(), lower.ty(ast)?);
    }
    let (init, service) = match &actor.typ {
        IDLType::ClassT(args, service) => (Some(lower.args(args)?), service.as_ref()),
        service => (None, service),
    };
    let IDLType::ServT(bindings) = lower.end(service)? else {
        let name = match service {
            IDLType::VarT(name) => name.as_str(),
            _ => "service",
        };
        return Err(InterfaceError::NoServiceType {
            name: Untrusted::new(name),
        });
    };
    if bindings.len() > MAX_METHODS {
        return Err(InterfaceError::TooManyMethods);
    }
    let mut methods = BTreeMap::new();
    for Binding { id, typ, docs } in bindings {
        let IDLType::FuncT(func) = lower.end(typ)? else {
            return Err(InterfaceError::NoFunction {
                name: Untrusted::new(id),
            });
        };
        let method = Method {
            mode: mode(func)?,
            args: lower.args(&func.args)?,
            results: lower.args(&func.rets)?,
            docs: docs.clone(),
        };
        methods.insert(id.clone(), method);
    }
    let graph = Graph::new(&env, &methods, init.as_deref());
    if graph.longest_chain() > MAX_CHAIN {
        return Err(InterfaceError::ChainTooLong);
    }
    Ok(Interface {
        fingerprint: graph.fingerprint(),
        methods,
        env,
        init,
    })
}

/// Runs the parser on a text that passed the scan.
fn read(guarded: &Guarded) -> Result<IDLProg, InterfaceError> {
    use candid_parser::Error;
    let trivia = TriviaMap::default();
    let lexer = Tokenizer::new_with_trivia(guarded.text(), trivia.clone());
    let parsed = candid_parser::grammar::IDLProgParser::new().parse(Some(&trivia), lexer);
    let error = match parsed.map_err(Error::from) {
        Ok(prog) => return Ok(prog),
        Err(Error::Parse(error)) => error,
        Err(Error::Custom(_) | Error::CandidError(_)) => return Err(InterfaceError::Ends),
    };
    // `lalrpop_util::ParseError` is not re-exported, so its cases are told apart by what they hold:
    // an error of the grammar's own actions, which are all about equal labels, or a place.
    let mut same_label = None;
    let mut place = None;
    let error = error.map_error(|error| same_label = Some(error.span.start));
    let _ = error.map_location(|at| place = place.or(Some(at)));
    if let Some(at) = same_label {
        return Err(InterfaceError::SameLabel {
            line: guarded.line_at(at),
        });
    }
    Err(match place.and_then(|at| guarded.token_at(at)) {
        Some((line, token)) => InterfaceError::Syntax {
            line,
            near: Untrusted::new(token),
        },
        None => InterfaceError::Ends,
    })
}

/// Where each definition ends when names that stand for names are followed.
fn ends<'a>(
    definitions: &BTreeMap<&'a str, &'a IDLType>,
) -> Result<BTreeMap<&'a str, &'a IDLType>, InterfaceError> {
    let mut ends = BTreeMap::<&str, &IDLType>::new();
    for (start, typ) in definitions {
        let (mut name, mut typ) = (*start, *typ);
        let mut passed = BTreeSet::new();
        while let IDLType::VarT(next) = typ {
            if !passed.insert(name) {
                return Err(InterfaceError::Cyclic {
                    name: Untrusted::new(name),
                });
            }
            if let Some(end) = ends.get(next.as_str()) {
                typ = end;
                break;
            }
            (name, typ) = definitions
                .get_key_value(next.as_str())
                .map(|(name, typ)| (*name, *typ))
                .ok_or_else(|| InterfaceError::Unbound {
                    name: Untrusted::new(next),
                })?;
        }
        for name in passed {
            ends.insert(name, typ);
        }
        ends.insert(start, typ);
    }
    Ok(ends)
}

/// Turns the AST into types. It recurses no deeper than the scan lets a text nest.
struct Lower<'a> {
    ends: BTreeMap<&'a str, &'a IDLType>,
    nodes: usize,
}

impl<'a> Lower<'a> {
    /// The type behind names.
    fn end(&self, typ: &'a IDLType) -> Result<&'a IDLType, InterfaceError> {
        match typ {
            IDLType::VarT(name) => {
                self.ends
                    .get(name.as_str())
                    .copied()
                    .ok_or_else(|| InterfaceError::Unbound {
                        name: Untrusted::new(name),
                    })
            }
            other => Ok(other),
        }
    }

    fn args(&mut self, args: &'a [IDLArgType]) -> Result<Vec<Arg>, InterfaceError> {
        args.iter()
            .map(|arg| {
                Ok(Arg {
                    name: arg.name.clone(),
                    ty: self.ty(&arg.typ)?,
                })
            })
            .collect()
    }

    fn types(&mut self, args: &'a [IDLArgType]) -> Result<Vec<Type>, InterfaceError> {
        args.iter().map(|arg| self.ty(&arg.typ)).collect()
    }

    fn fields(&mut self, fields: &'a [TypeField]) -> Result<Vec<Field>, InterfaceError> {
        fields
            .iter()
            .map(|field| {
                Ok(Field {
                    id: field.label.clone().into(),
                    ty: self.ty(&field.typ)?,
                })
            })
            .collect()
    }

    fn ty(&mut self, typ: &'a IDLType) -> Result<Type, InterfaceError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(InterfaceError::TooManyTypes);
        }
        let inner = match typ {
            IDLType::PrimT(prim) => primitive(prim),
            IDLType::PrincipalT => TypeInner::Principal,
            IDLType::VarT(name) => {
                self.end(typ)?;
                TypeInner::Var(name.clone())
            }
            IDLType::OptT(inner) => TypeInner::Opt(self.ty(inner)?),
            IDLType::VecT(inner) => TypeInner::Vec(self.ty(inner)?),
            IDLType::RecordT(fields) => TypeInner::Record(self.fields(fields)?),
            IDLType::VariantT(cases) => TypeInner::Variant(self.fields(cases)?),
            IDLType::FuncT(func) => {
                mode(func)?;
                TypeInner::Func(Function {
                    modes: func.modes.clone(),
                    args: self.types(&func.args)?,
                    rets: self.types(&func.rets)?,
                })
            }
            IDLType::ServT(bindings) => {
                let mut methods = Vec::new();
                for Binding { id, typ, .. } in bindings {
                    let IDLType::FuncT(_) = self.end(typ)? else {
                        return Err(InterfaceError::NoFunction {
                            name: Untrusted::new(id),
                        });
                    };
                    methods.push((id.clone(), self.ty(typ)?));
                }
                TypeInner::Service(methods)
            }
            // The grammar has constructors only for the actor.
            IDLType::ClassT(..) => return Err(InterfaceError::NoService),
        };
        Ok(inner.into())
    }
}

/// How a function is called.
fn mode(func: &FuncType) -> Result<Mode, InterfaceError> {
    match func.modes.as_slice() {
        [] => Ok(Mode::Update),
        [FuncMode::Query] => Ok(Mode::Query),
        [FuncMode::CompositeQuery] => Ok(Mode::CompositeQuery),
        [FuncMode::Oneway] if func.rets.is_empty() => Ok(Mode::Oneway),
        _ => Err(InterfaceError::BadMode),
    }
}

const fn primitive(prim: &PrimType) -> TypeInner {
    match prim {
        PrimType::Nat => TypeInner::Nat,
        PrimType::Nat8 => TypeInner::Nat8,
        PrimType::Nat16 => TypeInner::Nat16,
        PrimType::Nat32 => TypeInner::Nat32,
        PrimType::Nat64 => TypeInner::Nat64,
        PrimType::Int => TypeInner::Int,
        PrimType::Int8 => TypeInner::Int8,
        PrimType::Int16 => TypeInner::Int16,
        PrimType::Int32 => TypeInner::Int32,
        PrimType::Int64 => TypeInner::Int64,
        PrimType::Float32 => TypeInner::Float32,
        PrimType::Float64 => TypeInner::Float64,
        PrimType::Bool => TypeInner::Bool,
        PrimType::Text => TypeInner::Text,
        PrimType::Null => TypeInner::Null,
        PrimType::Reserved => TypeInner::Reserved,
        PrimType::Empty => TypeInner::Empty,
    }
}
