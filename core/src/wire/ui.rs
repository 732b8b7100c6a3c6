//! The port `ui` between one window of the wallet and the worker.
//!
//! A window says hello with the one-time token of its URL fragment and the place it wants to see.
//! The worker answers with whole views, one after the other, never with a part of one: the newest
//! view is all that a window knows. A window's commands are numbered; each view says up to which
//! number the worker has dealt with them, and why the last one failed. After the worker's death the
//! window connects anew, says hello with the same token and place, and sends no command again.
//!
//! The token belongs to the first document that says it: the same document may say it again, any
//! other is refused.

pub use super::read::FrameError;
use super::read::Reader;
use crate::confirm::picture::Mark;
use crate::confirm::site::SiteName;
use crate::confirm::view::{AccountLabel, Amount, Ask, Call, Effect, Lost, NetworkLabel, Preset};
use crate::ids::{AskDigest, AskId, ContentHash, NetworkId, PreviewId};
use crate::time::Timestamp;
use core::fmt;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of this module's messages. Window and worker are of one build, so any difference is
/// an update that the window has not followed: it must be closed.
pub const VERSION: u32 = 1;

/// The port's name.
pub const PORT: &str = "ui";

/// Writes a frame as the string that goes over the port.
#[must_use]
pub fn to_json<T: Serialize>(frame: &T) -> String {
    serde_json::to_string(frame).expect("frames hold only what JSON can: text keys, no floats")
}

/// Reads a frame from the string that came over the port.
///
/// # Errors
///
/// Anything but a frame of exactly this version.
pub fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, FrameError> {
    let mut reader = Reader::new(text);
    let frame = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(frame)
}

/// From a window to the worker.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ToWorker {
    /// The first frame on a port.
    Hello {
        /// [`VERSION`].
        v: u32,
        /// The token of the window's URL fragment.
        token: String,
        /// What the window wants to see.
        place: Place,
    },
    /// A command.
    Do {
        /// Rises by one with each command of the window, from 1, over all its ports.
        n: u64,
        /// The number of the view that the window showed: a press counts for what it was made on.
        seq: u64,
        /// The command.
        command: Command,
    },
}

/// From the worker to a window.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ToWindow {
    /// The whole view. It stands until the next one.
    View {
        /// Rises with each view on this port, from 1.
        seq: u64,
        /// The number of the last command dealt with on this port; 0 before the first.
        handled: u64,
        /// Why the command `handled` did nothing.
        failure: Option<Failure>,
        /// The view.
        view: Box<View>,
    },
    /// The window is not served. Nothing follows.
    Refused(Refused),
}

/// Why a window is not served.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// The token is none that the worker gave, or belongs to another document.
    Token,
    /// The window is of another version than the worker.
    Version,
    /// The stored data is of a newer version than this worker knows.
    NewerData,
    /// The stored data cannot be opened.
    NoStore,
}

/// What a window wants to see. While the wallet is locked or not made yet, every place shows that
/// instead.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Accounts, what has no answer, the latest of the activity.
    Home,
    /// The networks.
    Networks,
    /// Everything that was asked, newest first.
    Activity,
    /// One call.
    Intent(PreviewId),
    /// What waits for a decision. The place of the confirm window.
    Asks,
}

/// What a person does.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Go to a place.
    Show(Place),
    /// Draw another mark (first run only).
    DrawMark,
    /// Make the wallet.
    Create {
        /// The passphrase.
        passphrase: Passphrase,
        /// The mark that the page shows: a worker that died since has proposed another.
        mark: Mark,
    },
    /// Unlock.
    Unlock {
        /// The passphrase.
        passphrase: Passphrase,
    },
    /// Lock.
    Lock,
    /// Open the confirm window, or bring it to the front.
    OpenAsks,
    /// Read the root key of the network at this URL, to show it.
    ReadNetwork {
        /// As typed.
        url: String,
    },
    /// Forget what was read.
    ForgetReading,
    /// Add the network that was read, and an account on it.
    AddNetwork {
        /// The network as it was shown.
        network: NetworkId,
        /// The name the person gave.
        name: String,
    },
    /// Say of a ledger on an added network that it is known to drop repeats.
    AddDeduplicating {
        /// The network.
        network: NetworkId,
        /// The ledger, as typed.
        ledger: String,
    },
    /// Take that back.
    RemoveDeduplicating {
        /// The network.
        network: NetworkId,
        /// The ledger.
        ledger: String,
    },
    /// Show a connect ask for another account or preset.
    Choose {
        /// The ask.
        ask: AskId,
        /// `id` of the account.
        account: String,
        /// The preset.
        preset: Preset,
    },
    /// Yes to a call.
    Approve {
        /// The ask.
        ask: AskId,
        /// The intent.
        preview: PreviewId,
        /// The digest.
        digest: AskDigest,
    },
    /// Yes to a connect ask.
    Connect {
        /// The ask.
        ask: AskId,
        /// Hash of what was shown.
        shown: ContentHash,
    },
    /// No.
    Decline {
        /// The ask.
        ask: AskId,
    },
    /// Not now: the ask stays in the queue, and the next one comes.
    Later {
        /// The ask.
        ask: AskId,
    },
    /// Show the next ask, after a decision.
    Next,
    /// Do something with a call outside an ask.
    Act {
        /// The intent.
        preview: PreviewId,
        /// What.
        action: Action,
    },
}

/// A passphrase on its way to the worker. It is never printed.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Passphrase(String);

impl Passphrase {
    /// Takes a passphrase as typed.
    #[must_use]
    pub const fn new(typed: String) -> Self {
        Self(typed)
    }

    /// The passphrase. Whoever takes it wipes it.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(…)")
    }
}

/// Why a command did nothing.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// The passphrase does not open this wallet.
    WrongPassphrase,
    /// The passphrase is shorter than the wallet takes.
    ShortPassphrase,
    /// A wallet exists already.
    WalletExists,
    /// The journal is gone, but a copy of an earlier wallet is there: nothing was made.
    EarlierWallet,
    /// The wallet is locked.
    Locked,
    /// The text is no URL that can be used: `https:`, or `http:` on this computer.
    BadUrl,
    /// The name is empty, too long, or taken.
    BadName,
    /// The text is no canister id.
    BadCanister,
    /// The ask is gone, or was decided in another window.
    AskGone,
    /// What was decided is not what the ask is now: look again.
    AskChanged,
    /// The deadline of the ask has passed.
    AskExpired,
    /// The network gave no certified time; nothing was signed.
    NoCertifiedTime,
    /// What was to be done is not possible as things stand now.
    NotNow,
    /// The browser did not store it; nothing was done.
    NotStored,
    /// Something else, with its code.
    Other(String),
}

/// All that a window shows.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct View {
    /// The person's mark. On first run, the one proposed.
    pub mark: Mark,
    /// How many asks wait for a decision.
    pub waiting: u32,
    /// By how much the host's clock differs from certified time, where that is over two minutes:
    /// seconds, positive where it is ahead.
    pub clock_off_s: Option<i64>,
    /// The screen.
    pub screen: Screen,
}

/// What a window shows.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Screen {
    /// No wallet yet.
    FirstRun(FirstRun),
    /// Locked.
    Unlock(Unlock),
    /// [`Place::Home`].
    Home(Home),
    /// [`Place::Networks`].
    Networks(Networks),
    /// [`Place::Activity`].
    Activity(Activity),
    /// [`Place::Intent`].
    Intent(Box<IntentRecord>),
    /// [`Place::Intent`] of an id that names nothing.
    NoIntent,
    /// [`Place::Asks`]: an ask.
    Ask(Box<Ask>),
    /// [`Place::Asks`]: the ask in this window was decided.
    Decided(Decided),
    /// [`Place::Asks`]: the ask in this window ended without a decision here.
    Dead(Dead),
    /// [`Place::Asks`]: nothing waits.
    NoAsk,
}

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
}

/// Home.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Home {
    /// The accounts.
    pub accounts: Vec<AccountCard>,
    /// Calls that may have executed and have no answer, oldest first.
    pub unsettled: Vec<Unsettled>,
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

#[cfg(test)]
mod tests;
