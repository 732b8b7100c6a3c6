//! How arguments are made of places that are filled as a whole.

use crate::interface::IDLValue;
use candid::types::Label;

/// How an argument, or a part of one, is made of slots.
#[derive(Clone, Debug)]
pub(in crate::tools) enum Layout {
    /// It is one.
    Slot(Slot),
    /// A record, by its fields' names.
    Record(Vec<(String, Self)>),
    /// The one case that a variant has.
    Case(Fixed),
}

/// The one case that a variant has.
#[derive(Clone, Debug)]
pub(in crate::tools) struct Fixed {
    /// The case's name.
    pub(in crate::tools) exact: String,
    /// Its place among the variant's cases.
    pub(in crate::tools) index: u64,
    /// How many `opt`s there are around the variant.
    pub(in crate::tools) opts: usize,
    /// What the case holds.
    pub(in crate::tools) held: Box<Layout>,
}

impl Layout {
    pub(super) fn add_slots<'a>(&'a self, slots: &mut Vec<&'a Slot>) {
        match self {
            Self::Slot(slot) => slots.push(slot),
            Self::Record(fields) => fields.iter().for_each(|(_, field)| field.add_slots(slots)),
            Self::Case(case) => case.held.add_slots(slots),
        }
    }

    /// Whether a value has the cases that are fixed here.
    pub(super) fn makes(&self, value: &IDLValue) -> bool {
        match (self, value) {
            (Self::Slot(_), _) => true,
            (Self::Record(fields), IDLValue::Record(values)) => {
                // What a slot is filled with is no matter of cases.
                let mut fields = fields
                    .iter()
                    .filter(|(_, field)| !matches!(field, Self::Slot(_)));
                fields.all(|(name, field)| {
                    let label = Label::Named(name.clone());
                    let value = values.iter().find(|value| value.id == label);
                    value.is_some_and(|value| field.makes(&value.val))
                })
            }
            (Self::Case(case), value) => {
                let mut value = value;
                while let IDLValue::Opt(held) = value {
                    value = held;
                }
                let label = Label::Named(case.exact.clone());
                matches!(value, IDLValue::Variant(variant)
                    if variant.0.id == label && case.held.makes(&variant.0.val))
            }
            (Self::Record(_), _) => false,
        }
    }
}

/// A place in the arguments that is filled as a whole.
#[derive(Clone, Debug)]
pub(in crate::tools) struct Slot {
    /// The field's name; of an argument, `arg0`.
    pub(in crate::tools) exact: String,
    pub(in crate::tools) role: Role,
    pub(in crate::tools) optional: bool,
}

/// Who fills a slot.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// The caller, by an input.
    Param,
    /// Left empty, as the profile says.
    Auto,
    /// The wallet, with the idempotency stamp.
    Stamp,
    /// Left empty, and never told of.
    Hidden,
    /// There is nothing to say: `null` or `reserved`.
    None,
}

impl Role {
    /// The word of the seed's plans.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Param => "param",
            Self::Auto => "auto",
            Self::Stamp => "stamp",
            Self::Hidden => "hidden",
            Self::None => "none",
        }
    }
}
