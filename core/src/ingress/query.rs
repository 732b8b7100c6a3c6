//! Replies of queries: one node's word, signed by it. Good enough to show, never a proof.

use ed25519_dalek::{Signature, VerifyingKey};
use ic_transport_types::to_request_id;
use serde::Serialize;
use serde_bytes::Bytes;
use thiserror::Error;

use super::{
    answer::{QueryAnswer, Reject, RejectCode, Said},
    reads::Subnet,
};
use crate::ids::{Principal, RequestId};
use crate::text::Untrusted;
use crate::time::{Span, Timestamp};

/// What goes before the hash to be signed (IC interface specification, "Request: Query call").
const DOMAIN: &[u8; 12] = b"\x0Bic-response";

/// How far a node's stated time may be from the subnet's certified time.
pub const MAX_DISTANCE: Span = Span::from_mins(5);

/// What a canister answered to a query, by the word of a node of its subnet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum QueryReply {
    /// The reply.
    Replied(Vec<u8>),
    /// A reject.
    Rejected(Reject),
}

/// Why a query's answer is not believed.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum QueryError {
    /// No node has signed it.
    #[error("The answer is not signed by any node. Nothing was read; try again.")]
    Unsigned,
    /// More signatures than the subnet has nodes.
    #[error("The answer has more signatures than there are nodes. Nothing was read; try again.")]
    TooManySignatures,
    /// Signed by someone who is no node of the canister's subnet, as far as is known. The nodes
    /// are worth reading again once.
    #[error(
        "The answer is signed by {0}, no known node of the subnet. Nothing was read; try again."
    )]
    UnknownNode(Principal),
    /// A signature is not the node's over this answer.
    #[error("The signature of node {0} is wrong. Nothing was read; try again.")]
    Signature(Principal),
    /// Made long before the subnet's certified time.
    #[error("The answer is old. Nothing was read; try again.")]
    Stale,
    /// Made long after the subnet's certified time.
    #[error("The answer is from the future. Nothing was read; try again.")]
    Future,
}

impl QueryError {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unsigned => "E_QUERY_UNSIGNED",
            Self::TooManySignatures => "E_QUERY_SIGNATURES",
            Self::UnknownNode(_) => "E_QUERY_NODE",
            Self::Signature(_) => "E_QUERY_SIGNATURE",
            Self::Stale => "E_QUERY_STALE",
            Self::Future => "E_QUERY_FUTURE",
        }
    }
}

/// What a node signs, as the specification's hash takes it.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
enum Signed<'a> {
    Replied {
        reply: SignedReply<'a>,
        request_id: &'a Bytes,
        timestamp: u64,
    },
    Rejected {
        reject_code: u64,
        reject_message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        error_code: Option<&'a str>,
        request_id: &'a Bytes,
        timestamp: u64,
    },
}

#[derive(Serialize)]
struct SignedReply<'a> {
    arg: &'a Bytes,
}

impl QueryAnswer {
    /// Checks the signatures and gives what was answered to the query with this request id.
    ///
    /// `now` is the subnet's certified time, carried or read for this query.
    ///
    /// # Errors
    ///
    /// Every reason not to believe it.
    pub fn verify(
        &self,
        query: &RequestId,
        subnet: &Subnet,
        now: Timestamp,
    ) -> Result<QueryReply, QueryError> {
        if self.signatures.is_empty() {
            return Err(QueryError::Unsigned);
        }
        if self.signatures.len() > subnet.size() {
            return Err(QueryError::TooManySignatures);
        }
        for signed in &self.signatures {
            let key = subnet
                .node_key(signed.node)
                .ok_or(QueryError::UnknownNode(signed.node))?;
            let wrong = QueryError::Signature(signed.node);
            let key = VerifyingKey::from_bytes(key).map_err(|_| wrong)?;
            let signature = Signature::from_slice(&signed.signature).map_err(|_| wrong)?;
            key.verify_strict(&self.signed_bytes(query, signed.time), &signature)
                .map_err(|_| wrong)?;
            if signed.time < now.minus(MAX_DISTANCE) {
                return Err(QueryError::Stale);
            }
            if signed.time > now.plus(MAX_DISTANCE) {
                return Err(QueryError::Future);
            }
        }
        Ok(match &self.said {
            Said::Replied { arg } => QueryReply::Replied(arg.clone()),
            Said::Rejected {
                code,
                message,
                error_code,
            } => QueryReply::Rejected(Reject {
                code: RejectCode::from_number(*code),
                message: Untrusted::new(message),
                error_code: error_code.as_deref().map(Untrusted::new),
            }),
        })
    }

    fn signed_bytes(&self, query: &RequestId, time: Timestamp) -> Vec<u8> {
        let request_id = Bytes::new(query.as_bytes());
        let timestamp = time.as_nanos();
        let signed = match &self.said {
            Said::Replied { arg } => Signed::Replied {
                reply: SignedReply {
                    arg: Bytes::new(arg),
                },
                request_id,
                timestamp,
            },
            Said::Rejected {
                code,
                message,
                error_code,
            } => Signed::Rejected {
                reject_code: *code,
                reject_message: message,
                error_code: error_code.as_deref(),
                request_id,
                timestamp,
            },
        };
        let hash = to_request_id(&signed).expect("numbers, texts and bytes can be hashed");
        let mut bytes = DOMAIN.to_vec();
        bytes.extend_from_slice(hash.as_slice());
        bytes
    }
}

#[cfg(test)]
mod tests;
