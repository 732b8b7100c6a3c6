//! Limits that hold before any work is done.

use crate::time::Span;
use std::collections::VecDeque;

/// How many messages a document may post within a second.
pub const MAX_MESSAGES_PER_SECOND: usize = 20;

/// How many previews that were never committed a site may have.
pub const MAX_PREVIEWS: usize = 100;

/// How many sites whose hosts end in the same two labels may ask to be connected at a time.
pub const MAX_CONNECTS_ALIKE: usize = 8;

/// How many sites may ask to be connected at a time.
pub const MAX_CONNECTS: usize = 64;

/// For how long after a no to being connected a site that asks again brings up no window.
pub const QUIET_AFTER_NO: Span = Span::from_hours(1);

/// Counts one document's messages over the last second.
///
/// Kept in memory only: a worker that starts anew has seen no flood yet.
#[derive(Clone, Debug, Default)]
pub struct MessageRate {
    seen: VecDeque<Span>,
}

impl MessageRate {
    /// Whether one more message at `now`, of the worker's monotonic clock, is within the limit.
    /// One that is not is not counted.
    pub fn admit(&mut self, now: Span) -> bool {
        const SECOND: u64 = Span::from_secs(1).as_nanos();
        while self
            .seen
            .front()
            .is_some_and(|at| now.as_nanos() >= at.as_nanos() + SECOND)
        {
            self.seen.pop_front();
        }
        let within = self.seen.len() < MAX_MESSAGES_PER_SECOND;
        if within {
            self.seen.push_back(now);
        }
        within
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_cut_and_ends_after_a_second() {
        let mut rate = MessageRate::default();
        let admitted = (0..100)
            .filter(|i| rate.admit(Span::from_millis(5_000 + i)))
            .count();
        assert_eq!(admitted, MAX_MESSAGES_PER_SECOND);
        assert!(!rate.admit(Span::from_millis(5_999)));
        assert!(rate.admit(Span::from_millis(6_000)));
    }

    #[test]
    fn a_steady_caller_is_never_cut() {
        let mut rate = MessageRate::default();
        assert!((0..1_000).all(|i| rate.admit(Span::from_millis(i * 50))));
    }
}
