//! Paths in the state tree, and what is read there: a canister's metadata and module, a subnet's
//! nodes. The status of a call is in [`super::status`].
//!
//! Source: IC interface specification, "The system state tree".

use litemap::LiteMap;

use ic_certification::{Label, LookupResult, SubtreeLookupResult};
use thiserror::Error;

use super::certificate::{Certified, Lookup};
use crate::ids::{ContentHash, Principal, RequestId};
use crate::time::Timestamp;

/// A path in the state tree.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Path(Vec<Vec<u8>>);

impl Path {
    fn new(segments: &[&[u8]]) -> Self {
        Self(segments.iter().map(|segment| segment.to_vec()).collect())
    }

    /// `/time`. It is in every certificate; asked for alone, it makes the smallest read.
    #[must_use]
    pub fn time() -> Self {
        Self::new(&[b"time"])
    }

    /// `/request_status/<id>`.
    #[must_use]
    pub fn request_status(id: &RequestId) -> Self {
        Self::new(&[b"request_status", id.as_bytes()])
    }

    /// `/canister/<id>/metadata/<name>`.
    #[must_use]
    pub fn metadata(canister: Principal, name: &str) -> Self {
        Self::new(&[
            b"canister",
            canister.as_slice(),
            b"metadata",
            name.as_bytes(),
        ])
    }

    /// `/canister/<id>/module_hash`.
    #[must_use]
    pub fn module_hash(canister: Principal) -> Self {
        Self::new(&[b"canister", canister.as_slice(), b"module_hash"])
    }

    /// `/canister/<id>/certified_data`.
    #[must_use]
    pub fn certified_data(canister: Principal) -> Self {
        Self::new(&[b"canister", canister.as_slice(), b"certified_data"])
    }

    /// `/subnet`: what a canister's address shows of its own subnet, the keys of its nodes among
    /// it, and of the root subnet its ranges.
    #[must_use]
    pub fn subnet_and_ranges() -> Vec<Self> {
        vec![Self::new(&[b"subnet"])]
    }

    /// The path continued by one more segment.
    pub(super) fn then(&self, segment: &[u8]) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment.to_vec());
        Self(segments)
    }

    pub(super) fn segments(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(Vec::as_slice)
    }

    pub(super) fn to_labels(&self) -> Vec<Label> {
        self.segments().map(Label::from_bytes).collect()
    }
}

/// Why a certified tree does not hold what was read.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ReadError {
    /// The tree does not say whether it is there.
    #[error("The network's answer leaves out what was asked for. Try again.")]
    LeftOut,
    /// It is there, but not in the shape the specification gives it.
    #[error("The network's answer does not have the shape that the protocol gives it. Try again.")]
    Malformed,
}

impl Certified {
    /// The canister's metadata section of that name, such as `candid:service`. `None` where the
    /// canister is certified to have none, or there is no such canister.
    ///
    /// # Errors
    ///
    /// The tree does not say.
    pub fn metadata(&self, canister: Principal, name: &str) -> Result<Option<&[u8]>, ReadError> {
        self.value(&Path::metadata(canister, name))
    }

    /// The SHA-256 of the canister's module. `None` where it is certified to have no module.
    ///
    /// # Errors
    ///
    /// The tree does not say, or holds no hash there.
    pub fn module_hash(&self, canister: Principal) -> Result<Option<ContentHash>, ReadError> {
        self.value(&Path::module_hash(canister))?
            .map(|bytes| {
                <[u8; 32]>::try_from(bytes)
                    .map(ContentHash::from_bytes)
                    .map_err(|_| ReadError::Malformed)
            })
            .transpose()
    }

    fn value(&self, path: &Path) -> Result<Option<&[u8]>, ReadError> {
        match self.lookup(path) {
            Lookup::Found(value) => Ok(Some(value)),
            Lookup::Absent => Ok(None),
            Lookup::Unknown => Err(ReadError::LeftOut),
            Lookup::NotAValue => Err(ReadError::Malformed),
        }
    }
}

/// What starts an Ed25519 public key in DER (RFC 8410).
const ED25519_DER_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

/// A subnet's nodes with their keys, by which the replies of queries are checked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Subnet {
    id: Principal,
    nodes: LiteMap<Principal, [u8; 32]>,
    time: Timestamp,
}

impl Subnet {
    /// Reads the nodes of the subnet that certified the tree, from an answer to
    /// [`Path::subnet_and_ranges`].
    ///
    /// # Errors
    ///
    /// The tree does not show them, or a node's key is no Ed25519 key in DER.
    pub fn read(certified: &Certified) -> Result<Self, ReadError> {
        let id = certified.subnet();
        let nodes =
            match certified
                .tree()
                .lookup_subtree([b"subnet".as_slice(), id.as_slice(), b"node"])
            {
                SubtreeLookupResult::Found(nodes) => nodes,
                SubtreeLookupResult::Absent => return Err(ReadError::Malformed),
                SubtreeLookupResult::Unknown => return Err(ReadError::LeftOut),
            };
        let mut keys = LiteMap::new_vec();
        for path in nodes.list_paths() {
            let [node, leaf] = path.as_slice() else {
                continue;
            };
            if leaf.as_bytes() != b"public_key" {
                continue;
            }
            let node =
                Principal::try_from_slice(node.as_bytes()).map_err(|_| ReadError::Malformed)?;
            let LookupResult::Found(der) =
                nodes.lookup_path([node.as_slice(), b"public_key".as_slice()])
            else {
                return Err(ReadError::Malformed);
            };
            let key = der
                .strip_prefix(&ED25519_DER_PREFIX)
                .and_then(|key| <[u8; 32]>::try_from(key).ok())
                .ok_or(ReadError::Malformed)?;
            keys.insert(node, key);
        }
        if keys.is_empty() {
            return Err(ReadError::LeftOut);
        }
        Ok(Self {
            id,
            nodes: keys,
            time: certified.time(),
        })
    }

    /// The subnet's id.
    #[must_use]
    pub const fn id(&self) -> Principal {
        self.id
    }

    /// When this was certified.
    #[must_use]
    pub const fn time(&self) -> Timestamp {
        self.time
    }

    /// How many nodes it has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The Ed25519 key of one of its nodes.
    pub(super) fn node_key(&self, node: Principal) -> Option<&[u8; 32]> {
        self.nodes.get(&node)
    }
}

#[cfg(test)]
mod tests;
