//! The fate that follows from what is known of an envelope, and what the facts of all envelopes of
//! an intent say together. It is computed at each reading; only the facts are stored.

use super::envelope::{
    BlockVerdict, Envelope, EnvelopeEnd, Fate, Interim, LogMark, Reply, Seen, SignedEnvelope,
};
use super::record::{Ask, AskKind, Intent, MOST_TRIES};
use super::words::{Authority, Held};
use crate::ids::{Principal, RequestId};
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
