//! The format as `PROFILE.md` and the JSON Schema have it: every example is read and merged, and no
//! tag, code or kind is missing from either.

#![cfg(feature = "wallet")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::collections::BTreeSet;
use std::rc::Rc;

use countersign_core::interface::Interface;
use countersign_core::profile::{
    Document, FindingCode, RelPath, Resolved, Root, Severity, packs, resolve,
};
use countersign_core::tools::{build_plans, lint};
use serde_json::{Value, json};

const BOOK: &str = include_str!("../PROFILE.md");
const SCHEMA: &str = include_str!("../profile.schema.json");

/// The fenced blocks: what stands after the fence, and what is in it.
fn blocks() -> Vec<(&'static str, String)> {
    let mut blocks = Vec::new();
    let mut lines = BOOK.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let text: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((info, text.join("\n")));
        }
    }
    blocks
}

fn interface() -> Interface {
    let blocks = blocks();
    let (_, text) = blocks.iter().find(|(info, _)| *info == "candid").unwrap();
    Interface::parse(text).unwrap()
}

/// The examples as whole documents, each with its fence.
fn examples() -> Vec<(&'static str, Value)> {
    let json = blocks().into_iter().filter_map(|(info, text)| {
        let value: Value = info
            .starts_with("json ")
            .then(|| serde_json::from_str(&text).unwrap())?;
        Some((info, document(info, value)))
    });
    json.collect()
}

fn document(info: &str, value: Value) -> Value {
    let words: Vec<_> = info.split(' ').collect();
    let methods = match words.as_slice() {
        ["json", "document"] => return value,
        ["json", "method", method] => json!({ *method: value }),
        ["json", "position", method, place] => json!({ *method: { "at": { *place: value } } }),
        other => panic!("a block of no known kind: {other:?}"),
    };
    json!({ "format": "candid-profile", "format_version": 0, "name": "example", "methods": methods })
}

fn merged(document: &Value) -> Resolved {
    let document = Document::parse(&document.to_string());
    let document = document.unwrap_or_else(|error| panic!("{error}"));
    resolve(&interface(), &[], &[document])
}

#[test]
fn every_example_of_the_book_merges_without_a_finding() {
    let examples = examples();
    assert!(examples.len() > 20, "{}", examples.len());
    for (info, document) in examples {
        let resolved = Rc::new(merged(&document));
        let found: Vec<_> = lint(&resolved, &build_plans(&resolved))
            .into_iter()
            // An example says one thing; its method may need more for a tool.
            .filter(|finding| finding.code != FindingCode::NoTool)
            .collect();
        assert_eq!(found, [], "{info}");
        assert_eq!(resolved.documents.len(), 1, "{info}: says nothing");
        if let ["json", "position", method, place] = info.split(' ').collect::<Vec<_>>().as_slice()
        {
            let path = RelPath::parse(place, Root::Args).unwrap();
            let node = resolved.methods[*method].position(&path).unwrap();
            assert!(!node.tags.is_empty(), "{info}");
        }
    }
}

/// Every name below the objects of an example that names tags or their parts.
fn names(value: &Value, free: bool, out: &mut BTreeSet<String>) {
    let Value::Object(fields) = value else {
        return;
    };
    for (name, inner) in fields {
        if !free {
            out.insert(name.clone());
        }
        let free = !free
            && ["types", "methods", "at", "outcome", "names", "cases"].contains(&name.as_str());
        names(inner, free, out);
    }
}

/// Every name that the schema gives to an object's fields, and every word of its lists.
fn of_schema(value: &Value, names: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                if name == "properties" {
                    names.extend(inner.as_object().unwrap().keys().cloned());
                }
                if name == "enum" {
                    let list = inner.as_array().unwrap().iter();
                    words.extend(list.map(|word| word.as_str().unwrap().to_owned()));
                }
                of_schema(inner, names, words);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| of_schema(item, names, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_book_has_an_example_of_every_name_in_the_schema() {
    let (mut shown, mut named, mut words) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (_, document) in examples() {
        names(&document, false, &mut shown);
    }
    of_schema(
        &serde_json::from_str(SCHEMA).unwrap(),
        &mut named,
        &mut words,
    );
    // Never needed: it can only say what is so anyway.
    shown.insert("chain".to_owned());
    assert_eq!(shown, named);
    for word in words {
        assert!(
            BOOK.contains(&format!("`{word}`")) || BOOK.contains(&format!("\"{word}\"")),
            "{word}"
        );
    }
}

#[test]
fn the_schema_allows_what_the_reader_knows_and_no_more() {
    let mut named = BTreeSet::new();
    of_schema(
        &serde_json::from_str(SCHEMA).unwrap(),
        &mut named,
        &mut BTreeSet::new(),
    );
    // A name that the reader does not know is told with all it does know there.
    let mut known = BTreeSet::new();
    for place in [
        json!({}),
        json!({ "methods": { "m": {} } }),
        json!({ "methods": { "m": { "effect": {} } } }),
        json!({ "methods": { "m": { "effect": { "grant": {} } } } }),
        json!({ "methods": { "m": { "idempotency": {} } } }),
        json!({ "methods": { "m": { "names": { "n": {} } } } }),
        json!({ "methods": { "m": { "cases": { "c": {} } } } }),
        json!({ "names": { "n": {} } }),
        json!({ "types": { "T": {} } }),
        json!({ "types": { "T": { "value": {} } } }),
        json!({ "types": { "T": { "value": { "decimals": {} } } } }),
        json!({ "types": { "T": { "text": {} } } }),
        json!({ "types": { "T": { "range": {} } } }),
        json!({ "types": { "T": { "ui": {} } } }),
    ] {
        let mut document = place.clone();
        let mut inner = &mut document;
        while inner.as_object().is_some_and(|fields| !fields.is_empty()) {
            inner = inner.as_object_mut().unwrap().values_mut().next().unwrap();
        }
        inner["quite another name"] = json!(1);
        let source = countersign_core::profile::Source::Person;
        let (_, findings) = Document::read_leniently(&document.to_string(), "x", source);
        let advice = &findings
            .iter()
            .find(|f| f.tag == "quite another name")
            .unwrap()
            .advice;
        let list = advice.strip_prefix("the tags here are ").unwrap();
        known.extend(
            list.split(", ")
                .map(|name| name.trim_matches('`').to_owned()),
        );
    }
    assert_eq!(known, named);
}

#[test]
fn the_book_lists_every_finding_with_its_severity() {
    for code in FindingCode::ALL {
        let severity = match code.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let row = format!("| `{}` | {severity} |", code.as_str());
        assert!(BOOK.contains(&row), "{row}");
    }
    let rows = BOOK
        .lines()
        .filter(|line| line.starts_with("| `P_"))
        .count();
    assert_eq!(rows, FindingCode::ALL.len());
}

#[test]
fn what_packs_make_of_the_ledger_is_the_golden_form() {
    let interface = Interface::parse(include_str!("fixtures/ledger.did")).unwrap();
    let form = resolve(&interface, &packs::all(), &[]);
    // The text itself is long; any change of a pack, of the interface or of the format changes it.
    let golden = include_str!("golden/resolved_ledger.txt").trim_end();
    assert_eq!(form.hash().to_string(), golden);
}

#[test]
fn packs_have_no_faults_over_their_own_interfaces() {
    for pack in packs::all() {
        let interface = pack.candid.clone().unwrap();
        let resolved = resolve(&interface, std::slice::from_ref(&pack), &[]);
        assert_eq!(resolved.findings, [], "{}", pack.name);
    }
}
