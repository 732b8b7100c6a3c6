//! Account identifiers: what the ICP ledger knows of an account.

use candid::Principal;
use icrc_ledger_types::icrc1::account::Account;
use sha2::{Digest as _, Sha224};

/// An account identifier: a checksum, and a hash of principal and subaccount.
pub type AccountId = [u8; 32];

/// The identifier of an account. Without a subaccount it is the one of 32 zero bytes.
#[must_use]
pub fn account_id(account: &Account) -> AccountId {
    let mut hasher = Sha224::new();
    hasher.update(b"\x0Aaccount-id");
    hasher.update(account.owner.as_slice());
    hasher.update(account.effective_subaccount());
    let hash: [u8; 28] = hasher.finalize().into();
    with_checksum(hash)
}

/// The identifier of a principal's default account.
#[must_use]
pub fn of_principal(owner: Principal) -> AccountId {
    account_id(&Account::from(owner))
}

fn with_checksum(hash: [u8; 28]) -> AccountId {
    let mut id = [0; 32];
    id[..4].copy_from_slice(&crc32fast::hash(&hash).to_be_bytes());
    id[4..].copy_from_slice(&hash);
    id
}

/// Whether the checksum is the one of the rest.
pub(super) fn is_sound(id: &AccountId) -> bool {
    let (_, hash) = id.split_last_chunk::<28>().expect("28 of 32 bytes");
    with_checksum(*hash) == *id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_those_that_agents_make() {
        let hex = |id: AccountId| -> String { id.iter().map(|b| format!("{b:02x}")).collect() };
        let ledger = Principal::from_text("ryjl3-tyaaa-aaaaa-aaaba-cai").unwrap();
        assert_eq!(
            hex(of_principal(ledger)),
            "883eef7c44be51afe4a4420d4df4beff708f3cf2f5de5efcc9f58680bb0f3690"
        );
        let mut subaccount = [0; 32];
        subaccount[31] = 1;
        let anonymous = Account {
            owner: Principal::anonymous(),
            subaccount: Some(subaccount),
        };
        assert_eq!(
            hex(account_id(&anonymous)),
            "b8fab0be4ad596a3739ab93e7316a8647ee72e167709441da49ce9171828629d"
        );
        let mut id = of_principal(ledger);
        assert!(is_sound(&id));
        id[0] ^= 1;
        assert!(!is_sound(&id));
    }
}
