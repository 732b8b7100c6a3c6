//! Stamps: the values by which a ledger knows a call again.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::ids::{ContentHash, NetworkId, Principal};
use crate::time::{Span, Timestamp};

/// The stamp of one intent with the rule of the ledger that reads it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// The value (`created_at_time`).
    pub at: Timestamp,
    /// How long after it the ledger still takes it.
    pub window: Span,
    /// How far the ledger lets it lie in the future.
    pub drift: Span,
    /// Whether the window is known or was probed, not only claimed.
    pub window_known: bool,
}

impl Stamp {
    /// The last certified time at which the ledger can still take the stamp.
    #[must_use]
    pub const fn window_end(&self) -> Timestamp {
        self.at.plus(self.window)
    }

    /// The certified time after which the ledger refuses the stamp whatever happens.
    #[must_use]
    pub const fn refused_after(&self) -> Timestamp {
        self.at.plus(self.window).plus(self.drift)
    }
}

/// A stamp's owner: unique in the store. Whatever the method, the arguments and the origin, no
/// stamp of one sender on one canister is given out twice, since two calls of different form can
/// be one transaction to a ledger.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct StampKey {
    /// The network.
    pub network: NetworkId,
    /// The canister.
    pub canister: Principal,
    /// The sender.
    pub sender: Principal,
    /// The stamp.
    pub stamp: Timestamp,
}

impl StampKey {
    /// The key of the store's row: SHA-256 over the parts, each with its length before it.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        let mut hasher = Sha256::new();
        let stamp = self.stamp.as_nanos().to_be_bytes();
        let parts: [&[u8]; 5] = [
            b"countersign-stamp-1",
            self.network.as_bytes(),
            self.canister.as_slice(),
            self.sender.as_slice(),
            &stamp,
        ];
        for part in parts {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        }
        ContentHash::from_bytes(hasher.finalize().into())
    }
}

/// What a new stamp must respect.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct StampRule {
    /// Certified time of the canister's subnet.
    pub now: Timestamp,
    /// How far the ledger lets a stamp lie in the future.
    pub drift: Span,
    /// Random bits: a part of a second is taken off, so that no other holder of the same key and
    /// no site can meet or read the stamp. Zero takes nothing off.
    pub entropy: u64,
    /// The latest stamp of this sender on this canister that was ever handed over.
    pub floor: Option<Timestamp>,
    /// The ledger's clock as a `CreatedInFuture` reported it: the stamp is at most this, and the
    /// floor does not count.
    pub cap: Option<Timestamp>,
}

/// Why no stamp can be given out.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum StampError {
    /// Every stamp that was handed over lies too far ahead of the ledger's clock.
    #[error("the latest stamp lies ahead of the ledger's clock; wait and prepare again")]
    FloorAhead,
    /// Every value under the cap is taken.
    #[error("no stamp is free under the ledger's clock; wait and prepare again")]
    NoneFree,
}

impl StampError {
    /// Its stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::FloorAhead => "E_STAMP_AHEAD",
            Self::NoneFree => "E_STAMP_NONE_FREE",
        }
    }
}

/// Chooses a stamp that no intent owns.
///
/// `taken` says whether a value is owned already, by any intent of this sender on this canister,
/// whatever became of it. The store's unique key is what decides: a loser chooses again.
///
/// # Errors
///
/// See [`StampError`]; both pass with time.
pub fn allot(rule: &StampRule, taken: impl Fn(Timestamp) -> bool) -> Result<Timestamp, StampError> {
    let one = Span::from_nanos(1);
    let wanted = rule
        .now
        .minus(Span::from_nanos(rule.entropy % 1_000_000_000));
    if let Some(cap) = rule.cap {
        let mut value = if wanted < cap { wanted } else { cap };
        while taken(value) {
            if value == Timestamp::default() {
                return Err(StampError::NoneFree);
            }
            value = value.minus(one);
        }
        return Ok(value);
    }
    let mut value = match rule.floor {
        Some(floor) if floor >= wanted => floor.plus(one),
        _ => wanted,
    };
    let last = rule.now.plus(rule.drift);
    while value <= last && taken(value) {
        value = value.plus(one);
    }
    if value > last {
        Err(StampError::FloorAhead)
    } else {
        Ok(value)
    }
}
