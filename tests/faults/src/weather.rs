//! What goes wrong on the network, drawn before anything happens: the engine and its naive peers
//! meet the same.

use countersign_core::time::Span;
use countersign_localnet::canisters::ledger::Change;
use countersign_localnet::faults::{
    BadCertificate, Execution, Fault, Forget, Kind, RejectCode, Reply, Shown,
};
use countersign_proof::random::Rng;

/// How many transfers have a trouble drawn for them; later ones meet none.
const CALLS: usize = 24;

/// How many transfers of a hard history are in doubt.
const DOUBTFUL: usize = 3;

/// What becomes of one transfer on its way.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Trouble {
    /// Nothing.
    None,
    /// It is lost before the network has it.
    LostBefore,
    /// It runs, and its answer is lost.
    LostAfter,
    /// It runs, and the endpoint answers with an error.
    ErrorAfter(u16),
    /// It never arrives, and the endpoint answers with an error.
    ErrorBefore(u16),
    /// It runs, and the endpoint only says that it took it.
    Accepted,
    /// It is rejected before it runs.
    RejectedBefore(RejectCode),
    /// It runs, and is rejected then.
    RejectedAfter(RejectCode),
    /// It runs, and the endpoint says without a certificate that it was rejected.
    Uncertified(RejectCode),
    /// It never arrives, and the endpoint says without a certificate that it was rejected.
    UncertifiedBefore(RejectCode),
    /// It runs, its answer is lost, and nothing can be read before its status is pruned.
    Pruned,
    /// It runs, its answer is lost, and of its status only `done` is left.
    Gone,
    /// It is taken in and not begun until it is released.
    HeldReceived,
    /// It is begun and not ended until it is released.
    HeldProcessing,
    /// It runs, and the certificate with its answer is bad.
    Bad(BadCertificate),
    /// The ledger's fee changes just before.
    FeeChanged,
    /// The ledger is too busy.
    Throttled,
    /// It arrives twice.
    Twice,
    /// It seems lost, and arrives so many seconds later.
    Late(u64),
    /// It arrives, and once more so many seconds later.
    Again(u64),
    /// The ledger runs other code, which has forgotten what it did; the answer is lost.
    Forgets,
    /// The ledger's clock is set far ahead from now on.
    ClockAhead,
    /// The ledger's clock is set far behind from now on.
    ClockBehind,
}

impl Trouble {
    /// Its name in counts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::LostBefore => "lost before",
            Self::LostAfter => "lost after",
            Self::ErrorAfter(_) => "error after",
            Self::ErrorBefore(_) => "error before",
            Self::Accepted => "accepted only",
            Self::RejectedBefore(_) => "rejected before",
            Self::RejectedAfter(_) => "rejected after",
            Self::Uncertified(_) => "uncertified reject after",
            Self::UncertifiedBefore(_) => "uncertified reject before",
            Self::Pruned => "status pruned",
            Self::Gone => "answer gone",
            Self::HeldReceived => "held, received",
            Self::HeldProcessing => "held, processing",
            Self::Bad(_) => "bad certificate",
            Self::FeeChanged => "fee changed",
            Self::Throttled => "throttled",
            Self::Twice => "twice",
            Self::Late(_) => "late",
            Self::Again(_) => "again",
            Self::Forgets => "ledger upgraded, forgets",
            Self::ClockAhead => "ledger's clock ahead",
            Self::ClockBehind => "ledger's clock behind",
        }
    }

    /// One after which nobody knows what became of the call.
    fn doubtful(rng: &mut Rng) -> Self {
        match rng.below(8) {
            0 => Self::LostBefore,
            1 => Self::Pruned,
            2 => Self::Gone,
            3 => Self::Late(1 + rng.bits() % 110),
            4 => Self::RejectedAfter(RejectCode::CanisterError),
            5 => Self::HeldReceived,
            6 => Self::HeldProcessing,
            _ => Self::RejectedBefore(RejectCode::CanisterError),
        }
    }

    fn drawn(rng: &mut Rng) -> Self {
        const CODES: [RejectCode; 5] = [
            RejectCode::SysFatal,
            RejectCode::SysTransient,
            RejectCode::DestinationInvalid,
            RejectCode::CanisterReject,
            RejectCode::CanisterError,
        ];
        let seconds = |rng: &mut Rng| 1 + rng.bits() % 150;
        // What a hard history is full of anyway comes once here, all else twice.
        match rng.below(38) {
            0 => Self::LostBefore,
            1 | 2 => Self::LostAfter,
            3 | 24 => Self::ErrorAfter(rng.pick(&[400, 404, 429, 500, 503])),
            4 | 25 => Self::ErrorBefore(rng.pick(&[400, 404, 429, 500, 503])),
            5 | 26 => Self::Accepted,
            6 => Self::RejectedBefore(rng.pick(&CODES)),
            // What a canister answers before an await that follows an effect is its own business;
            // the system's own rejects never follow one.
            7 => Self::RejectedAfter(
                rng.pick(&[RejectCode::CanisterReject, RejectCode::CanisterError]),
            ),
            8 | 27 => Self::Uncertified(rng.pick(&CODES)),
            9 | 28 => Self::UncertifiedBefore(rng.pick(&CODES)),
            10 => Self::Pruned,
            11 => Self::Gone,
            12 => Self::HeldReceived,
            13 => Self::HeldProcessing,
            14 | 29 => Self::Bad(rng.pick(&[
                BadCertificate::TamperedTree,
                BadCertificate::TamperedSignature,
                BadCertificate::WrongDelegationRange,
                BadCertificate::Stale,
                BadCertificate::Future,
            ])),
            15 | 23 | 30 => Self::FeeChanged,
            16 | 31 => Self::Throttled,
            17 | 32 => Self::Twice,
            18 => Self::Late(seconds(rng)),
            19 | 33 => Self::Again(seconds(rng)),
            20 | 34 | 37 => Self::Forgets,
            21 | 35 => Self::ClockAhead,
            _ => Self::ClockBehind,
        }
    }

    /// The order by which the local network does it; `None` where it does nothing unusual.
    #[must_use]
    pub fn fault(self, fees: u128) -> Option<Fault> {
        let call = Fault::on(Kind::Call);
        let after = |reply| Fault {
            reply,
            ..Fault::on(Kind::Call)
        };
        let executed = |execute, reject_code| Fault {
            execute,
            reject_code,
            ..Fault::on(Kind::Call)
        };
        Some(match self {
            Self::None
            | Self::Forgets
            | Self::Throttled
            | Self::Twice
            | Self::Late(_)
            | Self::Again(_) => {
                return None;
            }
            Self::LostBefore => Fault {
                execute: Execution::No,
                ..after(Reply::Drop)
            },
            Self::LostAfter => after(Reply::Drop),
            Self::ErrorAfter(status) => after(Reply::Http(status)),
            Self::ErrorBefore(status) => Fault {
                execute: Execution::No,
                ..after(Reply::Http(status))
            },
            Self::Accepted => after(Reply::Accepted),
            Self::RejectedBefore(code) => executed(Execution::RejectBefore, code),
            Self::RejectedAfter(code) => executed(Execution::RejectAfter, code),
            Self::Uncertified(reject_code) => Fault {
                reject_code,
                ..after(Reply::UncertifiedReject)
            },
            Self::UncertifiedBefore(reject_code) => Fault {
                reject_code,
                execute: Execution::No,
                ..after(Reply::UncertifiedReject)
            },
            // A network keeps a status for five minutes after its end: forgetting it sooner would
            // make its absence prove what it does not. So nobody can read it until then.
            Self::Pruned => after(Reply::Drop),
            Self::Gone => Fault {
                forget: Some(Forget::Reply),
                ..after(Reply::Drop)
            },
            Self::HeldReceived => Fault {
                execute: Execution::HoldReceived,
                ..call
            },
            Self::HeldProcessing => Fault {
                execute: Execution::HoldProcessing,
                ..call
            },
            Self::Bad(case) => after(Reply::Bad(case)),
            Self::FeeChanged => Fault {
                ledger: Some(Change {
                    fee: Some(10_000 + fees),
                    ..Change::default()
                }),
                ..call
            },
            Self::ClockAhead | Self::ClockBehind => Fault {
                ledger: Some(Change {
                    clock_ms: Some(if self == Self::ClockAhead {
                        90_000
                    } else {
                        -90_000
                    }),
                    ..Change::default()
                }),
                ..call
            },
        })
    }
}

/// What goes wrong in one history.
#[derive(Clone, Debug)]
pub struct Weather {
    calls: Vec<Trouble>,
    /// When nobody answers, from the beginning on.
    outages: Vec<(Span, Span)>,
    /// One read in so many goes wrong.
    pub reads: usize,
    /// One read of a log in so many goes wrong.
    pub logs: usize,
    /// The first transfers are in doubt, and no log can be read: what is not known stays so until
    /// somebody sends it again.
    pub is_hard: bool,
}

/// What a ledger's log is shown as, where that goes wrong.
#[must_use]
pub fn wrong_log(rng: &mut Rng) -> (&'static str, Fault) {
    let shown = |shown| Fault {
        shown,
        ..Fault::on(Kind::Query)
    };
    match rng.below(7) {
        0 => (
            "log hidden",
            Fault {
                reply: Reply::Drop,
                ..Fault::on(Kind::Query)
            },
        ),
        1 => ("log old", shown(Shown::Behind(1 + rng.bits() % 2))),
        2 => ("log cut", shown(Shown::Short(rng.bits() % 2))),
        3 => ("log altered", shown(Shown::Altered(rng.bits() % 3))),
        4 => ("log sent twice", shown(Shown::Resent(rng.bits() % 3))),
        5 => ("log with a gap", shown(Shown::LeftOut(rng.bits() % 3))),
        _ => (
            "tip with a bad certificate",
            Fault {
                certificate: Some(rng.pick(&[
                    BadCertificate::Stale,
                    BadCertificate::Future,
                    BadCertificate::TamperedTree,
                    BadCertificate::TamperedSignature,
                ])),
                ..Fault::on(Kind::Query)
            },
        ),
    }
}

impl Weather {
    /// Draws it.
    #[must_use]
    pub fn drawn(rng: &mut Rng) -> Self {
        let of_eight = rng.pick(&[6, 7, 8]);
        let is_hard = rng.one_in(4);
        let calls = (0..CALLS)
            .map(|number| {
                if is_hard && number < DOUBTFUL {
                    Trouble::doubtful(rng)
                } else if rng.below(8) < of_eight {
                    Trouble::drawn(rng)
                } else {
                    Trouble::None
                }
            })
            .collect();
        let outages = (0..rng.below(3))
            .map(|_| {
                let from = rng.bits() % 1_200;
                let until = from + 1 + rng.bits() % rng.pick(&[20, 200, 900]);
                (Span::from_secs(from), Span::from_secs(until))
            })
            .collect();
        let reads = rng.pick(&[6, 20, 1_000]);
        let logs = rng.pick(&[1, 2, 4]);
        Self {
            calls,
            outages,
            reads,
            logs,
            is_hard,
        }
    }

    /// What the transfer with this number meets.
    #[must_use]
    pub fn call(&self, number: usize) -> Trouble {
        self.calls.get(number).copied().unwrap_or(Trouble::None)
    }

    /// Whether nobody answers so long after the beginning.
    #[must_use]
    pub fn is_outage(&self, since: Span) -> bool {
        self.outages
            .iter()
            .any(|(from, until)| (from..until).contains(&&since))
    }
}
