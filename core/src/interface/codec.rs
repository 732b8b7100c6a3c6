//! Between values and bytes, by type.
//!
//! Encoding is exact: a value must have the type's form to the last field, and nothing is filled in
//! or dropped. Decoding follows Candid's rules for replies of other versions, and
//! [`Tuple::decode_exact`] accepts only bytes that say nothing else than the values it gives.

use std::collections::{BTreeMap, HashMap};

use candid::de::DecoderConfig;
use candid::types::{Field, Function, Label, Type, TypeEnv, TypeInner};
use candid::{IDLArgs, IDLValue};
use thiserror::Error;

use super::{Interface, wire};

/// The types of an argument or result tuple, ready to encode and decode.
#[derive(Clone, Debug)]
pub struct Tuple {
    env: TypeEnv,
    types: Vec<Type>,
}

/// Why values or bytes are refused.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum CodecError {
    /// A value has not the form of its type.
    #[error("the value does not have the form that the interface gives it")]
    Value,
    /// The bytes are no Candid message, or not of these types.
    #[error("the bytes are no Candid message of the interface's types")]
    Malformed,
    /// Types or values stand too deep in one another.
    #[error("the Candid message is nested too deep")]
    TooDeep,
    /// The table or the values are over a bound.
    #[error("the Candid message holds more than it may")]
    TooLarge,
    /// The bytes say more, or say it in another way, than the values decoded from them.
    #[error("the bytes say more than the values that can be read from them")]
    NotExact,
}

impl CodecError {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Value => "E_CANDID_VALUE",
            Self::Malformed => "E_CANDID_MALFORMED",
            Self::TooDeep | Self::TooLarge => "E_CANDID_LIMIT",
            Self::NotExact => "E_CANDID_NOT_EXACT",
        }
    }
}

/// Decodes a message by the types that it states itself: for an answer of which several versions are
/// in use. Nothing is known of its form then, and labels are numbers.
///
/// # Errors
///
/// Bytes that are no Candid message, or over a bound.
pub fn decode_as_stated(bytes: &[u8]) -> Result<Vec<IDLValue>, CodecError> {
    wire::scan(bytes, &TypeEnv::default(), &[])?;
    let mut config = DecoderConfig::new();
    config
        .set_skipping_quota(500_000 + 8 * bytes.len())
        .set_full_error_message(false);
    IDLArgs::from_bytes_with_config(bytes, &config)
        .map(|args| args.args)
        .map_err(|_| CodecError::Malformed)
}

impl Interface {
    /// The argument tuple of a method.
    #[must_use]
    pub fn args(&self, method: &str) -> Option<Tuple> {
        let method = self.methods.get(method)?;
        Some(Tuple::new(&self.env, &method.arg_types()))
    }

    /// The result tuple of a method.
    #[must_use]
    pub fn results(&self, method: &str) -> Option<Tuple> {
        let method = self.methods.get(method)?;
        Some(Tuple::new(&self.env, &method.result_types()))
    }
}

impl Interface {
    /// What the functions take and give that a method's one result hands out: those in this field of
    /// the entries of this list. `None` where its result has no such place.
    #[must_use]
    pub fn callback(&self, method: &str, list: &str, entry: &str) -> Option<(Tuple, Tuple)> {
        let [result] = self.methods.get(method)?.results.as_slice() else {
            return None;
        };
        let list = self.field_type(&result.ty, list)?;
        let TypeInner::Vec(item) = self.traced(list).as_ref() else {
            return None;
        };
        match self.traced(self.field_type(item, entry)?).as_ref() {
            TypeInner::Func(function) => {
                let tuple = |types| Tuple::new(&self.env, types);
                Some((tuple(&function.args), tuple(&function.rets)))
            }
            _ => None,
        }
    }

    fn traced<'a>(&'a self, mut ty: &'a Type) -> &'a Type {
        while let TypeInner::Var(name) = ty.as_ref() {
            ty = &self.env.0[name];
        }
        ty
    }

    fn field_type<'a>(&'a self, ty: &'a Type, name: &str) -> Option<&'a Type> {
        let TypeInner::Record(fields) = self.traced(ty).as_ref() else {
            return None;
        };
        let id = Label::Named(name.to_owned()).get_id();
        let field = fields.iter().find(|field| field.id.get_id() == id)?;
        Some(&field.ty)
    }
}

impl Tuple {
    /// Takes the types with the definitions that they reach.
    #[must_use]
    pub fn new(env: &TypeEnv, types: &[Type]) -> Self {
        let mut reach = Reach {
            from: env,
            to: BTreeMap::new(),
            open: Vec::new(),
        };
        let types = types.iter().map(|ty| reach.ty(ty)).collect();
        while let Some(name) = reach.open.pop() {
            let ty = reach.ty(&env.0[&name]);
            reach.to.insert(inner_name(&name), ty);
        }
        Self {
            env: TypeEnv(reach.to),
            types,
        }
    }

    /// How many values the tuple has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether the tuple has no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Encodes values.
    ///
    /// # Errors
    ///
    /// [`CodecError::Value`] where a value is not exactly of its type: every field of a record there
    /// (an option as [`IDLValue::None`] or [`IDLValue::Opt`]), and none beside; numbers of the
    /// type's own width; bytes as [`IDLValue::Blob`].
    pub fn encode(&self, values: &[IDLValue]) -> Result<Vec<u8>, CodecError> {
        if values.len() != self.types.len() {
            return Err(CodecError::Value);
        }
        for (value, ty) in values.iter().zip(&self.types) {
            self.conforms(value, ty, 0)?;
        }
        IDLArgs::new(values)
            .to_bytes_with_types(&self.env, &self.types)
            .map_err(|_| CodecError::Value)
    }

    /// Decodes a message. Labels have their names where the interface has them, but for cases whose
    /// names hold a comma and fields named `_`; labels compare by hash.
    ///
    /// # Errors
    ///
    /// Bytes that are no message of these types, or over a bound.
    pub fn decode(&self, bytes: &[u8]) -> Result<Vec<IDLValue>, CodecError> {
        wire::scan(bytes, &self.env, &self.types)?;
        let mut config = DecoderConfig::new();
        config
            .set_skipping_quota(500_000 + 8 * bytes.len())
            .set_full_error_message(false);
        IDLArgs::from_bytes_with_types_with_config(bytes, &self.env, &self.types, &config)
            .map(|args| args.args)
            .map_err(|_| CodecError::Malformed)
    }

    /// Decodes a message of which nothing may be lost: the values encode to the same bytes.
    ///
    /// # Errors
    ///
    /// As [`Tuple::decode`], and [`CodecError::NotExact`].
    pub fn decode_exact(&self, bytes: &[u8]) -> Result<Vec<IDLValue>, CodecError> {
        let values = self.decode(bytes)?;
        if self.encode(&values)? != bytes {
            return Err(CodecError::NotExact);
        }
        Ok(values)
    }

    fn conforms(&self, value: &IDLValue, ty: &Type, depth: usize) -> Result<(), CodecError> {
        if depth > wire::MAX_DEPTH {
            return Err(CodecError::TooDeep);
        }
        let mut ty = ty;
        while let TypeInner::Var(name) = ty.as_ref() {
            ty = &self.env.0[name];
        }
        let fits = match (value, ty.as_ref()) {
            (IDLValue::None, TypeInner::Opt(_))
            | (IDLValue::Null, TypeInner::Null)
            | (IDLValue::Bool(_), TypeInner::Bool)
            | (IDLValue::Text(_), TypeInner::Text)
            | (IDLValue::Nat(_), TypeInner::Nat)
            | (IDLValue::Nat8(_), TypeInner::Nat8)
            | (IDLValue::Nat16(_), TypeInner::Nat16)
            | (IDLValue::Nat32(_), TypeInner::Nat32)
            | (IDLValue::Nat64(_), TypeInner::Nat64)
            | (IDLValue::Int(_), TypeInner::Int)
            | (IDLValue::Int8(_), TypeInner::Int8)
            | (IDLValue::Int16(_), TypeInner::Int16)
            | (IDLValue::Int32(_), TypeInner::Int32)
            | (IDLValue::Int64(_), TypeInner::Int64)
            | (IDLValue::Float32(_), TypeInner::Float32)
            | (IDLValue::Float64(_), TypeInner::Float64)
            | (IDLValue::Reserved | IDLValue::Null, TypeInner::Reserved)
            | (IDLValue::Principal(_), TypeInner::Principal)
            | (IDLValue::Service(_), TypeInner::Service(_))
            | (IDLValue::Func(..), TypeInner::Func(_)) => true,
            (IDLValue::Blob(_), TypeInner::Vec(_)) => ty.is_blob(&self.env),
            (IDLValue::Vec(values), TypeInner::Vec(inner)) => {
                for value in values {
                    self.conforms(value, inner, depth + 1)?;
                }
                true
            }
            (IDLValue::Opt(value), TypeInner::Opt(inner)) => {
                return self.conforms(value, inner, depth + 1);
            }
            (IDLValue::Record(values), TypeInner::Record(fields)) => {
                let found: HashMap<u32, &IDLValue> = values
                    .iter()
                    .map(|field| (field.id.get_id(), &field.val))
                    .collect();
                if values.len() != fields.len() || found.len() != fields.len() {
                    return Err(CodecError::Value);
                }
                for field in fields {
                    let value = found.get(&field.id.get_id()).ok_or(CodecError::Value)?;
                    self.conforms(value, &field.ty, depth + 1)?;
                }
                true
            }
            (IDLValue::Variant(value), TypeInner::Variant(cases)) => {
                // The parser sorts cases by their numbers.
                let id = value.0.id.get_id();
                let found = cases.binary_search_by_key(&id, |case| case.id.get_id());
                let case = &cases[found.map_err(|_| CodecError::Value)?];
                return self.conforms(&value.0.val, &case.ty, depth + 1);
            }
            _ => false,
        };
        if fits { Ok(()) } else { Err(CodecError::Value) }
    }
}

/// Copies types with the definitions that they reach.
struct Reach<'a> {
    from: &'a TypeEnv,
    to: BTreeMap<String, Type>,
    open: Vec<String>,
}

/// The name of a definition in a [`Tuple`]. The decoder names the types of a message `table0` and so
/// on, in the same space.
fn inner_name(name: &str) -> String {
    format!(".{name}")
}

impl Reach<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        let inner = match ty.as_ref() {
            TypeInner::Var(name) => {
                let inner = inner_name(name);
                if !self.to.contains_key(&inner) {
                    debug_assert!(self.from.0.contains_key(name), "every name is defined");
                    self.to.insert(inner.clone(), TypeInner::Unknown.into());
                    self.open.push(name.clone());
                }
                TypeInner::Var(inner)
            }
            TypeInner::Opt(inner) => TypeInner::Opt(self.ty(inner)),
            TypeInner::Vec(inner) => TypeInner::Vec(self.ty(inner)),
            TypeInner::Record(fields) => {
                let mut fields = self.fields(fields);
                for field in &mut fields {
                    // The decoder has this name for a field that nobody wants, and drops it.
                    if matches!(field.id.as_ref(), Label::Named(name) if name == "_") {
                        field.id = Label::Id(field.id.get_id()).into();
                    }
                }
                TypeInner::Record(fields)
            }
            TypeInner::Variant(cases) => {
                let mut cases = self.fields(cases);
                for case in &mut cases {
                    // The decoder passes a case's name on between commas and cannot read this one.
                    if matches!(case.id.as_ref(), Label::Named(name) if name.contains(',')) {
                        case.id = Label::Id(case.id.get_id()).into();
                    }
                }
                TypeInner::Variant(cases)
            }
            TypeInner::Func(func) => TypeInner::Func(Function {
                modes: func.modes.clone(),
                args: func.args.iter().map(|ty| self.ty(ty)).collect(),
                rets: func.rets.iter().map(|ty| self.ty(ty)).collect(),
            }),
            TypeInner::Service(methods) => TypeInner::Service(
                methods
                    .iter()
                    .map(|(name, ty)| (name.clone(), self.ty(ty)))
                    .collect(),
            ),
            _ => return ty.clone(),
        };
        inner.into()
    }

    fn fields(&mut self, fields: &[Field]) -> Vec<Field> {
        fields
            .iter()
            .map(|field| Field {
                id: field.id.clone(),
                ty: self.ty(&field.ty),
            })
            .collect()
    }
}
