//! Deduplication: a transaction with a stamp is recorded once within the window. Known by the
//! hash of the transaction exactly as the caller wrote it.

use crate::Nanos;
use icrc_ledger_types::icrc::generic_value::Hash;
use serde::{Deserialize, Serialize};
use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

/// How long a stamp is good for.
pub const WINDOW: Nanos = Duration::from_secs(24 * 60 * 60).as_nanos() as Nanos;
/// How far ahead of the ledger's time a stamp may be.
pub const DRIFT: Nanos = Duration::from_secs(60).as_nanos() as Nanos;
/// How many entries one call may forget.
const PURGE_AT_ONCE: usize = 100_000;

/// What a stamp is to a ledger. In a block it stands in any case.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stamps {
    /// Checked, and what it has recorded in the window is refused.
    #[default]
    Remembered,
    /// Checked against the window; what was recorded is recorded again.
    Checked,
    /// Nothing.
    Ignored,
    /// Too old, each of them.
    TooOld,
}

/// Why a stamped transaction is not recorded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::canisters) enum Refused {
    TooOld,
    CreatedInFuture { ledger_time: Nanos },
    Duplicate { duplicate_of: u64 },
}

/// Whether a stamp is within the window: `now - 24 h - grace ..= now + 60 s`. The production ledger
/// has no grace on the old side, unlike the standard's text; the cycles ledger has the drift.
pub(in crate::canisters) fn check_window(
    stamp: Nanos,
    now: Nanos,
    grace: Nanos,
) -> Result<(), Refused> {
    if stamp.saturating_add(WINDOW).saturating_add(grace) < now {
        Err(Refused::TooOld)
    } else if stamp > now.saturating_add(DRIFT) {
        Err(Refused::CreatedInFuture { ledger_time: now })
    } else {
        Ok(())
    }
}

/// The transactions of the window.
#[derive(Clone, Debug, Default)]
pub(in crate::canisters) struct Dedup {
    blocks: HashMap<Hash, u64>,
    by_age: VecDeque<(Nanos, Hash)>,
}

impl Dedup {
    /// The block that has this transaction.
    pub(in crate::canisters) fn find(&self, hash: &Hash) -> Option<u64> {
        self.blocks.get(hash).copied()
    }

    pub(in crate::canisters) fn remember(&mut self, hash: Hash, block: u64, block_time: Nanos) {
        self.blocks.insert(hash, block);
        self.by_age.push_back((block_time, hash));
    }

    /// Forgets what can no longer be repeated: blocks older than window and drift together.
    pub(in crate::canisters) fn purge(&mut self, now: Nanos) {
        for _ in 0..PURGE_AT_ONCE {
            match self.by_age.front() {
                Some((time, hash)) if time.saturating_add(WINDOW).saturating_add(DRIFT) < now => {
                    self.blocks.remove(hash);
                    self.by_age.pop_front();
                }
                Some(_) | None => return,
            }
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Nanos = 1_700_000_000_000_000_000;

    #[test]
    fn the_window_is_a_day_back_and_a_minute_ahead_ends_included() {
        assert_eq!(check_window(NOW - WINDOW, NOW, 0), Ok(()));
        assert_eq!(check_window(NOW - WINDOW - 1, NOW, 0), Err(Refused::TooOld));
        assert_eq!(check_window(NOW + DRIFT, NOW, 0), Ok(()));
        assert_eq!(
            check_window(NOW + DRIFT + 1, NOW, 0),
            Err(Refused::CreatedInFuture { ledger_time: NOW })
        );
        assert_eq!(
            check_window(u64::MAX, NOW, 0),
            Err(Refused::CreatedInFuture { ledger_time: NOW })
        );
        assert_eq!(check_window(0, NOW, 0), Err(Refused::TooOld));
    }

    #[test]
    fn a_transaction_is_forgotten_only_when_its_stamp_is_too_old() {
        let mut dedup = Dedup::default();
        dedup.remember([1; 32], 7, NOW);
        // The latest stamp that the block at NOW can carry is NOW + DRIFT.
        let last_repeat = NOW + DRIFT + WINDOW;
        assert_eq!(check_window(NOW + DRIFT, last_repeat, 0), Ok(()));
        dedup.purge(last_repeat);
        assert_eq!(dedup.find(&[1; 32]), Some(7));
        dedup.purge(last_repeat + 1);
        assert_eq!(dedup.find(&[1; 32]), None);
        assert_eq!(dedup.len(), 0);
    }
}
