//! HTTP answers, read into facts.
//!
//! An answer to a call proves nothing by itself, whatever its status code: a node that refuses may
//! have passed the call on. Only [`CallAnswer::Certificate`] is worth checking further.

use serde::Deserialize;
use serde_bytes::ByteBuf;
use thiserror::Error;

use super::{cbor, root_key::RootKey};
use crate::ids::Principal;
use crate::text::Untrusted;
use crate::time::Timestamp;

/// A reject code (IC interface specification, "Reject codes").
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RejectCode {
    /// 1
    SysFatal,
    /// 2
    SysTransient,
    /// 3
    DestinationInvalid,
    /// 4
    CanisterReject,
    /// 5
    CanisterError,
    /// 6
    SysUnknown,
    /// A number that the specification does not list.
    Unlisted(u64),
}

impl RejectCode {
    /// The code of this number.
    #[must_use]
    pub const fn from_number(number: u64) -> Self {
        match number {
            1 => Self::SysFatal,
            2 => Self::SysTransient,
            3 => Self::DestinationInvalid,
            4 => Self::CanisterReject,
            5 => Self::CanisterError,
            6 => Self::SysUnknown,
            other => Self::Unlisted(other),
        }
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u64 {
        match self {
            Self::SysFatal => 1,
            Self::SysTransient => 2,
            Self::DestinationInvalid => 3,
            Self::CanisterReject => 4,
            Self::CanisterError => 5,
            Self::SysUnknown => 6,
            Self::Unlisted(number) => number,
        }
    }
}

/// A reject, as a certificate or a node states it. Its texts are from outside.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reject {
    /// The code.
    pub code: RejectCode,
    /// What the canister or the system says.
    pub message: Untrusted,
    /// Such as `IC0503`, where stated.
    pub error_code: Option<Untrusted>,
}

/// Why an HTTP answer holds nothing to check.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum NoFact {
    /// The endpoint refused the request (status 4xx).
    #[error("The network refused the request ({status}).")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The endpoint's words.
        text: Untrusted,
    },
    /// The endpoint cannot answer now (status 5xx, or one that the protocol does not use).
    #[error("The network cannot answer now ({status}). Try again.")]
    Unavailable {
        /// The HTTP status.
        status: u16,
    },
    /// The body is not what the protocol gives it.
    #[error("The network's answer cannot be read: {0}. Try again.")]
    Unreadable(#[from] cbor::CborError),
}

impl NoFact {
    fn of(status: u16, body: &[u8]) -> Self {
        if (400..500).contains(&status) {
            Self::Refused {
                status,
                text: Untrusted::new(&String::from_utf8_lossy(body)),
            }
        } else {
            Self::Unavailable { status }
        }
    }
}

/// What a call's POST was answered with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CallAnswer {
    /// A certificate's bytes, to be checked. It may say anything about the call, or nothing.
    Certificate(Vec<u8>),
    /// The endpoint says that it passed the call on (status 202). Read its status.
    Accepted,
    /// One node says that it did not pass the call on. Uncertified: it proves nothing.
    Uncertified(Reject),
    /// There is nothing to check.
    Nothing(NoFact),
}

/// The parts of all bodies; which are there depends on the endpoint.
#[derive(Deserialize)]
struct Body {
    status: Option<String>,
    certificate: Option<ByteBuf>,
    reply: Option<Reply>,
    reject_code: Option<u64>,
    reject_message: Option<String>,
    error_code: Option<String>,
    #[serde(default)]
    signatures: Vec<NodeSignature>,
    root_key: Option<ByteBuf>,
}

#[derive(Deserialize)]
struct Reply {
    arg: ByteBuf,
}

#[derive(Deserialize)]
struct NodeSignature {
    timestamp: u64,
    signature: ByteBuf,
    identity: Principal,
}

impl Body {
    fn reject(&self) -> Option<Reject> {
        Some(Reject {
            code: RejectCode::from_number(self.reject_code?),
            message: Untrusted::new(self.reject_message.as_deref()?),
            error_code: self.error_code.as_deref().map(Untrusted::new),
        })
    }
}

impl CallAnswer {
    /// Reads the answer to a POST at [`super::Endpoint::call`].
    #[must_use]
    pub fn read(status: u16, body: &[u8]) -> Self {
        match status {
            202 => Self::Accepted,
            200 => match cbor::decode::<Body>(body) {
                Ok(body) => Self::of(body),
                Err(error) => Self::Nothing(NoFact::Unreadable(error)),
            },
            other => Self::Nothing(NoFact::of(other, body)),
        }
    }

    fn of(body: Body) -> Self {
        match body.status.as_deref() {
            Some("replied") if body.certificate.is_some() => {
                Self::Certificate(body.certificate.unwrap_or_default().into_vec())
            }
            Some("non_replicated_rejection") | None => match body.reject() {
                Some(reject) => Self::Uncertified(reject),
                None => Self::Nothing(NoFact::Unreadable(cbor::CborError::Malformed)),
            },
            Some(_) => Self::Nothing(NoFact::Unreadable(cbor::CborError::Malformed)),
        }
    }
}

/// What a read of the state tree was answered with: a certificate's bytes, to be checked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReadAnswer {
    /// The certificate.
    pub certificate: Vec<u8>,
}

impl ReadAnswer {
    /// Reads the answer to a POST at [`super::Endpoint::read_state`].
    ///
    /// # Errors
    ///
    /// There is no certificate in it.
    pub fn read(status: u16, body: &[u8]) -> Result<Self, NoFact> {
        if status != 200 {
            return Err(NoFact::of(status, body));
        }
        let body: Body = cbor::decode(body)?;
        match body.certificate {
            Some(certificate) => Ok(Self {
                certificate: certificate.into_vec(),
            }),
            None => Err(NoFact::Unreadable(cbor::CborError::Malformed)),
        }
    }
}

/// A node's answer to a query, before its signatures are checked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct QueryAnswer {
    pub(super) said: Said,
    pub(super) signatures: Vec<Signature>,
}

/// What a node says, with its texts as they were signed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Said {
    Replied {
        arg: Vec<u8>,
    },
    Rejected {
        code: u64,
        message: String,
        error_code: Option<String>,
    },
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Signature {
    pub(super) time: Timestamp,
    pub(super) signature: Vec<u8>,
    pub(super) node: Principal,
}

impl QueryAnswer {
    /// Reads the answer to a POST at [`super::Endpoint::query`].
    ///
    /// # Errors
    ///
    /// It is neither a reply nor a reject.
    pub fn read(status: u16, body: &[u8]) -> Result<Self, NoFact> {
        if status != 200 {
            return Err(NoFact::of(status, body));
        }
        let body: Body = cbor::decode(body)?;
        let malformed = NoFact::Unreadable(cbor::CborError::Malformed);
        let said = match (
            body.status.as_deref(),
            body.reply,
            body.reject_code,
            body.reject_message,
        ) {
            (Some("replied"), Some(reply), None, None) => Said::Replied {
                arg: reply.arg.into_vec(),
            },
            (Some("rejected"), None, Some(code), Some(message)) => Said::Rejected {
                code,
                message,
                error_code: body.error_code,
            },
            _ => return Err(malformed),
        };
        let signatures = body
            .signatures
            .into_iter()
            .map(|signature| Signature {
                time: Timestamp::from_nanos(signature.timestamp),
                signature: signature.signature.into_vec(),
                node: signature.identity,
            })
            .collect();
        Ok(Self { said, signatures })
    }
}

/// Reads the answer to a GET at [`super::Endpoint::status`]: the root key that the endpoint says
/// its network has. Good for one thing: to be shown to a person who adds a network, and stored.
///
/// # Errors
///
/// There is no root key in it.
pub fn read_status(status: u16, body: &[u8]) -> Result<RootKey, NoFact> {
    if status != 200 {
        return Err(NoFact::of(status, body));
    }
    let body: Body = cbor::decode(body)?;
    body.root_key
        .and_then(|der| RootKey::from_der(&der).ok())
        .ok_or(NoFact::Unreadable(cbor::CborError::Malformed))
}

#[cfg(test)]
mod tests;
