//! The end of a ledger's block log, as the ledger certifies it.
//!
//! Source: ICRC-3, `icrc3_get_tip_certificate`: the canister's certified data is the root hash of a
//! tree that holds the index and the hash of the last block.

use ic_certification::{HashTree, LookupResult};
use thiserror::Error;

use super::cbor;
use super::certificate::{Certified, Lookup, leb128};
use super::reads::Path;
use crate::ids::{ContentHash, Principal};
use crate::time::Timestamp;

/// How long a ledger's log was at a certified time, and how it ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Tip {
    /// Number of blocks.
    pub length: u64,
    /// Hash of the last one.
    pub hash: ContentHash,
    /// `/time` of the certificate.
    pub at: Timestamp,
}

/// Why a certificate and a tree give no tip.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum TipError {
    /// The tree is not the one whose root hash the ledger has certified. A log that grows between
    /// two looks of a node is read like this, too: reading again is safe.
    #[error("The ledger's certificate is of another state than its answer. Try again.")]
    NotCertified,
    /// The tree does not hold what the standard puts there.
    #[error("The ledger's tree does not name its last block as ICRC-3 does.")]
    Malformed,
}

impl Certified {
    /// The tip of a ledger's log, where this is the certificate that came with it.
    ///
    /// # Errors
    ///
    /// See [`TipError`].
    pub fn tip(&self, ledger: Principal, hash_tree: &[u8]) -> Result<Tip, TipError> {
        let tree: HashTree = cbor::decode(hash_tree).map_err(|_| TipError::Malformed)?;
        match self.lookup(&Path::certified_data(ledger)) {
            Lookup::Found(root) if root == tree.digest() => {}
            Lookup::Found(_) | Lookup::Absent | Lookup::Unknown | Lookup::NotAValue => {
                return Err(TipError::NotCertified);
            }
        }
        let leaf = |label: &[u8]| match tree.lookup_path([label]) {
            LookupResult::Found(leaf) => Some(leaf),
            LookupResult::Absent | LookupResult::Unknown | LookupResult::Error => None,
        };
        let length = leaf(b"last_block_index")
            .and_then(leb128)
            .and_then(|index| index.checked_add(1));
        let hash = leaf(b"last_block_hash").and_then(|hash| <[u8; 32]>::try_from(hash).ok());
        match (length, hash) {
            (Some(length), Some(hash)) => Ok(Tip {
                length,
                hash: ContentHash::from_bytes(hash),
                at: self.time(),
            }),
            (None, _) | (_, None) => Err(TipError::Malformed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testnet::{Key, at, bytes, canister, leb128, time_leaf, tree};
    use super::super::trust::Trust;
    use super::*;
    use crate::time::Span;

    /// A certificate over this certified data of canister 7, admitted.
    fn certified(data: &[u8]) -> Certified {
        let key = Key::new(9);
        let ledger = canister(7);
        let ranges = super::super::testnet::ranges_leaf(&[(0, 100)]);
        let root = key.public();
        let subnet = root.subnet();
        let tree = tree(&[
            (
                &[b"canister", ledger.as_slice(), b"certified_data"],
                data.to_vec(),
            ),
            (&[b"subnet", subnet.as_slice(), b"canister_ranges"], ranges),
            (&[b"time"], time_leaf(at(5))),
        ]);
        let mut trust = Trust::new(root);
        let certificate = bytes(&key.certify(tree, None));
        trust
            .admit(&certificate, ledger, Span::ZERO)
            .expect("it verifies")
    }

    fn tip_tree(index: &[u8], hash: &[u8]) -> HashTree {
        tree(&[
            (&[b"last_block_hash"], hash.to_vec()),
            (&[b"last_block_index"], index.to_vec()),
        ])
    }

    #[test]
    fn a_tip_is_read_with_the_certificates_time() {
        let tree = tip_tree(&leb128(299), &[3; 32]);
        let tip = certified(&tree.digest()).tip(canister(7), &cbor::encode(&tree));
        let hash = ContentHash::from_bytes([3; 32]);
        assert_eq!(
            tip,
            Ok(Tip {
                length: 300,
                hash,
                at: at(5)
            })
        );
    }

    #[test]
    fn a_tree_that_was_not_certified_is_no_tip() {
        let (tree, other) = (
            tip_tree(&leb128(299), &[3; 32]),
            tip_tree(&leb128(298), &[3; 32]),
        );
        let certified = certified(&tree.digest());
        let other = certified.tip(canister(7), &cbor::encode(&other));
        assert_eq!(other, Err(TipError::NotCertified));
        let elsewhere = certified.tip(canister(8), &cbor::encode(&tree));
        assert_eq!(elsewhere, Err(TipError::NotCertified));
    }

    #[test]
    fn a_tree_of_another_shape_is_no_tip() {
        for tree in [
            tip_tree(&leb128(299), &[3; 31]),
            tip_tree(&[0x80], &[3; 32]),
            tip_tree(&leb128(u64::MAX), &[3; 32]),
            ic_certification::empty(),
        ] {
            let tip = certified(&tree.digest()).tip(canister(7), &cbor::encode(&tree));
            assert_eq!(tip, Err(TipError::Malformed));
        }
        let tip = certified(&[0; 32]).tip(canister(7), b"no tree");
        assert_eq!(tip, Err(TipError::Malformed));
    }
}
