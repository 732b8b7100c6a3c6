//! The wallet itself: its installation, vault, session and accounts, and how its pages look.

use crate::confirm::picture::Mark;
use crate::engine::record::Record;
use crate::ids::{InstallationId, NetworkId, Principal};
use crate::ports::store::Table;
use crate::wire::ui::Settings;
use serde::{Deserialize, Serialize};

/// Which installation this is.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Installation {
    /// Drawn at first start.
    pub id: InstallationId,
    /// Rises when a journal is restored, or begins anew beside a vault.
    pub epoch: u32,
}

/// How many envelopes were handed over: also kept outside the journal, by which a journal from before
/// is known.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct HandOvers {
    /// The number.
    pub count: u64,
}

impl HandOvers {
    /// Its row.
    pub const KEY: &'static str = "hand-overs";
}

impl Record for HandOvers {
    const TABLE: Table = Table::Settings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::KEY.to_owned()
    }
}

impl Installation {
    /// Its row.
    pub const KEY: &'static str = "installation";
}

impl Record for Installation {
    const TABLE: Table = Table::Settings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::KEY.to_owned()
    }
}

/// The wallet is frozen, for as long as the row is there, whatever is in it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Frozen {}

impl Frozen {
    /// Its row.
    pub const KEY: &'static str = "frozen";
}

impl Record for Frozen {
    const TABLE: Table = Table::Settings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::KEY.to_owned()
    }
}

/// The vault at rest, with the person's mark.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Sealed {
    /// The sealed vault, in its own stored form.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
    /// Shown on every page of the wallet and to nobody else.
    pub mark: Mark,
}

impl Sealed {
    /// Its row.
    pub const KEY: &'static str = "vault";
}

impl Record for Sealed {
    const TABLE: Table = Table::Settings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::KEY.to_owned()
    }
}

/// The stored half of an unlocked session. Erased at lock.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct SessionHalfRow {
    /// The seal, in its own stored form.
    #[serde(with = "serde_bytes")]
    pub seal: Vec<u8>,
}

impl SessionHalfRow {
    /// Its row.
    pub const KEY: &'static str = "session";
}

impl Record for SessionHalfRow {
    const TABLE: Table = Table::Settings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::KEY.to_owned()
    }
}

impl Settings {
    /// Its row.
    pub const KEY: &'static str = "look";
}

impl Record for Settings {
    const TABLE: Table = Table::Settings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::KEY.to_owned()
    }
}

/// An account. It belongs to one network, for good.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Account {
    /// Its number, over all networks, from 1.
    pub number: u32,
    /// The network.
    pub network: NetworkId,
    /// Its index in the derivation path of its network.
    pub index: u32,
    /// The name the person gave.
    pub name: String,
    /// The principal of its key.
    pub principal: Principal,
}

impl Record for Account {
    const TABLE: Table = Table::Accounts;
    const V: u16 = 1;

    fn key(&self) -> String {
        format!("{:08}", self.number)
    }

    fn group(&self) -> Option<String> {
        Some(self.network.to_string())
    }
}
