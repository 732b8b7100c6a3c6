//! Faults that a test can order: what goes wrong with the next message of a kind, by name or in
//! detail. A network without orders has no faults.

use crate::canisters::ledger::Tokens;
use candid::Principal;
pub use ic_transport_types::RejectCode;
use serde::{Deserialize, Serialize};
use std::{collections::VecDeque, time::Duration};
use thiserror::Error;

/// A certificate, or a signed answer, that nobody must believe. One named list, so that every
/// reader of certificates is judged on the same cases.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BadCertificate {
    /// A value of the tree was changed after it was signed.
    TamperedTree,
    /// The signature is the right key's, of another state.
    TamperedSignature,
    /// Signed by a subnet whose delegation does not cover the canister.
    WrongDelegationRange,
    /// Signed rightly, ten minutes ago.
    Stale,
    /// Signed rightly, ten minutes from now.
    Future,
    /// A query's answer whose node signature has one bit changed.
    TamperedQuerySignature,
}

impl BadCertificate {
    /// Every case.
    pub const ALL: [Self; 6] = [
        Self::TamperedTree,
        Self::TamperedSignature,
        Self::WrongDelegationRange,
        Self::Stale,
        Self::Future,
        Self::TamperedQuerySignature,
    ];

    /// The name that a control request orders it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TamperedTree => "tampered_tree",
            Self::TamperedSignature => "tampered_signature",
            Self::WrongDelegationRange => "wrong_delegation_range",
            Self::Stale => "stale",
            Self::Future => "future",
            Self::TamperedQuerySignature => "tampered_query_signature",
        }
    }

    /// Which kind of message shows it.
    #[must_use]
    pub const fn shown_by(self) -> Kind {
        match self {
            Self::TamperedTree
            | Self::TamperedSignature
            | Self::WrongDelegationRange
            | Self::Stale
            | Self::Future => Kind::Call,
            Self::TamperedQuerySignature => Kind::Query,
        }
    }
}

/// A kind of message.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `call`.
    Call,
    /// `query`.
    Query,
    /// `read_state`.
    ReadState,
    /// `status`.
    Status,
}

/// Whether and how a call is executed.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Execution {
    /// As ever.
    #[default]
    Yes,
    /// The network never sees it.
    No,
    /// Admitted and left at `received` until released, or until its expiry.
    HoldReceived,
    /// Admitted and left at `processing` until released.
    HoldProcessing,
    /// Admitted and rejected without execution.
    RejectBefore,
    /// Executed, its effects kept, and then rejected: a trap after an await.
    RejectAfter,
}

/// What becomes of the status of a call that ended.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Forget {
    /// The status is gone, as if pruned.
    Status,
    /// The answer is gone; the status is `done`.
    Reply,
}

/// What the sender gets.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// As ever.
    #[default]
    Normal,
    /// The connection is closed without an answer.
    Drop,
    /// 202: accepted, come and ask.
    Accepted,
    /// An uncertified reject in a 200.
    UncertifiedReject,
    /// An HTTP error with this status.
    Http(u16),
    /// A certificate, or signed answer, that is bad in this way.
    Bad(BadCertificate),
}

/// An order: which messages it meets, how often, and what happens to them.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The kind of message it meets.
    pub on: Kind,
    /// Only messages to this canister.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canister: Option<Principal>,
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
    /// What the sender gets.
    #[serde(default)]
    pub reply: Reply,
    /// The answer is held back this long.
    #[serde(default)]
    pub delay_ms: u64,
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

/// No fault has this name.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("no fault is named {0:?}")]
pub struct UnknownFaultError(pub String);

impl Fault {
    /// The faults that have a name, besides those of [`BadCertificate`].
    pub const NAMES: [&'static str; 13] = [
        "drop_before",
        "drop_after",
        "drop_reads",
        "delay",
        "http_503_after",
        "http_404_after",
        "http_400_after",
        "reject_after_write",
        "reject_uncertified",
        "prune_status",
        "wrong_signature",
        "change_fee",
        "accept_only",
    ];

    /// A message of this kind, met once, with nothing wrong yet.
    #[must_use]
    pub const fn on(kind: Kind) -> Self {
        Self {
            on: kind,
            canister: None,
            method: None,
            times: Some(1),
            execute: Execution::Yes,
            reject_code: RejectCode::CanisterError,
            forget: None,
            fee: None,
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

    /// The fault with this name.
    ///
    /// # Errors
    ///
    /// A name that is neither in [`Self::NAMES`] nor one of [`BadCertificate`].
    pub fn named(name: &str) -> Result<Self, UnknownFaultError> {
        let call = Self::on(Kind::Call);
        let after = |reply| Self {
            reply,
            ..Self::on(Kind::Call)
        };
        Ok(match name {
            "drop_before" => Self {
                execute: Execution::No,
                reply: Reply::Drop,
                ..call
            },
            "drop_after" => after(Reply::Drop),
            "drop_reads" => Self {
                times: None,
                reply: Reply::Drop,
                ..Self::on(Kind::ReadState)
            },
            "delay" => Self {
                delay_ms: 2_000,
                ..call
            },
            "http_503_after" => after(Reply::Http(503)),
            "http_404_after" => after(Reply::Http(404)),
            "http_400_after" => after(Reply::Http(400)),
            "reject_after_write" => Self {
                execute: Execution::RejectAfter,
                ..call
            },
            "reject_uncertified" => after(Reply::UncertifiedReject),
            "prune_status" => Self {
                forget: Some(Forget::Status),
                reply: Reply::Drop,
                ..call
            },
            "wrong_signature" => after(Reply::Bad(BadCertificate::TamperedSignature)),
            "change_fee" => Self {
                fee: Some(20_000),
                ..call
            },
            "accept_only" => after(Reply::Accepted),
            other => BadCertificate::ALL
                .into_iter()
                .find(|case| case.name() == other)
                .map(Self::bad)
                .ok_or_else(|| UnknownFaultError(other.into()))?,
        })
    }

    /// The delay of the answer.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }

    fn meets(&self, kind: Kind, canister: Option<Principal>, method: Option<&str>) -> bool {
        self.on == kind
            && self.canister.is_none_or(|wanted| canister == Some(wanted))
            && self
                .method
                .as_deref()
                .is_none_or(|wanted| method == Some(wanted))
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
    pub(crate) fn meet(
        &mut self,
        kind: Kind,
        canister: Option<Principal>,
        method: Option<&str>,
    ) -> Option<Fault> {
        let at = self
            .orders
            .iter()
            .position(|fault| fault.meets(kind, canister, method))?;
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
        assert!(faults.meet(Kind::Query, None, Some("pay")).is_none());
        assert!(faults.meet(Kind::Call, None, Some("other")).is_none());
        assert!(faults.meet(Kind::Call, None, Some("pay")).is_some());
        assert!(faults.meet(Kind::Call, None, Some("pay")).is_some());
        assert!(faults.meet(Kind::Call, None, Some("pay")).is_none());
    }

    #[test]
    fn an_order_without_number_stands_until_cleared() {
        let mut faults = Faults::default();
        faults.order(Fault::named("drop_reads").unwrap());
        for _ in 0..5 {
            assert!(faults.meet(Kind::ReadState, None, None).is_some());
        }
        faults.clear();
        assert!(faults.meet(Kind::ReadState, None, None).is_none());
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
