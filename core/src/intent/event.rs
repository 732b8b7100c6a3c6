//! What can happen to an intent.

use super::answer::NamesEnd;
use super::envelope::{BlockVerdict, HandOver, LogMark, Reject, Reply, SignedEnvelope, Submission};
use super::reconcile::Finding;
use super::words::{Evidence, Hitch};
use crate::ids::{AskDigest, AskId, ContentHash, InstallationId, PreviewId, RequestId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The time at which something is looked at or happens.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Now {
    /// Certified time of the canister's subnet: read, or carried for at most a minute within this
    /// life over the monotonic clock. It alone decides deadlines, lapses and proofs.
    pub certified: Option<Timestamp>,
    /// Which life of the worker this is: another number after every start.
    pub life: u64,
}

/// Something that happened. Every variant says who may report it.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Time was looked at: store what it has decided. From an alarm, at boot, after a read of it.
    Look,
    /// The agent (or the person's own button) asks for the call to be sent. Needs certified time
    /// unless something is under way already.
    Commit {
        /// What is known now of the ledger's deduplication.
        evidence: Evidence,
        /// Digest of a first ask of this intent, as the window would show it.
        first: AskDigest,
        /// Digest of a re-send ask of this intent, as the window would show it.
        resend: AskDigest,
    },
    /// The person approved. Needs certified time, read at the press.
    Yes {
        /// The ask that was shown.
        ask: AskId,
        /// The digest that was shown.
        digest: AskDigest,
        /// Whether the account can sign now.
        unlocked: bool,
    },
    /// The person declined, or closed the window while the browser ran.
    No {
        /// The ask that was shown.
        ask: AskId,
    },
    /// The agent withdrew the undecided ask, or the last that waited for it went away.
    Withdraw,
    /// A yes grew old: the wallet was locked, or two minutes passed while no certified time could
    /// be read.
    Lapse(Lapse),
    /// Something failed for certain before hand-over. The ask is over; nothing was sent.
    Stopped(Hitch),
    /// S0 was read, after the yes, with the module hash in the same certificate.
    StartRead {
        /// What was read.
        start: Start,
        /// The module hash; `None` where the canister has none.
        module: Option<ContentHash>,
        /// What is known of the ledger's deduplication under that module.
        evidence: Evidence,
    },
    /// Call and status read were signed for the digest of the ask.
    Signed {
        /// The ask whose yes covers it.
        ask: AskId,
        /// The digest, computed again from the stored bytes.
        digest: AskDigest,
        /// What was signed.
        envelope: Box<SignedEnvelope>,
    },
    /// The envelope is about to be sent. To be stored before the first byte leaves.
    HandedOver {
        /// The envelope.
        request_id: RequestId,
    },
    /// A transmission came back without a certificate.
    Submitted {
        /// The envelope.
        request_id: RequestId,
        /// What came back.
        result: Submission,
    },
    /// A checked certificate says something of the envelope's status. One that says nothing new is
    /// refused as not expected: nothing is to be stored, and the read is tried again later.
    Status {
        /// The envelope.
        request_id: RequestId,
        /// What it says.
        status: CertifiedStatus,
        /// `/time` of the certificate.
        at: Timestamp,
        /// The certificate, as it came.
        certificate: Vec<u8>,
    },
    /// The block that an `already_done` names was read, certified or within a checked chain.
    BlockRead {
        /// The envelope whose reply named it.
        request_id: RequestId,
        /// What it is.
        verdict: BlockVerdict,
    },
    /// A look at the block log came to a finding.
    Reconciled(Finding),
    /// Interface, module or profile of the canister is not the one it was prepared with.
    Differs,
    /// Another preview takes its place: the successor after `retry_new`, or a new preparation of
    /// the same call with another filled value. To be stored in one transaction with that preview.
    Superseded {
        /// The preview that takes its place.
        successor: PreviewId,
    },
    /// No successor can be prepared: the stored inputs are refused now.
    RenewRefused,
    /// The person settles it by hand.
    ByHand {
        /// What the person says.
        word: HandWord,
        /// The evidence that was on the screen.
        evidence: String,
    },
    /// An answer was acknowledged by a live document of the asking origin.
    Told {
        /// Hash of the answer that was told.
        answer: ContentHash,
        /// What that answer said of the end ([`super::Answer::names_end`]).
        names_end: NamesEnd,
    },
    /// The journal was found to be restored or another installation's.
    Restored {
        /// This installation.
        installation: InstallationId,
        /// Its epoch.
        epoch: u64,
    },
    /// Outside the journal it is written that an envelope was about to be handed over, and the
    /// journal has it as signed: it may have left, in a life that did not store it or after the
    /// journal was copied.
    MayHaveLeft {
        /// The envelope.
        request_id: RequestId,
        /// The hand-over as it is written there.
        hand_over: HandOver,
    },
    /// A later intent of the same wish was found, whose preparation this one's end had been told
    /// to: it holds the wish no longer. Its own end is to be found as before.
    GaveWay,
}

impl Event {
    /// Whether it reports work that the wallet did by itself.
    pub(super) const fn is_work(&self) -> bool {
        match self {
            Self::StartRead { .. }
            | Self::Signed { .. }
            | Self::HandedOver { .. }
            | Self::Lapse(_)
            | Self::Stopped(_) => true,
            Self::Look
            | Self::Commit { .. }
            | Self::Yes { .. }
            | Self::No { .. }
            | Self::Withdraw
            | Self::Submitted { .. }
            | Self::Status { .. }
            | Self::BlockRead { .. }
            | Self::Reconciled(_)
            | Self::Differs
            | Self::Superseded { .. }
            | Self::RenewRefused
            | Self::ByHand { .. }
            | Self::Told { .. }
            | Self::Restored { .. }
            | Self::MayHaveLeft { .. }
            | Self::GaveWay => false,
        }
    }

    /// The event's name in the audit line.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Commit { .. } => "commit",
            Self::Yes { .. } => "yes",
            Self::No { .. } => "no",
            Self::Withdraw => "withdraw",
            Self::Lapse(_) => "lapse",
            Self::Stopped(_) => "stopped",
            Self::StartRead { .. } => "start_read",
            Self::Signed { .. } => "signed",
            Self::HandedOver { .. } => "handed_over",
            Self::Submitted { .. } => "submitted",
            Self::Status { .. } => "status",
            Self::BlockRead { .. } => "block_read",
            Self::Reconciled(_) => "reconciled",
            Self::Differs => "differs",
            Self::Superseded { .. } => "superseded",
            Self::RenewRefused => "renew_refused",
            Self::ByHand { .. } => "by_hand",
            Self::Told { .. } => "told",
            Self::Restored { .. } => "restored",
            Self::MayHaveLeft { .. } => "may_have_left",
            Self::GaveWay => "gave_way",
        }
    }
}

/// Why a yes no longer holds.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lapse {
    /// The wallet was locked.
    Locked,
    /// Nothing was handed over within two minutes.
    Late,
    /// The journal is not this installation's.
    Foreign,
}

/// What is read between the yes and the signature.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// S0: `/time` of a certificate read after the yes.
    pub s0: Timestamp,
    /// The ledger's log at that time, where it has one.
    pub log: Option<LogMark>,
}

/// What a certificate says of a request's status.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CertifiedStatus {
    /// The path is proved not to be in the tree. A certificate that merely does not cover the path
    /// is no event.
    Absent,
    /// `received`.
    Received,
    /// `processing`.
    Processing,
    /// `done`.
    Done,
    /// `replied`, and the reply decodes.
    Replied(Reply),
    /// `replied`, and the reply does not decode by the interface the intent was prepared with, or
    /// has a case which that interface lacks.
    Undecodable {
        /// The reply, as it came.
        reply: Vec<u8>,
    },
    /// `rejected`.
    Rejected(Reject),
}

/// How a person ends an intent that may have executed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HandWord {
    /// It happened.
    Happened,
    /// It did not happen. Only past every envelope's expiry.
    DidNotHappen,
    /// Let it be asked again; it may happen twice.
    AskAgain,
}

/// Why an event changes nothing.
#[derive(Clone, Copy, Debug, Eq, Error, Hash, PartialEq)]
pub enum TransitionError {
    /// The intent has ended. Answer from the record.
    #[error("the call has ended; read its end instead")]
    Ended,
    /// The intent does not wait for this. Load it and ask for its pending effect.
    #[error("nothing waits for this; load the intent again")]
    NotExpected,
    /// Certified time is needed to judge this. Read it, then report the event again.
    #[error("certified time is needed first; read it and try again")]
    TimeNeeded,
    /// The decision names an ask that is not open. The window that sent it is dead.
    #[error("this question is closed; look at the one that is open now")]
    NotThisAsk,
    /// The ask has its yes already.
    #[error("this question has been answered")]
    AlreadyDecided,
    /// The digest is not the one of the ask. Show the call again; never sign.
    #[error("what was approved is not what is stored; look at the call again")]
    DigestDiffers,
    /// The wallet is locked. Unlock it, then press again.
    #[error("the wallet is locked; unlock it and approve again")]
    Locked,
    /// The envelope does not fit what was to be signed. Discard it.
    #[error("the signed message does not fit the call; sign it again")]
    BadEnvelope,
    /// No envelope of this intent that was handed over has this request id.
    #[error("no message of this call has this request id")]
    UnknownEnvelope,
    /// Some envelope may still run, so the person cannot say that nothing happened.
    #[error("the call may still run; wait until it no longer can")]
    MayStillRun,
    /// What happened may have been paid for, so nothing may take the intent's place.
    #[error("the call may have executed, so no other can take its place")]
    MayHaveExecuted,
}

impl TransitionError {
    /// Every error.
    pub const ALL: [Self; 11] = [
        Self::Ended,
        Self::NotExpected,
        Self::TimeNeeded,
        Self::NotThisAsk,
        Self::AlreadyDecided,
        Self::DigestDiffers,
        Self::Locked,
        Self::BadEnvelope,
        Self::UnknownEnvelope,
        Self::MayStillRun,
        Self::MayHaveExecuted,
    ];

    /// Its stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ended => "E_INTENT_ENDED",
            Self::NotExpected => "E_INTENT_NOT_EXPECTED",
            Self::TimeNeeded => "E_INTENT_TIME_NEEDED",
            Self::NotThisAsk => "E_ASK_CLOSED",
            Self::AlreadyDecided => "E_ASK_DECIDED",
            Self::DigestDiffers => "E_DIGEST_DIFFERS",
            Self::Locked => "E_LOCKED",
            Self::BadEnvelope => "E_ENVELOPE_BAD",
            Self::UnknownEnvelope => "E_ENVELOPE_UNKNOWN",
            Self::MayStillRun => "E_MAY_STILL_RUN",
            Self::MayHaveExecuted => "E_MAY_HAVE_EXECUTED",
        }
    }
}
