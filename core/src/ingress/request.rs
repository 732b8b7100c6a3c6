//! What is asked of the network: the content of a call, a query or a read of the state tree, and
//! its request id. Unsigned: [`super::envelope`] seals it.

use ic_transport_types::EnvelopeContent;

use super::{cbor, reads::Path};
use crate::ids::{Principal, RequestId};
use crate::time::Timestamp;

/// The longest nonce the network takes, in bytes.
pub const MAX_NONCE: usize = 32;

/// What goes before a request id to be signed (IC interface specification, "Authentication").
const DOMAIN: &[u8; 11] = b"\x0Aic-request";

/// Random bytes that make a request id its own: at most [`MAX_NONCE`] of them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Nonce(Vec<u8>);

impl Nonce {
    /// The nonce made of this entropy.
    #[must_use]
    pub fn from_entropy(entropy: [u8; 16]) -> Self {
        Self(entropy.to_vec())
    }

    /// A nonce that someone else chose. `None` where it is longer than [`MAX_NONCE`] bytes.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        (bytes.len() <= MAX_NONCE).then_some(Self(bytes))
    }

    /// Its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A replicated call.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CallRequest {
    /// The canister that is called.
    pub canister: Principal,
    /// Its method.
    pub method: String,
    /// The argument's bytes, as stored with the intent. Nothing re-encodes them.
    pub arg: Vec<u8>,
    /// Who calls.
    pub sender: Principal,
    /// After this time by the subnet's clock the call is not begun any more.
    pub ingress_expiry: Timestamp,
    /// What tells equal calls apart. Without one, equal contents are one request.
    pub nonce: Option<Nonce>,
}

/// A query: answered by one node, which signs its answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct QueryRequest {
    /// The canister that is asked.
    pub canister: Principal,
    /// Its method.
    pub method: String,
    /// The argument's bytes.
    pub arg: Vec<u8>,
    /// Who asks.
    pub sender: Principal,
    /// After this time by the node's clock the query is not answered any more.
    pub ingress_expiry: Timestamp,
    /// What tells equal calls apart. Without one, equal contents are one request.
    pub nonce: Option<Nonce>,
}

/// A read of the certified state tree.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReadStateRequest {
    /// What to read. `/time` is in every answer.
    pub paths: Vec<Path>,
    /// Who reads. For the status of a call it must be the call's sender.
    pub sender: Principal,
    /// After this time by the node's clock the read is not answered any more.
    pub ingress_expiry: Timestamp,
}

/// What can be sealed in an envelope.
pub trait Request {
    /// The content as the wire knows it.
    fn content(&self) -> EnvelopeContent;

    /// Who asks.
    fn sender(&self) -> Principal;

    /// The request id: the representation-independent hash of the content (IC interface
    /// specification, "Request ids"). Signature and key are not in it.
    fn request_id(&self) -> RequestId {
        RequestId::from_bytes(*self.content().to_request_id())
    }

    /// The content map in CBOR, as a record keeps it. Equal contents give equal bytes.
    fn content_bytes(&self) -> Vec<u8> {
        cbor::encode(&self.content())
    }

    /// What the sender signs.
    fn bytes_to_sign(&self) -> Vec<u8> {
        let mut bytes = DOMAIN.to_vec();
        bytes.extend_from_slice(self.request_id().as_bytes());
        bytes
    }
}

impl Request for CallRequest {
    fn content(&self) -> EnvelopeContent {
        EnvelopeContent::Call {
            nonce: self.nonce.clone().map(|nonce| nonce.0),
            ingress_expiry: self.ingress_expiry.as_nanos(),
            sender: self.sender,
            canister_id: self.canister,
            method_name: self.method.clone(),
            arg: self.arg.clone(),
            sender_info: None,
        }
    }

    fn sender(&self) -> Principal {
        self.sender
    }
}

impl Request for QueryRequest {
    fn content(&self) -> EnvelopeContent {
        EnvelopeContent::Query {
            ingress_expiry: self.ingress_expiry.as_nanos(),
            sender: self.sender,
            canister_id: self.canister,
            method_name: self.method.clone(),
            arg: self.arg.clone(),
            nonce: self.nonce.clone().map(|nonce| nonce.0),
            sender_info: None,
        }
    }

    fn sender(&self) -> Principal {
        self.sender
    }
}

impl Request for ReadStateRequest {
    fn content(&self) -> EnvelopeContent {
        EnvelopeContent::ReadState {
            ingress_expiry: self.ingress_expiry.as_nanos(),
            sender: self.sender,
            paths: self.paths.iter().map(Path::to_labels).collect(),
        }
    }

    fn sender(&self) -> Principal {
        self.sender
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::to_hex;

    fn specification_example() -> CallRequest {
        CallRequest {
            canister: Principal::from_slice(&[0, 0, 0, 0, 0, 0, 0x04, 0xd2]),
            method: "hello".to_owned(),
            arg: b"DIDL\x00\xFD*".to_vec(),
            sender: Principal::anonymous(),
            ingress_expiry: Timestamp::from_nanos(1_685_570_400_000_000_000),
            nonce: None,
        }
    }

    #[test]
    fn a_request_id_is_the_interface_specifications() {
        // IC interface specification, "Request ids", the example with sender and expiry.
        assert_eq!(
            specification_example().request_id().to_string(),
            "1d1091364d6bb8a6c16b203ee75467d59ead468f523eb058880ae8ec80e2b101"
        );
    }

    #[test]
    fn what_is_signed_is_the_request_id_in_its_domain() {
        let request = specification_example();
        let bytes = request.bytes_to_sign();
        assert_eq!(bytes[..11], *b"\x0Aic-request");
        assert_eq!(to_hex(&bytes[11..]), request.request_id().to_string());
    }

    #[test]
    fn every_part_of_a_call_is_in_its_request_id() {
        let base = specification_example();
        let changed = [
            CallRequest {
                canister: Principal::management_canister(),
                ..base.clone()
            },
            CallRequest {
                method: "hello2".to_owned(),
                ..base.clone()
            },
            CallRequest {
                arg: b"DIDL\x00\x00".to_vec(),
                ..base.clone()
            },
            CallRequest {
                sender: Principal::management_canister(),
                ..base.clone()
            },
            CallRequest {
                ingress_expiry: base.ingress_expiry.plus(crate::time::Span::from_nanos(1)),
                ..base.clone()
            },
            CallRequest {
                nonce: Nonce::from_bytes(vec![0]),
                ..base.clone()
            },
        ];
        let mut ids: Vec<_> = changed.iter().map(Request::request_id).collect();
        ids.push(base.request_id());
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), changed.len() + 1);
    }

    #[test]
    fn a_nonce_has_at_most_32_bytes() {
        assert!(Nonce::from_bytes(vec![0; 32]).is_some());
        assert!(Nonce::from_bytes(vec![0; 33]).is_none());
    }

    #[test]
    fn a_content_map_has_these_bytes() {
        assert_eq!(
            to_hex(&specification_example().content_bytes()),
            concat!(
                "d9d9f7a6",
                "6c726571756573745f747970656463616c6c",
                "6e696e67726573735f6578706972791b1764595927e9c000",
                "6673656e6465724104",
                "6b63616e69737465725f69644800000000000004d2",
                "6b6d6574686f645f6e616d656568656c6c6f",
                "63617267474449444c00fd2a",
            )
        );
    }
}
