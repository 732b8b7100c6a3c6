//! What the window shows of an ask to be connected: accounts, canisters, profiles, tools.

use super::{AccountLabel, Amount, KnownLedger, ProfileFrom};
use crate::confirm::digest::RetryClass;
use crate::confirm::site::SiteName;
use crate::ids::ContentHash;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// A site asks for an account and tools.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ConnectAsk {
    /// Hash of what this view shows, made by the worker; the yes names it.
    pub shown: ContentHash,
    /// Whether the site has a grant already and asks for more.
    pub more: bool,
    /// Whether the person adds the canister by hand; the site did not ask.
    pub by_person: bool,
    /// The accounts that can be given.
    pub accounts: Vec<AccountChoice>,
    /// `id` of the account that the view is made for.
    pub account: String,
    /// The preset that the view is made for.
    pub preset: Preset,
    /// The canisters that are asked for, as read on the account's network.
    pub canisters: Vec<ConnectCanister>,
    /// The tools that the site would have, in the order it would be told.
    pub tools: Vec<ToolLine>,
    /// The methods that would give no tool.
    pub skipped: Vec<SkippedMethod>,
    /// Until when the ask can be decided (host's clock).
    pub deadline: Timestamp,
    /// Why it cannot be accepted now.
    pub blocked: Option<ConnectBlock>,
}

/// An account that can be given to a site.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct AccountChoice {
    /// The account.
    pub account: AccountLabel,
    /// Other sites that have it.
    pub used_by: Vec<SiteName>,
}

/// Which tools a site gets.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Reads only.
    Look,
    /// Balance, fee, transfer, and what it takes to carry one out.
    Payments,
    /// Every tool of the accepted canisters.
    All,
    /// The tools the site named.
    Named,
}

impl Preset {
    /// Those a person can choose. [`Preset::Named`] only where the site asked so.
    pub const CHOICES: [Self; 3] = [Self::Look, Self::Payments, Self::All];
}

/// A canister in a connect ask.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ConnectCanister {
    /// Its id.
    pub id: String,
    /// What is known of it.
    pub state: CanisterState,
}

/// What is known of a canister that is asked for.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CanisterState {
    /// Being read.
    Reading,
    /// Read, and every value certified.
    Read(Box<CanisterFacts>),
    /// Could not be read: it is left out.
    Unreadable(Unreadable),
}

/// What a canister certified about itself.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct CanisterFacts {
    /// Symbol, where it has one fit to be shown.
    pub symbol: Option<String>,
    /// The name it gives itself, quoted.
    pub name: Option<String>,
    /// Decimals, as text.
    pub decimals: Option<String>,
    /// Fee, formatted.
    pub fee: Option<Amount>,
    /// The standards whose packs apply: `ICRC-1`.
    pub standards: Vec<String>,
    /// Number of methods in its interface.
    pub methods: u32,
    /// Fingerprint of its interface.
    pub fingerprint: ContentHash,
    /// SHA-256 of its code.
    pub module: Option<ContentHash>,
    /// When it was certified.
    pub at: Timestamp,
    /// Whether the ledger is known to drop repeats on this network.
    pub retry: RetryClass,
    /// The known ledger that it could be taken for by its symbol, and is not.
    pub looks_like: Option<KnownLedger>,
    /// The interface that the person pasted.
    pub pasted: Pasted,
    /// Profiles that were given for it, in the order in which they are merged.
    pub profiles: Vec<ProfileView>,
}

/// What became of an interface that the person pasted.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pasted {
    /// None was pasted: the canister's certified one is used.
    None,
    /// The canister certifies none, so it is used. Its labels with their hashes: the bytes of a call
    /// hold only the hash, and another name can have the same.
    Used(Vec<LabelHash>),
    /// The canister certifies one, which means the same and is used.
    Same,
    /// The canister certifies another one, which is used: where they differ, escaped. The pasted
    /// one is refused.
    Differs(Vec<String>),
}

/// A label of a record or a variant, and what the bytes hold in its place.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct LabelHash {
    /// The label, escaped.
    pub label: String,
    /// Its 32-bit hash.
    pub hash: u32,
}

/// A profile that was given for a canister.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProfileView {
    /// SHA-256 of its text: commands name it.
    pub hash: ContentHash,
    /// What it calls itself, escaped; `None` where it cannot be read.
    pub name: Option<String>,
    /// Who gave it.
    pub from: ProfileFrom,
    /// Whether the person trusts it: all that it says is taken, save where a built-in pack speaks.
    pub trusted: bool,
    /// What it says that is left out unless it is trusted, each as the change that it would make.
    pub changes: Vec<ProfileChange>,
    /// What is wrong with it.
    pub problems: Vec<ProfileChange>,
    /// How many further changes and problems are not listed.
    pub further: u32,
    /// Its words, which are quoted in windows and told to no model unless it is trusted.
    pub quotes: Vec<ProfileQuote>,
}

/// Something that a profile says.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProfileChange {
    /// The method or the type, and the position in it, escaped; empty where it is about all of it.
    pub place: String,
    /// The change or the problem, in a sentence without its full stop. Escaped.
    pub what: String,
    /// Whether it is left out even where the profile is trusted.
    pub never: bool,
}

/// Words of a profile.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProfileQuote {
    /// The method, and the position in it, escaped.
    pub place: String,
    /// The words, cut and escaped.
    pub words: String,
}

/// Why a canister could not be read.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unreadable {
    /// No canister of this id on the account's network.
    NoCanister,
    /// It publishes no interface.
    NoInterface,
    /// Its interface cannot be read, or is larger than we read.
    BadInterface,
    /// The network did not answer.
    NoAnswer,
    /// The answer did not verify under the network's root key.
    NotCertified,
    /// Symbol or decimals are outside what we show.
    BadValues,
}

/// A tool that a site would have.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ToolLine {
    /// Its name, as the site is told.
    pub name: String,
    /// What it does, in the words of its pack; `None` for the wallet's own tools.
    pub title: Option<String>,
    /// What it can do.
    pub kind: ToolKind,
    /// The definition that a model reads, as JSON in lines; `None` for the wallet's own tools.
    pub definition: Option<String>,
}

/// What a tool can do.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Reads, without asking.
    Read,
    /// Prepares a call; nothing is sent.
    Prepare,
    /// Asks the person to send a prepared call.
    Commit,
    /// One of the wallet's own.
    Wallet,
}

/// A method that gives no tool.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct SkippedMethod {
    /// Its name in the interface.
    pub method: String,
    /// Why, in the words the site is told too.
    pub reason: String,
}

/// Why a connect ask cannot be accepted now.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectBlock {
    /// Canisters are still being read.
    Reading,
    /// None of the canisters asked for could be read.
    NothingRead,
}
