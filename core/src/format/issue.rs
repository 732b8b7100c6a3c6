//! What is wrong with one input, under a code that stays.

use core::fmt;

macro_rules! issue_codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// The kinds of refusal. Their texts are the interface (`tests/golden/issue_codes.txt`).
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub enum IssueCode {
            $($(#[$doc])* $name,)*
        }

        impl IssueCode {
            /// Every code, in the order of the golden file.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The code as it is answered.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }
        }
    };
}

issue_codes! {
    /// More fraction digits than the token has decimals.
    ExcessPrecision = "E_EXCESS_PRECISION",
    /// Not written by the kind's grammar.
    Syntax = "E_SYNTAX",
    /// Another symbol than the token's.
    Symbol = "E_SYMBOL",
    /// Outside what the position holds.
    Range = "E_RANGE",
    /// No account, or its checksum is wrong.
    Account = "E_ACCOUNT",
    /// No account identifier, or its checksum is wrong.
    AccountId = "E_ACCOUNT_ID",
    /// No principal, or its checksum is wrong.
    Principal = "E_PRINCIPAL",
    /// No subaccount.
    Subaccount = "E_SUBACCOUNT",
    /// No point in time, or one finer than the position counts.
    Time = "E_TIME",
    /// Too many or too few bytes or elements.
    Length = "E_LENGTH",
    /// Too many or too few characters.
    TextLength = "E_TEXT_LENGTH",
    /// A text that its position's pattern does not match.
    TextPattern = "E_TEXT_PATTERN",
    /// A text that is no web address or e-mail address where one is asked.
    TextFormat = "E_TEXT_FORMAT",
    /// A name that is on no list.
    NameNotFound = "E_NAME_NOT_FOUND",
    /// A name that several entries have, or that another looks like.
    NameAmbiguous = "E_NAME_AMBIGUOUS",
    /// A name whose list could not be read.
    NamesUnread = "E_NAMES_UNREAD",
    /// The canister's decimals are not known, so that no amount can be read.
    DecimalsUnknown = "E_DECIMALS_UNKNOWN",
    /// The input as a whole has not the shape asked for.
    Input = "E_INPUT",
    /// A JSON value of another kind than asked for.
    Type = "E_TYPE",
    /// A required input or field was left out.
    Missing = "E_MISSING",
    /// An input or field that the tool does not have.
    UnknownParam = "E_UNKNOWN_PARAM",
}

impl fmt::Display for IssueCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a text is not read: the code, and a sentence that says how to write it.
///
/// The sentence is made of our words alone; what was written is never quoted in it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Issue {
    /// Which kind of refusal.
    pub code: IssueCode,
    /// What to do about it.
    pub message: String,
}

impl Issue {
    /// A refusal with its sentence.
    pub fn new(code: IssueCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn issue_codes_are_the_golden_ones_and_distinct() {
        let codes: Vec<_> = IssueCode::ALL.iter().map(|code| code.as_str()).collect();
        let golden: Vec<_> = include_str!("../../tests/golden/issue_codes.txt")
            .lines()
            .collect();
        assert_eq!(codes, golden);
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    }
}
