//! Faults that a test can order: what goes wrong with the next message of a kind, by name or in
//! detail. A network without orders has no faults.
//!
//! | what goes wrong | how it is ordered |
//! | --- | --- |
//! | the answer is lost, before or after executing | `drop_before`, `drop_after`; [`Reply::Drop`] |
//! | 404, 400 "expiry", 503, 429 after executing | `http_404_after` …; [`Reply::Http`] |
//! | `non_replicated_rejection` after executing | `reject_uncertified` |
//! | 202, and the status is read | `accept_only` |
//! | 202, then Absent until the expiry: it never ran | `accept_never` |
//! | Absent although executed: the state lags | `old_state`; [`Fault::behind_ms`] |
//! | Absent although executed: the status was pruned | by time; before its time, which no replica does: `prune_status`; [`Forget::Status`] |
//! | stuck at `received`, at `processing` | `hold_received`, `hold_processing`, then `release` |
//! | `done`, the reply forgotten | `forget_reply` |
//! | certified reject 1–5 before anything ran | `reject_before` with [`Fault::reject_code`] |
//! | certified reject 1–5 after the block was written | `reject_after_write`, the same |
//! | certified reject 6, or one that is not listed | `reject_unlisted`; [`Fault::reject_stated`] |
//! | the fee changes between two tries | `change_fee`; [`Change::fee`] |
//! | throttled | `throttle`; [`Change::unavailable`] |
//! | a ledger that remembers nothing, or ignores stamps | `stamps_not_remembered`, `stamps_ignored` |
//! | a ledger to which every stamp is too old | `stamps_too_old` |
//! | an upgrade loses what was remembered | `forget_transactions` |
//! | the ledger's clock is behind or ahead | `clock_back`, `clock_forward`; [`Change::clock_ms`] |
//! | the cycles ledger burns and cannot deliver | `undeliverable`; [`Change::undeliverable`] |
//! | the log is shorter, or another one | `reinstall`, and what is written then |
//! | certificate stale, of the future, badly signed, by another root key, out of range | the cases of [`BadCertificate`] in [`Reply::Bad`], for calls, reads and queries |
//! | the same of the certificate of a log's tip | `tip_stale`; [`Fault::certificate`] |
//! | a query node with an old, but certified log | `old_node`; [`Shown::Behind`] |
//! | a log that is cut, altered, with a gap, or points elsewhere | [`Shown`] |
//! | an archive that is missing | `archive_missing`, or any fault with [`Fault::archive`] |
//! | an archive with blocks sent again or altered | `archive_resent`, `archive_altered` |
//! | late answers | `delay`; [`Fault::delay_ms`] |
//! | all of these in turn, from a seed | [`history()`] |

mod bad;
mod history;
mod names;
mod ways;

pub use bad::BadCertificate;
pub use history::{Round, history};
pub use ic_transport_types::RejectCode;
pub use names::UnknownFaultError;
pub use ways::{Execution, Forget, Kind, Reply, Shown};

use crate::canisters::ledger::Change;
use candid::Principal;
use serde::{Deserialize, Serialize};
use std::{collections::VecDeque, time::Duration};

/// An order: which messages it meets, how often, and what happens to them.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The kind of message it meets.
    pub on: Kind,
    /// Only messages to this canister.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canister: Option<Principal>,
    /// Only messages to a ledger's archives.
    #[serde(default, skip_serializing_if = "is_default")]
    pub archive: bool,
    /// Only this method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// How many messages it meets; null: every one, until cleared.
    #[serde(default = "once")]
    pub times: Option<u32>,
    /// Calls: whether and how it is executed.
    #[serde(default)]
    pub execute: Execution,
    /// With `reject_before` and `reject_after`, and for uncertified rejects: the code, 1 to 5.
    #[serde(default = "canister_error")]
    pub reject_code: RejectCode,
    /// The code that the certificate of such a reject states, where it is to be 6 or unlisted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reject_stated: Option<u8>,
    /// Calls: what becomes of the status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forget: Option<Forget>,
    /// Calls to a ledger: it is changed in this way before the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<Change>,
    /// Reads of state: the state is the one of so long ago, at most ten minutes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub behind_ms: u64,
    /// What a log is shown as, in the answer to a query or a call.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shown: Shown,
    /// Queries whose reply has a certificate in it: that one is bad in this way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<BadCertificate>,
    /// What the sender gets.
    #[serde(default)]
    pub reply: Reply,
    /// The answer is held back this long.
    #[serde(default)]
    pub delay_ms: u64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

const fn once() -> Option<u32> {
    Some(1)
}

const fn canister_error() -> RejectCode {
    RejectCode::CanisterError
}

impl Fault {
    /// A message of this kind, met once, with nothing wrong yet.
    #[must_use]
    pub const fn on(kind: Kind) -> Self {
        Self {
            on: kind,
            canister: None,
            archive: false,
            method: None,
            times: Some(1),
            execute: Execution::Yes,
            reject_code: RejectCode::CanisterError,
            forget: None,
            reject_stated: None,
            ledger: None,
            behind_ms: 0,
            shown: Shown::Whole,
            certificate: None,
            reply: Reply::Normal,
            delay_ms: 0,
        }
    }

    /// A bad certificate in the answer to the kind of message that shows it, until cleared.
    #[must_use]
    pub const fn bad(case: BadCertificate) -> Self {
        let mut fault = Self::on(case.shown_by());
        fault.reply = Reply::Bad(case);
        fault.times = None;
        fault
    }

    /// The delay of the answer.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }

    fn meets(&self, seen: &Seen<'_>) -> bool {
        self.on == seen.kind
            && self
                .canister
                .is_none_or(|wanted| seen.canister == Some(wanted))
            && (seen.archive || !self.archive)
            && self
                .method
                .as_deref()
                .is_none_or(|wanted| seen.method == Some(wanted))
    }
}

/// A message as an order looks at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) kind: Kind,
    pub(crate) canister: Option<Principal>,
    /// Whether the canister is a ledger's archive.
    pub(crate) archive: bool,
    pub(crate) method: Option<&'a str>,
}

impl Seen<'_> {
    /// One of this kind, to no canister.
    pub(crate) const fn of(kind: Kind) -> Self {
        Self {
            kind,
            canister: None,
            archive: false,
            method: None,
        }
    }
}

/// The orders that stand, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    orders: VecDeque<Fault>,
}

impl Faults {
    /// Adds an order.
    pub fn order(&mut self, fault: Fault) {
        self.orders.push_back(fault);
    }

    /// Drops every order.
    pub fn clear(&mut self) {
        self.orders.clear();
    }

    /// The orders that stand.
    pub fn standing(&self) -> impl Iterator<Item = &Fault> {
        self.orders.iter()
    }

    /// The oldest order that a message meets, counted as used once.
    pub(crate) fn meet(&mut self, seen: &Seen<'_>) -> Option<Fault> {
        let at = self.orders.iter().position(|fault| fault.meets(seen))?;
        let met = self.orders[at].clone();
        if let Some(times) = &mut self.orders[at].times {
            *times = times.saturating_sub(1);
            if *times == 0 {
                self.orders.remove(at);
            }
        }
        Some(met)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_meets_its_number_of_messages_and_its_own_only() {
        let mut faults = Faults::default();
        let mut fault = Fault::on(Kind::Call);
        fault.method = Some("pay".into());
        fault.times = Some(2);
        faults.order(fault);
        let seen = |kind, method| Seen {
            method: Some(method),
            ..Seen::of(kind)
        };
        assert!(faults.meet(&seen(Kind::Query, "pay")).is_none());
        assert!(faults.meet(&seen(Kind::Call, "other")).is_none());
        assert!(faults.meet(&seen(Kind::Call, "pay")).is_some());
        assert!(faults.meet(&seen(Kind::Call, "pay")).is_some());
        assert!(faults.meet(&seen(Kind::Call, "pay")).is_none());
    }

    #[test]
    fn an_order_without_number_stands_until_cleared() {
        let mut faults = Faults::default();
        faults.order(Fault::named("drop_reads").unwrap());
        for _ in 0..5 {
            assert!(faults.meet(&Seen::of(Kind::ReadState)).is_some());
        }
        faults.clear();
        assert!(faults.meet(&Seen::of(Kind::ReadState)).is_none());
    }

    #[test]
    fn an_order_reads_from_json_with_defaults() {
        let fault: Fault =
            serde_json::from_str(r#"{"on":"call","reply":{"http":503},"times":null}"#).unwrap();
        assert_eq!(fault.reply, Reply::Http(503));
        assert_eq!(fault.times, None);
        let fault: Fault =
            serde_json::from_str(r#"{"on":"read_state","reply":{"bad":"stale"}}"#).unwrap();
        assert_eq!(fault.times, Some(1));
        assert_eq!(fault.reply, Reply::Bad(BadCertificate::Stale));
        let fault: Fault =
            serde_json::from_str(r#"{"on":"call","ledger":{"fee":"20000"},"reject_code":2}"#)
                .unwrap();
        assert_eq!(fault.ledger.unwrap().fee, Some(20_000));
        assert_eq!(fault.reject_code, RejectCode::SysTransient);
        for nonsense in [
            r#"{"on":"call","nope":1}"#,
            r#"{"on":"call","ledger":{"fee":"ten"}}"#,
            r#"{"on":"call","ledger":{"fee":10}}"#,
            r#"{"on":"call","ledger":{"nope":1}}"#,
            r#"{"on":"call","reject_code":9}"#,
        ] {
            assert!(
                serde_json::from_str::<Fault>(nonsense).is_err(),
                "{nonsense}"
            );
        }
    }
}
