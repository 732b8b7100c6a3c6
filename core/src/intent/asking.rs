//! From a commit to the hand-over: asks, yeses, and what is signed under them.

use super::effect::CommitPlan;
use super::end::EndKind;
use super::envelope::{Envelope, HandOver, SignedEnvelope};
use super::event::{Lapse, Now, Start, TransitionError};
use super::facts::{HAND_OVER_MARGIN, INGRESS_SPAN, STATUS_SPAN};
use super::record::{Ask, AskKind, Intent, Last, Yes};
use super::words::{Evidence, Hitch};
use crate::ids::{AskDigest, AskId, ContentHash, RequestId};

impl Intent {
    pub(super) fn commit(
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
        // While an ask is open, what its digest says stands.
        if self.prepared.stamp.is_some() && plan != CommitPlan::Join {
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

    pub(super) fn say_yes(
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

    pub(super) fn say_no(&mut self, id: AskId) -> Result<(), TransitionError> {
        let ask = self.ask.as_ref().filter(|ask| ask.id == id);
        let ask = ask.ok_or(TransitionError::NotThisAsk)?;
        if ask.yes.is_some() {
            return Err(TransitionError::AlreadyDecided);
        }
        self.close_ask();
        if self.handed_over_count() > 0 {
            self.last = Some(Last::Declined);
        } else {
            self.finish(EndKind::Declined);
        }
        Ok(())
    }

    pub(super) fn withdraw(&mut self) -> Result<(), TransitionError> {
        let ask = self.ask.as_ref().ok_or(TransitionError::NotExpected)?;
        if ask.yes.is_some() {
            return Err(TransitionError::AlreadyDecided);
        }
        self.close_ask();
        Ok(())
    }

    pub(super) fn lapse(&mut self, why: Lapse) -> Result<(), TransitionError> {
        if self.ask.as_ref().is_none_or(|ask| ask.yes.is_none()) {
            return Err(TransitionError::NotExpected);
        }
        self.reopen_ask(why);
        Ok(())
    }

    pub(super) fn start_read(
        &mut self,
        start: Start,
        module: Option<ContentHash>,
        evidence: Evidence,
    ) -> Result<(), TransitionError> {
        let too_early = self
            .prepared
            .stamp
            .is_some_and(|stamp| start.s0 < stamp.at.minus(stamp.drift));
        // What is signed by it would be dropped at once, again and again.
        let too_old = self.clock.plus(HAND_OVER_MARGIN) > start.s0.plus(INGRESS_SPAN);
        let unsent = self.unsent().is_some();
        let live = self.live().is_some();
        let Some(ask) = self.ask.as_mut() else {
            return Err(TransitionError::NotExpected);
        };
        let kind = ask.kind;
        let Some(yes) = ask.yes.as_mut().filter(|yes| yes.start.is_none()) else {
            return Err(TransitionError::NotExpected);
        };
        if unsent || live || too_early || too_old {
            return Err(TransitionError::NotExpected);
        }
        yes.start = Some(start);
        let shown = ask.evidence;
        if self.prepared.stamp.is_some() {
            self.evidence = evidence;
        }
        if module != self.prepared.module {
            self.differs();
        } else if self.evidence != shown {
            // The yes was to another sentence about a lost answer.
            self.close_ask();
            match kind {
                AskKind::First => self.last = Some(Last::Stopped(Hitch::Changed)),
                AskKind::Resend => self.search.wanted = true,
            }
        }
        Ok(())
    }

    pub(super) fn signed(
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
        let yes = ask.yes.as_ref().ok_or(TransitionError::NotExpected)?;
        let start = yes.start.as_ref().ok_or(TransitionError::NotExpected)?;
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
        let envelope = Envelope::new(signed, ask, yes.at, start.log.clone());
        self.envelopes.push(envelope);
        Ok(())
    }

    pub(super) fn handed_over(
        &mut self,
        now: &Now,
        request_id: RequestId,
    ) -> Result<(), TransitionError> {
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

    /// Takes over what another life wrote before it gave the envelope out. That life had the yes; in
    /// this one the status is read before anything is posted, as after any death.
    pub(super) fn may_have_left(
        &mut self,
        request_id: RequestId,
        hand_over: HandOver,
    ) -> Result<(), TransitionError> {
        let envelope = self
            .envelope_mut(request_id)
            .ok_or(TransitionError::UnknownEnvelope)?;
        // What was voided was not handed over: the journal had refused it.
        if envelope.void || envelope.handed_over.is_some() {
            return Err(TransitionError::NotExpected);
        }
        envelope.handed_over = Some(hand_over);
        self.ask = None;
        self.last = Some(Last::Envelope(request_id));
        Ok(())
    }

    pub(super) fn open_ask(&mut self, kind: AskKind, digest: AskDigest, lapsed: Option<Lapse>) {
        self.ask = Some(Ask {
            id: self.next_ask_id(),
            digest,
            kind,
            opened_at: self.clock,
            evidence: self.evidence,
            lapsed,
            yes: None,
        });
        self.asks = self.asks.saturating_add(1);
    }

    /// Drops the yes, and the envelope it covered if it never left; the question stands, under a
    /// new id, so that a late press on the old window decides nothing.
    pub(super) fn reopen_ask(&mut self, why: Lapse) {
        self.void_unsent();
        if let Some(ask) = self.ask.take() {
            self.open_ask(ask.kind, ask.digest, Some(why));
        }
    }

    pub(super) fn close_ask(&mut self) {
        self.void_unsent();
        self.ask = None;
    }

    pub(super) fn forget_start(&mut self) {
        if let Some(yes) = self.ask.as_mut().and_then(|ask| ask.yes.as_mut()) {
            yes.start = None;
        }
    }

    pub(super) fn void_unsent(&mut self) {
        for envelope in &mut self.envelopes {
            if envelope.handed_over.is_none() {
                envelope.void = true;
            }
        }
    }
}
