//! The network between a wallet and the local network: troubles, what arrives late, and what the
//! ledgers' logs show of it.

use crate::weather::{Trouble, Weather, wrong_log};
use candid::Principal;
use countersign_core::ports::Exchange;
use countersign_core::testing::HttpRequest;
use countersign_core::time::{Span, Timestamp};
use countersign_localnet::faults::{BadCertificate, Fault, Kind, Reply};
use countersign_localnet::network::{Answer, Network};
use countersign_proof::random::Rng;
use countersign_scenarios::URL;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// How long nothing can be read where a status is to be pruned unread.
const DEAF: Span = Span::from_secs(330);

/// A posted call, by the hash of its bytes.
pub type Posted = [u8; 32];

/// A transfer in a ledger's log.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// The ledger.
    pub ledger: Principal,
    /// The stamp, where it has one.
    pub stamp: Option<u64>,
    /// The call that made it, where that is known.
    pub by: Option<Posted>,
    /// When, in the order of everything that was seen.
    pub seq: u64,
}

struct Late {
    due: Timestamp,
    path: String,
    body: Vec<u8>,
}

/// One history's network.
pub struct Net {
    /// The local network.
    pub network: Network,
    /// Whether nothing goes wrong any more.
    pub fair: bool,
    /// Every transfer in a log that is no mint.
    pub effects: Vec<Effect>,
    /// Every transfer that was posted, and when first.
    pub posted: BTreeMap<Posted, u64>,
    /// What was met, by name.
    pub met: BTreeMap<&'static str, u64>,
    /// What each transfer met, in order.
    pub troubles: Vec<(Timestamp, Trouble)>,
    weather: Weather,
    begin: Timestamp,
    rng: Rng,
    calls: usize,
    deaf_until: Timestamp,
    counted: BTreeMap<Principal, usize>,
    late: Vec<Late>,
    seq: u64,
}

impl Net {
    /// A network at the beginning of a history.
    #[must_use]
    pub fn new(network: Network, weather: Weather, begin: Timestamp, rng: Rng) -> Self {
        Self {
            network,
            fair: false,
            effects: Vec::new(),
            posted: BTreeMap::new(),
            met: BTreeMap::new(),
            weather,
            begin,
            rng,
            calls: 0,
            deaf_until: begin,
            troubles: Vec::new(),
            counted: BTreeMap::new(),
            late: Vec::new(),
            seq: 0,
        }
    }

    /// The next number in the order of everything that was seen.
    pub const fn tick(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    /// Counts that something was met.
    pub fn meet(&mut self, name: &'static str) {
        *self.met.entry(name).or_default() += 1;
    }

    /// How many transfers were posted.
    #[must_use]
    pub const fn calls(&self) -> usize {
        self.calls
    }

    /// Nothing can be read for a while.
    pub fn deafen(&mut self, until: Timestamp) {
        self.deaf_until = self.deaf_until.max(until);
    }

    /// Whether nothing can be read now.
    #[must_use]
    pub fn is_deaf(&self, now: Timestamp) -> bool {
        now < self.deaf_until
    }

    /// Whether the first transfers are in doubt.
    #[must_use]
    pub const fn is_hard(&self) -> bool {
        self.weather.is_hard
    }

    /// Every ledger runs other code from now on.
    pub fn upgrade(&mut self) {
        self.meet("ledger upgraded");
        for ledger in self.network.ledgers() {
            if let Some(ledger) = self.network.ledger_mut(ledger) {
                ledger.upgrade();
            }
        }
    }

    /// From now on nothing goes wrong: what was held back is executed, clocks are right.
    pub fn make_fair(&mut self, now: Timestamp) {
        self.fair = true;
        for ledger in self.network.ledgers() {
            if let Some(ledger) = self.network.ledger_mut(ledger) {
                ledger.set_clock(0);
                ledger.set_unavailable(0);
            }
        }
        self.release(now);
    }

    /// Executes what was held back and has not run out by now.
    pub fn release(&mut self, now: Timestamp) {
        self.network.pass_time(now.as_nanos());
        self.network.release();
        self.count(None);
    }

    /// Answers a request.
    pub fn answer(&mut self, request: &HttpRequest) -> Exchange {
        self.arrive(request.at);
        let Some(path) = request.url.strip_prefix(URL) else {
            return Exchange::NoAnswer;
        };
        let at = request.at;
        let Some(body) = &request.body else {
            return self.pass("GET", path, &[], at, None);
        };
        if path.ends_with("/call") && is_transfer(body) {
            return self.transfer(path, body, at);
        }
        self.read(path, body, at)
    }

    /// Lets arrive what was late until now.
    pub fn arrive(&mut self, now: Timestamp) {
        let (due, later) = std::mem::take(&mut self.late)
            .into_iter()
            .partition(|late| late.due <= now);
        self.late = later;
        let due: Vec<Late> = due;
        for Late { path, body, due } in due {
            let by = hash(&body);
            // It arrives when it is due, or with the next look at the network's clock.
            self.pass("POST", &path, &body, due, Some(by));
        }
    }

    fn transfer(&mut self, path: &str, body: &[u8], at: Timestamp) -> Exchange {
        let by = hash(body);
        let seq = self.tick();
        self.posted.entry(by).or_insert(seq);
        let number = self.calls;
        self.calls += 1;
        let outage = !self.fair && self.weather.is_outage(at.since(self.begin));
        let trouble = match (self.fair, outage, number % 2) {
            (true, ..) => Trouble::None,
            (false, true, 0) => Trouble::LostBefore,
            (false, true, _) => Trouble::LostAfter,
            (false, false, _) => self.weather.call(number),
        };
        self.meet(trouble.name());
        self.troubles.push((at, trouble));
        if trouble == Trouble::Pruned {
            self.deaf_until = at.plus(DEAF);
        }
        if trouble == Trouble::Forgets {
            let _ = self.pass("POST", path, body, at, Some(by));
            // After the call and before the next look at its code: what changes between that look
            // and a call nobody can see.
            for ledger in self.network.ledgers() {
                if let Some(ledger) = self.network.ledger_mut(ledger) {
                    ledger.upgrade();
                    ledger.forget_transactions();
                }
            }
            return Exchange::NoAnswer;
        }
        if let Some(fault) = trouble.fault(u128::from(number as u64 % 7) * 1_000) {
            self.network.faults.order(fault);
            return self.pass("POST", path, body, at, Some(by));
        }
        let mut late = |seconds| {
            self.late.push(Late {
                due: at.plus(Span::from_secs(seconds)),
                path: path.to_owned(),
                body: body.to_vec(),
            });
        };
        match trouble {
            Trouble::Late(seconds) => {
                late(seconds);
                return Exchange::NoAnswer;
            }
            Trouble::Again(seconds) => late(seconds),
            Trouble::Throttled => {
                for ledger in self.network.ledgers() {
                    if let Some(ledger) = self.network.ledger_mut(ledger) {
                        ledger.set_unavailable(1);
                    }
                }
            }
            Trouble::Twice => drop(self.pass("POST", path, body, at, Some(by))),
            // The local network does all others.
            Trouble::None
            | Trouble::LostBefore
            | Trouble::LostAfter
            | Trouble::ErrorAfter(_)
            | Trouble::ErrorBefore(_)
            | Trouble::Accepted
            | Trouble::RejectedBefore(_)
            | Trouble::RejectedAfter(_)
            | Trouble::Uncertified(_)
            | Trouble::UncertifiedBefore(_)
            | Trouble::Pruned
            | Trouble::Gone
            | Trouble::HeldReceived
            | Trouble::HeldProcessing
            | Trouble::Bad(_)
            | Trouble::FeeChanged
            | Trouble::Forgets
            | Trouble::ClockAhead
            | Trouble::ClockBehind => {}
        }
        self.pass("POST", path, body, at, Some(by))
    }

    fn read(&mut self, path: &str, body: &[u8], at: Timestamp) -> Exchange {
        if self.fair {
            return self.pass("POST", path, body, at, None);
        }
        if at < self.deaf_until || self.weather.is_outage(at.since(self.begin)) {
            self.meet("outage");
            return Exchange::NoAnswer;
        }
        if path.ends_with("/query") && is_log(body) {
            if self.weather.is_hard {
                self.meet("log hidden");
                return Exchange::NoAnswer;
            }
            if !self.rng.one_in(self.weather.logs) {
                return self.pass("POST", path, body, at, None);
            }
            let (name, fault) = wrong_log(&mut self.rng);
            self.meet(name);
            self.network.faults.order(fault);
            return self.pass("POST", path, body, at, None);
        }
        if !self.rng.one_in(self.weather.reads) {
            return self.pass("POST", path, body, at, None);
        }
        match self.rng.below(4) {
            0 => {
                self.meet("read lost");
                Exchange::NoAnswer
            }
            1 => {
                self.meet("read refused");
                Exchange::Answer {
                    status: self.rng.pick(&[404, 429, 500, 503]),
                    body: Vec::new(),
                }
            }
            2 if path.ends_with("/read_state") => {
                self.meet("read with a bad certificate");
                let bad = self.rng.pick(&[
                    BadCertificate::TamperedTree,
                    BadCertificate::TamperedSignature,
                    BadCertificate::WrongDelegationRange,
                    BadCertificate::Stale,
                    BadCertificate::Future,
                ]);
                self.network.faults.order(Fault {
                    reply: Reply::Bad(bad),
                    ..Fault::on(Kind::ReadState)
                });
                self.pass("POST", path, body, at, None)
            }
            _ => {
                self.meet("read answered in vain");
                self.pass("POST", path, body, at, None);
                Exchange::NoAnswer
            }
        }
    }

    fn pass(
        &mut self,
        method: &str,
        path: &str,
        body: &[u8],
        at: Timestamp,
        by: Option<Posted>,
    ) -> Exchange {
        let response = self.network.handle(method, path, body, at.as_nanos());
        // An order that met nothing meets nothing later.
        self.network.faults.clear();
        self.count(by);
        match response.answer {
            Answer::Http { status, body, .. } => Exchange::Answer { status, body },
            Answer::Dropped => Exchange::NoAnswer,
        }
    }

    /// Notes what is new in the logs.
    fn count(&mut self, by: Option<Posted>) {
        let mut found = Vec::new();
        for id in self.network.ledgers() {
            let Some(ledger) = self.network.ledger(id) else {
                continue;
            };
            let counted = self.counted.entry(id).or_default();
            for block in &ledger.blocks()[*counted..] {
                if let Some(transfer) = &block.transaction.transfer {
                    found.push((id, transfer.created_at_time));
                }
            }
            *counted = ledger.blocks().len();
        }
        for (ledger, stamp) in found {
            let seq = self.tick();
            self.effects.push(Effect {
                ledger,
                stamp,
                by,
                seq,
            });
        }
    }
}

/// The name by which a posted call is known.
#[must_use]
pub fn hash(body: &[u8]) -> Posted {
    Sha256::digest(body).into()
}

fn is_log(body: &[u8]) -> bool {
    const METHOD: &[u8] = b"icrc3_get_";
    body.windows(METHOD.len()).any(|part| part == METHOD)
}

/// In CBOR, text of 11 and of 14 bytes: the key and its value.
fn is_transfer(body: &[u8]) -> bool {
    const METHOD: &[u8] = b"\x6bmethod_name\x6eicrc1_transfer";
    body.windows(METHOD.len()).any(|part| part == METHOD)
}
