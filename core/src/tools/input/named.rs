//! Names in one call's inputs: what they stand for, and which of them are shown beside values.

use super::super::{naming::canonical, reader::Reader};
use crate::{
    format::{
        Issue, IssueCode, is_digits,
        name::{self, NameIndex, NameSets},
        trim,
    },
    profile::RelPath,
    tools::reader::Kind,
};
use std::collections::{BTreeMap, BTreeSet};

/// The most names of one call: each is stored with the intent, and compared with a whole list.
const MAX_NAMES: usize = 64;

/// The most bytes of them, each with its value.
const MAX_BYTES: usize = 16 * 1024;

/// Names and values that one call was given at positions which take names.
pub(super) struct Named<'a> {
    sets: &'a NameSets,
    /// The sets in order for looking up, each by the position it is looked up for.
    indexes: BTreeMap<RelPath, NameIndex<'a>>,
    /// What was found of names, by position.
    looked: BTreeMap<RelPath, BTreeMap<String, Result<String, Issue>>>,
    lookups: usize,
    /// Listed values, with their sets, of which a name was looked for.
    looked_beside: BTreeSet<(String, String)>,
    /// Names that were given.
    given: Kept,
    /// Names of values that were given.
    beside: Kept,
    /// The sets of the positions at which something was given.
    pub(super) asked: BTreeSet<String>,
}

/// Names that are kept, with how many and how long they are.
#[derive(Default)]
struct Kept {
    names: Vec<(String, String, String)>,
    bytes: usize,
}

impl Kept {
    /// Keeps a name of a set and its value. `false` where there is no room.
    fn keep(&mut self, set: &str, value: &str, label: &str) -> bool {
        let known = |(s, v, l): &(String, String, String)| s == set && v == value && l == label;
        if self.names.iter().any(known) {
            return true;
        }
        let bytes = self.bytes + value.len() + label.len();
        let fits = self.names.len() < MAX_NAMES && bytes <= MAX_BYTES;
        if fits {
            self.bytes = bytes;
            let name = (set.to_owned(), value.to_owned(), label.to_owned());
            self.names.push(name);
        }
        fits
    }
}

impl<'a> Named<'a> {
    pub(super) const fn new(sets: &'a NameSets) -> Self {
        Self {
            sets,
            indexes: BTreeMap::new(),
            looked: BTreeMap::new(),
            lookups: 0,
            looked_beside: BTreeSet::new(),
            given: Kept {
                names: Vec::new(),
                bytes: 0,
            },
            beside: Kept {
                names: Vec::new(),
                bytes: 0,
            },
            asked: BTreeSet::new(),
        }
    }

    /// The value that a text stands for at a position, where it is a name and no value.
    pub(super) fn value(
        &mut self,
        reader: &Reader,
        set: &str,
        text: &str,
    ) -> Result<Option<String>, Issue> {
        self.asked.insert(set.to_owned());
        if let Some(value) = canonical(&reader.kind, text) {
            self.look_beside(reader, set, value);
            return Ok(None);
        }
        match self.look(reader, set, text) {
            Ok(value) => Ok(Some(value)),
            // Its reader says what is wrong with the number.
            Err(issue)
                if matches!(reader.kind, Kind::Integer { .. })
                    && is_digits(trim(text))
                    && issue.code != IssueCode::NameAmbiguous =>
            {
                Ok(None)
            }
            Err(issue) => Err(issue),
        }
    }

    /// Looks for a name of a value, once.
    fn look_beside(&mut self, reader: &Reader, set: &str, value: String) {
        let listed = self
            .index(reader, set)
            .is_some_and(|index| index.lists(&value));
        let looked = (set.to_owned(), value);
        if !listed || self.looked_beside.len() == MAX_NAMES || self.looked_beside.contains(&looked)
        {
            return;
        }
        let entry = self
            .index(reader, set)
            .and_then(|index| index.of_value(&looked.1));
        if let Some(entry) = entry {
            self.beside.keep(set, &looked.1, &entry.label);
        }
        self.looked_beside.insert(looked);
    }

    /// Looks a name up, once.
    fn look(&mut self, reader: &Reader, set: &str, text: &str) -> Result<String, Issue> {
        let looked = self.looked.get(&reader.path);
        if let Some(found) = looked.and_then(|looked| looked.get(text)) {
            return found.clone();
        }
        let too_many = || {
            let message = format!(
                "One call takes at most {MAX_NAMES} names, of {MAX_BYTES} bytes with their values. \
                 Give the value itself."
            );
            Issue::new(IssueCode::Length, message)
        };
        if self.lookups == MAX_NAMES {
            return Err(too_many());
        }
        self.lookups += 1;
        let found = name::read(text, self.index(reader, set))
            .map(|(value, entry)| (value.to_owned(), entry));
        let found = found.and_then(|(value, entry)| {
            let kept = self.given.keep(set, &value, &entry.label);
            if kept { Ok(value) } else { Err(too_many()) }
        });
        let looked = self.looked.entry(reader.path.clone()).or_default();
        looked.insert(text.to_owned(), found.clone());
        found
    }

    fn index(&mut self, reader: &Reader, set: &str) -> Option<&NameIndex<'a>> {
        if !self.indexes.contains_key(&reader.path) {
            let entries = self.sets.entries(set)?;
            let index = NameIndex::new(entries, |text| canonical(&reader.kind, text));
            self.indexes.insert(reader.path.clone(), index);
        }
        self.indexes.get(&reader.path)
    }

    /// The names to be kept with the call: those that were given, then as many of those beside values
    /// as there is room for. Read again with these, the same inputs are the same values and have the
    /// same names beside them.
    pub(super) fn kept(&mut self) -> NameSets {
        let mut sets = NameSets::default();
        let given = core::mem::take(&mut self.given);
        for (set, value, label) in &given.names {
            sets.note(set, value, label);
        }
        let mut room = Kept {
            names: given.names,
            bytes: given.bytes,
        };
        for (set, value, label) in core::mem::take(&mut self.beside).names {
            if sets.label_of(&set, &value).is_none() && room.keep(&set, &value, &label) {
                sets.note(&set, &value, &label);
            }
        }
        sets
    }
}
