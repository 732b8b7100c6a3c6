//! What is stored besides intents.

use super::record::Record;
use crate::confirm::picture::Mark;
use crate::ids::{AskId, ContentHash, InstallationId, NetworkId, PreviewId, Principal};
use crate::ingress::{Endpoint, Trust};
use crate::intent::NamesEnd;
use crate::policy::{Grant, SiteKey, ToolChoice};
use crate::ports::store::Table;
use crate::time::{Span, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Which installation this is.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Installation {
    /// Drawn at first start.
    pub id: InstallationId,
    /// Rises when the journal begins anew beside a vault.
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

/// The text of an interface that something was accepted or prepared with, by its hash. Two texts can
/// have one fingerprint and call their types by other names, which profiles speak of.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct InterfaceText {
    /// SHA-256 of the text.
    pub hash: ContentHash,
    /// The text, as it was certified.
    pub text: String,
}

impl Record for InterfaceText {
    const TABLE: Table = Table::Interfaces;
    const V: u16 = 1;

    fn key(&self) -> String {
        self.hash.to_string()
    }
}

/// The text of a profile that applies to a canister or did when something was prepared, by its hash.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProfileText {
    /// SHA-256 of the text.
    pub hash: ContentHash,
    /// The text, as it was given.
    pub text: String,
}

impl Record for ProfileText {
    // Beside the interfaces: both are texts by a hash of their own.
    const TABLE: Table = Table::Interfaces;
    const V: u16 = 1;

    fn key(&self) -> String {
        self.hash.to_string()
    }
}

/// A network the wallet knows. Its root key was shown to the person once and is never read again.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Network {
    /// The root key, and what certificates under it have told.
    pub trust: Trust,
    /// The name the person gave.
    pub name: String,
    /// Where it is reached, in the order to be tried.
    pub endpoints: Vec<Endpoint>,
    /// Ledgers on it that the person says are known to drop repeats.
    pub deduplicating: Vec<Principal>,
    /// When it was added, by the host's clock.
    pub added: Timestamp,
}

impl Network {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> NetworkId {
        self.trust.network()
    }
}

impl Record for Network {
    const TABLE: Table = Table::Networks;
    const V: u16 = 1;

    fn key(&self) -> String {
        self.id().to_string()
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

/// A canister as the person accepted it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Canister {
    /// The network it is on.
    pub network: NetworkId,
    /// Its id.
    pub id: Principal,
    /// Fingerprint of its interface.
    pub fingerprint: ContentHash,
    /// SHA-256 of its code, certified; `None` where it shows none.
    pub module: Option<ContentHash>,
    /// SHA-256 of the text of the interface, where the person pasted it, since the canister certifies
    /// none.
    #[serde(default)]
    pub pasted: Option<ContentHash>,
    /// The profiles that the person trusts for it, by SHA-256 of their texts: they are proposed to
    /// the next site that asks.
    #[serde(default)]
    pub trusted: Vec<ContentHash>,
    /// Certified values that profiles refer to.
    pub values: BTreeMap<String, Value>,
    /// When all this was certified.
    pub at: Timestamp,
    /// Its code is found to be another than was accepted: no tools until the person has seen it
    /// anew.
    pub withheld: bool,
}

impl Canister {
    /// Hash of what a site is given of it: code, interface, and the values that its tools are
    /// worded with, which are those that `refers` names.
    #[must_use]
    pub fn accepted(&self, refers: &BTreeSet<String>) -> ContentHash {
        let values: BTreeMap<&String, &Value> = self
            .values
            .iter()
            .filter(|(name, _)| refers.contains(*name))
            .collect();
        let of = (self.fingerprint, self.module, values);
        ContentHash::of(&serde_json::to_vec(&of).expect("texts and hashes are JSON"))
    }
}

/// A ledger that was seen to drop a repeat of ours, and the code that it ran then.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct DropsRepeats {
    /// The network it is on.
    pub network: NetworkId,
    /// Its id.
    pub id: Principal,
    /// SHA-256 of its code: other code may do otherwise.
    pub module: ContentHash,
}

impl DropsRepeats {
    /// The key of a ledger's row.
    #[must_use]
    pub fn key_of(network: &NetworkId, id: &Principal) -> String {
        format!("drops-repeats {network} {id}")
    }
}

impl Record for DropsRepeats {
    const TABLE: Table = Table::Settings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.network, &self.id)
    }
}

/// A certified reply of a canister, by the method that gave it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Value {
    /// A whole number, as decimal digits.
    Number(String),
    /// A text, escaped.
    Text(String),
}

impl Canister {
    /// The key of the canister with this id on this network.
    #[must_use]
    pub fn key_of(network: &NetworkId, id: &Principal) -> String {
        format!("{network} {id}")
    }
}

impl Record for Canister {
    const TABLE: Table = Table::Canisters;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.network, &self.id)
    }

    fn group(&self) -> Option<String> {
        Some(self.network.to_string())
    }
}

/// The latest stamp of one sender on one canister that was handed over.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Floor {
    /// The network.
    pub network: NetworkId,
    /// The canister.
    pub canister: Principal,
    /// The sender.
    pub sender: Principal,
    /// The stamp.
    pub latest: Timestamp,
}

impl Floor {
    /// The key of a sender's floor on a canister.
    #[must_use]
    pub fn key_of(network: &NetworkId, canister: &Principal, sender: &Principal) -> String {
        format!("{network} {canister} {sender}")
    }
}

impl Record for Floor {
    const TABLE: Table = Table::Floors;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.network, &self.canister, &self.sender)
    }
}

impl Record for Grant {
    const TABLE: Table = Table::Sites;
    const V: u16 = 1;

    fn key(&self) -> String {
        self.site.to_string()
    }

    fn group(&self) -> Option<String> {
        Some(format!("account {}", self.account))
    }
}

/// A site's ask to be connected, open until decided. At most one a site. A no stays for a day: who
/// waits for the decision is told it, and asking again at once is quiet.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Connect {
    /// Used once.
    pub ask: AskId,
    /// Who asks.
    pub site: SiteKey,
    /// For which canisters, in the order asked.
    pub canisters: Vec<Asked>,
    /// For which tools.
    pub tools: ToolChoice,
    /// Why, in the site's own words, escaped.
    pub why: Option<String>,
    /// When, by the host's clock.
    pub asked: Timestamp,
    /// Until when it can be decided, by the host's clock.
    pub deadline: Timestamp,
    /// It never brings up a window by itself: the person said no a moment ago, or has a window of
    /// an earlier ask of this site.
    #[serde(default)]
    pub quiet: bool,
    /// When the person said no to it, by the host's clock.
    #[serde(default)]
    pub declined: Option<Timestamp>,
    /// The person adds a canister by hand: the site did not ask.
    #[serde(default)]
    pub by_person: bool,
}

/// A canister that is asked for, with what was given for it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Asked {
    /// Which.
    pub id: Principal,
    /// The profile that the site gives, as JSON.
    #[serde(default)]
    pub site_profile: Option<String>,
    /// The interface that the person pasted.
    #[serde(default)]
    pub interface: Option<String>,
    /// The profile that the person pasted, as JSON.
    #[serde(default)]
    pub profile: Option<String>,
    /// What the person said of profiles.
    #[serde(default)]
    pub trust: Vec<Trusted>,
    /// The person adds it by hand: the site does not know that it is asked for.
    #[serde(default)]
    pub by_person: bool,
}

/// What the person said of a profile for a canister.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Trusted {
    /// SHA-256 of its text.
    pub profile: ContentHash,
    /// For which code: it counts for no other.
    pub code: Code,
    /// Whether it is trusted.
    pub trusted: bool,
}

/// The code of a canister, and where it runs.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Code {
    /// The network.
    pub network: NetworkId,
    /// SHA-256 of the code; `None` where the canister shows none.
    pub module: Option<ContentHash>,
}

impl Asked {
    /// A canister for which nothing was given.
    #[must_use]
    pub const fn plain(id: Principal) -> Self {
        Self {
            id,
            site_profile: None,
            interface: None,
            profile: None,
            trust: Vec::new(),
            by_person: false,
        }
    }

    /// How many bytes were given for it.
    #[must_use]
    pub fn size(&self) -> usize {
        let texts = [&self.site_profile, &self.interface, &self.profile];
        texts.into_iter().flatten().map(String::len).sum()
    }
}

impl Connect {
    /// Whether it still waits for a decision.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        self.declined.is_none()
    }
}

impl Record for Connect {
    const TABLE: Table = Table::Connects;
    const V: u16 = 1;

    fn key(&self) -> String {
        self.site.to_string()
    }

    fn open(&self) -> bool {
        self.is_undecided()
    }

    fn group(&self) -> Option<String> {
        self.is_undecided()
            .then(|| self.site.origin.last_labels().to_owned())
    }
}

/// What a call of a page waits for.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Awaits {
    /// Its work, in the worker's life that began it.
    Work,
    /// The end, or the next answer, of an intent.
    Intent(PreviewId),
    /// News of an intent, for at most this long. It asks for nothing.
    Look(PreviewId, Span),
    /// The decision of its site's ask to be connected.
    Connect,
    /// Room for its site's ask to be connected. There is none now, so nothing was asked of the
    /// person; the input that asks again, as JSON text.
    Room(String),
    /// Nothing: it was answered, and the answer waits to be acknowledged.
    Delivery,
}

/// A call of a page that is not done with: stored before its work begins, removed when its answer
/// is acknowledged or its document is gone.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct OpenCall {
    /// Who called.
    pub site: SiteKey,
    /// The browser's id of the document.
    pub document: String,
    /// The channel it came on.
    pub channel: String,
    /// The JSON-RPC id, as JSON text.
    pub id: String,
    /// SHA-256 of the request.
    pub request: ContentHash,
    /// The tool called.
    pub tool: String,
    /// Whether the request is of the modern era.
    pub modern: bool,
    /// The progress token, as JSON text, where the caller wants progress.
    pub progress: Option<String>,
    /// When it came, by the host's clock.
    pub came: Timestamp,
    /// When it is answered at the latest, by the host's clock.
    pub due: Timestamp,
    /// What it waits for.
    pub awaits: Awaits,
    /// The answer, once there is one: a whole JSON-RPC message.
    pub answer: Option<String>,
    /// The intent that the answer tells of, and what it says of that intent's end.
    pub tells: Option<(PreviewId, NamesEnd)>,
}

impl OpenCall {
    /// The key of a call: document, channel and id together.
    #[must_use]
    pub fn key_of(document: &str, channel: &str, id: &str) -> String {
        // A document id and a channel hold no space; an id may, so it stands last.
        format!("{document} {channel} {id}")
    }

    /// What the calls of a document are listed by.
    #[must_use]
    pub fn group_of(document: &str) -> String {
        document.to_owned()
    }
}

impl Record for OpenCall {
    const TABLE: Table = Table::Calls;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.document, &self.channel, &self.id)
    }

    fn open(&self) -> bool {
        self.answer.is_none()
    }

    fn group(&self) -> Option<String> {
        Some(Self::group_of(&self.document))
    }
}
