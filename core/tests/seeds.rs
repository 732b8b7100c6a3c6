//! Rules of the seeds that hold over any interface: what skips a method, what both dialects have in
//! common, and which words a model reads, to the byte.

#![cfg(feature = "wallet")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::{collections::BTreeMap, rc::Rc};

use candid::{IDLArgs, IDLValue};
use countersign_core::{
    ids::Principal,
    interface::Interface,
    json::Json,
    profile::{Class, Document, packs, resolve},
    time::Timestamp,
    tools::{
        Canister, Catalog, Dialect, NameBook, Plans, RefValue, Tool, build_plans, commit_definition,
    },
};
use serde_json::{Value, json};

const LEDGER: &str = include_str!("fixtures/ledger.did");
const TKA: &str = "bkyz2-fmaaa-aaaaa-qaaaq-cai";
const PAYEE: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";
/// The clock of the seed's example.
const NOW: Timestamp = Timestamp::from_nanos(1_791_547_201_000_000_000);

fn plans(text: &str, profile: Option<&Value>) -> Plans {
    let interface = Interface::parse(text).unwrap();
    let profiles: Vec<Document> = profile
        .iter()
        .map(|profile| Document::parse(&profile.to_string()).unwrap())
        .collect();
    build_plans(&Rc::new(resolve(&interface, &packs::all(), &profiles)))
}

/// A profile of the person's for an interface with these methods.
fn profile(methods: &Value) -> Value {
    json!({ "format": "candid-profile", "format_version": 0, "name": "own", "methods": methods })
}

fn update(outcome: &Value) -> Value {
    json!({
        "intent": "Do it",
        "effect": { "kind": "set", "irreversible": false },
        "outcome": outcome,
    })
}

fn reasons(plans: &Plans) -> Vec<String> {
    plans
        .skipped
        .iter()
        .map(|skipped| format!("{}: {}", skipped.method, skipped.reason))
        .collect()
}

fn tka() -> Canister {
    let refs = BTreeMap::from([
        (
            "query:icrc1_decimals".to_owned(),
            RefValue::Number(8_u8.into()),
        ),
        (
            "query:icrc1_symbol".to_owned(),
            RefValue::Text("TKA".to_owned()),
        ),
    ]);
    Canister::new(Principal::from_text(TKA).unwrap(), Some("TKA"), refs)
}

fn catalog(plans: &Plans) -> Catalog {
    Catalog::new(&[(tka(), plans)], &mut NameBook::default())
}

fn names(plans: &Plans) -> Vec<String> {
    catalog(plans)
        .definitions(Dialect::Full)
        .iter()
        .map(|definition| definition["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn an_outcome_key_that_names_no_case_skips_the_method() {
    let text = "service : {
        typo : () -> (variant { Ok; Err : variant { Busy } });
        deep : () -> (variant { Ok; Err : variant { Busy } });
        plain : () -> (nat);
    }";
    let own = profile(&json!({
        "typo": update(&json!({ "Ok": "success", "Err.Bussy": "retry_same" })),
        "deep": update(&json!({ "Ok.at": "success" })),
        "plain": update(&json!({ "Ok": "success" })),
    }));
    let plans = plans(text, Some(&own));
    assert_eq!(
        reasons(&plans),
        [
            "deep: outcome key Ok.at: no such case or field",
            "plain: outcome key Ok: no such case or field",
            "typo: outcome key Err.Bussy: no such case or field",
        ]
    );
}

#[test]
fn three_spellings_of_an_outcome_key_are_one() {
    let text = "service : { act : () -> (variant { Ok : nat; Err }) }";
    for key in ["(0).Ok", ".Ok", "Ok"] {
        let own = profile(&json!({ "act": update(&json!({ (key): "success" })) }));
        let plans = plans(text, Some(&own));
        let reply = IDLArgs::from_bytes(&variant_ok()).unwrap();
        assert_eq!(reply.args.len(), 1);
        let classed = plans.plans["act"].classify(&tka(), &variant_ok()).unwrap();
        assert_eq!(
            (classed.class, classed.case.as_deref()),
            (Class::Success, Some("Ok")),
            "{key}"
        );
    }
}

/// `(variant { Ok = 5 : nat })`.
fn variant_ok() -> Vec<u8> {
    let interface =
        Interface::parse("service : { f : () -> (variant { Ok : nat; Err }) }").unwrap();
    let field = candid::types::value::IDLField {
        id: candid::types::Label::Named("Ok".to_owned()),
        val: IDLValue::Nat(5_u64.into()),
    };
    let value = IDLValue::Variant(candid::types::value::VariantValue(Box::new(field), 0));
    interface.results("f").unwrap().encode(&[value]).unwrap()
}

#[test]
fn a_case_without_a_class_fails() {
    let text = "service : { act : () -> (variant { Ok : nat; Err }) }";
    let own = profile(&json!({ "act": update(&json!({ "Err": "fix_input" })) }));
    let classed = plans(text, Some(&own)).plans["act"]
        .classify(&tka(), &variant_ok())
        .unwrap();
    assert_eq!(
        (classed.class, classed.case.as_deref()),
        (Class::Fail, Some("Ok"))
    );
}

#[test]
fn a_default_alone_classes_a_reply_of_no_result_and_one_of_several() {
    let text = "service : { none : () -> (); two : () -> (nat, text) }";
    let only = json!({ "default": "success" });
    let own = profile(&json!({ "none": update(&only), "two": update(&only) }));
    let plans = plans(text, Some(&own));
    assert_eq!(reasons(&plans), Vec::<String>::new());
    let none = plans.plans["none"].classify(&tka(), b"DIDL\0\0").unwrap();
    assert_eq!((none.class, none.details), (Class::Success, Value::Null));
    let reply = IDLArgs::new(&[
        IDLValue::Nat(7_u64.into()),
        IDLValue::Text("words".to_owned()),
    ]);
    let two = plans.plans["two"]
        .classify(&tka(), &reply.to_bytes().unwrap())
        .unwrap();
    assert_eq!(two.class, Class::Success);
    assert_eq!(
        two.details,
        json!(["7", { "untrusted": "words", "from": "reply of two" }])
    );
}

#[test]
fn a_null_or_reserved_position_takes_no_input() {
    let text = "service : {
        nothing : (null) -> () query;
        kept : (reserved) -> () query;
        maybe : (opt null) -> () query;
        within : (record { pad : null; kept : reserved; said : text }) -> () query;
    }";
    let plans = plans(text, None);
    assert_eq!(reasons(&plans), Vec::<String>::new());
    let catalog = catalog(&plans);
    for (tool, asked) in [
        ("nothing", vec!["canister_id"]),
        ("kept", vec!["canister_id"]),
        ("maybe", vec!["canister_id"]),
        ("within", vec!["canister_id", "said"]),
    ] {
        let tool = catalog.find(tool).unwrap();
        let definition = tool.definition(Dialect::Full);
        let properties = definition["inputSchema"]["properties"].as_object().unwrap();
        assert_eq!(properties.keys().collect::<Vec<_>>(), asked);
        let mut input = json!({ "canister_id": TKA });
        if asked.contains(&"said") {
            input["said"] = json!("x");
        }
        let input = Json::parse(&input.to_string()).unwrap();
        assert!(tool.read(&input, NOW).unwrap().input.encode(None).is_ok());
    }
}

#[test]
fn half_a_character_is_refused_before_anything_reads_it() {
    // A lone surrogate has no place in any text; whole pairs have.
    assert!(Json::parse(r#"{"text":"\ud800"}"#).is_err());
    assert!(Json::parse(r#"{"text":"\udc00\ud800"}"#).is_err());
    assert!(Json::parse(r#"{"text":"\ud83c\udf5c"}"#).is_ok());
}

#[test]
fn an_answer_to_a_read_that_its_interface_lacks_is_no_answer() {
    let plans = plans(LEDGER, None);
    let text = IDLArgs::new(&[IDLValue::Text("8".to_owned())]);
    for bytes in [Vec::new(), b"DIDL".to_vec(), text.to_bytes().unwrap()] {
        assert!(
            plans.plans["icrc1_decimals"]
                .read_reply(&tka(), &bytes)
                .is_err()
        );
    }
}

#[test]
fn a_transfer_under_another_name_or_of_another_type_is_no_transfer() {
    let all = names(&plans(LEDGER, None));
    let without = |gone: &[&str]| -> Vec<String> {
        all.iter()
            .filter(|name| !gone.contains(&name.as_str()))
            .cloned()
            .collect()
    };
    let skip = |method: &str| format!("{method}: an update method needs the intent tag");

    let renamed = LEDGER.replace("  icrc1_transfer :", "  icrc1_send :");
    assert_ne!(renamed, LEDGER);
    let renamed = plans(&renamed, None);
    assert_eq!(names(&renamed), without(&["prepare_icrc1_transfer"]));
    assert!(reasons(&renamed).contains(&skip("icrc1_send")));

    let retyped = LEDGER.replacen("  amount : nat;\n", "  amount : nat64;\n", 1);
    assert_ne!(retyped, LEDGER);
    let retyped = plans(&retyped, None);
    assert_eq!(names(&retyped), without(&["prepare_icrc1_transfer"]));
    assert!(reasons(&retyped).contains(&skip("icrc1_transfer")));

    let icrc1_only: String = LEDGER
        .lines()
        .filter(|line| !line.starts_with("  icrc2_"))
        .map(|line| format!("{line}\n"))
        .collect();
    let icrc1_only = plans(&icrc1_only, None);
    let gone = [
        "icrc2_allowance",
        "prepare_icrc2_approve",
        "prepare_icrc2_transfer_from",
    ];
    assert_eq!(names(&icrc1_only), without(&gone));
    assert_eq!(reasons(&icrc1_only).len(), 5);
}

/// What the same inputs come to under a dialect's names: issues without the name, or the wish.
fn outcome(tool: &Tool, input: &Value) -> Result<BTreeMap<String, String>, Vec<(String, String)>> {
    let input = Json::parse(&input.to_string()).unwrap();
    match tool.read(&input, NOW) {
        Ok(call) => Ok(call.input.identity),
        Err(issues) => Err(issues
            .into_iter()
            .map(|issue| (issue.path, issue.code.to_string()))
            .collect()),
    }
}

#[test]
fn both_dialects_refuse_the_same_inputs() {
    // Names that only the full dialect holds whole, in the method, the inputs and what is in them.
    let text = "
        type Order = record {
          an_order_with_a_very_long_name_of_its_own : text;
          amount_of_things_that_are_wanted_at_once_please : opt nat16;
        };
        service : {
          a_method_whose_name_is_longer_than_forty_characters : (record {
            the_list_of_everything_that_is_ordered_today : vec Order;
            the_kind_of_delivery_that_is_wanted_for_it : variant { By_hand; By_post : principal };
            a_flag_that_is_spelled_out_to_the_last_letter : opt bool;
          }) -> () query;
        }";
    let own = profile(&json!({
        "a_method_whose_name_is_longer_than_forty_characters": { "at": {
            "$args[0].the_list_of_everything_that_is_ordered_today[].amount_of_things_that_are_wanted_at_once_please":
                { "describe": "How many" }
        } }
    }));
    let plans = plans(text, Some(&own));
    assert_eq!(reasons(&plans), Vec::<String>::new());
    let catalog = catalog(&plans);
    let told = |dialect: Dialect| {
        let definitions = catalog.definitions(dialect);
        let is_it = |d: &&Value| {
            d["name"]
                .as_str()
                .is_some_and(|name| name.starts_with("a_m"))
        };
        let definition = definitions.iter().find(is_it).unwrap();
        let properties = &definition["inputSchema"]["properties"];
        let keys: Vec<String> = properties.as_object().unwrap().keys().cloned().collect();
        let list = keys.iter().find(|key| key.starts_with("the_l")).unwrap();
        let items = properties[list]["items"]["properties"].as_object().unwrap();
        (
            definition["name"].as_str().unwrap().to_owned(),
            keys,
            items.keys().cloned().collect::<Vec<_>>(),
        )
    };
    let (full, portable) = (told(Dialect::Full), told(Dialect::Portable));
    assert_ne!(full, portable);

    let inputs = |(_, keys, fields): &(String, Vec<String>, Vec<String>)| -> Vec<Value> {
        let key = |start: &str| {
            keys.iter()
                .find(|key| key.starts_with(start))
                .unwrap()
                .clone()
        };
        let field = |start: &str| {
            fields
                .iter()
                .find(|f| f.starts_with(start))
                .unwrap()
                .clone()
        };
        let (list, kind, flag) = (key("the_l"), key("the_k"), key("a_f"));
        let (name, count) = (field("an_"), field("amount"));
        let base = json!({
            "canister_id": TKA,
            (&list): [{ (&name): "x", (&count): "2" }],
            (&kind): { "tag": "By_post", "value": PAYEE },
            (&flag): "true",
        });
        let with = |key: &str, value: Value| {
            let mut input = base.clone();
            input[key] = value;
            input
        };
        vec![
            base.clone(),
            with(&flag, json!(true)),
            with(&flag, json!("yes")),
            with(&kind, json!({ "tag": "By_air" })),
            with(&kind, json!({ "tag": "By_hand", "value": "x" })),
            with(&kind, json!({ "tag": "By_post" })),
            with(&kind, json!({ "tag": "By_post", "value": "aaaaa-ab" })),
            with(&list, json!([{ (&name): "x", (&count): "65536" }])),
            with(&list, json!([{ (&name): "x", (&count): 2 }])),
            with(&list, json!([{ (&count): "2" }])),
            with(&list, json!([{ (&name): "y".repeat(1_025) }])),
            with(&list, json!(vec![json!({ (&name): "x" }); 257])),
            with(&list, json!("x")),
            with("canister_id", json!("aaaaa-aa")),
            with("more", json!("x")),
            json!({ "canister_id": TKA }),
            json!([]),
        ]
    };
    let mut refused = 0;
    let pairs = inputs(&full).into_iter().zip(inputs(&portable));
    for (in_full, in_portable) in pairs {
        let ours = outcome(catalog.find(&full.0).unwrap(), &in_full);
        let theirs = outcome(catalog.find(&portable.0).unwrap(), &in_portable);
        assert_eq!(ours, theirs, "{in_full}");
        refused += usize::from(ours.is_err());
    }
    assert_eq!(refused, 16);
}

#[test]
fn no_schema_is_stricter_or_looser_than_the_reader_about_what_is_required() {
    // What a schema requires is exactly what is missed when it is left out.
    let plans = plans(LEDGER, None);
    for dialect in Dialect::ALL {
        let catalog = catalog(&plans);
        for definition in catalog.definitions(dialect) {
            let name = definition["name"].as_str().unwrap();
            let Some(tool) = catalog.find(name) else {
                assert_eq!(name, "commit");
                continue;
            };
            let required = definition["inputSchema"]["required"].as_array().unwrap();
            let found = outcome(tool, &json!({}));
            let missed = found.unwrap_err();
            assert!(missed.iter().all(|(_, code)| code == "E_MISSING"), "{name}");
            assert_eq!(missed.len(), required.len(), "{name}");
        }
    }
}

/// Compares with a file of `tests/golden`, or writes it where `COUNTERSIGN_WRITE_GOLDEN` is set.
fn golden(name: &str, golden: &str, actual: &str) {
    if std::env::var_os("COUNTERSIGN_WRITE_GOLDEN").is_some() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        std::fs::write(folder.join(name), actual).unwrap();
    } else {
        assert!(
            actual == golden,
            "{name} differs; set COUNTERSIGN_WRITE_GOLDEN=1 to write it, then read what changed:\n{actual}"
        );
    }
}

#[test]
fn definitions_are_byte_for_byte_the_golden_ones() {
    let catalog = catalog(&plans(LEDGER, None));
    let text = |dialect: Dialect| {
        let definitions = catalog.definitions(dialect);
        assert!(definitions.contains(&commit_definition(dialect)));
        let lines: Vec<String> = definitions.iter().map(Value::to_string).collect();
        lines.join("\n") + "\n"
    };
    golden(
        "definitions_full.jsonl",
        include_str!("golden/definitions_full.jsonl"),
        &text(Dialect::Full),
    );
    golden(
        "definitions_portable.jsonl",
        include_str!("golden/definitions_portable.jsonl"),
        &text(Dialect::Portable),
    );
}
