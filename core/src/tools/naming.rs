//! Sets of names: which of them a tool's inputs take, and what is in a reply that lists one.

use super::{
    plan::Plan,
    reader::{Kind, Reader},
    shape::{at, number_of},
};
use crate::{
    format::{account, account_id, integer, name::NameEntry, principal, subaccount, trim},
    interface::{IDLValue, Tuple},
    profile::{NameSet, Resolved},
    text::MAX_UNTRUSTED,
};
use candid::types::Label;
use std::collections::{BTreeMap, BTreeSet};

/// The most entries of one set that are looked at.
const MAX_ENTRIES: usize = 4_096;

/// The longest listed value, in bytes: nothing that a name can stand for is longer.
const MAX_VALUE: usize = 256;

impl Plan {
    /// The sets that an input of this tool can be a name of, each with the query without arguments
    /// that lists it. A set that no query lists is not among them.
    #[must_use]
    pub fn name_queries(&self) -> BTreeMap<&str, &str> {
        let mut sets = BTreeSet::new();
        for param in &self.params {
            named(&param.reader, &mut sets);
        }
        let listed = sets.into_iter().filter_map(|set| {
            let tagged = self.resolved().names.get(set)?;
            match &tagged.tag {
                NameSet::Query { method, .. } => Some((set, method.as_str())),
                NameSet::Wallet => None,
            }
        });
        listed.collect()
    }
}

fn named<'a>(reader: &'a Reader, sets: &mut BTreeSet<&'a str>) {
    if let Some(set) = &reader.named {
        sets.insert(set);
    }
    match &reader.kind {
        Kind::Record(members) | Kind::Variant(members) => {
            members
                .iter()
                .for_each(|member| named(&member.reader, sets));
        }
        Kind::Vec(element) => named(element, sets),
        Kind::Amount { .. }
        | Kind::Account { .. }
        | Kind::AccountId(_)
        | Kind::Principal
        | Kind::Subaccount
        | Kind::Blob(_)
        | Kind::Time { .. }
        | Kind::Duration { .. }
        | Kind::Integer { .. }
        | Kind::Text(_)
        | Kind::Bool
        | Kind::Nothing => {}
    }
}

/// The entries of a set in the reply of the query that lists it. `None` where the reply has no such
/// list: then the set counts as unread.
#[must_use]
pub fn name_entries(resolved: &Resolved, set: &str, reply: &[u8]) -> Option<Vec<NameEntry>> {
    let NameSet::Query { method, list } = &resolved.names.get(set)?.tag else {
        return None;
    };
    let results = &resolved.methods.get(method)?.results;
    let types: Vec<_> = results.iter().map(|node| node.ty.clone()).collect();
    let values = Tuple::new(&resolved.env, &types).decode(reply).ok()?;
    let IDLValue::Vec(elements) = at(values.get(list.list.index)?, &list.list.steps)? else {
        return None;
    };
    // Below the list and its elements.
    let below = list.list.steps.len() + 1;
    let (value, label) = (
        list.value.steps.get(below..)?,
        list.label.steps.get(below..)?,
    );
    let entry = |element: &IDLValue| {
        let IDLValue::Text(label) = at(element, label)? else {
            return None;
        };
        let value = text_of(at(element, value)?)?;
        (value.len() <= MAX_VALUE).then_some(NameEntry {
            label: written(label)?.to_owned(),
            value,
        })
    };
    (elements.len() <= MAX_ENTRIES).then(|| elements.iter().filter_map(entry).collect())
}

/// A name as it is written; `None` where nobody would write it.
fn written(label: &str) -> Option<&str> {
    let label = trim(label);
    // A longer one would be stored with every intent that it stands in.
    let fits = !label.is_empty() && label.chars().count() <= MAX_UNTRUSTED;
    fits.then_some(label)
}

/// A listed value as a person would write it. Its position's reader decides whether it is one.
fn text_of(value: &IDLValue) -> Option<String> {
    if let Some(number) = number_of(value) {
        return Some(number.to_string());
    }
    match value {
        IDLValue::Principal(id) => Some(principal::show(id)),
        IDLValue::Text(text) => Some(text.clone()),
        IDLValue::Blob(bytes) => Some(crate::ids::to_hex(bytes)),
        IDLValue::Record(fields) => {
            let hash = Label::Named("hash".to_owned());
            match fields.as_slice() {
                [field] if field.id == hash => text_of(&field.val),
                _ => super::display::account_of(value).map(|account| account::show(&account)),
            }
        }
        _ => None,
    }
}

/// The canonical text of a value at a position that can be named; `None` where the text is none.
pub(super) fn canonical(kind: &Kind, text: &str) -> Option<String> {
    match kind {
        Kind::Integer { bounds, .. } => Some(integer::read(text, bounds).ok()?.to_string()),
        Kind::Account { .. } => Some(account::show(&account::read(text).ok()?)),
        Kind::AccountId(_) => Some(account_id::show(&account_id::read(text).ok()?)),
        Kind::Principal => Some(principal::show(&principal::read(text).ok()?)),
        Kind::Subaccount => Some(subaccount::show(&subaccount::read(text).ok()?)),
        Kind::Amount { .. }
        | Kind::Blob(_)
        | Kind::Time { .. }
        | Kind::Duration { .. }
        | Kind::Text(_)
        | Kind::Bool
        | Kind::Record(_)
        | Kind::Variant(_)
        | Kind::Vec(_)
        | Kind::Nothing => None,
    }
}
