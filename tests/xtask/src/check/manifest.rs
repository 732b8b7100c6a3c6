//! What the extension may do: the manifest's permissions are a golden file.

use serde_json::{Map, Value};

use super::{Finding, Tree};
use crate::run::Outcome;

const GOLDEN: &str = "tests/golden/permissions.json";

/// Words for a person, and what says nothing about rights.
const NO_RIGHTS: &[&str] = &[
    "action",
    "default_locale",
    "description",
    "icons",
    "manifest_version",
    "minimum_chrome_version",
    "name",
    "short_name",
];

pub fn findings(tree: &Tree) -> Outcome<Vec<Finding>> {
    if !tree.has("manifest.json") {
        return Ok(Vec::new());
    }
    let parsed = |file: &str| -> Outcome<Result<Map<String, Value>, String>> {
        if !tree.has(file) {
            return Ok(Err("is missing".to_owned()));
        }
        let text = tree.text(file)?.unwrap_or_default();
        Ok(serde_json::from_str(&text).map_err(|e| e.to_string()))
    };
    let finding = |at: &str, says: String| {
        vec![Finding {
            rule: "permissions-golden",
            at: at.to_owned(),
            says,
        }]
    };
    let mut manifest = match parsed("manifest.json")? {
        Ok(manifest) => manifest,
        Err(says) => return Ok(finding("manifest.json", says)),
    };
    manifest.retain(|key, _| !NO_RIGHTS.contains(&key.as_str()));
    let golden = match parsed(GOLDEN)? {
        Ok(golden) => golden,
        Err(says) => return Ok(finding(GOLDEN, says)),
    };
    if manifest == golden {
        return Ok(Vec::new());
    }
    let mut keys: Vec<&String> = manifest.keys().chain(golden.keys()).collect();
    keys.retain(|key| manifest.get(*key) != golden.get(*key));
    keys.sort();
    keys.dedup();
    let differing: Vec<String> = keys.into_iter().map(|key| format!("`{key}`")).collect();
    Ok(finding(
        "manifest.json",
        format!(
            "what the extension may do is not what {GOLDEN} says: {}; a person decides whether \
             the golden file is to follow",
            differing.join(", ")
        ),
    ))
}
