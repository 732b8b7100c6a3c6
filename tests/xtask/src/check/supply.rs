//! Where the packages come from, under which licences, and which of them run while we build.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::graph::Graph;
use crate::run::{Outcome, read};
use crate::workspace::Workspace;

/// Packages shipped in two versions, each with its reason: `name: reason` a line.
const DUPLICATES: &str = "tests/supply/duplicates.txt";
/// Packages of the shipped crates that have a build script or are a procedural macro: a name a line.
const RUNS_AT_BUILD: &str = "tests/supply/runs-at-build.txt";

/// Licences that a package may be under.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages that are not used at all.
const BANNED: &[(&str, &str)] = &[
    ("git2", "no test fetches a repository"),
    ("openssl-sys", "cryptography comes from Rust crates"),
];

/// Packages that are not in the worker.
const BANNED_IN_WORKER: &[(&str, &str)] = &[
    ("ic-agent", "it reads the host's clock, and is too large"),
    ("leptos", "the worker has no pages"),
    (
        "psl",
        "too large; flood control counts by a host's last two labels",
    ),
    ("regex", "too large; regex-lite does"),
    ("reqwest", "the replica port is bytes"),
    ("rmcp", "too large, and its loop does not run there"),
    ("unicode-security", "too large; symbols are ASCII"),
];

pub fn findings(graph: &Graph, workspace: &Workspace) -> Outcome<Vec<Finding>> {
    let mut found = Vec::new();
    origins(graph, &mut found);
    let mut bans = |name: &str, list: &[(&str, &str)]| {
        if let Some((_, reason)) = list.iter().find(|(banned, _)| *banned == name) {
            found.push(Finding {
                rule: "bans",
                at: name.to_owned(),
                says: (*reason).to_owned(),
            });
        }
    };
    for package in &graph.packages {
        bans(&package.name, BANNED);
    }
    for node in &graph.worker {
        bans(&node.name, BANNED_IN_WORKER);
    }
    duplicates(graph, &list(workspace, DUPLICATES), &mut found);
    run_at_build(graph, &list(workspace, RUNS_AT_BUILD), &mut found);
    Ok(found)
}

fn list(workspace: &Workspace, file: &str) -> Vec<String> {
    read(&workspace.path(file))
        .unwrap_or_default()
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn origins(graph: &Graph, found: &mut Vec<Finding>) {
    let index = format!(
        "registry+https://github.com/rust-lang/crates{}",
        ".io-index"
    );
    for package in graph.packages.iter().filter(|package| !package.member) {
        let at = format!("{} {}", package.name, package.version);
        match &package.source {
            Some(source) if *source == index => {}
            source => found.push(Finding {
                rule: "sources",
                at: at.clone(),
                says: format!(
                    "it comes from {}, not from Rust's own registry",
                    source
                        .as_deref()
                        .unwrap_or("a folder outside the workspace")
                ),
            }),
        }
        let licence = package.licence.as_deref().unwrap_or("no licence");
        if !allowed(licence) {
            found.push(Finding {
                rule: "licences",
                at,
                says: format!("its licence is `{licence}`"),
            });
        }
    }
}

/// Whether a licence expression can be met with the licences in the list.
fn allowed(expression: &str) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let met = any(&mut rest);
    met && rest.is_empty()
}

fn any(words: &mut &[&str]) -> bool {
    let mut met = all(words);
    while let Some(("OR", rest)) = words.split_first().map(|(first, rest)| (*first, rest)) {
        *words = rest;
        let next = all(words);
        met |= next;
    }
    met
}

fn all(words: &mut &[&str]) -> bool {
    let mut met = one(words);
    while let Some(("AND", rest)) = words.split_first().map(|(first, rest)| (*first, rest)) {
        *words = rest;
        let next = one(words);
        met &= next;
    }
    met
}

fn one(words: &mut &[&str]) -> bool {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let met = any(words);
            match *words {
                [")", rest @ ..] => {
                    *words = rest;
                    met
                }
                _ => false,
            }
        }
        [licence, "WITH", exception, rest @ ..] => {
            *words = rest;
            LICENCES.contains(&format!("{licence} WITH {exception}").as_str())
        }
        [licence, rest @ ..] => {
            *words = rest;
            LICENCES.contains(licence)
        }
        [] => false,
    }
}

fn duplicates(graph: &Graph, listed: &[String], found: &mut Vec<Finding>) {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for node in &graph.shipped {
        versions
            .entry(&node.name)
            .or_default()
            .insert(&node.version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    let reasons: BTreeMap<&str, &str> = listed
        .iter()
        .filter_map(|line| line.split_once(": "))
        .collect();
    let mut broken = |at: &str, says: String| {
        found.push(Finding {
            rule: "duplicates",
            at: at.to_owned(),
            says,
        });
    };
    for (name, versions) in &versions {
        if !reasons.contains_key(name) {
            let versions: Vec<&str> = versions.iter().copied().collect();
            broken(
                name,
                format!(
                    "shipped as {}; {DUPLICATES} gives no reason",
                    versions.join(" and ")
                ),
            );
        }
    }
    for name in reasons.keys().filter(|name| !versions.contains_key(*name)) {
        broken(name, format!("it is in {DUPLICATES} but shipped once"));
    }
}

fn run_at_build(graph: &Graph, listed: &[String], found: &mut Vec<Finding>) {
    let building: BTreeSet<(&str, &str)> = graph
        .building
        .iter()
        .map(|node| (node.name.as_str(), node.version.as_str()))
        .collect();
    let running: BTreeSet<&str> = graph
        .packages
        .iter()
        .filter(|package| {
            package.runs_at_build
                && building.contains(&(package.name.as_str(), package.version.as_str()))
        })
        .map(|package| package.name.as_str())
        .collect();
    let listed: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
    let mut broken = |name: &str, says: String| {
        found.push(Finding {
            rule: "runs-at-build",
            at: name.to_owned(),
            says,
        });
    };
    for name in running.difference(&listed) {
        broken(
            name,
            format!("it runs while a shipped crate is built, and {RUNS_AT_BUILD} does not name it"),
        );
    }
    // The list was made on Linux; elsewhere some of it does not run.
    if cfg!(target_os = "linux") {
        for name in listed.difference(&running) {
            broken(
                name,
                format!("{RUNS_AT_BUILD} names it, and it runs in no build of a shipped crate"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_expression_is_met_as_it_is_written() {
        for met in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0-only OR MIT",
            "(MIT OR GPL-3.0-only) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0-only",
        ] {
            assert!(allowed(met), "{met}");
        }
        for not in [
            "",
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT OR Apache-2.0",
            "MIT)",
            "MIT WITH LLVM-exception",
            "no licence",
        ] {
            assert!(!allowed(not), "{not}");
        }
    }
}
