//! Candid values as a ledger's log uses them: fields, numbers, bytes, and the values of ICRC-3.

use crate::interface::IDLValue;
use candid::types::Label;
use candid::types::value::IDLField;
use num_bigint::BigUint;

/// The value of a field, through any `opt`; `None` where it is empty or not there.
pub(super) fn field<'a>(record: &'a IDLValue, name: &str) -> Option<&'a IDLValue> {
    let IDLValue::Record(fields) = record else {
        return None;
    };
    let wanted = Label::Named(name.to_owned()).get_id();
    let found = fields.iter().find(|field| field.id.get_id() == wanted)?;
    given(&found.val)
}

pub(super) fn given(value: &IDLValue) -> Option<&IDLValue> {
    match value {
        IDLValue::Opt(inner) => given(inner),
        IDLValue::None | IDLValue::Null => None,
        value => Some(value),
    }
}

pub(super) fn bytes(value: &IDLValue) -> Option<Vec<u8>> {
    match value {
        IDLValue::Blob(bytes) => Some(bytes.clone()),
        IDLValue::Vec(items) => items
            .iter()
            .map(|item| match item {
                IDLValue::Nat8(byte) => Some(*byte),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

pub(super) fn whole(value: &IDLValue) -> Option<BigUint> {
    match value {
        IDLValue::Nat(n) => Some(n.0.clone()),
        IDLValue::Nat64(n) => Some(BigUint::from(*n)),
        _ => None,
    }
}

pub(super) fn nanos(value: &IDLValue) -> Option<u64> {
    whole(value).and_then(|n| u64::try_from(n).ok())
}

/// An ICRC-3 value.
pub(super) enum Item<'a> {
    Map(Vec<(&'a str, &'a IDLValue)>),
    Array(&'a [IDLValue]),
    Blob(Vec<u8>),
    Nat(BigUint),
    Text(&'a str),
}

pub(super) fn item(value: &IDLValue) -> Option<Item<'_>> {
    let IDLValue::Variant(case) = value else {
        return None;
    };
    let IDLField { id, val } = case.0.as_ref();
    let is = |name: &str| id.get_id() == Label::Named(name.to_owned()).get_id();
    if is("Map") {
        let IDLValue::Vec(entries) = val else {
            return None;
        };
        let pairs = entries.iter().map(|entry| {
            let IDLValue::Record(parts) = entry else {
                return None;
            };
            match parts.as_slice() {
                [
                    IDLField {
                        val: IDLValue::Text(name),
                        ..
                    },
                    IDLField { val, .. },
                ] => Some((name.as_str(), val)),
                _ => None,
            }
        });
        return pairs.collect::<Option<Vec<_>>>().map(Item::Map);
    }
    match val {
        IDLValue::Vec(items) if is("Array") => Some(Item::Array(items)),
        IDLValue::Text(text) if is("Text") => Some(Item::Text(text)),
        val if is("Blob") => bytes(val).map(Item::Blob),
        val if is("Nat") || is("Nat64") => whole(val).map(Item::Nat),
        _ => None,
    }
}

pub(super) fn entry<'a>(map: &[(&'a str, &'a IDLValue)], name: &str) -> Option<&'a IDLValue> {
    map.iter()
        .find(|(key, _)| *key == name)
        .map(|(_, value)| *value)
}
