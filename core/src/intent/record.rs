//! What is stored of an intent, and its stored form.
//!
//! One record is one stamp, one argument, one preview id. It holds every envelope ever signed.
//! Fields are private to the room: only [`Intent::apply`] changes them.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use super::end::{End, EndKind};
use super::envelope::{BlockVerdict, Envelope};
use super::event::{Lapse, Start};
use super::facts::INGRESS_SPAN;
use super::identity::Door;
use super::reconcile::Finding;
use super::stamp::{Stamp, StampKey};
use super::words::{Evidence, Hitch};
use crate::format::name::NameSets;
use crate::ids::{
    AskDigest, AskId, ContentHash, IdentityHash, InstallationId, NetworkId, PreviewId, Principal,
    RequestId,
};
use crate::profile::Applied;
use crate::time::{Span, Timestamp};

/// A preview that was never committed ends after this.
pub const UNCOMMITTED_SPAN: Span = Span::from_hours(1);

/// A deadline lies this much before the earliest absolute time in the arguments.
pub const BEFORE_ABSOLUTE: Span = Span::from_mins(5);

/// A yes lapses where nothing was handed over within this of certified time.
pub const YES_SPAN: Span = Span::from_mins(2);

/// How often one intent may be handed back, rejected by its canister, or renewed along its line:
/// the last of them stops it.
pub const MOST_TRIES: usize = 3;

/// Everything that is fixed when a call is prepared.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Prepared {
    /// 128 random bits, bound to the origin.
    pub preview: PreviewId,
    /// 128 random bits from which the ids of this intent's asks are made.
    pub ask_seed: ContentSeed,
    /// The installation that prepared it.
    pub installation: InstallationId,
    /// The journal's epoch then.
    pub epoch: u64,
    /// The network.
    pub network: NetworkId,
    /// The way the call came.
    pub door: Door,
    /// The asking origin.
    pub origin: String,
    /// The origin of the tab's top-level document.
    pub top_origin: String,
    /// Hash of who asked for what.
    pub identity: IdentityHash,
    /// The canister called.
    pub canister: Principal,
    /// The canister whose subnet takes the message: another one only for the management canister.
    pub effective_canister: Principal,
    /// The method called.
    pub method: String,
    /// Name of the tool that prepared it.
    pub tool: String,
    /// The tool's inputs as they were given, JSON: read again only for a successor.
    #[serde(with = "serde_bytes")]
    pub inputs: Vec<u8>,
    /// The encoded arguments. Nothing encodes them again.
    #[serde(with = "serde_bytes")]
    pub arg: Vec<u8>,
    /// The stamp in the arguments, where the method has one.
    pub stamp: Option<Stamp>,
    /// The principal that signs.
    pub sender: Principal,
    /// The preview as the tools room made it, JSON: opaque here.
    #[serde(with = "serde_bytes")]
    pub shown: Vec<u8>,
    /// Names of the values in the arguments, as they were listed when it was prepared: nothing
    /// looks them up again.
    #[serde(default, skip_serializing_if = "NameSets::is_empty")]
    pub names: NameSets,
    /// Why the site asks, in its own words, escaped: shown to the person as the site's.
    pub why: Option<String>,
    /// SHA-256 of the text of the interface it was prepared with.
    pub interface: ContentHash,
    /// Whether the person had pasted that interface.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub pasted: bool,
    /// The profiles that applied then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<Applied>,
    /// Certified module hash at that time; `None` where the canister had none.
    pub module: Option<ContentHash>,
    /// Hash of the resolved form by which it is shown.
    pub resolved: ContentHash,
    /// Certified time of the preparation.
    pub prepared_at: Timestamp,
    /// How long the grant lets an ask stand.
    pub ask_limit: Span,
    /// The earliest absolute time in the arguments.
    pub earliest_time: Option<Timestamp>,
    /// Its place in a line of renewals.
    pub line: Line,
}

/// 128 random bits that are no identifier themselves.
pub type ContentSeed = PreviewId;

/// An intent's place in the line of its renewals.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// How many intents of the line were answered `retry_new` before it.
    pub renewals: u8,
    /// The preview whose place it took.
    pub predecessor: Option<PreviewId>,
}

impl Line {
    /// The place of an intent that succeeds `predecessor` after a `retry_new`.
    #[must_use]
    pub const fn after(predecessor: &Intent) -> Self {
        Self {
            renewals: predecessor.prepared.line.renewals.saturating_add(1),
            predecessor: Some(predecessor.prepared.preview),
        }
    }
}

/// One wish of one origin: what was prepared, and everything that is known of it since.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    pub(super) prepared: Prepared,
    /// Empty until records carry codes.
    #[serde(with = "serde_bytes")]
    pub(super) mac: Vec<u8>,
    /// Earliest end of what cannot have executed.
    pub(super) deadline: Timestamp,
    /// The highest certified time that any event brought: time never goes back for an intent.
    pub(super) clock: Timestamp,
    /// What was last known of the ledger's deduplication.
    pub(super) evidence: Evidence,
    /// Whether it was ever committed.
    pub(super) committed: bool,
    /// How many asks were opened.
    pub(super) asks: u32,
    pub(super) ask: Option<Ask>,
    pub(super) envelopes: Vec<Envelope>,
    /// How the last attempt ended, for the answer.
    pub(super) last: Option<Last>,
    /// Interface, module or profile is not the one it was prepared with: no new envelope.
    pub(super) differs: bool,
    /// Since when another copy of the journal may have sent envelopes of it.
    pub(super) restored: Option<Timestamp>,
    /// A later intent of the same wish is known: it does not hold the wish.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub(super) gave_way: bool,
    pub(super) search: Search,
    pub(super) end: Option<End>,
    /// Hash of the answer that was last acknowledged.
    pub(super) told: Option<ContentHash>,
}

/// A request for a person's decision.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Used once: a lapse opens a new ask.
    pub id: AskId,
    /// What the person says yes to.
    pub digest: AskDigest,
    /// Whether an earlier attempt may have executed.
    pub kind: AskKind,
    /// What was known of the ledger's deduplication when it opened: the digest says so.
    pub evidence: Evidence,
    /// Certified time of its opening.
    pub opened_at: Timestamp,
    /// Why the ask before it is open again.
    pub lapsed: Option<Lapse>,
    /// The yes, once given.
    pub yes: Option<Yes>,
}

/// Which question an ask puts.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// Nothing can have executed.
    First,
    /// An earlier attempt may have executed; the same bytes are sent in another envelope.
    Resend,
}

/// A person's yes.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Yes {
    /// Certified time of it.
    pub at: Timestamp,
    /// What was read since, before signing.
    pub start: Option<Start>,
}

/// How the last attempt ended without ending the intent.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Last {
    Declined,
    Stopped(Hitch),
    Envelope(RequestId),
}

/// The search for the transaction in the ledger's block log.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    /// A commit asked for it.
    pub(super) wanted: bool,
    /// Looks that settled nothing.
    pub(super) tries: u32,
    /// Certified time of the last look.
    pub(super) at: Timestamp,
    /// Certified time of the next look.
    pub(super) due: Timestamp,
    pub(super) last: Option<Finding>,
}

/// Why a call cannot be prepared.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum PrepareError {
    /// Its deadline lies before now: an absolute time in its arguments is too near or past.
    #[error("a time in the arguments is less than five minutes away; give a later one")]
    DeadlinePast,
}

impl PrepareError {
    /// Its stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::DeadlinePast => "E_DEADLINE_PAST",
        }
    }
}

impl Intent {
    /// A new intent. Nothing was asked and nothing was sent.
    ///
    /// # Errors
    ///
    /// [`PrepareError::DeadlinePast`] where nothing could be approved in time.
    pub fn new(prepared: Prepared, evidence: Evidence) -> Result<Self, PrepareError> {
        let mut deadline = prepared.prepared_at.plus(prepared.ask_limit);
        if let Some(stamp) = prepared.stamp {
            deadline = deadline.min(stamp.at.plus(stamp.window.half()));
        }
        if let Some(earliest) = prepared.earliest_time {
            deadline = deadline.min(earliest.minus(BEFORE_ABSOLUTE));
        }
        if deadline <= prepared.prepared_at {
            return Err(PrepareError::DeadlinePast);
        }
        Ok(Self {
            mac: Vec::new(),
            deadline,
            clock: prepared.prepared_at,
            evidence: if prepared.stamp.is_some() {
                evidence
            } else {
                Evidence::None
            },
            committed: false,
            asks: 0,
            ask: None,
            envelopes: Vec::new(),
            last: None,
            differs: false,
            restored: None,
            gave_way: false,
            search: Search::default(),
            end: None,
            told: None,
            prepared,
        })
    }

    /// The id of the next ask: unguessable as the seed is, and never the same twice.
    pub(super) fn next_ask_id(&self) -> AskId {
        let mut hasher = Sha256::new();
        hasher.update(b"countersign-ask-id-1");
        hasher.update(self.prepared.preview.as_bytes());
        hasher.update(self.prepared.ask_seed.as_bytes());
        hasher.update(self.asks.to_be_bytes());
        let hash: [u8; 32] = hasher.finalize().into();
        let mut id = [0; 16];
        id.copy_from_slice(&hash[..16]);
        AskId::from_bytes(id)
    }

    /// Certified time at which an open ask of this kind closes.
    pub(super) fn ask_closes_at(&self, kind: AskKind) -> Timestamp {
        match (kind, self.prepared.stamp) {
            // The other half of the window is there for re-sends.
            (AskKind::Resend, Some(stamp)) => stamp.window_end().minus(INGRESS_SPAN),
            (AskKind::Resend, None) | (AskKind::First, _) => self.deadline,
        }
    }
}

impl Intent {
    /// What was fixed when it was prepared.
    #[must_use]
    pub const fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The preview id.
    #[must_use]
    pub const fn preview(&self) -> PreviewId {
        self.prepared.preview
    }

    /// The end of what cannot have executed.
    #[must_use]
    pub const fn deadline(&self) -> Timestamp {
        self.deadline
    }

    /// The highest certified time any event brought.
    #[must_use]
    pub const fn clock(&self) -> Timestamp {
        self.clock
    }

    /// The open ask.
    #[must_use]
    pub const fn ask(&self) -> Option<&Ask> {
        self.ask.as_ref()
    }

    /// When the open ask closes, in certified time.
    #[must_use]
    pub fn ask_closes(&self) -> Option<Timestamp> {
        self.ask.as_ref().map(|ask| self.ask_closes_at(ask.kind))
    }

    /// Every envelope ever signed, oldest first.
    #[must_use]
    pub fn envelopes(&self) -> &[Envelope] {
        &self.envelopes
    }

    /// How it ended.
    #[must_use]
    pub const fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// What was last known of the ledger's deduplication.
    #[must_use]
    pub const fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// Whether interface, module or profile was found not to be the one it was prepared with.
    #[must_use]
    pub const fn is_found_to_differ(&self) -> bool {
        let ended = match &self.end {
            Some(end) => matches!(end.kind, EndKind::Differs),
            None => false,
        };
        self.differs || ended
    }

    /// Whether it was ever committed. A site has at most a hundred that were not.
    #[must_use]
    pub const fn was_committed(&self) -> bool {
        self.committed
    }

    /// Hash of the answer that was last acknowledged.
    #[must_use]
    pub const fn told(&self) -> Option<ContentHash> {
        self.told
    }

    /// Whether its identity is taken: it has not ended, or its end is one that a preparation has to
    /// be told before it makes a new call. This is the store's unique key.
    #[must_use]
    pub const fn holds_identity(&self) -> bool {
        match &self.end {
            _ if self.gave_way => false,
            None => true,
            Some(end) if end.told => false,
            Some(end) => match &end.kind {
                EndKind::Expired | EndKind::Superseded { .. } => false,
                EndKind::Done(_)
                | EndKind::Found { .. }
                | EndKind::Absent(_)
                | EndKind::Refused(_)
                | EndKind::RetriesSpent(_)
                | EndKind::Declined
                | EndKind::Differs
                | EndKind::RenewRefused(_)
                | EndKind::ByHand { .. } => true,
            },
        }
    }

    /// The owner of its stamp: the store's other unique key, kept for good.
    #[must_use]
    pub fn stamp_key(&self) -> Option<StampKey> {
        self.prepared.stamp.map(|stamp| StampKey {
            network: self.prepared.network,
            canister: self.prepared.canister,
            sender: self.prepared.sender,
            stamp: stamp.at,
        })
    }

    /// Whether its stamp sets a floor for later stamps: it was handed over at least once.
    #[must_use]
    pub fn sets_stamp_floor(&self) -> bool {
        self.prepared.stamp.is_some() && self.handed_over_count() > 0
    }

    /// The module under which this intent has shown that the ledger executes equal bytes once: a
    /// re-send of ours was answered by the block of the first execution, and the block was read.
    #[must_use]
    pub fn deduplication_shown(&self) -> Option<Option<ContentHash>> {
        let shown = self.envelopes.iter().any(|envelope| {
            envelope.kind == AskKind::Resend
                && envelope
                    .reply()
                    .is_some_and(|r| r.block == Some(BlockVerdict::Ours))
        });
        shown.then_some(self.prepared.module)
    }
}
