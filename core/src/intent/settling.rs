//! From the hand-over to the end: certified ends, blocks, findings, and what follows from them.

use super::end::{End, EndKind};
use super::envelope::{BlockVerdict, Envelope, EnvelopeEnd, Interim, Seen};
use super::event::{CertifiedStatus, HandWord, TransitionError};
use super::reconcile::Finding;
use super::record::{AskKind, Intent, Last, MOST_TRIES, Search};
use super::words::Authority;
use crate::ids::{PreviewId, RequestId};
use crate::profile::Class;
use crate::time::{Span, Timestamp};

/// The longest that an envelope signed by another copy of the journal can be valid: the network
/// takes no expiry further ahead (`MAX_INGRESS_TTL` and its drift).
pub(super) const FOREIGN_SPAN: Span = Span::from_secs(330);

impl Intent {
    pub(super) fn status(
        &mut self,
        request_id: RequestId,
        status: CertifiedStatus,
        at: Timestamp,
        certificate: Vec<u8>,
    ) -> Result<(), TransitionError> {
        let envelope = self.followed(request_id)?;
        if envelope.end.is_some() || !is_news(envelope, &status, at) {
            return Err(TransitionError::NotExpected);
        }
        let seen = |status| Some(Seen { status, at });
        let end = match status {
            CertifiedStatus::Absent => {
                envelope.seen = seen(Interim::Absent);
                let proved = at > envelope.signed.expiry
                    && at < envelope.status_until()
                    && !envelope.taken_in;
                proved.then_some(EnvelopeEnd::NeverIncluded { at })
            }
            CertifiedStatus::Received => {
                envelope.seen = seen(Interim::Received);
                envelope.taken_in = true;
                None
            }
            CertifiedStatus::Processing => {
                envelope.seen = seen(Interim::Processing);
                envelope.taken_in = true;
                None
            }
            CertifiedStatus::Done => Some(EnvelopeEnd::Gone),
            CertifiedStatus::Replied(reply) => Some(EnvelopeEnd::Replied(reply)),
            CertifiedStatus::Undecodable { reply } => Some(EnvelopeEnd::Undecodable { reply }),
            CertifiedStatus::Rejected(reject) => Some(EnvelopeEnd::Rejected(reject)),
        };
        envelope.certificate = Some(serde_bytes::ByteBuf::from(certificate));
        if end.is_none() {
            if envelope.is_taken_in() {
                self.follow_again(request_id);
            }
            return Ok(());
        }
        envelope.end = end;
        envelope.closed_at = Some(at);
        self.search = Search::default();
        self.last = Some(Last::Envelope(request_id));
        self.conclude();
        Ok(())
    }

    /// An envelope that was given up is seen in the network's hands: it is followed again, however
    /// late it is, unless another one is on its way by now.
    pub(super) fn follow_again(&mut self, request_id: RequestId) {
        let other = self.live().or_else(|| self.unsent());
        if other.is_some_and(|other| other.signed.request_id != request_id) {
            return;
        }
        if let Some(envelope) = self.envelope_mut(request_id) {
            envelope.closed_at = None;
        }
        self.close_ask();
    }

    pub(super) fn block_read(
        &mut self,
        request_id: RequestId,
        verdict: BlockVerdict,
    ) -> Result<(), TransitionError> {
        let unread = self.unread_block().is_some_and(|(id, _)| id == request_id);
        if !unread {
            return Err(TransitionError::NotExpected);
        }
        let envelope = self.followed(request_id)?;
        if let Some(EnvelopeEnd::Replied(reply)) = &mut envelope.end {
            reply.block = Some(verdict);
        }
        self.search = Search::default();
        self.conclude();
        Ok(())
    }

    pub(super) fn reconciled(&mut self, finding: Finding) -> Result<(), TransitionError> {
        if !self.may_have_executed() || self.live().is_some() {
            return Err(TransitionError::NotExpected);
        }
        if let Finding::Absent(proof) = &finding
            && proof.handed_over() != self.handed_over_count()
        {
            // It was judged before another envelope left.
            return Err(TransitionError::NotExpected);
        }
        match finding {
            Finding::Found { block } => self.finish(EndKind::Found { block }),
            Finding::Absent(proof) => self.finish(EndKind::Absent(proof)),
            Finding::NotYet { .. } | Finding::Unreadable { .. } => {
                let tries = self.search.tries.saturating_add(1);
                let mut due = self.clock.plus(search_delay(tries));
                // The moment from which the ledger refuses the stamp can settle it: do not miss it.
                if let Some(stamp) = self.prepared.stamp {
                    let refused = stamp.refused_after().plus(Span::from_secs(1));
                    if self.clock < refused {
                        due = due.min(refused);
                    }
                }
                if let Finding::NotYet { after: Some(after) } = finding {
                    due = due.min(after.max(self.clock.plus(search_delay(1))));
                }
                self.search = Search {
                    wanted: false,
                    tries,
                    at: self.clock,
                    due,
                    last: Some(finding),
                };
            }
        }
        Ok(())
    }

    /// Interface, module or profile is another one: nothing new is sent.
    pub(super) fn differs(&mut self) {
        self.close_ask();
        if self.may_have_executed() {
            self.differs = true;
        } else {
            self.finish(EndKind::Differs);
        }
    }

    pub(super) fn superseded(&mut self, successor: PreviewId) -> Result<(), TransitionError> {
        if self.may_have_executed() {
            return Err(TransitionError::MayHaveExecuted);
        }
        if self.ask.as_ref().is_some_and(|ask| ask.yes.is_some()) {
            return Err(TransitionError::AlreadyDecided);
        }
        let after = self.renewal().map(|(request_id, _)| request_id);
        self.finish(EndKind::Superseded { successor, after });
        Ok(())
    }

    pub(super) fn by_hand(
        &mut self,
        word: HandWord,
        evidence: String,
    ) -> Result<(), TransitionError> {
        if !self.may_have_executed() || self.live().is_some() {
            return Err(TransitionError::NotExpected);
        }
        // What another copy signed before the restoration has run out by then, too.
        let foreign = self.restored.map(|at| at.plus(FOREIGN_SPAN));
        let mut expiries = self
            .envelopes
            .iter()
            .map(|e| e.signed.expiry)
            .chain(foreign);
        let past_expiry = expiries.all(|expiry| self.clock > expiry);
        if word == HandWord::DidNotHappen && !past_expiry {
            return Err(TransitionError::MayStillRun);
        }
        self.finish(EndKind::ByHand { word, evidence });
        Ok(())
    }

    /// Draws what follows from the envelopes' ends. The same ends lead to the same conclusion in
    /// whatever order they became known.
    pub(super) fn conclude(&mut self) {
        let done = self.envelopes.iter().find_map(|envelope| {
            let reply = envelope.reply()?;
            let others = self.others_may_have_executed(envelope.signed.request_id);
            (reply.shows_execution() && (reply.authority == Authority::Pack || !others))
                .then_some(envelope.signed.request_id)
        });
        if let Some(request_id) = done {
            self.finish(EndKind::Done(request_id));
            return;
        }
        if self.may_have_executed() {
            // An ask that says nothing was sent would now be false.
            if self
                .ask
                .as_ref()
                .is_some_and(|ask| ask.kind == AskKind::First)
                || self.held().is_some()
            {
                self.close_ask();
            }
            return;
        }
        // An ask that says an earlier attempt may have executed is false now.
        if self
            .ask
            .as_ref()
            .is_some_and(|ask| ask.kind == AskKind::Resend)
        {
            self.close_ask();
        }
        let latest = |class: Class| {
            self.envelopes.iter().rev().find_map(|envelope| {
                (envelope.reply()?.class_in_force() == class).then_some(envelope.signed.request_id)
            })
        };
        let refused = latest(Class::FixInput).or_else(|| latest(Class::Fail));
        let renew = latest(Class::RetryNew);
        let same = latest(Class::RetrySame);
        if let Some(request_id) = refused {
            self.finish(EndKind::Refused(request_id));
        } else if let Some(request_id) = renew {
            if usize::from(self.prepared.line.renewals) + 1 >= MOST_TRIES {
                self.finish(EndKind::RetriesSpent(request_id));
            }
        } else if let Some(request_id) = same
            && self.count_class(Class::RetrySame) >= MOST_TRIES
        {
            self.finish(EndKind::RetriesSpent(request_id));
        }
    }

    /// Ends the intent. Whatever was open closes; what was signed and not sent never will be.
    pub(super) fn finish(&mut self, kind: EndKind) {
        self.close_ask();
        self.end = Some(End {
            kind,
            at: self.clock,
            told: false,
            answered: false,
            answered_at: None,
        });
    }

    /// Whether an envelope other than this one may have executed.
    pub(super) fn others_may_have_executed(&self, request_id: RequestId) -> bool {
        self.restored.is_some()
            || self
                .envelopes
                .iter()
                .filter(|e| e.signed.request_id != request_id)
                .any(|e| e.may_have_executed(self.is_ordinary()))
    }
}

/// Whether a status says more than is known: an end does, and what leaves the end open only where
/// another step follows from it. A certificate older than the last one says nothing new.
fn is_news(envelope: &Envelope, status: &CertifiedStatus, at: Timestamp) -> bool {
    let status = match status {
        CertifiedStatus::Absent => Interim::Absent,
        CertifiedStatus::Received => Interim::Received,
        CertifiedStatus::Processing => Interim::Processing,
        CertifiedStatus::Done
        | CertifiedStatus::Replied(_)
        | CertifiedStatus::Undecodable { .. }
        | CertifiedStatus::Rejected(_) => return true,
    };
    let Some(seen) = envelope.seen else {
        return true;
    };
    let crosses = |point: Timestamp| seen.at < point && at >= point;
    let may_be_posted = at < envelope.signed.expiry && crosses(envelope.resubmit_from());
    let past_expiry = crosses(envelope.signed.expiry.plus(Span::from_nanos(1)));
    let absent_anew = status == Interim::Absent && (may_be_posted || past_expiry);
    seen.at <= at && (seen.status != status || absent_anew)
}

/// How long until the next look at a log after `tries` looks that settled nothing.
const fn search_delay(tries: u32) -> Span {
    match tries {
        0 | 1 => Span::from_mins(1),
        2 => Span::from_mins(5),
        3 => Span::from_mins(30),
        4 => Span::from_hours(2),
        _ => Span::from_hours(12),
    }
}
