//! The one map from Candid's names to the names that a model reads and writes.
//!
//! A name from an interface may be any text. What a model reads is made of letters, digits and `_`
//! alone; where that loses anything, the name ends in a part of the hash of the exact one. Names
//! come back through a table in the plan, never by undoing the map.

use crate::ids::to_hex;
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;

/// How definitions are written.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Dialect {
    /// Patterns, closed objects, alternatives, names of up to 64 characters.
    #[default]
    Full,
    /// Only what every host takes: type, description, properties, required, string enum, items;
    /// names of up to 40 characters.
    Portable,
}

impl Dialect {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Full, Self::Portable];

    /// The word in `_meta["countersign/dialect"]`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Portable => "portable",
        }
    }

    /// The dialect of this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.as_str() == word)
    }

    const fn limit(self) -> usize {
        match self {
            Self::Full => 64,
            Self::Portable => 40,
        }
    }
}

/// One name in both dialects.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Names {
    full: String,
    portable: String,
}

impl Names {
    /// Maps a Candid name, with what stands before and after it.
    #[must_use]
    pub fn new(prefix: &str, exact: &str, suffix: &str) -> Self {
        Self {
            full: map(prefix, exact, suffix, Dialect::Full),
            portable: map(prefix, exact, suffix, Dialect::Portable),
        }
    }

    /// A name of ours, which both dialects have as it is.
    #[must_use]
    pub fn ours(name: &str) -> Self {
        Self {
            full: name.to_owned(),
            portable: name.to_owned(),
        }
    }

    /// The name in one dialect.
    #[must_use]
    pub fn get(&self, dialect: Dialect) -> &str {
        match dialect {
            Dialect::Full => &self.full,
            Dialect::Portable => &self.portable,
        }
    }

    /// Whether this is how either dialect writes it.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.full == name || self.portable == name
    }

    /// Whether the two could be taken for each other in some dialect.
    #[must_use]
    pub fn meet(&self, other: &Self) -> bool {
        other.is(&self.full) || other.is(&self.portable)
    }
}

/// Names that are taken, to be told from new ones at once: a record may have thousands of fields.
#[derive(Debug, Default)]
pub(super) struct Taken(HashSet<String>);

impl Taken {
    /// Takes the names, unless some could be taken for others in some dialect.
    pub(super) fn take(&mut self, names: &Names) -> bool {
        if self.0.contains(&names.full) || self.0.contains(&names.portable) {
            return false;
        }
        self.0.insert(names.full.clone());
        self.0.insert(names.portable.clone());
        true
    }
}

/// A Candid name as it stands in our words: itself where it is a plain one.
#[must_use]
pub fn plain(exact: &str) -> String {
    map("", exact, "", Dialect::Full)
}

fn map(prefix: &str, exact: &str, suffix: &str, dialect: Dialect) -> String {
    const TAIL: usize = 7;
    let mut name = String::with_capacity(exact.len());
    if !exact.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.push_str("m_");
    }
    name.extend(exact.chars().map(|c| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '_'
        }
    }));
    let around = prefix.len() + suffix.len();
    if name != exact || around + name.len() > dialect.limit() {
        name.truncate(dialect.limit().saturating_sub(around + TAIL));
        name.push('_');
        name.push_str(&to_hex(&Sha256::digest(exact.as_bytes())[..3]));
    }
    format!("{prefix}{name}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_plain_name_is_itself() {
        let names = Names::new("prepare_", "send_1", "");
        assert_eq!(names.get(Dialect::Full), "prepare_send_1");
        assert_eq!(names.get(Dialect::Portable), "prepare_send_1");
        assert_eq!(plain("Follow"), "Follow");
    }

    #[test]
    fn a_changed_name_ends_in_a_part_of_its_hash() {
        assert_eq!(plain("a b"), "a_b_c8687a");
        assert_eq!(plain("1st"), "m_1st_e01ddf");
        assert_eq!(plain("_x"), "m__x_a01e47");
        assert_eq!(plain(""), "m__e3b0c4");
        assert!(plain("发送").starts_with("m____"));
    }

    #[test]
    fn a_long_name_is_cut_to_the_dialect() {
        let method = "a_method_that_says_much_about_itself";
        let names = Names::new("prepare_", method, "");
        assert_eq!(names.get(Dialect::Full), format!("prepare_{method}"));
        assert_eq!(names.get(Dialect::Portable).len(), 40);
        assert!(names.is(&format!("prepare_{method}")));
        assert!(names.is(names.get(Dialect::Portable)));
        assert!(!names.is(method));
    }

    #[test]
    fn a_dialect_is_known_by_its_word() {
        assert_eq!(Dialect::parse("portable"), Some(Dialect::Portable));
        assert_eq!(Dialect::parse("FULL"), None);
    }

    proptest! {
        #[test]
        fn a_name_is_made_of_plain_characters_and_fits(
            exact in "\\PC{0,80}",
            prefix in "(prepare_)?",
            suffix in "(_TKA)?",
        ) {
            let names = Names::new(&prefix, &exact, &suffix);
            for dialect in Dialect::ALL {
                let name = names.get(dialect);
                prop_assert!(name.len() <= dialect.limit());
                prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
                prop_assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()));
            }
        }
    }
}
