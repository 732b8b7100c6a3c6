//! What a reply means for the call that asked for it.

use super::{
    canister::Canister,
    display::{Display, Voice},
    names::plain,
    plan::{ELEMENTS, Plan},
    shape,
};
use crate::{
    interface::IDLValue,
    profile::{Class, Node, Source},
    time::Timestamp,
};
use candid::types::Label;
use serde_json::Value;
use std::collections::BTreeSet;

/// A reply, classed.
#[derive(Clone, Debug, PartialEq)]
pub struct Classified {
    /// Its class.
    pub class: Class,
    /// Whether the class is a built-in pack's word.
    pub built_in: bool,
    /// The way through its cases: `Ok`, `Err.Duplicate`; `None` where it has no cases.
    pub case: Option<String>,
    /// What the last case holds, as it is shown; `null` where it holds nothing.
    pub details: Value,
    /// The ledger's clock, where the reply says by it how late a new stamp may be.
    pub ledger_time: Option<Timestamp>,
    /// The block of the first execution, in decimal digits, where the call was done already.
    pub duplicate_of: Option<String>,
}

/// The bytes are no reply of the method by the interface it was called with, or have a case that the
/// interface lacks.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("the reply does not decode by the interface that the call was prepared with")]
pub struct Undecodable;

/// The field in which ledgers of the ICRC standards name the block of the first execution.
const DUPLICATE_OF: &str = "duplicate_of";

impl Plan {
    /// Classes a reply.
    ///
    /// # Errors
    ///
    /// [`Undecodable`]: such a reply says nothing about what happened.
    pub fn classify(&self, canister: &Canister, reply: &[u8]) -> Result<Classified, Undecodable> {
        let values = self.results.decode(reply).map_err(|_| Undecodable)?;
        let display = Display {
            resolved: &self.resolved,
            canister,
            raw: false,
        };
        let voice = Voice::Canister {
            method: self.method(),
        };
        let results = self.resolved_method().results.as_slice();
        let [node] = results else {
            let shown = results.iter().zip(&values);
            let details: Vec<_> = shown
                .map(|(node, value)| display.shown(node, value).to_json(voice))
                .collect();
            return Ok(Classified {
                class: self.default.unwrap_or(Class::Fail),
                built_in: self.classes_are_built_in(),
                case: None,
                details: if details.is_empty() {
                    Value::Null
                } else {
                    Value::Array(details)
                },
                ledger_time: None,
                duplicate_of: None,
            });
        };
        let value = values.first().ok_or(Undecodable)?;
        let end = self.follow(Vec::new(), node, value)?;
        if *end.value == IDLValue::None && says_more(reply, &end.way) {
            return Err(Undecodable);
        }
        let class = self.class_of(&end.way);
        let block = match class {
            Class::AlreadyDone => field(end.value, DUPLICATE_OF).and_then(shape::number_of),
            Class::Success | Class::RetrySame | Class::RetryNew | Class::FixInput | Class::Fail => {
                None
            }
        };
        let way: Vec<_> = end.way.iter().map(|name| plain(name)).collect();
        Ok(Classified {
            class,
            built_in: self.classes_are_built_in(),
            case: (!way.is_empty()).then(|| way.join(".")),
            details: display.shown(end.node, end.value).to_json(voice),
            ledger_time: match class {
                Class::RetryNew => self.ledger_time(value),
                Class::Success
                | Class::AlreadyDone
                | Class::RetrySame
                | Class::FixInput
                | Class::Fail => None,
            },
            duplicate_of: block.map(|block| block.to_string()),
        })
    }

    /// The reply of a read, as it is shown: its one value, or `null` where it has none.
    ///
    /// # Errors
    ///
    /// [`Undecodable`].
    pub fn read_reply(&self, canister: &Canister, reply: &[u8]) -> Result<Value, Undecodable> {
        let values = self.results.decode(reply).map_err(|_| Undecodable)?;
        let display = Display {
            resolved: &self.resolved,
            canister,
            raw: false,
        };
        let voice = Voice::Canister {
            method: self.method(),
        };
        Ok(
            match (self.resolved_method().results.first(), values.first()) {
                (Some(node), Some(value)) => display.shown(node, value).to_json(voice),
                (None, _) | (_, None) => Value::Null,
            },
        )
    }

    fn classes_are_built_in(&self) -> bool {
        self.classes_from == Some(Source::Pack)
    }

    /// The class of the longest key that fits, else the default.
    fn class_of(&self, way: &[String]) -> Class {
        let listed = self.classes.iter().filter(|(key, _)| way.starts_with(key));
        listed
            .max_by_key(|(key, _)| key.len())
            .map(|(_, class)| *class)
            .or(self.default)
            .unwrap_or(Class::Fail)
    }

    /// Follows a reply's cases, at a record the field that the keys read there, and where they read
    /// elements each of those.
    fn follow<'a>(
        &'a self,
        mut way: Vec<String>,
        node: &'a Node,
        value: &'a IDLValue,
    ) -> Result<End<'a>, Undecodable> {
        let (mut node, mut value) = (node, value);
        loop {
            let below = shape::content(&self.resolved, node);
            let held = shape::through_options(value);
            if let (Some(cases), IDLValue::Variant(variant)) = (shape::cases(below), held) {
                let case = shape::case_of(cases, &variant.0.id);
                let case = case.ok_or(Undecodable)?;
                way.push(case.name());
                (node, value) = (&case.node, &variant.0.val);
                continue;
            }
            let read = self.classes.iter().find_map(|(key, _)| {
                let further = key.len() > way.len() && key.starts_with(&way);
                further.then(|| &key[way.len()])
            });
            if let (Some(element), IDLValue::Vec(values), Some(ELEMENTS)) =
                (shape::elements(below), held, read.map(String::as_str))
            {
                way.push(ELEMENTS.to_owned());
                return self.follow_all(&way, element, values);
            }
            let next = match (shape::fields(below), held, read) {
                (Some(fields), IDLValue::Record(_), Some(name)) => fields
                    .iter()
                    .find(|field| field.name() == *name)
                    .zip(field(held, name)),
                _ => None,
            };
            let Some((field, inner)) = next else {
                return Ok(End { way, node, value });
            };
            way.push(field.name());
            (node, value) = (&field.node, inner);
        }
    }

    /// Follows the parts of a call that did several things. One word can stand for them only where
    /// they all ended alike; none at all, and one that was not answered, say nothing.
    fn follow_all<'a>(
        &'a self,
        way: &[String],
        element: &'a Node,
        values: &'a [IDLValue],
    ) -> Result<End<'a>, Undecodable> {
        let mut ends = Vec::new();
        for value in values {
            let end = self.follow(way.to_vec(), element, value)?;
            if *end.value == IDLValue::None {
                return Err(Undecodable);
            }
            ends.push(end);
        }
        let classes = ends.iter().map(|end| self.class_of(&end.way));
        let classes: BTreeSet<Class> = classes.collect();
        match (classes.len(), ends.into_iter().next()) {
            (1, Some(first)) => Ok(first),
            _ => Err(Undecodable),
        }
    }

    /// The time at the place that caps a new stamp, where the reply has it.
    fn ledger_time(&self, value: &IDLValue) -> Option<Timestamp> {
        let cap = self.idempotency.as_ref()?.cap.as_ref()?;
        let nanos = shape::number_of(shape::through_options(shape::at(value, &cap.steps)?))?;
        u64::try_from(nanos).ok().map(Timestamp::from_nanos)
    }
}

/// Where a reply's cases end.
struct End<'a> {
    way: Vec<String>,
    node: &'a Node,
    value: &'a IDLValue,
}

/// Whether a reply holds something at the end of a way where decoding by type found an option that
/// holds nothing: Candid turns a case that the type lacks into `null` there.
fn says_more(reply: &[u8], way: &[String]) -> bool {
    // Decoding by type went through, so the message is sound and within its bounds.
    let Ok(args) = candid::IDLArgs::from_bytes(reply) else {
        return true;
    };
    let Some(mut value) = args.args.first() else {
        return false;
    };
    for name in way {
        let next = match shape::through_options(value) {
            IDLValue::Record(fields) => fields.iter().find(|field| is_named(&field.id, name)),
            IDLValue::Variant(variant) => Some(variant.0.as_ref()),
            _ => None,
        };
        let Some(next) = next else {
            return true;
        };
        value = &next.val;
    }
    !matches!(
        shape::through_options(value),
        IDLValue::None | IDLValue::Null | IDLValue::Reserved
    )
}

/// Whether a label is the one of this name or number.
fn is_named(label: &Label, name: &str) -> bool {
    let number = name.parse().ok();
    label.get_id() == Label::Named(name.to_owned()).get_id() || Some(label.get_id()) == number
}

fn field<'a>(value: &'a IDLValue, name: &str) -> Option<&'a IDLValue> {
    let IDLValue::Record(fields) = shape::through_options(value) else {
        return None;
    };
    let label = label(name);
    fields
        .iter()
        .find(|field| field.id == label)
        .map(|field| &field.val)
}

fn label(name: &str) -> Label {
    Label::Named(name.to_owned())
}
