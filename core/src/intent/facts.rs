//! What is known of one envelope, and the fate that follows from it.
//!
//! Only facts are stored; a fate is computed. Every fact is either something this wallet did or
//! something a checked certificate says. Nothing a single node says without a certificate is a
//! fact about execution.

use serde::{Deserialize, Serialize};

use super::record::{Ask, AskKind, Intent, MOST_TRIES};
use super::words::{Authority, Held};
use crate::ids::{AskDigest, AskId, ContentHash, Principal, RequestId};
use crate::profile::Class;
use crate::time::{Span, Timestamp};

/// How far past S0 an envelope's ingress expiry E lies.
pub const INGRESS_SPAN: Span = Span::from_mins(2);

/// How long after S0 a missing status still proves that the message never ran. A finished status
/// is pruned five minutes after it finished (`MAX_INGRESS_TTL` of the replica's ingress history),
/// and it cannot finish before S0.
pub const STATUS_SPAN: Span = Span::from_mins(5);

/// A signed `read_state` is valid until this much before S0 + [`STATUS_SPAN`].
pub const READ_MARGIN: Span = Span::from_secs(5);

/// An envelope with less than this left before E is not handed over: S0 is read again.
pub const HAND_OVER_MARGIN: Span = Span::from_secs(60);

/// While a certificate shows an envelope absent this long after its last transmission, and E has
/// not passed, it is posted again.
pub const RESUBMIT_SPAN: Span = Span::from_secs(20);

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
    /// Proved absent with E < `/time` < S0 + [`STATUS_SPAN`]: it never ran and never will.
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

impl Reply {
    /// The class by which the intent acts: only a pack may hand back or renew a call.
    #[must_use]
    pub const fn class_in_force(&self) -> Class {
        match (self.class, self.authority) {
            (Class::RetrySame | Class::RetryNew, Authority::Profile) => Class::Fail,
            (class, Authority::Pack | Authority::Profile) => class,
        }
    }

    /// Whether it says that this call, or an identical one, was executed, and nothing is left to be
    /// read: an `already_done` that names a block counts only when that block is this intent's.
    #[must_use]
    pub const fn shows_execution(&self) -> bool {
        match self.class {
            Class::Success => true,
            Class::AlreadyDone => match (&self.duplicate_of, self.block) {
                (None, _) | (Some(_), Some(BlockVerdict::Ours)) => true,
                (Some(_), Some(BlockVerdict::Another) | None) => false,
            },
            Class::RetrySame | Class::RetryNew | Class::FixInput | Class::Fail => false,
        }
    }
}

impl Envelope {
    /// A freshly signed envelope, under the yes to an ask.
    pub(super) const fn new(
        signed: SignedEnvelope,
        ask: &Ask,
        approved_at: Timestamp,
        log: Option<LogMark>,
    ) -> Self {
        Self {
            signed,
            ask: ask.id,
            digest: ask.digest,
            kind: ask.kind,
            asked_at: Some(ask.opened_at),
            approved_at: Some(approved_at),
            log,
            handed_over: None,
            void: false,
            submitted: None,
            seen: None,
            taken_in: false,
            end: None,
            closed_at: None,
            certificate: None,
        }
    }

    /// Its fate. `ordinary` is false for a call to the management canister, none of whose rejects
    /// proves anything.
    #[must_use]
    pub const fn fate(&self, ordinary: bool) -> Fate {
        if self.handed_over.is_none() {
            return Fate::Signed;
        }
        match &self.end {
            Some(EnvelopeEnd::Replied(_)) => Fate::Answered,
            Some(EnvelopeEnd::NeverIncluded { .. }) => Fate::NeverRan,
            // 1 SYS_FATAL, 2 SYS_TRANSIENT, 3 DESTINATION_INVALID come before execution; 4 and 5
            // can follow effects that stand (a trap after an await), the others are not settled.
            Some(EnvelopeEnd::Rejected(reject)) => match reject.code {
                1..=3 if ordinary => Fate::NeverRan,
                _ => Fate::Open,
            },
            Some(EnvelopeEnd::Undecodable { .. } | EnvelopeEnd::Gone) => Fate::Open,
            None if self.closed_at.is_some() => Fate::Open,
            None => Fate::Live,
        }
    }

    /// Whether an effect of it may exist or come.
    #[must_use]
    pub const fn may_have_executed(&self, ordinary: bool) -> bool {
        match self.fate(ordinary) {
            Fate::Signed | Fate::NeverRan => false,
            Fate::Live | Fate::Open => true,
            Fate::Answered => match &self.end {
                Some(EnvelopeEnd::Replied(reply)) => match reply.class {
                    Class::Success | Class::AlreadyDone => true,
                    Class::RetrySame | Class::RetryNew | Class::FixInput | Class::Fail => false,
                },
                _ => true,
            },
        }
    }

    /// The certified time from which a missing status proves nothing.
    #[must_use]
    pub const fn status_until(&self) -> Timestamp {
        self.signed.s0.plus(STATUS_SPAN)
    }

    /// The certified time from which an absence lets it be posted again.
    #[must_use]
    pub(super) fn resubmit_from(&self) -> Timestamp {
        let last = self.submitted.as_ref().map(|submitted| submitted.at);
        last.map_or(Timestamp::default(), |last| last.plus(RESUBMIT_SPAN))
    }

    /// Whether the last certified status says that it is in the network's hands.
    #[must_use]
    pub const fn is_taken_in(&self) -> bool {
        matches!(
            self.seen,
            Some(Seen {
                status: Interim::Received | Interim::Processing,
                ..
            })
        )
    }

    /// The certified reply, where it ended in one that decodes.
    #[must_use]
    pub const fn reply(&self) -> Option<&Reply> {
        match &self.end {
            Some(EnvelopeEnd::Replied(reply)) => Some(reply),
            _ => None,
        }
    }
}

impl Intent {
    /// Whether a reject of the canister can prove anything: not of the management canister.
    #[must_use]
    pub fn is_ordinary(&self) -> bool {
        self.prepared.canister != Principal::management_canister()
    }

    /// Whether some envelope was handed over and is not proved never to have had an effect. While
    /// this holds, nothing that is told denies execution.
    #[must_use]
    pub fn may_have_executed(&self) -> bool {
        let ordinary = self.is_ordinary();
        self.restored.is_some() || self.envelopes.iter().any(|e| e.may_have_executed(ordinary))
    }

    /// The envelope that is being followed to its certified end.
    #[must_use]
    pub fn live(&self) -> Option<&Envelope> {
        let ordinary = self.is_ordinary();
        self.envelopes
            .iter()
            .find(|e| e.fate(ordinary) == Fate::Live)
    }

    /// The envelope that was signed under the open ask and has not been handed over.
    #[must_use]
    pub fn unsent(&self) -> Option<&Envelope> {
        self.envelopes
            .iter()
            .find(|e| e.handed_over.is_none() && !e.void)
    }

    /// The envelope with this request id.
    #[must_use]
    pub fn envelope(&self, request_id: RequestId) -> Option<&Envelope> {
        self.envelopes
            .iter()
            .find(|e| e.signed.request_id == request_id)
    }

    /// How many envelopes were ever handed over.
    pub(super) fn handed_over_count(&self) -> usize {
        self.envelopes
            .iter()
            .filter(|e| e.handed_over.is_some())
            .count()
    }

    /// Envelopes whose status is worth another read although they are no longer followed.
    pub fn unresolved(&self) -> impl Iterator<Item = &Envelope> {
        self.envelopes
            .iter()
            .filter(|e| e.handed_over.is_some() && e.end.is_none())
    }

    /// The block that a reply names as the first execution, while it has not been read.
    #[must_use]
    pub fn unread_block(&self) -> Option<(RequestId, &str)> {
        self.envelopes.iter().find_map(|envelope| {
            let reply = envelope.reply()?;
            let named = reply.duplicate_of.as_deref()?;
            (reply.class == Class::AlreadyDone && reply.block.is_none())
                .then_some((envelope.signed.request_id, named))
        })
    }

    /// Whether its ledger was seen to drop a repeat: it named an earlier block to a re-send, and that
    /// block was read and is this intent's.
    #[must_use]
    pub fn shows_deduplication(&self) -> bool {
        self.envelopes.iter().any(|envelope| {
            let ours = envelope.reply().is_some_and(|reply| {
                reply.class == Class::AlreadyDone
                    && reply.block == Some(BlockVerdict::Ours)
                    && reply.authority == Authority::Pack
            });
            ours && envelope.kind == AskKind::Resend
        })
    }

    /// The envelope whose `retry_new` asks for a successor, with the cap of the new stamp.
    #[must_use]
    pub fn renewal(&self) -> Option<(RequestId, Option<Timestamp>)> {
        if self.end.is_some() || self.may_have_executed() {
            return None;
        }
        self.envelopes.iter().rev().find_map(|envelope| {
            let reply = envelope.reply()?;
            (reply.class_in_force() == Class::RetryNew)
                .then_some((envelope.signed.request_id, reply.ledger_time))
        })
    }

    /// How many envelopes were answered so.
    pub(super) fn count_class(&self, class: Class) -> usize {
        let answered = self.envelopes.iter().filter_map(Envelope::reply);
        answered
            .filter(|reply| reply.class_in_force() == class)
            .count()
    }

    /// Why it gets no second envelope, where it may have executed and is no longer followed.
    #[must_use]
    pub fn held(&self) -> Option<Held> {
        if self.end.is_some() || !self.may_have_executed() {
            return None;
        }
        if self.restored.is_some() {
            return Some(Held::Restored);
        }
        if self.live().is_some() || self.unread_block().is_some() {
            return None;
        }
        let replies = || self.envelopes.iter().filter_map(Envelope::reply);
        if replies().any(|reply| reply.block == Some(BlockVerdict::Another)) {
            return Some(Held::OtherBlock);
        }
        if replies().any(Reply::shows_execution) {
            return Some(Held::UntrustedClass);
        }
        let answered = |class| self.count_class(class);
        if answered(Class::RetryNew) + answered(Class::FixInput) + answered(Class::Fail) > 0 {
            return Some(Held::AnsweredAfterUnknown);
        }
        if answered(Class::RetrySame) >= MOST_TRIES {
            return Some(Held::RetriesSpent);
        }
        let rejected = |e: &&Envelope| match &e.end {
            Some(EnvelopeEnd::Rejected(reject)) => matches!(reject.code, 4 | 5),
            _ => false,
        };
        if self.envelopes.iter().filter(rejected).count() >= MOST_TRIES {
            return Some(Held::RejectsSpent);
        }
        self.prepared.stamp.is_none().then_some(Held::Unstamped)
    }

    /// Whether the same bytes can go out in another envelope, as far as is known at `clock`.
    pub(super) fn can_resend(&self, known: bool, clock: Timestamp) -> bool {
        known
            && self.prepared.stamp.is_some()
            && !self.differs
            && self.held().is_none()
            && clock < self.ask_closes_at(AskKind::Resend)
    }
}
