//! The worker runs what the kernel asks for.

use countersign_core::ids::RequestId;
use countersign_core::intent::{
    AskKind, BlockVerdict, CertifiedStatus, Effect, Event, Finding, Hitch, Lapse, Line,
    SignedEnvelope, Start, StatusRead, Submission, Unreadable,
};

use crate::bounds::{Bounds, Reads};
use crate::kinds::Seen;
use crate::steps::{After, LAST_PREPARED, Stop, keep};
use crate::world::{Copied, FIRST, RESEND, Step, World, instant};

impl World {
    /// The worker runs what the kernel asks for.
    pub(crate) fn worker(
        &self,
        bounds: &Bounds,
        index: usize,
        seen: &mut Seen,
        after: &mut After,
    ) -> Result<(), Stop> {
        let slot = &self.slots[index];
        let Some(effect) = slot.intent.pending_effect(&self.now()) else {
            return Ok(());
        };
        let name = effect.name();
        seen.effect(&effect);
        let mut happens = |how: &'static str, event: Event| {
            let world = self.after(index, event, seen);
            keep(after, Step::new(name, index, how), world)
        };
        match effect {
            Effect::Look => happens("", Event::Look)?,
            Effect::ReadTime => self.read_time(bounds, name, index, after),
            Effect::ReadStart { .. } => {
                let mut marks = vec![("", Some(self.mark()))];
                if bounds.reads != Reads::Whole {
                    marks.push(("no mark", None));
                }
                for at in self.times(bounds) {
                    for (how, mark) in &marks {
                        happens(
                            how,
                            Event::StartRead {
                                start: Start {
                                    s0: instant(at),
                                    log: mark.clone(),
                                },
                                module: self.module(),
                                evidence: self.evidence(bounds),
                            },
                        )?;
                    }
                }
                if bounds.deaths {
                    happens("no certified time", Event::Stopped(Hitch::NoCertifiedTime))?;
                    happens("none for two minutes", Event::Lapse(Lapse::Late))?;
                }
            }
            Effect::Sign {
                ask,
                s0,
                expiry,
                read_expiry,
                ..
            } => {
                let open = slot.intent.ask();
                let digest = match open.map(|ask| ask.kind) {
                    Some(AskKind::Resend) => RESEND,
                    Some(AskKind::First) | None => FIRST,
                };
                let envelope = Box::new(SignedEnvelope {
                    request_id: self.next_request(index),
                    nonce: Vec::new(),
                    s0,
                    expiry,
                    read_expiry,
                    content: Vec::new(),
                    call: Vec::new(),
                    read_state: Vec::new(),
                });
                if self.unlocked {
                    happens(
                        "",
                        Event::Signed {
                            ask,
                            digest,
                            envelope,
                        },
                    )?;
                } else {
                    happens("locked", Event::Stopped(Hitch::Locked))?;
                }
                if bounds.deaths {
                    happens("refused", Event::Stopped(Hitch::SignerRefused))?;
                }
            }
            Effect::HandOver { request_id } => {
                if self.unlocked {
                    happens("", Event::HandedOver { request_id })?;
                } else {
                    happens("locked", Event::Lapse(Lapse::Locked))?;
                }
                if bounds.deaths {
                    happens("store refused", Event::Stopped(Hitch::StoreRefused))?;
                }
            }
            Effect::Submit { request_id } => {
                self.submit(index, request_id, seen, after)?;
                self.read_status(bounds, index, request_id, name, seen, after)?;
            }
            Effect::ReadStatus { request_id, with } => {
                if with == StatusRead::Stored || self.unlocked {
                    self.read_status(bounds, index, request_id, name, seen, after)?;
                }
            }
            Effect::ReadBlock { request_id, block } => {
                let named = block.parse().ok().and_then(|at| self.block(at));
                let verdict = match named {
                    Some(block) if usize::from(block.of) == index => BlockVerdict::Ours,
                    Some(_) | None => BlockVerdict::Another,
                };
                happens(
                    "read",
                    Event::BlockRead {
                        request_id,
                        verdict,
                    },
                )?;
                if slot.looks < bounds.looks {
                    happens("no answer", unreadable(Unreadable::NoAnswer))?;
                }
            }
            Effect::Renew { cap, .. } => {
                happens("refused", Event::RenewRefused)?;
                self.renew(bounds, index, cap, seen, after)?;
            }
            Effect::Reconcile => {
                let once_more = slot.looks < bounds.looks;
                if once_more {
                    happens("no answer", unreadable(Unreadable::NoAnswer))?;
                }
                if once_more && bounds.torn_logs {
                    for (how, reason) in [
                        ("no log", Unreadable::NoStrategy),
                        ("a gap", Unreadable::BrokenChain),
                        ("too many blocks", Unreadable::TooLong),
                        ("a block that could be it", Unreadable::Ambiguous),
                    ] {
                        happens(how, unreadable(reason))?;
                    }
                }
                for envelope in slot.intent.unresolved() {
                    if self.unlocked {
                        let id = envelope.signed.request_id;
                        self.read_status(bounds, index, id, name, seen, after)?;
                    }
                }
                for at in self.times(bounds) {
                    let step = Step::new(name, index, "log read");
                    for finding in self.scans(bounds, index, at) {
                        let settles = matches!(finding, Finding::Found { .. } | Finding::Absent(_));
                        if settles || once_more {
                            let event = Event::Reconciled(finding);
                            keep(after, step, self.after(index, event, seen))?;
                        }
                    }
                }
            }
            Effect::Wait { .. } => {
                if self.carried.is_none() {
                    self.read_time(bounds, name, index, after);
                }
            }
        }
        if self.module() != slot.intent.prepared().module {
            let step = Step::new("difference noticed", index, "");
            keep(after, step, self.after(index, Event::Differs, seen))?;
        }
        Ok(())
    }

    /// Instants at which a certificate read now may have been made.
    fn times(&self, bounds: &Bounds) -> impl Iterator<Item = u8> + use<> {
        let first = if bounds.skew {
            self.at.saturating_sub(1)
        } else {
            self.at
        };
        first..=self.at
    }

    fn read_time(&self, bounds: &Bounds, name: &'static str, index: usize, after: &mut After) {
        for at in self.times(bounds) {
            let mut world = self.clone();
            world.carried = Some(at);
            after.push((Step::new(name, index, "time read"), world));
        }
    }

    fn next_request(&self, index: usize) -> RequestId {
        // No other hash begins like it, so that a key can put its place in its stead.
        let mut id = [0xee; 32];
        id[1] = u8::try_from(index).unwrap_or(u8::MAX);
        // What another copy signed has other ids.
        let copies = u64::from(matches!(self.copy, Copied::PutBack));
        let number = copies << 32 | self.slots[index].intent.envelopes().len() as u64;
        id[24..].copy_from_slice(&number.to_be_bytes());
        RequestId::from_bytes(id)
    }

    /// What a transmission brings back proves nothing, whatever it says. (Whether the bytes arrive
    /// is up to the network, from the hand-over on.)
    fn submit(
        &self,
        index: usize,
        request_id: RequestId,
        seen: &mut Seen,
        after: &mut After,
    ) -> Result<(), Stop> {
        let lie = Submission::UncertifiedReject {
            code: 3,
            message: String::new(),
        };
        for (how, result) in [
            ("no answer", Submission::NoAnswer),
            ("taken, a node says", Submission::Accepted),
            ("a node denies it", lie),
            ("an HTTP error", Submission::Refused { status: 503 }),
        ] {
            let event = Event::Submitted { request_id, result };
            let step = Step::new("submit", index, how);
            keep(after, step, self.after(index, event, seen))?;
        }
        Ok(())
    }

    /// A certificate says what is true, or was an instant ago.
    fn read_status(
        &self,
        bounds: &Bounds,
        index: usize,
        request_id: RequestId,
        name: &'static str,
        seen: &mut Seen,
        after: &mut After,
    ) -> Result<(), Stop> {
        let wires = &self.slots[index].wires;
        let Some(wire) = wires.iter().find(|wire| wire.id == request_id) else {
            return Ok(());
        };
        for at in self.times(bounds) {
            for status in self.statuses(bounds, index, wire, at) {
                let how = match status {
                    CertifiedStatus::Absent => "absent",
                    CertifiedStatus::Received => "received",
                    CertifiedStatus::Processing => "processing",
                    CertifiedStatus::Done => "done",
                    CertifiedStatus::Replied(_) => "replied",
                    CertifiedStatus::Undecodable { .. } => "undecodable",
                    CertifiedStatus::Rejected(_) => "rejected",
                };
                let event = Event::Status {
                    request_id,
                    status,
                    at: instant(at),
                    certificate: Vec::new(),
                };
                keep(
                    after,
                    Step::new(name, index, how),
                    self.after(index, event, seen),
                )?;
            }
        }
        Ok(())
    }

    fn renew(
        &self,
        bounds: &Bounds,
        index: usize,
        cap: Option<countersign_core::time::Timestamp>,
        seen: &mut Seen,
        after: &mut After,
    ) -> Result<(), Stop> {
        let slot = &self.slots[index];
        let of = (slot.origin, slot.wish);
        // With another account it would be another call, and later one that cannot end.
        if slot.intent.prepared().sender != self.account() || self.at > LAST_PREPARED {
            return Ok(());
        }
        let Some(successor) = self.make(bounds, of, cap, Line::after(&slot.intent)) else {
            return Ok(());
        };
        let event = Event::Superseded {
            successor: successor.preview(),
        };
        let world = self.after(index, event, seen).and_then(|world| {
            let Some(mut world) = world else {
                return Ok(None);
            };
            world.add(successor, of)?;
            Ok(Some(world))
        });
        keep(after, Step::new("renew", index, "successor"), world)
    }
}

fn unreadable(reason: Unreadable) -> Event {
    Event::Reconciled(Finding::Unreadable { reason })
}
