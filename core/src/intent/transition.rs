//! What an intent becomes when something happens to it.

use super::effect::CommitPlan;
use super::event::{CertifiedStatus, Event, HandWord, Lapse, Now, Start};
use super::facts::{
    BlockVerdict, Envelope, EnvelopeEnd, HAND_OVER_MARGIN, HandOver, INGRESS_SPAN, Interim,
    STATUS_SPAN, Seen, SignedEnvelope, Submitted,
};
use super::reconcile::Finding;
use super::record::{
    Ask, AskKind, End, EndKind, Intent, Last, MOST_TRIES, Search, UNCOMMITTED_SPAN, YES_SPAN, Yes,
};
use super::words::{Authority, Class, Evidence};
use crate::ids::{AskDigest, AskId, ContentHash, PreviewId, RequestId};
use crate::time::{Span, Timestamp};
use thiserror::Error;

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

impl Intent {
    /// Applies one event and returns the intent to be stored next.
    ///
    /// `self` is left as it was. Store the result before running its
    /// [`pending_effect`](Self::pending_effect); if the store holds another revision by then, throw
    /// the result away and begin again from the stored intent.
    ///
    /// Certified time never goes back for an intent: an earlier one counts as the highest it has
    /// seen. What time alone has decided (a deadline, a lapse, a closed window) is decided before
    /// the event: where that ends the intent, or leaves nothing to which a report of work could
    /// apply, the result is what time decided.
    ///
    /// # Errors
    ///
    /// [`TransitionError`]: the event changes nothing, and nothing is to be stored.
    pub fn apply(&self, now: &Now, event: Event) -> Result<Self, TransitionError> {
        if let Some(end) = &self.end {
            return match event {
                Event::Told { answer, names_end } => {
                    let mut next = self.clone();
                    next.end = Some(End {
                        told: end.told || names_end,
                        ..end.clone()
                    });
                    next.told = Some(answer);
                    Ok(next)
                }
                _ => Err(TransitionError::Ended),
            };
        }
        let mut next = self.clone();
        let read = match &event {
            Event::StartRead { start, .. } => Some(start.s0),
            Event::Status { at, .. } => Some(*at),
            _ => None,
        };
        for time in [now.certified, read].into_iter().flatten() {
            next.clock = next.clock.max(time);
        }
        let before = next.clone();
        next.pass_time();
        if next.end.is_some() {
            return Ok(next);
        }
        let moot = next != before && event.is_work();
        let decided = moot.then(|| next.clone());
        match (next.take(now, event), decided) {
            (Ok(()), _) => {
                next.pass_time();
                Ok(next)
            }
            (Err(_), Some(decided)) => Ok(decided),
            (Err(error), None) => Err(error),
        }
    }

    /// Applies an event to an intent that has not ended.
    fn take(&mut self, now: &Now, event: Event) -> Result<(), TransitionError> {
        match event {
            Event::Look => Ok(()),
            Event::Commit {
                evidence,
                first,
                resend,
            } => self.commit(now, evidence, first, resend),
            Event::Yes {
                ask,
                digest,
                unlocked,
            } => self.say_yes(now, ask, digest, unlocked),
            Event::No { ask } => self.say_no(ask),
            Event::Withdraw => self.withdraw(),
            Event::Lapse(why) => self.lapse(why),
            Event::Stopped(hitch) => {
                let under_way = self.live().is_some()
                    || self.unread_block().is_some()
                    || self.renewal().is_some();
                if self.ask.is_none() && under_way {
                    return Err(TransitionError::NotExpected);
                }
                self.close_ask();
                self.last = Some(Last::Stopped(hitch));
                Ok(())
            }
            Event::StartRead {
                start,
                module,
                evidence,
            } => self.start_read(start, module, evidence),
            Event::Signed {
                ask,
                digest,
                envelope,
            } => self.signed(ask, digest, *envelope),
            Event::HandedOver { request_id } => self.handed_over(now, request_id),
            Event::Submitted { request_id, result } => {
                let clock = self.clock;
                let envelope = self.followed(request_id)?;
                if envelope.end.is_some() {
                    return Err(TransitionError::NotExpected);
                }
                envelope.submitted = Some(Submitted { result, at: clock });
                Ok(())
            }
            Event::Status {
                request_id,
                status,
                at,
                certificate,
            } => self.status(request_id, status, at, certificate),
            Event::BlockRead {
                request_id,
                verdict,
            } => self.block_read(request_id, verdict),
            Event::Reconciled(finding) => self.reconciled(finding),
            Event::Differs => {
                self.differs();
                Ok(())
            }
            Event::Superseded { successor } => self.superseded(successor),
            Event::RenewRefused => match self.renewal() {
                Some((request_id, _)) => {
                    self.finish(EndKind::RenewRefused(request_id));
                    Ok(())
                }
                None => Err(TransitionError::NotExpected),
            },
            Event::ByHand { word, evidence } => self.by_hand(word, evidence),
            Event::Told {
                answer,
                names_end: _,
            } => {
                self.told = Some(answer);
                Ok(())
            }
            Event::Restored {
                installation,
                epoch,
            } => {
                self.prepared.installation = installation;
                self.prepared.epoch = epoch;
                self.restored = true;
                self.close_ask();
                Ok(())
            }
        }
    }

    /// Decides what the clock alone decides. Idempotent.
    pub(super) fn pass_time(&mut self) {
        if self.end.is_some() {
            return;
        }
        let clock = self.clock;
        for envelope in &mut self.envelopes {
            let followed = envelope.handed_over.is_some()
                && envelope.end.is_none()
                && envelope.closed_at.is_none();
            if followed && clock >= envelope.status_until() && !envelope.is_taken_in() {
                envelope.closed_at = Some(clock);
            }
        }
        if let Some(yes) = self.ask.as_ref().and_then(|ask| ask.yes.as_ref()) {
            if clock > yes.at.plus(YES_SPAN) {
                self.reopen_ask(Lapse::Late);
            } else if self
                .unsent()
                .is_some_and(|e| clock.plus(HAND_OVER_MARGIN) > e.signed.expiry)
            {
                self.void_unsent();
                self.forget_start();
            }
        }
        if self
            .ask
            .as_ref()
            .is_some_and(|ask| clock >= self.ask_closes_at(ask.kind))
        {
            self.close_ask();
        }
        let late = clock >= self.deadline
            || (!self.committed && clock >= self.prepared.prepared_at.plus(UNCOMMITTED_SPAN));
        if late && !self.may_have_executed() && self.renewal().is_none() {
            self.finish(EndKind::Expired);
        }
    }

    fn commit(
        &mut self,
        now: &Now,
        evidence: Evidence,
        first: AskDigest,
        resend: AskDigest,
    ) -> Result<(), TransitionError> {
        let plan = self.commit_plan(now, evidence);
        if plan == CommitPlan::TimeNeeded {
            return Err(TransitionError::TimeNeeded);
        }
        self.committed = true;
        if self.prepared.stamp.is_some() {
            self.evidence = evidence;
        }
        match plan {
            CommitPlan::TimeNeeded | CommitPlan::TellEnd | CommitPlan::Join => {}
            CommitPlan::Held => self.last = None,
            CommitPlan::Reconcile => {
                self.last = None;
                self.search.wanted = true;
            }
            CommitPlan::Ask(kind) => {
                self.last = None;
                let digest = match kind {
                    AskKind::First => first,
                    AskKind::Resend => resend,
                };
                self.open_ask(kind, digest, None);
            }
        }
        Ok(())
    }

    fn say_yes(
        &mut self,
        now: &Now,
        id: AskId,
        digest: AskDigest,
        unlocked: bool,
    ) -> Result<(), TransitionError> {
        let clock = self.clock;
        let Some(ask) = self.ask.as_mut().filter(|ask| ask.id == id) else {
            return Err(TransitionError::NotThisAsk);
        };
        if ask.yes.is_some() {
            return Err(TransitionError::AlreadyDecided);
        }
        if ask.digest != digest {
            return Err(TransitionError::DigestDiffers);
        }
        if !unlocked {
            return Err(TransitionError::Locked);
        }
        if now.certified.is_none() {
            return Err(TransitionError::TimeNeeded);
        }
        ask.yes = Some(Yes {
            at: clock,
            start: None,
        });
        Ok(())
    }

    fn say_no(&mut self, id: AskId) -> Result<(), TransitionError> {
        let ask = self.ask.as_ref().filter(|ask| ask.id == id);
        let ask = ask.ok_or(TransitionError::NotThisAsk)?;
        if ask.yes.is_some() {
            return Err(TransitionError::AlreadyDecided);
        }
        self.close_ask();
        if self.restored || self.envelopes.iter().any(|e| e.handed_over.is_some()) {
            self.last = Some(Last::Declined);
        } else {
            self.finish(EndKind::Declined);
        }
        Ok(())
    }

    fn withdraw(&mut self) -> Result<(), TransitionError> {
        let ask = self.ask.as_ref().ok_or(TransitionError::NotExpected)?;
        if ask.yes.is_some() {
            return Err(TransitionError::AlreadyDecided);
        }
        self.close_ask();
        Ok(())
    }

    fn lapse(&mut self, why: Lapse) -> Result<(), TransitionError> {
        if self.ask.as_ref().is_none_or(|ask| ask.yes.is_none()) {
            return Err(TransitionError::NotExpected);
        }
        self.reopen_ask(why);
        Ok(())
    }

    fn start_read(
        &mut self,
        start: Start,
        module: Option<ContentHash>,
        evidence: Evidence,
    ) -> Result<(), TransitionError> {
        let too_early = self
            .prepared
            .stamp
            .is_some_and(|stamp| start.s0 < stamp.at.minus(stamp.drift));
        let unsent = self.unsent().is_some();
        let live = self.live().is_some();
        let Some(ask) = self.ask.as_mut() else {
            return Err(TransitionError::NotExpected);
        };
        let kind = ask.kind;
        let Some(yes) = ask.yes.as_mut().filter(|yes| yes.start.is_none()) else {
            return Err(TransitionError::NotExpected);
        };
        if unsent || live || too_early {
            return Err(TransitionError::NotExpected);
        }
        yes.start = Some(start);
        if self.prepared.stamp.is_some() {
            self.evidence = evidence;
        }
        if module != self.prepared.module {
            self.differs();
        } else if kind == AskKind::Resend && evidence != Evidence::Known {
            self.close_ask();
            self.search.wanted = true;
        }
        Ok(())
    }

    fn signed(
        &mut self,
        id: AskId,
        digest: AskDigest,
        signed: SignedEnvelope,
    ) -> Result<(), TransitionError> {
        let Some(ask) = self.ask.as_ref().filter(|ask| ask.id == id) else {
            return Err(TransitionError::NotThisAsk);
        };
        if ask.digest != digest {
            return Err(TransitionError::DigestDiffers);
        }
        let start = ask.yes.as_ref().and_then(|yes| yes.start.as_ref());
        let start = start.ok_or(TransitionError::NotExpected)?;
        if self.unsent().is_some() || self.live().is_some() {
            return Err(TransitionError::NotExpected);
        }
        let fits = signed.s0 == start.s0
            && signed.expiry > start.s0
            && signed.expiry <= start.s0.plus(INGRESS_SPAN)
            && signed.read_expiry < start.s0.plus(STATUS_SPAN)
            && self
                .envelopes
                .iter()
                .all(|e| e.signed.request_id != signed.request_id);
        if !fits {
            return Err(TransitionError::BadEnvelope);
        }
        let envelope = Envelope::new(signed, (ask.id, ask.digest, ask.kind), start.log.clone());
        self.envelopes.push(envelope);
        Ok(())
    }

    fn handed_over(&mut self, now: &Now, request_id: RequestId) -> Result<(), TransitionError> {
        if now.certified.is_none() {
            return Err(TransitionError::TimeNeeded);
        }
        if self
            .unsent()
            .is_none_or(|e| e.signed.request_id != request_id)
        {
            return Err(TransitionError::NotExpected);
        }
        let at = self.clock;
        let envelope = self
            .envelope_mut(request_id)
            .ok_or(TransitionError::UnknownEnvelope)?;
        envelope.handed_over = Some(HandOver { life: now.life, at });
        self.ask = None;
        self.last = Some(Last::Envelope(request_id));
        Ok(())
    }

    fn status(
        &mut self,
        request_id: RequestId,
        status: CertifiedStatus,
        at: Timestamp,
        certificate: Vec<u8>,
    ) -> Result<(), TransitionError> {
        let envelope = self.followed(request_id)?;
        if envelope.end.is_some() || envelope.seen.is_some_and(|seen| seen.at > at) {
            return Err(TransitionError::NotExpected);
        }
        let interim = |status| Some(Seen { status, at });
        let end = match status {
            CertifiedStatus::Absent => {
                envelope.seen = interim(Interim::Absent);
                let proved = at > envelope.signed.expiry
                    && at < envelope.status_until()
                    && !envelope.taken_in;
                proved.then_some(EnvelopeEnd::NeverIncluded { at })
            }
            CertifiedStatus::Received => {
                envelope.seen = interim(Interim::Received);
                envelope.taken_in = true;
                None
            }
            CertifiedStatus::Processing => {
                envelope.seen = interim(Interim::Processing);
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
    fn follow_again(&mut self, request_id: RequestId) {
        let other = self.live().or_else(|| self.unsent());
        if other.is_some_and(|other| other.signed.request_id != request_id) {
            return;
        }
        if let Some(envelope) = self.envelope_mut(request_id) {
            envelope.closed_at = None;
        }
        self.close_ask();
    }

    fn block_read(
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

    fn reconciled(&mut self, finding: Finding) -> Result<(), TransitionError> {
        if !self.may_have_executed() || self.live().is_some() {
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
    fn differs(&mut self) {
        self.close_ask();
        if self.may_have_executed() {
            self.differs = true;
        } else {
            self.finish(EndKind::Differs);
        }
    }

    fn superseded(&mut self, successor: PreviewId) -> Result<(), TransitionError> {
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

    fn by_hand(&mut self, word: HandWord, evidence: String) -> Result<(), TransitionError> {
        if !self.may_have_executed() || self.live().is_some() {
            return Err(TransitionError::NotExpected);
        }
        let past_expiry = self.envelopes.iter().all(|e| self.clock > e.signed.expiry);
        if word == HandWord::DidNotHappen && !past_expiry {
            return Err(TransitionError::MayStillRun);
        }
        self.finish(EndKind::ByHand { word, evidence });
        Ok(())
    }

    /// Draws what follows from the envelopes' ends. The same ends lead to the same conclusion in
    /// whatever order they became known.
    fn conclude(&mut self) {
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
    fn finish(&mut self, kind: EndKind) {
        self.close_ask();
        self.end = Some(End {
            kind,
            at: self.clock,
            told: false,
        });
    }

    fn open_ask(&mut self, kind: AskKind, digest: AskDigest, lapsed: Option<Lapse>) {
        self.ask = Some(Ask {
            id: self.next_ask_id(),
            digest,
            kind,
            opened_at: self.clock,
            lapsed,
            yes: None,
        });
        self.asks = self.asks.saturating_add(1);
    }

    /// Drops the yes, and the envelope it covered if it never left; the question stands, under a
    /// new id, so that a late press on the old window decides nothing.
    fn reopen_ask(&mut self, why: Lapse) {
        self.void_unsent();
        if let Some(ask) = self.ask.take() {
            self.open_ask(ask.kind, ask.digest, Some(why));
        }
    }

    fn close_ask(&mut self) {
        self.void_unsent();
        self.ask = None;
    }

    fn forget_start(&mut self) {
        if let Some(yes) = self.ask.as_mut().and_then(|ask| ask.yes.as_mut()) {
            yes.start = None;
        }
    }

    fn void_unsent(&mut self) {
        for envelope in &mut self.envelopes {
            if envelope.handed_over.is_none() {
                envelope.void = true;
            }
        }
    }

    fn envelope_mut(&mut self, request_id: RequestId) -> Option<&mut Envelope> {
        self.envelopes
            .iter_mut()
            .find(|e| e.signed.request_id == request_id)
    }

    /// The envelope with this id, if it was handed over.
    fn followed(&mut self, request_id: RequestId) -> Result<&mut Envelope, TransitionError> {
        self.envelope_mut(request_id)
            .filter(|e| e.handed_over.is_some())
            .ok_or(TransitionError::UnknownEnvelope)
    }

    /// Whether an envelope other than this one may have executed.
    fn others_may_have_executed(&self, request_id: RequestId) -> bool {
        self.restored
            || self
                .envelopes
                .iter()
                .filter(|e| e.signed.request_id != request_id)
                .any(|e| e.may_have_executed(self.is_ordinary()))
    }
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
