//! The vocabulary: what can be said of a method and of a position.

use core::fmt;
use serde::{Deserialize, Serialize};

use super::relpath::RelPath;
use crate::ids::ContentHash;
use crate::time::Span;

/// A tag with where it comes from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Tagged<T> {
    /// What is said.
    pub tag: T,
    /// Who says it.
    pub from: Provenance,
}

/// Where a tag comes from.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Provenance {
    /// Whose document it is.
    pub source: Source,
    /// The document's name, such as `icrc-1`.
    pub document: String,
}

/// Whose word a document is, in the order in which documents are merged.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Compiled in.
    Pack,
    /// Certified by the canister about itself. It can only narrow.
    Canister,
    /// Given by a site. It can only narrow.
    Site,
    /// Given or trusted by the person.
    Person,
}

impl Source {
    /// Whether what a document says is taken whole.
    #[must_use]
    pub const fn is_trusted(self) -> bool {
        match self {
            Self::Pack | Self::Person => true,
            Self::Canister | Self::Site => false,
        }
    }
}

/// A profile that applies to a canister, by its text.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Applied {
    /// Whose word it is.
    pub source: Source,
    /// SHA-256 of its text.
    pub text: ContentHash,
}

/// What a reply means for the intent that asked for it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The call did what was asked.
    Success,
    /// An identical call did it before.
    AlreadyDone,
    /// It did not; sending the same bytes again may do it.
    RetrySame,
    /// It did not; a new stamp may do it.
    RetryNew,
    /// It did not; the input has to change.
    FixInput,
    /// It did not, and nothing here helps.
    Fail,
}

/// What a method does, in one word of the vocabulary: `read`, `transfer`, `approve`, …
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct EffectKind(String);

/// What calling a method does.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// The kind.
    pub kind: EffectKind,
    /// Whether it cannot be undone by the same hand.
    pub irreversible: bool,
    /// Whether a read is sent as an update call, so that its answer is certified.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub replicated: bool,
    /// What is given, and to whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<Grant>,
}

/// The positions of what is given, and to whom, as the document writes them.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// Who receives.
    pub to: String,
    /// How much.
    pub amount: String,
}

/// How a canister tells a repeated call from a new one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Idempotency {
    /// The position that carries the stamp.
    pub stamp: RelPath,
    /// How long a stamp is remembered, and how old it may be.
    pub window: Span,
    /// How far the canister's clock may be off.
    pub drift: Span,
    /// The position in the reply that caps a new stamp, such as
    /// `(0).Err.CreatedInFuture.ledger_time`.
    pub cap: Option<RelPath>,
}

/// Classes of a method's replies.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Outcome {
    /// Class by the reply's case, in the document's order.
    pub classes: Vec<(RelPath, Class)>,
    /// The class of every other reply. Without it they are [`Class::Fail`].
    pub default: Option<Class>,
}

/// How an unknown outcome can be settled from the canister's own history.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reconcile {
    /// By the block log (ICRC-3, archives, and the older log where there is no ICRC-3).
    Icrc3Blocks,
}

/// Where a set of names is read: names that stand for values, such as those of a person's accounts.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NameList {
    /// The position of the list in the reply: a `vec`.
    pub list: RelPath,
    /// The position of an entry's value, below the list.
    pub value: RelPath,
    /// The position of an entry's name, below the list: a `text`.
    pub label: RelPath,
}

/// A set of names.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum NameSet {
    /// The canister lists it in the reply of a query without arguments.
    Query {
        /// The query.
        method: String,
        /// Where its reply has the names.
        list: NameList,
    },
    /// The person's own address book.
    Wallet,
}

/// A parameter of a value: written down, or the certified reply of a query of the same canister.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Param<T> {
    /// The value itself.
    Literal(T),
    /// The reply of the method with this name, called without arguments.
    Query(String),
}

/// A unit of time in which a position counts.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeUnit {
    /// 10⁻⁹ s.
    Nanoseconds,
    /// 10⁻⁶ s.
    Microseconds,
    /// 10⁻³ s.
    Milliseconds,
    /// 1 s.
    Seconds,
}

/// What the value at a position is, for the formatter that reads and shows it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ValueTag {
    /// An integer that counts base units of a token.
    Amount {
        /// Digits after the point.
        decimals: Param<u8>,
        /// The token's symbol; an empty literal for none.
        symbol: Param<String>,
    },
    /// An ICRC-1 account: `record { owner : principal; subaccount : opt blob }`, or its text form.
    Account,
    /// An account identifier of the ICP ledger: a blob of 32 bytes, `record { hash : blob }` of one,
    /// or its text form.
    AccountId,
    /// A principal.
    Principal,
    /// A subaccount: a blob of 32 bytes.
    Subaccount,
    /// Bytes that people write as text: a memo.
    Memo,
    /// Bytes.
    Blob,
    /// An integer that counts units since 1970-01-01T00:00:00 UTC.
    Timestamp {
        /// The unit.
        unit: TimeUnit,
    },
    /// An integer that counts units of time.
    Duration {
        /// The unit.
        unit: TimeUnit,
    },
}

/// Bounds of a text.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TextTag {
    /// The most code points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_len: Option<u32>,
    /// A pattern that occurs in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// A known form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
}

/// A known form of text.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// An `http` or `https` URL.
    Url,
    /// An e-mail address.
    Email,
}

/// Inclusive bounds: of an integer, of a text's or blob's length, as decimal digits.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RangeTag {
    /// The least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// The most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
}

/// What fills a position that nobody is asked for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Auto {
    /// Left empty: `null`.
    Empty,
}

/// What is said of a position. Each tag has its provenance.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Tags {
    /// What the position is, in words.
    pub describe: Option<Box<Tagged<String>>>,
    /// What its value is.
    pub value: Option<Box<Tagged<ValueTag>>>,
    /// Bounds of a text.
    pub text: Option<Box<Tagged<TextTag>>>,
    /// Bounds of a number or a length.
    pub range: Option<Box<Tagged<RangeTag>>>,
    /// What fills it.
    pub auto: Option<Box<Tagged<Auto>>>,
    /// Whether it is kept from people and models, and left empty.
    pub hidden: Option<Box<Tagged<bool>>>,
    /// Whether it names who pays: it must be an account that the site was granted.
    pub payer: Option<Box<Tagged<bool>>>,
    /// The set of which a name may be given in place of a value.
    pub named: Option<Box<Tagged<String>>>,
    /// What canisters and sites call the position. Quotes for people: no model reads them, and
    /// nothing follows from them.
    pub quoted: Vec<Tagged<String>>,
}

impl EffectKind {
    /// The kind of a read.
    pub const READ: &'static str = "read";

    /// Takes a kind: 1 to 32 lower-case letters, digits and `_`, a letter first. `None` for others.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let fits = text.len() <= 32
            && text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.chars().all(letters);
        fits.then(|| Self(text.to_owned()))
    }

    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.0 == Self::READ
    }
}

impl fmt::Display for EffectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for EffectKind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| {
            serde::de::Error::custom("an effect kind is 1 to 32 of `a-z`, `0-9` and `_`")
        })
    }
}

impl Class {
    /// The word of the vocabulary.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::AlreadyDone => "already_done",
            Self::RetrySame => "retry_same",
            Self::RetryNew => "retry_new",
            Self::FixInput => "fix_input",
            Self::Fail => "fail",
        }
    }
}

impl TimeUnit {
    /// Nanoseconds in one unit.
    #[must_use]
    pub const fn nanos(self) -> u64 {
        match self {
            Self::Nanoseconds => 1,
            Self::Microseconds => 1_000,
            Self::Milliseconds => 1_000_000,
            Self::Seconds => 1_000_000_000,
        }
    }
}

impl ValueTag {
    /// The word of the vocabulary.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Amount { .. } => "amount",
            Self::Account => "account",
            Self::AccountId => "account_id",
            Self::Principal => "principal",
            Self::Subaccount => "subaccount",
            Self::Memo => "memo",
            Self::Blob => "blob",
            Self::Timestamp { .. } => "timestamp",
            Self::Duration { .. } => "duration",
        }
    }
}

impl Tags {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether anything is said of the position by documents of this source.
    #[must_use]
    pub fn is_said(&self, source: Source) -> bool {
        fn by<T>(tagged: Option<&Tagged<T>>, source: Source) -> bool {
            tagged.is_some_and(|tagged| tagged.from.source == source)
        }
        let Self {
            describe,
            value,
            text,
            range,
            auto,
            hidden,
            payer,
            named,
            quoted,
        } = self;
        by(describe.as_deref(), source)
            || by(value.as_deref(), source)
            || by(text.as_deref(), source)
            || by(range.as_deref(), source)
            || by(auto.as_deref(), source)
            || by(hidden.as_deref(), source)
            || by(payer.as_deref(), source)
            || by(named.as_deref(), source)
            || quoted.iter().any(|tagged| tagged.from.source == source)
    }

    /// The value tag.
    #[must_use]
    pub fn value(&self) -> Option<&ValueTag> {
        self.value.as_ref().map(|tagged| &tagged.tag)
    }

    /// The description.
    #[must_use]
    pub fn describe(&self) -> Option<&str> {
        self.describe.as_ref().map(|tagged| tagged.tag.as_str())
    }

    /// The set of which a name may stand for the value.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        self.named.as_ref().map(|tagged| tagged.tag.as_str())
    }

    /// Whether the position is hidden.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.hidden.as_ref().is_some_and(|tagged| tagged.tag)
    }

    /// Whether the position names who pays.
    #[must_use]
    pub fn is_payer(&self) -> bool {
        self.payer.as_ref().is_some_and(|tagged| tagged.tag)
    }
}
