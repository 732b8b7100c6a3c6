//! Histories from a seed: what goes wrong in each round of something that a test does round by
//! round. The same seed is the same history, and nothing is in it that a network of honest nodes
//! cannot come to: what may be concluded from certificates holds.

use super::{BadCertificate, Execution, Fault, Kind, RejectCode, Shown};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// What happens before a round, in this order.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Round {
    /// So much time passes, in milliseconds.
    pub pass_ms: u64,
    /// The orders that stand are dropped.
    pub mend: bool,
    /// The calls that were held back run.
    pub release: bool,
    /// These faults are ordered, for a few messages each.
    pub orders: Vec<Fault>,
}

/// The history of a seed: what happens before each of so many rounds. The last rounds have no new
/// faults, and the first of them ends the old ones, so that whoever goes on comes to an end.
#[must_use]
pub fn history(seed: u64, rounds: usize) -> Vec<Round> {
    let mut draws = Draws::new(seed);
    let calm = rounds - rounds.div_ceil(4);
    (0..rounds)
        .map(|round| {
            let mut next = Round {
                pass_ms: draws.one_of(&[0, 500, 5_000, 61_000, 130_000, 320_000]),
                mend: draws.below(4) == 0,
                release: draws.below(3) == 0,
                orders: vec![],
            };
            if round < calm {
                let orders = 1 + draws.below(3);
                next.orders = (0..orders).map(|_| draws.fault()).collect();
            } else {
                (next.mend, next.release) = (round == calm, round == calm);
            }
            next
        })
        .collect()
}

/// What no network does: it keeps the status of a call that ended for five minutes.
const NEVER: &str = "prune_status";

const CODES: [RejectCode; 5] = [
    RejectCode::SysFatal,
    RejectCode::SysTransient,
    RejectCode::DestinationInvalid,
    RejectCode::CanisterReject,
    RejectCode::CanisterError,
];

/// Numbers from a seed: a hash in counter mode.
struct Draws {
    seed: u64,
    drawn: u64,
}

impl Draws {
    const fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// A number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        let counted = [self.seed.to_be_bytes(), self.drawn.to_be_bytes()].concat();
        self.drawn += 1;
        let hash: [u8; 32] = Sha256::digest(counted).into();
        let (first, _) = hash.split_first_chunk::<8>().expect("a hash has 32 bytes");
        u64::from_be_bytes(*first) % end
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        let at = self.below(choices.len() as u64);
        choices[usize::try_from(at).expect("an index of a slice")]
    }

    /// Any fault that has a name and that a network can have, in any of its variants, for one to
    /// three messages.
    fn fault(&mut self) -> Fault {
        let names: Vec<&str> = Fault::names().filter(|name| *name != NEVER).collect();
        let name = self.one_of(&names);
        let mut fault = Fault::named(name).expect("it is one of the names");
        fault.times = Some(self.one_of(&[1, 1, 2, 3]));
        match fault.execute {
            Execution::RejectBefore => fault.reject_code = self.one_of(&CODES),
            // The others are given before anything runs.
            Execution::RejectAfter => fault.reject_code = self.one_of(&CODES[3..]),
            Execution::Yes
            | Execution::No
            | Execution::HoldReceived
            | Execution::HoldProcessing => {}
        }
        match fault.shown {
            Shown::Altered(_) => fault.shown = Shown::Altered(self.below(5)),
            Shown::Resent(_) => fault.shown = Shown::Resent(1 + self.below(5)),
            Shown::Behind(_) => fault.shown = Shown::Behind(1 + self.below(5)),
            Shown::Whole | Shown::Short(_) | Shown::LeftOut(_) | Shown::Elsewhere(_) => {}
        }
        if fault.certificate.is_some() {
            fault.certificate = Some(self.one_of(&BadCertificate::ALL));
        } else if BadCertificate::ALL.iter().any(|case| case.name() == name)
            && fault.on == Kind::Call
        {
            fault.on = self.one_of(&[Kind::Call, Kind::ReadState]);
        }
        fault
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::Forget;
    use std::collections::BTreeSet;

    #[test]
    fn a_seed_is_a_history_and_another_seed_another() {
        assert_eq!(history(7, 12), history(7, 12));
        assert_ne!(history(7, 12), history(8, 12));
        assert_eq!(history(7, 0), []);
    }

    #[test]
    fn every_named_fault_and_every_code_comes_up() {
        let mut met = BTreeSet::new();
        let mut codes = BTreeSet::new();
        for seed in 0..400 {
            for fault in history(seed, 12).into_iter().flat_map(|round| round.orders) {
                codes.insert(fault.reject_code as u8);
                let fields = serde_json::to_value(&fault).unwrap();
                met.insert(
                    [
                        "on",
                        "execute",
                        "reply",
                        "forget",
                        "ledger",
                        "shown",
                        "certificate",
                        "behind_ms",
                        "archive",
                        "reject_stated",
                    ]
                    .map(|field| fields.get(field).map(ToString::to_string)),
                );
            }
        }
        for name in Fault::names().filter(|name| *name != NEVER) {
            let fault = Fault::named(name).unwrap();
            let fields = serde_json::to_value(&fault).unwrap();
            let same = |met: &[Option<String>; 10]| {
                let is =
                    |at: usize, field: &str| met[at] == fields.get(field).map(ToString::to_string);
                is(0, "on")
                    && is(1, "execute")
                    && is(2, "reply")
                    && is(3, "forget")
                    && is(4, "ledger")
                    && met[5].is_some() == fields.get("shown").is_some()
                    && met[6].is_some() == fields.get("certificate").is_some()
                    && is(7, "behind_ms")
                    && is(8, "archive")
                    && is(9, "reject_stated")
            };
            assert!(met.iter().any(same), "{name}");
        }
        assert_eq!(codes, BTreeSet::from([1, 2, 3, 4, 5]));
    }

    #[test]
    fn nothing_comes_up_that_no_network_does() {
        for fault in (0..400)
            .flat_map(|seed| history(seed, 12))
            .flat_map(|round| round.orders)
        {
            assert_ne!(fault.forget, Some(Forget::Status));
            if fault.execute == Execution::RejectAfter {
                assert!(fault.reject_code as u8 > 3, "{fault:?}");
            }
        }
    }

    #[test]
    fn the_last_quarter_is_calm_and_begins_with_an_end_of_all_faults() {
        for seed in 0..50 {
            let rounds = history(seed, 12);
            assert!(rounds[9].mend && rounds[9].release);
            assert!(rounds[9..].iter().all(|round| round.orders.is_empty()));
        }
    }

    #[test]
    fn a_round_reads_from_json() {
        let round = &history(3, 8)[1];
        let text = serde_json::to_string(round).unwrap();
        assert_eq!(serde_json::from_str::<Round>(&text).unwrap(), *round);
    }
}
