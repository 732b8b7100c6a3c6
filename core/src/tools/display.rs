//! Values as they are shown: formatted and raw at positions whose meaning is known, plainly elsewhere.
//!
//! What is shown is made from decoded bytes. Text from outside stands only in
//! `{"untrusted": …, "from": …}`; text that the caller itself gave stands as it is.

use super::{
    canister::{AmountUnit, Canister},
    names::plain,
    plan::Plan,
    shape::{IdForm, case_of, is_account_record, number_of},
};
use crate::{
    format::{
        account, account::Account, account_id, account_id::AccountId, amount, blob, float,
        principal, subaccount, subaccount::Subaccount, time,
    },
    ids::{Principal, to_hex},
    interface::IDLValue,
    profile::{Node, Resolved, Shape, ValueTag},
    text::{Untrusted, escaped},
};
pub use lines::Argument;
use num_bigint::BigInt;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

mod lines;

/// Whose words the texts in a value are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Voice<'a> {
    /// The caller's, who gave them as inputs.
    Caller,
    /// A canister's, which answered this method.
    Canister { method: &'a str },
}

impl Voice<'_> {
    fn text(self, text: &str) -> Value {
        match self {
            Self::Caller => json!(text),
            Self::Canister { method } => json!({
                "untrusted": Untrusted::new(text),
                "from": format!("reply of {}", plain(method)),
            }),
        }
    }
}

/// A value, taken apart for showing.
#[derive(Debug)]
pub(super) enum Shown {
    /// `null`, or an option that holds nothing.
    Nothing,
    /// A single value.
    Leaf(Leaf),
    /// What an option of an option holds.
    Some(Box<Self>),
    Record(Vec<(String, Self)>),
    Tuple(Vec<Self>),
    Variant(String, Box<Self>),
    Vec(Vec<Self>),
}

/// A single value.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) kind: LeafKind,
    /// Formatted, where the position's meaning is known and the value can be formatted.
    pub(super) text: Option<String>,
    /// The value itself.
    raw: Value,
    /// The name that stands for it, where it has one.
    pub(super) name: Option<Name>,
    /// The number, where it is one.
    pub(super) number: Option<BigInt>,
    /// Candid text.
    pub(super) candid: String,
}

/// A name beside the value it stands for.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) label: Untrusted,
    /// The set that has it.
    set: String,
}

/// What kind of value a leaf is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LeafKind {
    /// An amount of a token.
    Amount,
    /// An account or a principal.
    Address,
    /// Bytes, or a subaccount.
    Bytes,
    /// Bytes at a position where people write text: a memo.
    Memo,
    /// A point in time or a length of it.
    Time,
    /// A number, a truth value.
    Plain,
    /// Text.
    Text,
    /// A reference to a function of a canister.
    Func,
}

/// How a value is taken apart.
pub(super) struct Display<'a> {
    pub(super) resolved: &'a Resolved,
    pub(super) canister: &'a Canister,
    /// Whether the Candid text of values is asked for: it is longer than they are.
    pub(super) raw: bool,
}

impl Display<'_> {
    /// The Candid text of a value, where it is asked for.
    fn candid(&self, value: &IDLValue) -> String {
        if self.raw {
            candid_text(value)
        } else {
            String::new()
        }
    }

    /// Takes a value apart by its position.
    pub(super) fn shown(&self, node: &Node, value: &IDLValue) -> Shown {
        let whole = value;
        let (mut below, mut value) = (node, value);
        let mut options = 0;
        loop {
            if let Shape::Opt(inner) = &below.shape {
                let IDLValue::Opt(held) = value else {
                    return wrapped(Shown::Nothing, options);
                };
                (below, value) = (inner, held);
                options += 1;
            } else if let Shape::Recursive(name) = &below.shape
                && let Some(definition) = self.resolved.definitions.get(name)
            {
                below = definition;
            } else {
                break;
            }
        }
        let mut shown = match node.tags.value().or(below.tags.value()) {
            Some(tag) => self
                .tagged(tag, below, value)
                .unwrap_or_else(|| self.untagged(below, value)),
            None => self.untagged(below, value),
        };
        if let Shown::Leaf(leaf) = &mut shown {
            if options > 0 {
                leaf.candid = self.candid(whole);
            }
            leaf.name = node.tags.named().and_then(|set| {
                let value = leaf.text.as_deref().or(leaf.raw.as_str())?;
                Some(Name {
                    label: self.canister.names().label_of(set, value)?,
                    set: set.to_owned(),
                })
            });
        }
        wrapped(shown, options)
    }

    fn tagged(&self, tag: &ValueTag, node: &Node, value: &IDLValue) -> Option<Shown> {
        let number = || number_of(value);
        let (kind, text, raw) = match tag {
            ValueTag::Amount { decimals, symbol } => {
                let unit = AmountUnit {
                    decimals: decimals.clone(),
                    symbol: symbol.clone(),
                };
                let units = number()?;
                let token = self.canister.token(&unit);
                let text = token
                    .zip(units.to_biguint())
                    .map(|(token, units)| amount::show(&units, &token));
                (LeafKind::Amount, text, json!(units.to_string()))
            }
            ValueTag::Timestamp { unit } => {
                let units = number()?;
                let text = time::show(&units, *unit);
                (LeafKind::Time, Some(text), json!(units.to_string()))
            }
            ValueTag::Duration { unit } => {
                let units = number()?;
                let text = time::show_duration(&units, *unit);
                (LeafKind::Time, Some(text), json!(units.to_string()))
            }
            ValueTag::Account => return account_leaf(node, value, self.candid(value)),
            ValueTag::AccountId => {
                let (id, raw) = account_id_of(node, value)?;
                (LeafKind::Address, Some(account_id::show(&id)), raw)
            }
            ValueTag::Principal => {
                let IDLValue::Principal(principal) = value else {
                    return None;
                };
                let text = principal::show(principal);
                (LeafKind::Address, Some(text.clone()), json!(text))
            }
            ValueTag::Subaccount => {
                let bytes = bytes_of(value)?;
                let text = <[u8; 32]>::try_from(bytes.as_slice())
                    .ok()
                    .map(|bytes| subaccount::show(&Subaccount::from_bytes(bytes)));
                (LeafKind::Bytes, text, json!(to_hex(&bytes)))
            }
            ValueTag::Memo => {
                let bytes = bytes_of(value)?;
                (
                    LeafKind::Memo,
                    Some(blob::show(&bytes)),
                    json!(to_hex(&bytes)),
                )
            }
            ValueTag::Blob => {
                let bytes = bytes_of(value)?;
                (
                    LeafKind::Memo,
                    Some(blob::show(&bytes)),
                    json!(to_hex(&bytes)),
                )
            }
        };
        Some(Shown::Leaf(Leaf {
            kind,
            text,
            raw,
            name: None,
            number: number_of(value),
            candid: self.candid(value),
        }))
    }

    fn untagged(&self, node: &Node, value: &IDLValue) -> Shown {
        let leaf = |kind, raw: Value| {
            Shown::Leaf(Leaf {
                kind,
                text: None,
                raw,
                name: None,
                number: number_of(value),
                candid: self.candid(value),
            })
        };
        match (&node.shape, value) {
            (Shape::Record(fields), IDLValue::Record(values)) => {
                let values: HashMap<u32, &IDLValue> = (values.iter())
                    .map(|value| (value.id.get_id(), &value.val))
                    .collect();
                let shown = fields.iter().filter_map(|field| {
                    let value = values.get(&field.label.get_id())?;
                    Some((field.name(), self.shown(&field.node, value)))
                });
                let tuple = !fields.is_empty()
                    && (0_u32..)
                        .zip(fields)
                        .all(|(index, field)| field.is_numbered() && field.label.get_id() == index);
                if tuple {
                    Shown::Tuple(shown.map(|(_, value)| value).collect())
                } else {
                    Shown::Record(shown.collect())
                }
            }
            (Shape::Variant(cases), IDLValue::Variant(variant)) => {
                match case_of(cases, &variant.0.id) {
                    Some(case) => Shown::Variant(
                        case.name(),
                        Box::new(self.shown(&case.node, &variant.0.val)),
                    ),
                    None => {
                        Shown::Variant(variant.0.id.get_id().to_string(), Box::new(Shown::Nothing))
                    }
                }
            }
            (Shape::Vec(element), IDLValue::Vec(values)) => Shown::Vec(
                values
                    .iter()
                    .map(|value| self.shown(element, value))
                    .collect(),
            ),
            (_, IDLValue::Null | IDLValue::None | IDLValue::Reserved) => Shown::Nothing,
            (_, IDLValue::Bool(value)) => leaf(LeafKind::Plain, json!(value)),
            (_, IDLValue::Text(text)) => leaf(LeafKind::Text, json!(text)),
            (_, IDLValue::Principal(id) | IDLValue::Service(id)) => {
                leaf(LeafKind::Address, json!(id.to_text()))
            }
            (_, IDLValue::Func(id, method)) => {
                leaf(LeafKind::Func, json!([id.to_text(), plain(method)]))
            }
            (_, IDLValue::Float64(value)) => leaf(LeafKind::Plain, json!(float::show_f64(*value))),
            (_, IDLValue::Float32(value)) => leaf(LeafKind::Plain, json!(float::show_f32(*value))),
            (_, value) => match (number_of(value), bytes_of(value)) {
                (Some(number), _) => leaf(LeafKind::Plain, json!(number.to_string())),
                (None, Some(bytes)) => {
                    leaf(LeafKind::Bytes, json!(format!("0x{}", to_hex(&bytes))))
                }
                (None, None) => leaf(LeafKind::Text, json!(candid_text(value))),
            },
        }
    }
}

fn wrapped(shown: Shown, options: usize) -> Shown {
    // One option is told by null or a value; more need to say how many hold something.
    (1..options).fold(shown, |shown, _| Shown::Some(Box::new(shown)))
}

/// The Candid text of a value on one line, hidden characters escaped.
fn candid_text(value: &IDLValue) -> String {
    escaped(&format!("{value:?}"))
}

fn bytes_of(value: &IDLValue) -> Option<Vec<u8>> {
    match value {
        IDLValue::Blob(bytes) => Some(bytes.clone()),
        IDLValue::Vec(elements) => elements
            .iter()
            .map(|element| match element {
                IDLValue::Nat8(byte) => Some(*byte),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// The identifier in a value, and the value itself. `None` where its checksum is wrong: no text could
/// pass for one then.
fn account_id_of(node: &Node, value: &IDLValue) -> Option<(AccountId, Value)> {
    let of = |value: &IDLValue| AccountId::from_bytes(bytes_of(value)?.try_into().ok()?);
    match (IdForm::of(node)?, value) {
        (IdForm::Blob, value) => {
            let id = of(value)?;
            Some((id, json!(id.to_string())))
        }
        (IdForm::Text, IDLValue::Text(text)) => {
            let id = account_id::read(text).ok()?;
            (id.to_string() == *text).then(|| (id, json!(text)))
        }
        (IdForm::Record, IDLValue::Record(fields)) => {
            let id = of(&fields.first()?.val)?;
            Some((id, json!({ "hash": id.to_string() })))
        }
        (IdForm::Text | IdForm::Record, _) => None,
    }
}

fn account_leaf(node: &Node, value: &IDLValue, candid: String) -> Option<Shown> {
    if let IDLValue::Text(text) = value {
        let canonical = account::read(text)
            .ok()
            .map(|account| account::show(&account));
        let same = canonical.as_deref() == Some(text);
        return same.then(|| {
            Shown::Leaf(Leaf {
                kind: LeafKind::Address,
                text: canonical,
                raw: json!(text),
                name: None,
                number: None,
                candid,
            })
        });
    }
    if !is_account_record(node) {
        return None;
    }
    let (owner, bytes) = account_parts(value)?;
    let text = account_from(owner, bytes.as_deref());
    Some(Shown::Leaf(Leaf {
        kind: LeafKind::Address,
        text: text.as_ref().map(account::show),
        raw: json!({ "owner": owner.to_text(), "subaccount": bytes.map(|bytes| to_hex(&bytes)) }),
        name: None,
        number: None,
        candid,
    }))
}

/// The account that a record of ICRC-1's form is.
pub(super) fn account_of(value: &IDLValue) -> Option<Account> {
    let (owner, bytes) = account_parts(value)?;
    account_from(owner, bytes.as_deref())
}

/// An account, unless the bytes are not 32: then it is none, and no text could pass for one.
fn account_from(owner: Principal, subaccount: Option<&[u8]>) -> Option<Account> {
    let Some(bytes) = subaccount else {
        return Some(Account::new(owner, None));
    };
    let bytes = <[u8; 32]>::try_from(bytes).ok()?;
    Some(Account::new(owner, Some(Subaccount::from_bytes(bytes))))
}

/// The owner in a record of ICRC-1's form, and the bytes of the subaccount.
fn account_parts(value: &IDLValue) -> Option<(Principal, Option<Vec<u8>>)> {
    let IDLValue::Record(fields) = value else {
        return None;
    };
    let field = |name: &str| {
        let label = candid::types::Label::Named(name.to_owned());
        fields
            .iter()
            .find(|field| field.id == label)
            .map(|field| &field.val)
    };
    let IDLValue::Principal(owner) = field("owner")? else {
        return None;
    };
    let bytes = match field("subaccount")? {
        IDLValue::Opt(held) => Some(bytes_of(held)?),
        _ => None,
    };
    Some((*owner, bytes))
}

impl Shown {
    /// As JSON, for a tool's answer.
    pub(super) fn to_json(&self, voice: Voice<'_>) -> Value {
        match self {
            Self::Nothing => Value::Null,
            Self::Some(held) => json!({ "some": held.to_json(voice) }),
            Self::Leaf(leaf) => leaf.to_json(voice),
            Self::Tuple(values) | Self::Vec(values) => {
                Value::Array(values.iter().map(|value| value.to_json(voice)).collect())
            }
            Self::Variant(tag, value) => match value.as_ref() {
                Self::Nothing => json!({ "tag": plain(tag) }),
                value => json!({ "tag": plain(tag), "value": value.to_json(voice) }),
            },
            Self::Record(fields) => {
                let mut out = Map::new();
                for (name, value) in fields {
                    // Two names that are told alike: the later one is told by its number.
                    let mut key = plain(name);
                    while out.contains_key(&key) {
                        key.push('_');
                    }
                    out.insert(key, value.to_json(voice));
                }
                Value::Object(out)
            }
        }
    }
}

impl Leaf {
    fn to_json(&self, voice: Voice<'_>) -> Value {
        let mut shown = self.value_json(voice);
        if let Some(Name { label, set }) = &self.name {
            if !shown.is_object() {
                shown = json!({ "text": shown, "raw": self.raw });
            }
            let from = format!("names of {}", plain(set));
            shown["name"] = json!({ "untrusted": label, "from": from });
        }
        shown
    }

    fn value_json(&self, voice: Voice<'_>) -> Value {
        let text = match (self.kind, &self.text) {
            (LeafKind::Text, _) => {
                return self
                    .raw
                    .as_str()
                    .map_or(Value::Null, |text| voice.text(text));
            }
            (LeafKind::Func, _) => {
                return json!({ "canister": self.raw[0], "method": self.raw[1] });
            }
            // Without a value tag the value is all there is.
            (LeafKind::Plain | LeafKind::Bytes | LeafKind::Address, None)
                if self.raw.is_string() =>
            {
                return self.raw.clone();
            }
            (LeafKind::Plain, None) => return self.raw.clone(),
            (LeafKind::Memo, Some(text)) => voice.text(text),
            (_, Some(text)) => json!(text),
            (_, None) => Value::Null,
        };
        json!({ "text": text, "raw": self.raw })
    }
}

impl Plan {
    /// The arguments in the bytes of a call, as JSON: an object of the argument's fields, the value of
    /// a single other argument, or an array of several.
    pub(super) fn arguments_json(&self, args: &[IDLValue], canister: &Canister) -> Value {
        let display = Display {
            resolved: &self.resolved,
            canister,
            raw: false,
        };
        let nodes = &self.resolved_method().args;
        let mut shown = nodes
            .iter()
            .zip(args)
            .map(|(node, value)| display.shown(node, value).to_json(Voice::Caller));
        match nodes.len() {
            1 => shown.next().unwrap_or(Value::Null),
            _ => Value::Array(shown.collect()),
        }
    }
}
