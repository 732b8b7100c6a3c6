//! What an author should know of a profile before others use it: tags that the tools cannot follow,
//! words that they cut, and methods that were spoken of and have no tool.

use super::{
    plan::{Plans, outcome_faults},
    reader::one_line,
    skip::SkipReason,
};
use crate::{
    format::text::Pattern,
    profile::{
        Finding, FindingCode, Node, Outcome, Provenance, Resolved, ResolvedMethod, Shape, Source,
        Tagged,
    },
};

/// Everything that is the matter with the documents of a resolved form: what the merge found, and
/// what the tools that result have to say. Built-in profiles are left out of the latter.
#[must_use]
pub fn lint(resolved: &Resolved, plans: &Plans) -> Vec<Finding> {
    let mut found = resolved.findings.clone();
    for method in resolved.methods.values() {
        let before = found.len();
        of_method(resolved, method, &mut found);
        let spoken_of = method.intent.as_ref().map(|tagged| &tagged.from);
        let spoken_of = spoken_of
            .or(method.effect.as_ref().map(|tagged| &tagged.from))
            .or(method.outcome.as_ref().map(|tagged| &tagged.from))
            .or(method.cases.values().find_map(|case| {
                let title = case.intent.as_ref().map(|tagged| &tagged.from);
                title.or(case.effect.as_ref().map(|tagged| &tagged.from))
            }));
        let Some(from) = spoken_of.filter(|from| from.source != Source::Pack) else {
            continue;
        };
        for skipped in plans.skipped.iter().filter(|s| s.method == method.name) {
            // A case that nobody speaks of is left out on purpose.
            if skipped.reason == SkipReason::UntaggedCase
                || is_told(&skipped.reason, &found[before..])
            {
                continue;
            }
            found.push(Finding {
                code: FindingCode::NoTool,
                from: from.clone(),
                at: keys(method, &[]),
                place: skipped.told(),
                tag: "methods".to_owned(),
                message: format!("`{}` has no tool: {}", skipped.told(), skipped.reason),
                advice: skipped.reason.advice().to_owned(),
            });
        }
    }
    found.into_iter().map(Finding::escaped).collect()
}

/// Whether a reason is among what was found already.
fn is_told(reason: &SkipReason, found: &[Finding]) -> bool {
    let code = match reason {
        SkipReason::Pattern(..) => FindingCode::Pattern,
        SkipReason::OutcomeResults
        | SkipReason::OutcomeNothing(_)
        | SkipReason::OutcomeField(_)
        | SkipReason::OutcomeBranch(_) => FindingCode::Outcome,
        SkipReason::NumberWithoutWords(..)
        | SkipReason::NoRule(..)
        | SkipReason::ValueTag(..)
        | SkipReason::Recursive(_)
        | SkipReason::NestedOpt(_)
        | SkipReason::Numbered(_)
        | SkipReason::NoCase(_)
        | SkipReason::Range(_)
        | SkipReason::NotEmpty(_)
        | SkipReason::SameInput(_)
        | SkipReason::CanisterId
        | SkipReason::UntaggedCase
        | SkipReason::Choices
        | SkipReason::NoIntent
        | SkipReason::NoEffect
        | SkipReason::NoOutcome
        | SkipReason::Oneway
        | SkipReason::Results(_)
        | SkipReason::Replicated
        | SkipReason::StampedRead
        | SkipReason::StampArguments
        | SkipReason::StampPlace
        | SkipReason::StampType(_)
        | SkipReason::RenewWithoutStamp
        | SkipReason::OurName(_)
        | SkipReason::SameTool(_) => return false,
    };
    found.iter().any(|finding| finding.code == code)
}

fn keys(method: &ResolvedMethod, below: &[&str]) -> Vec<String> {
    ["methods", method.name.as_str()]
        .into_iter()
        .chain(below.iter().copied())
        .map(str::to_owned)
        .collect()
}

fn of_method(resolved: &Resolved, method: &ResolvedMethod, found: &mut Vec<Finding>) {
    if let Some(Tagged { tag, from }) = &method.intent {
        let at = keys(method, &["intent"]);
        found.extend(words(tag, from, at, &method.name, "intent"));
    }
    if let Some(outcome) = &method.outcome {
        of_outcome(resolved, method, outcome, keys(method, &["outcome"]), found);
    }
    for (path, case) in &method.cases {
        let path = path.to_string();
        let below = |tag: &str| keys(method, &["cases", &path, tag]);
        if let Some(Tagged { tag, from }) = &case.intent {
            let place = format!("{} {path}", method.name);
            found.extend(words(tag, from, below("intent"), &place, "intent"));
        }
        if let Some(outcome) = &case.outcome {
            of_outcome(resolved, method, outcome, below("outcome"), found);
        }
    }
    for node in method.args.iter().chain(&method.results) {
        of_position(method, node, found);
    }
}

/// The outcome keys that class nothing.
fn of_outcome(
    resolved: &Resolved,
    method: &ResolvedMethod,
    outcome: &Tagged<Outcome>,
    at: Vec<String>,
    found: &mut Vec<Finding>,
) {
    let Tagged { tag, from } = outcome;
    if from.source == Source::Pack {
        return;
    }
    for (path, reason) in outcome_faults(resolved, method, tag) {
        // That a key names nothing was found when the document was merged.
        if matches!(reason, SkipReason::OutcomeNothing(_)) && method.position(&path).is_none() {
            continue;
        }
        let mut at = at.clone();
        at.push(path.to_string());
        found.push(Finding {
            code: FindingCode::Outcome,
            from: from.clone(),
            at,
            place: format!("{} {path}", method.name),
            tag: "outcome".to_owned(),
            message: reason.to_string(),
            advice: reason.advice().to_owned(),
        });
    }
}

fn of_position(method: &ResolvedMethod, node: &Node, found: &mut Vec<Finding>) {
    let path = node.path.to_string();
    let place = format!("{} {path}", method.name);
    if let Some(tagged) = &node.tags.describe {
        let at = keys(method, &["at", &path, "describe"]);
        found.extend(words(&tagged.tag, &tagged.from, at, &place, "describe"));
    }
    if let Some(tagged) = &node.tags.text
        && tagged.from.source != Source::Pack
        && let Some(pattern) = &tagged.tag.pattern
        && let Err(error) = Pattern::compile(pattern)
    {
        found.push(Finding {
            code: FindingCode::Pattern,
            from: tagged.from.clone(),
            at: keys(method, &["at", &path, "text", "pattern"]),
            place,
            tag: "text.pattern".to_owned(),
            message: error.to_string(),
            advice: "write a pattern without it, or bound the text by `max_len`".to_owned(),
        });
    }
    match &node.through_opts().1.shape {
        Shape::Record(fields) => {
            for field in fields {
                of_position(method, &field.node, found);
            }
        }
        Shape::Variant(cases) => {
            for case in cases {
                of_position(method, &case.node, found);
            }
        }
        Shape::Vec(inner) => of_position(method, inner, found),
        _ => {}
    }
}

/// The finding about words that are not told as they were written.
fn words(
    text: &str,
    from: &Provenance,
    at: Vec<String>,
    place: &str,
    tag: &str,
) -> Option<Finding> {
    let told = one_line(text);
    (from.source != Source::Pack && told != text).then(|| Finding {
        code: FindingCode::Words,
        from: from.clone(),
        at,
        place: place.to_owned(),
        tag: tag.to_owned(),
        message: format!("a model reads these words as {told:?}"),
        advice: "write one line of at most 120 plain characters".to_owned(),
    })
}
