//! Networks, the canisters on them, and what is known of each.

use crate::engine::record::Record;
use crate::ids::{ContentHash, NetworkId, Principal};
use crate::ingress::{Endpoint, Trust};
use crate::ports::store::Table;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The text of an interface that something was accepted or prepared with, by its hash. Two texts can
/// have one fingerprint and call their types by other names, which profiles speak of.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct InterfaceText {
    /// SHA-256 of the text.
    pub hash: ContentHash,
    /// The text, as it was certified.
    pub text: String,
}

impl Record for InterfaceText {
    const TABLE: Table = Table::Interfaces;
    const V: u16 = 1;

    fn key(&self) -> String {
        self.hash.to_string()
    }
}

/// The text of a profile that applies to a canister or did when something was prepared, by its hash.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProfileText {
    /// SHA-256 of the text.
    pub hash: ContentHash,
    /// The text, as it was given.
    pub text: String,
}

impl Record for ProfileText {
    // Beside the interfaces: both are texts by a hash of their own.
    const TABLE: Table = Table::Interfaces;
    const V: u16 = 1;

    fn key(&self) -> String {
        self.hash.to_string()
    }
}

/// A network the wallet knows. Its root key was shown to the person once and is never read again.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Network {
    /// The root key, and what certificates under it have told.
    pub trust: Trust,
    /// The name the person gave.
    pub name: String,
    /// Where it is reached, in the order to be tried.
    pub endpoints: Vec<Endpoint>,
    /// Ledgers on it that the person says are known to drop repeats.
    pub deduplicating: Vec<Principal>,
    /// When it was added, by the host's clock.
    pub added: Timestamp,
}

impl Network {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> NetworkId {
        self.trust.network()
    }
}

impl Record for Network {
    const TABLE: Table = Table::Networks;
    const V: u16 = 1;

    fn key(&self) -> String {
        self.id().to_string()
    }
}

/// A canister as the person accepted it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Canister {
    /// The network it is on.
    pub network: NetworkId,
    /// Its id.
    pub id: Principal,
    /// Fingerprint of its interface.
    pub fingerprint: ContentHash,
    /// SHA-256 of its code, certified; `None` where it shows none.
    pub module: Option<ContentHash>,
    /// SHA-256 of the text of the interface, where the person pasted it, since the canister certifies
    /// none.
    #[serde(default)]
    pub pasted: Option<ContentHash>,
    /// The profiles that the person trusts for it, by SHA-256 of their texts: they are proposed to
    /// the next site that asks.
    #[serde(default)]
    pub trusted: Vec<ContentHash>,
    /// Certified values that profiles refer to.
    pub values: BTreeMap<String, Value>,
    /// When all this was certified.
    pub at: Timestamp,
    /// Its code is found to be another than was accepted: no tools until the person has seen it
    /// anew.
    pub withheld: bool,
}

impl Canister {
    /// Hash of what a site is given of it: code, interface, and the values that its tools are
    /// worded with, which are those that `refers` names.
    #[must_use]
    pub fn accepted(&self, refers: &BTreeSet<String>) -> ContentHash {
        let values: BTreeMap<&String, &Value> = self
            .values
            .iter()
            .filter(|(name, _)| refers.contains(*name))
            .collect();
        let of = (self.fingerprint, self.module, values);
        ContentHash::of(&serde_json::to_vec(&of).expect("texts and hashes are JSON"))
    }
}

/// A ledger that was seen to drop a repeat of ours, and the code that it ran then.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct DropsRepeats {
    /// The network it is on.
    pub network: NetworkId,
    /// Its id.
    pub id: Principal,
    /// SHA-256 of its code: other code may do otherwise.
    pub module: ContentHash,
}

impl DropsRepeats {
    /// The key of a ledger's row.
    #[must_use]
    pub fn key_of(network: &NetworkId, id: &Principal) -> String {
        format!("drops-repeats {network} {id}")
    }
}

impl Record for DropsRepeats {
    const TABLE: Table = Table::Settings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.network, &self.id)
    }
}

/// A certified reply of a canister, by the method that gave it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Value {
    /// A whole number, as decimal digits.
    Number(String),
    /// A text, escaped.
    Text(String),
}

impl Canister {
    /// The key of the canister with this id on this network.
    #[must_use]
    pub fn key_of(network: &NetworkId, id: &Principal) -> String {
        format!("{network} {id}")
    }
}

impl Record for Canister {
    const TABLE: Table = Table::Canisters;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.network, &self.id)
    }

    fn group(&self) -> Option<String> {
        Some(self.network.to_string())
    }
}

/// The latest stamp of one sender on one canister that was handed over.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Floor {
    /// The network.
    pub network: NetworkId,
    /// The canister.
    pub canister: Principal,
    /// The sender.
    pub sender: Principal,
    /// The stamp.
    pub latest: Timestamp,
}

impl Floor {
    /// The key of a sender's floor on a canister.
    #[must_use]
    pub fn key_of(network: &NetworkId, canister: &Principal, sender: &Principal) -> String {
        format!("{network} {canister} {sender}")
    }
}

impl Record for Floor {
    const TABLE: Table = Table::Floors;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.network, &self.canister, &self.sender)
    }
}
