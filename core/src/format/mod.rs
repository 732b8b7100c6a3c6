//! The kinds of value a person writes and reads, one a file.
//!
//! Each kind has `describe` (words for a definition), `pattern` where a regular expression says the
//! grammar (ECMA 262, unanchored use allowed: it carries its own anchors), `read` (text to value,
//! exact or refused) and `show` (value to text). What `show` writes, `read` reads back to the same
//! value.
//!
//! Never in here: floats as values to send, rounding, defaults, canisters, and words from outside
//! (a token's symbol enters only as a checked [`amount::Symbol`]).

pub mod account;
pub mod account_id;
pub mod amount;
pub mod blob;
pub mod boolean;
pub mod float;
pub mod integer;
mod issue;
pub mod name;
pub mod principal;
pub mod subaccount;
pub mod text;
pub mod time;

pub use issue::{Issue, IssueCode};

/// The white space that is trimmed: what `\s` is in the patterns of definitions (ECMA 262).
pub(crate) const fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{202f}'
                | '\u{205f}'
                | '\u{3000}'
                | '\u{feff}'
    )
}

/// `text` without the white space around it.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether the text is one or more digits `0` to `9`.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The longest number that is read, in digits: far above 2^256, and short enough to read at once.
pub(crate) const MAX_DIGITS: usize = 1_000;
