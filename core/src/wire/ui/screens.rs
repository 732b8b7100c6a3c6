//! What each screen of a window holds: data, made by the worker, drawn by the page.

use crate::confirm::site::SiteName;
use crate::confirm::view::{
    AccountLabel, Amount, Call, Effect, KnownLedger, Lost, NetworkLabel, ProfileFrom,
};
use crate::ids::{NetworkId, PreviewId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The wallet is to be made.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct FirstRun {
    /// The network of the first account.
    pub network: NetworkLabel,
    /// Fewest characters that a passphrase may have.
    pub shortest: u32,
}

/// The wallet is locked.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Unlock {
    /// The connected site whose ask brought this up.
    pub asked_by: Option<SiteName>,
    /// How many calls are on their way; they go on while the wallet is locked.
    pub in_flight: u32,
    /// Since when the wallet is frozen, if it is (host's clock).
    pub frozen: Option<Timestamp>,
}

/// Home.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Home {
    /// The accounts.
    pub accounts: Vec<AccountCard>,
    /// Calls that may have executed and have no answer, oldest first.
    pub unsettled: Vec<Unsettled>,
    /// How many calls that have not ended are stored in a form that cannot be read. Nothing is done
    /// with them, and an equal wish is refused.
    pub damaged: usize,
    /// The latest of the activity, newest first.
    pub latest: Vec<ActivityRow>,
    /// Whether there is more activity than that.
    pub more: bool,
}

/// An account.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct AccountCard {
    /// The account; its `address` is where it receives.
    pub account: AccountLabel,
    /// Its principal, whole.
    pub principal: String,
    /// Its balances on the ledgers of its grants.
    pub tokens: Vec<TokenLine>,
    /// The sites that have it.
    pub sites: Vec<SiteName>,
}

/// A balance on one ledger.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct TokenLine {
    /// The ledger's canister id.
    pub ledger: String,
    /// Its certified symbol, where fit to be shown.
    pub symbol: Option<String>,
    /// What is known of the balance.
    pub balance: TokenBalance,
}

/// What is known of a balance.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenBalance {
    /// It is being read.
    Reading,
    /// It could not be read.
    Unreadable,
    /// The canister certified it.
    Read(Amount),
}

/// A call that may have executed and has no answer.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Unsettled {
    /// The call, in a line.
    pub row: ActivityRow,
    /// Where it stands.
    pub standing: Standing,
}

/// Activity.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Activity {
    /// Newest first.
    pub rows: Vec<ActivityRow>,
    /// Whether there is older activity than the last row.
    pub more: bool,
}

/// A call in a line.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ActivityRow {
    /// The intent.
    pub preview: PreviewId,
    /// What it does, in the words of its pack.
    pub title: String,
    /// The kind of its effect.
    pub effect: Effect,
    /// How much.
    pub amount: Option<Amount>,
    /// Whom it concerns, whole.
    pub party: Option<String>,
    /// Who asked.
    pub site: SiteName,
    /// When it last changed (host's clock).
    pub at: Timestamp,
    /// Where it stands.
    pub state: State,
    /// The block it stands in, as text.
    pub block: Option<String>,
}

/// Where a call stands, in a word.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Prepared; the site has not asked to send it.
    Prepared,
    /// Waits for the person.
    Asked,
    /// The yes is being carried out.
    Sending,
    /// Done, by a certified answer.
    Done,
    /// Was done before; nothing was sent again.
    AlreadyDone,
    /// Sent; no answer yet.
    NoAnswer,
    /// May have executed; nothing proves either.
    Unclear,
    /// The person said no; nothing was sent.
    Declined,
    /// Its time ran out; nothing was sent.
    Expired,
    /// Not executed, by proof.
    NotExecuted,
    /// The canister refused it; nothing moved.
    Refused,
    /// Another call took its place; nothing was sent, or it is proved not to have run.
    Superseded,
    /// The person settled it: it happened.
    SettledDone,
    /// The person settled it: it did not happen.
    SettledNot,
    /// The person settled it by hand: it may be asked again, whatever happened.
    SettledAgain,
}

/// Where an unsettled call stands: what is known, what the wallet does, what the person does.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Standing {
    /// What is known.
    pub known: Known,
    /// What the wallet does.
    pub doing: Doing,
    /// What the person does.
    pub advice: Advice,
}

/// What is known of an unsettled call.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Known {
    /// Sent at this time; the network has not answered.
    SentNoAnswer(Timestamp),
    /// The network has it and is working on it.
    Accepted(Timestamp),
    /// Sent at this time; the answer is no longer kept by the network.
    AnswerGone(Timestamp),
    /// The canister failed while it ran; part of it may stand.
    Trapped(Timestamp),
    /// Sent then; rejected by certificate, which does not tell whether it ran.
    Rejected(Timestamp),
    /// The answer cannot be read by the interface it was prepared with.
    UnreadableAnswer(Timestamp),
    /// This journal was restored or copied: what it says may be older than what happened.
    Restored,
}

/// What the wallet does about it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doing {
    /// Sends the same message again and asks for its answer.
    Asking,
    /// Asks for its answer until this time, after which the message can no longer run.
    AskingUntil(Timestamp),
    /// Looks for it in the ledger's blocks.
    ReadingLedger,
    /// Looks in the ledger's blocks again at this time.
    ReadingLedgerAt(Timestamp),
    /// Nothing more: nothing it can read would settle it.
    Nothing,
}

/// What the person does about it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Advice {
    /// Nothing; above all, not pay it another way.
    Wait,
    /// Nothing before this time; above all, not pay it another way.
    WaitUntil(Timestamp),
    /// Send it again: the ledger is known to drop repeats.
    SendAgain,
    /// Look at the other side, and say what happened.
    Settle,
}

/// A call with all that is kept of it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct IntentRecord {
    /// The call in a line.
    pub row: ActivityRow,
    /// The call.
    pub call: Call,
    /// What happens when the answer is lost.
    pub lost: Lost,
    /// Where it stands, while it may have executed and has no answer.
    pub standing: Option<Standing>,
    /// What happened, oldest first.
    pub history: Vec<HistoryLine>,
    /// The canister's answer, formatted; untrusted texts in it are escaped.
    pub answer: Option<String>,
    /// What the person can do now.
    pub actions: Vec<Action>,
}

/// Something that happened to a call.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct HistoryLine {
    /// When (host's clock).
    pub at: Timestamp,
    /// What.
    pub what: Happened,
    /// A request id, a block, a code: shown as it is.
    pub detail: Option<String>,
}

/// What happened to a call.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// The site prepared it.
    Prepared,
    /// The site asked to send it.
    Asked,
    /// The site asked to send it again.
    AskedAgain,
    /// The person said yes.
    Approved,
    /// The person said no.
    Declined,
    /// The yes was not carried out in time and no longer counts.
    Lapsed,
    /// Its envelope was signed and stored.
    Signed,
    /// Its envelope was handed to the network.
    HandedOver,
    /// A certified answer came.
    Answered,
    /// A certified proof that an envelope never ran.
    NeverRan,
    /// The network's answer proved nothing.
    Unclear,
    /// The ledger's blocks were looked at, and settled nothing.
    Looked(Looked),
    /// Found in the ledger's blocks.
    Found,
    /// Proved to be absent from the ledger's blocks.
    Absent,
    /// The site was told how it ended.
    Told,
    /// Its time ran out.
    Expired,
    /// Another call took its place.
    Superseded,
    /// The person settled it by hand.
    Settled,
}

/// Why a look at a ledger's blocks settled nothing.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Looked {
    /// It is not there, and may still come.
    NotYet,
    /// No rule says how to find it there.
    NoRule,
    /// No blocks came, or none that are certified.
    NoAnswer,
    /// Those that came do not join to the certified end.
    Broken,
    /// They are not those that stood when it was sent.
    Rewritten,
    /// It is not there, and nobody knows how long the ledger may still take it.
    WindowUnknown,
    /// More came since than are read at once.
    TooMany,
    /// One may be it, written in another way.
    Ambiguous,
}

/// What a person can do with a call outside an ask.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Ask me again, in the confirm window, to send the same bytes.
    SendAgain,
    /// Settle: it happened.
    ItHappened,
    /// Settle: it did not. Only past every expiry.
    ItDidNot,
    /// Let it be asked again, though it may happen twice.
    MayHappenTwice,
}

/// The ask in this window was decided here.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Decided {
    /// The decision.
    pub decision: Decision,
    /// The call, and how it goes on.
    pub row: Option<ActivityRow>,
    /// What comes next in this window.
    pub next: Option<NextAsk>,
}

/// A decision.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Yes to a call.
    Approved,
    /// Yes to a connect ask.
    Connected,
    /// No.
    Declined,
    /// No to sending again, while an earlier attempt may have executed.
    DeclinedResend,
    /// Not now.
    Later,
}

/// The ask in this window ended without a decision here.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Dead {
    /// Why.
    pub why: DeadWhy,
    /// Who had asked.
    pub site: Option<SiteName>,
    /// What was asked, in a line.
    pub row: Option<ActivityRow>,
    /// What comes next in this window.
    pub next: Option<NextAsk>,
}

/// Why an ask ended.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeadWhy {
    /// Its deadline passed.
    Expired,
    /// The site withdrew it.
    Withdrawn,
    /// It was decided in another window.
    Elsewhere,
    /// The canister's interface or code is no longer what it was prepared with.
    CanisterChanged,
    /// The call was settled without it.
    Settled,
    /// The worker knows no such ask.
    Unknown,
}

/// The ask that comes next, after a step of its own.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct NextAsk {
    /// Who asks.
    pub site: SiteName,
    /// How many wait, this one included.
    pub waiting: u32,
}

/// The networks.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Networks {
    /// Mainnet first, then in the order they were added.
    pub networks: Vec<NetworkCard>,
    /// The network that is being added.
    pub adding: Option<Adding>,
}

/// A network.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct NetworkCard {
    /// The network.
    pub network: NetworkLabel,
    /// Where it is reached.
    pub urls: Vec<String>,
    /// The accounts on it.
    pub accounts: Vec<AccountLabel>,
    /// The ledgers known to drop repeats, by canister id. Mainnet's are compiled in.
    pub deduplicating: Vec<String>,
}

/// A network on its way in.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Adding {
    /// Its root key is being read.
    Reading {
        /// The URL.
        url: String,
    },
    /// Its root key was read and waits for the person to accept it.
    Read {
        /// The URL.
        url: String,
        /// SHA-256 of its root key.
        id: NetworkId,
        /// A name to begin with.
        name: String,
        /// The network of the same root key that is known already: the URL would be one more of
        /// its endpoints.
        known: Option<NetworkLabel>,
    },
    /// Its root key could not be read.
    Failed {
        /// The URL.
        url: String,
        /// Why.
        why: ReadFailure,
    },
}

/// Why a network's root key could not be read.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadFailure {
    /// Nothing answered.
    NoAnswer,
    /// What answered does not speak the Internet Computer's interface.
    NotANetwork,
    /// Its root key is none.
    BadRootKey,
    /// It certified nothing that verifies under its own root key.
    NotCertified,
}

/// The canisters of the connected sites.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Canisters {
    /// The connected sites, by name.
    pub sites: Vec<SiteCanisters>,
}

/// What a connected site has.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct SiteCanisters {
    /// Names the site in commands.
    pub key: String,
    /// The site.
    pub site: SiteName,
    /// The account it has.
    pub account: AccountLabel,
    /// Its canisters, in the order they were accepted.
    pub canisters: Vec<CanisterLine>,
}

/// A canister that a site has.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct CanisterLine {
    /// Its id, whole.
    pub id: String,
    /// Its certified symbol, where fit to be shown.
    pub symbol: Option<String>,
    /// The known ledger that it could be taken for, and is not.
    pub looks_like: Option<KnownLedger>,
    /// How many tools it gives the site.
    pub tools: u32,
    /// Whether its interface was pasted.
    pub pasted: bool,
    /// The profiles that apply, with who gave them; a trusted one is the person's.
    pub profiles: Vec<ProfileFrom>,
    /// Whether it changed since it was accepted: it gives no tools until the person has seen it.
    pub withheld: bool,
}
