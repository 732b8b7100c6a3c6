//! What the person set of how the pages look: language and theme. Nothing that is signed on a yes,
//! stored of a call, or told to an agent depends on it.

use serde::{Deserialize, Serialize};

/// How the pages look.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The language of the pages; `None` where it is the browser's.
    pub language: Option<Language>,
    /// Light or dark.
    pub theme: Theme,
}

/// A language that the pages speak.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Chinese in simplified characters.
    #[serde(rename = "zh-CN")]
    SimplifiedChinese,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::English, Self::SimplifiedChinese];

    /// Its tag (BCP 47), as in a page's `lang`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::SimplifiedChinese => "zh-CN",
        }
    }

    /// The language of ours that serves who reads the one of this tag: told by the first part, so
    /// that every English reads English and every Chinese the simplified.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        let first = tag.split(['-', '_']).next()?;
        let is = |language: &str| first.eq_ignore_ascii_case(language);
        if is("en") {
            Some(Self::English)
        } else if is("zh") {
            Some(Self::SimplifiedChinese)
        } else {
            None
        }
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system is set.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_the_first_part_of_a_tag() {
        for (tag, language) in [
            ("en", Some(Language::English)),
            ("EN-gb", Some(Language::English)),
            ("zh", Some(Language::SimplifiedChinese)),
            ("zh-CN", Some(Language::SimplifiedChinese)),
            ("zh-Hant-TW", Some(Language::SimplifiedChinese)),
            ("zh_HK", Some(Language::SimplifiedChinese)),
            ("zho", None),
            ("de-CH", None),
            ("", None),
            ("-en", None),
        ] {
            assert_eq!(Language::of_tag(tag), language, "{tag}");
        }
        for language in Language::ALL {
            assert_eq!(Language::of_tag(language.tag()), Some(language));
        }
    }

    #[test]
    fn settings_have_one_form_and_no_other_is_read() {
        let set = Settings {
            language: Some(Language::SimplifiedChinese),
            theme: Theme::Dark,
        };
        for (settings, text) in [
            (Settings::default(), r#"{"language":null,"theme":"system"}"#),
            (set, r#"{"language":"zh-CN","theme":"dark"}"#),
        ] {
            assert_eq!(serde_json::to_string(&settings).unwrap(), text);
            assert_eq!(serde_json::from_str::<Settings>(text).unwrap(), settings);
        }
        for text in [
            r#"{"language":"de","theme":"dark"}"#,
            r#"{"language":"en"}"#,
            r#"{"language":"en","theme":"sepia"}"#,
            r#"{"language":"en","theme":"dark","blind":true}"#,
        ] {
            assert!(serde_json::from_str::<Settings>(text).is_err(), "{text}");
        }
    }
}
