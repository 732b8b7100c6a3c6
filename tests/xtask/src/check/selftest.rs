//! The rules, judged: every tree in `tests/check` must be refused by exactly the rules it breaks.
//!
//! `tests/check/tree/<name>` is a tree of sources; `tests/check/packages/<name>` is laid over
//! `tests/check/packages/base`, a small workspace that breaks nothing. Each has an `expect.txt`
//! with one rule a line; an empty one means that nothing may be found.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Finding, Tree, graph, in_tree, tree};
use crate::run::{Outcome, fail, files_below, fresh_folder, read, write};
use crate::workspace::Workspace;

/// Every rule there is.
const RULES: &[&str] = &[
    "bans",
    "bridge-runtime-only",
    "chrome-in-ports",
    "core-dependencies",
    "core-never",
    "duplicates",
    "kernel-no-async",
    "licences",
    "machine-path",
    "no-sleep",
    "permissions-golden",
    "registry-host",
    "release-features",
    "room-listed",
    "room-order",
    "runs-at-build",
    "security",
    "seeds",
    "sources",
    "storage-in-ports",
    "top-level",
    "ui-core-features",
    "ui-sees",
];

const EXPECT: &str = "expect.txt";

pub fn run(workspace: &Workspace) -> Outcome {
    let mut shown = BTreeSet::new();
    let mut wrong = Vec::new();
    let fixtures = workspace.path(tree::FIXTURES);
    for name in folders(&fixtures.join("tree"))? {
        let folder = fixtures.join("tree").join(&name);
        let copy = workspace.scratch("check-fixture/tree");
        lay(&folder, &copy, true)?;
        let found = in_tree(&Tree::at(&copy)?)?;
        compare(
            &format!("tree/{name}"),
            &folder,
            &found,
            &mut shown,
            &mut wrong,
        )?;
    }
    for name in folders(&fixtures.join("packages"))? {
        let folder = fixtures.join("packages").join(&name);
        let copy = workspace.scratch("check-fixture/packages");
        lay(&fixtures.join("packages/base"), &copy, true)?;
        lay(&folder, &copy, false)?;
        let found = graph::findings(&Workspace::at(&copy))?;
        compare(
            &format!("packages/{name}"),
            &folder,
            &found,
            &mut shown,
            &mut wrong,
        )?;
    }
    let known: BTreeSet<&str> = RULES.iter().copied().collect();
    for rule in known.iter().filter(|rule| !shown.contains(**rule)) {
        wrong.push(format!("no tree in tests/check breaks `{rule}`"));
    }
    for rule in shown.iter().filter(|rule| !known.contains(rule.as_str())) {
        wrong.push(format!("`{rule}` is no rule"));
    }
    if wrong.is_empty() {
        println!("{} rules, each refuses a tree that breaks it", known.len());
        return Ok(());
    }
    fail(wrong.join("\n"))
}

fn compare(
    name: &str,
    folder: &Path,
    found: &[Finding],
    shown: &mut BTreeSet<String>,
    wrong: &mut Vec<String>,
) -> Outcome {
    let expected: BTreeSet<String> = read(&folder.join(EXPECT))?
        .lines()
        .map(str::to_owned)
        .collect();
    let rules: BTreeSet<String> = found
        .iter()
        .map(|finding| finding.rule.to_owned())
        .collect();
    if rules != expected {
        let lines: Vec<String> = found.iter().map(|finding| format!("  {finding}")).collect();
        wrong.push(format!(
            "tests/check/{name} must be refused by {expected:?} but was by {rules:?}\n{}",
            lines.join("\n")
        ));
    }
    shown.extend(rules);
    Ok(())
}

/// The folders in a folder, sorted.
fn folders(folder: &Path) -> Outcome<BTreeSet<String>> {
    Ok(files_below(folder)?
        .iter()
        .filter_map(|file| file.split_once('/'))
        .map(|(first, _)| first.to_owned())
        .collect())
}

/// Copies a fixture, so that nothing is written into the tree. A name that ends in `.fixture`
/// loses that ending, and a text every `@@`: some files may not have their real name in the
/// project, and some words may not stand in it.
fn lay(from: &Path, to: &Path, fresh: bool) -> Outcome {
    if fresh {
        fresh_folder(to)?;
    }
    for name in files_below(from)?.iter().filter(|name| *name != EXPECT) {
        let target = name.strip_suffix(".fixture").unwrap_or(name);
        write(&to.join(target), read(&from.join(name))?.replace("@@", ""))?;
    }
    Ok(())
}
