//! Every sentence a page says, by its id, in the person's language.
//!
//! Sentences live in `locales/*.ftl` (Project Fluent). An id that the English file lacks does not
//! compile. Texts from outside never become part of a pattern: they are passed as arguments, which
//! are put in as they are.

use countersign_core::wire::ui::Language;
use fluent_bundle::{FluentArgs, FluentBundle, FluentError, FluentResource, FluentValue};
use std::cell::Cell;

/// The English sentences: the file that every id must be in.
const EN: &str = include_str!("../locales/en.ftl");

/// The same in simplified Chinese.
const ZH_CN: &str = include_str!("../locales/zh-CN.ftl");

/// The sentences of a language.
const fn table(language: Language) -> &'static str {
    match language {
        Language::English => EN,
        Language::SimplifiedChinese => ZH_CN,
    }
}

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
    /// What is spoken now.
    static SPOKEN: Cell<Language> = const { Cell::new(Language::English) };
    // Each is read when it is spoken first.
    static IN_ENGLISH: Bundle = bundle(Language::English);
    static IN_CHINESE: Bundle = bundle(Language::SimplifiedChinese);
}

/// Speaks this language from now on. What was said before has to be said anew.
pub(crate) fn speak(language: Language) {
    SPOKEN.set(language);
}

/// The language that is spoken now.
pub(crate) fn spoken() -> Language {
    SPOKEN.get()
}

fn bundle(language: Language) -> Bundle {
    let tag = language
        .tag()
        .parse()
        .expect("a language of ours has a valid tag");
    let mut bundle = Bundle::new(vec![tag]);
    // No invisible marks around arguments: every text from outside stands in an element of its own.
    bundle.set_use_isolating(false);
    let resource = match FluentResource::try_new(table(language).to_owned()) {
        // A table that breaks in part still says the rest; a test refuses such a table.
        Ok(resource) | Err((resource, _)) => resource,
    };
    bundle.add_resource_overriding(resource);
    bundle
}

/// The sentence in the language that is spoken now, with its arguments put in.
pub(crate) fn say(word: Word, arguments: &[(&'static str, FluentValue<'_>)]) -> String {
    say_in(spoken(), word, arguments)
}

/// The sentence in a language, with its arguments put in.
pub(crate) fn say_in(
    language: Language,
    word: Word,
    arguments: &[(&'static str, FluentValue<'_>)],
) -> String {
    let arguments: FluentArgs<'_> = arguments.iter().cloned().collect();
    let (text, errors) = match language {
        Language::English => IN_ENGLISH.with(|bundle| format(bundle, word.0, &arguments)),
        Language::SimplifiedChinese => IN_CHINESE.with(|bundle| format(bundle, word.0, &arguments)),
    };
    debug_assert!(errors.is_empty(), "{}: {errors:?}", word.0);
    text
}

fn format(bundle: &Bundle, id: &str, arguments: &FluentArgs<'_>) -> (String, Vec<FluentError>) {
    let mut errors = Vec::new();
    let pattern = bundle.get_message(id).and_then(|message| message.value());
    let text = match pattern {
        Some(pattern) => bundle
            .format_pattern(pattern, Some(arguments), &mut errors)
            .into_owned(),
        None => id.to_owned(),
    };
    (text, errors)
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

    /// The messages of a table, by id, as they are written.
    fn messages(language: Language) -> Vec<(&'static str, String)> {
        let mut all: Vec<(&str, String)> = Vec::new();
        for line in table(language).lines() {
            let begins = line.starts_with(|c: char| c.is_ascii_lowercase());
            match (line.split_once(" ="), all.last_mut()) {
                (Some((id, text)), _) if begins => all.push((id, text.to_owned())),
                (_, Some((_, text))) if line.starts_with(' ') => *text += &format!("\n{line}"),
                _ => {}
            }
        }
        all
    }

    fn ids(language: Language) -> Vec<&'static str> {
        messages(language).into_iter().map(|(id, _)| id).collect()
    }

    /// The arguments that a message names.
    fn arguments(text: &str) -> BTreeSet<&str> {
        let named = text.split('$').skip(1);
        named
            .map(|rest| {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                rest.split_at(end.unwrap_or(rest.len())).0
            })
            .collect()
    }

    /// What a message tells apart.
    fn cases(text: &str) -> Vec<&str> {
        text.lines()
            .filter_map(|line| {
                let line = line.trim().trim_start_matches('*');
                line.strip_prefix('[')?.split_once(']')
            })
            .map(|(case, _)| case)
            .collect()
    }

    const fn is_han(c: char) -> bool {
        matches!(c, '\u{4e00}'..='\u{9fff}')
    }

    #[test]
    fn every_table_is_whole() {
        for language in Language::ALL {
            assert!(FluentResource::try_new(table(language).to_owned()).is_ok());
        }
    }

    #[test]
    fn every_id_stands_once() {
        let ids = ids(Language::English);
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(ids.len(), distinct.len());
        assert!(ids.len() > 100);
    }

    #[test]
    fn every_language_says_the_same_sentences_in_the_same_order() {
        for language in Language::ALL {
            assert_eq!(ids(language), ids(Language::English), "{}", language.tag());
        }
    }

    #[test]
    fn a_sentence_has_the_same_arguments_in_every_language() {
        let english = messages(Language::English);
        for language in Language::ALL {
            for ((id, here), (_, there)) in messages(language).iter().zip(&english) {
                assert_eq!(arguments(here), arguments(there), "{id}");
            }
        }
    }

    #[test]
    fn a_sentence_tells_apart_only_what_its_language_does() {
        const PLURALS: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];
        for language in Language::ALL {
            // The categories of CLDR for whole numbers.
            let has: &[&str] = match language {
                Language::English => &["one", "other"],
                Language::SimplifiedChinese => &["other"],
            };
            for (id, text) in messages(language) {
                let mut cases = cases(&text);
                cases.retain(|case| case.parse::<u64>().is_err());
                if cases.iter().any(|case| PLURALS.contains(case)) {
                    assert_eq!(cases, has, "{id}");
                }
            }
        }
    }

    #[test]
    fn every_sentence_is_said_without_a_fault_whatever_is_put_in() {
        let samples = [
            value(0),
            value(1),
            value(2),
            value(21),
            value(u64::MAX),
            value("yes"),
            value("no"),
            value(""),
            value("{ $x } 容器 <b>"),
        ];
        for language in Language::ALL {
            let bundle = bundle(language);
            for (id, text) in messages(language) {
                for sample in &samples {
                    let given = arguments(&text).into_iter();
                    let given = given.map(|name| (name, sample.clone())).collect();
                    let (said, errors) = format(&bundle, id, &given);
                    assert!(errors.is_empty(), "{}: {id}: {errors:?}", language.tag());
                    assert!(!said.trim().is_empty(), "{}: {id}", language.tag());
                }
            }
        }
    }

    #[test]
    fn every_sentence_is_in_its_language() {
        for (id, text) in messages(Language::English) {
            assert!(!text.chars().any(is_han), "{id}");
        }
        for (id, text) in messages(Language::SimplifiedChinese) {
            assert!(id == "brand" || text.chars().any(is_han), "{id}");
        }
    }

    #[test]
    fn chinese_is_written_with_its_own_signs() {
        for (id, text) in messages(Language::SimplifiedChinese) {
            let characters: Vec<char> = text.chars().collect();
            for pair in characters.windows(2) {
                let narrow = is_han(pair[0]) && ",.;:?!()".contains(pair[1]);
                assert!(!narrow, "{id}: {}{}", pair[0], pair[1]);
            }
            // One form of address.
            assert!(!text.contains('您'), "{id}");
        }
    }

    #[test]
    fn every_sentence_is_said_somewhere() {
        let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        let silent: Vec<_> = ids(Language::English)
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

    #[test]
    fn what_is_spoken_is_spoken_from_then_on() {
        assert_eq!(t!("nav-home"), "Home");
        speak(Language::SimplifiedChinese);
        assert_eq!(t!("nav-home"), "首页");
        assert_eq!(t!("home-waiting", n = 1), "有 1 个请求等你决定");
        assert_eq!(t!("ask-pay", amount = "1.5 TKA"), "支付 1.5 TKA");
        speak(Language::English);
        assert_eq!(t!("nav-home"), "Home");
    }

    #[test]
    fn an_amount_has_the_same_digits_in_every_language() {
        for language in Language::ALL {
            speak(language);
            for amount in [
                "0.00000001 TKA",
                "340282366920938463463374607431.768211455 T",
            ] {
                assert!(t!("ask-pay", amount = amount).contains(amount));
            }
            // A count is written without signs between its digits.
            let said = t!("unlock-waiting", n = 1_234_567);
            assert!(said.contains("1234567"), "{said}");
        }
    }
}
