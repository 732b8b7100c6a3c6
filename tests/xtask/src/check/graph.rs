//! Which packages core, the pages and the artefacts are made of.

use serde_json::Value;
use std::collections::BTreeSet;

use super::{Finding, supply};
use crate::build::PIECES;
use crate::run::{Failure, Outcome, Run};
use crate::workspace::Workspace;

const CORE: &str = "countersign-core";
const UI: &str = "countersign-ui";
const WASM: &str = "wasm32-unknown-unknown";

/// What core may depend on by itself.
const CORE_MAY: &[&str] = &[
    "argon2",
    "bip32",
    "bip39",
    "candid",
    "candid_parser",
    "chacha20poly1305",
    "ciborium",
    "crc32fast",
    "clap",
    "clap_complete",
    "ed25519-dalek",
    "hkdf",
    "hmac",
    "ic-certification",
    "ic-transport-types",
    "ic-verify-bls-signature",
    "ic_principal",
    "icrc-ledger-types",
    "k256",
    "litemap",
    "num-bigint",
    "num-traits",
    "regex-lite",
    "serde",
    "serde_bytes",
    "serde_json",
    "sha2",
    "subtle",
    "thiserror",
    "unicode-normalization",
    "zeroize",
];

/// What nothing in core's tree may be: a browser, a runtime, an agent, a clock, randomness.
const CORE_NEVER: &[&str] = &[
    "chrono",
    "getrandom",
    "ic-agent",
    "instant",
    "js-sys",
    "leptos",
    "tokio",
    "wasm-bindgen",
    "wasm-bindgen-futures",
    "web-sys",
    "web-time",
];

/// Features that no release artefact may have.
const NEVER_SHIPPED: &[&str] = &["cli", "gallery", "test-build", "testing"];

/// Cargo's view of a workspace.
pub struct Graph {
    pub packages: Vec<Package>,
    /// Code that is in an artefact.
    pub shipped: BTreeSet<Node>,
    /// The same for the worker alone.
    pub worker: BTreeSet<Node>,
    /// What is in an artefact or runs while it is built.
    pub building: BTreeSet<Node>,
    core: BTreeSet<Node>,
}

/// A package as cargo knows it.
pub struct Package {
    pub name: String,
    pub version: String,
    pub licence: Option<String>,
    pub source: Option<String>,
    pub member: bool,
    /// Has a build script, or is a procedural macro.
    pub runs_at_build: bool,
    /// Names of its own, normal dependencies.
    dependencies: Vec<String>,
}

/// A package in a tree, with the features it has there.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Node {
    pub name: String,
    pub version: String,
    features: Vec<String>,
}

pub fn findings(workspace: &Workspace) -> Outcome<Vec<Finding>> {
    let graph = Graph::read(workspace)?;
    let mut found = core(&graph);
    found.extend(features(&graph, workspace)?);
    found.extend(supply::findings(&graph, workspace)?);
    found.sort();
    found.dedup();
    Ok(found)
}

impl Graph {
    fn read(workspace: &Workspace) -> Outcome<Self> {
        let code = "normal,no-proc-macro";
        let (mut shipped, mut building) = (BTreeSet::new(), BTreeSet::new());
        let mut worker = BTreeSet::new();
        for piece in PIECES {
            let nodes = tree(workspace, piece.package, code, &[])?;
            if piece.name == "worker" {
                worker = nodes.clone();
            }
            shipped.extend(nodes);
            building.extend(tree(workspace, piece.package, "normal,build", &[])?);
        }
        Ok(Self {
            packages: packages(workspace)?,
            shipped,
            worker,
            building,
            core: tree(workspace, CORE, code, &["--features", "wallet"])?,
        })
    }
}

/// The packages that a crate is made of in wasm.
fn tree(
    workspace: &Workspace,
    package: &str,
    edges: &str,
    more: &[&str],
) -> Outcome<BTreeSet<Node>> {
    let text = workspace
        .cargo(&[
            "tree",
            "--package",
            package,
            "--target",
            WASM,
            "--edges",
            edges,
        ])
        .args(&["--prefix", "none", "--no-dedupe", "--format", "{p}|{f}"])
        .args(more)
        .output()?;
    Ok(text.lines().filter_map(node).collect())
}

/// Reads `name v1.2.3 (…)|feature,feature`.
fn node(line: &str) -> Option<Node> {
    let (package, features) = line.rsplit_once('|')?;
    let mut words = package.split(' ');
    Some(Node {
        name: words.next()?.to_owned(),
        version: words.next()?.trim_start_matches('v').to_owned(),
        features: features
            .split(',')
            .filter(|feature| !feature.is_empty())
            .map(str::to_owned)
            .collect(),
    })
}

fn packages(workspace: &Workspace) -> Outcome<Vec<Package>> {
    let host = Run::new("rustc").arg("-vV").output()?;
    let host = host
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .ok_or_else(|| Failure::new("rustc does not name its host"))?;
    let text = workspace
        .cargo(&[
            "metadata",
            "--format-version",
            "1",
            "--filter-platform",
            WASM,
        ])
        .args(&["--filter-platform", host])
        .output()?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|e| Failure::new(format!("cargo metadata: {e}")))?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let members = list(&metadata["workspace_members"]);
    Ok(list(&metadata["packages"])
        .iter()
        .map(|package| Package {
            name: text_of(&package["name"]),
            version: text_of(&package["version"]),
            licence: package["license"].as_str().map(str::to_owned),
            source: package["source"].as_str().map(str::to_owned),
            member: members.contains(&package["id"]),
            runs_at_build: list(&package["targets"])
                .iter()
                .flat_map(|target| list(&target["kind"]))
                .any(|kind| kind == "custom-build" || kind == "proc-macro"),
            dependencies: list(&package["dependencies"])
                .iter()
                .filter(|dependency| dependency["kind"].is_null())
                .map(|dependency| text_of(&dependency["name"]))
                .collect(),
        })
        .collect())
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn core(graph: &Graph) -> Vec<Finding> {
    let mut found = Vec::new();
    for package in graph.packages.iter().filter(|package| package.name == CORE) {
        for dependency in &package.dependencies {
            if !CORE_MAY.contains(&dependency.as_str()) {
                found.push(Finding {
                    rule: "core-dependencies",
                    at: dependency.clone(),
                    says: "core may not depend on it: `CORE_MAY` here lists what it may".to_owned(),
                });
            }
        }
    }
    for node in &graph.core {
        if CORE_NEVER.contains(&node.name.as_str()) {
            found.push(Finding {
                rule: "core-never",
                at: node.name.clone(),
                says: "core's tree has no browser, runtime, agent, clock or randomness".to_owned(),
            });
        }
    }
    found
}

fn features(graph: &Graph, workspace: &Workspace) -> Outcome<Vec<Finding>> {
    let mut found = Vec::new();
    for node in tree(workspace, UI, "normal,no-proc-macro", &[])? {
        if node.name == CORE {
            for feature in node.features.iter().filter(|name| *name != "default") {
                found.push(Finding {
                    rule: "ui-core-features",
                    at: feature.clone(),
                    says: "the pages link core without features".to_owned(),
                });
            }
        }
    }
    let ours: Vec<&str> = PIECES
        .iter()
        .map(|piece| piece.package)
        .chain([CORE])
        .collect();
    for node in graph
        .shipped
        .iter()
        .filter(|node| ours.contains(&node.name.as_str()))
    {
        for feature in node.features.iter() {
            if NEVER_SHIPPED.contains(&feature.as_str()) {
                found.push(Finding {
                    rule: "release-features",
                    at: format!("{}/{feature}", node.name),
                    says: "no release artefact has this feature".to_owned(),
                });
            }
        }
    }
    Ok(found)
}
