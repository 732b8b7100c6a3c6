//! A whole number as it is: decimal digits, within what its Candid type holds.

use super::{Issue, IssueCode, MAX_DIGITS, is_digits, trim};
use core::fmt;
use num_bigint::{BigInt, BigUint};

/// The smallest and greatest value a position holds; `None` where there is no end.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Bounds {
    min: Option<BigInt>,
    max: Option<BigInt>,
}

impl Bounds {
    /// Candid's `nat`.
    pub const NAT: Self = Self {
        min: Some(BigInt::ZERO),
        max: None,
    };
    /// Candid's `int`.
    pub const INT: Self = Self {
        min: None,
        max: None,
    };

    /// Candid's `nat8` to `nat64`, by their width in bits.
    #[must_use]
    pub fn unsigned(bits: u32) -> Self {
        Self {
            min: Some(BigInt::ZERO),
            max: Some((BigInt::from(1) << bits) - 1),
        }
    }

    /// Candid's `int8` to `int64`, by their width in bits (at least 1).
    #[must_use]
    pub fn signed(bits: u32) -> Self {
        let half = BigInt::from(1) << (bits - 1);
        Self {
            min: Some(-half.clone()),
            max: Some(half - 1),
        }
    }

    /// These bounds, made narrower by others.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let pick = |a: Option<BigInt>, b: Option<BigInt>, greater: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a > b) == greater { a } else { b }),
            (one, None) | (None, one) => one,
        };
        Self {
            min: pick(self.min, other.min, true),
            max: pick(self.max, other.max, false),
        }
    }

    /// Bounds given by their ends.
    #[must_use]
    pub const fn new(min: Option<BigInt>, max: Option<BigInt>) -> Self {
        Self { min, max }
    }

    /// The least and the greatest value.
    #[must_use]
    pub const fn ends(&self) -> (Option<&BigInt>, Option<&BigInt>) {
        (self.min.as_ref(), self.max.as_ref())
    }

    /// Takes the value where it is within.
    ///
    /// # Errors
    ///
    /// `E_RANGE`, with the bounds.
    pub fn check(&self, value: BigInt) -> Result<BigInt, Issue> {
        let low = self.min.as_ref().is_some_and(|min| value < *min);
        let high = self.max.as_ref().is_some_and(|max| value > *max);
        if low || high {
            return Err(Issue::new(
                IssueCode::Range,
                format!("Give a value {}.", self),
            ));
        }
        Ok(value)
    }

    /// Takes the value where it is within.
    ///
    /// # Errors
    ///
    /// `E_RANGE`, with the bounds.
    pub fn check_unsigned(&self, value: BigUint) -> Result<BigUint, Issue> {
        self.check(value.clone().into()).map(|_| value)
    }

    fn allows_negative(&self) -> bool {
        self.min.as_ref().is_none_or(|min| *min < BigInt::ZERO)
    }
}

impl fmt::Display for Bounds {
    /// `from 0 to 255`, `of 0 or more`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.min, &self.max) {
            (Some(min), Some(max)) => write!(f, "from {min} to {max}"),
            (Some(min), None) => write!(f, "of {min} or more"),
            (None, Some(max)) => write!(f, "of {max} or less"),
            (None, None) => f.write_str("of any size"),
        }
    }
}

/// Says how to write the number.
#[must_use]
pub fn describe(bounds: &Bounds) -> String {
    let sign = if bounds.allows_negative() {
        ", after a minus where it is negative"
    } else {
        ""
    };
    format!(
        "A whole number {bounds}, as decimal digits{sign}: no unit, no separators, no exponent, no zeros \
         in front. Example: \"42\"."
    )
}

/// The grammar of [`read`].
#[must_use]
pub fn pattern(bounds: &Bounds) -> String {
    if bounds.allows_negative() {
        r"^\s*(?:0|-?[1-9][0-9]*)\s*$".to_owned()
    } else {
        r"^\s*(?:0|[1-9][0-9]*)\s*$".to_owned()
    }
}

/// Reads a whole number.
///
/// # Errors
///
/// `E_SYNTAX` where it is not plain digits, `E_RANGE` where the position does not hold it.
pub fn read(text: &str, bounds: &Bounds) -> Result<BigInt, Issue> {
    let text = trim(text);
    let digits = match text.strip_prefix('-') {
        Some(digits) if bounds.allows_negative() => digits,
        Some(_) | None => text,
    };
    let negative = digits.len() < text.len();
    if !is_digits(digits) || (digits.starts_with('0') && (negative || digits.len() > 1)) {
        return Err(Issue::new(
            IssueCode::Syntax,
            "Write a whole number as decimal digits alone, as \"42\": no plus sign, unit, \
             separator or exponent, and no zeros in front.",
        ));
    }
    if digits.len() > MAX_DIGITS {
        return Err(Issue::new(
            IssueCode::Range,
            format!("A number has at most {MAX_DIGITS} digits."),
        ));
    }
    let value: BigInt = text
        .parse()
        .map_err(|_| Issue::new(IssueCode::Syntax, "Write a whole number as decimal digits."))?;
    bounds.check(value)
}

/// Writes the number as decimal digits.
#[must_use]
pub fn show(value: &BigInt) -> String {
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex_lite::Regex;

    fn refused(text: &str, bounds: &Bounds) -> IssueCode {
        read(text, bounds).unwrap_err().code
    }

    #[test]
    fn digits_read_as_they_are() {
        assert_eq!(read(" 42 ", &Bounds::NAT), Ok(42.into()));
        assert_eq!(read("0", &Bounds::unsigned(8)), Ok(0.into()));
        assert_eq!(read("-128", &Bounds::signed(8)), Ok((-128).into()));
        assert_eq!(
            read("18446744073709551615", &Bounds::unsigned(64)),
            Ok(u64::MAX.into())
        );
    }

    #[test]
    fn anything_but_plain_digits_is_refused() {
        for text in [
            "", "+1", "01", "00", "-0", "-01", "1.0", "1e3", "1_000", "1,000", "0x1", "١",
        ] {
            assert_eq!(refused(text, &Bounds::INT), IssueCode::Syntax, "{text:?}");
        }
        assert_eq!(refused("-1", &Bounds::NAT), IssueCode::Syntax);
    }

    #[test]
    fn a_value_its_type_does_not_hold_is_refused() {
        assert_eq!(refused("256", &Bounds::unsigned(8)), IssueCode::Range);
        assert_eq!(refused("128", &Bounds::signed(8)), IssueCode::Range);
        assert_eq!(refused("-129", &Bounds::signed(8)), IssueCode::Range);
        assert_eq!(
            refused(&"9".repeat(100_000), &Bounds::NAT),
            IssueCode::Range
        );
    }

    #[test]
    fn bounds_narrow_each_other() {
        let narrowed = Bounds::unsigned(8).and(Bounds::new(Some(10.into()), None));
        assert_eq!(narrowed, Bounds::new(Some(10.into()), Some(255.into())));
        assert_eq!(refused("9", &narrowed), IssueCode::Range);
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(bytes: [u8; 40]) {
            let value = BigInt::from_signed_bytes_be(&bytes);
            prop_assert_eq!(read(&show(&value), &Bounds::INT), Ok(value));
        }

        #[test]
        fn the_pattern_and_the_reader_take_the_same_texts(
            text in "[ ]{0,2}[-+]{0,2}[0-2]{0,3}[ ]?",
            negative: bool,
        ) {
            let bounds = if negative { Bounds::INT } else { Bounds::NAT };
            let matched = Regex::new(&pattern(&bounds)).unwrap().is_match(&text);
            prop_assert_eq!(matched, read(&text, &bounds).is_ok());
        }
    }
}
