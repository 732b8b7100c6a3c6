//! `check`: format, lints, documentation, and the project's own rules, each by its name.
//!
//! A rule looks at the tree of sources or at cargo's graph of packages and gives findings. Before
//! the project is judged, the rules are: `tests/check` holds small trees that break a rule each
//! (and two that break none), and a rule that lets its tree pass fails the check.
//!
//! To add one: a function here that gives [`Finding`]s under the rule's name; its call in
//! [`in_tree`] (sources) or `graph::findings` (packages); its name in `selftest::RULES`; and a
//! tree in `tests/check` with an `expect.txt`. In such a tree `@@` and a closing `.fixture` of a
//! name are taken away when it is laid out, so that the trees do not break the rules themselves.

mod borders;
mod graph;
mod layout;
mod manifest;
mod rooms;
mod rows;
mod security;
mod seeds;
mod selftest;
mod source;
mod supply;
mod tree;
mod waiting;

use std::fmt;

use crate::report::Steps;
use crate::run::{Outcome, fail};
use crate::setup;
use crate::workspace::Workspace;

pub use security::missing as defences_that_did_not_run;
pub use seeds::missing as seeds_that_did_not_run;
pub use tree::Tree;

/// One place where a rule is broken.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Finding {
    pub rule: &'static str,
    /// File, or file and line, or package.
    pub at: String,
    pub says: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.rule, self.at, self.says)
    }
}

/// Private items are documented as well, so a link to one leads somewhere.
const PRIVATE_TOO: &str = "--deny warnings --allow rustdoc::private_intra_doc_links";

pub fn run(workspace: &Workspace) -> Outcome {
    let mut steps = Steps::default();
    if let Err(failure) = setup::for_build(workspace, &mut steps) {
        return steps.stopped(failure);
    }
    all(workspace, &mut steps);
    steps.finish()
}

/// Every check; what fails is in the steps.
pub fn all(workspace: &Workspace, steps: &mut Steps) {
    steps.step("check: rules refuse what breaks them", || {
        selftest::run(workspace)
    });
    steps.step("check: rules of the tree", || {
        judge(in_tree(&Tree::of(workspace)?)?)
    });
    steps.step("check: rules of the packages", || {
        judge(graph::findings(workspace)?)
    });
    steps.step("check: format", || {
        workspace.cargo(&["fmt", "--all", "--check"]).shown()
    });
    let deny = ["--", "--deny", "warnings"];
    steps.step("check: clippy", || {
        workspace
            .cargo(&["clippy", "--locked", "--workspace", "--all-targets"])
            .args(&[
                "--features",
                "countersign-core/cli,countersign-core/testing,countersign-proof/native",
            ])
            .args(&deny)
            .shown()
    });
    for (package, features) in [
        ("countersign-core", None),
        ("countersign-core", Some("wallet")),
        ("countersign-extension", None),
        ("countersign-proof", None),
        ("countersign-ui", None),
    ] {
        let with = features.map_or(String::new(), |features| format!(" with {features}"));
        steps.step(&format!("check: clippy, wasm, {package}{with}"), || {
            let mut clippy = workspace
                .cargo(&["clippy", "--locked", "--package", package])
                .args(&["--target", "wasm32-unknown-unknown"]);
            if package != "countersign-core" {
                clippy = clippy.arg("--all-targets");
            }
            if let Some(features) = features {
                clippy = clippy.args(&["--features", features]);
            }
            clippy.args(&deny).shown()
        });
    }
    steps.step("check: documentation", || {
        workspace
            .cargo(&["doc", "--locked", "--workspace", "--no-deps"])
            .arg("--document-private-items")
            .args(&[
                "--features",
                "countersign-core/cli,countersign-core/testing",
            ])
            .env("RUSTDOCFLAGS", PRIVATE_TOO)
            .shown()
    });
}

/// What the rules about sources find in a tree.
fn in_tree(tree: &Tree) -> Outcome<Vec<Finding>> {
    let sources = tree.sources()?;
    let mut found = Vec::new();
    found.extend(rooms::findings(&sources));
    found.extend(borders::findings(tree, &sources)?);
    found.extend(layout::findings(tree)?);
    found.extend(manifest::findings(tree)?);
    found.extend(waiting::findings(tree, &sources)?);
    found.extend(seeds::findings(tree, &sources)?);
    found.extend(security::findings(tree, &sources)?);
    found.sort();
    Ok(found)
}

/// A failure that lists the findings, if there are any.
fn judge(found: Vec<Finding>) -> Outcome {
    if found.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = found.iter().map(Finding::to_string).collect();
    fail(lines.join("\n"))
}
