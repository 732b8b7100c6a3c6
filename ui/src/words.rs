//! Every sentence a page says, by its id, in the person's language.
//!
//! Sentences live in `locales/*.ftl` (Project Fluent). An id that the English file lacks does not
//! compile. Texts from outside never become part of a pattern: they are passed as arguments, which
//! are put in as they are.

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};

/// The English sentences: the file that every id must be in.
const EN: &str = include_str!("../locales/en.ftl");

/// A sentence that the table has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Word(&'static str);

impl Word {
    /// The sentence with this id.
    ///
    /// # Panics
    ///
    /// Where the table has none: while compiling, since [`word!`](crate::word) calls it there.
    pub(crate) const fn in_table(id: &'static str) -> Self {
        assert!(
            has(EN.as_bytes(), id.as_bytes()),
            "no sentence of this id in en.ftl"
        );
        Self(id)
    }
}

/// Whether a line of `table` begins with `id` and ` =`.
const fn has(table: &[u8], id: &[u8]) -> bool {
    let mut at = 0;
    let mut line_start = true;
    while at + id.len() + 2 <= table.len() {
        if line_start {
            let mut matching = 0;
            while matching < id.len() && table[at + matching] == id[matching] {
                matching += 1;
            }
            if matching == id.len()
                && table[at + matching] == b' '
                && table[at + matching + 1] == b'='
            {
                return true;
            }
        }
        line_start = table[at] == b'\n';
        at += 1;
    }
    false
}

/// The [`Word`] of an id, checked while compiling.
#[macro_export]
macro_rules! word {
    ($id:literal) => {
        const { $crate::words::Word::in_table($id) }
    };
}

/// The sentence of an id, with its arguments: `t!("home-waiting", n = waiting)`.
#[macro_export]
macro_rules! t {
    ($id:literal) => {
        $crate::words::say($crate::word!($id), &[])
    };
    ($id:literal, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::words::say($crate::word!($id), &[$((stringify!($name), $crate::words::value($value))),+])
    };
}

/// An argument of a sentence. Made in one place for each type, not wherever it is used.
#[inline(never)]
pub(crate) fn value<'a>(value: impl Into<FluentValue<'a>>) -> FluentValue<'a> {
    value.into()
}

type Bundle = FluentBundle<FluentResource>;

thread_local! {
    static BUNDLE: Bundle = bundle(EN, "en");
}

fn bundle(table: &str, language: &str) -> Bundle {
    let language = language
        .parse()
        .expect("a language of ours has a valid tag");
    let mut bundle = Bundle::new(vec![language]);
    // No invisible marks around arguments: every text from outside stands in an element of its own.
    bundle.set_use_isolating(false);
    let resource = match FluentResource::try_new(table.to_owned()) {
        // A table that breaks in part still says the rest; a test refuses such a table.
        Ok(resource) | Err((resource, _)) => resource,
    };
    bundle.add_resource_overriding(resource);
    bundle
}

/// The sentence, with its arguments put in.
pub(crate) fn say(word: Word, arguments: &[(&'static str, FluentValue<'_>)]) -> String {
    let arguments: FluentArgs<'_> = arguments.iter().cloned().collect();
    BUNDLE.with(|bundle| {
        let pattern = bundle
            .get_message(word.0)
            .and_then(|message| message.value());
        let Some(pattern) = pattern else {
            return word.0.to_owned();
        };
        let mut errors = Vec::new();
        let text = bundle
            .format_pattern(pattern, Some(&arguments), &mut errors)
            .into_owned();
        debug_assert!(errors.is_empty(), "{}: {errors:?}", word.0);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// All source files of this crate, as one text.
    fn sources(folder: &Path) -> String {
        let mut all = String::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                all += &sources(&path);
            } else {
                all += &std::fs::read_to_string(path).unwrap();
            }
        }
        all
    }

    fn ids() -> Vec<&'static str> {
        EN.lines()
            .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
            .filter_map(|line| line.split_once(" ="))
            .map(|(id, _)| id)
            .collect()
    }

    #[test]
    fn the_table_is_whole() {
        assert!(FluentResource::try_new(EN.to_owned()).is_ok());
    }

    #[test]
    fn every_id_stands_once() {
        let ids = ids();
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(ids.len(), distinct.len());
        assert!(ids.len() > 100);
    }

    #[test]
    fn every_sentence_is_said_somewhere() {
        let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        let silent: Vec<_> = ids()
            .into_iter()
            .filter(|id| !sources.contains(&format!("\"{id}\"")))
            .collect();
        assert!(silent.is_empty(), "never said: {silent:?}");
    }

    #[test]
    fn a_missing_id_is_found_out() {
        assert!(has(EN.as_bytes(), b"brand"));
        assert!(!has(EN.as_bytes(), b"bran"));
        assert!(!has(EN.as_bytes(), b"rand"));
        assert!(!has(EN.as_bytes(), b"brands"));
    }

    #[test]
    fn plurals_and_arguments_are_put_in() {
        assert_eq!(
            t!("home-waiting", n = 1),
            "One request waits for your decision"
        );
        assert_eq!(
            t!("home-waiting", n = 3),
            "3 requests wait for your decision"
        );
        assert_eq!(t!("ask-pay", amount = "1.5 TKA"), "Pay 1.5 TKA");
    }

    #[test]
    fn a_text_from_outside_stays_as_it_is() {
        assert_eq!(
            t!("ask-pay", amount = "{ $x } <b>\u{2068}"),
            "Pay { $x } <b>\u{2068}"
        );
    }
}
