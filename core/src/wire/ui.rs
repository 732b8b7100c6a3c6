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

mod screens;
mod settings;

pub use super::read::FrameError;
use super::read::Reader;
use crate::confirm::picture::Mark;
use crate::confirm::risk::Finding;
use crate::confirm::view::{Ask, Preset};
use crate::ids::{AskDigest, AskId, ContentHash, NetworkId, PreviewId};
use core::fmt;
pub use screens::{
    AccountCard, Action, Activity, ActivityRow, Adding, Advice, CanisterLine, Canisters, Dead,
    DeadWhy, Decided, Decision, Doing, FirstRun, Happened, HistoryLine, Home, IntentRecord, Known,
    Looked, NetworkCard, Networks, NextAsk, ReadFailure, SiteCanisters, Standing, State,
    TokenBalance, TokenLine, Unlock, Unsettled,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
pub use settings::{Language, Settings, Theme};

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
    /// The canisters of the connected sites.
    Canisters,
    /// How the pages look.
    Settings,
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
    /// Freeze: lock, decline every ask and close every site's access until the passphrase.
    Freeze,
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
    /// Add a canister to what a connected site has, by hand: the ask for it opens.
    AddCanister {
        /// The site, as [`SiteCanisters::key`] names it.
        site: String,
        /// The canister's id, as typed.
        canister: String,
    },
    /// Paste an interface for a canister of a connect ask. An empty text takes it back.
    PasteInterface {
        /// The ask.
        ask: AskId,
        /// The canister's id.
        canister: String,
        /// Candid, as pasted.
        text: String,
    },
    /// Paste a profile for a canister of a connect ask. An empty text takes it back.
    PasteProfile {
        /// The ask.
        ask: AskId,
        /// The canister's id.
        canister: String,
        /// The profile's JSON, as pasted.
        text: String,
    },
    /// Trust a profile of a connect ask, or no longer.
    TrustProfile {
        /// The ask.
        ask: AskId,
        /// The canister's id.
        canister: String,
        /// SHA-256 of the profile's text.
        profile: ContentHash,
        /// Whether it is trusted.
        trusted: bool,
    },
    /// Yes to a call.
    Approve {
        /// The ask.
        ask: AskId,
        /// The intent.
        preview: PreviewId,
        /// The digest.
        digest: AskDigest,
        /// The findings that the person acknowledged, as they were shown.
        acknowledged: Vec<Finding>,
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
    /// Show the pages in this language; `None` for the browser's.
    SetLanguage(Option<Language>),
    /// Show the pages light or dark.
    SetTheme(Theme),
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
    /// The pasted text is no interface, imports others, or is larger than we read.
    BadInterface,
    /// The pasted text is no profile, or is larger than we read.
    BadProfile,
    /// With what was given, values that the canister's tools need cannot be read: it was taken back.
    BadValues,
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
    /// How the page looks.
    pub settings: Settings,
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
    /// [`Place::Canisters`].
    Canisters(Canisters),
    /// [`Place::Settings`]: what is set stands in the view.
    Settings,
}

#[cfg(test)]
mod tests;
