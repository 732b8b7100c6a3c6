//! Tags that are at odds with one another, once every document has had its say.

use super::finding::{Finding, FindingCode};
use super::relpath::RelPath;
use super::resolved::{Node, Resolved, ResolvedMethod, Shape};
use super::tags::{Class, Provenance, ValueTag};

/// The longest end of a range, in digits: as many as a caller may write.
const MAX_DIGITS: usize = 1_000;

/// Reports what contradicts another tag, or says nothing beside it.
pub(super) fn tags_against_one_another(resolved: &mut Resolved) {
    let mut found = Vec::new();
    for method in resolved.methods.values() {
        of_method(method, &mut found);
        for node in method.args.iter().chain(&method.results) {
            walk(node, &mut |node| of_position(method, node, &mut found));
        }
    }
    resolved.findings.extend(found);
}

/// Calls `visit` for a position and all below it, each once.
fn walk(node: &Node, visit: &mut impl FnMut(&Node)) {
    visit(node);
    match &node.through_opts().1.shape {
        Shape::Record(fields) => fields.iter().for_each(|field| walk(&field.node, visit)),
        Shape::Variant(cases) => cases.iter().for_each(|case| walk(&case.node, visit)),
        Shape::Vec(inner) => walk(inner, visit),
        _ => {}
    }
}

fn of_method(method: &ResolvedMethod, found: &mut Vec<Finding>) {
    let mut report = |code, from: &Provenance, tag: &str, message: &str, advice: &str| {
        let keys = core::iter::once("methods")
            .chain([method.name.as_str()])
            .chain(tag.split('.'));
        found.push(Finding {
            code,
            from: from.clone(),
            at: keys.map(str::to_owned).collect(),
            place: method.name.clone(),
            tag: tag.to_owned(),
            message: message.to_owned(),
            advice: advice.to_owned(),
        });
    };
    let effect = method.effect.as_ref();
    let read = match effect {
        Some(effect) => {
            effect.tag.kind.is_read() && (method.mode.is_query() || effect.tag.replicated)
        }
        None => method.mode.is_query(),
    };
    if let Some(effect) = effect {
        let (tag, from) = (&effect.tag, &effect.from);
        if tag.kind.is_read() && tag.irreversible {
            report(
                FindingCode::Contradictory,
                from,
                "effect.irreversible",
                "a read changes nothing that could be undone",
                "say `\"irreversible\": false`",
            );
        }
        if tag.replicated && method.mode.is_query() {
            report(
                FindingCode::Unused,
                from,
                "effect.replicated",
                "`replicated` is about updates that read, and this method is a query",
                "leave it out",
            );
        } else if tag.replicated && !tag.kind.is_read() {
            report(
                FindingCode::Contradictory,
                from,
                "effect.replicated",
                "only a read may be sent without a person's yes",
                "leave `replicated` out, or say `\"kind\": \"read\"` if nothing changes",
            );
        }
    }
    if let Some(outcome) = &method.outcome {
        let renews = |class: &Class| *class == Class::RetryNew;
        let tag = &outcome.tag;
        if read {
            report(
                FindingCode::Unused,
                &outcome.from,
                "outcome",
                "the reply of a read is shown, and has no class",
                "leave it out",
            );
        } else if method.idempotency.is_none()
            && (tag.classes.iter().any(|(_, class)| renews(class))
                || tag.default.as_ref().is_some_and(renews))
        {
            report(
                FindingCode::Contradictory,
                &outcome.from,
                "outcome",
                "the class `retry_new` renews a stamp, and the method has none",
                "give the method `idempotency`, or the case another class",
            );
        }
    }
    if let Some(reconcile) = &method.reconcile
        && method.idempotency.is_none()
    {
        report(
            FindingCode::Unused,
            &reconcile.from,
            "reconcile",
            "without a stamp no entry of a history can be told to be this call",
            "give the method `idempotency`, or leave `reconcile` out",
        );
    }
    for (path, case) in &method.cases {
        let renews = case.outcome.as_ref().filter(|outcome| {
            let mut classes = outcome.tag.classes.iter().map(|(_, class)| class);
            classes.any(|class| *class == Class::RetryNew)
                || outcome.tag.default == Some(Class::RetryNew)
        });
        if let Some(outcome) = renews.filter(|_| method.idempotency.is_none()) {
            found.push(Finding {
                code: FindingCode::Contradictory,
                from: outcome.from.clone(),
                at: [
                    "methods",
                    &method.name,
                    "cases",
                    &path.to_string(),
                    "outcome",
                ]
                .map(str::to_owned)
                .to_vec(),
                place: format!("{} {path}", method.name),
                tag: "outcome".to_owned(),
                message: "the class `retry_new` renews a stamp, and the method has none".to_owned(),
                advice: "give the method `idempotency`, or the case another class".to_owned(),
            });
        }
    }
    let Some(idempotency) = &method.idempotency else {
        return;
    };
    let Some(node) = method.position(&idempotency.tag.stamp) else {
        return;
    };
    let filled = node.tags.auto.as_ref().map(|tagged| ("auto", &tagged.from));
    let hidden = node.tags.hidden.as_ref().filter(|tagged| tagged.tag);
    let hidden = hidden.map(|tagged| ("ui.hidden", &tagged.from));
    for (tag, from) in filled.into_iter().chain(hidden) {
        let what = (
            FindingCode::Contradictory,
            "the position is the stamp, which the wallet fills",
            "leave the tag out",
        );
        found.push(at_position(method, &node.path, from, tag, what));
    }
}

fn of_position(method: &ResolvedMethod, node: &Node, found: &mut Vec<Finding>) {
    let tags = &node.tags;
    let mut report = |from, tag, message, advice| {
        let what = (FindingCode::Contradictory, message, advice);
        found.push(at_position(method, &node.path, from, tag, what));
    };
    if let Some(range) = &tags.range {
        let number = |end: &Option<String>| {
            // Reading a number takes the square of its length.
            let end = end.as_deref()?;
            let short = end.len() <= MAX_DIGITS;
            Some(if short { end } else { "" }.parse::<num_bigint::BigInt>())
        };
        let (min, max) = (number(&range.tag.min), number(&range.tag.max));
        let of_text = matches!(node.through_opts().1.shape, Shape::Text | Shape::Blob);
        let negative = |end: &Option<Result<num_bigint::BigInt, _>>| matches!(end, Some(Ok(number)) if of_text && number.sign() == num_bigint::Sign::Minus);
        if matches!(min, Some(Err(_))) || matches!(max, Some(Err(_))) {
            report(
                &range.from,
                "range",
                "an end of the range is no number",
                "write decimal digits, such as \"100\"",
            );
        } else if negative(&min) || negative(&max) {
            report(
                &range.from,
                "range",
                "a length is not negative",
                "write the least and the most characters or bytes",
            );
        } else if let (Some(Ok(min)), Some(Ok(max))) = (&min, &max)
            && min > max
        {
            report(
                &range.from,
                "range",
                "the range is empty: its least is above its most",
                "swap the two",
            );
        } else if let (Some(Ok(min)), Some(text)) = (&min, &tags.text)
            && text.tag.max_len.is_some_and(|max| *min > max.into())
        {
            report(
                &range.from,
                "range",
                "the least length is above `text.max_len`",
                "let one of the two go",
            );
        }
    }
    if let Some(payer) = tags.payer.as_ref().filter(|tagged| tagged.tag) {
        let pays = match tags.value() {
            Some(ValueTag::Account | ValueTag::AccountId | ValueTag::Subaccount) => true,
            Some(
                ValueTag::Amount { .. }
                | ValueTag::Principal
                | ValueTag::Memo
                | ValueTag::Blob
                | ValueTag::Timestamp { .. }
                | ValueTag::Duration { .. },
            )
            | None => false,
        };
        if !pays {
            report(
                &payer.from,
                "payer",
                "only an account or a subaccount can name who pays",
                "give the position `\"value\": { \"kind\": \"account\" }` or `subaccount`",
            );
        }
    }
}

fn at_position(
    method: &ResolvedMethod,
    path: &RelPath,
    from: &Provenance,
    tag: &str,
    (code, message, advice): (FindingCode, &str, &str),
) -> Finding {
    let mut at = vec![
        "methods".to_owned(),
        method.name.clone(),
        "at".to_owned(),
        path.to_string(),
    ];
    at.extend(tag.split('.').map(str::to_owned));
    Finding {
        code,
        from: from.clone(),
        at,
        place: format!("{} {path}", method.name),
        tag: tag.to_owned(),
        message: message.to_owned(),
        advice: advice.to_owned(),
    }
}
