//! The world around the kernel: what is stored, and what network, ledger and person did.

use std::sync::Arc;

use countersign_core::ids::{
    AskDigest, AskId, ContentHash, IdentityHash, InstallationId, NetworkId, PreviewId, Principal,
    RequestId,
};
use countersign_core::intent::{
    Asked, ContentSeed, Door, Envelope, Evidence, Hitch, Intent, Line, Now, Prepared, Stamp,
    StampRule, allot,
};
use countersign_core::time::{Span, Timestamp};

use crate::bounds::{Bounds, Change, INSTANTS, Said, Written};
use crate::key::{Hasher, Key};
use crate::kinds::{Kind, Seen};

/// Certified time at the first instant.
pub(crate) const START: Timestamp = Timestamp::from_nanos(1_791_547_201_000_000_000);

/// How far the ledger's clock may be behind, and is.
pub(crate) const DRIFT: Span = Span::from_secs(60);

/// What a person is shown of a first ask, and of one that sends the same bytes again.
pub(crate) const FIRST: AskDigest = AskDigest::from_bytes([1; 32]);
pub(crate) const RESEND: AskDigest = AskDigest::from_bytes([2; 32]);

/// One step of the world.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What happens.
    pub what: &'static str,
    /// To which intent.
    pub slot: u8,
    /// In which way.
    pub how: &'static str,
    /// Whether it is a new call of an agent.
    pub by_agent: bool,
}

impl Step {
    pub(crate) const START: Self = Self::new("start", 0, "");

    pub(crate) const fn new(what: &'static str, slot: usize, how: &'static str) -> Self {
        Self {
            what,
            slot: slot as u8,
            how,
            by_agent: false,
        }
    }

    pub(crate) const fn by_agent(self) -> Self {
        Self {
            by_agent: true,
            ..self
        }
    }
}

/// Where an envelope is in truth.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Place {
    /// It may arrive at any time until its expiry: bytes wait in sockets and on nodes, and a second
    /// worker may send it that began before the first one died.
    InTransit,
    /// Taken in: it will be executed.
    Received,
    /// Answered at this instant.
    Ended { at: u8, said: Said },
    /// Past its expiry and never taken in.
    Dropped,
}

/// The truth of one envelope that was handed over.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    pub(crate) id: RequestId,
    pub(crate) expiry: Timestamp,
    /// Whether the person said yes to exactly this digest and question, once.
    pub(crate) agreed: bool,
    pub(crate) place: Place,
    /// An answer said that it had and will have no effect.
    pub(crate) denied: bool,
}

/// What the person agreed to last.
#[derive(Clone, Debug)]
pub(crate) struct Agreed {
    pub(crate) ask: AskId,
    pub(crate) digest: AskDigest,
    pub(crate) at: Timestamp,
    /// The wallet was locked then or since.
    pub(crate) lapsed: bool,
    /// An answer since then said that nothing was and will be executed.
    pub(crate) denied: bool,
}

/// Who heard of an end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Heard {
    Nobody,
    Waiter(u8),
    Preparation,
}

/// One intent with the truth about it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) intent: Arc<Intent>,
    pub(crate) key: Key,
    pub(crate) origin: u8,
    pub(crate) wish: u8,
    pub(crate) wires: Vec<Wire>,
    pub(crate) agreed: Option<Agreed>,
    /// What a window shows that was left open when another question took its place. A press there
    /// decides nothing, so this makes no state another one.
    pub(crate) left_open: Option<(AskId, AskDigest)>,
    pub(crate) heard: Heard,
    /// How often a log or a block was looked at in vain.
    pub(crate) looks: u8,
    /// Whether it was prepared with the fee of today.
    pub(crate) new_fee: bool,
}

/// An effect: whose, when, and how it stands in the log.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Block {
    pub(crate) of: u8,
    pub(crate) at: u8,
    pub(crate) written: Written,
}

/// The world at one moment.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) at: u8,
    pub(crate) carried: Option<u8>,
    pub(crate) life: u64,
    pub(crate) unlocked: bool,
    /// What has changed, by its bits.
    pub(crate) changed: u8,
    pub(crate) slots: Vec<Slot>,
    /// All that was executed.
    pub(crate) log: Vec<Block>,
    /// How many blocks the ledger has lost.
    pub(crate) lost: usize,
    /// A copy of the journal, and whether it was put back.
    pub(crate) copy: Copied,
}

/// What became of a copy of the journal.
#[derive(Clone, Debug)]
pub(crate) enum Copied {
    No,
    Kept(Vec<Arc<Intent>>),
    PutBack,
}

pub(crate) fn instant(at: u8) -> Timestamp {
    START.plus(Span::from_secs(INSTANTS[usize::from(at)]))
}

impl Default for World {
    /// Before anything was asked.
    fn default() -> Self {
        Self {
            at: 0,
            carried: Some(0),
            life: 1,
            unlocked: true,
            changed: 0,
            slots: Vec::new(),
            log: Vec::new(),
            lost: 0,
            copy: Copied::No,
        }
    }
}

impl World {
    /// Whether every intent has ended.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.slots.iter().all(|slot| slot.intent.end().is_some())
    }

    pub(crate) fn now(&self) -> Now {
        Now {
            certified: self.carried.map(instant),
            life: self.life,
        }
    }

    pub(crate) fn has(&self, change: Change) -> bool {
        self.changed & change.bit() != 0
    }

    /// The code that the canister runs.
    pub(crate) fn module(&self) -> Option<ContentHash> {
        let code = Change::Module.bit() | Change::Memory.bit() | Change::Log.bit();
        Some(ContentHash::from_bytes([self.changed & code; 32]))
    }

    /// The site's sending account.
    pub(crate) fn account(&self) -> Principal {
        Principal::from_slice(&[u8::from(self.has(Change::Account)) + 1; 29])
    }

    /// What the wallet knows of the ledger's deduplication.
    pub(crate) fn evidence(&self, bounds: &Bounds) -> Evidence {
        match bounds.evidence {
            Evidence::Known if self.has(Change::List) => Evidence::Claimed,
            evidence => evidence,
        }
    }

    pub(crate) fn executed(&self, index: usize) -> bool {
        self.log.iter().any(|block| usize::from(block.of) == index)
    }

    /// Whether an effect of an intent exists or can still come.
    pub(crate) fn may_be(&self, index: usize) -> bool {
        let now = instant(self.at);
        let comes = |wire: &Wire| match wire.place {
            Place::InTransit => now <= wire.expiry,
            Place::Received => true,
            Place::Ended { .. } | Place::Dropped => false,
        };
        self.executed(index) || self.slots[index].wires.iter().any(comes)
    }

    /// What makes this state another one.
    #[must_use]
    pub fn key(&self) -> Key {
        let mut hasher = Hasher::new(Vec::new());
        hasher.bytes(&[
            self.at,
            self.carried.map_or(u8::MAX, |at| at),
            u8::from(self.unlocked),
            self.changed,
            u8::try_from(self.lost).unwrap_or(u8::MAX),
        ]);
        match &self.copy {
            Copied::No => {}
            Copied::PutBack => hasher.bytes(&[0]),
            Copied::Kept(intents) => {
                for intent in intents {
                    hasher.bytes(&key_of(intent).to_le_bytes());
                }
            }
        }
        for block in &self.log {
            hasher.bytes(&[block.of, block.at, block.written as u8]);
        }
        for slot in &self.slots {
            self.hash_slot(slot, &mut hasher);
        }
        hasher.finish()
    }

    fn hash_slot(&self, slot: &Slot, hasher: &mut Hasher) {
        hasher.bytes(&slot.key.to_le_bytes());
        let (heard, heard_at) = match slot.heard {
            Heard::Nobody => (0, 0),
            Heard::Waiter(at) => (1, at),
            Heard::Preparation => (2, 0),
        };
        let wires = u8::try_from(slot.wires.len()).unwrap_or(u8::MAX);
        let new_fee = u8::from(slot.new_fee);
        hasher.bytes(&[slot.origin, slot.wish, new_fee, heard, heard_at, wires]);
        if slot.intent.end().is_none() {
            hasher.bytes(&[slot.looks]);
        }
        for wire in &slot.wires {
            let (place, at, said) = match wire.place {
                Place::InTransit => (1, 0, 0),
                Place::Received => (2, 0, 0),
                Place::Dropped => (3, 0, 0),
                Place::Ended { at, said } => (4, at, said.number()),
            };
            let ours = slot.intent.envelope(wire.id);
            let comes = matches!(wire.place, Place::InTransit | Place::Received);
            // Nobody asks again for what is stored, unless it is not stored any more one day.
            let stored = ours.is_some_and(|e| e.end.is_some());
            if stored && !comes && !matches!(self.copy, Copied::Kept(_)) {
                hasher.bytes(&[5]);
                continue;
            }
            let by = ours.and_then(|e| e.handed_over);
            let this_life = by.is_some_and(|by| by.life == self.life);
            let facts = [wire.agreed && comes, wire.denied && comes, this_life];
            hasher.bytes(&[place, at, said]);
            hasher.bytes(&facts.map(u8::from));
        }
        if let Some(agreed) = &slot.agreed {
            let open = slot.intent.ask();
            let same = open.is_some_and(|ask| ask.id == agreed.ask);
            let counts = open.is_some_and(|ask| ask.yes.is_some());
            if counts || slot.intent.unsent().is_some() {
                hasher.bytes(agreed.digest.as_bytes());
                hasher.bytes(&agreed.at.as_nanos().to_le_bytes());
                hasher.bytes(&[same, agreed.lapsed, agreed.denied].map(u8::from));
            }
        }
    }

    /// Every fact and answer of a state is counted once.
    pub(crate) fn count(&self, seen: &mut Seen) {
        for slot in &self.slots {
            let intent = &slot.intent;
            let ordinary = intent.is_ordinary();
            for envelope in intent.envelopes() {
                seen.count(Kind::fate(&envelope.fate(ordinary)));
                if let Some(last) = &envelope.seen {
                    seen.count(Kind::interim(&last.status));
                }
            }
            if let Some(ask) = intent.ask() {
                seen.count(Kind::ask(&ask.kind));
            }
            if let Some(held) = intent.held() {
                seen.count(Kind::held(&held));
            }
            if let Some(end) = intent.end() {
                seen.count(Kind::end(&end.kind));
            }
            seen.count(Kind::evidence(&intent.evidence()));
            seen.count(Kind::prepare_again(&intent.prepare_again()));
            let answer = intent.answer(Asked::Commit);
            if let Some(outcome) = answer.outcome {
                seen.count(Kind::outcome(&outcome));
            }
            // The kernel stops some by itself, so it is counted by what is told of it.
            for hitch in Hitch::ALL {
                if answer.case.as_deref() == Some(hitch.case().as_str()) {
                    seen.count(Kind::hitch(&hitch));
                }
            }
        }
    }

    /// A new intent of an identity, where nothing bars it. `cap` and `line` are a successor's.
    pub(crate) fn make(
        &self,
        bounds: &Bounds,
        (origin, wish): (u8, u8),
        cap: Option<Timestamp>,
        line: Line,
    ) -> Option<Intent> {
        let number = u8::try_from(self.slots.len()).ok()?;
        if self.slots.len() >= bounds.intents {
            return None;
        }
        let now = self.carried.map(instant)?;
        let drift = DRIFT;
        let sender = self.account();
        let stamps = |handed_over: bool| {
            let counts = move |slot: &&Slot| {
                slot.intent.prepared().sender == sender
                    && (!handed_over || slot.intent.sets_stamp_floor())
            };
            self.slots
                .iter()
                .filter(counts)
                .filter_map(|slot| slot.intent.prepared().stamp)
                .map(|stamp| stamp.at)
        };
        let rule = StampRule {
            now,
            drift,
            entropy: 0,
            floor: stamps(true).max(),
            cap,
        };
        let stamp = if bounds.stamped {
            let at = allot(&rule, |value| stamps(false).any(|at| at == value)).ok()?;
            Some(Stamp {
                at,
                window: Span::from_hours(24),
                drift,
                window_known: bounds.window_known,
            })
        } else {
            None
        };
        let ledger = if bounds.management {
            Principal::management_canister()
        } else {
            Principal::from_slice(&[0, 0, 0, 0, 0, 0, 0, 1, 1, 1])
        };
        let mut identity = [0; 32];
        identity[..2].copy_from_slice(&[origin, wish]);
        let prepared = Prepared {
            preview: PreviewId::from_bytes([number + 1; 16]),
            ask_seed: ContentSeed::from_bytes([8; 16]),
            installation: InstallationId::from_bytes([9; 16]),
            epoch: 1,
            network: NetworkId::from_bytes([3; 32]),
            door: Door::Mcp,
            origin: format!("https://{origin}.example"),
            top_origin: format!("https://{origin}.example"),
            identity: IdentityHash::from_bytes(identity),
            canister: ledger,
            effective_canister: ledger,
            method: "icrc1_transfer".to_owned(),
            tool: "prepare_icrc1_transfer".to_owned(),
            inputs: b"{}".to_vec(),
            arg: b"DIDL\0\0".to_vec(),
            stamp,
            sender,
            shown: b"{}".to_vec(),
            names: countersign_core::format::name::NameSets::default(),
            why: None,
            interface: ContentHash::from_bytes([5; 32]),
            pasted: false,
            profiles: Vec::new(),
            module: self.module(),
            resolved: ContentHash::from_bytes([6; 32]),
            prepared_at: now,
            ask_limit: Span::from_hours(12),
            earliest_time: None,
            line,
        };
        Intent::new(prepared, self.evidence(bounds)).ok()
    }
}

/// A record's part of the key. Envelopes that were dropped before they left count for nothing, of
/// one with a certified end the way there does not, and of an intent that has ended nothing does but
/// what is still told of it.
pub(crate) fn key_of(intent: &Intent) -> Key {
    let kept = || intent.envelopes().iter().filter(|e| !e.void);
    let mut hasher = Hasher::new(kept().map(|e| e.signed.request_id.to_string()).collect());
    if intent.end().is_some() {
        hasher.value(&intent.end());
        for envelope in kept() {
            hasher.value(&envelope.end);
        }
    } else {
        hasher.value(intent);
        for envelope in kept() {
            if envelope.end.is_some() {
                let Envelope { kind, log, end, .. } = envelope;
                let times = (envelope.signed.expiry, envelope.closed_at);
                hasher.value(&(times, kind, log, end));
            } else {
                hasher.value(envelope);
            }
        }
    }
    let prepared = intent.prepared();
    hasher.value(&prepared.stamp);
    hasher.value(&prepared.sender);
    hasher.value(&prepared.prepared_at);
    hasher.value(&prepared.module);
    hasher.value(&prepared.line);
    hasher.finish()
}
