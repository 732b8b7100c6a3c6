//! Faults that a test can order: what goes wrong with the next message of a kind, by name or in
//! detail. A network without orders has no faults.

mod bad;
mod names;
mod ways;

pub use bad::BadCertificate;
pub use ic_transport_types::RejectCode;
pub use names::UnknownFaultError;
pub use ways::{Execution, Forget, Kind, Reply, Shown};

use crate::canisters::ledger::Tokens;
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
    /// Calls: what becomes of the status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forget: Option<Forget>,
    /// Calls to a ledger: its fee is changed to this, in base units (as text), before the call.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "decimal")]
    pub fee: Option<Tokens>,
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

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

const fn once() -> Option<u32> {
    Some(1)
}

const fn canister_error() -> RejectCode {
    RejectCode::CanisterError
}

/// An amount as decimal text.
mod decimal {
    use super::Tokens;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        amount: &Option<Tokens>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match amount {
            Some(amount) => serializer.collect_str(amount),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Tokens>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(de::Error::custom))
            .transpose()
    }
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
            fee: None,
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
#[derive(Debug, Default)]
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
    fn every_name_gives_a_fault() {
        for name in Fault::NAMES {
            assert!(Fault::named(name).is_ok(), "{name}");
        }
        for case in BadCertificate::ALL {
            assert_eq!(Fault::named(case.name()), Ok(Fault::bad(case)));
        }
        assert!(Fault::named("no such fault").is_err());
    }

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
            serde_json::from_str(r#"{"on":"call","fee":"20000","reject_code":2}"#).unwrap();
        assert_eq!(fault.fee, Some(20_000));
        assert_eq!(fault.reject_code, RejectCode::SysTransient);
        for nonsense in [
            r#"{"on":"call","nope":1}"#,
            r#"{"on":"call","fee":"ten"}"#,
            r#"{"on":"call","fee":10}"#,
            r#"{"on":"call","reject_code":9}"#,
        ] {
            assert!(
                serde_json::from_str::<Fault>(nonsense).is_err(),
                "{nonsense}"
            );
        }
    }
}
