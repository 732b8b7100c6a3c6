//! Text as it is given, within what its tag allows.

use super::{Issue, IssueCode};

pub use pattern::{Pattern, PatternError};

mod pattern;

/// The most characters of a text that says nothing about its length.
pub const DEFAULT_MAX: usize = 1_024;

/// A known form of text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    /// A web address (`http` or `https`).
    Url,
    /// An e-mail address.
    Email,
}

/// What a text must be. Lengths count code points.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The fewest characters.
    pub min: Option<usize>,
    /// The most characters; [`DEFAULT_MAX`] where there is neither this nor a minimum.
    pub max: Option<usize>,
    /// A pattern that must occur in it.
    pub pattern: Option<Pattern>,
    /// Whether the pattern is kept from those who write the text. One that a canister or a site wrote
    /// is checked and not told, since it could hold any words.
    pub pattern_untold: bool,
    /// A form it must have.
    pub form: Option<Form>,
}

impl Rules {
    fn bounds(&self) -> (usize, Option<usize>) {
        match (self.min, self.max) {
            (None, None) => (0, Some(DEFAULT_MAX)),
            (min, max) => (min.unwrap_or(0), max),
        }
    }

    fn words(&self) -> String {
        match self.bounds() {
            (0, Some(max)) => format!("at most {max} characters"),
            (min, Some(max)) if min == max => format!("exactly {max} characters"),
            (min, Some(max)) => format!("{min} to {max} characters"),
            (min, None) => format!("at least {min} characters"),
        }
    }
}

/// Says how to write the text.
#[must_use]
pub fn describe(rules: &Rules) -> String {
    let form = match rules.form {
        Some(Form::Url) => " It must be a web address that begins with http:// or https://.",
        Some(Form::Email) => " It must be an e-mail address.",
        None => "",
    };
    format!(
        "Text of {}, taken exactly as given, white space included.{form}",
        rules.words()
    )
}

/// The pattern that the text's tag asks for, where there is one.
#[must_use]
pub fn pattern(rules: &Rules) -> Option<String> {
    let told = rules.pattern.as_ref().filter(|_| !rules.pattern_untold);
    told.map(|p| p.source().to_owned())
}

/// Takes the text as it is.
///
/// # Errors
///
/// `E_TEXT_LENGTH`, `E_TEXT_PATTERN`, `E_TEXT_FORMAT`, for the rule it breaks.
pub fn read(text: &str, rules: &Rules) -> Result<String, Issue> {
    let (min, max) = rules.bounds();
    let length = text.chars().count();
    if length < min || max.is_some_and(|max| length > max) {
        return Err(Issue::new(
            IssueCode::TextLength,
            format!("The text has {length} characters; give {}.", rules.words()),
        ));
    }
    if rules.pattern.as_ref().is_some_and(|p| !p.is_match(text)) {
        return Err(Issue::new(
            IssueCode::TextPattern,
            "The text has not the form that this input's pattern asks for.",
        ));
    }
    match rules.form {
        Some(Form::Url) if !is_web_address(text) => Err(Issue::new(
            IssueCode::TextFormat,
            "Give a whole web address that begins with http:// or https://.",
        )),
        Some(Form::Email) if !is_email(text) => Err(Issue::new(
            IssueCode::TextFormat,
            "Give one e-mail address, as name@example.org.",
        )),
        Some(Form::Url | Form::Email) | None => Ok(text.to_owned()),
    }
}

/// Writes the text as it is.
#[must_use]
pub fn show(text: &str) -> String {
    text.to_owned()
}

fn is_web_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let name = if host.starts_with('[') {
        host.split_once(']').map_or("", |(name, _)| name)
    } else {
        host.split(':').next().unwrap_or_default()
    };
    (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
        && !name.is_empty()
        && !text.chars().any(|c| c.is_whitespace() || c.is_control())
        && !host.contains(['<', '>', '^', '|', '%', '\\', '"', '`', '{', '}'])
}

fn is_email(text: &str) -> bool {
    let allowed = |c: char| !c.is_whitespace() && !c.is_control() && c != '@';
    text.split_once('@').is_some_and(|(name, domain)| {
        !name.is_empty()
            && name.chars().all(allowed)
            && domain.chars().all(allowed)
            && domain.split('.').count() > 1
            && domain.split('.').all(|label| !label.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str, rules: &Rules) -> IssueCode {
        read(text, rules).unwrap_err().code
    }

    #[test]
    fn lengths_count_code_points_and_nothing_is_trimmed() {
        let rules = Rules {
            max: Some(3),
            ..Rules::default()
        };
        assert_eq!(read(" é ", &rules), Ok(" é ".to_owned()));
        assert_eq!(refused(" é  ", &rules), IssueCode::TextLength);
        let rules = Rules {
            min: Some(2),
            ..Rules::default()
        };
        assert_eq!(refused("a", &rules), IssueCode::TextLength);
        assert!(read(&"a".repeat(5_000), &rules).is_ok());
    }

    #[test]
    fn without_a_rule_1024_characters_are_the_most() {
        let rules = Rules::default();
        assert!(read(&"é".repeat(1_024), &rules).is_ok());
        assert_eq!(refused(&"é".repeat(1_025), &rules), IssueCode::TextLength);
    }

    #[test]
    fn a_pattern_must_occur() {
        let pattern = Pattern::compile("b+c").ok();
        let rules = Rules {
            pattern,
            ..Rules::default()
        };
        assert!(read("abbcd", &rules).is_ok());
        assert_eq!(refused("abd", &rules), IssueCode::TextPattern);
    }

    #[test]
    fn a_web_address_is_http_or_https_with_a_host() {
        let rules = Rules {
            form: Some(Form::Url),
            ..Rules::default()
        };
        for text in [
            "https://example.org",
            "HTTP://a:80/b?c#d",
            "https://[::1]/",
            "http://u@h",
        ] {
            assert!(read(text, &rules).is_ok(), "{text:?}");
        }
        for text in [
            "",
            "example.org",
            "ftp://a",
            "javascript:alert(1)",
            "https://",
            "https:///a",
            "https:// a",
            "http://a b",
            "https://u@",
            "https://[",
            "http:\\\\a",
        ] {
            assert_eq!(refused(text, &rules), IssueCode::TextFormat, "{text:?}");
        }
    }

    #[test]
    fn an_email_address_has_one_at_sign_and_a_domain() {
        let rules = Rules {
            form: Some(Form::Email),
            ..Rules::default()
        };
        assert!(read("a.b+c@example.org", &rules).is_ok());
        for text in [
            "", "a", "@b.c", "a@b", "a@b.", "a@@b.c", "a b@c.d", "a@b..c",
        ] {
            assert_eq!(refused(text, &rules), IssueCode::TextFormat, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(text in "\\PC{0,64}") {
            prop_assert_eq!(read(&show(&text), &Rules::default()), Ok(text));
        }
    }
}
