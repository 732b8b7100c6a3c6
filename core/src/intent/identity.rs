//! Who asked for what: the hash by which two preparations are one intent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::ids::{IdentityHash, NetworkId, Principal};

/// The way by which an agent reached the wallet.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Door {
    /// MCP over window messages.
    Mcp,
}

impl Door {
    /// The word in hashes and records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
        }
    }
}

/// Everything that makes two preparations the same wish.
///
/// What the wallet fills in (stamp, fee, hidden and left-out positions) is no part of it, and
/// neither is the sender: else a changed fee or account would turn a repeated wish into a second
/// payment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Identity<'a> {
    /// The asking origin.
    pub origin: &'a str,
    /// The way it came.
    pub door: Door,
    /// The network.
    pub network: NetworkId,
    /// The canister.
    pub canister: Principal,
    /// The method.
    pub method: &'a str,
    /// The inputs the caller gave, converted: path → canonical value. A relative time is its
    /// duration, a name its value, so that `1.5` and `1.50` are one.
    pub inputs: &'a BTreeMap<String, String>,
}

impl Identity<'_> {
    /// SHA-256 over the parts in fixed order, each with its length before it (8 bytes, big
    /// endian), after the domain `countersign-identity-1`; then the number of inputs, then each
    /// path and value in order of the paths' bytes.
    #[must_use]
    pub fn hash(&self) -> IdentityHash {
        let mut hasher = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hasher.update((bytes.len() as u64).to_be_bytes());
            hasher.update(bytes);
        };
        part(b"countersign-identity-1");
        part(self.origin.as_bytes());
        part(self.door.as_str().as_bytes());
        part(self.network.as_bytes());
        part(self.canister.as_slice());
        part(self.method.as_bytes());
        part(&(self.inputs.len() as u64).to_be_bytes());
        for (path, value) in self.inputs {
            part(path.as_bytes());
            part(value.as_bytes());
        }
        IdentityHash::from_bytes(hasher.finalize().into())
    }
}
