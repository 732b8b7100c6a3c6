//! A network in memory, someone with a million on its first ledger, and what certificates say.

#![allow(dead_code, reason = "each test takes what it needs")]

use super::certified::{map_of, tree_of};
use candid::{Decode, Encode, Nat, Principal};
use ciborium::Value;
use countersign_localnet::{
    Config, Nanos,
    canisters::ledger::Ledger,
    config::tka_id,
    faults::Fault,
    network::{Network, Response, Topology},
};
use ed25519_dalek::{Signer as _, SigningKey};
use ic_certification::{HashTree, LookupResult};
use ic_transport_types::{Envelope, EnvelopeContent, RequestId};
use icrc_ledger_types::icrc1::transfer::{TransferArg, TransferError};
use std::{borrow::Cow, collections::BTreeMap};

pub(crate) const NOW: Nanos = 1_800_000_000_000_000_000;
pub(crate) const SECOND: Nanos = 1_000_000_000;
pub(crate) const MINUTE: Nanos = 60 * SECOND;

/// A network, and someone with a million on its first ledger.
pub(crate) struct World {
    pub(crate) network: Network,
    pub(crate) key: SigningKey,
    pub(crate) now: Nanos,
}

/// A transfer that is signed.
pub(crate) struct Sent {
    pub(crate) id: RequestId,
    pub(crate) body: Vec<u8>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::of(Topology::Root)
    }

    pub(crate) fn of(topology: Topology) -> Self {
        let config = Config {
            topology,
            ..Config::default()
        };
        let mut world = Self {
            network: config.network(),
            key: SigningKey::from_bytes(&[3; 32]),
            now: NOW,
        };
        let me = world.me();
        let ledger = world.network.ledger_mut(tka_id()).unwrap();
        ledger.mint(me.into(), 1_000_000, NOW).unwrap();
        world
    }

    pub(crate) fn der(&self) -> Vec<u8> {
        let prefix = [
            0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
        ];
        [&prefix[..], self.key.verifying_key().as_bytes()].concat()
    }

    pub(crate) fn me(&self) -> Principal {
        Principal::self_authenticating(self.der())
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        self.network.ledger(tka_id()).unwrap()
    }

    /// Transfers in the log.
    pub(crate) fn paid(&self) -> usize {
        self.ledger().blocks().len() - 1
    }

    pub(crate) fn seal(&self, content: EnvelopeContent) -> Vec<u8> {
        let signature = self.key.sign(&content.to_request_id().signable());
        Envelope {
            content: Cow::Owned(content),
            sender_pubkey: Some(self.der()),
            sender_sig: Some(signature.to_bytes().to_vec()),
            sender_delegation: None,
        }
        .encode_bytes()
    }

    pub(crate) fn transfer(&self, amount: u64, stamp: Nanos, nonce: u8) -> Sent {
        let arg = TransferArg {
            from_subaccount: None,
            to: Principal::self_authenticating(b"you").into(),
            fee: None,
            created_at_time: Some(stamp),
            memo: None,
            amount: amount.into(),
        };
        let content = EnvelopeContent::Call {
            nonce: Some(vec![nonce]),
            ingress_expiry: self.now + 2 * MINUTE,
            sender: self.me(),
            canister_id: tka_id(),
            method_name: "icrc1_transfer".into(),
            arg: Encode!(&arg).unwrap(),
            sender_info: None,
        };
        Sent {
            id: content.to_request_id(),
            body: self.seal(content),
        }
    }

    pub(crate) fn post(&mut self, path: &str, body: &[u8]) -> Response {
        let path = path.replace("ID", &tka_id().to_text());
        self.network.handle("POST", &path, body, self.now)
    }

    pub(crate) fn send(&mut self, sent: &Sent) -> Response {
        self.post("/api/v4/canister/ID/call", &sent.body)
    }

    /// The certificate with which a call was answered.
    pub(crate) fn replied(&self, response: &Response) -> Certificate {
        let answer = fields(response);
        assert_eq!(answer["status"], Value::from("replied"));
        self.verified(response)
    }

    pub(crate) fn read(&mut self, paths: Vec<Vec<&[u8]>>) -> Response {
        let content = EnvelopeContent::ReadState {
            ingress_expiry: self.now + 2 * MINUTE,
            sender: self.me(),
            paths: paths
                .into_iter()
                .map(|path| path.into_iter().map(Into::into).collect())
                .collect(),
        };
        let body = self.seal(content);
        self.post("/api/v3/canister/ID/read_state", &body)
    }

    /// What a certificate that can be read now says about a call.
    pub(crate) fn status(&mut self, sent: &Sent) -> Status {
        let response = self.read(vec![vec![b"request_status", sent.id.as_slice()]]);
        let certificate = self.verified(&response);
        status_in(&certificate, &sent.id)
    }

    /// The certificate of an answer on the root subnet, its signature verified.
    pub(crate) fn verified(&self, response: &Response) -> Certificate {
        let certificate = Certificate::of(response);
        assert!(certificate.signed_by_root_of(&self.network));
        certificate
    }
}

/// A certificate, read without any checks.
pub(crate) struct Certificate {
    pub(crate) tree: HashTree,
    pub(crate) signature: Vec<u8>,
    pub(crate) delegated: bool,
}

impl Certificate {
    pub(crate) fn of(response: &Response) -> Self {
        Self::read(fields(response)["certificate"].as_bytes().unwrap())
    }

    pub(crate) fn read(bytes: &[u8]) -> Self {
        let map = map_of(bytes);
        Self {
            tree: tree_of(&map["tree"]),
            signature: map["signature"].as_bytes().unwrap().clone(),
            delegated: map.contains_key("delegation"),
        }
    }

    pub(crate) fn signed_by_root_of(&self, network: &Network) -> bool {
        let message = [&b"\x0Dic-state-root"[..], &self.tree.digest()].concat();
        let key = network.root_key().strip_prefix(&PREFIX[..]).unwrap();
        ic_verify_bls_signature::verify_bls_signature(&self.signature, &message, key).is_ok()
    }
}

/// The fields of a 200.
pub(crate) fn fields(response: &Response) -> BTreeMap<String, Value> {
    let (status, body) = response.http().expect("there is an answer");
    assert_eq!(status, 200);
    map_of(body)
}

pub(crate) const PREFIX: [u8; 37] = *b"\x30\x81\x82\x30\x1d\x06\x0d\x2b\x06\x01\x04\x01\x82\xdc\x7c\x05\x03\x01\x02\x01\x06\x0c\x2b\x06\x01\x04\x01\x82\xdc\x7c\x05\x03\x02\x01\x03\x61\x00";

#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Status {
    Absent,
    Word(String),
    Paid(Result<Nat, TransferError>),
    Rejected(u8),
}

pub(crate) fn status_in(certificate: &Certificate, id: &RequestId) -> Status {
    let at = |label: &[u8]| {
        certificate
            .tree
            .lookup_path([&b"request_status"[..], id.as_slice(), label])
    };
    let word = match at(b"status") {
        LookupResult::Absent => return Status::Absent,
        LookupResult::Found(word) => String::from_utf8(word.to_vec()).unwrap(),
        other @ (LookupResult::Unknown | LookupResult::Error) => panic!("{other:?}"),
    };
    match (word.as_str(), at(b"reply"), at(b"reject_code")) {
        ("replied", LookupResult::Found(reply), _) => {
            Status::Paid(Decode!(reply, Result<Nat, TransferError>).unwrap())
        }
        ("rejected", _, LookupResult::Found(code)) => Status::Rejected(code[0]),
        _ => Status::Word(word),
    }
}

pub(crate) fn paid(block: u64) -> Status {
    Status::Paid(Ok(block.into()))
}

pub(crate) fn http_status(response: &Response) -> Option<u16> {
    response.http().map(|(status, _)| status)
}

pub(crate) fn named(name: &str) -> Fault {
    Fault::named(name).unwrap()
}
