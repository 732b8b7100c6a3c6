//! Which canisters a subnet may speak for.

use ic_certification::{HashTree, LookupResult, SubtreeLookupResult};
use serde::{Deserialize, Serialize};

use super::cbor;
use crate::ids::Principal;

/// Ranges of canister ids, both ends included, as a certificate states them.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct CanisterRanges(Vec<(Principal, Principal)>);

/// What a certified tree says about the ranges of a subnet.
pub(super) enum Shown {
    /// These.
    Ranges(CanisterRanges),
    /// Nothing: neither form of the path is in the tree.
    Nothing,
    /// Something that is no list of ranges.
    Unreadable,
}

impl CanisterRanges {
    /// Whether the canister is in one of them.
    #[must_use]
    pub fn contains(&self, canister: Principal) -> bool {
        let id = canister.as_slice();
        self.0
            .iter()
            .any(|(first, last)| first.as_slice() <= id && id <= last.as_slice())
    }

    /// Reads `/canister_ranges/<subnet>/<shard>`, of which a tree may show any number of shards,
    /// or `/subnet/<subnet>/canister_ranges`, where the first form is not shown.
    ///
    /// Only for trees whose signature was checked.
    pub(super) fn of_subnet(tree: &HashTree, subnet: Principal) -> Shown {
        let id = subnet.as_slice();
        let mut leaves: Vec<Vec<u8>> = Vec::new();
        if let SubtreeLookupResult::Found(shards) =
            tree.lookup_subtree([b"canister_ranges".as_slice(), id])
        {
            for shard in shards.list_paths() {
                match shards.lookup_path(shard.iter().map(ic_certification::Label::as_bytes)) {
                    LookupResult::Found(leaf) if shard.len() == 1 => leaves.push(leaf.to_vec()),
                    LookupResult::Found(_)
                    | LookupResult::Absent
                    | LookupResult::Unknown
                    | LookupResult::Error => return Shown::Unreadable,
                }
            }
        }
        if leaves.is_empty() {
            match tree.lookup_path([b"subnet".as_slice(), id, b"canister_ranges"]) {
                LookupResult::Found(leaf) => leaves.push(leaf.to_vec()),
                LookupResult::Absent | LookupResult::Unknown => return Shown::Nothing,
                LookupResult::Error => return Shown::Unreadable,
            }
        }
        let mut ranges = Vec::new();
        for leaf in leaves {
            match cbor::decode::<Vec<(Principal, Principal)>>(&leaf) {
                Ok(more) => ranges.extend(more),
                Err(_) => return Shown::Unreadable,
            }
        }
        Shown::Ranges(Self(ranges))
    }
}
