//! Why a method has no tool. The reasons are a closed list.

use super::names::plain;
use crate::{
    format::text::PatternError,
    profile::{RelPath, Root, Step},
};
use thiserror::Error;

/// A method without a tool.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Skipped {
    /// The method, exactly as the interface has it.
    pub method: String,
    /// The case without a tool, where others have one each.
    pub case: Option<String>,
    /// Why.
    pub reason: SkipReason,
}

impl Skipped {
    /// What has no tool, in names that are safe to read: `manage_neuron`, `manage_neuron.Follow`.
    #[must_use]
    pub fn told(&self) -> String {
        let method = plain(&self.method);
        match &self.case {
            Some(case) => format!("{method}.{}", plain(case)),
            None => method,
        }
    }
}

/// Why a method has no tool. A position is named as the interface names it, but for names that are
/// not plain (`super::names`).
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum SkipReason {
    /// A number says nothing by itself.
    #[error("{0}: no rule for a {1} position without a value tag or a describe")]
    NumberWithoutWords(Place, &'static str),
    /// A kind of value that is not read without being told what it is.
    #[error("{0}: no rule for a {1} position without a value tag")]
    NoRule(Place, &'static str),
    /// A value tag that this type does not take.
    #[error("{0}: a value tag does not fit a {1} position")]
    ValueTag(Place, &'static str),
    /// A type that contains itself.
    #[error("{0}: no rule for a recursive position")]
    Recursive(Place),
    /// More than one `opt` around a value: none and none of none cannot be told apart in JSON.
    #[error("{0}: no rule for an opt in an opt")]
    NestedOpt(Place),
    /// A field or case without a name.
    #[error("{0}: no rule for a field or case named by a number")]
    Numbered(Place),
    /// A variant that no value can be written for.
    #[error("{0}: no case of the variant can be written")]
    NoCase(Place),
    /// A pattern that is not run.
    #[error("{0}: {1}")]
    Pattern(Place, PatternError),
    /// A range whose ends are no numbers.
    #[error("{0}: its range is not written in decimal digits")]
    Range(Place),
    /// A required position that nothing fills.
    #[error("{0}: only an optional position can be left empty for the caller")]
    NotEmpty(Place),
    /// Two inputs, fields or cases would be written alike.
    #[error("{0}: another position is told under the same name")]
    SameInput(Place),
    /// A field in the way of the canister selector.
    #[error("canister_id: the input of that name selects the canister")]
    CanisterId,
    /// A case beside others that have a tool each.
    #[error("other cases have an intent or effect, and this one has none")]
    UntaggedCase,
    /// A tool fixes one case, of one variant.
    #[error("cases of more than one field have an intent or effect")]
    Choices,
    /// A call that changes something without words for it.
    #[error("an update method needs the intent tag")]
    NoIntent,
    /// A call that changes something without what it changes.
    #[error("an update method needs the effect tag")]
    NoEffect,
    /// A call whose reply says nothing.
    #[error("an update method needs the outcome tag")]
    NoOutcome,
    /// A call that is never answered.
    #[error("a oneway method has no reply")]
    Oneway,
    /// A read whose answer is several.
    #[error("a read with {0} results")]
    Results(usize),
    /// `replicated` says that an update is a read.
    #[error("only an effect of kind read that can be undone may be replicated")]
    Replicated,
    /// A stamp in a read.
    #[error("a read has no idempotency stamp")]
    StampedRead,
    /// A stamp among several arguments.
    #[error("an idempotency stamp needs a method with one argument")]
    StampArguments,
    /// A stamp that is not a field of the argument.
    #[error("the idempotency stamp must be a field of the argument")]
    StampPlace,
    /// A stamp that cannot hold a point in time.
    #[error("{0}: the idempotency stamp must be a number of nanoseconds")]
    StampType(Place),
    /// Outcome classes by case need one result to look at.
    #[error("outcome keys need a method with one result")]
    OutcomeResults,
    /// An outcome key without its place.
    #[error("outcome key {0}: no such case or field")]
    OutcomeNothing(Place),
    /// An outcome key that is no case.
    #[error("outcome key {0}: ends on a field")]
    OutcomeField(Place),
    /// Two outcome keys that one reply could match.
    #[error("outcome key {0}: reads another field of a record than an earlier key")]
    OutcomeBranch(Place),
    /// A new stamp for a call that has none.
    #[error("the outcome class retry_new needs an idempotency stamp")]
    RenewWithoutStamp,
    /// The name is ours.
    #[error("the tool name {0} is the wallet's")]
    OurName(String),
    /// The name is another method's too.
    #[error("the tool name {0} is another method's")]
    SameTool(String),
}

impl SkipReason {
    /// What the author of a profile or an interface can do about it.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NumberWithoutWords(..) => {
                "say what the number is: `describe` in words, or `value` with a kind such as `amount`"
            }
            Self::NoRule(_, "blob") => {
                "say what the bytes are: `value` of kind `blob`, `memo` or `subaccount`"
            }
            Self::NoRule(..) => "no tool writes a value of this type; the method is for programs",
            Self::ValueTag(..) => "give the position a `value` of a kind that its type can hold",
            Self::Recursive(_) => "no input holds itself; the method is for programs",
            Self::NestedOpt(_) => {
                "no input tells none from some of none; the method is for programs"
            }
            Self::Numbered(_) => "give the field or case a name in the interface",
            Self::NoCase(_) => "the method can never be called: its variant has no case",
            Self::Pattern(..) => "write a pattern without it, or bound the text by `max_len`",
            Self::Range(_) => "write the ends as decimal digits, such as \"100\"",
            Self::NotEmpty(_) => "leave `auto` and `ui.hidden` to `opt`, `null` and `reserved`",
            Self::SameInput(_) => "give one of the two another name in the interface",
            Self::CanisterId => "give the field another name in the interface",
            Self::UntaggedCase => {
                "give the case an `intent` and an `effect` under `cases`, or leave it out"
            }
            Self::Choices => "let `cases` speak of the cases of one field only",
            Self::NoIntent => "give the method an `intent`: what it does, as a title",
            Self::NoEffect => "give the method an `effect`: its kind, and whether it can be undone",
            Self::NoOutcome => {
                "give the method an `outcome`: the class of each reply, or a `default`"
            }
            Self::Oneway => "no tool calls a method that never answers",
            Self::Results(_) => "put the results into one record in the interface",
            Self::Replicated => {
                "say `\"kind\": \"read\", \"irreversible\": false`, or leave `replicated` out"
            }
            Self::StampedRead => "leave `idempotency` out",
            Self::StampArguments => "put the arguments into one record in the interface",
            Self::StampPlace => "name a field of the argument as the stamp",
            Self::StampType(_) => "name a `nat64` or `opt nat64` that counts nanoseconds",
            Self::OutcomeResults => "class every reply by `default` alone",
            Self::OutcomeNothing(_) => "name a case of the reply, such as `Err.Frozen`",
            Self::OutcomeField(_) => "let the key end on a case, or leave it to `default`",
            Self::OutcomeBranch(_) => "let all keys read the same field of that record",
            Self::RenewWithoutStamp => {
                "give the method `idempotency`, or the case another class than `retry_new`"
            }
            Self::OurName(_) | Self::SameTool(_) => "give the method another name in the interface",
        }
    }
}

/// A position as reasons and issues write it: `start`, `(0)[].start`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Place(String);

impl Place {
    /// The place of a path.
    #[must_use]
    pub(super) fn of(path: &RelPath) -> Self {
        Self(plain_path(path).short())
    }
}

impl core::fmt::Display for Place {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The path with names that are safe to read.
pub(crate) fn plain_path(path: &RelPath) -> RelPath {
    RelPath {
        root: match path.root {
            Root::Args => Root::Args,
            Root::Results => Root::Results,
        },
        index: path.index,
        steps: (path.steps.iter())
            .map(|step| match step {
                Step::Member(name) => Step::Member(plain(name)),
                Step::Number(number) => Step::Number(*number),
                Step::Elements => Step::Elements,
            })
            .collect(),
    }
}
