//! What the wallet encodes, of types and values made at random, `@icp-sdk/core` decodes to the
//! values it was made from.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

use countersign_core::{ids::to_hex, interface::Interface};
use countersign_judges::icp_sdk_core;
use countersign_proof::random::{Rng, Run, meaning, types::Model};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// What is meant, as far as `@icp-sdk/core` tells it: its text decoder takes a mark of the byte order
/// that begins a text for no part of it.
fn without_marks(meant: &mut Value) {
    match meant {
        Value::String(text) => {
            if let Some(rest) = text.strip_prefix("t:\u{feff}") {
                *text = format!("t:{rest}");
            }
        }
        Value::Array(values) => values.iter_mut().for_each(without_marks),
        Value::Object(fields) => {
            if let Some(Value::String(method)) = fields.get_mut("f").map(|func| &mut func[1])
                && let Some(rest) = method.strip_prefix('\u{feff}')
            {
                *method = rest.to_owned();
            }
            fields.values_mut().for_each(without_marks);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn random_values_mean_the_same_to_icp_sdk_core() {
    let run = Run::of_environment("random values before @icp-sdk/core", 10_000);
    let mut lines = String::new();
    let mut meant = Vec::new();
    run.each(|seed| {
        let mut rng = Rng::new(seed);
        let model = Model::random(&mut rng);
        let interface = Interface::parse(&model.text(&mut rng)).unwrap();
        let values = model.values(&mut rng);
        let given = meaning::to_candid(&model, &values);
        let bytes = interface.args("m").unwrap().encode(&given).unwrap();
        let line = json!({ "types": model.to_json(), "hex": to_hex(&bytes) });
        lines.push_str(&line.to_string());
        lines.push('\n');
        let mut means = meaning::of_values(&model, &values);
        without_marks(&mut means);
        meant.push((seed, means, model));
    });
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random-values.ndjson");
    fs::write(&file, lines).unwrap();
    let said = icp_sdk_core("random.mjs", &[file.to_str().unwrap()]);
    let said: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(said.len(), meant.len());
    for ((seed, meant, model), said) in meant.iter().zip(&said) {
        assert_eq!(said, meant, "the case of seed {seed}: {}", model.to_json());
    }
}
