//! A principal in its textual form (IC interface specification, "Textual representation of
//! principals").

use super::{Issue, IssueCode, trim};
use crate::ids::Principal;

/// The grammar of [`read`]; the checksum is not in it.
pub const PATTERN: &str = r"^\s*(?:[A-Za-z2-7]{5}-){1,10}[A-Za-z2-7]{1,5}\s*$";

/// Says how to write a principal.
#[must_use]
pub fn describe() -> String {
    "A principal in text form: groups of five letters and digits (a–z, 2–7) with dashes between \
     them. The text carries a checksum, so that a mistyped one is refused. Examples: \
     \"ryjl3-tyaaa-aaaaa-aaaba-cai\" (a canister), \"2vxsx-fae\" (the anonymous caller)."
        .to_owned()
}

/// Reads a principal; white space around it and its case are ignored.
///
/// # Errors
///
/// `E_PRINCIPAL` where it is not one text form exactly, checksum included.
pub fn read(text: &str) -> Result<Principal, Issue> {
    Principal::from_text(trim(text)).map_err(|_| {
        Issue::new(
            IssueCode::Principal,
            "This is no principal, or a character of it is wrong (its checksum does not match). \
             Take the text from where the principal comes from; do not repair it.",
        )
    })
}

/// Writes the canonical text: lower case, groups of five.
#[must_use]
pub fn show(principal: &Principal) -> String {
    principal.to_text()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex_lite::Regex;

    #[test]
    fn case_and_space_around_it_are_ignored() {
        let text = "ryjl3-tyaaa-aaaaa-aaaba-cai";
        let read_back = read(&format!(" {} ", text.to_uppercase())).unwrap();
        assert_eq!(show(&read_back), text);
    }

    #[test]
    fn the_principals_of_the_specification_read() {
        assert_eq!(read("aaaaa-aa"), Ok(Principal::management_canister()));
        assert_eq!(read("2vxsx-fae"), Ok(Principal::anonymous()));
        assert_eq!(
            show(&Principal::try_from_slice(&[0xab, 0xcd, 1]).unwrap()),
            "em77e-bvlzu-aq"
        );
        // The longest, of 29 bytes.
        assert_eq!(
            show(&Principal::try_from_slice(&[0xff; 29]).unwrap()).len(),
            63
        );
    }

    #[test]
    fn a_wrong_checksum_or_grouping_is_refused() {
        for text in [
            "",
            "aaaaa-ab",
            "ryjl3-tyaaa-aaaaa-aaaba-caj",
            "ryjl3tyaaa-aaaaa-aaaba-cai",
            "ryjl3-tyaaa-aaaaa-aaaba-cai-",
            "ryjl3 tyaaa aaaaa aaaba cai",
            "me",
            "é",
        ] {
            assert_eq!(
                read(text).unwrap_err().code,
                IssueCode::Principal,
                "{text:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back_and_fits_the_pattern(
            bytes in prop::collection::vec(any::<u8>(), 0..=29),
        ) {
            let principal = Principal::try_from_slice(&bytes).unwrap();
            let text = show(&principal);
            prop_assert!(Regex::new(PATTERN).unwrap().is_match(&text), "{}", text);
            prop_assert_eq!(read(&text), Ok(principal));
        }
    }
}
