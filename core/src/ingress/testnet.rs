//! Keys and trees for the tests of this room: a root key, a subnet's key, nodes, and certificates
//! made with them, right or wrong in one thing.

use ed25519_dalek::SigningKey;
use ic_certification::{Certificate, Delegation, HashTree, empty, fork, labeled, leaf};
use ic_verify_bls_signature::PrivateKey;

use super::{cbor, root_key::RootKey};
use crate::ids::Principal;
use crate::time::{Span, Timestamp};

/// A BLS key made of one byte.
pub(super) struct Key(PrivateKey);

impl Key {
    pub(super) fn new(seed: u8) -> Self {
        let mut bytes = [seed; 32];
        bytes[0] = 1;
        Self(PrivateKey::deserialize(&bytes).unwrap())
    }

    pub(super) fn public(&self) -> RootKey {
        let mut der = RootKey::mainnet().as_der().to_vec();
        der.truncate(37);
        der.extend_from_slice(&self.0.public_key().serialize());
        RootKey::from_der(&der).unwrap()
    }

    pub(super) fn certify(&self, tree: HashTree, delegation: Option<Delegation>) -> Certificate {
        let mut message = b"\x0Dic-state-root".to_vec();
        message.extend_from_slice(&tree.digest());
        Certificate {
            signature: self.0.sign(&message).serialize().to_vec(),
            tree,
            delegation,
        }
    }
}

pub(super) fn bytes(certificate: &Certificate) -> Vec<u8> {
    cbor::encode(certificate)
}

/// Certified time in these tests, this many seconds after some point.
pub(super) fn at(secs: u64) -> Timestamp {
    Timestamp::from_nanos(1_800_000_000_000_000_000).plus(Span::from_secs(secs))
}

/// The canister with this number.
pub(super) fn canister(number: u64) -> Principal {
    let mut id = number.to_be_bytes().to_vec();
    id.extend_from_slice(&[1, 1]);
    Principal::from_slice(&id)
}

pub(super) fn leb128(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = value.to_le_bytes()[0] & 0x7f;
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

/// A tree of these paths and values. Paths must be given in order.
pub(super) fn tree(entries: &[(&[&[u8]], Vec<u8>)]) -> HashTree {
    let Some(((first, _), _)) = entries.split_first() else {
        return empty();
    };
    let Some(label) = first.first() else {
        return leaf(entries[0].1.clone());
    };
    let same = entries
        .iter()
        .take_while(|(path, _)| path.first() == Some(label))
        .count();
    let below: Vec<_> = entries[..same]
        .iter()
        .map(|(path, value)| (&path[1..], value.clone()))
        .collect();
    let left = labeled(label.to_vec(), tree(&below));
    if same == entries.len() {
        left
    } else {
        fork(left, tree(&entries[same..]))
    }
}

pub(super) fn time_leaf(time: Timestamp) -> Vec<u8> {
    leb128(time.as_nanos())
}

pub(super) fn ranges_leaf(ranges: &[(u64, u64)]) -> Vec<u8> {
    let ranges: Vec<(Principal, Principal)> = ranges
        .iter()
        .map(|(first, last)| (canister(*first), canister(*last)))
        .collect();
    cbor::encode(&ranges)
}

pub(super) fn ed25519_der(key: &SigningKey) -> Vec<u8> {
    let mut der = vec![
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ];
    der.extend_from_slice(key.verifying_key().as_bytes());
    der
}
