//! One of an owner's accounts: 32 bytes (ICRC-1).

use super::{Issue, IssueCode, is_digits, trim};
use crate::ids::{from_hex, to_hex};
use num_bigint::BigUint;

/// The grammar of [`read`]; that a number is below 2^256 is not in it.
pub const PATTERN: &str = r"^\s*(?:0[xX][0-9A-Fa-f]{1,64}|[0-9A-Fa-f]{64}|0|[1-9][0-9]{0,77})\s*$";

/// The 32 bytes of a subaccount.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Subaccount([u8; 32]);

impl Subaccount {
    /// Takes the bytes as they are.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether it is all zeros: the account that an owner has without naming one.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.0 == [0; 32]
    }
}

/// Says how to write a subaccount.
#[must_use]
pub fn describe() -> String {
    "A subaccount of 32 bytes, in one of three ways: all 64 hexadecimal digits; \"0x\" and up to 64 \
     hexadecimal digits, filled with zeros in front; or a decimal number, counted from the last \
     byte. Examples: \"1\", \"0x01\" (both are the subaccount that ends in 01)."
        .to_owned()
}

/// Reads a subaccount. Exactly 64 digits are hexadecimal, whatever they are; fewer without `0x` are
/// a decimal number.
///
/// # Errors
///
/// `E_SUBACCOUNT` for anything else.
pub fn read(text: &str) -> Result<Subaccount, Issue> {
    let text = trim(text);
    let bytes = if let Some(digits) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        (1..=64)
            .contains(&digits.len())
            .then(|| from_hex(&format!("{digits:0>64}")))
            .flatten()
    } else if text.len() == 64 {
        from_hex(text)
    } else if is_digits(text) && text.len() <= 78 && (text == "0" || !text.starts_with('0')) {
        BigUint::parse_bytes(text.as_bytes(), 10).and_then(|number| {
            let digits = number.to_bytes_be();
            let mut bytes = vec![0; 32_usize.checked_sub(digits.len())?];
            bytes.extend(digits);
            Some(bytes)
        })
    } else {
        None
    };
    bytes
        .and_then(|bytes| <[u8; 32]>::try_from(bytes).ok())
        .map(Subaccount)
        .ok_or_else(|| {
            Issue::new(
                IssueCode::Subaccount,
                "Write the subaccount as 64 hexadecimal digits, as \"0x\" and up to 64 of them, or \
                 as a decimal number below 2^256.",
            )
        })
}

/// Writes all 64 hexadecimal digits.
#[must_use]
pub fn show(subaccount: &Subaccount) -> String {
    to_hex(&subaccount.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex_lite::Regex;

    fn ending(byte: u8) -> Subaccount {
        let mut bytes = [0; 32];
        bytes[31] = byte;
        Subaccount(bytes)
    }

    #[test]
    fn the_three_ways_read() {
        let full = format!("{:0>64}", "1f");
        for text in ["31", "0x1f", "0X1F", "0x001f", " 31 ", full.as_str()] {
            assert_eq!(read(text), Ok(ending(31)), "{text:?}");
        }
        assert_eq!(read("0"), Ok(ending(0)));
        assert_eq!(read(&(u128::MAX).to_string()).unwrap().0[..16], [0; 16]);
    }

    #[test]
    fn sixty_four_digits_are_hexadecimal() {
        assert_eq!(read(&"1".repeat(64)), Ok(Subaccount([0x11; 32])));
    }

    #[test]
    fn the_greatest_number_fits_and_the_next_does_not() {
        let greatest = (BigUint::from(1_u8) << 256_u32) - 1_u8;
        assert_eq!(read(&greatest.to_string()), Ok(Subaccount([0xff; 32])));
        assert!(read(&(greatest + 1_u8).to_string()).is_err());
    }

    #[test]
    fn what_could_be_read_two_ways_is_refused() {
        let short = "a".repeat(63);
        let long = format!("0x{}", "1".repeat(65));
        for text in [
            "", "1f", "01", "0x", "0xg", "-1", "1.0", "0x 1", &short, &long,
        ] {
            assert_eq!(
                read(text).unwrap_err().code,
                IssueCode::Subaccount,
                "{text:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(bytes: [u8; 32]) {
            let subaccount = Subaccount(bytes);
            prop_assert_eq!(read(&show(&subaccount)), Ok(subaccount));
        }

        #[test]
        fn what_is_read_fits_the_pattern(text in "(0[xX])?[0-9a-fA-F]{0,5}|[0-9]{60,80}") {
            let matched = Regex::new(PATTERN).unwrap().is_match(&text);
            prop_assert!(matched || read(&text).is_err());
        }
    }
}
