//! An account identifier of the ICP ledger: what its older methods name an account by.
//!
//! It is a hash with a checksum in front of it, so no account can be read back from one.

use super::{Issue, IssueCode, account, account::Account, trim};
use crate::ids::{from_hex, to_hex};
use core::fmt;
use sha2::{Digest as _, Sha224};

/// The grammar of [`read`]; the checksums are not in it.
pub const PATTERN: &str = concat!(
    r"^\s*(?:[0-9A-Fa-f]{64}|(?:[A-Za-z2-7]{5}-){1,10}[A-Za-z2-7]{1,5}",
    r"(?:-[a-z2-7]{7}\.[0-9A-Fa-f]{1,64})?)\s*$"
);

/// The 32 bytes of an account identifier: four of CRC-32, then the 28 of SHA-224 that they check.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct AccountId([u8; 32]);

impl AccountId {
    /// Takes an identifier's bytes. `None` where the checksum is not that of the rest.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Option<Self> {
        let (checksum, hash) = bytes.split_at(4);
        (checksum == crc32fast::hash(hash).to_be_bytes()).then_some(Self(bytes))
    }

    /// The identifier of an account.
    #[must_use]
    pub fn of(account: &Account) -> Self {
        let mut hash = Sha224::new();
        hash.update(b"\x0Aaccount-id");
        hash.update(account.owner().as_slice());
        let default = [0; 32];
        hash.update(account.subaccount().map_or(&default, |s| s.as_bytes()));
        let hash = hash.finalize();
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&crc32fast::hash(&hash).to_be_bytes());
        bytes[4..].copy_from_slice(&hash);
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for AccountId {
    /// 64 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(&self.0))
    }
}

/// Says how to write an account identifier.
#[must_use]
pub fn describe() -> String {
    "An account identifier: 64 hexadecimal digits, with a checksum in them that is verified. An \
     ICRC-1 account in text form is taken too and converted: a principal, or \
     \"principal-checksum.subaccount\". Take the text from where it comes from. Examples: \
     \"2d0e897f7e862d2b57d9bc9ea5c65f9a24ac6c074575f47898314b8d6cb0929d\", \
     \"ryjl3-tyaaa-aaaaa-aaaba-cai\"."
        .to_owned()
}

/// Reads an account identifier, or an account, which is converted; white space around it is ignored.
///
/// # Errors
///
/// `E_ACCOUNT_ID` for anything else, and where a checksum does not match.
pub fn read(text: &str) -> Result<AccountId, Issue> {
    let text = trim(text);
    let issue = |message: &str| Issue::new(IssueCode::AccountId, message);
    let bytes = from_hex(text).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    match bytes {
        Some(bytes) => AccountId::from_bytes(bytes).ok_or_else(|| {
            issue(
                "The account identifier's checksum does not match: a digit of it is wrong. Take \
                 the text from where the account comes from; do not repair it.",
            )
        }),
        None => match account::read(text) {
            Ok(account) => Ok(AccountId::of(&account)),
            Err(_) => Err(issue(
                "This is neither an account identifier of 64 hexadecimal digits nor an account \
                 (a principal, or \"principal-checksum.subaccount\"), or a character of it is \
                 wrong. Take the text from where the account comes from.",
            )),
        },
    }
}

/// Writes 64 lower-case hexadecimal digits.
#[must_use]
pub fn show(id: &AccountId) -> String {
    id.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{format::subaccount::Subaccount, ids::Principal};
    use proptest::prelude::*;
    use regex_lite::Regex;

    const P: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";

    /// Computed with two other implementations.
    const VECTORS: [(&str, u8, &str); 7] = [
        (
            "2vxsx-fae",
            0,
            "1c7a48ba6a562aa9eaa2481a9049cdf0433b9738c992d698c31d8abf89cadc79",
        ),
        (
            "2vxsx-fae",
            1,
            "b8fab0be4ad596a3739ab93e7316a8647ee72e167709441da49ce9171828629d",
        ),
        (
            "aaaaa-aa",
            0,
            "2d0e897f7e862d2b57d9bc9ea5c65f9a24ac6c074575f47898314b8d6cb0929d",
        ),
        (
            "ryjl3-tyaaa-aaaaa-aaaba-cai",
            0,
            "883eef7c44be51afe4a4420d4df4beff708f3cf2f5de5efcc9f58680bb0f3690",
        ),
        (
            "rrkah-fqaaa-aaaaa-aaaaq-cai",
            0,
            "082ecf2e3f647ac600f43f38a68342fba5b8e68b085f02592b77f39808a8d2b5",
        ),
        (
            P,
            0,
            "051b05839339f89053454a4b9865ea0452a4bffe2b1cd41f4982bad10c1e637c",
        ),
        (
            P,
            1,
            "11b9a9ff4992b540fe4a6b2146993fa15329650dc4ffe873c7c024c39d5de8d1",
        ),
    ];

    fn account(principal: &str, last: u8) -> Account {
        let mut bytes = [0; 32];
        bytes[31] = last;
        let owner = Principal::from_text(principal).unwrap();
        Account::new(owner, Some(Subaccount::from_bytes(bytes)))
    }

    #[test]
    fn an_account_and_its_identifier_read_alike() {
        for (principal, last, id) in VECTORS {
            let account = account(principal, last);
            assert_eq!(AccountId::of(&account).to_string(), id, "{account}");
            let read_id = read(id).unwrap();
            assert_eq!(read(&account.to_string()), Ok(read_id), "{account}");
            assert_eq!(read(&format!(" {}\n", id.to_uppercase())), Ok(read_id));
        }
    }

    #[test]
    fn an_identifier_of_zeros_has_a_checksum_too() {
        assert!(read(&format!("807077e9{}", "0".repeat(56))).is_ok());
        assert!(read(&"0".repeat(64)).is_err());
        // Some readers take the 28 bytes without their checksum: a slip would go unseen.
        let (_, _, id) = VECTORS[0];
        assert!(read(id.get(8..).unwrap()).is_err());
    }

    #[test]
    fn what_is_neither_is_refused() {
        let (_, _, id) = VECTORS[0];
        for text in [
            "",
            &id.chars().skip(8).collect::<String>(),
            &id.chars().skip(1).collect::<String>(),
            &format!("{id}0"),
            &format!("0x{id}"),
            &id.replace('1', "2"),
            &format!("{P}.1"),
            "2vxsx-faf",
            "é",
        ] {
            let issue = read(text).unwrap_err();
            assert_eq!(issue.code, IssueCode::AccountId, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back_and_fits_the_pattern(
            owner in prop::collection::vec(any::<u8>(), 0..=29),
            subaccount: Option<[u8; 32]>,
        ) {
            let owner = Principal::try_from_slice(&owner).unwrap();
            let account = Account::new(owner, subaccount.map(Subaccount::from_bytes));
            let id = AccountId::of(&account);
            let pattern = Regex::new(PATTERN).unwrap();
            for text in [show(&id), account.to_string()] {
                prop_assert!(pattern.is_match(&text), "{}", text);
                prop_assert_eq!(read(&text), Ok(id));
            }
            prop_assert_eq!(AccountId::from_bytes(*id.as_bytes()), Some(id));
        }

        #[test]
        fn one_wrong_digit_is_refused(digit in 0_usize..64, by in 1_u32..16) {
            let (_, _, id) = VECTORS[0];
            let wrong: String = (id.chars().enumerate())
                .map(|(at, c)| {
                    let value = c.to_digit(16).unwrap();
                    let value = if at == digit { (value + by) % 16 } else { value };
                    char::from_digit(value, 16).unwrap()
                })
                .collect();
            prop_assert!(read(&wrong).is_err());
        }
    }
}
