//! Everything that can happen next.

use std::sync::Arc;

use countersign_core::ids::AskDigest;
use countersign_core::intent::{AskKind, Asked, Event, HandWord, Line, NamesEnd, PrepareAgain};

use crate::bounds::{Bounds, ByHand, Change};
use crate::kinds::Seen;
use crate::law::{Broken, Law, hold};
use crate::world::{Agreed, Copied, FIRST, Heard, Place, RESEND, Step, Wire, World, instant};

/// The last instant at which a call is prepared.
pub(crate) const LAST_PREPARED: u8 = 6;

pub(crate) type After = Vec<(Step, World)>;
pub(crate) type Stop = (Broken, Step);

/// Keeps the world after a step, where there is one.
pub(crate) fn keep(
    after: &mut After,
    step: Step,
    world: Result<Option<World>, Broken>,
) -> Result<(), Stop> {
    match world {
        Ok(Some(world)) => after.push((step, world)),
        Ok(None) => {}
        Err(broken) => return Err((broken, step)),
    }
    Ok(())
}

impl World {
    /// Every step from here, each with the world after it.
    pub(crate) fn steps(
        &self,
        bounds: &Bounds,
        seen: &mut Seen,
        after: &mut After,
    ) -> Result<(), Stop> {
        self.time_passes(bounds, after);
        self.deaths(bounds, after);
        self.agents(bounds, seen, after)?;
        for index in 0..self.slots.len() {
            self.person(bounds, index, seen, after)?;
            self.network(bounds, index, after)?;
            self.worker(bounds, index, seen, after)?;
        }
        self.lock(bounds, seen, after)?;
        // What is put back later does not come to an end without a person before the last instant.
        if bounds.by_hand != ByHand::Never || self.at <= LAST_PREPARED {
            for (how, lapses) in [("", false), ("yeses lapse first", true)] {
                let step = Step::new("journal put back", 0, how);
                keep(after, step, self.put_back(lapses, seen))?;
            }
        }
        Ok(())
    }

    fn time_passes(&self, bounds: &Bounds, after: &mut After) {
        if let Some(next) = bounds.instants.iter().find(|next| **next > self.at) {
            let mut world = self.clone();
            world.at = *next;
            world.carried = None;
            let now = instant(world.at);
            for wire in world.slots.iter_mut().flat_map(|slot| &mut slot.wires) {
                if matches!(wire.place, Place::InTransit) && now > wire.expiry {
                    wire.place = Place::Dropped;
                }
            }
            after.push((Step::new("time passes", 0, ""), world));
        }
        if bounds.restores && !self.slots.is_empty() && matches!(self.copy, Copied::No) {
            let mut world = self.clone();
            let intents = self.slots.iter().map(|slot| Arc::clone(&slot.intent));
            world.copy = Copied::Kept(intents.collect());
            after.push((Step::new("journal copied", 0, ""), world));
        }
        let open = self.slots.iter().any(|slot| slot.intent.end().is_none());
        for change in bounds.changes {
            let forgets = matches!(change, Change::Memory | Change::List);
            let unseen = forgets && self.sends_again();
            if self.has(*change) || unseen || !open {
                continue;
            }
            let mut world = self.clone();
            world.changed |= change.bit();
            if *change == Change::Log {
                world.lost = self.log.len();
            }
            let what = match change {
                Change::Module => "module changes",
                Change::Memory => "module changes and forgets",
                Change::Log => "module is installed anew",
                Change::Fee => "fee changes",
                Change::Account => "account changes",
                Change::List => "ledger is struck off the list",
            };
            after.push((Step::new(what, 0, ""), world));
        }
    }

    /// Whether the module was read for a second envelope, and one of the two can still arrive.
    fn sends_again(&self) -> bool {
        self.slots.iter().any(|slot| {
            let begun = slot.intent.ask().is_some_and(|ask| {
                let start = ask.yes.as_ref().and_then(|yes| yes.start.as_ref());
                ask.kind == AskKind::Resend && start.is_some()
            });
            let comes = |wire: &Wire| matches!(wire.place, Place::InTransit | Place::Received);
            begun || slot.wires.len() > 1 && slot.wires.iter().any(comes)
        })
    }

    /// Whatever is between two stored records dies with the worker: all of it is in the next step
    /// anew.
    fn deaths(&self, bounds: &Bounds, after: &mut After) {
        if !bounds.deaths {
            return;
        }
        let mut world = self.clone();
        world.start();
        after.push((Step::new("worker dies", 0, ""), world));
        if bounds.locks && self.unlocked {
            let mut world = self.clone();
            world.close_vault();
            world.start();
            after.push((Step::new("browser is started again", 0, ""), world));
        }
    }

    fn close_vault(&mut self) {
        self.unlocked = false;
        for agreed in self
            .slots
            .iter_mut()
            .filter_map(|slot| slot.agreed.as_mut())
        {
            agreed.lapsed = true;
        }
    }

    /// Agents prepare, commit, withdraw, and hear of ends.
    fn agents(&self, bounds: &Bounds, seen: &mut Seen, after: &mut After) -> Result<(), Stop> {
        for origin in 0..bounds.origins {
            for wish in 0..bounds.wishes {
                let step = Step::new("prepare", usize::from(origin * 10 + wish), "").by_agent();
                keep(after, step, self.prepare(bounds, (origin, wish), seen))?;
            }
        }
        for (index, slot) in self.slots.iter().enumerate() {
            let commit = Event::Commit {
                evidence: self.evidence(bounds),
                first: FIRST,
                resend: RESEND,
            };
            let step = Step::new("commit", index, "").by_agent();
            keep(after, step, self.after(index, commit, seen))?;
            let step = Step::new("withdraw", index, "").by_agent();
            keep(after, step, self.after(index, Event::Withdraw, seen))?;
            if slot.intent.end().is_some() && slot.heard == Heard::Nobody {
                let step = Step::new("answer delivered", index, "to who waited");
                keep(after, step, self.tell(index, Asked::Commit, seen))?;
            }
        }
        Ok(())
    }

    fn prepare(
        &self,
        bounds: &Bounds,
        of: (u8, u8),
        seen: &mut Seen,
    ) -> Result<Option<Self>, Broken> {
        // What is prepared later cannot come to an end before the last instant. What comes first is
        // called the first wish: with another name it would be the same history.
        let first = self.slots.is_empty() && of != (0, 0);
        if self.carried.is_none() || self.at > LAST_PREPARED || first {
            return Ok(None);
        }
        let last = self
            .slots
            .iter()
            .rposition(|slot| (slot.origin, slot.wish) == of);
        let mut world = self.clone();
        if let Some(last) = last {
            if let Some(looked) = world.after(last, Event::Look, seen)? {
                world = looked;
            }
            match world.slots[last].intent.prepare_again() {
                PrepareAgain::Repeat => return Ok(Some(world)),
                PrepareAgain::TellEnd => return world.tell(last, Asked::Prepare, seen),
                PrepareAgain::New => {}
            }
        }
        let Some(intent) = world.make(bounds, of, None, Line::default()) else {
            return Ok(Some(world));
        };
        world.add(intent, of)?;
        Ok(Some(world))
    }

    /// An answer reaches the agent and is acknowledged. (One that does not changes nothing.)
    fn tell(&self, index: usize, asked: Asked, seen: &mut Seen) -> Result<Option<Self>, Broken> {
        let answer = self.slots[index].intent.answer(asked);
        let names_end = answer.names_end;
        let told = Event::Told {
            answer: answer.hash(),
            names_end,
        };
        let after = self.after(index, told, seen)?;
        Ok(after.map(|mut world| {
            let slot = &mut world.slots[index];
            slot.heard = match names_end {
                NamesEnd::No => slot.heard,
                NamesEnd::ToWaiter => Heard::Waiter(self.at),
                NamesEnd::ToPreparation => Heard::Preparation,
            };
            world
        }))
    }

    fn person(
        &self,
        bounds: &Bounds,
        index: usize,
        seen: &mut Seen,
        after: &mut After,
    ) -> Result<(), Stop> {
        let slot = &self.slots[index];
        if let Some(ask) = slot.intent.ask() {
            let sent: usize = self.slots.iter().map(|slot| slot.wires.len()).sum();
            if slot.wires.len() < bounds.envelopes && sent < bounds.sent {
                let other = AskDigest::from_bytes([0xff; 32]);
                let mut presses = vec![
                    ("on what is shown", ask.id, ask.digest),
                    ("on other bytes", ask.id, other),
                ];
                if bounds.windows
                    && let Some((id, digest)) = slot.left_open
                {
                    presses.push(("in a window left open", id, digest));
                }
                let kind = ask.kind;
                for (how, ask, digest) in presses {
                    let yes = Event::Yes {
                        ask,
                        digest,
                        unlocked: self.unlocked,
                    };
                    let step = Step::new("yes", index, how);
                    let world = self.after(index, yes, seen);
                    let Some(mut world) = world.map_err(|broken| (broken, step))? else {
                        continue;
                    };
                    // Time may have ended it instead.
                    let taken =
                        (world.slots[index].intent.ask()).is_some_and(|ask| ask.yes.is_some());
                    if !taken {
                        after.push((step, world));
                        continue;
                    }
                    hold(Law::FreshYes, self.unlocked, || {
                        "a yes was taken while locked".to_owned()
                    })
                    .map_err(|broken| (broken, step))?;
                    // What the window says of earlier attempts is part of what is agreed to.
                    let true_to_fact = kind == AskKind::Resend || !self.may_be(index);
                    hold(Law::EffectHasYes, true_to_fact, || {
                        "a yes to a first attempt that is not the first".to_owned()
                    })
                    .map_err(|broken| (broken, step))?;
                    let at = world.slots[index].intent.clock();
                    world.slots[index].agreed = Some(Agreed {
                        ask,
                        digest,
                        at,
                        lapsed: !self.unlocked,
                        denied: false,
                    });
                    after.push((step, world));
                }
            }
            let left_open = slot.left_open.filter(|_| bounds.windows);
            let windows = [
                ("", Some(ask.id)),
                ("in a window left open", left_open.map(|(id, _)| id)),
            ];
            for (how, id) in windows {
                let Some(ask) = id else {
                    continue;
                };
                let no = self.after(index, Event::No { ask }, seen);
                keep(after, Step::new("no", index, how), no)?;
            }
        }
        let settles = match bounds.by_hand {
            ByHand::Ever => true,
            ByHand::InTheEnd => bounds.instants.last() == Some(&self.at),
            ByHand::Never => false,
        };
        if !settles {
            return Ok(());
        }
        // The person looks at the log, and cannot see what is still on its way to it.
        let executed = self.executed(index);
        let may_come = slot.wires.iter().any(|wire| wire.place == Place::Received);
        let words = [
            ("it happened", HandWord::Happened, executed),
            ("it did not", HandWord::DidNotHappen, !executed && !may_come),
            ("ask again", HandWord::AskAgain, true),
        ];
        for (how, word, said) in words {
            if said {
                let by_hand = Event::ByHand {
                    word,
                    evidence: String::new(),
                };
                let step = Step::new("by hand", index, how);
                keep(after, step, self.after(index, by_hand, seen))?;
            }
        }
        Ok(())
    }

    /// A lock closes the vault and lets the yeses lapse in the store. Whichever comes first, and
    /// whatever of the two a death or the store keeps from being done, an unlock lets them lapse
    /// before it opens the vault.
    fn lock(&self, bounds: &Bounds, seen: &mut Seen, after: &mut After) -> Result<(), Stop> {
        if !bounds.locks {
            return Ok(());
        }
        let step = Step::new(if self.unlocked { "lock" } else { "unlock" }, 0, "");
        let mut lapsed = self.clone();
        lapsed.lapse_all(seen).map_err(|broken| (broken, step))?;
        if !self.unlocked {
            lapsed.unlocked = true;
            after.push((step, lapsed));
            return Ok(());
        }
        let mut torn = lapsed.clone();
        torn.start();
        after.push((Step::new("lock", 0, "the worker dies in it"), torn));
        lapsed.close_vault();
        after.push((step, lapsed));
        let mut unstored = self.clone();
        unstored.close_vault();
        after.push((Step::new("lock", 0, "no yes lapses"), unstored));
        Ok(())
    }
}
