//! The bounds of the worlds that are walked. All that can happen within them does.
//!
//! One world with everything in it would never be walked to the end. Each of these has a part of
//! what can go wrong, and is walked to the end.

use countersign_core::intent::Evidence;

/// Seconds at which the world stands still, each on another side of a limit of the kernel: a yes
/// and a hand-over margin (60, 120), an expiry (120), the end of a status (300), told (600), the
/// deadline (12 h), the end of the stamp's window (24 h) and of the drift after it (24 h 1 min), for
/// envelopes begun at the first three.
pub(crate) const INSTANTS: [u64; 9] = [
    0,
    70,
    130,
    260,
    310,
    440,
    13 * 3600,
    24 * 3600 + 30,
    25 * 3600,
];

/// What the canister, or the network for it, says in the end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Said {
    /// The transfer was made.
    Ok,
    /// The same, classed by a profile that is not built in.
    OkByProfile,
    /// It was made before, in this block.
    Duplicate,
    /// The same with a block that is another intent's, or nobody's.
    DuplicateOfAnother,
    /// The stamp lies ahead of the ledger's clock.
    Future,
    /// The stamp is too old.
    TooOld,
    /// Try the same bytes again.
    Busy,
    /// The fee is another one.
    BadFee,
    /// No, for good.
    Failed,
    /// A reply that the interface does not know, with an effect or without.
    Garbled,
    /// `done`: there was an answer, with an effect or without.
    Gone,
    /// A reject with this code: of 4 and 5, and of the management canister, with an effect or
    /// without.
    Rejected(u8),
}

impl Said {
    /// In a list of steps.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::OkByProfile => "ok, by a profile",
            Self::Duplicate => "duplicate",
            Self::DuplicateOfAnother => "duplicate of another",
            Self::Future => "created in the future",
            Self::TooOld => "too old",
            Self::Busy => "busy",
            Self::BadFee => "bad fee",
            Self::Failed => "failed",
            Self::Garbled => "garbled",
            Self::Gone => "gone",
            Self::Rejected(_) => "rejected",
        }
    }

    /// In a key.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Duplicate => 1,
            Self::TooOld => 2,
            Self::Busy => 3,
            Self::BadFee => 4,
            Self::Failed => 5,
            Self::Garbled => 6,
            Self::Gone => 7,
            Self::OkByProfile => 8,
            Self::DuplicateOfAnother => 9,
            Self::Future => 10,
            Self::Rejected(code) => 20 + code,
        }
    }
}

/// How a ledger's log is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reads {
    /// All of it, and its length is always got before an envelope is sent.
    Whole,
    /// As far down as the kernel says, and the length may not be got.
    ToFloor,
    /// From any block on, and the length may not be got.
    FromAnywhere,
}

/// When the person settles by hand.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ByHand {
    /// At any time.
    Ever,
    /// At the last instant.
    InTheEnd,
    /// Not at all: the log alone has to bring the end.
    Never,
}

/// How a ledger writes down what it executed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Written {
    /// As it was asked.
    Exact,
    /// With the stamp in milliseconds.
    Coarse,
    /// With no stamp, and the fee taken off the amount.
    Bare,
}

/// What changes once, for good.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Change {
    /// The canister's module.
    Module,
    /// Its module, and with it goes what it remembers of stamps. Not between the reading of the
    /// module for a second envelope and the end of both envelopes: nobody could see that.
    Memory,
    /// Its module, and with it goes its log but for a first block: whoever can pay was paid before.
    Log,
    /// Its fee: what was prepared before is refused.
    Fee,
    /// The site's sending account.
    Account,
    /// The ledger forgets stamps, and is struck off the list of those that are known to execute
    /// equal bytes once. As for [`Self::Memory`], not between.
    List,
}

impl Change {
    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The bounds of one walk.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Its name in the output.
    pub name: &'static str,
    /// Origins with an agent each.
    pub origins: u8,
    /// Inputs that each agent varies its call between.
    pub wishes: u8,
    /// Intents altogether.
    pub intents: usize,
    /// Envelopes handed over, of one intent.
    pub envelopes: usize,
    /// Envelopes handed over, altogether.
    pub sent: usize,
    /// At which of the instants the world stands still: their places in `INSTANTS`, ascending.
    pub instants: &'static [u8],
    /// What is said in the end.
    pub says: &'static [Said],
    /// What changes.
    pub changes: &'static [Change],
    /// Whether the call has a stamp.
    pub stamped: bool,
    /// Whether the ledger executes equal bytes once.
    pub deduplicates: bool,
    /// What is known of that.
    pub evidence: Evidence,
    /// Whether the stamp's window is known, and the ledger keeps to it.
    pub window_known: bool,
    /// Whether the block log can be unreadable in every way.
    pub torn_logs: bool,
    /// How the log is read.
    pub reads: Reads,
    /// How the ledger writes its blocks.
    pub writes: &'static [Written],
    /// How often the log, or the block that a reply names, is looked at in vain.
    pub looks: u8,
    /// Whether a call is seen as received before it is seen in the works.
    pub received: bool,
    /// When the person settles by hand.
    pub by_hand: ByHand,
    /// Whether certificates may be an instant old.
    pub skew: bool,
    /// Whether the person locks and unlocks, and the browser is started again.
    pub locks: bool,
    /// Whether a second window shows the question before the one that is open.
    pub windows: bool,
    /// Whether the worker dies, and the store, the signer and certified time fail.
    pub deaths: bool,
    /// Whether the call goes to the management canister, none of whose rejects proves anything.
    pub management: bool,
    /// Whether the journal is put back to an earlier state, once.
    pub restores: bool,
}

/// One agent, one intent, one envelope on a ledger that is known to execute equal bytes once, and
/// nothing goes wrong but what the canister says.
const CALM: Bounds = Bounds {
    name: "calm",
    origins: 1,
    wishes: 1,
    intents: 1,
    envelopes: 1,
    sent: 1,
    instants: &[0, 2, 4, 6, 8],
    says: &[
        Said::Ok,
        Said::Busy,
        Said::BadFee,
        Said::Failed,
        Said::TooOld,
        Said::Garbled,
        Said::Gone,
        Said::Rejected(2),
        Said::Rejected(5),
    ],
    changes: &[],
    stamped: true,
    deduplicates: true,
    evidence: Evidence::Known,
    window_known: true,
    torn_logs: false,
    reads: Reads::Whole,
    writes: &[Written::Exact],
    looks: 2,
    received: false,
    by_hand: ByHand::Ever,
    skew: false,
    locks: false,
    windows: false,
    deaths: false,
    management: false,
    restores: false,
};

/// Every world of a run.
#[must_use]
pub fn worlds() -> Vec<Bounds> {
    vec![
        Bounds {
            // Every pause of a yes: late, locked, dead, in two windows.
            name: "yeses",
            received: true,
            instants: &[0, 1, 2, 4, 6, 8],
            says: &[Said::Ok, Said::Failed],
            locks: true,
            windows: true,
            deaths: true,
            ..CALM
        },
        Bounds {
            // Every word of the canister.
            name: "words",
            received: true,
            instants: &[0, 2, 4, 8],
            says: &[
                Said::Ok,
                Said::OkByProfile,
                Said::DuplicateOfAnother,
                Said::Future,
                Said::TooOld,
                Said::Busy,
                Said::BadFee,
                Said::Failed,
                Said::Garbled,
                Said::Gone,
                Said::Rejected(1),
                Said::Rejected(2),
                Said::Rejected(3),
                Said::Rejected(4),
                Said::Rejected(5),
                Said::Rejected(6),
            ],
            ..CALM
        },
        Bounds {
            name: "late reads",
            instants: &[0, 1, 2, 4, 8],
            skew: true,
            says: &[Said::Ok, Said::Gone, Said::Rejected(2)],
            looks: 1,
            ..CALM
        },
        Bounds {
            name: "again",
            envelopes: 2,
            sent: 2,
            looks: 1,
            instants: &[0, 4, 8],
            says: &[
                Said::Ok,
                Said::OkByProfile,
                Said::Duplicate,
                Said::DuplicateOfAnother,
                Said::Failed,
                Said::TooOld,
                Said::Rejected(2),
            ],
            ..CALM
        },
        Bounds {
            // Every pause of a second yes, in two windows.
            name: "second yes",
            envelopes: 2,
            sent: 2,
            instants: &[0, 4, 8],
            says: &[Said::Ok, Said::Failed],
            looks: 1,
            by_hand: ByHand::InTheEnd,
            locks: true,
            windows: true,
            deaths: true,
            ..CALM
        },
        Bounds {
            name: "third of everything",
            envelopes: 4,
            sent: 4,
            instants: &[0, 8],
            says: &[Said::Busy, Said::Rejected(5)],
            looks: 1,
            by_hand: ByHand::InTheEnd,
            ..CALM
        },
        Bounds {
            name: "two calls",
            intents: 2,
            sent: 2,
            says: &[Said::Ok, Said::Failed],
            instants: &[0, 4, 6, 8],
            ..CALM
        },
        Bounds {
            name: "two sites",
            by_hand: ByHand::InTheEnd,
            looks: 1,
            origins: 2,
            wishes: 2,
            intents: 2,
            sent: 2,
            instants: &[0, 8],
            says: &[Said::Ok, Said::Failed],
            ..CALM
        },
        Bounds {
            name: "renewed",
            intents: 3,
            sent: 3,
            looks: 1,
            by_hand: ByHand::InTheEnd,
            instants: &[0, 4, 8],
            says: &[Said::Future, Said::Failed],
            ..CALM
        },
        Bounds {
            // What is said of a second envelope, after the fee has changed, too.
            name: "changed",
            intents: 2,
            envelopes: 2,
            sent: 2,
            instants: &[0, 4, 8],
            changes: &[Change::Fee, Change::Account],
            says: &[Said::Ok, Said::BadFee],
            looks: 1,
            by_hand: ByHand::InTheEnd,
            ..CALM
        },
        Bounds {
            name: "forgetful",
            envelopes: 2,
            sent: 2,
            instants: &[0, 4, 8],
            changes: &[Change::Memory, Change::List],
            says: &[Said::Ok, Said::Gone],
            looks: 1,
            by_hand: ByHand::InTheEnd,
            ..CALM
        },
        Bounds {
            name: "reinstalled",
            instants: &[0, 4, 8],
            changes: &[Change::Module, Change::Log],
            says: &[Said::Ok, Said::Gone],
            ..CALM
        },
        Bounds {
            name: "claimed",
            deduplicates: false,
            evidence: Evidence::Claimed,
            envelopes: 2,
            sent: 2,
            instants: &[0, 4, 8],
            says: &[Said::Ok, Said::Gone, Said::Rejected(2)],
            ..CALM
        },
        Bounds {
            name: "doubtful log",
            deduplicates: false,
            evidence: Evidence::Claimed,
            window_known: false,
            torn_logs: true,
            writes: &[Written::Exact, Written::Coarse, Written::Bare],
            says: &[Said::Ok, Said::Gone],
            ..CALM
        },
        Bounds {
            name: "log in parts",
            envelopes: 2,
            sent: 2,
            instants: &[0, 4, 8],
            says: &[Said::Ok, Said::Gone],
            reads: Reads::FromAnywhere,
            looks: 1,
            by_hand: ByHand::InTheEnd,
            ..CALM
        },
        Bounds {
            // With nobody to settle it, the log does, however little of it the kernel has read.
            name: "log to the floor",
            envelopes: 2,
            sent: 2,
            instants: &[0, 4, 8],
            says: &[Said::Ok, Said::Gone],
            reads: Reads::ToFloor,
            looks: 0,
            by_hand: ByHand::Never,
            ..CALM
        },
        Bounds {
            name: "put back, then read",
            instants: &[0, 4, 8],
            says: &[Said::Ok, Said::Gone],
            reads: Reads::ToFloor,
            looks: 0,
            by_hand: ByHand::Never,
            restores: true,
            ..CALM
        },
        Bounds {
            name: "unstamped",
            stamped: false,
            deduplicates: false,
            evidence: Evidence::None,
            envelopes: 2,
            sent: 2,
            instants: &[0, 2, 4, 8],
            says: &[
                Said::Ok,
                Said::Busy,
                Said::Gone,
                Said::Rejected(2),
                Said::Rejected(5),
            ],
            ..CALM
        },
        Bounds {
            name: "management",
            stamped: false,
            deduplicates: false,
            evidence: Evidence::None,
            management: true,
            envelopes: 2,
            sent: 2,
            says: &[Said::Ok, Said::Rejected(1), Said::Rejected(3), Said::Gone],
            ..CALM
        },
        Bounds {
            name: "put back",
            instants: &[0, 1, 4, 8],
            says: &[Said::Ok, Said::Failed],
            restores: true,
            ..CALM
        },
    ]
}

/// A world that is walked in a moment, for the tests of the walk itself.
#[must_use]
pub fn small() -> Bounds {
    Bounds {
        name: "small",
        instants: &[0, 4, 8],
        says: &[Said::Ok, Said::Failed, Said::Gone],
        deaths: true,
        ..CALM
    }
}

impl core::fmt::Display for Bounds {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let yes = |what: &'static str, is: bool| if is { what } else { "" };
        write!(
            f,
            "{}: origins {}, inputs {}, intents {}, envelopes {} an intent and {} in all, instants",
            self.name, self.origins, self.wishes, self.intents, self.envelopes, self.sent
        )?;
        for at in self.instants {
            write!(f, " {} s", INSTANTS[usize::from(*at)])?;
        }
        write!(
            f,
            ", answers {:?}, changes {:?}, blocks {:?}, logs read {:?}, looks in vain {}, settled by hand \
             {:?}, deduplication {:?}{}{}{}{}{}{}{}{}{}{}{}",
            self.says,
            self.changes,
            self.writes,
            self.reads,
            self.looks,
            self.by_hand,
            self.evidence,
            yes(" and true", self.deduplicates),
            yes(", no stamp", !self.stamped),
            yes(", window only claimed", !self.window_known),
            yes(", logs that prove nothing", self.torn_logs),
            yes(", received before in the works", self.received),
            yes(", old certificates", self.skew),
            yes(", locks and browser restarts", self.locks),
            yes(", two windows", self.windows),
            yes(", deaths and refusals", self.deaths),
            yes(", the management canister", self.management),
            yes(", a restored journal", self.restores),
        )
    }
}
