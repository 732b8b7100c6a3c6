//! What an intent becomes when something happens to it.

use super::end::EndKind;
use super::envelope::{Envelope, Submitted};
use super::event::{Event, Lapse, Now, TransitionError};
use super::facts::HAND_OVER_MARGIN;
use super::record::{Intent, Last, UNCOMMITTED_SPAN, YES_SPAN};
use crate::ids::RequestId;

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
                    next.end = Some(end.named(names_end, now.certified));
                    next.told = Some(answer);
                    Ok(next)
                }
                Event::Look => {
                    let end = end.passed(now.certified).ok_or(TransitionError::Ended)?;
                    let mut next = self.clone();
                    next.end = Some(end);
                    Ok(next)
                }
                Event::GaveWay => {
                    let mut next = self.clone();
                    next.gave_way = true;
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
        if matches!(event, Event::Restored { .. } | Event::MayHaveLeft { .. }) {
            // Before time decides: a newer journal may know that it was sent.
            next.take(now, event)?;
            next.pass_time();
            return Ok(next);
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
                self.restored = Some(self.clock);
                self.close_ask();
                Ok(())
            }
            Event::MayHaveLeft {
                request_id,
                hand_over,
            } => self.may_have_left(request_id, hand_over),
            Event::GaveWay => {
                self.gave_way = true;
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

    pub(super) fn envelope_mut(&mut self, request_id: RequestId) -> Option<&mut Envelope> {
        self.envelopes
            .iter_mut()
            .find(|e| e.signed.request_id == request_id)
    }

    /// The envelope with this id, if it was handed over.
    pub(super) fn followed(
        &mut self,
        request_id: RequestId,
    ) -> Result<&mut Envelope, TransitionError> {
        self.envelope_mut(request_id)
            .filter(|e| e.handed_over.is_some())
            .ok_or(TransitionError::UnknownEnvelope)
    }
}
