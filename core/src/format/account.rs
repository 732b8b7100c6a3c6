//! An account in the text form of ICRC-1 ("Textual representation of accounts").

use super::{Issue, IssueCode, subaccount::Subaccount, trim};
use crate::ids::Principal;
use core::fmt;
use icrc_ledger_types::icrc1::account::{Account as Codec, ICRC1TextReprError};

/// An owner and one of its accounts, in the one way each account is written: the default account
/// has no subaccount, never one of zeros (a ledger that deduplicates tells the two apart).
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Account {
    owner: Principal,
    subaccount: Option<Subaccount>,
}

impl Account {
    /// The account of an owner; a subaccount of zeros is the default account.
    #[must_use]
    pub fn new(owner: Principal, subaccount: Option<Subaccount>) -> Self {
        Self {
            owner,
            subaccount: subaccount.filter(|subaccount| !subaccount.is_default()),
        }
    }

    /// Whose account it is.
    #[must_use]
    pub const fn owner(&self) -> Principal {
        self.owner
    }

    /// Which account of the owner's; `None` is the default one.
    #[must_use]
    pub const fn subaccount(&self) -> Option<&Subaccount> {
        self.subaccount.as_ref()
    }
}

impl fmt::Display for Account {
    /// The canonical text of ICRC-1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codec = Codec {
            owner: self.owner,
            subaccount: self.subaccount.as_ref().map(|s| *s.as_bytes()),
        };
        write!(f, "{codec}")
    }
}

/// Says how to write an account.
#[must_use]
pub fn describe() -> String {
    "An ICRC-1 account in text form: a principal alone stands for its default account; another \
     account of it is \"principal-checksum.subaccount\", the subaccount in hexadecimal without \
     zeros in front. Checksums are verified: take the text from where it comes from. Example: \
     \"ryjl3-tyaaa-aaaaa-aaaba-cai\"."
        .to_owned()
}

/// Reads an account; white space around it is ignored.
///
/// # Errors
///
/// `E_ACCOUNT` for whatever the standard does not allow, with what is wrong.
pub fn read(text: &str) -> Result<Account, Issue> {
    let issue = |message: &str| Issue::new(IssueCode::Account, message);
    let codec: Codec = trim(text).parse().map_err(|error| {
        issue(match error {
            ICRC1TextReprError::DefaultSubaccountShouldBeOmitted => {
                "The default account is written as the principal alone, without a subaccount."
            }
            ICRC1TextReprError::InvalidChecksum { .. } => {
                "The account's checksum does not match: a character of it is wrong. Take the text \
                 from where the account comes from; do not repair it."
            }
            ICRC1TextReprError::InvalidPrincipal(_) => {
                "The account does not begin with a principal, or a character of it is wrong (its \
                 checksum does not match). Take the text from where the account comes from."
            }
            ICRC1TextReprError::InvalidSubaccount(_) => {
                "The subaccount after the point must be hexadecimal, at most 64 digits."
            }
            ICRC1TextReprError::LeadingZeroesInSubaccount => {
                "The subaccount after the point is written without zeros in front."
            }
            ICRC1TextReprError::MissingChecksum => {
                "An account with a subaccount needs the checksum between principal and point: \
                 \"principal-checksum.subaccount\". Take the whole text from where it comes from."
            }
        })
    })?;
    Ok(Account::new(
        codec.owner,
        codec.subaccount.map(Subaccount::from_bytes),
    ))
}

/// Writes the canonical text.
#[must_use]
pub fn show(account: &Account) -> String {
    account.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const P: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";

    fn subaccount_of(text: &str) -> Option<[u8; 32]> {
        read(text).unwrap().subaccount().map(|s| *s.as_bytes())
    }

    #[test]
    fn the_accounts_of_the_standard_read() {
        assert_eq!(subaccount_of(P), None);
        let mut one = [0; 32];
        one[31] = 1;
        assert_eq!(subaccount_of(&format!("{P}-6cc627i.1")), Some(one));
        let counting = core::array::from_fn(|i| u8::try_from(i + 1).unwrap());
        assert_eq!(
            subaccount_of(&format!(
                "{P}-dfxgiyy.102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"
            )),
            Some(counting)
        );
    }

    #[test]
    fn what_the_standard_refuses_is_refused() {
        for text in [
            format!("{P}-q6bn32y."),
            "k2t6j2nvnp4zjm3-25dtz6xhaac7boj5gayfoj3xs-i43lp-teztq-6ae".to_owned(),
            format!("{P}-6cc627i.01"),
            format!("{P}.1"),
            format!("{P}-6CC627I.1"),
            format!("{P}-6cc627j.1"),
            format!("{P}-6cc627i.g"),
            format!("{P}-6cc627i.{}", "1".repeat(65)),
            String::new(),
            ".".to_owned(),
            "-.1".to_owned(),
        ] {
            assert_eq!(
                read(&text).unwrap_err().code,
                IssueCode::Account,
                "{text:?}"
            );
        }
    }

    #[test]
    fn upper_case_reads_and_shows_in_lower_case() {
        assert_eq!(show(&read(&format!(" {} ", P.to_uppercase())).unwrap()), P);
    }

    #[test]
    fn a_subaccount_of_zeros_is_the_default_account() {
        let owner = Principal::from_text(P).unwrap();
        let zeros = Account::new(owner, Some(Subaccount::from_bytes([0; 32])));
        assert_eq!(zeros, Account::new(owner, None));
        assert_eq!(show(&zeros), P);
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(
            owner in prop::collection::vec(any::<u8>(), 0..=29),
            subaccount: Option<[u8; 32]>,
            zeros in 0_usize..=32,
        ) {
            let subaccount = subaccount.map(|mut bytes| {
                bytes[..zeros].fill(0);
                Subaccount::from_bytes(bytes)
            });
            let account = Account::new(Principal::try_from_slice(&owner).unwrap(), subaccount);
            prop_assert_eq!(read(&show(&account)), Ok(account));
        }
    }
}
