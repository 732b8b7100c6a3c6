//! A name in place of a value: a set lists names with the values they stand for.
//!
//! Names are somebody's words. They are compared, and shown beside the value they stand for, and
//! never read as anything else. What could be taken for another name is never chosen for it.

use super::{Issue, IssueCode, trim};
use crate::text::{Untrusted, is_plain, mixes_scripts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most values that a refusal lists.
const MAX_LISTED: usize = 8;

/// A name and the value it stands for, as a set lists them.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NameEntry {
    /// The name, as it was written.
    pub label: String,
    /// The value, as a person would write it.
    pub value: String,
}

/// The sets that were read, by name. A set that is not there was not read.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct NameSets(BTreeMap<String, Vec<NameEntry>>);

impl NameSets {
    /// Adds a set; one of the same name is replaced.
    pub fn insert(&mut self, set: &str, entries: Vec<NameEntry>) {
        self.0.insert(set.to_owned(), entries);
    }

    /// The entries of a set; `None` where it was not read.
    #[must_use]
    pub fn entries(&self, set: &str) -> Option<&[NameEntry]> {
        self.0.get(set).map(Vec::as_slice)
    }

    /// Whether no set was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an entry at the end of a set, unless it is there.
    pub fn note(&mut self, set: &str, value: &str, label: &str) {
        let entry = NameEntry {
            label: label.to_owned(),
            value: value.to_owned(),
        };
        let entries = self.0.entry(set.to_owned()).or_default();
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }

    /// The first name of a value, safe to show between quotation marks.
    #[must_use]
    pub fn label_of(&self, set: &str, value: &str) -> Option<Untrusted> {
        let mut entries = self.0.get(set)?.iter();
        let entry = entries.find(|entry| entry.value == value)?;
        Some(Untrusted::quoted(&entry.label))
    }
}

/// Says that a name can be written.
#[must_use]
pub fn describe(set: &str) -> String {
    format!(
        "A name of \"{set}\" is taken in place of the value: the canister's list of them is read \
         when the call is prepared. Where several have one name, ask the person which is meant."
    )
}

/// A set's entries, in order for looking up.
///
/// An entry whose value the position cannot hold is as good as none.
#[derive(Debug)]
pub struct NameIndex<'a> {
    /// Entries with the canonical text of their values, in the list's order.
    entries: Vec<(&'a NameEntry, String)>,
    by_name: BTreeMap<String, Vec<usize>>,
    by_value: BTreeMap<String, Vec<usize>>,
    /// Names that could be taken for others, by what can be seen of them.
    suspicious: Vec<(String, usize)>,
}

impl<'a> NameIndex<'a> {
    /// Puts entries in order. `value` gives the canonical text of a listed value; `None` where the
    /// position cannot hold it.
    #[must_use]
    pub fn new(entries: &'a [NameEntry], value: impl Fn(&str) -> Option<String>) -> Self {
        let mut index = Self {
            entries: Vec::new(),
            by_name: BTreeMap::new(),
            by_value: BTreeMap::new(),
            suspicious: Vec::new(),
        };
        for entry in entries {
            let Some(value) = value(&entry.value) else {
                continue;
            };
            let at = index.entries.len();
            let name = folded(&entry.label);
            if is_suspicious(&entry.label) {
                index.suspicious.push((visible(&entry.label), at));
            }
            index.by_name.entry(name).or_default().push(at);
            index.by_value.entry(value.clone()).or_default().push(at);
            index.entries.push((entry, value));
        }
        index
    }

    /// The entry that a name stands for, with its value.
    ///
    /// # Errors
    ///
    /// `E_NAME_NOT_FOUND` where no entry has the name, and `E_NAME_AMBIGUOUS` where several have it,
    /// or one that could pass for it.
    pub fn read(&self, text: &str) -> Result<(&str, &'a NameEntry), Issue> {
        let name = folded(text);
        let mut found = self.by_name.get(&name).cloned().unwrap_or_default();
        let alike = self
            .suspicious
            .iter()
            .filter(|(seen, _)| passes_for(seen, &name));
        found.extend(alike.map(|(_, at)| *at));
        found.sort_unstable();
        found.dedup();
        let found: Vec<_> = found
            .iter()
            .filter_map(|at| self.entries.get(*at))
            .collect();
        let Some((first, rest)) = found.split_first() else {
            return Err(Issue::new(
                IssueCode::NameNotFound,
                "This is neither a value of the position nor a name on its list. Ask the person \
                 which is meant; do not guess.",
            ));
        };
        let (entry, value) = *first;
        // What stands there twice is one entry.
        let is_one = rest
            .iter()
            .all(|(other, theirs)| other.label == entry.label && theirs == value);
        if is_one && !is_suspicious(&entry.label) {
            return Ok((value, entry));
        }
        let values: Vec<_> = found.iter().map(|(_, value)| value.as_str()).collect();
        let (listed, more) = match values.get(..MAX_LISTED) {
            Some(listed) if values.len() > MAX_LISTED => (listed, ", …"),
            Some(_) | None => (values.as_slice(), ""),
        };
        Err(Issue::new(
            IssueCode::NameAmbiguous,
            format!(
                "This name, or one that looks like it, is that of {}{more}. Ask the person which is \
                 meant, and give the value itself.",
                listed.join(", ")
            ),
        ))
    }

    /// Whether an entry has this value.
    #[must_use]
    pub fn lists(&self, value: &str) -> bool {
        self.by_value.contains_key(value)
    }

    /// The first entry of a value whose name stands for that value and no other, so that it can be
    /// shown beside it.
    #[must_use]
    pub fn of_value(&self, value: &str) -> Option<&'a NameEntry> {
        let entries = self.by_value.get(value)?.iter().take(MAX_LISTED);
        let mut entries = entries.filter_map(|at| self.entries.get(*at));
        let (entry, _) = entries.find(|(entry, _)| {
            self.read(&entry.label)
                .is_ok_and(|(theirs, _)| theirs == value)
        })?;
        Some(entry)
    }
}

/// Finds the entry of a name, with its value, in a list that may not have been read.
///
/// # Errors
///
/// `E_NAMES_UNREAD` without a list, else as [`NameIndex::read`].
pub fn read<'i, 'a>(
    text: &str,
    index: Option<&'i NameIndex<'a>>,
) -> Result<(&'i str, &'a NameEntry), Issue> {
    match index {
        Some(index) => index.read(text),
        None => Err(Issue::new(
            IssueCode::NamesUnread,
            "This is no value, and the list of names could not be read. Give the value itself, or \
             try again.",
        )),
    }
}

/// The form in which names are compared.
fn folded(name: &str) -> String {
    trim(name).chars().flat_map(char::to_lowercase).collect()
}

/// Whether a name holds what cannot be seen, or letters of several scripts.
fn is_suspicious(label: &str) -> bool {
    !label.chars().all(is_plain) || mixes_scripts(label)
}

/// What can be seen of a name, in the form in which names are compared.
fn visible(label: &str) -> String {
    let visible: String = label.chars().filter(|c| is_plain(*c)).collect();
    folded(&visible)
}

/// Whether a suspicious name, of which this is seen, could be taken for a folded one: the same
/// characters but for those that are not ASCII.
fn passes_for(seen: &str, name: &str) -> bool {
    let mut theirs = seen.chars();
    name.chars().all(|ours| {
        let theirs = theirs.next();
        theirs.is_some_and(|c| c == ours || !c.is_ascii() || !ours.is_ascii())
    }) && theirs.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries(of: &[(&str, &str)]) -> Vec<NameEntry> {
        of.iter()
            .map(|(label, value)| NameEntry {
                label: (*label).to_owned(),
                value: (*value).to_owned(),
            })
            .collect()
    }

    fn index(list: &[NameEntry]) -> NameIndex<'_> {
        NameIndex::new(list, |value| Some(value.to_owned()))
    }

    fn found(text: &str, list: &[NameEntry]) -> Result<String, IssueCode> {
        read(text, Some(&index(list)))
            .map(|(value, _)| value.to_owned())
            .map_err(|issue| issue.code)
    }

    #[test]
    fn one_entry_of_the_name_gives_its_value_whatever_its_case() {
        let list = entries(&[
            ("Savings", "4"),
            ("Main", "1"),
            ("MAIN ", "2"),
            ("Übrig", "5"),
        ]);
        assert_eq!(found("  savings ", &list), Ok("4".to_owned()));
        assert_eq!(found("ÜBRIG", &list), Ok("5".to_owned()));
        assert_eq!(found("Main", &list), Err(IssueCode::NameAmbiguous));
        assert_eq!(found("Vault", &list), Err(IssueCode::NameNotFound));
        assert_eq!(found("Sav", &list), Err(IssueCode::NameNotFound));
        let unread = read("Savings", None);
        assert_eq!(unread.unwrap_err().code, IssueCode::NamesUnread);
    }

    #[test]
    fn an_ambiguous_name_is_told_with_the_values_it_may_mean() {
        let list = entries(&[("Main", "1"), ("main", "2")]);
        let issue = index(&list).read("Main").unwrap_err();
        assert!(
            issue.message.contains("that of 1, 2. Ask"),
            "{}",
            issue.message
        );
        let many: Vec<_> = (0..20).map(|n| ("Main", n.to_string())).collect();
        let many: Vec<_> = many
            .iter()
            .map(|(label, value)| (*label, value.as_str()))
            .collect();
        let many = entries(&many);
        let issue = index(&many).read("Main").unwrap_err();
        assert!(issue.message.contains("6, 7, …"));
    }

    #[test]
    fn what_looks_like_the_name_makes_it_ambiguous() {
        for other in [
            "Sav\u{200b}ings",
            "S\u{430}vings", // a Cyrillic а
            "Savings\u{202e}",
            "\u{ff33}avings", // a full-width S
            "s\u{3b1}vings",  // a Greek α
        ] {
            let list = entries(&[("Savings", "4"), (other, "9")]);
            assert_eq!(
                found("Savings", &list),
                Err(IssueCode::NameAmbiguous),
                "{other:?}"
            );
            let alone = entries(&[(other, "9")]);
            assert_eq!(
                found(other, &alone),
                Err(IssueCode::NameAmbiguous),
                "{other:?}"
            );
            assert_eq!(
                found("Savings", &alone),
                Err(IssueCode::NameAmbiguous),
                "{other:?}"
            );
            // Other names of the set are not concerned.
            let list = entries(&[("Main", "1"), (other, "9")]);
            assert_eq!(found("Main", &list), Ok("1".to_owned()), "{other:?}");
        }
        let plain = entries(&[("Накопления", "3"), ("工资 Account", "6"), ("café", "7")]);
        for (name, value) in [("накопления", "3"), ("工资 account", "6"), ("CAFÉ", "7")]
        {
            assert_eq!(found(name, &plain), Ok(value.to_owned()));
        }
    }

    #[test]
    fn what_the_position_cannot_hold_is_not_listed() {
        let list = entries(&[("Main", "x"), ("main", "2")]);
        let number = |value: &str| value.parse::<u8>().ok().map(|n| n.to_string());
        assert_eq!(NameIndex::new(&list, number).read("Main").unwrap().0, "2");
    }

    #[test]
    fn an_entry_that_stands_twice_is_one_and_two_of_one_value_are_not() {
        let list = entries(&[("Main", "1"), ("Main", "1"), ("Rent", "2"), ("rent", "2")]);
        assert_eq!(found("main", &list), Ok("1".to_owned()));
        assert_eq!(found("rent", &list), Err(IssueCode::NameAmbiguous));
    }

    #[test]
    fn a_name_is_shown_beside_a_value_only_where_it_would_be_read_as_that_value() {
        let list = entries(&[
            ("Main", "1"),
            ("main", "2"),
            ("Sav\u{200b}ings", "3"),
            ("Savings", "4"),
            ("S\u{430}lary", "5"),
            ("Work", "5"),
            ("Rent", "6"),
            ("Flat", "6"),
        ]);
        let index = index(&list);
        let label = |value| index.of_value(value).map(|entry| entry.label.as_str());
        for value in ["1", "2", "3", "4", "7"] {
            assert_eq!(label(value), None, "{value}");
        }
        assert_eq!((label("5"), label("6")), (Some("Work"), Some("Rent")));
    }

    #[test]
    fn the_name_of_a_value_is_shown_escaped() {
        let mut sets = NameSets::default();
        sets.insert(
            "account",
            entries(&[("Ma\u{202e}in\u{201d}", "1"), ("Second", "1")]),
        );
        let label = |sets: &NameSets| sets.label_of("account", "1").unwrap().to_string();
        assert_eq!(label(&sets), "Ma\\u{202e}in\\u{201d}");
        sets.note("account", "1", "Second");
        sets.note("account", "1", "Third");
        assert_eq!(sets.entries("account").unwrap().len(), 3);
        assert_eq!(sets.label_of("account", "2"), None);
        assert_eq!(sets.label_of("other", "1"), None);
    }

    proptest! {
        #[test]
        fn a_name_is_found_only_where_one_entry_has_it(
            labels in prop::collection::vec("[aAbB\u{430}\u{200b}]{0,2}", 0..6),
            text in "[aAbB]{1,2}",
        ) {
            let values: Vec<_> = (0..labels.len()).map(|n| n.to_string()).collect();
            let list: Vec<_> = labels.iter().map(String::as_str)
                .zip(values.iter().map(String::as_str)).collect();
            let same: Vec<_> = (list.iter())
                .filter(|(label, _)| label.to_lowercase() == text.to_lowercase())
                .collect();
            match found(&text, &entries(&list)) {
                Ok(value) => {
                    prop_assert_eq!(same.len(), 1);
                    prop_assert_eq!(&value, same[0].1);
                }
                Err(IssueCode::NameNotFound) => prop_assert_eq!(same.len(), 0),
                Err(code) => {
                    prop_assert_eq!(code, IssueCode::NameAmbiguous);
                    let odd = list.iter().any(|(label, _)| !label.is_ascii());
                    prop_assert!(same.len() > 1 || odd);
                }
            }
        }
    }
}
