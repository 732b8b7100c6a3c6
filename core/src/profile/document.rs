//! The profile format: a JSON document that says what methods and positions mean.
//!
//! Packs and profiles, whoever gives them, are the same format and pass through the same code. A document is
//! read whole or refused; what it says of an interface is checked later, place by place.
//!
//! ```json
//! {
//!   "format": "candid-profile", "format_version": 0, "name": "icrc-1",
//!   "candid": ["service : { icrc1_fee : () -> (nat) query }"],
//!   "types": { "Account": { "value": { "kind": "account" } } },
//!   "methods": {
//!     "icrc1_fee": {
//!       "intent": "Fee of a transfer",
//!       "effect": { "kind": "read", "irreversible": false },
//!       "at": { "(0)": { "describe": "Fee" } }
//!     }
//!   }
//! }
//! ```
//!
//! `candid` (a text in lines) makes a document general: what it says of a method holds wherever an
//! interface has a method of that name that fits the one in the text. Without it the document is
//! about one interface, and a place that does not exist there is reported.

use core::fmt;
use core::marker::PhantomData;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use thiserror::Error;

use super::relpath::{RelPath, RelPathError, Root};
use super::tags::{
    Auto, Class, Effect, Idempotency, NameList, Outcome, Param, RangeTag, Reconcile, TextTag,
    TimeUnit, ValueTag,
};
use crate::interface::{Interface, InterfaceError};
use crate::text::escaped;
use crate::time::Span;

/// A profile document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its name, such as `icrc-1`.
    pub name: String,
    /// The methods that it speaks of, where it is general.
    pub candid: Option<Interface>,
    /// What is said of every position of a named type.
    pub types: Vec<(String, PositionTags)>,
    /// Sets of names that no method lists.
    pub names: Vec<(String, NameSource)>,
    /// What is said of methods.
    pub methods: Vec<(String, MethodTags)>,
}

/// What a document says of a method.
#[derive(Clone, Debug, Default)]
pub struct MethodTags {
    /// The title.
    pub intent: Option<String>,
    /// What it does.
    pub effect: Option<Effect>,
    /// How a repeated call is told from a new one.
    pub idempotency: Option<Idempotency>,
    /// What replies mean.
    pub outcome: Option<Outcome>,
    /// How an unknown outcome can be settled.
    pub reconcile: Option<Reconcile>,
    /// The sets of names that its reply lists.
    pub names: Vec<(String, NameList)>,
    /// What is said of calling it with one case of a variant in its arguments: each has a tool.
    pub cases: Vec<(RelPath, CaseTags)>,
    /// What is said of its positions.
    pub at: Vec<(RelPath, PositionTags)>,
}

/// What a document says of calling a method with one case of a variant. What it does not say is what
/// it says of the method.
#[derive(Clone, Debug, Default)]
pub struct CaseTags {
    /// The title.
    pub intent: Option<String>,
    /// What it does.
    pub effect: Option<Effect>,
    /// What replies mean.
    pub outcome: Option<Outcome>,
}

/// Where a set of names comes from that no method lists.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case", tag = "source", deny_unknown_fields)]
pub enum NameSource {
    /// The person's own address book.
    Wallet {},
}

/// What a document says of a position.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionTags {
    /// What it is, in words.
    pub describe: Option<String>,
    /// What its value is.
    pub value: Option<ValueTag>,
    /// Bounds of a text.
    pub text: Option<TextTag>,
    /// Bounds of a number or a length.
    pub range: Option<RangeTag>,
    /// What fills it.
    pub auto: Option<Auto>,
    /// How a person or a model meets it.
    pub ui: Option<Ui>,
    /// Whether it names who pays.
    pub payer: Option<bool>,
    /// The set of which a name may be given in place of a value.
    pub named: Option<String>,
}

/// How a person or a model meets a position.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ui {
    /// Whether it is kept from them.
    pub hidden: bool,
}

/// The longest name, in characters: it stands beside each tag.
const MAX_NAME: usize = 64;
/// The longest document, in bytes.
pub const MAX_DOCUMENT: usize = 64 * 1_024;
/// The most types, methods, places, cases, outcomes and sets of names together that a document says
/// something of: each may be looked for beside many others, and a person is shown each.
const MAX_SAID: usize = 500;
/// The most characters of what a reader of JSON says.
const MAX_MESSAGE: usize = 1_000;

/// Why a document is refused.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum DocumentError {
    /// No JSON, or not of this format.
    #[error("the profile cannot be read: {message}{}", shown(*at))]
    Format {
        /// What is the matter.
        message: String,
        /// The line and the column in bytes, each from 1, where the text is to blame.
        at: Option<(usize, usize)>,
    },
    /// Longer than [`MAX_DOCUMENT`], or over [`MAX_SAID`].
    #[error(
        "the profile is over {} KiB long, or says more than {MAX_SAID} things",
        MAX_DOCUMENT / 1_024
    )]
    TooLarge,
    /// Made for another kind of network.
    #[error("the profile is for another chain than the Internet Computer")]
    Chain,
    /// A place that is written wrong.
    #[error("the profile's place {0}")]
    Place(#[from] RelPathError),
    /// The interface in `candid` is refused.
    #[error("the profile's interface is refused: {0}")]
    Interface(#[from] InterfaceError),
}

fn shown(at: Option<(usize, usize)>) -> String {
    at.map_or_else(String::new, |(line, column)| {
        format!(" (line {line}, column {column})")
    })
}

impl DocumentError {
    /// What the reader of JSON says, with its place apart.
    fn of_json(error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        // It quotes what it found, at any length.
        let message = message.strip_suffix(&place).unwrap_or(&message);
        Self::Format {
            message: escaped(&message.chars().take(MAX_MESSAGE).collect::<String>()),
            at: (line > 0).then_some((line, column)),
        }
    }

    /// The same, where the text that was read is not the text that the author has.
    pub(super) fn without_place(self) -> Self {
        match self {
            Self::Format { message, at: _ } => Self::Format { message, at: None },
            Self::TooLarge | Self::Chain | Self::Place(_) | Self::Interface(_) => self,
        }
    }

    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Format { .. } | Self::Place(_) => "E_PROFILE_SYNTAX",
            Self::TooLarge => "E_PROFILE_LIMIT",
            Self::Chain => "E_PROFILE_CHAIN",
            Self::Interface(error) => error.code(),
        }
    }
}

impl Document {
    /// Reads a document.
    ///
    /// # Errors
    ///
    /// Text that is not a whole document of this format: unknown or repeated names are refused.
    pub fn parse(json: &str) -> Result<Self, DocumentError> {
        if json.len() > MAX_DOCUMENT {
            return Err(DocumentError::TooLarge);
        }
        let raw: RawDocument =
            serde_json::from_str(json).map_err(|error| DocumentError::of_json(&error))?;
        if raw.chain.is_some_and(|chain| chain != "icp") {
            return Err(DocumentError::Chain);
        }
        if raw.format != "candid-profile" || raw.format_version != 0 {
            let message = "it must say `\"format\": \"candid-profile\"` and version 0".to_owned();
            return Err(DocumentError::Format { message, at: None });
        }
        let said = raw.methods.0.iter().map(|(_, method)| method.said());
        if raw.types.0.len() + raw.names.0.len() + said.sum::<usize>() > MAX_SAID {
            return Err(DocumentError::TooLarge);
        }
        if raw.name.chars().count() > MAX_NAME {
            let message = "its `name` has more than 64 characters".to_owned();
            return Err(DocumentError::Format { message, at: None });
        }
        let candid = match raw.candid {
            Some(lines) => Some(Interface::parse(&lines.join("\n"))?),
            None => None,
        };
        let methods = raw.methods.0.into_iter();
        Ok(Self {
            name: raw.name,
            candid,
            types: raw.types.0,
            names: raw.names.0,
            methods: methods
                .map(|(name, method)| Ok((name, method.read()?)))
                .collect::<Result<_, DocumentError>>()?,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDocument {
    format: String,
    format_version: u32,
    name: String,
    chain: Option<String>,
    candid: Option<Vec<String>>,
    #[serde(default)]
    types: Ordered<PositionTags>,
    #[serde(default)]
    names: Ordered<NameSource>,
    #[serde(default)]
    methods: Ordered<RawMethod>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMethod {
    intent: Option<String>,
    effect: Option<Effect>,
    idempotency: Option<RawIdempotency>,
    outcome: Option<Ordered<Class>>,
    reconcile: Option<Reconcile>,
    #[serde(default)]
    names: Ordered<NameList>,
    #[serde(default)]
    cases: Ordered<RawCase>,
    #[serde(default)]
    at: Ordered<PositionTags>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase {
    intent: Option<String>,
    effect: Option<Effect>,
    outcome: Option<Ordered<Class>>,
}

/// Spans are in seconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawIdempotency {
    stamp: String,
    window: u32,
    drift: u32,
    cap: Option<String>,
}

impl RawMethod {
    /// How many things it says something of, itself among them.
    fn said(&self) -> usize {
        let outcomes = |outcome: &Option<Ordered<Class>>| {
            outcome.as_ref().map_or(0, |classes| classes.0.len())
        };
        let cases = self.cases.0.iter();
        let cases: usize = cases.map(|(_, case)| 1 + outcomes(&case.outcome)).sum();
        1 + self.at.0.len() + self.names.0.len() + outcomes(&self.outcome) + cases
    }

    fn read(self) -> Result<MethodTags, DocumentError> {
        let idempotency = match self.idempotency {
            None => None,
            Some(raw) => Some(Idempotency {
                stamp: RelPath::parse(&raw.stamp, Root::Args)?,
                window: Span::from_secs(raw.window.into()),
                drift: Span::from_secs(raw.drift.into()),
                cap: match raw.cap {
                    Some(cap) => Some(RelPath::parse(&cap, Root::Results)?),
                    None => None,
                },
            }),
        };
        let outcome = self.outcome.map(read_outcome).transpose()?;
        let at = self.at.0.into_iter();
        let cases = self.cases.0.into_iter().map(|(place, case)| {
            let tags = CaseTags {
                intent: case.intent,
                effect: case.effect,
                outcome: case.outcome.map(read_outcome).transpose()?,
            };
            Ok((RelPath::parse(&place, Root::Args)?, tags))
        });
        Ok(MethodTags {
            intent: self.intent,
            effect: self.effect,
            idempotency,
            outcome,
            reconcile: self.reconcile,
            names: self.names.0,
            cases: cases.collect::<Result<_, RelPathError>>()?,
            at: at
                .map(|(place, tags)| Ok((RelPath::parse(&place, Root::Args)?, tags)))
                .collect::<Result<_, RelPathError>>()?,
        })
    }
}

fn read_outcome(Ordered(entries): Ordered<Class>) -> Result<Outcome, RelPathError> {
    let mut outcome = Outcome::default();
    for (key, class) in entries {
        if key == "default" {
            outcome.default = Some(class);
        } else {
            let path = RelPath::parse(&key, Root::Results)?;
            outcome.classes.push((path, class));
        }
    }
    Ok(outcome)
}

/// The fields of a JSON object in the order in which they are written, each name once.
struct Ordered<T>(Vec<(String, T)>);

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Ordered<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered<T>, A::Error> {
                let mut names = std::collections::HashSet::new();
                let mut fields = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, T>()? {
                    if !names.insert(name.clone()) {
                        return Err(de::Error::custom(format!("`{name}` stands there twice")));
                    }
                    fields.push((name, value));
                }
                Ok(Ordered(fields))
            }
        }

        deserializer.deserialize_map(Fields(PhantomData))
    }
}

/// Amounts of a position whose token is not known stand without one.
const fn no_symbol() -> Param<String> {
    Param::Literal(String::new())
}

/// A parameter is written down, or as `{ "from": "query:<method>" }`.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Param<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw<T> {
            Reference(Reference),
            Literal(T),
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Reference {
            from: String,
        }
        match Raw::deserialize(deserializer)? {
            Raw::Literal(value) => Ok(Self::Literal(value)),
            Raw::Reference(Reference { from }) => match from.strip_prefix("query:") {
                Some(method) if !method.is_empty() => Ok(Self::Query(method.to_owned())),
                _ => Err(de::Error::custom(
                    "`from` must be `query:` and a method's name",
                )),
            },
        }
    }
}

impl<'de> Deserialize<'de> for ValueTag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
        enum Raw {
            Amount {
                decimals: Param<u8>,
                #[serde(default = "no_symbol")]
                symbol: Param<String>,
            },
            Account {},
            AccountId {},
            Principal {},
            Subaccount {},
            Memo {},
            Blob {},
            Timestamp {
                unit: TimeUnit,
            },
            Duration {
                unit: TimeUnit,
            },
        }
        Ok(match Raw::deserialize(deserializer)? {
            Raw::Amount { decimals, symbol } => Self::Amount { decimals, symbol },
            Raw::Account {} => Self::Account,
            Raw::AccountId {} => Self::AccountId,
            Raw::Principal {} => Self::Principal,
            Raw::Subaccount {} => Self::Subaccount,
            Raw::Memo {} => Self::Memo,
            Raw::Blob {} => Self::Blob,
            Raw::Timestamp { unit } => Self::Timestamp { unit },
            Raw::Duration { unit } => Self::Duration { unit },
        })
    }
}
