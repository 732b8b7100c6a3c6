//! Bytes: text stands for its UTF-8 bytes, `0x…` for the bytes it spells.

use super::{Issue, IssueCode};
use crate::{
    ids::{from_hex, to_hex},
    text::is_plain,
};

/// How many bytes a position takes; `None` where there is no limit.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Length {
    /// The fewest bytes.
    pub min: Option<usize>,
    /// The most bytes.
    pub max: Option<usize>,
}

impl Length {
    fn words(self) -> Option<String> {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => Some(format!("exactly {max} bytes")),
            (Some(min), Some(max)) => Some(format!("from {min} to {max} bytes")),
            (None, Some(max)) => Some(format!("at most {max} bytes")),
            (Some(min), None) => Some(format!("at least {min} bytes")),
            (None, None) => None,
        }
    }
}

/// Says how to write bytes.
#[must_use]
pub fn describe(length: Length) -> String {
    let limit = length
        .words()
        .map_or_else(String::new, |words| format!(" It takes {words}."));
    format!(
        "Text, which is stored as its UTF-8 bytes, or \"0x\" and two hexadecimal digits a \
         byte.{limit} Empty text is stored as no bytes, which differs from leaving it out. \
         Examples: \"lunch\", \"0x00ff\"."
    )
}

/// Reads bytes. Text is taken as given, white space included.
///
/// # Errors
///
/// `E_SYNTAX` where `0x` is not followed by whole bytes in hexadecimal, `E_LENGTH` where there are
/// too many or too few.
pub fn read(text: &str, length: Length) -> Result<Vec<u8>, Issue> {
    let bytes = match hex_part(text) {
        Some(digits) => from_hex(digits).ok_or_else(|| {
            Issue::new(
                IssueCode::Syntax,
                "After \"0x\" write two hexadecimal digits a byte and nothing else. For a text \
                 that begins with 0x, write its bytes in hexadecimal.",
            )
        })?,
        None => text.as_bytes().to_vec(),
    };
    let few = length.min.is_some_and(|min| bytes.len() < min);
    let many = length.max.is_some_and(|max| bytes.len() > max);
    match length.words() {
        Some(words) if few || many => Err(Issue::new(
            IssueCode::Length,
            format!("This is {} bytes long; give {words}.", bytes.len()),
        )),
        Some(_) | None => Ok(bytes),
    }
}

/// Writes bytes as text where they are text that shows every character of it, else in hexadecimal.
#[must_use]
pub fn show(bytes: &[u8]) -> String {
    match core::str::from_utf8(bytes) {
        Ok(text) if !text.is_empty() && hex_part(text).is_none() && text.chars().all(is_plain) => {
            text.to_owned()
        }
        Ok(_) | Err(_) => format!("0x{}", to_hex(bytes)),
    }
}

fn hex_part(text: &str) -> Option<&str> {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ANY: Length = Length {
        min: None,
        max: None,
    };

    #[test]
    fn text_is_its_bytes_and_hexadecimal_what_it_spells() {
        assert_eq!(read("lunch", ANY), Ok(b"lunch".to_vec()));
        assert_eq!(read(" é ", ANY), Ok(" é ".as_bytes().to_vec()));
        assert_eq!(read("0x00fF", ANY), Ok(vec![0, 255]));
        assert_eq!(read("", ANY), Ok(vec![]));
        assert_eq!(read("0x", ANY), Ok(vec![]));
    }

    #[test]
    fn half_a_byte_or_other_letters_are_refused() {
        for text in ["0x1", "0xgg", "0x 00", "0X0", "0x00 "] {
            assert_eq!(
                read(text, ANY).unwrap_err().code,
                IssueCode::Syntax,
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_limit_counts_bytes() {
        let limit = Length {
            min: Some(2),
            max: Some(3),
        };
        assert_eq!(read("éé", limit).unwrap_err().code, IssueCode::Length);
        assert_eq!(read("a", limit).unwrap_err().code, IssueCode::Length);
        assert!(read("0x000000", limit).is_ok());
    }

    #[test]
    fn text_that_hides_something_shows_in_hexadecimal() {
        assert_eq!(show(b"lunch"), "lunch");
        assert_eq!(show("a\u{202e}b".as_bytes()), "0x61e280ae62");
        assert_eq!(show(b"0x12"), "0x30783132");
        assert_eq!(show(b"a\n"), "0x610a");
        assert_eq!(show(&[0xff]), "0xff");
        assert_eq!(show(b""), "0x");
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(bytes: Vec<u8>, text: String) {
            prop_assert_eq!(read(&show(&bytes), ANY), Ok(bytes));
            prop_assert_eq!(read(&show(text.as_bytes()), ANY), Ok(text.into_bytes()));
        }
    }
}
