//! Ledgers on mainnet that are known to execute the same stamped bytes once. As of 2026-11-29.
//!
//! Each runs the ledger suite's code or the cycles ledger's, whose rule for duplicates was read in
//! their source. A ledger enters this list only so; what it says of itself is a claim.

use crate::ids::Principal;

/// Canister ids: ICP, ckBTC, ckETH, ckUSDC, cycles.
const DEDUPLICATING: [&str; 5] = [
    "ryjl3-tyaaa-aaaaa-aaaba-cai",
    "mxzaz-hqaaa-aaaar-qaada-cai",
    "ss2fx-dyaaa-aaaar-qacoq-cai",
    "xevnm-gaaaa-aaaar-qafnq-cai",
    "um5iw-rqaaa-aaaaq-qaaba-cai",
];

/// Whether a canister on mainnet is known to execute the same stamped bytes once.
#[must_use]
pub fn deduplicates(canister: &Principal) -> bool {
    DEDUPLICATING.contains(&canister.to_text().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_ledger_is_a_canister_id() {
        for text in DEDUPLICATING {
            let id = Principal::from_text(text).unwrap();
            assert_eq!(id.as_slice().len(), 10);
            assert!(deduplicates(&id));
        }
        assert!(!deduplicates(&Principal::management_canister()));
    }
}
