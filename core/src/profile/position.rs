//! One position: where it is in a tree, and which tags it can have.

use std::borrow::Cow;

use candid::types::{Type, TypeEnv, TypeInner};

use super::covered::beside_packs;
use super::document::PositionTags;
use super::expand::end;
use super::finding::FindingCode;
use super::narrow::bounds_stand;
use super::relpath::{RelPath, Root, Step};
use super::resolved::{Node, ResolvedMethod, Shape, label_text};
use super::tags::{Provenance, Source, Tagged, Tags, ValueTag};

/// The most descriptions of untrusted documents that are kept at a position: an alias of an alias has
/// one each.
const MAX_QUOTES: usize = 2;

/// A tag that a position cannot have.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Refused {
    pub(super) code: FindingCode,
    pub(super) tag: &'static str,
    pub(super) message: Cow<'static, str>,
    pub(super) advice: &'static str,
}

/// A tag that does not fit the position's type.
const fn misfit(tag: &'static str, message: &'static str, advice: &'static str) -> Refused {
    Refused {
        code: FindingCode::Misfit,
        tag,
        message: Cow::Borrowed(message),
        advice,
    }
}

/// Puts tags on a position, over those it has. What does not fit is refused with its reason.
pub(super) fn put(
    node: &mut Node,
    tags: &PositionTags,
    from: &Provenance,
    env: &TypeEnv,
    refused: &mut Vec<Refused>,
) {
    fn set<T: Clone>(slot: &mut Option<Box<Tagged<T>>>, tag: Option<&T>, from: &Provenance) {
        if let Some(tag) = tag {
            *slot = Some(Box::new(Tagged {
                tag: tag.clone(),
                from: from.clone(),
            }));
        }
    }
    let beside = (from.source == Source::Person).then(|| beside_packs(node, tags, refused));
    let tags = beside.as_ref().unwrap_or(tags);
    let may_be_empty = matches!(node.shape, Shape::Opt(_) | Shape::Null | Shape::Reserved);
    let (_, content) = node.through_opts();
    let value = tags.value.as_ref().filter(|value| {
        let fits = value_fits(value, content, env);
        if !fits {
            refused.push(misfit(
                "value",
                "the value's kind does not fit the position's type",
                value_advice(value),
            ));
        }
        fits
    });
    let text = tags.text.as_ref().filter(|_| {
        let fits = matches!(content.shape, Shape::Text);
        if !fits {
            refused.push(misfit(
                "text",
                "the position is no text",
                "put `text` on a `text` position, or leave it out",
            ));
        }
        fits
    });
    let range = tags.range.as_ref().filter(|range| {
        let fits = is_integer(&content.shape) || matches!(content.shape, Shape::Text | Shape::Blob);
        if !fits {
            refused.push(misfit(
                "range",
                "the position is no integer, text or blob",
                "put `range` on a number, or on a text or blob for its length",
            ));
        }
        let ends = [&range.min, &range.max];
        let short = ends.into_iter().flatten().all(|end| end.len() <= MAX_END);
        if fits && !short {
            refused.push(misfit(
                "range",
                "an end of the range is longer than 40 characters",
                "write at most 40 decimal digits",
            ));
        }
        fits && short
    });
    let (text, range) = if from.source.is_trusted() {
        (text, range)
    } else {
        let mut free = |tag| {
            let stands = bounds_stand(&node.tags, tag);
            let free = stands.is_none();
            refused.extend(stands);
            free
        };
        (
            text.filter(|_| free("text")),
            range.filter(|_| free("range")),
        )
    };
    let auto = tags.auto.as_ref().filter(|_| {
        if !may_be_empty {
            refused.push(misfit(
                "auto",
                "the position cannot be left empty",
                "only an `opt`, `null` or `reserved` position is left empty",
            ));
        }
        may_be_empty
    });
    let hidden = tags.ui.map(|ui| ui.hidden).filter(|hidden| {
        let fits = !hidden || may_be_empty;
        if !fits {
            refused.push(misfit(
                "ui.hidden",
                "the position cannot be left empty",
                "only an `opt`, `null` or `reserved` position can be hidden",
            ));
        }
        fits
    });
    let Tags {
        describe: old_describe,
        value: old_value,
        text: old_text,
        range: old_range,
        auto: old_auto,
        hidden: old_hidden,
        payer: old_payer,
        named: old_named,
        quoted,
    } = &mut node.tags;
    if from.source.is_trusted() {
        set(old_describe, tags.describe.as_ref(), from);
    } else if let Some(words) = &tags.describe
        && quoted.len() < MAX_QUOTES
    {
        quoted.push(Tagged {
            tag: words.clone(),
            from: from.clone(),
        });
    }
    set(old_value, value, from);
    set(old_text, text, from);
    set(old_range, range, from);
    set(old_auto, auto, from);
    set(old_hidden, hidden.as_ref(), from);
    set(old_payer, tags.payer.as_ref(), from);
    set(old_named, tags.named.as_ref(), from);
}

/// The most characters of an end of a range: as many as any sized integer needs, and few enough for
/// a definition, which a model reads.
pub(super) const MAX_END: usize = 40;

/// Whether a kind of value can stand at a position, below its `opt`s.
fn value_fits(value: &ValueTag, node: &Node, env: &TypeEnv) -> bool {
    match value {
        ValueTag::Amount { .. } | ValueTag::Timestamp { .. } | ValueTag::Duration { .. } => {
            is_integer(&node.shape)
        }
        ValueTag::Account => is_account(&node.ty, env) || matches!(node.shape, Shape::Text),
        ValueTag::AccountId => {
            matches!(node.shape, Shape::Blob | Shape::Text) || is_hash_record(&node.ty, env)
        }
        ValueTag::Principal => matches!(node.shape, Shape::Principal),
        ValueTag::Subaccount | ValueTag::Memo | ValueTag::Blob => matches!(node.shape, Shape::Blob),
    }
}

/// Where a kind of value can stand.
const fn value_advice(value: &ValueTag) -> &'static str {
    match value {
        ValueTag::Amount { .. } | ValueTag::Timestamp { .. } | ValueTag::Duration { .. } => {
            "this kind stands on an integer: `nat`, `int` or one of their sized forms"
        }
        ValueTag::Account => {
            "an account is `record { owner : principal; subaccount : opt blob }` or a `text`"
        }
        ValueTag::AccountId => {
            "an account identifier is a `blob`, `record { hash : blob }` or a `text`"
        }
        ValueTag::Principal => "this kind stands on a `principal`",
        ValueTag::Subaccount | ValueTag::Memo | ValueTag::Blob => "this kind stands on a `blob`",
    }
}

/// Whether a type is an ICRC-1 account.
pub(super) fn is_account(ty: &Type, env: &TypeEnv) -> bool {
    let behind = |ty| end(env, ty).1;
    let TypeInner::Record(fields) = behind(ty).as_ref() else {
        return false;
    };
    let is_subaccount = |ty: &Type| match ty.as_ref() {
        TypeInner::Opt(inner) => match end(env, inner).1.as_ref() {
            TypeInner::Vec(byte) => {
                matches!(end(env, byte).1.as_ref(), TypeInner::Nat8)
            }
            _ => false,
        },
        _ => false,
    };
    fields.len() == 2
        && fields
            .iter()
            .all(|field| match label_text(&field.id).as_str() {
                "owner" => matches!(behind(&field.ty).as_ref(), TypeInner::Principal),
                "subaccount" => is_subaccount(behind(&field.ty)),
                _ => false,
            })
}

/// Whether a type is the record in which governance canisters write an account identifier.
pub(super) fn is_hash_record(ty: &Type, env: &TypeEnv) -> bool {
    let behind = |ty| end(env, ty).1;
    let TypeInner::Record(fields) = behind(ty).as_ref() else {
        return false;
    };
    let [field] = fields.as_slice() else {
        return false;
    };
    let is_blob = match behind(&field.ty).as_ref() {
        TypeInner::Vec(byte) => matches!(behind(byte).as_ref(), TypeInner::Nat8),
        _ => false,
    };
    label_text(&field.id) == "hash" && is_blob
}

pub(super) const fn is_integer(shape: &Shape) -> bool {
    match shape {
        Shape::Nat
        | Shape::Int
        | Shape::Nat8
        | Shape::Nat16
        | Shape::Nat32
        | Shape::Nat64
        | Shape::Int8
        | Shape::Int16
        | Shape::Int32
        | Shape::Int64 => true,
        Shape::Record(_)
        | Shape::Variant(_)
        | Shape::Opt(_)
        | Shape::Vec(_)
        | Shape::Blob
        | Shape::Float32
        | Shape::Float64
        | Shape::Text
        | Shape::Bool
        | Shape::Principal
        | Shape::Null
        | Shape::Reserved
        | Shape::Empty
        | Shape::Func
        | Shape::Service
        | Shape::Recursive(_) => false,
    }
}

/// The position at a path.
pub(super) fn find<'a>(method: &'a ResolvedMethod, path: &RelPath) -> Option<&'a Node> {
    let tuple = match path.root {
        Root::Args => &method.args,
        Root::Results => &method.results,
    };
    let mut node = tuple.get(path.index)?;
    for step in &path.steps {
        let (_, content) = node.through_opts();
        node = match (&content.shape, step) {
            (Shape::Record(fields), Step::Member(_) | Step::Number(_)) => {
                &fields
                    .iter()
                    .find(|field| field.node.path.steps.last() == Some(step))?
                    .node
            }
            (Shape::Variant(cases), Step::Member(_) | Step::Number(_)) => {
                &cases
                    .iter()
                    .find(|case| case.node.path.steps.last() == Some(step))?
                    .node
            }
            (Shape::Vec(inner), Step::Elements) => inner,
            _ => return None,
        };
    }
    Some(node)
}

/// What a position holds below every `opt`.
pub(super) fn content_mut(mut node: &mut Node) -> &mut Node {
    while matches!(node.shape, Shape::Opt(_)) {
        let Shape::Opt(inner) = &mut node.shape else {
            unreachable!("the loop's condition")
        };
        node = inner;
    }
    node
}

/// The position at a path, to put tags on.
pub(super) fn find_mut<'a>(method: &'a mut ResolvedMethod, path: &RelPath) -> Option<&'a mut Node> {
    let tuple = match path.root {
        Root::Args => &mut method.args,
        Root::Results => &mut method.results,
    };
    let mut node = tuple.get_mut(path.index)?;
    for step in &path.steps {
        node = match (&mut content_mut(node).shape, step) {
            (Shape::Record(fields), Step::Member(_) | Step::Number(_)) => fields
                .iter_mut()
                .map(|field| &mut field.node)
                .find(|node| node.path.steps.last() == Some(step))?,
            (Shape::Variant(cases), Step::Member(_) | Step::Number(_)) => cases
                .iter_mut()
                .map(|case| &mut case.node)
                .find(|node| node.path.steps.last() == Some(step))?,
            (Shape::Vec(inner), Step::Elements) => inner,
            _ => return None,
        };
    }
    Some(node)
}
