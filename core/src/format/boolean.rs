//! Yes or no: `true` or `false`.

use super::{Issue, IssueCode};

/// The texts that are read.
pub const WORDS: [&str; 2] = ["true", "false"];

/// Says how to write it.
#[must_use]
pub fn describe() -> String {
    "\"true\" or \"false\".".to_owned()
}

/// Reads one of the two words, exactly.
///
/// # Errors
///
/// `E_SYNTAX` for any other text.
pub fn read(text: &str) -> Result<bool, Issue> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Issue::new(
            IssueCode::Syntax,
            "Write \"true\" or \"false\", in lower case.",
        )),
    }
}

/// Writes the word.
#[must_use]
pub const fn show(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_words_read_back_and_nothing_else_is_read() {
        assert_eq!(read(show(true)), Ok(true));
        assert_eq!(read(show(false)), Ok(false));
        for text in ["", "True", "1", "yes", " true"] {
            assert_eq!(read(text).unwrap_err().code, IssueCode::Syntax, "{text:?}");
        }
    }
}
