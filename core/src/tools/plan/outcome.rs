//! Outcome keys: from relpaths to ways through a reply's cases, checked against its type.

use super::super::{
    shape,
    skip::{Place, SkipReason},
};
use crate::profile::{
    Case, Class, Field, Node, Outcome, RelPath, Resolved, ResolvedMethod, Root, Step,
};
use std::collections::BTreeMap;

/// The step of a way into the elements of a `vec`. No case or field is told by this name: a way's
/// steps are read by what the type is there.
pub(in crate::tools) const ELEMENTS: &str = "[]";

/// The outcome keys as ways through cases and fields, each checked against the result's type.
pub(super) fn outcome_keys(
    resolved: &Resolved,
    method: &ResolvedMethod,
    outcome: &Outcome,
) -> Result<Vec<(Vec<String>, Class)>, SkipReason> {
    let mut keys: Vec<(Vec<String>, Class)> = Vec::new();
    // The field that keys read at each record they pass.
    let mut branches: BTreeMap<Vec<String>, String> = BTreeMap::new();
    for (path, class) in &outcome.classes {
        let [result] = method.results.as_slice() else {
            return Err(SkipReason::OutcomeResults);
        };
        keys.push((outcome_key(resolved, result, path, &mut branches)?, *class));
    }
    Ok(keys)
}

/// Each outcome key that cannot class a reply, and why.
pub(in crate::tools) fn outcome_faults(
    resolved: &Resolved,
    method: &ResolvedMethod,
    outcome: &Outcome,
) -> Vec<(RelPath, SkipReason)> {
    let mut branches = BTreeMap::new();
    let faults = outcome.classes.iter().filter_map(|(path, _)| {
        let reason = match method.results.as_slice() {
            [result] => outcome_key(resolved, result, path, &mut branches).err()?,
            _ => SkipReason::OutcomeResults,
        };
        Some((path.clone(), reason))
    });
    faults.collect()
}

fn outcome_key(
    resolved: &Resolved,
    result: &Node,
    path: &RelPath,
    branches: &mut BTreeMap<Vec<String>, String>,
) -> Result<Vec<String>, SkipReason> {
    let nothing = || SkipReason::OutcomeNothing(Place::of(path));
    if path.root != Root::Results || path.index != 0 || path.steps.is_empty() {
        return Err(nothing());
    }
    let mut node = result;
    let mut way = Vec::new();
    let mut ends_on_case = false;
    for step in &path.steps {
        let (name, numbered) = match step {
            Step::Member(name) => (name.clone(), false),
            Step::Number(number) => (number.to_string(), true),
            Step::Elements => {
                let inner = shape::content(resolved, node);
                node = shape::elements(inner).ok_or_else(nothing)?;
                ends_on_case = false;
                way.push(ELEMENTS.to_owned());
                continue;
            }
        };
        let inner = shape::content(resolved, node);
        if let Some(cases) = shape::cases(inner) {
            ends_on_case = true;
            node = find_case(cases, &name, numbered).ok_or_else(nothing)?;
        } else if let Some(fields) = shape::fields(inner) {
            ends_on_case = false;
            node = find_field(fields, &name, numbered).ok_or_else(nothing)?;
            let read = branches.entry(way.clone()).or_insert_with(|| name.clone());
            if *read != name {
                return Err(SkipReason::OutcomeBranch(Place::of(path)));
            }
        } else {
            return Err(nothing());
        }
        way.push(name);
    }
    if !ends_on_case {
        return Err(SkipReason::OutcomeField(Place::of(path)));
    }
    Ok(way)
}

fn find_case<'a>(cases: &'a [Case], name: &str, numbered: bool) -> Option<&'a Node> {
    cases
        .iter()
        .find(|case| case.is_numbered() == numbered && case.name() == name)
        .map(|case| &case.node)
}

fn find_field<'a>(fields: &'a [Field], name: &str, numbered: bool) -> Option<&'a Node> {
    fields
        .iter()
        .find(|field| field.is_numbered() == numbered && field.name() == name)
        .map(|field| &field.node)
}
