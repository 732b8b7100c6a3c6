//! Certified time, a clock a subnet: what has been seen, and how it judges what is seen next.
//!
//! A certificate's time is held against the highest certified time seen from the same subnet, never
//! against the host's clock. Within one worker's life that time may be carried forward for a minute
//! over a clock that never goes back; after that it is only a lower bound.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::ids::Principal;
use crate::time::{Span, Timestamp};

/// How far behind the reference a certificate may be: nodes of a subnet are seconds apart.
pub const MAX_BEHIND: Span = Span::from_mins(1);

/// How far ahead of a carried time a certificate may be.
pub const MAX_AHEAD: Span = Span::from_mins(5);

/// How much later the highest time has to be than the stored one to be stored again. What a
/// restart can believe is older than the newest by at most this and [`MAX_BEHIND`].
pub const STORE_EVERY: Span = Span::from_secs(30);

/// How long a certified time is carried forward.
pub const MAX_CARRIED: Span = Span::from_mins(1);

/// Why a certificate's time is refused.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum TimeError {
    /// Older than what the subnet has certified already: an answer from the past.
    #[error("it is from {time}, but this subnet has certified {reference} already")]
    Stale {
        /// The certificate's time.
        time: Timestamp,
        /// What it was held against.
        reference: Timestamp,
    },
    /// Further ahead of the carried time than any delay explains. A host that slept explains it
    /// too: in that case it is accepted a minute later.
    #[error("it is from {time}, but this subnet's clock cannot be much past {reference}")]
    Future {
        /// The certificate's time.
        time: Timestamp,
        /// What it was held against.
        reference: Timestamp,
    },
}

/// The certified clocks of one network's subnets. Stored: the highest time of each.
///
/// `uptime` in the methods is the time since this worker started, by a clock that never goes back.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Clocks(BTreeMap<Principal, Clock>);

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
struct Clock {
    highest: Timestamp,
    /// The newest time read in this worker's life, and the uptime at which it was first read.
    #[serde(skip)]
    read: Option<(Timestamp, Span)>,
}

impl Clock {
    fn carried(&self, uptime: Span) -> Option<Timestamp> {
        let (time, read_at) = self.read?;
        let age = Span::from_nanos(uptime.as_nanos().checked_sub(read_at.as_nanos())?);
        (age <= MAX_CARRIED).then(|| time.plus(age))
    }
}

impl Clocks {
    /// The subnet's time now: read at most a minute ago in this worker's life, and carried on.
    #[must_use]
    pub fn now(&self, subnet: Principal, uptime: Span) -> Option<Timestamp> {
        self.0.get(&subnet)?.carried(uptime)
    }

    /// The highest time that the subnet has certified.
    #[must_use]
    pub fn highest(&self, subnet: Principal) -> Option<Timestamp> {
        Some(self.0.get(&subnet)?.highest)
    }

    /// Judges the time of a certificate of the subnet.
    ///
    /// # Errors
    ///
    /// More than [`MAX_BEHIND`] before the subnet's time (carried, or the highest seen), or more
    /// than [`MAX_AHEAD`] after its carried time. Without a reference nothing is refused.
    pub fn judge(&self, subnet: Principal, time: Timestamp, uptime: Span) -> Result<(), TimeError> {
        let Some(clock) = self.0.get(&subnet) else {
            return Ok(());
        };
        let carried = clock.carried(uptime);
        let reference = carried.map_or(clock.highest, |carried| carried.max(clock.highest));
        if time < reference.minus(MAX_BEHIND) {
            Err(TimeError::Stale { time, reference })
        } else if carried.is_some() && time > reference.plus(MAX_AHEAD) {
            Err(TimeError::Future { time, reference })
        } else {
            Ok(())
        }
    }

    /// Takes note of a certified time. One that is not the newest of this worker's life changes
    /// nothing: the same certificate, read again, would else stop the clock.
    pub(super) fn learn(&mut self, subnet: Principal, time: Timestamp, uptime: Span) {
        let clock = self.0.entry(subnet).or_insert(Clock {
            highest: time,
            read: None,
        });
        clock.highest = clock.highest.max(time);
        if clock.read.is_none_or(|(newest, _)| time > newest) {
            clock.read = Some((time, uptime));
        }
    }

    /// Whether they have come far enough past what was stored to be stored again.
    #[must_use]
    pub fn run_ahead_of(&self, stored: &Self) -> bool {
        self.0.iter().any(|(subnet, clock)| {
            stored
                .highest(*subnet)
                .is_none_or(|kept| clock.highest >= kept.plus(STORE_EVERY))
        })
    }

    /// Raises each highest time to the other's, where that is later.
    pub(super) fn raise_to(&mut self, other: &Self) {
        for (subnet, seen) in &other.0 {
            let clock = self.0.entry(*subnet).or_insert(Clock {
                highest: seen.highest,
                read: None,
            });
            clock.highest = clock.highest.max(seen.highest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBNET: Principal = Principal::management_canister();

    fn at(secs: u64) -> Timestamp {
        Timestamp::from_nanos(1_000_000_000_000_000_000).plus(Span::from_secs(secs))
    }

    fn read_at(certified: u64, uptime: u64) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.learn(SUBNET, at(certified), Span::from_secs(uptime));
        clocks
    }

    #[test]
    fn a_certified_time_is_carried_for_a_minute_and_no_longer() {
        let clocks = read_at(100, 10);
        let now = |uptime| clocks.now(SUBNET, Span::from_secs(uptime));
        assert_eq!(now(10), Some(at(100)));
        assert_eq!(now(70), Some(at(160)));
        assert_eq!(now(71), None);
        assert_eq!(now(9), None, "an uptime that went back carries nothing");
        assert_eq!(clocks.highest(SUBNET), Some(at(100)));
    }

    #[test]
    fn a_restart_keeps_the_highest_time_and_carries_nothing() {
        let stored = serde_json::to_string(&read_at(100, 10)).unwrap();
        let clocks: Clocks = serde_json::from_str(&stored).unwrap();
        assert_eq!(clocks.now(SUBNET, Span::from_secs(10)), None);
        assert_eq!(clocks.highest(SUBNET), Some(at(100)));
    }

    #[test]
    fn a_certificate_from_the_past_is_refused() {
        let clocks = read_at(1000, 10);
        let judge = |time, uptime| clocks.judge(SUBNET, at(time), Span::from_secs(uptime));
        assert_eq!(judge(940, 10), Ok(()));
        assert_eq!(
            judge(939, 10),
            Err(TimeError::Stale {
                time: at(939),
                reference: at(1000)
            })
        );
        // Carried on, the reference moves with the uptime …
        assert!(judge(969, 40).is_err());
        assert_eq!(judge(970, 40), Ok(()));
        // … and is the highest seen again when it is no longer carried.
        assert_eq!(judge(940, 600), Ok(()));
        assert!(judge(939, 600).is_err());
    }

    #[test]
    fn a_certificate_from_the_future_is_refused_while_the_time_is_carried() {
        let clocks = read_at(1000, 10);
        let judge = |time, uptime| clocks.judge(SUBNET, at(time), Span::from_secs(uptime));
        assert_eq!(judge(1300, 10), Ok(()));
        assert_eq!(
            judge(1301, 10),
            Err(TimeError::Future {
                time: at(1301),
                reference: at(1000)
            })
        );
        assert_eq!(judge(90_000, 600), Ok(()), "a day later it is news");
    }

    #[test]
    fn the_highest_time_never_goes_back() {
        let mut clocks = read_at(1000, 10);
        clocks.learn(SUBNET, at(990), Span::from_secs(20));
        assert_eq!(clocks.highest(SUBNET), Some(at(1000)));
        assert_eq!(clocks.now(SUBNET, Span::from_secs(20)), Some(at(1010)));
    }

    #[test]
    fn a_certificate_that_is_read_again_does_not_stop_the_clock() {
        let mut clocks = read_at(1000, 10);
        clocks.learn(SUBNET, at(1000), Span::from_secs(40));
        assert_eq!(clocks.now(SUBNET, Span::from_secs(40)), Some(at(1030)));
        assert_eq!(clocks.now(SUBNET, Span::from_secs(71)), None);
    }

    #[test]
    fn after_a_restart_a_node_that_lags_still_tells_the_time() {
        let stored = serde_json::to_string(&read_at(1000, 10)).unwrap();
        let mut clocks: Clocks = serde_json::from_str(&stored).unwrap();
        clocks.learn(SUBNET, at(990), Span::from_secs(1));
        assert_eq!(clocks.highest(SUBNET), Some(at(1000)));
        assert_eq!(clocks.now(SUBNET, Span::from_secs(3)), Some(at(992)));
        let judge = |time| clocks.judge(SUBNET, at(time), Span::from_secs(3));
        assert!(
            judge(939).is_err(),
            "the highest time is still what it is held against"
        );
        assert_eq!(judge(940), Ok(()));
    }

    #[test]
    fn clocks_run_ahead_of_what_was_stored_once_they_are_half_a_minute_on() {
        let stored = read_at(1000, 10);
        assert!(!read_at(1029, 10).run_ahead_of(&stored));
        assert!(read_at(1030, 10).run_ahead_of(&stored));
        assert!(stored.run_ahead_of(&Clocks::default()));
        assert!(!Clocks::default().run_ahead_of(&stored));
    }

    #[test]
    fn what_another_worker_stored_is_not_lowered() {
        let mut stored = read_at(1000, 10);
        stored.raise_to(&read_at(900, 10));
        assert_eq!(stored.highest(SUBNET), Some(at(1000)));
        stored.raise_to(&read_at(1100, 10));
        assert_eq!(stored.highest(SUBNET), Some(at(1100)));
    }

    #[test]
    fn each_subnet_has_its_own_clock() {
        let clocks = read_at(1000, 10);
        let other = Principal::anonymous();
        assert_eq!(clocks.judge(other, at(1), Span::from_secs(10)), Ok(()));
        assert_eq!(clocks.now(other, Span::from_secs(10)), None);
    }
}
