//! Candid values as a ledger's log uses them: fields, numbers, bytes, and the values of ICRC-3.

use crate::ids::ContentHash;
use crate::interface::IDLValue;
use candid::types::Label;
use candid::types::value::IDLField;
use num_bigint::{BigInt, BigUint};
use sha2::{Digest as _, Sha256};

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

/// What a variant holds, where it is of this case.
pub(super) fn case<'a>(value: &'a IDLValue, name: &str) -> Option<&'a IDLValue> {
    match value {
        IDLValue::Variant(case) if case.0.id.get_id() == Label::Named(name.to_owned()).get_id() => {
            Some(&case.0.val)
        }
        _ => None,
    }
}

/// An ICRC-3 value.
pub(super) enum Item<'a> {
    Map(Vec<(&'a str, &'a IDLValue)>),
    Array(&'a [IDLValue]),
    Blob(Vec<u8>),
    Nat(BigUint),
    Int(BigInt),
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
        IDLValue::Int(n) if is("Int") => Some(Item::Int(n.0.clone())),
        val if is("Nat") || is("Nat64") => whole(val).map(Item::Nat),
        _ => None,
    }
}

pub(super) fn entry<'a>(map: &[(&'a str, &'a IDLValue)], name: &str) -> Option<&'a IDLValue> {
    map.iter()
        .find(|(key, _)| *key == name)
        .map(|(_, value)| *value)
}

/// The hash of a value, by which a block names the one before it (ICRC-3, "Hash of value").
pub(super) fn hash(value: &IDLValue) -> Option<ContentHash> {
    digest(value).map(ContentHash::from_bytes)
}

fn digest(value: &IDLValue) -> Option<[u8; 32]> {
    let of = |bytes: &[u8]| <[u8; 32]>::from(Sha256::digest(bytes));
    let number = |write: &dyn Fn(&mut Vec<u8>) -> candid::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes).ok()?;
        Some(of(&bytes))
    };
    Some(match item(value)? {
        Item::Blob(bytes) => of(&bytes),
        Item::Text(text) => of(text.as_bytes()),
        Item::Nat(n) => number(&|bytes| candid::Nat(n.clone()).encode(bytes))?,
        Item::Int(n) => number(&|bytes| candid::Int(n.clone()).encode(bytes))?,
        Item::Array(items) => {
            let hashes = items.iter().map(digest).collect::<Option<Vec<_>>>()?;
            of(&hashes.concat())
        }
        Item::Map(entries) => {
            let entries = entries.iter().map(|(name, value)| {
                let value = digest(value)?;
                Some([of(name.as_bytes()), value].concat())
            });
            let mut entries = entries.collect::<Option<Vec<_>>>()?;
            entries.sort_unstable();
            of(&entries.concat())
        }
    })
}

/// Values as a ledger gives them.
#[cfg(test)]
pub(super) mod fixtures {
    use super::*;

    pub(in crate::engine::log) fn variant(case: &str, val: IDLValue) -> IDLValue {
        let field = IDLField {
            id: Label::Named(case.to_owned()),
            val,
        };
        IDLValue::Variant(candid::types::value::VariantValue(Box::new(field), 0))
    }

    pub(in crate::engine::log) fn nat(n: u64) -> IDLValue {
        variant("Nat", IDLValue::Nat(candid::Nat::from(n)))
    }

    pub(in crate::engine::log) fn map(entries: Vec<(&str, IDLValue)>) -> IDLValue {
        let entries = entries.into_iter().map(|(name, val)| {
            let part = |id, val| IDLField {
                id: Label::Id(id),
                val,
            };
            IDLValue::Record(vec![part(0, IDLValue::Text(name.to_owned())), part(1, val)])
        });
        variant("Map", IDLValue::Vec(entries.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::fixtures::*;
    use super::*;

    fn hex(value: &IDLValue) -> Option<String> {
        hash(value).map(|hash| hash.to_string())
    }

    /// The vectors of the standard (ICRC-3, HASHINGVALUES).
    #[test]
    fn values_hash_as_the_standard_says() {
        let text = variant("Text", IDLValue::Text("Hello, World!".to_owned()));
        let bytes = IDLValue::Blob(vec![1, 2, 3, 4]);
        for (value, expected) in [
            (
                nat(42),
                "684888c0ebb17f374298b65ee2807526c066094c701bcc7ebbe1c1095f494fc1",
            ),
            (
                variant("Int", IDLValue::Int(candid::Int::from(-42))),
                "de5a6f78116eca62d7fc5ce159d23ae6b889b365a1739ad2cf36f925a140d0cc",
            ),
            (
                text.clone(),
                "dffd6021bb2bd5b0af676290809ec3a53191dd81c7f70a4b28688a362182986f",
            ),
            (
                variant("Blob", bytes.clone()),
                "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a",
            ),
        ] {
            assert_eq!(hex(&value).as_deref(), Some(expected));
        }
        let array = variant(
            "Array",
            IDLValue::Vec(vec![
                nat(3),
                variant("Text", IDLValue::Text("foo".to_owned())),
                variant("Blob", IDLValue::Blob(vec![5, 6])),
            ]),
        );
        assert_eq!(
            hex(&array).as_deref(),
            Some("514a04011caa503990d446b7dec5d79e19c221ae607fb08b2848c67734d468d6")
        );
        let whole = map(vec![
            (
                "from",
                variant(
                    "Blob",
                    IDLValue::Blob(hex_bytes(
                        "00abcdef0012340056789a00bcdef000012345678900abcdef01",
                    )),
                ),
            ),
            (
                "to",
                variant(
                    "Blob",
                    IDLValue::Blob(hex_bytes(
                        "00ab0def0012340056789a00bcdef000012345678900abcdef01",
                    )),
                ),
            ),
            ("amount", nat(42)),
            ("created_at", nat(1_699_218_263)),
            ("memo", nat(0)),
        ]);
        assert_eq!(
            hex(&whole).as_deref(),
            Some("c56ece650e1de4269c5bdeff7875949e3e2033f85b2d193c2ff4f7f78bdcfc75")
        );
    }

    fn hex_bytes(text: &str) -> Vec<u8> {
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes = text.as_bytes().chunks(2).map(byte);
        bytes.collect::<Option<_>>().expect("hex digits")
    }
}
