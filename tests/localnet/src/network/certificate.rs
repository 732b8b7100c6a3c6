//! Certificates: a witness, a BLS signature of its root hash, and, where the network is a subnet
//! of its own, a delegation from the root.

use super::{
    cbor,
    keys::{NodeKey, Simulated, StateKey},
    tree::{State, leb128},
};
use crate::{Nanos, faults::BadCertificate};
use candid::Principal;
use ic_certification::{Certificate, Delegation, HashTree, HashTreeNode};
use serde_bytes::{ByteBuf, Bytes};
use std::time::Duration;

/// Which subnet the canisters live on.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Topology {
    /// On the root subnet itself: certificates carry no delegation.
    #[default]
    Root,
    /// On a subnet of their own: every certificate carries a delegation from the root.
    Delegated,
}

/// Where a delegation's canister ranges stand. The older endpoints (query, call and read_state up
/// to one version back) still have the flat form.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum RangesAt {
    /// `/canister_ranges/<subnet id>/<first id of the shard>`.
    Shards,
    /// `/subnet/<subnet id>/canister_ranges`.
    Subnet,
}

/// Inclusive ranges of canister ids.
pub(super) type Ranges = Vec<(Principal, Principal)>;

/// The canister id with this number.
pub(crate) fn canister_id(number: u64) -> Principal {
    let mut bytes = number.to_be_bytes().to_vec();
    bytes.extend_from_slice(&[1, 1]);
    Principal::from_slice(&bytes)
}

fn ranges_cbor(ranges: &Ranges) -> Vec<u8> {
    let pairs: Vec<(ByteBuf, ByteBuf)> = ranges
        .iter()
        .map(|(low, high)| {
            (
                ByteBuf::from(low.as_slice()),
                ByteBuf::from(high.as_slice()),
            )
        })
        .collect();
    cbor::encode(&pairs)
}

/// The authority of a network: its root key, and the key of the subnet that its canisters live on.
#[derive(Clone)]
pub(super) struct Authority {
    topology: Topology,
    root: StateKey,
    subnet: StateKey,
    /// A key that nobody has heard of.
    stranger: StateKey,
    node: NodeKey,
    ranges: Ranges,
}

impl Authority {
    pub(super) fn from_seed(seed: &str, topology: Topology) -> Self {
        Self {
            topology,
            root: StateKey::from_seed(seed, "root"),
            subnet: StateKey::from_seed(seed, "subnet"),
            stranger: StateKey::from_seed(seed, "stranger"),
            node: NodeKey::from_seed(seed),
            ranges: vec![(canister_id(0), canister_id(u64::MAX))],
        }
    }

    pub(super) fn simulated_by(self, simulated: Simulated) -> Self {
        Self {
            root: self.root.simulated_by(simulated),
            subnet: self.subnet.simulated_by(simulated),
            ..self
        }
    }

    pub(super) fn root_key(&self) -> &[u8] {
        self.root.der()
    }

    pub(super) fn node(&self) -> &NodeKey {
        &self.node
    }

    fn own(&self) -> &StateKey {
        match self.topology {
            Topology::Root => &self.root,
            Topology::Delegated => &self.subnet,
        }
    }

    /// The subnet that the canisters live on.
    pub(super) fn subnet_id(&self) -> Principal {
        self.own().subnet_id()
    }

    /// Writes what the state tree says about the subnet.
    pub(super) fn describe(&self, state: &mut State) {
        let id = self.subnet_id();
        let subnet = id.as_slice();
        let kind: &[u8] = match self.topology {
            Topology::Root => b"system",
            Topology::Delegated => b"application",
        };
        state.set(&[b"subnet", subnet, b"public_key"], self.own().der());
        state.set(&[b"subnet", subnet, b"type"], kind);
        state.set(
            &[
                b"subnet",
                subnet,
                b"node",
                self.node.id().as_slice(),
                b"public_key",
            ],
            self.node.der(),
        );
        describe_ranges(state, id, &self.ranges, RangesAt::Subnet);
        describe_ranges(state, id, &self.ranges, RangesAt::Shards);
    }

    /// Signs a witness.
    pub(super) fn certify(
        &self,
        witness: HashTree,
        now: Nanos,
        ranges_at: RangesAt,
        bad: Option<BadCertificate>,
    ) -> Vec<u8> {
        let mut root_hash = witness.digest();
        if bad == Some(BadCertificate::TamperedSignature) {
            // A well-formed signature by the right key, of another state.
            root_hash[0] ^= 1;
        }
        let (key, delegation) = match (self.topology, bad) {
            (_, Some(BadCertificate::WrongDelegationRange)) => {
                let elsewhere = vec![(canister_id(u64::MAX - 1), canister_id(u64::MAX - 1))];
                let delegation = self.delegation(now, &elsewhere, ranges_at);
                (&self.subnet, Some(delegation))
            }
            (_, Some(BadCertificate::WrongRootKey)) => (&self.stranger, None),
            (Topology::Root, _) => (&self.root, None),
            (Topology::Delegated, _) => {
                let delegation = self.delegation(now, &self.ranges, ranges_at);
                (&self.subnet, Some(delegation))
            }
        };
        let signature = key.sign_root(&root_hash).to_vec();
        let tree = match bad {
            Some(BadCertificate::TamperedTree) => tamper(witness),
            Some(_) | None => witness,
        };
        cbor::encode(&Certificate {
            tree,
            signature,
            delegation,
        })
    }

    fn delegation(&self, now: Nanos, ranges: &Ranges, ranges_at: RangesAt) -> Delegation {
        let subnet_id = self.subnet.subnet_id();
        let mut state = State::default();
        state.set(
            &[b"subnet", subnet_id.as_slice(), b"public_key"],
            self.subnet.der(),
        );
        describe_ranges(&mut state, subnet_id, ranges, ranges_at);
        state.set(&[b"time"], leb128(now));
        let tree = state.full();
        let signature = self.root.sign_root(&tree.digest()).to_vec();
        Delegation {
            subnet_id: subnet_id.as_slice().to_vec(),
            certificate: cbor::encode(&Certificate {
                tree,
                signature,
                delegation: None,
            }),
        }
    }
}

fn describe_ranges(state: &mut State, subnet: Principal, ranges: &Ranges, at: RangesAt) {
    let subnet = subnet.as_slice();
    match (at, ranges.first()) {
        (RangesAt::Subnet, _) => state.set(
            &[b"subnet", subnet, b"canister_ranges"],
            ranges_cbor(ranges),
        ),
        (RangesAt::Shards, Some((first, _))) => state.set(
            &[b"canister_ranges", subnet, first.as_slice()],
            ranges_cbor(ranges),
        ),
        (RangesAt::Shards, None) => state.node(&[b"canister_ranges", subnet]),
    }
}

/// Changes one value of a witness after it was signed: the reply, where it shows one, so that a
/// reader who does not check would believe it; else the time.
fn tamper(witness: HashTree) -> HashTree {
    let mut root = HashTreeNode::from(witness);
    if !change_leaf(&mut root, b"reply") {
        change_leaf(&mut root, b"time");
    }
    root_of(root)
}

fn change_leaf(node: &mut HashTreeNode, under: &[u8]) -> bool {
    match node {
        HashTreeNode::Empty() | HashTreeNode::Leaf(_) | HashTreeNode::Pruned(_) => false,
        HashTreeNode::Fork(both) => {
            change_leaf(&mut both.0, under) || change_leaf(&mut both.1, under)
        }
        HashTreeNode::Labeled(label, child) => match child.as_mut() {
            HashTreeNode::Leaf(value) if label.as_bytes() == under => {
                if under == b"time" {
                    // The lowest seven bits of the LEB128 number: still a time, a moment away.
                    value[0] ^= 1;
                } else if let Some(last) = value.last_mut() {
                    *last ^= 1;
                }
                true
            }
            other => change_leaf(other, under),
        },
    }
}

fn root_of(node: HashTreeNode) -> HashTree {
    use ic_certification::hash_tree;
    match node {
        HashTreeNode::Empty() => hash_tree::empty(),
        HashTreeNode::Fork(both) => hash_tree::fork(root_of(both.0), root_of(both.1)),
        HashTreeNode::Labeled(label, child) => hash_tree::label(label, root_of(*child)),
        HashTreeNode::Leaf(value) => hash_tree::leaf(value),
        HashTreeNode::Pruned(hash) => hash_tree::pruned(hash),
    }
}

/// The time that a bad certificate states, where its fault is in the time.
pub(super) fn stated_time(now: Nanos, bad: Option<BadCertificate>) -> Nanos {
    const TEN_MINUTES: Nanos = Duration::from_secs(600).as_nanos() as Nanos;
    match bad {
        Some(BadCertificate::Stale) => now.saturating_sub(TEN_MINUTES),
        Some(BadCertificate::Future) => now.saturating_add(TEN_MINUTES),
        Some(
            BadCertificate::TamperedTree
            | BadCertificate::TamperedSignature
            | BadCertificate::WrongRootKey
            | BadCertificate::WrongDelegationRange
            | BadCertificate::TamperedQuerySignature,
        )
        | None => now,
    }
}

/// The controllers of a canister, as the state tree has them.
pub(super) fn controllers_cbor(controllers: &[Principal]) -> Vec<u8> {
    let list: Vec<&Bytes> = controllers
        .iter()
        .map(|id| Bytes::new(id.as_slice()))
        .collect();
    cbor::encode(&list)
}
