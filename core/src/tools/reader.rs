//! How one position is read: decided once, when the plan is made.

use super::{
    canister::AmountUnit,
    names::{Names, Taken},
    shape::{IdForm, Integer, is_account_record, shape_name},
    skip::{Place, SkipReason},
};
use crate::text::is_plain;
use crate::{
    format::{
        MAX_DIGITS,
        blob::Length,
        integer::Bounds,
        text::{Form, Pattern, Rules},
    },
    profile::{Format, Node, RangeTag, RelPath, Shape, Source, TimeUnit, ValueTag},
};
use num_bigint::BigInt;

/// The longest prose that a profile puts in front of ours, in characters.
const MAX_WORDS: usize = 120;

/// The most elements of one `vec`.
pub const MAX_ELEMENTS: usize = 256;
/// The most values in one input.
pub const MAX_VALUES: usize = 4_096;

/// A position that an input, or a part of one, is read for.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub(super) kind: Kind,
    /// Whether it may be left out.
    pub(super) optional: bool,
    /// The profile's words for it.
    pub(super) words: Option<String>,
    /// The whole of them, where they are not a built-in profile's.
    pub(super) foreign_words: Option<String>,
    /// Whether it names who pays.
    pub(super) payer: bool,
    /// The set of which a name is taken in place of a value.
    pub(super) named: Option<String>,
    pub(super) path: RelPath,
}

/// What is read at a position.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Amount {
        unit: AmountUnit,
        int: Integer,
        bounds: Bounds,
    },
    /// An account; as text where the position is a `text`.
    Account {
        as_text: bool,
    },
    AccountId(IdForm),
    Principal,
    Subaccount,
    Blob(Length),
    Time {
        unit: TimeUnit,
        int: Integer,
        bounds: Bounds,
    },
    Duration {
        unit: TimeUnit,
        int: Integer,
        bounds: Bounds,
    },
    Integer {
        int: Integer,
        bounds: Bounds,
    },
    Text(Rules),
    Bool,
    Record(Vec<Member>),
    Variant(Vec<Member>),
    Vec(Box<Reader>),
    /// `null` or `reserved`: nothing to say.
    Nothing,
}

/// A field of a record or a case of a variant.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// The exact Candid name.
    pub(super) exact: String,
    pub(super) names: Names,
    pub(super) reader: Reader,
}

impl Kind {
    /// Whether the input is JSON rather than text.
    pub(super) const fn is_json(&self) -> bool {
        match self {
            Self::Record(_) | Self::Variant(_) | Self::Vec(_) => true,
            Self::Amount { .. }
            | Self::Account { .. }
            | Self::AccountId(_)
            | Self::Principal
            | Self::Subaccount
            | Self::Blob(_)
            | Self::Time { .. }
            | Self::Duration { .. }
            | Self::Integer { .. }
            | Self::Text(_)
            | Self::Bool
            | Self::Nothing => false,
        }
    }

    /// The name of the input that is a whole argument of this kind.
    pub(super) const fn whole_name(&self) -> &'static str {
        match self {
            Self::Amount { .. } => "amount",
            Self::Account { .. } => "account",
            Self::AccountId(_) => "account_id",
            Self::Principal => "principal",
            Self::Subaccount => "subaccount",
            Self::Blob(_) => "bytes",
            Self::Time { .. } | Self::Duration { .. } => "time",
            Self::Integer { .. } => "integer",
            Self::Text(_) => "text",
            Self::Bool => "bool",
            Self::Record(_) | Self::Variant(_) | Self::Vec(_) | Self::Nothing => "input",
        }
    }
}

impl Reader {
    /// Decides how a position is read.
    ///
    /// # Errors
    ///
    /// The reason for which its method gets no tool.
    pub(super) fn new(node: &Node) -> Result<Self, SkipReason> {
        let (opts, inner) = node.through_opts();
        if opts > 1 {
            return Err(SkipReason::NestedOpt(Place::of(&node.path)));
        }
        Ok(Self {
            kind: kind(node, inner)?,
            optional: opts == 1,
            words: node.tags.describe().map(one_line),
            foreign_words: foreign_words(node),
            payer: node.tags.is_payer(),
            named: node.tags.named().map(str::to_owned),
            path: node.path.clone(),
        })
    }
}

impl Reader {
    /// Decides how a field or case is read; what the profile keeps from everyone is left empty.
    fn of_member(node: &Node) -> Result<Self, SkipReason> {
        let empty = node.tags.is_hidden() || node.tags.auto.is_some();
        if !empty || !node.is_opt() {
            return Self::new(node);
        }
        Ok(Self {
            kind: Kind::Nothing,
            optional: true,
            words: None,
            foreign_words: foreign_words(node),
            payer: false,
            named: None,
            path: node.path.clone(),
        })
    }
}

/// What a profile that is not a built-in one says of a position.
fn foreign_words(node: &Node) -> Option<String> {
    let words = node.tags.describe.as_ref()?;
    (words.from.source != Source::Pack).then(|| words.tag.clone())
}

/// Prose of a profile as one short line.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words
        .join(" ")
        .chars()
        .filter(|c| is_plain(*c))
        .take(MAX_WORDS)
        .collect()
}

/// What is read at a node: its tags, and its shape below every `opt`.
fn kind(node: &Node, inner: &Node) -> Result<Kind, SkipReason> {
    match node.tags.value() {
        Some(tag) => tagged(node, inner, tag),
        None => untagged(node, inner),
    }
}

fn tagged(node: &Node, inner: &Node, tag: &ValueTag) -> Result<Kind, SkipReason> {
    let misfit = || SkipReason::ValueTag(Place::of(&node.path), shape_name(&inner.shape));
    let integer = || Integer::of(&inner.shape).ok_or_else(misfit);
    let ranged = |int: Integer| number_range(node).map(|range| int.bounds().and(range));
    let on_blob = |kind: Kind| {
        let fits = matches!(inner.shape, Shape::Blob);
        fits.then_some(kind).ok_or_else(misfit)
    };
    match tag {
        ValueTag::Amount { decimals, symbol } => Ok(Kind::Amount {
            unit: AmountUnit {
                decimals: decimals.clone(),
                symbol: symbol.clone(),
            },
            int: integer()?,
            bounds: ranged(integer()?)?,
        }),
        ValueTag::Timestamp { unit } => Ok(Kind::Time {
            unit: *unit,
            int: integer()?,
            bounds: ranged(integer()?)?,
        }),
        ValueTag::Duration { unit } => Ok(Kind::Duration {
            unit: *unit,
            int: integer()?,
            bounds: ranged(integer()?)?,
        }),
        ValueTag::Account if is_account_record(inner) => Ok(Kind::Account { as_text: false }),
        ValueTag::Account if matches!(inner.shape, Shape::Text) => {
            Ok(Kind::Account { as_text: true })
        }
        ValueTag::Account => Err(misfit()),
        ValueTag::AccountId => IdForm::of(inner).map(Kind::AccountId).ok_or_else(misfit),
        ValueTag::Principal if matches!(inner.shape, Shape::Principal) => Ok(Kind::Principal),
        ValueTag::Principal => Err(misfit()),
        ValueTag::Subaccount => on_blob(Kind::Subaccount),
        ValueTag::Memo | ValueTag::Blob => on_blob(Kind::Blob(length_range(node)?)),
    }
}

fn untagged(node: &Node, inner: &Node) -> Result<Kind, SkipReason> {
    let place = || Place::of(&node.path);
    let name = shape_name(&inner.shape);
    if let Some(int) = Integer::of(&inner.shape) {
        return match node.tags.describe() {
            Some(_) => Ok(Kind::Integer {
                int,
                bounds: int.bounds().and(number_range(node)?),
            }),
            None => Err(SkipReason::NumberWithoutWords(place(), name)),
        };
    }
    match &inner.shape {
        Shape::Principal => Ok(Kind::Principal),
        Shape::Text => text_rules(node).map(Kind::Text),
        Shape::Bool => Ok(Kind::Bool),
        Shape::Null | Shape::Reserved => Ok(Kind::Nothing),
        Shape::Record(fields) => {
            let numbered = fields.iter().find(|field| field.is_numbered());
            if let Some(field) = numbered {
                return Err(SkipReason::Numbered(Place::of(&field.node.path)));
            }
            let members = fields.iter().map(|field| (field.name(), &field.node));
            members_of(members).map(Kind::Record)
        }
        Shape::Variant(cases) => {
            if cases.is_empty() {
                return Err(SkipReason::NoCase(place()));
            }
            let numbered = cases.iter().find(|case| case.is_numbered());
            if let Some(case) = numbered {
                return Err(SkipReason::Numbered(Place::of(&case.node.path)));
            }
            let members = cases.iter().map(|case| (case.name(), &case.node));
            members_of(members).map(Kind::Variant)
        }
        Shape::Vec(element) => Ok(Kind::Vec(Box::new(Reader::new(element)?))),
        Shape::Recursive(_) => Err(SkipReason::Recursive(place())),
        Shape::Blob
        | Shape::Float32
        | Shape::Float64
        | Shape::Empty
        | Shape::Func
        | Shape::Service
        // Numbers were read above, and no node below every `opt` is one.
        | Shape::Opt(_)
        | Shape::Nat
        | Shape::Int
        | Shape::Nat8
        | Shape::Nat16
        | Shape::Nat32
        | Shape::Nat64
        | Shape::Int8
        | Shape::Int16
        | Shape::Int32
        | Shape::Int64 => Err(SkipReason::NoRule(place(), name)),
    }
}

fn members_of<'a>(
    members: impl Iterator<Item = (String, &'a Node)>,
) -> Result<Vec<Member>, SkipReason> {
    let (mut out, mut taken) = (Vec::new(), Taken::default());
    for (exact, node) in members {
        let member = Member {
            names: Names::new("", &exact, ""),
            exact,
            reader: Reader::of_member(node)?,
        };
        if !taken.take(&member.names) {
            return Err(SkipReason::SameInput(Place::of(&node.path)));
        }
        out.push(member);
    }
    Ok(out)
}

fn range_of(node: &Node) -> Option<&RangeTag> {
    node.tags.range.as_ref().map(|tagged| &tagged.tag)
}

fn end_of<T: core::str::FromStr>(
    node: &Node,
    end: Option<&String>,
) -> Result<Option<T>, SkipReason> {
    let misfit = || SkipReason::Range(Place::of(&node.path));
    // Reading a number takes the square of its length.
    if end.is_some_and(|digits| digits.len() > MAX_DIGITS) {
        return Err(misfit());
    }
    end.map(|digits| digits.parse::<T>())
        .transpose()
        .map_err(|_| misfit())
}

fn number_range(node: &Node) -> Result<Bounds, SkipReason> {
    let Some(range) = range_of(node) else {
        return Ok(Bounds::INT);
    };
    let min = end_of::<BigInt>(node, range.min.as_ref())?;
    Ok(Bounds::new(min, end_of(node, range.max.as_ref())?))
}

fn length_range(node: &Node) -> Result<Length, SkipReason> {
    let Some(range) = range_of(node) else {
        return Ok(Length::default());
    };
    Ok(Length {
        min: end_of(node, range.min.as_ref())?,
        max: end_of(node, range.max.as_ref())?,
    })
}

fn text_rules(node: &Node) -> Result<Rules, SkipReason> {
    let Length { min, max } = length_range(node)?;
    let Some(tagged) = &node.tags.text else {
        return Ok(Rules {
            min,
            max,
            ..Rules::default()
        });
    };
    let tag = &tagged.tag;
    let longest = tag.max_len.and_then(|max| usize::try_from(max).ok());
    let pattern = tag.pattern.as_deref().map(Pattern::compile).transpose();
    Ok(Rules {
        min,
        max: match (longest, max) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, None) | (None, one) => one,
        },
        pattern: pattern.map_err(|error| SkipReason::Pattern(Place::of(&node.path), error))?,
        // What is hidden in a pattern stands in no definition either; it is held all the same.
        pattern_untold: !tagged.from.source.is_trusted()
            || (tag.pattern.as_deref()).is_some_and(|source| !source.chars().all(is_plain)),
        form: tag.format.map(|format| match format {
            Format::Url => Form::Url,
            Format::Email => Form::Email,
        }),
    })
}
