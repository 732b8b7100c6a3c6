//! Driving one intent: from its stored state to the next thing that is not ours to do.
//!
//! The loop is load → `pending_effect` → act through a port → `apply` → store. It ends where the
//! intent waits for a person, an agent or a far time; whoever changes it drives it again. The
//! worker may die anywhere: every effect may run twice, and what must not is stored first.

mod events;
mod sending;

use super::Wallet;
use super::intents::StoredIntent;
use super::memory::Attempt;
use crate::ids::PreviewId;
use crate::intent::{Effect, Event, Intent, Lapse, Now, Pace, WaitFor};
use crate::policy::{Origin, SiteKey};
use crate::ports::{Alarms as _, Clock as _, Ports};
use crate::time::{Span, Timestamp};
pub use events::TellError;

/// Longer than this the driver does not wait itself: an alarm wakes it.
const LONGEST_PAUSE: Span = Span::from_secs(2);

/// How often in a row somebody else may store first before the driver leaves it for later.
const MOST_LOST: u32 = 16;

/// While an envelope is on its way, the worker is woken at least this often.
pub(super) const WATCH: Span = Span::from_secs(30);

/// A far time that cannot be told exactly is looked at no more often than this.
const LOOK_LATER: Span = Span::from_mins(5);

/// By the host's clock nothing is put off for longer.
const HOST_SPAN: Span = Span::from_hours(1);

/// What one turn of the loop came to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Turn {
    /// Something was stored: look again.
    Stored,
    /// Nothing came of it: try again after a pause.
    Nothing,
    /// Somebody else stored meanwhile: look again.
    Lost,
    /// The journal cannot be used now.
    Stuck,
}

impl<P: Ports> Wallet<P> {
    /// Time as an intent is judged by it.
    pub(super) fn now(&self, intent: &Intent) -> Now {
        let prepared = intent.prepared();
        Now {
            certified: self.carried_time(&prepared.network, prepared.effective_canister),
            life: self.life(),
        }
    }

    /// Drives an intent until it waits for something that is not the wallet's to do.
    ///
    /// Only one driver of an intent runs at a time; a second call makes the first look again.
    pub async fn drive(&self, preview: PreviewId) {
        if !self.is_compared().await && !self.is_on_its_way(&preview).await {
            self.ports.alarms().wake_after(WATCH);
            return;
        }
        if !self.memory.borrow_mut().driving.begin(preview) {
            return;
        }
        loop {
            self.drive_to_rest(&preview).await;
            if self.memory.borrow_mut().driving.end(&preview) {
                return;
            }
        }
    }

    /// Whether an envelope of it was sent and is followed: that goes on whatever the journal is.
    async fn is_on_its_way(&self, preview: &PreviewId) -> bool {
        let stored = self.intent(preview).await;
        stored.is_ok_and(|stored| stored.is_some_and(|stored| stored.intent.live().is_some()))
    }

    async fn drive_to_rest(&self, preview: &PreviewId) {
        let mut lost = 0;
        loop {
            let Ok(Some(stored)) = self.intent(preview).await else {
                self.ports.alarms().wake_after(WATCH);
                return;
            };
            let Some(effect) = stored.intent.pending_effect(&self.now(&stored.intent)) else {
                self.memory.borrow_mut().attempts.remove(preview);
                self.answer_waiters(preview).await;
                return;
            };
            if let Effect::Wait { until, on } = effect {
                self.memory.borrow_mut().attempts.remove(preview);
                if self.rest(&stored.intent, until, on).await {
                    continue;
                }
                return;
            }
            self.ports.alarms().wake_after(WATCH);
            let left = self.until_next_try(preview, &effect);
            if left > LONGEST_PAUSE {
                self.answer_waiters(preview).await;
                self.ports.alarms().wake_after(left);
                return;
            }
            if left > Span::ZERO {
                self.ports.clock().pause(left).await;
            }
            let pace = effect.pace();
            match self.turn(&stored, effect).await {
                Turn::Stored => {
                    lost = 0;
                    self.memory.borrow_mut().attempts.remove(preview);
                }
                Turn::Nothing => self.failed_try(preview, pace),
                // A journal that never says what it did is as good as none.
                Turn::Lost if lost < MOST_LOST => lost += 1,
                Turn::Lost | Turn::Stuck => {
                    self.ports.alarms().wake_after(WATCH);
                    return;
                }
            }
            self.answer_waiters(preview).await;
            self.push_views().await;
        }
    }

    /// How long to wait before an effect is tried: nothing before its first try. However often the
    /// intent is driven meanwhile, tries that bring nothing grow rarer.
    fn until_next_try(&self, preview: &PreviewId, effect: &Effect) -> Span {
        let now = self.ports.clock().monotonic();
        let mut memory = self.memory.borrow_mut();
        let attempt = memory.attempts.entry(*preview).or_default();
        if attempt.effect != effect.name() {
            *attempt = Attempt {
                effect: effect.name(),
                tries: 0,
                not_before: now,
            };
        }
        Span::from_nanos(attempt.not_before.as_nanos().saturating_sub(now.as_nanos()))
    }

    fn failed_try(&self, preview: &PreviewId, pace: Pace) {
        let now = self.ports.clock().monotonic();
        let mut memory = self.memory.borrow_mut();
        let attempt = memory.attempts.entry(*preview).or_default();
        attempt.tries = attempt.tries.saturating_add(1);
        let delay = pace.delay(attempt.tries).max(Span::from_millis(1));
        attempt.not_before = Span::from_nanos(now.as_nanos().saturating_add(delay.as_nanos()));
    }

    /// The intent waits: say so to whoever has to know, and be woken when its time comes. Gives
    /// whether to look again at once, since time was read.
    async fn rest(&self, intent: &Intent, until: Option<Timestamp>, on: WaitFor) -> bool {
        let mut again = false;
        if let Some(until) = until {
            let prepared = intent.prepared();
            let (network, canister) = (&prepared.network, prepared.effective_canister);
            let left = match self.carried_time(network, canister) {
                Some(now) => until.since(now),
                // Without certified time the host's clock says when to look, and decides nothing:
                // one that is far behind puts off nothing for long.
                None => {
                    let left = until.since(self.ports.clock().host());
                    if left == Span::ZERO || left > HOST_SPAN {
                        let read = self.certified_time(network, canister).await;
                        // A time from before the newest of this life is not carried on.
                        again = read.is_ok() && self.carried_time(network, canister).is_some();
                    }
                    left.max(LOOK_LATER).min(HOST_SPAN)
                }
            };
            if !again {
                self.ports.alarms().wake_after(left.max(Span::from_secs(1)));
            }
        }
        match on {
            WaitFor::Decision(_) => self.show_asks().await,
            WaitFor::Agent | WaitFor::Reconciliation | WaitFor::PersonSettles => {}
        }
        self.answer_waiters(&intent.preview()).await;
        again
    }

    /// Runs one effect.
    async fn turn(&self, stored: &StoredIntent, effect: Effect) -> Turn {
        let prepared = stored.intent.prepared();
        match effect {
            Effect::Look => self.happened(stored, Event::Look).await,
            Effect::ReadTime => {
                let read = self.certified_time(&prepared.network, prepared.effective_canister);
                match read.await {
                    Ok(_) => Turn::Lost,
                    Err(_) => Turn::Nothing,
                }
            }
            Effect::ReadStart { .. } => self.read_start(stored).await,
            Effect::Sign { ask, s0, .. } => {
                let evidence = stored.intent.evidence();
                let event = match self.sign_call(&stored.intent, evidence, s0).await {
                    Ok((digest, envelope)) => Event::Signed {
                        ask,
                        digest,
                        envelope: Box::new(envelope),
                    },
                    Err(hitch) => Event::Stopped(hitch),
                };
                self.happened(stored, event).await
            }
            // What was signed and did not leave goes with the lock, whoever locked.
            Effect::HandOver { .. } if !self.is_unlocked() => {
                self.happened(stored, Event::Lapse(Lapse::Locked)).await
            }
            Effect::HandOver { request_id } => self.hand_over(stored, request_id).await,
            Effect::Submit { request_id } => self.submit(stored, request_id).await,
            Effect::ReadStatus { request_id, with } => {
                self.read_status(stored, request_id, with).await
            }
            Effect::ReadBlock { request_id, block } => {
                let event = self.read_block(&stored.intent, request_id, &block).await;
                self.happened(stored, event).await
            }
            Effect::Renew { cap, .. } => self.renew(stored, cap).await,
            Effect::Reconcile => match self.read_statuses(stored).await {
                Turn::Nothing => {
                    let finding = self.look_for(&stored.intent).await;
                    self.happened(stored, Event::Reconciled(finding)).await
                }
                turn @ (Turn::Stored | Turn::Lost | Turn::Stuck) => turn,
            },
            Effect::Wait { .. } => Turn::Nothing,
        }
    }
}

/// The site whose wish an intent is.
pub(super) fn site_of(intent: &Intent) -> Option<SiteKey> {
    let origin = Origin::parse(&intent.prepared().origin).ok()?;
    Some(SiteKey::top_level(&origin))
}
