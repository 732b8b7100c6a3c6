//! What network and canister do with the envelopes on their way, and what can be read of it.

use countersign_core::ids::ContentHash;
use countersign_core::intent::{
    Authority, CertifiedStatus, Finding, LogFloor, LogMark, Reject, Reply, Scan, Transaction,
    Unreadable,
};
use countersign_core::profile::Class;
use countersign_core::time::{Span, Timestamp};

use crate::bounds::{Bounds, Change, Reads, Said, Written};
use crate::steps::{After, Stop};
use crate::world::{Block, DRIFT, Place, START, Slot, Step, Wire, World, instant};

impl World {
    /// What network and canister do with the envelopes on their way.
    pub(crate) fn network(
        &self,
        bounds: &Bounds,
        index: usize,
        after: &mut After,
    ) -> Result<(), Stop> {
        let slot = &self.slots[index];
        for (place, wire) in slot.wires.iter().enumerate() {
            match wire.place {
                Place::InTransit => {
                    let mut world = self.clone();
                    world.slots[index].wires[place].place = Place::Received;
                    after.push((Step::new("taken in", index, ""), world));
                }
                Place::Received => {
                    for (said, effect) in self.answers(bounds, slot, index) {
                        let mut world = self.clone();
                        world.slots[index].wires[place].place = Place::Ended { at: self.at, said };
                        if !effect {
                            after.push((Step::new("refused", index, said.word()), world));
                            continue;
                        }
                        let step = Step::new("executed", index, said.word());
                        for written in bounds.writes {
                            let mut world = world.clone();
                            if let Err(broken) = world.execute(bounds, index, place, *written) {
                                return Err((broken, step));
                            }
                            after.push((step, world));
                        }
                    }
                }
                Place::Ended { .. } | Place::Dropped => {}
            }
        }
        Ok(())
    }

    /// What a canister may make of a call: what it says, and whether it takes effect.
    fn answers(&self, bounds: &Bounds, slot: &Slot, index: usize) -> Vec<(Said, bool)> {
        let executed = self.executed(index);
        let late =
            slot.intent.prepared().stamp.is_some_and(|stamp| {
                stamp.window_known && instant(self.at) > stamp.refused_after()
            });
        let forgets = self.has(Change::Memory) || self.has(Change::List);
        let again = executed && bounds.deduplicates && !forgets;
        let old_fee = self.has(Change::Fee) && !slot.new_fee;
        let can = !late && !again && !old_fee;
        let mut answers = Vec::new();
        for said in bounds.says {
            let (with, without) = match said {
                Said::Ok | Said::OkByProfile => (can, false),
                Said::Duplicate => (false, again && !late),
                Said::DuplicateOfAnother
                | Said::Future
                | Said::TooOld
                | Said::Busy
                | Said::BadFee
                | Said::Failed => (false, true),
                Said::Garbled | Said::Gone => (can, true),
                // A trap after an await, a reject after the transfer was made.
                Said::Rejected(code) => (can && (*code > 3 || bounds.management), true),
            };
            answers.extend(with.then_some((*said, true)));
            answers.extend(without.then_some((*said, false)));
        }
        answers
    }

    /// The log as it is seen now.
    pub(crate) fn mark(&self) -> LogMark {
        let length = 1 + self.log.len() - self.lost;
        LogMark {
            length: length as u64,
            tip: self.hash_of_block(length - 1),
        }
    }

    /// A block after the first, which is nobody's.
    pub(crate) fn block(&self, at: usize) -> Option<&Block> {
        self.log[self.lost..].get(at.checked_sub(1)?)
    }

    fn hash_of_block(&self, at: usize) -> ContentHash {
        let block = self.block(at);
        let of = block.map_or(u8::MAX, |block| block.of);
        let written = block.map_or(0, |block| block.written as u8);
        ContentHash::from_bytes(
            [of, written, 0, u8::from(self.has(Change::Log))]
                .repeat(8)
                .try_into()
                .expect("32 bytes"),
        )
    }

    /// What a certificate of this instant can say.
    pub(crate) fn statuses(
        &self,
        bounds: &Bounds,
        index: usize,
        wire: &Wire,
        at: u8,
    ) -> Vec<CertifiedStatus> {
        let ended = match wire.place {
            Place::InTransit | Place::Dropped => return vec![CertifiedStatus::Absent],
            Place::Received => None,
            Place::Ended { at: ended, said } => Some((ended, said)),
        };
        if let Some((ended, said)) = ended
            && ended <= at
        {
            let kept = instant(at) < instant(ended).plus(Span::from_mins(5));
            return vec![if kept {
                self.status(index, said, ended)
            } else {
                CertifiedStatus::Absent
            }];
        }
        let mut statuses = vec![CertifiedStatus::Processing];
        if bounds.received {
            statuses.push(CertifiedStatus::Received);
        }
        // It was taken in before its expiry, at a time that nobody noted.
        if at < self.at && instant(at) <= wire.expiry {
            statuses.push(CertifiedStatus::Absent);
        }
        statuses
    }

    fn status(&self, index: usize, said: Said, ended: u8) -> CertifiedStatus {
        let replied = |class, case: &str| {
            CertifiedStatus::Replied(Reply {
                class,
                authority: Authority::Pack,
                case: Some(case.to_owned()),
                details: None,
                duplicate_of: None,
                ledger_time: None,
                block: None,
                bytes: Vec::new(),
            })
        };
        match said {
            Said::Ok => replied(Class::Success, "Ok"),
            Said::OkByProfile | Said::DuplicateOfAnother | Said::Future => {
                let (class, case) = match said {
                    Said::OkByProfile => (Class::Success, "Ok"),
                    Said::Future => (Class::RetryNew, "Err.CreatedInFuture"),
                    _ => (Class::AlreadyDone, "Err.Duplicate"),
                };
                let mut status = replied(class, case);
                if let CertifiedStatus::Replied(reply) = &mut status {
                    match said {
                        Said::OkByProfile => reply.authority = Authority::Profile,
                        Said::Future => {
                            reply.ledger_time = Some(instant(ended).minus(Span::from_mins(2)));
                        }
                        _ => reply.duplicate_of = Some("999".to_owned()),
                    }
                }
                status
            }
            Said::Duplicate => {
                let block = self.find(index, self.at);
                let mut status = replied(Class::AlreadyDone, "Err.Duplicate");
                if let CertifiedStatus::Replied(reply) = &mut status {
                    reply.duplicate_of = block.map(|block| block.to_string());
                }
                status
            }
            Said::TooOld => replied(Class::RetryNew, "Err.TooOld"),
            Said::Busy => replied(Class::RetrySame, "Err.TemporarilyUnavailable"),
            Said::BadFee => replied(Class::FixInput, "Err.BadFee"),
            Said::Failed => replied(Class::Fail, "Err.GenericError"),
            Said::Garbled => CertifiedStatus::Undecodable { reply: Vec::new() },
            Said::Gone => CertifiedStatus::Done,
            Said::Rejected(code) => CertifiedStatus::Rejected(Reject {
                code: u64::from(code),
                message: String::new(),
                error_code: None,
            }),
        }
    }

    /// The block of an intent in the log as it was in the end of an instant.
    fn find(&self, index: usize, at: u8) -> Option<usize> {
        let ours = |block: &Block| usize::from(block.of) == index && block.at <= at;
        let place = self.log[self.lost..].iter().position(ours)?;
        Some(place + 1)
    }

    /// What comes of the log, read up to a certified tip of this instant.
    pub(crate) fn scans(&self, bounds: &Bounds, index: usize, at: u8) -> Vec<Finding> {
        let later = |block: &&Block| block.at > at;
        let blocks = &self.log[self.lost..];
        let length = 1 + blocks.len() - blocks.iter().filter(later).count();
        let dated = |first: usize| (first, first.checked_sub(1).map(|below| self.dated(below)));
        let parts = match bounds.reads {
            Reads::Whole => vec![(0, None)],
            Reads::FromAnywhere => (0..=length).map(dated).collect(),
            Reads::ToFloor => match self.slots[index].intent.log_floor(instant(at)) {
                None => Vec::new(),
                Some(LogFloor::Block(first)) => {
                    let first = usize::try_from(first).unwrap_or(length);
                    vec![(first.min(length), None)]
                }
                Some(LogFloor::Before(time)) => {
                    let older = (0..length).rev().find(|at| self.dated(*at) < time);
                    vec![dated(older.map_or(0, |at| at + 1))]
                }
            },
        };
        let mut findings = Vec::new();
        for part in parts {
            let finding = self.scan(index, at, part, length);
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
        findings
    }

    /// From a block on, with the date of the one before it, to the end.
    fn scan(
        &self,
        index: usize,
        at: u8,
        (first, before): (usize, Option<Timestamp>),
        length: usize,
    ) -> Finding {
        let expected = self.transaction(index);
        let mut ambiguous = false;
        for place in (first..length).rev() {
            let Some(block) = self.block(place) else {
                continue;
            };
            let logged = self.logged(block);
            if expected.is(&logged) {
                return Finding::Found {
                    block: place.to_string(),
                };
            }
            ambiguous |= expected.could_be(&logged);
        }
        if ambiguous {
            return Finding::Unreadable {
                reason: Unreadable::Ambiguous,
            };
        }
        let marks = (1..=length).map(|n| (n as u64, self.hash_of_block(n - 1)));
        Scan {
            first: first as u64,
            before,
            length: length as u64,
            tip_at: instant(at),
            marks: marks.collect(),
        }
        .judge(&self.slots[index].intent)
    }

    /// The time that a block has: the ledger's clock is behind. The first block is older than
    /// everything.
    fn dated(&self, at: usize) -> Timestamp {
        let block = self.block(at);
        block.map_or(START.minus(Span::from_hours(1)), |block| {
            instant(block.at).minus(DRIFT)
        })
    }

    /// What an intent's bytes say.
    fn transaction(&self, index: usize) -> Transaction {
        let slot = &self.slots[index];
        let prepared = slot.intent.prepared();
        let sender = prepared.sender.as_slice();
        let from = u8::try_from(sender.len())
            .into_iter()
            .chain(sender.to_vec());
        Transaction {
            kind: "xfer".to_owned(),
            from: Some(from.collect()),
            to: Some(vec![1, 7]),
            spender: None,
            amount: (100 + u32::from(slot.wish)).into(),
            fee: None,
            memo: None,
            stamp: prepared.stamp.map(|stamp| stamp.at),
            expected_allowance: None,
            expires_at: None,
        }
    }

    /// The same in the ledger's words.
    fn logged(&self, block: &Block) -> Transaction {
        let mut logged = self.transaction(usize::from(block.of));
        match block.written {
            Written::Exact => {}
            Written::Coarse => {
                let millis = |stamp: Timestamp| stamp.as_nanos() / 1_000_000;
                logged.stamp = logged.stamp.map(millis).map(Timestamp::from_nanos);
            }
            Written::Bare => {
                logged.stamp = None;
                logged.amount -= 10_u32;
            }
        }
        logged
    }
}
