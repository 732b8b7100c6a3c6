//! Which positions are records, accounts, optional, and so on: what plan, reader and display ask of
//! a type.

use crate::{
    format::integer::Bounds,
    interface::IDLValue,
    profile::{Case, Field, Node, Resolved, Shape, Step},
};
use candid::{Int, Nat, types::Label};
use num_bigint::BigInt;

/// What a position holds below every `opt`, with definitions looked up.
pub(super) fn content<'a>(resolved: &'a Resolved, node: &'a Node) -> &'a Node {
    let mut node = node;
    // A definition that leads only to itself is no sound type; the bound is never reached by others.
    for _ in 0..=resolved.definitions.len() {
        node = node.through_opts().1;
        let Shape::Recursive(name) = &node.shape else {
            break;
        };
        let Some(definition) = resolved.definitions.get(name) else {
            break;
        };
        node = definition;
    }
    node
}

/// The fields of a record.
pub(super) fn fields(node: &Node) -> Option<&[Field]> {
    if let Shape::Record(fields) = &node.shape {
        Some(fields)
    } else {
        None
    }
}

/// The cases of a variant.
pub(super) fn cases(node: &Node) -> Option<&[Case]> {
    if let Shape::Variant(cases) = &node.shape {
        Some(cases)
    } else {
        None
    }
}

/// What the elements of a sequence are.
pub(super) fn elements(node: &Node) -> Option<&Node> {
    if let Shape::Vec(element) = &node.shape {
        Some(element)
    } else {
        None
    }
}

/// Whether this is ICRC-1's record of an owner and an optional subaccount.
pub(super) fn is_account_record(node: &Node) -> bool {
    let Shape::Record(fields) = &node.shape else {
        return false;
    };
    let [owner, subaccount] = fields.as_slice() else {
        return false;
    };
    let (opts, below) = subaccount.node.through_opts();
    let optional_blob = opts == 1 && matches!(below.shape, Shape::Blob);
    owner.name() == "owner"
        && subaccount.name() == "subaccount"
        && matches!(owner.node.shape, Shape::Principal)
        && optional_blob
}

/// How a position holds an account identifier.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum IdForm {
    /// Its 32 bytes.
    Blob,
    /// A record of the 32 bytes alone, in a field named `hash`.
    Record,
    /// Its text.
    Text,
}

impl IdForm {
    /// The form that this is; `None` for other types.
    pub(super) fn of(node: &Node) -> Option<Self> {
        if let Some([hash]) = fields(node) {
            let fits = hash.name() == "hash" && matches!(hash.node.shape, Shape::Blob);
            return fits.then_some(Self::Record);
        }
        if matches!(node.shape, Shape::Text) {
            return Some(Self::Text);
        }
        matches!(node.shape, Shape::Blob).then_some(Self::Blob)
    }
}

/// Candid's integer types.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Integer {
    Nat,
    Int,
    Nat8,
    Nat16,
    Nat32,
    Nat64,
    Int8,
    Int16,
    Int32,
    Int64,
}

impl Integer {
    /// The integer type that this is; `None` for other types.
    pub(super) const fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Nat => Some(Self::Nat),
            Shape::Int => Some(Self::Int),
            Shape::Nat8 => Some(Self::Nat8),
            Shape::Nat16 => Some(Self::Nat16),
            Shape::Nat32 => Some(Self::Nat32),
            Shape::Nat64 => Some(Self::Nat64),
            Shape::Int8 => Some(Self::Int8),
            Shape::Int16 => Some(Self::Int16),
            Shape::Int32 => Some(Self::Int32),
            Shape::Int64 => Some(Self::Int64),
            Shape::Record(_)
            | Shape::Variant(_)
            | Shape::Opt(_)
            | Shape::Vec(_)
            | Shape::Blob
            | Shape::Float32
            | Shape::Float64
            | Shape::Text
            | Shape::Bool
            | Shape::Principal
            | Shape::Null
            | Shape::Reserved
            | Shape::Empty
            | Shape::Func
            | Shape::Service
            | Shape::Recursive(_) => None,
        }
    }

    /// What it holds.
    pub(super) fn bounds(self) -> Bounds {
        match self {
            Self::Nat => Bounds::NAT,
            Self::Int => Bounds::INT,
            Self::Nat8 => Bounds::unsigned(8),
            Self::Nat16 => Bounds::unsigned(16),
            Self::Nat32 => Bounds::unsigned(32),
            Self::Nat64 => Bounds::unsigned(64),
            Self::Int8 => Bounds::signed(8),
            Self::Int16 => Bounds::signed(16),
            Self::Int32 => Bounds::signed(32),
            Self::Int64 => Bounds::signed(64),
        }
    }

    /// The number as a value of this type; `None` where the type does not hold it.
    pub(super) fn value(self, number: &BigInt) -> Option<IDLValue> {
        Some(match self {
            Self::Nat => IDLValue::Nat(Nat(number.to_biguint()?)),
            Self::Int => IDLValue::Int(Int(number.clone())),
            Self::Nat8 => IDLValue::Nat8(number.try_into().ok()?),
            Self::Nat16 => IDLValue::Nat16(number.try_into().ok()?),
            Self::Nat32 => IDLValue::Nat32(number.try_into().ok()?),
            Self::Nat64 => IDLValue::Nat64(number.try_into().ok()?),
            Self::Int8 => IDLValue::Int8(number.try_into().ok()?),
            Self::Int16 => IDLValue::Int16(number.try_into().ok()?),
            Self::Int32 => IDLValue::Int32(number.try_into().ok()?),
            Self::Int64 => IDLValue::Int64(number.try_into().ok()?),
        })
    }
}

/// The number that an integer value is; `None` for other values.
pub(super) fn number_of(value: &IDLValue) -> Option<BigInt> {
    Some(match value {
        IDLValue::Nat(n) => n.0.clone().into(),
        IDLValue::Int(n) => n.0.clone(),
        IDLValue::Nat8(n) => (*n).into(),
        IDLValue::Nat16(n) => (*n).into(),
        IDLValue::Nat32(n) => (*n).into(),
        IDLValue::Nat64(n) => (*n).into(),
        IDLValue::Int8(n) => (*n).into(),
        IDLValue::Int16(n) => (*n).into(),
        IDLValue::Int32(n) => (*n).into(),
        IDLValue::Int64(n) => (*n).into(),
        _ => return None,
    })
}

/// What options hold.
pub(super) fn through_options(value: &IDLValue) -> &IDLValue {
    let mut value = value;
    while let IDLValue::Opt(held) = value {
        value = held;
    }
    value
}

/// The case of this label. Cases stand by rising number of their labels, as the parser sorts them.
pub(super) fn case_of<'a>(cases: &'a [Case], label: &Label) -> Option<&'a Case> {
    let found = cases.binary_search_by_key(&label.get_id(), |case| case.label.get_id());
    found.ok().map(|at| &cases[at])
}

/// The value some steps below another, where it has the cases and fields that lead there.
pub(super) fn at<'a>(value: &'a IDLValue, steps: &[Step]) -> Option<&'a IDLValue> {
    let mut value = through_options(value);
    for step in steps {
        let label = match step {
            Step::Member(name) => Label::Named(name.clone()),
            Step::Number(number) => Label::Id(*number),
            Step::Elements => return None,
        };
        let below = match value {
            IDLValue::Record(fields) => &fields.iter().find(|field| field.id == label)?.val,
            IDLValue::Variant(variant) if variant.0.id == label => &variant.0.val,
            _ => return None,
        };
        value = through_options(below);
    }
    Some(value)
}

/// Candid's word for a type.
pub(super) const fn shape_name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Record(_) => "record",
        Shape::Variant(_) => "variant",
        Shape::Opt(_) => "opt",
        Shape::Vec(_) => "vec",
        Shape::Blob => "blob",
        Shape::Nat => "nat",
        Shape::Int => "int",
        Shape::Nat8 => "nat8",
        Shape::Nat16 => "nat16",
        Shape::Nat32 => "nat32",
        Shape::Nat64 => "nat64",
        Shape::Int8 => "int8",
        Shape::Int16 => "int16",
        Shape::Int32 => "int32",
        Shape::Int64 => "int64",
        Shape::Float32 => "float32",
        Shape::Float64 => "float64",
        Shape::Text => "text",
        Shape::Bool => "bool",
        Shape::Principal => "principal",
        Shape::Null => "null",
        Shape::Reserved => "reserved",
        Shape::Empty => "empty",
        Shape::Func => "func",
        Shape::Service => "service",
        Shape::Recursive(_) => "recursive",
    }
}
