//! What can be changed of a ledger from outside, between two calls or right before one.

use super::{Describing, Ledger, Stamps, Tokens};
use serde::{Deserialize, Serialize};

/// Changes of a ledger, in the order in which they are made. What is left out stays.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Change {
    /// Installs it anew: log, archives, balances and what it remembers are gone.
    #[serde(skip_serializing_if = "is_default")]
    pub reinstall: bool,
    /// Runs other code from now on, with the same interface.
    #[serde(skip_serializing_if = "is_default")]
    pub upgrade: bool,
    /// Forgets which transactions it has recorded, as an upgrade that does not keep them.
    #[serde(skip_serializing_if = "is_default")]
    pub forget: bool,
    /// The fee, in base units (as text).
    #[serde(skip_serializing_if = "Option::is_none", with = "decimal")]
    pub fee: Option<Tokens>,
    /// What a stamp is to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stamps: Option<Stamps>,
    /// How many transfers and approvals it answers with `TemporarilyUnavailable` from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<u32>,
    /// The cycles ledger: how many of the next withdrawals and creations fail after the burn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undeliverable: Option<u32>,
    /// How far its clock is ahead of the network's, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<i64>,
    /// How many of its oldest blocks it moves to its archives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<u64>,
    /// How it describes calls (ICRC-21) from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub describing: Option<Describing>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Ledger {
    /// Changes it.
    pub fn change(&mut self, change: &Change) {
        if change.reinstall {
            self.reinstall();
        }
        if change.upgrade {
            self.upgrade();
        }
        if change.forget {
            self.forget_transactions();
        }
        if let Some(fee) = change.fee {
            self.set_fee(fee);
        }
        if let Some(stamps) = change.stamps {
            self.set_stamps(stamps);
        }
        if let Some(calls) = change.unavailable {
            self.set_unavailable(calls);
        }
        if let Some(calls) = change.undeliverable {
            self.outside.undeliverable = calls;
        }
        if let Some(ms) = change.clock_ms {
            self.set_clock(ms);
        }
        if let Some(blocks) = change.archive {
            self.archive(blocks);
        }
        if let Some(describing) = change.describing {
            self.set_describing(describing);
        }
    }
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
