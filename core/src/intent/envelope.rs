//! What is stored of one envelope: what was signed, what this wallet did with it, and what checked
//! certificates say of it. What follows from these facts is computed in [`super::facts`], never
//! stored. Nothing that a single node says without a certificate may enter here as a fact about
//! execution.

use serde::{Deserialize, Serialize};

use super::record::AskKind;
use super::words::Authority;
use crate::ids::{AskDigest, AskId, ContentHash, RequestId};
use crate::profile::Class;
use crate::time::Timestamp;

/// The log of a ledger as it stood just before S0 was read.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LogMark {
    /// Number of blocks, not 0: an empty log has no tip to go back to.
    pub length: u64,
    /// Hash of the last block.
    pub tip: ContentHash,
}

/// A signed ingress message with the read of its status, as the signer made them.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SignedEnvelope {
    /// Hash of the content map: equal ids are one message, executed at most once.
    pub request_id: RequestId,
    /// The nonce in the content map; empty where it has none.
    #[serde(with = "serde_bytes")]
    pub nonce: Vec<u8>,
    /// Certified time read after the yes and before this envelope was signed.
    pub s0: Timestamp,
    /// E, the ingress expiry in the content map.
    pub expiry: Timestamp,
    /// Ingress expiry of the signed `read_state`.
    pub read_expiry: Timestamp,
    /// The content map, CBOR, as it was signed.
    #[serde(with = "serde_bytes")]
    pub content: Vec<u8>,
    /// The signed call, CBOR, as it is posted.
    #[serde(with = "serde_bytes")]
    pub call: Vec<u8>,
    /// The signed `read_state` for [`Self::request_id`], CBOR, as it is posted.
    #[serde(with = "serde_bytes")]
    pub read_state: Vec<u8>,
}

/// One envelope and all that is known of it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// What was signed.
    pub signed: SignedEnvelope,
    /// The ask whose yes covers it.
    pub ask: AskId,
    /// What the person said yes to.
    pub digest: AskDigest,
    /// Which question the person was put.
    pub kind: AskKind,
    /// Certified time at which the ask opened; `None` in a record older than this field.
    #[serde(default)]
    pub asked_at: Option<Timestamp>,
    /// Certified time of the yes; `None` in a record older than this field.
    #[serde(default)]
    pub approved_at: Option<Timestamp>,
    /// The ledger's log just before S0 was read, where it has one that certifies its tip.
    pub log: Option<LogMark>,
    /// Stored before the first byte left. Without it, the envelope never left.
    pub handed_over: Option<HandOver>,
    /// Dropped before it was handed over: it will never be.
    pub void: bool,
    /// What came back from the last transmission, where something is known of it.
    pub submitted: Option<Submitted>,
    /// The last certified status that was no end.
    pub seen: Option<Seen>,
    /// A certificate showed `received` or `processing` at some time.
    pub taken_in: bool,
    /// The certified end.
    pub end: Option<EnvelopeEnd>,
    /// `/time` of the certificate that carried the end; without an end, certified time from which
    /// the status could no longer be relied on.
    pub closed_at: Option<Timestamp>,
    /// The last certificate that said something of this envelope, as it came.
    pub certificate: Option<serde_bytes::ByteBuf>,
}

/// The stored fact that an envelope was given to the network.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HandOver {
    /// The worker's life in which it was: another life cannot know whether bytes left.
    pub life: u64,
    /// Certified time, carried or read.
    pub at: Timestamp,
}

/// The last transmission that came back without a certificate.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Submitted {
    /// What came back.
    pub result: Submission,
    /// Certified time of it, as far as it was known.
    pub at: Timestamp,
}

/// What a transmission brought back without a certificate. None of these is proof of anything.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Submission {
    /// The endpoint took it (202).
    Accepted,
    /// A reject that no certificate backs.
    UncertifiedReject {
        /// The code that was given.
        code: u64,
        /// The message that was given: text from outside.
        message: String,
    },
    /// Another HTTP status.
    Refused {
        /// The status.
        status: u16,
    },
    /// Nothing came back.
    NoAnswer,
}

/// A certified status that is no end.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// The status.
    pub status: Interim,
    /// `/time` of the certificate.
    pub at: Timestamp,
}

/// A certified status that leaves the end open.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Interim {
    /// Proved not to be in the tree (not merely pruned from the certificate).
    Absent,
    /// Taken in, not started.
    Received,
    /// Started.
    Processing,
}

/// A certified end of one envelope.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EnvelopeEnd {
    /// Replied, and the reply decodes by the interface the intent was prepared with.
    Replied(Reply),
    /// Replied, and it does not decode, or has a case which that interface lacks.
    Undecodable {
        /// The reply, as it came.
        #[serde(with = "serde_bytes")]
        reply: Vec<u8>,
    },
    /// Rejected.
    Rejected(Reject),
    /// Ended, and the answer is forgotten (`done`).
    Gone,
    /// Proved absent with E < `/time` < S0 + [`STATUS_SPAN`](super::STATUS_SPAN): it never ran and never will.
    NeverIncluded {
        /// `/time` of the certificate.
        at: Timestamp,
    },
}

/// A certified reply, classed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// Its class.
    pub class: Class,
    /// Who classed it.
    pub authority: Authority,
    /// Path of its case, as `Err.Duplicate`, cut to what a model may read; `None` where the result
    /// has no cases.
    pub case: Option<String>,
    /// What the tools room shows of it: JSON, opaque here.
    pub details: Option<String>,
    /// The block of the first execution that an `already_done` names, in decimal digits.
    pub duplicate_of: Option<String>,
    /// The ledger's clock, where a `CreatedInFuture` reports it: caps the successor's stamp.
    pub ledger_time: Option<Timestamp>,
    /// Whether the block named was read and is this intent's.
    pub block: Option<BlockVerdict>,
    /// The reply, as it came.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// What the block that a reply names turned out to be.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockVerdict {
    /// This intent's transaction.
    Ours,
    /// Another transaction.
    Another,
}

/// A certified reject.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reject {
    /// The reject code (IC interface specification, *Reject codes*).
    pub code: u64,
    /// The message: text from outside.
    pub message: String,
    /// The error code, as `IC0503`, where one is given: text from outside.
    pub error_code: Option<String>,
}

/// What became of an envelope.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Fate {
    /// Not handed over: it never ran.
    Signed,
    /// Handed over, and its certified end may still come.
    Live,
    /// A certified reply that decodes.
    Answered,
    /// Proved never to have run.
    NeverRan,
    /// Anything else: it may have executed.
    Open,
}
