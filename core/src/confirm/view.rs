//! What the confirm window shows: plain data, ready to be shown as it is.
//!
//! The worker makes these from stored bytes; the window lays them out and words them. Texts are
//! escaped before they are put here and are never markup. Amounts are decimal text. Every sentence
//! is an enum that the pages put into the person's language. Times are certified unless a field
//! says that the host's clock is meant.

mod connect;

use super::consent::ConsentView;
use super::digest::RetryClass;
use super::risk::Finding;
use super::site::SiteName;
use crate::ids::{AskDigest, AskId, ContentHash, NetworkId, PreviewId};
use crate::time::Timestamp;
pub use connect::{
    AccountChoice, CanisterFacts, CanisterState, ConnectAsk, ConnectBlock, ConnectCanister,
    LabelHash, Pasted, Preset, ProfileChange, ProfileQuote, ProfileView, SkippedMethod, ToolKind,
    ToolLine, Unreadable,
};
use serde::{Deserialize, Serialize};

/// A network as a person knows it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct NetworkLabel {
    /// SHA-256 of its root key, by which it is known.
    pub id: NetworkId,
    /// The name the person gave, or ours for mainnet.
    pub name: String,
    /// Whether it is mainnet, whose root key is compiled in.
    pub mainnet: bool,
}

/// An account of the person's. It belongs to one network.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct AccountLabel {
    /// Names the account in commands.
    pub id: String,
    /// The name the person gave.
    pub name: String,
    /// ICRC-1 text form, whole.
    pub address: String,
    /// The network it belongs to.
    pub network: NetworkLabel,
}

/// Who asks.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Asker {
    /// The origin that asks.
    pub site: SiteName,
    /// When the person connected the site (host's clock). `None`: not connected.
    pub connected: Option<Timestamp>,
    /// How many calls of the site have been carried out.
    pub done: u32,
    /// What the site says about this ask, in its own words.
    pub why: Option<String>,
}

/// An ask's place among those that wait.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct QueuePlace {
    /// Which one this is, from 1.
    pub nth: u32,
    /// How many wait in all.
    pub of: u32,
}

/// One ask, as the window shows it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Ask {
    /// The ask: every decision names it.
    pub id: AskId,
    /// Its place in the queue.
    pub place: QueuePlace,
    /// Who asks.
    pub asker: Asker,
    /// Something that happened to this ask and has to be said first.
    pub notice: Option<Notice>,
    /// What is asked.
    pub what: Asked,
}

/// What is asked.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// To make one call.
    Call(Box<CallAsk>),
    /// To let a site use an account and tools.
    Connect(Box<ConnectAsk>),
}

/// Something that happened to an open ask.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The person had said yes; it was not sent in time, and the yes no longer counts.
    Lapsed(Lapse),
    /// The person had said yes; what was read again at that moment differs from what was shown.
    Changed(Vec<Change>),
    /// The yes is being carried out: it cannot be given again.
    Working,
}

/// Why a yes no longer counts. Nothing was sent on it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lapse {
    /// It was not handed over within two minutes.
    Late,
    /// The wallet was locked.
    Locked,
    /// The journal is not this installation's.
    Restored,
    /// The network gave no certified time.
    NoTime,
}

/// What differs from what was shown, with both values as text; `None` where it could not be read.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Change {
    /// What.
    pub what: Changed,
    /// As it was shown.
    pub before: Option<String>,
    /// As it is.
    pub now: Option<String>,
}

/// What can differ between the preview and the yes.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    /// The ledger's fee.
    Fee,
    /// The ledger's decimals.
    Decimals,
    /// The sender's balance.
    Balance,
    /// The code that the canister runs.
    Module,
}

/// A call to be made, decoded from the bytes that will be signed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct CallAsk {
    /// The intent: the yes names it.
    pub preview: PreviewId,
    /// The digest: the yes names it.
    pub digest: AskDigest,
    /// Set where an earlier envelope of this intent may have executed.
    pub resend: Option<Resend>,
    /// What a person should know before a yes, the loudest first.
    pub findings: Vec<Finding>,
    /// What differs from the last approved call of the same site, method and payee.
    pub last: Option<LastTime>,
    /// The call.
    pub call: Call,
    /// What the canister says of it, and whether that is what `call` says; `None` where it does not
    /// offer to, or was not asked yet. Nothing waits for it.
    pub consent: Option<ConsentView>,
    /// What happens when the answer is lost.
    pub lost: Lost,
    /// Until when the ask can be decided.
    pub deadline: Timestamp,
}

impl CallAsk {
    /// The findings that must be acknowledged before a yes counts.
    #[must_use]
    pub fn to_acknowledge(&self) -> Vec<Finding> {
        let findings = self.findings.iter();
        findings
            .filter(|finding| finding.must_be_acknowledged())
            .cloned()
            .collect()
    }
}

/// The last approved call of the same site, method and payee.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct LastTime {
    /// When it was approved (certified time).
    pub at: Timestamp,
    /// Which arguments are others now. The stamp, which always is, is left out.
    pub differs: Vec<LastValue>,
}

/// An argument that is another than the last time.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct LastValue {
    /// Its path, as in [`Argument::path`].
    pub path: String,
    /// What it was, formatted; `None` where it was empty.
    pub before: Option<String>,
}

/// A call, complete. Shown in the ask, and later in its record.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Call {
    /// What it does, in the words of its pack: `Send tokens`.
    pub title: String,
    /// What kind of effect it has.
    pub effect: Effect,
    /// Whether it cannot be undone.
    pub irreversible: bool,
    /// How much, where the profile says which position that is.
    pub amount: Option<Amount>,
    /// Whom it concerns, where the profile says which position that is.
    pub party: Option<Party>,
    /// Every argument in the interface's order, nested ones with their path.
    pub arguments: Vec<Argument>,
    /// Method name.
    pub method: String,
    /// The canister.
    pub canister: Canister,
    /// The exact argument bytes, lower-case hexadecimal.
    pub arg_hex: String,
    /// How many bytes that is, as text.
    pub arg_length: String,
    /// Who signs and pays.
    pub sender: AccountLabel,
    /// What is known of the sender's balance of the token.
    pub balance: Funds,
    /// The fee, where the call has one.
    pub fee: Option<Fee>,
    /// Amount and fee together, where both are of one token.
    pub total: Option<Amount>,
    /// Where the words and values of this view come from.
    pub provenance: Vec<Provenance>,
    /// What the canister's or the site's own profile says of this call: their words.
    pub quotes: Vec<Quote>,
}

/// Words of a canister or a site about a call, to be quoted as theirs.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Quote {
    /// Whose words.
    pub by: ProfileFrom,
    /// The path of the argument that they are about, as in [`Argument::path`]; `None` for the call
    /// as a whole.
    pub about: Option<String>,
    /// The words, cut and escaped.
    pub words: String,
}

/// Who gave a profile.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProfileFrom {
    /// The canister: its certified metadata.
    Canister,
    /// The site that asks.
    Site,
    /// The person, who pasted it.
    Person,
}

/// The kind of an effect; decides what the button says.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Tokens of the sender go to someone: `Pay 1.5 TKA`.
    Transfer,
    /// Someone may take tokens of the sender later: `Allow 1.5 TKA`.
    Allowance,
    /// Tokens of someone else go on by an allowance: `Move 1.5 TKA`.
    TransferFrom,
    /// Anything else: `Call icrc1_method`.
    Other,
}

/// A decimal number and its unit, exact.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Amount {
    /// Digits and at most one point: `1.5`.
    pub number: String,
    /// The symbol the canister certified, or its id where the symbol is not fit to be shown.
    pub unit: String,
}

/// Someone whom a call concerns.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Party {
    /// In which way.
    pub role: Role,
    /// The account or principal, whole.
    pub address: String,
    /// The account the tokens come from, where it is not the sender's.
    pub from: Option<String>,
}

/// In which way someone is concerned.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Gets the tokens.
    Payee,
    /// May take the tokens.
    Spender,
}

/// One argument.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Argument {
    /// Its path in the interface's own names: `to`, `permit.deadline`, `items[0].id`. Where the
    /// interface was pasted, each name has its hash: `to#25979`.
    pub path: String,
    /// Formatted as its kind says; `None` for an empty `opt`.
    pub text: Option<String>,
    /// Candid text, whole.
    pub raw: String,
    /// What the canister calls the value, escaped: its words, to be quoted.
    pub name: Option<String>,
    /// Who filled it.
    pub filled: Filled,
    /// What kind of text `text` is.
    pub kind: ValueKind,
}

/// Who filled an argument.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Filled {
    /// The site.
    Site,
    /// The wallet, as the profile says (a stamp).
    Wallet,
    /// Left empty; the canister sets it when it runs (a fee).
    Canister,
    /// Left empty.
    Nobody,
}

/// How a text is laid out.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// Groups between hyphens: an account or a principal.
    Address,
    /// Hexadecimal digits and other bytes.
    Bytes,
    /// Words of whoever wrote them, quoted.
    Quoted,
    /// Anything else.
    Plain,
}

/// A canister as it is called on the screen.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Canister {
    /// Its id.
    pub id: String,
    /// What it is called: its certified symbol, or its label in the grant.
    pub label: Option<String>,
    /// The known ledger that it could be taken for by its symbol, and is not.
    pub looks_like: Option<KnownLedger>,
}

/// What is known of the sender's balance.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Funds {
    /// Nobody looks: nothing is to be decided.
    Unasked,
    /// It is being read, with everything else that must be certified before a yes counts.
    Reading,
    /// It could not be read.
    Unreadable,
    /// It was read.
    Read(Balance),
}

/// A balance and what is left of it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Balance {
    /// Before the call.
    pub before: Amount,
    /// After the call, as far as it can be told; `None` where it does not change or cannot be
    /// told.
    pub after: Option<Amount>,
    /// Whether it does not cover amount and fee.
    pub short: bool,
    /// When it was certified.
    pub at: Timestamp,
}

/// A fee.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Fee {
    /// How much.
    pub amount: Amount,
    /// Whether the call leaves it empty, so that the ledger sets it when it runs.
    pub by_ledger: bool,
}

/// What happens when the answer is lost.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Lost {
    /// The class.
    pub class: RetryClass,
    /// Until when the ledger drops repeats; `None` without a stamp.
    pub until: Option<Timestamp>,
}

/// An earlier envelope may have executed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Resend {
    /// When the first one was handed over.
    pub first_sent: Timestamp,
    /// How many were handed over.
    pub sent: u32,
}

/// Where something in the view comes from.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Title and formats by a built-in pack, named.
    Pack(String),
    /// Title and formats by a profile that the person trusted, named.
    Person(String),
    /// No profile covers the method: values are shown by their type only.
    Untagged,
    /// The interface was certified by the canister at this time.
    CertifiedInterface(Timestamp),
    /// The person pasted the interface, since the canister certifies none.
    PastedInterface,
    /// Decimals, symbol and fee were certified by the canister at this time.
    CertifiedValues(Timestamp),
    /// SHA-256 of the canister's code.
    Module(ContentHash),
}

/// A ledger that the wallet knows.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct KnownLedger {
    /// Its symbol.
    pub symbol: String,
    /// Its canister id, whole.
    pub id: String,
}
