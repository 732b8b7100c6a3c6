//! The name that was probably meant.

use super::position::find;
use super::relpath::{RelPath, Root, Step};
use super::resolved::{Case, Field, ResolvedMethod, Shape};

/// The most names that are listed.
const MAX_LISTED: usize = 20;
/// The most names that a wrong one is compared with.
const MAX_COMPARED: usize = 64;
/// The most findings for which what was meant is looked for.
const MAX_ADVISED: usize = 20;

/// Advice for a path that leads nowhere: what is there where it goes wrong.
///
/// After the first [`MAX_ADVISED`] findings, `found` of them, there is only the rule: each look takes
/// time, and a document may be wrong everywhere.
pub(super) fn nearest_place(method: &ResolvedMethod, path: &RelPath, found: usize) -> String {
    if found >= MAX_ADVISED {
        return "name a position that the method has".to_owned();
    }
    let mut known = RelPath {
        steps: Vec::new(),
        ..path.clone()
    };
    let (tuple, what) = match path.root {
        Root::Args => (&method.args, "arguments"),
        Root::Results => (&method.results, "results"),
    };
    if path.index >= tuple.len() {
        return format!("the method has {} {what}, counted from 0", tuple.len());
    }
    for step in &path.steps {
        let further = known.then(step.clone());
        if find(method, &further).is_none() {
            break;
        }
        known = further;
    }
    let shape = find(method, &known).map(|node| &node.through_opts().1.shape);
    let there: Vec<String> = match shape {
        Some(Shape::Record(fields)) => fields.iter().map(Field::name).collect(),
        Some(Shape::Variant(cases)) => cases.iter().map(Case::name).collect(),
        Some(Shape::Vec(_)) => vec!["[]".to_owned()],
        _ => Vec::new(),
    };
    let wanted = match path.steps.get(known.steps.len()) {
        Some(Step::Member(name)) => name.as_str(),
        Some(Step::Number(_) | Step::Elements) | None => "",
    };
    let otherwise = match there.as_slice() {
        [] => format!("nothing lies below `{known}`"),
        there => {
            let more = if there.len() > MAX_LISTED {
                ", …"
            } else {
                ""
            };
            let listed: Vec<_> = there.iter().take(MAX_LISTED).map(String::as_str).collect();
            format!("below `{known}` there are `{}`{more}", listed.join("`, `"))
        }
    };
    nearest(wanted, there.iter().map(String::as_str), &otherwise, found)
}

/// Advice for a name that is not there: the nearest one that is, or else `otherwise`; after the first
/// [`MAX_ADVISED`] findings, `found` of them, always that.
pub(super) fn nearest<'a>(
    wrong: &str,
    known: impl Iterator<Item = &'a str>,
    otherwise: &str,
    found: usize,
) -> String {
    if found >= MAX_ADVISED {
        return otherwise.to_owned();
    }
    known
        .take(MAX_COMPARED)
        .map(|name| (distance(wrong, name), name))
        .filter(|(distance, name)| *distance <= name.chars().count().div_ceil(3))
        .min()
        .map_or_else(
            || otherwise.to_owned(),
            |(_, name)| format!("did you mean `{name}`?"),
        )
}

/// How many characters have to be put in, taken out, changed or swapped with the next one.
fn distance(a: &str, b: &str) -> usize {
    /// Longer names are not compared: the work is the product of both lengths.
    const LONGEST: usize = 40;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let changed = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            next.push(least);
        }
        before = core::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_told_and_a_far_one_is_not() {
        let known = ["describe", "value", "range"];
        let advice = |wrong| nearest(wrong, known.into_iter(), "none", 0);
        assert_eq!(advice("descibe"), "did you mean `describe`?");
        assert_eq!(advice("vlaue"), "did you mean `value`?");
        assert_eq!(advice("amount"), "none");
        assert_eq!(advice(&"x".repeat(1_000)), "none");
    }
}
