//! What sites were granted, what they ask for, and the calls of theirs that wait for an answer.

use crate::engine::record::Record;
use crate::ids::{AskId, ContentHash, NetworkId, PreviewId, Principal};
use crate::intent::NamesEnd;
use crate::policy::{Grant, SiteKey, ToolChoice};
use crate::ports::store::Table;
use crate::time::{Span, Timestamp};
use serde::{Deserialize, Serialize};

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
