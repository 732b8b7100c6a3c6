//! The JSON Schema of profiles, judged by a validator of JSON Schema: it takes what the wallet reads
//! and refuses what the wallet refuses.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

use std::fs;
use std::path::{Path, PathBuf};

use countersign_core::profile::Document;
use countersign_judges::script_with;
use serde_json::{Value, json};

fn core() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core")
}

/// Whether the schema takes each.
fn judged(profiles: &[String]) -> Vec<bool> {
    let schema = core().join("profile.schema.json");
    let mut args = vec![schema.to_str().unwrap()];
    args.extend(profiles.iter().map(String::as_str));
    serde_json::from_str(&script_with("ajv", "schema.mjs", &args)).unwrap()
}

fn with_methods(methods: &Value) -> Value {
    json!({ "format": "candid-profile", "format_version": 0, "name": "x", "methods": methods })
}

/// What is said of one method, of one position, of one value.
fn method(tags: &Value) -> Value {
    with_methods(&json!({ "m": tags }))
}

fn position(tags: &Value) -> Value {
    method(&json!({ "at": { "a": tags } }))
}

fn value(value: &Value) -> Value {
    position(&json!({ "value": value }))
}

/// Every built-in profile, and every example of the book.
fn good() -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for entry in fs::read_dir(core().join("src/profile/packs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "json") {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
    let book = fs::read_to_string(core().join("PROFILE.md")).unwrap();
    for block in book.split("```json ").skip(1) {
        let (info, rest) = block.split_once('\n').unwrap();
        let example: Value = serde_json::from_str(rest.split("```").next().unwrap()).unwrap();
        let document = match info.split(' ').collect::<Vec<_>>().as_slice() {
            ["document"] => example,
            ["method", name] => with_methods(&json!({ *name: example })),
            ["position", name, place] => {
                with_methods(&json!({ *name: { "at": { *place: example } } }))
            }
            other => panic!("a block of no known kind: {other:?}"),
        };
        found.push(document.to_string());
    }
    found
}

#[test]
fn the_schema_takes_every_pack_and_every_example() {
    let profiles = good();
    assert!(profiles.len() > 30);
    for (profile, taken) in profiles.iter().zip(judged(&profiles)) {
        assert!(taken, "{profile}");
        assert!(Document::parse(profile).is_ok(), "{profile}");
    }
}

#[test]
fn the_schema_refuses_what_the_wallet_refuses() {
    let effect = |effect: &Value| method(&json!({ "effect": effect }));
    let profiles = [
        json!({}),
        json!([]),
        json!({ "format": "other", "format_version": 0, "name": "x" }),
        json!({ "format": "candid-profile", "format_version": 1, "name": "x" }),
        json!({ "format": "candid-profile", "format_version": 0 }),
        json!({ "format": "candid-profile", "format_version": 0, "name": "x", "chain": "evm" }),
        json!({ "format": "candid-profile", "format_version": 0, "name": "x", "more": 1 }),
        json!({ "format": "candid-profile", "format_version": 0, "name": "x", "candid": "service : {}" }),
        json!({ "format": "candid-profile", "format_version": 0, "name": "x", "names": { "a": {} } }),
        json!({ "format": "candid-profile", "format_version": 0, "name": "x",
            "names": { "a": { "source": "canister" } } }),
        method(&json!({ "intend": "x" })),
        method(&json!({ "intent": 1 })),
        effect(&json!({ "kind": "transfer" })),
        effect(&json!({ "kind": "Ignore this", "irreversible": true })),
        effect(&json!({ "kind": "a", "irreversible": "yes" })),
        effect(&json!({ "kind": "a", "irreversible": true, "grant": { "to": "a" } })),
        method(&json!({ "outcome": { "Ok": "done" } })),
        method(&json!({ "outcome": { "": "success" } })),
        method(&json!({ "idempotency": { "stamp": "a", "window": -1, "drift": 0 } })),
        method(&json!({ "idempotency": { "stamp": "a", "drift": 0 } })),
        method(&json!({ "reconcile": "guess" })),
        method(&json!({ "cases": { "a.B": { "idempotency": {} } } })),
        method(&json!({ "names": { "a": { "list": "(0)", "value": "(0)[].id" } } })),
        position(&json!({ "descibe": "x" })),
        position(&json!({ "auto": "zero" })),
        position(&json!({ "ui": {} })),
        position(&json!({ "payer": "yes" })),
        position(&json!({ "text": { "max_len": -1 } })),
        position(&json!({ "text": { "format": "phone" } })),
        position(&json!({ "range": { "min": 1 } })),
        value(&json!({ "kind": "money" })),
        value(&json!({ "kind": "account", "unit": "seconds" })),
        value(&json!({ "kind": "timestamp" })),
        value(&json!({ "kind": "timestamp", "unit": "days" })),
        value(&json!({ "kind": "amount", "symbol": "T" })),
        value(&json!({ "kind": "amount" })),
        value(&json!({ "kind": "amount", "symbol": "T", "decimals": 256 })),
        value(
            &json!({ "kind": "amount", "symbol": "T", "decimals": { "from": "icrc1_decimals" } }),
        ),
    ];
    let texts: Vec<String> = profiles.iter().map(Value::to_string).collect();
    for (profile, taken) in texts.iter().zip(judged(&texts)) {
        assert!(!taken, "{profile}");
        assert!(Document::parse(profile).is_err(), "{profile}");
    }
}
