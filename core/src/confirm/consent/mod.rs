//! What a canister says of a call that it is asked to make (ICRC-21).
//!
//! The words are the canister's: they are untrusted, they are shown as its own, and nothing in them
//! replaces what the wallet decodes by itself. They are read into plain data here, without links,
//! pictures or anything else that does something, and compared with the wallet's own reading.
//! Nothing here asks a canister, knows a browser, or decides whether a yes may be given.
//!
//! | file | what |
//! |---|---|
//! | [`markup`] | the small part of Markdown that is laid out |
//! | [`wire`] | the question and its answer in Candid, in all versions that are in use |
//! | [`compare`] | whether what it says is what the wallet shows |
//!
//! Source: ICRC-21, <https://github.com/dfinity/ICRC/blob/main/ICRCs/ICRC-21/ICRC-21.md>.

#[cfg(feature = "wallet")]
pub mod compare;
pub mod markup;
#[cfg(feature = "wallet")]
pub mod wire;

use super::view::Amount;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// What came of asking the canister.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsentView {
    /// It said something.
    Said(Box<Said>),
    /// It advertises that it describes calls, and there is no description of this one.
    Unsaid(Unsaid),
}

impl ConsentView {
    /// What the canister says otherwise than the wallet.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Said(said) => match &said.compared {
                Compared::Differs(differences) => differences,
                Compared::Agrees | Compared::NothingToCompare => &[],
            },
            Self::Unsaid(_) => &[],
        }
    }
}

/// What a canister said of a call.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Said {
    /// Its words.
    pub blocks: Vec<Block>,
    /// The language that it says they are in, escaped, where it is not the one asked for.
    pub language: Option<String>,
    /// Whether they say what the wallet shows.
    pub compared: Compared,
}

/// Why there are no words of the canister's.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unsaid {
    /// It says that it does not describe this call, and why: its words, cut and escaped.
    Refused(String),
    /// Its answer is no message of the standard, or longer than a person would read.
    Unreadable,
    /// The answer did not come in time.
    Late,
    /// There is no certified answer.
    Unanswered,
}

/// Whether a canister says the same of a call as the wallet.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// It names the payee and the amount that the wallet shows, and no others.
    Agrees,
    /// It names others. There is at least one.
    Differs(Vec<Difference>),
    /// Neither can be told.
    NothingToCompare,
}

/// Something that a canister says otherwise than the wallet.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Difference {
    /// What.
    pub what: Aspect,
    /// As the wallet decoded it from the bytes that will be signed.
    pub ours: String,
    /// As the canister writes it, each once: there is at least one.
    pub theirs: Vec<String>,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Who gets the tokens, or may take them.
    Party,
    /// How much of which token.
    Amount,
}

/// One block of a canister's words. Every text is escaped and is never markup.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A heading.
    Heading(Line),
    /// Lines that belong together.
    Paragraph(Vec<Line>),
    /// Points, one a line.
    List(Vec<Line>),
    /// A value with its name.
    Field {
        /// The name.
        label: String,
        /// The value.
        value: FieldValue,
    },
}

/// One line.
pub type Line = Vec<Span>;

/// A part of a line.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Span {
    /// Plain text.
    Plain(String),
    /// Bold text.
    Bold(String),
    /// Text that is a value.
    Code(String),
}

impl Span {
    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Bold(text) | Self::Code(text) => text,
        }
    }
}

/// The value of a field.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldValue {
    /// Text.
    Text(String),
    /// An amount of a token, by the canister's own decimals.
    Amount(Amount),
    /// A point in time.
    Time(Timestamp),
    /// So many seconds.
    Seconds(u64),
}
