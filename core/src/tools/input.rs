//! Reading a tool's input: all issues at once, or values to encode and the identity of the wish.

use super::{
    catalog::{Entry, Tool},
    plan::{CANISTER_ID, Fixed, Layout, Plan, Slot},
    shape::Integer,
};
use crate::{
    format::{
        IssueCode, account::Account, account_id::AccountId, name::NameSets, subaccount::Subaccount,
    },
    ids::Principal,
    interface::{CodecError, IDLValue},
    json::{Json, Object},
    profile::Step,
    time::Timestamp,
};
use candid::types::{
    Label,
    value::{IDLField, VariantValue},
};
use reading::Reading;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

mod named;
mod reading;

/// One thing that is wrong with an input.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct InputIssue {
    /// The input, by the name it is told under.
    pub param: String,
    /// The place in the arguments: `$args[0].amount`, `$args[0].items[1].id`.
    pub path: String,
    /// The kind of refusal.
    #[serde(serialize_with = "as_text")]
    pub code: IssueCode,
    /// What to do about it.
    pub message: String,
}

fn as_text<S: serde::Serializer>(code: &IssueCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

/// A call of a tool, read: which canister it is for, and its input.
#[derive(Clone, Debug)]
pub struct ReadCall<'a> {
    /// The canister and its plan.
    pub entry: &'a Entry,
    /// What was read.
    pub input: ReadInput,
}

/// An input, converted.
#[derive(Clone, Debug)]
pub struct ReadInput {
    plan: Rc<Plan>,
    /// A value a slot; `None` where the stamp goes.
    values: Vec<Option<IDLValue>>,
    /// What the caller gave: path → canonical value. A relative time stands as its length, so that
    /// the same wish later is the same wish; what was left out is not in it.
    pub identity: BTreeMap<String, String>,
    /// What the caller gave at positions that name who pays.
    pub payers: Vec<Payer>,
    /// The earliest point in time after now in the arguments, the stamp aside.
    pub earliest: Option<Timestamp>,
    /// The names that were written, and names to show beside values that were given at positions
    /// which take names: with these the same input is read the same, and shown the same.
    pub names: NameSets,
    /// The sets of those positions.
    pub named: BTreeSet<String>,
}

/// Who pays, as a position says it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Payer {
    /// A subaccount of the sender; `None` is the default one, also where it was left out.
    Subaccount(Option<Subaccount>),
    /// An account.
    Account(Account),
    /// An account by its identifier.
    AccountId(AccountId),
}

impl Tool {
    /// Reads a call's arguments. Inputs are taken under their names of either dialect.
    ///
    /// `now` is the certified time from which relative times count.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with them. Where the canister is not known, amounts are not judged.
    pub fn read(&self, arguments: &Json, now: Timestamp) -> Result<ReadCall<'_>, Vec<InputIssue>> {
        self.read_named(arguments, now, &NameSets::default())
    }

    /// Reads a call's arguments, in which names of these sets may stand for values.
    ///
    /// # Errors
    ///
    /// As [`Tool::read`]; a name of a set that is not among them is `E_NAMES_UNREAD`.
    pub fn read_named(
        &self,
        arguments: &Json,
        now: Timestamp,
        names: &NameSets,
    ) -> Result<ReadCall<'_>, Vec<InputIssue>> {
        let Some(object) = arguments.as_object() else {
            return Err(vec![InputIssue {
                param: String::new(),
                path: String::new(),
                code: IssueCode::Input,
                message: "Give the inputs as one JSON object.".to_owned(),
            }]);
        };
        let chosen = self.choose(object);
        let entry = chosen.as_ref().copied().unwrap_or(&self.entries()[0]);
        let mut reading = Reading::new(chosen.is_ok().then_some(&entry.canister), now, names);
        let values = reading.plan(&entry.plan, object);
        let names = reading.named.kept();
        match (chosen, reading.issues) {
            (Ok(entry), issues) if issues.is_empty() => Ok(ReadCall {
                entry,
                input: ReadInput {
                    plan: Rc::clone(&entry.plan),
                    values,
                    identity: reading.identity,
                    payers: reading.payers,
                    earliest: reading.earliest,
                    names,
                    named: reading.named.asked,
                },
            }),
            (Ok(_), issues) => Err(issues),
            (Err(issue), mut issues) => {
                issues.insert(0, issue);
                Err(issues)
            }
        }
    }

    fn choose(&self, object: &Object) -> Result<&Entry, InputIssue> {
        let issue = |code, message: &str| InputIssue {
            param: CANISTER_ID.to_owned(),
            path: CANISTER_ID.to_owned(),
            code,
            message: message.to_owned(),
        };
        let text = match object.get(CANISTER_ID) {
            None => return Err(issue(IssueCode::Missing, "Say which canister to call.")),
            Some(Json::String(text)) => text,
            Some(
                Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_),
            ) => {
                return Err(issue(IssueCode::Type, "Give the canister's id as text."));
            }
        };
        Principal::from_text(text)
            .ok()
            .filter(|id| id.to_text() == *text)
            .and_then(|id| self.entry(&id))
            .ok_or_else(|| {
                let message = "Give one of the canister ids that this tool lists.";
                issue(IssueCode::Input, message)
            })
    }
}

impl ReadInput {
    /// The plan it was read by.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Encodes the arguments, once: these are the bytes that are stored and sent.
    ///
    /// `stamp` fills the position of the idempotency stamp; it is not looked at for a method without
    /// one.
    ///
    /// # Errors
    ///
    /// [`EncodeError::NoStamp`] where the method needs one; [`EncodeError::Codec`] where the values
    /// do not have the interface's types, which is a fault of ours.
    pub fn encode(&self, stamp: Option<Timestamp>) -> Result<Vec<u8>, EncodeError> {
        let slots = self.plan.slots();
        let mut values = Vec::with_capacity(slots.len());
        for (slot, value) in slots.iter().zip(&self.values) {
            values.push(match value {
                Some(value) => value.clone(),
                None => stamp_value(&self.plan, slot, stamp.ok_or(EncodeError::NoStamp)?)?,
            });
        }
        let mut values = values.into_iter();
        let args: Option<Vec<_>> = (self.plan.layout.iter())
            .map(|layout| made(layout, &mut values))
            .collect();
        Ok(self.plan.args.encode(&args.ok_or(CodecError::Value)?)?)
    }
}

/// Why read values are not encoded.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum EncodeError {
    /// The method has a stamp, and none was given.
    #[error("the call needs an idempotency stamp")]
    NoStamp,
    /// The values do not have the interface's types.
    #[error(transparent)]
    Codec(#[from] CodecError),
}

/// The value that a layout makes of the next values; `None` where there are too few.
fn made(layout: &Layout, values: &mut impl Iterator<Item = IDLValue>) -> Option<IDLValue> {
    match layout {
        Layout::Slot(_) => values.next(),
        Layout::Record(fields) => {
            let fields: Option<Vec<_>> = fields
                .iter()
                .map(|(name, field)| {
                    Some(IDLField {
                        id: Label::Named(name.clone()),
                        val: made(field, values)?,
                    })
                })
                .collect();
            fields.map(IDLValue::Record)
        }
        Layout::Case(Fixed {
            exact,
            index,
            opts,
            held,
        }) => {
            let field = IDLField {
                id: Label::Named(exact.clone()),
                val: made(held, values)?,
            };
            let variant = IDLValue::Variant(VariantValue(Box::new(field), *index));
            Some((0..*opts).fold(variant, |value, _| wrap(value, true)))
        }
    }
}

fn stamp_value(plan: &Plan, slot: &Slot, stamp: Timestamp) -> Result<IDLValue, EncodeError> {
    let node = plan
        .idempotency
        .as_ref()
        .and_then(|tag| plan.resolved_method().position(&tag.stamp));
    let value = node
        .and_then(|node| Integer::of(&node.through_opts().1.shape))
        .and_then(|int| int.value(&stamp.as_nanos().into()))
        .ok_or(CodecError::Value)?;
    let steps = (plan.idempotency.as_ref()).map_or(&[][..], |tag| tag.stamp.steps.as_slice());
    let value = match steps {
        [_, Step::Member(alone)] => IDLValue::Record(vec![IDLField {
            id: Label::Named(alone.clone()),
            val: value,
        }]),
        _ => value,
    };
    Ok(wrap(value, slot.optional))
}

fn wrap(value: IDLValue, optional: bool) -> IDLValue {
    if optional {
        IDLValue::Opt(Box::new(value))
    } else {
        value
    }
}

/// A position that nothing is given for.
const fn empty(optional: bool) -> IDLValue {
    if optional {
        IDLValue::None
    } else {
        IDLValue::Null
    }
}
