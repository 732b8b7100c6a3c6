//! Every change of a world, and what the laws say of it.

use std::sync::Arc;

use countersign_core::ids::InstallationId;
use countersign_core::intent::{
    Asked, EndKind, Envelope, Event, Finding, HandWord, Intent, Lapse, Outcome, TOLD_SPAN, YES_SPAN,
};

use crate::bounds::{Bounds, Change, Reads, Written};
use crate::kinds::Seen;
use crate::law::{Broken, Law, hold};
use crate::world::{Agreed, Block, Copied, Heard, Place, Slot, Wire, World, instant, key_of};

impl World {
    /// The world after an event, if it changes anything; the laws are judged.
    pub(crate) fn after(
        &self,
        index: usize,
        event: Event,
        seen: &mut Seen,
    ) -> Result<Option<Self>, Broken> {
        let old = &self.slots[index].intent;
        let Ok(next) = old.apply(&self.now(), event.clone()) else {
            return Ok(None);
        };
        if next == **old {
            return Ok(None);
        }
        seen.event(&event);
        let mut world = self.clone();
        if let Event::Reconciled(Finding::NotYet { .. } | Finding::Unreadable { .. }) = event {
            world.slots[index].looks += 1;
        }
        world.put(index, next)?;
        Ok(Some(world))
    }

    /// Stores an intent, and judges what changed.
    fn put(&mut self, index: usize, next: Intent) -> Result<(), Broken> {
        let unlocked = self.unlocked;
        let now = self.now().certified;
        let true_time = instant(self.at);
        let slot = &mut self.slots[index];
        let old = core::mem::replace(&mut slot.intent, Arc::new(next));
        if let Some(ask) = old.ask()
            && slot.intent.ask().is_none_or(|open| open.id != ask.id)
        {
            slot.left_open = Some((ask.id, ask.digest));
        }
        for envelope in slot.intent.envelopes() {
            let id = envelope.signed.request_id;
            let before = old.envelope(id);
            let is_fresh = |agreed: Option<&Agreed>| {
                agreed.is_none_or(|agreed| {
                    !agreed.lapsed && now.is_some_and(|now| now <= agreed.at.plus(YES_SPAN))
                })
            };
            if before.is_none() {
                hold(Law::FreshYes, unlocked, || "signed while locked".to_owned())?;
                hold(Law::FreshYes, is_fresh(slot.agreed.as_ref()), || {
                    "signed on a lapsed yes".to_owned()
                })?;
            }
            let left = |e: &Envelope| e.handed_over.is_some();
            // One that left in a life that the journal does not know leaves no second time.
            let is_out = slot.wires.iter().any(|wire| wire.id == id);
            if !left(envelope) || before.is_some_and(left) || is_out {
                continue;
            }
            hold(Law::FreshYes, unlocked, || {
                "handed over while locked".to_owned()
            })?;
            let agreed = slot.agreed.take();
            hold(Law::FreshYes, is_fresh(agreed.as_ref()), || {
                "handed over on a lapsed yes".to_owned()
            })?;
            slot.wires.push(Wire {
                id,
                expiry: envelope.signed.expiry,
                agreed: agreed
                    .as_ref()
                    .is_some_and(|a| a.ask == envelope.ask && a.digest == envelope.digest),
                place: if true_time > envelope.signed.expiry {
                    Place::Dropped
                } else {
                    Place::InTransit
                },
                denied: agreed.is_some_and(|agreed| agreed.denied),
            });
        }
        slot.key = key_of(&slot.intent);
        self.judge_answers(index)?;
        self.judge()
    }

    /// Another life of the worker begins.
    pub(crate) const fn start(&mut self) {
        self.life += 1;
        self.carried = None;
    }

    /// Every yes that was not carried out lapses, in the store.
    pub(crate) fn lapse_all(&mut self, seen: &mut Seen) -> Result<(), Broken> {
        for index in 0..self.slots.len() {
            if let Some(lapsed) = self.after(index, Event::Lapse(Lapse::Locked), seen)? {
                *self = lapsed;
            }
        }
        Ok(())
    }

    /// The journal is what it was when it was copied; the wallet finds that at its next start.
    pub(crate) fn put_back(&self, lapses: bool, seen: &mut Seen) -> Result<Option<Self>, Broken> {
        let Copied::Kept(intents) = &self.copy else {
            return Ok(None);
        };
        let mut world = self.clone();
        world.copy = Copied::PutBack;
        let mut sent = Vec::new();
        for (slot, intent) in world.slots.iter_mut().zip(intents) {
            sent.push(last_sent(&slot.intent));
            slot.intent = Arc::clone(intent);
            slot.key = key_of(intent);
            slot.agreed = None;
        }
        world.start();
        let foreign = lapses.then_some(Event::Lapse(Lapse::Foreign));
        let restored = Event::Restored {
            installation: InstallationId::from_bytes([10; 16]),
            epoch: 2,
        };
        for (index, sent) in sent.into_iter().enumerate() {
            let events = sent.into_iter().chain(foreign.clone());
            for event in events.chain([restored.clone()]) {
                if let Some(after) = world.after(index, event, seen)? {
                    world = after;
                }
            }
        }
        Ok(Some(world))
    }

    /// Every answer that could be given now is true.
    fn judge_answers(&mut self, index: usize) -> Result<(), Broken> {
        let executed = self.executed(index);
        let slot = &mut self.slots[index];
        // What the person says is the person's; that it did not happen is what the kernel lets be
        // said.
        if let Some(EndKind::ByHand { word, .. }) = slot.intent.end().map(|end| &end.kind)
            && *word != HandWord::DidNotHappen
        {
            return Ok(());
        }
        for asked in [
            Asked::Commit,
            Asked::LateCommit,
            Asked::Prepare,
            Asked::Look,
        ] {
            let answer = slot.intent.answer(asked);
            let Some(outcome) = answer.outcome else {
                continue;
            };
            if matches!(outcome, Outcome::Success | Outcome::AlreadyDone) {
                hold(Law::AnswersAreTrue, executed, || {
                    format!("{} is told and nothing was executed", outcome.as_str())
                })?;
            }
            if outcome.denies_execution() && answer.earlier_outcome.is_none() {
                hold(Law::AnswersAreTrue, !executed, || {
                    format!("{} is told and it was executed", outcome.as_str())
                })?;
                for wire in &mut slot.wires {
                    wire.denied = true;
                }
                if let Some(agreed) = &mut slot.agreed {
                    agreed.denied = true;
                }
            }
        }
        Ok(())
    }

    /// What holds of every state.
    fn judge(&self) -> Result<(), Broken> {
        let now = instant(self.at);
        for (index, slot) in self.slots.iter().enumerate() {
            let ours = self
                .log
                .iter()
                .filter(|block| usize::from(block.of) == index);
            let effects = ours.count();
            hold(Law::OneEffect, effects <= 1, || {
                format!("{effects} effects of one intent")
            })?;
            let live = slot.wires.iter().filter(|wire| {
                let open = slot
                    .intent
                    .envelope(wire.id)
                    .is_none_or(|e| e.end.is_none());
                open && now <= wire.expiry
            });
            hold(Law::OneLive, live.count() <= 1, || {
                "two envelopes on their way".to_owned()
            })?;
            for other in &self.slots[..index] {
                let same = (other.origin, other.wish) == (slot.origin, slot.wish);
                let open = |slot: &Slot| slot.intent.end().is_none();
                hold(
                    Law::OneUnsettled,
                    !(same && open(slot) && open(other)),
                    || "two unsettled intents of one identity".to_owned(),
                )?;
                let stamp = slot.intent.stamp_key();
                let free = stamp.is_none() || stamp != other.intent.stamp_key();
                hold(Law::StampsUnique, free, || {
                    "a stamp was given out twice".to_owned()
                })?;
            }
        }
        Ok(())
    }

    /// An effect, by the block that it leaves.
    pub(crate) fn execute(
        &mut self,
        bounds: &Bounds,
        index: usize,
        wire: usize,
        written: Written,
    ) -> Result<(), Broken> {
        self.log.push(Block {
            of: u8::try_from(index).unwrap_or(u8::MAX),
            // Only where certificates are old, or blocks are told by their dates, does it matter
            // since when it is there.
            at: if bounds.skew || bounds.reads != Reads::Whole {
                self.at
            } else {
                0
            },
            written,
        });
        let wire = &self.slots[index].wires[wire];
        hold(Law::EffectHasYes, wire.agreed, || {
            "an effect nobody agreed to".to_owned()
        })?;
        hold(Law::AnswersAreTrue, !wire.denied, || {
            "executed after an answer that denied it".to_owned()
        })?;
        self.judge()
    }

    /// The world with a new intent, in the transaction that adds it.
    pub(crate) fn add(&mut self, intent: Intent, of: (u8, u8)) -> Result<(), Broken> {
        let earlier = self.slots.len();
        let (origin, wish) = of;
        self.slots.push(Slot {
            key: key_of(&intent),
            intent: Arc::new(intent),
            origin,
            wish,
            wires: Vec::new(),
            agreed: None,
            left_open: None,
            heard: Heard::Nobody,
            looks: 0,
            new_fee: self.has(Change::Fee),
        });
        self.judge()?;
        let now = instant(self.at);
        for (index, slot) in self.slots[..earlier].iter().enumerate() {
            if (slot.origin, slot.wish) != of {
                continue;
            }
            let executed = self.executed(index);
            let end = slot.intent.end().map(|end| &end.kind);
            let told = match (slot.heard, end) {
                (_, Some(EndKind::Expired | EndKind::Superseded { .. })) => !self.may_be(index),
                (_, None) | (Heard::Nobody, Some(_)) => false,
                (Heard::Preparation, Some(_)) => true,
                (Heard::Waiter(at), Some(end)) => {
                    // The person knows that it may happen twice.
                    let asked_for = matches!(
                        end,
                        EndKind::ByHand {
                            word: HandWord::AskAgain,
                            ..
                        }
                    );
                    !executed || asked_for || now >= instant(at).plus(TOLD_SPAN)
                }
            };
            hold(Law::ToldFirst, told, || {
                "a second stamp of an identity before the first one's end was told".to_owned()
            })?;
        }
        Ok(())
    }
}

/// What stands outside the journal of an intent that has not ended: its last hand-over.
fn last_sent(intent: &Intent) -> Option<Event> {
    let last = intent
        .envelopes()
        .last()
        .filter(|_| intent.end().is_none())?;
    Some(Event::MayHaveLeft {
        request_id: last.signed.request_id,
        hand_over: last.handed_over?,
    })
}
