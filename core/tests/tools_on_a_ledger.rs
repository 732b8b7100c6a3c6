//! The tools that a ledger of the production ones' shape gives, from its text to the bytes of a call.

#![cfg(feature = "wallet")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::{collections::BTreeMap, rc::Rc};

use candid::{
    IDLArgs, IDLValue,
    types::{
        Label,
        value::{IDLField, VariantValue},
    },
};
use countersign_core::{
    ids::{PreviewId, Principal},
    interface::Interface,
    json::Json,
    profile::{Class, packs, resolve},
    time::Timestamp,
    tools::{
        Canister, Catalog, Dialect, InputIssue, NameBook, Plans, RefValue, Role, Tool, build_plans,
        catalog_hash,
    },
};
use serde_json::{Value, json};

const LEDGER: &str = include_str!("fixtures/ledger.did");
const TKA: &str = "bkyz2-fmaaa-aaaaa-qaaaq-cai";
const PAYEE: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";
/// The clock of the seed's example.
const NOW: Timestamp = Timestamp::from_nanos(1_791_547_201_000_000_000);

fn plans(text: &str) -> Plans {
    let interface = Interface::parse(text).unwrap();
    build_plans(&Rc::new(resolve(&interface, &packs::all(), &[])))
}

fn canister(id: &str, label: &str, decimals: u8, symbol: &str) -> Canister {
    let refs = BTreeMap::from([
        (
            "query:icrc1_decimals".to_owned(),
            RefValue::Number(decimals.into()),
        ),
        (
            "query:icrc1_symbol".to_owned(),
            RefValue::Text(symbol.to_owned()),
        ),
    ]);
    Canister::new(Principal::from_text(id).unwrap(), Some(label), refs)
}

fn tka() -> Canister {
    canister(TKA, "TKA", 8, "TKA")
}

fn catalog() -> Catalog {
    Catalog::new(&[(tka(), &plans(LEDGER))], &mut NameBook::default())
}

fn names(catalog: &Catalog) -> Vec<String> {
    let definitions = catalog.definitions(Dialect::Full);
    definitions
        .iter()
        .map(|d| d["name"].as_str().unwrap().to_owned())
        .collect()
}

fn skipped(plans: &Plans) -> Vec<(String, String)> {
    plans
        .skipped
        .iter()
        .map(|skipped| (skipped.method.clone(), skipped.reason.to_string()))
        .collect()
}

fn json(value: &Value) -> Json {
    Json::parse(&value.to_string()).unwrap()
}

fn transfer_input() -> Value {
    json!({ "canister_id": TKA, "to": PAYEE, "amount": "1.5 TKA", "memo": "lunch" })
}

fn issues(tool: &Tool, input: &Value) -> Vec<InputIssue> {
    match tool.read(&json(input), NOW) {
        Ok(_) => panic!("accepted: {input}"),
        Err(issues) => issues,
    }
}

fn codes(tool: &Tool, input: &Value) -> Vec<(String, &'static str)> {
    issues(tool, input)
        .into_iter()
        .map(|issue| (issue.path, issue.code.as_str()))
        .collect()
}

#[test]
fn the_ledger_has_twenty_six_methods_and_gives_twenty_two_tools() {
    assert_eq!(Interface::parse(LEDGER).unwrap().methods.len(), 26);
    assert_eq!(
        names(&catalog()),
        [
            "archives",
            "commit",
            "get_data_certificate",
            "icrc106_get_index_principal",
            "icrc10_supported_standards",
            "icrc1_balance_of",
            "icrc1_decimals",
            "icrc1_fee",
            "icrc1_metadata",
            "icrc1_minting_account",
            "icrc1_name",
            "icrc1_supported_standards",
            "icrc1_symbol",
            "icrc1_total_supply",
            "icrc2_allowance",
            "icrc3_get_archives",
            "icrc3_get_tip_certificate",
            "icrc3_supported_block_types",
            "is_ledger_ready",
            "prepare_icrc1_transfer",
            "prepare_icrc2_approve",
            "prepare_icrc2_transfer_from",
        ]
    );
}

#[test]
fn five_methods_are_skipped_with_the_seeds_reasons() {
    let start = "no rule for a nat position without a value tag or a describe";
    assert_eq!(
        skipped(&plans(LEDGER)),
        [
            ("get_blocks".to_owned(), format!("start: {start}")),
            ("get_transactions".to_owned(), format!("start: {start}")),
            (
                "icrc103_get_allowances".to_owned(),
                format!("take: {start}")
            ),
            (
                "icrc21_canister_call_consent_message".to_owned(),
                "an update method needs the intent tag".to_owned()
            ),
            (
                "icrc3_get_blocks".to_owned(),
                format!("(0)[].start: {start}")
            ),
        ]
    );
}

#[test]
fn tools_follow_the_methods_that_are_deleted_added_renamed_and_reordered() {
    let line = |name: &str| {
        let line = LEDGER
            .lines()
            .find(|line| line.starts_with(&format!("  {name} :")));
        format!("{}\n", line.unwrap())
    };
    let without = LEDGER.replace(&line("icrc1_fee"), "");
    let gone = names(&Catalog::new(
        &[(tka(), &plans(&without))],
        &mut NameBook::default(),
    ));
    let mut rest = names(&catalog());
    rest.retain(|name| name != "icrc1_fee");
    assert_eq!(gone, rest);

    let added = LEDGER.replace(
        "  is_ledger_ready :",
        "  tip_index : () -> (nat) query;\n  reset : () -> ();\n  is_ledger_ready :",
    );
    let with = plans(&added);
    assert!(with.plans.contains_key("tip_index"));
    assert!(skipped(&with).contains(&(
        "reset".to_owned(),
        "an update method needs the intent tag".to_owned()
    )));
    assert_eq!(with.plans.len(), 22);

    let renamed = LEDGER.replace("  is_ledger_ready :", "  is_open :");
    let renamed = plans(&renamed);
    assert!(renamed.plans.contains_key("is_open"));
    assert!(!renamed.plans.contains_key("is_ledger_ready"));

    let first = line("icrc1_name");
    let reordered = LEDGER.replace(&first, "").replace(
        "  is_ledger_ready :",
        &format!("{first}  is_ledger_ready :"),
    );
    let reordered = Catalog::new(&[(tka(), &plans(&reordered))], &mut NameBook::default());
    assert_eq!(
        reordered.definitions(Dialect::Full),
        catalog().definitions(Dialect::Full)
    );
}

#[test]
fn the_definition_of_a_transfer_has_the_seeds_form() {
    let catalog = catalog();
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let definition = tool.definition(Dialect::Full);
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(
        keys(&definition),
        ["name", "description", "inputSchema", "annotations"]
    );
    let schema = &definition["inputSchema"];
    assert_eq!(
        keys(schema),
        ["type", "properties", "required", "additionalProperties"]
    );
    assert_eq!(
        keys(&schema["properties"]),
        ["canister_id", "to", "memo", "from_subaccount", "amount"]
    );
    assert_eq!(schema["required"], json!(["canister_id", "to", "amount"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(schema["properties"]["canister_id"]["enum"], json!([TKA]));
    assert_eq!(keys(&schema["properties"]["to"]), ["type", "description"]);
    assert_eq!(keys(&schema["properties"]["memo"]), ["type", "description"]);
    assert_eq!(
        keys(&schema["properties"]["from_subaccount"]),
        ["type", "description", "pattern"]
    );
    assert_eq!(
        schema["properties"]["amount"]["pattern"],
        json!(r"^\s*[0-9]+(?:\.[0-9]{1,8})?(?:\s+[Tt][Kk][Aa])?\s*$")
    );
    assert!(
        schema["properties"]
            .as_object()
            .unwrap()
            .values()
            .all(|p| p["type"] == "string")
    );
    assert_eq!(
        definition["annotations"],
        json!({
            "destructiveHint": false,
            "openWorldHint": false,
            "readOnlyHint": true,
            "title": "Send tokens",
        })
    );
}

#[test]
fn the_seeds_example_gives_the_seeds_values() {
    let catalog = catalog();
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let input = json(&transfer_input());
    let call = tool.read(&input, NOW).unwrap();
    let arg = call.input.encode(Some(NOW)).unwrap();
    let id = PreviewId::from_bytes([1; 16]);
    let preview = call
        .entry
        .plan
        .preview(id, &call.entry.canister, &arg)
        .unwrap();
    assert_eq!(
        serde_json::to_string_pretty(&preview).unwrap(),
        serde_json::to_string_pretty(&json!({
            "preview_id": id,
            "method": "icrc1_transfer",
            "canister": TKA,
            "title": "Send tokens",
            "effect": {
                "kind": "transfer",
                "irreversible": true,
                "grant": { "to": "to", "amount": "amount" },
            },
            "arguments": {
                "to": { "text": PAYEE, "raw": { "owner": PAYEE, "subaccount": null } },
                "fee": null,
                "memo": { "text": "lunch", "raw": "6c756e6368" },
                "from_subaccount": null,
                "created_at_time": {
                    "text": "2026-10-09T12:00:01Z",
                    "raw": "1791547201000000000",
                },
                "amount": { "text": "1.5 TKA", "raw": "150000000" },
            },
            "arg_hex": countersign_core::ids::to_hex(&arg),
        }))
        .unwrap()
    );
    // The values at the end of the seed's bytes, in the order of the labels' hashes.
    let values = concat!(
        "011db56bf994b37ae8e79f5ce000be1727a6060ae4eef24736b7cc999c3c02",
        "000001056c756e63680001004af3f1afdadc1880a3c347"
    );
    assert!(preview.arg_hex.ends_with(values), "{}", preview.arg_hex);
}

#[test]
fn the_seeds_own_bytes_show_the_same_values() {
    let catalog = catalog();
    let bytes = countersign_core::ids::from_hex(concat!(
        "4449444c066c06fbca0101c6fcb60204ba89e5c20402a2de94eb060282f3f3910c05d8a38ca80d7d6c02b3b0",
        "dac30368ad86ca8305026e036d7b6e7d6e780100011db56bf994b37ae8e79f5ce000be1727a6060ae4eef247",
        "36b7cc999c3c02000001056c756e63680001004af3f1afdadc1880a3c347"
    ))
    .unwrap();
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let ours = tool
        .read(&json(&transfer_input()), NOW)
        .unwrap()
        .input
        .encode(Some(NOW))
        .unwrap();
    let values = |bytes: &[u8]| IDLArgs::from_bytes(bytes).unwrap();
    assert_eq!(values(&bytes), values(&ours));
}

#[test]
fn amounts_that_are_written_differently_are_one_wish() {
    let catalog = catalog();
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let identity = |input: Value| tool.read(&json(&input), NOW).unwrap().input.identity;
    let mut other = transfer_input();
    other["amount"] = json!(" 1.50 ");
    other["to"] = json!(PAYEE.to_uppercase());
    other["memo"] = json!("0x6c756e6368");
    other["from_subaccount"] = json!("0");
    assert_eq!(identity(transfer_input()), identity(other.clone()));
    other["memo"] = json!("dinner");
    assert_ne!(identity(transfer_input()), identity(other.clone()));
    other.as_object_mut().unwrap().remove("memo");
    let without = identity(other.clone());
    other["memo"] = json!("");
    assert_ne!(without, identity(other));
}

#[test]
fn every_issue_of_an_input_comes_at_once_with_its_place() {
    let catalog = catalog();
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    assert_eq!(
        codes(
            tool,
            &json!({
                "canister_id": TKA,
                "to": format!("{PAYEE}x"),
                "amount": "1.123456789 TKA",
                "from_subaccount": "1f",
                "memo": 5,
                "tip": "1",
            })
        ),
        [
            ("tip".to_owned(), "E_UNKNOWN_PARAM"),
            ("$args[0].to".to_owned(), "E_ACCOUNT"),
            ("$args[0].memo".to_owned(), "E_TYPE"),
            ("$args[0].from_subaccount".to_owned(), "E_SUBACCOUNT"),
            ("$args[0].amount".to_owned(), "E_EXCESS_PRECISION"),
        ]
    );
    let excess = issues(
        tool,
        &json!({ "canister_id": TKA, "to": PAYEE, "amount": "1.123456789 TKA" }),
    );
    assert_eq!(excess[0].param, "amount");
    assert!(
        excess[0].message.contains("at most 8"),
        "{}",
        excess[0].message
    );
}

#[test]
fn what_is_refused_is_refused_by_code() {
    let catalog = catalog();
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let table: [(&str, Value, &str); 16] = [
        ("amount", json!(1.5), "E_TYPE"),
        ("amount", json!(150_000_000), "E_TYPE"),
        ("amount", json!("1,5"), "E_SYNTAX"),
        ("amount", json!("1e8"), "E_SYNTAX"),
        ("amount", json!("-1"), "E_SYNTAX"),
        ("amount", json!("1.5 TKB"), "E_SYMBOL"),
        ("amount", json!("1.000000000"), "E_EXCESS_PRECISION"),
        ("amount", Value::Null, "E_TYPE"),
        ("to", json!(""), "E_ACCOUNT"),
        ("to", json!({ "owner": PAYEE }), "E_TYPE"),
        ("to", json!(format!("{PAYEE}.1")), "E_ACCOUNT"),
        ("memo", json!("0x123"), "E_SYNTAX"),
        ("memo", json!(["lunch"]), "E_TYPE"),
        ("from_subaccount", json!(""), "E_SUBACCOUNT"),
        ("fee", json!("0.0001"), "E_UNKNOWN_PARAM"),
        ("created_at_time", json!("in 2 hours"), "E_UNKNOWN_PARAM"),
    ];
    for (param, value, code) in table {
        let mut input = transfer_input();
        input[param] = value.clone();
        let found = codes(tool, &input);
        assert_eq!(found.len(), 1, "{param} = {value}: {found:?}");
        assert_eq!(found[0].1, code, "{param} = {value}");
    }
    for missing in ["to", "amount", "canister_id"] {
        let mut input = transfer_input();
        input.as_object_mut().unwrap().remove(missing);
        let found = codes(tool, &input);
        assert!(
            found.iter().all(|(_, code)| *code == "E_MISSING"),
            "{missing}: {found:?}"
        );
        assert_eq!(found.len(), 1, "{missing}");
    }
    let mut input = transfer_input();
    input["canister_id"] = json!("ryjl3-tyaaa-aaaaa-aaaba-cai");
    assert_eq!(codes(tool, &input), [("canister_id".to_owned(), "E_INPUT")]);
    assert_eq!(codes(tool, &json!([])), [(String::new(), "E_INPUT")]);
    assert_eq!(codes(tool, &json!("x")), [(String::new(), "E_INPUT")]);
}

#[test]
fn a_number_in_place_of_a_text_is_told_to_be_quoted() {
    let catalog = catalog();
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let mut input = transfer_input();
    input["amount"] = json!(1.5);
    assert!(issues(tool, &input)[0].message.contains("in quotes"));
}

#[test]
fn a_relative_time_is_one_wish_whenever_it_is_said_and_another_byte_string() {
    let catalog = catalog();
    let tool = catalog.find("prepare_icrc2_approve").unwrap();
    let input = json(&json!({
        "canister_id": TKA, "spender": PAYEE, "amount": "5", "expires_at": "in 2 hours",
    }));
    let later = NOW.plus(countersign_core::time::Span::from_mins(5));
    let (a, b) = (
        tool.read(&input, NOW).unwrap(),
        tool.read(&input, later).unwrap(),
    );
    assert_eq!(a.input.identity, b.input.identity);
    assert_eq!(
        a.input.earliest,
        Some(NOW.plus(countersign_core::time::Span::from_hours(2)))
    );
    assert_ne!(
        a.input.encode(Some(NOW)).unwrap(),
        b.input.encode(Some(NOW)).unwrap()
    );
}

#[test]
fn the_positions_of_the_payer_are_told() {
    use countersign_core::tools::Payer;
    let catalog = catalog();
    let transfer = catalog.find("prepare_icrc1_transfer").unwrap();
    let payers = |tool: &Tool, input: Value| tool.read(&json(&input), NOW).unwrap().input.payers;
    assert_eq!(
        payers(transfer, transfer_input()),
        [Payer::Subaccount(None)]
    );
    let mut input = transfer_input();
    input["from_subaccount"] = json!("1");
    let [Payer::Subaccount(Some(one))] = &payers(transfer, input)[..] else {
        panic!("a subaccount is told");
    };
    assert_eq!(one.as_bytes()[31], 1);
    let from = catalog.find("prepare_icrc2_transfer_from").unwrap();
    let input = json!({ "canister_id": TKA, "from": PAYEE, "to": PAYEE, "amount": "1" });
    assert!(matches!(
        payers(from, input)[..],
        [Payer::Account(_), ..] | [.., Payer::Account(_)]
    ));
}

#[test]
fn definitions_are_the_same_bytes_each_time() {
    for dialect in Dialect::ALL {
        let text =
            |catalog: &Catalog| serde_json::to_string(&catalog.definitions(dialect)).unwrap();
        assert_eq!(text(&catalog()), text(&catalog()));
    }
}

#[test]
fn the_portable_dialect_uses_no_key_that_hosts_refuse() {
    fn check(schema: &Value) {
        let allowed = [
            "type",
            "description",
            "properties",
            "required",
            "enum",
            "items",
        ];
        for (key, value) in schema.as_object().unwrap() {
            assert!(allowed.contains(&key.as_str()), "{key}");
            match key.as_str() {
                "properties" => value.as_object().unwrap().values().for_each(check),
                "items" => check(value),
                _ => {}
            }
        }
    }
    for definition in catalog().definitions(Dialect::Portable) {
        check(&definition["inputSchema"]);
        assert!(definition["name"].as_str().unwrap().len() <= 40);
    }
}

#[test]
fn no_method_of_a_standard_is_known_by_name_to_the_tools() {
    let methods: Vec<String> = Interface::parse(LEDGER)
        .unwrap()
        .methods
        .into_keys()
        .collect();
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tools")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(path).unwrap();
            let words: Vec<&str> = source
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .collect();
            // `archives` is a word of English as well.
            for method in methods.iter().filter(|method| *method != "archives") {
                assert!(!words.contains(&method.as_str()), "{method}");
            }
            files += 1;
        }
    }
    assert!(files > 15);
}

/// A reply of `icrc1_transfer`, as a ledger encodes it.
fn transfer_reply(value: IDLValue) -> Vec<u8> {
    let interface = Interface::parse(LEDGER).unwrap();
    interface
        .results("icrc1_transfer")
        .unwrap()
        .encode(&[value])
        .unwrap()
}

fn case(name: &str, value: IDLValue) -> IDLValue {
    let field = IDLField {
        id: Label::Named(name.to_owned()),
        val: value,
    };
    IDLValue::Variant(VariantValue(Box::new(field), 0))
}

fn record(fields: &[(&str, IDLValue)]) -> IDLValue {
    let fields = fields.iter().map(|(name, value)| IDLField {
        id: Label::Named((*name).to_owned()),
        val: value.clone(),
    });
    IDLValue::Record(fields.collect())
}

fn nat(n: u64) -> IDLValue {
    IDLValue::Nat(n.into())
}

#[test]
fn every_reply_of_a_transfer_has_the_class_of_the_standard() {
    let plan = &plans(LEDGER).plans["icrc1_transfer"];
    let classed = |value: IDLValue| plan.classify(&tka(), &transfer_reply(value)).unwrap();
    let table = [
        ("Ok", None, nat(1042), Class::Success),
        (
            "Err.Duplicate",
            Some(()),
            record(&[("duplicate_of", nat(7))]),
            Class::AlreadyDone,
        ),
        (
            "Err.TemporarilyUnavailable",
            Some(()),
            IDLValue::Null,
            Class::RetrySame,
        ),
        ("Err.TooOld", Some(()), IDLValue::Null, Class::RetryNew),
        (
            "Err.CreatedInFuture",
            Some(()),
            record(&[("ledger_time", IDLValue::Nat64(5))]),
            Class::RetryNew,
        ),
        (
            "Err.BadFee",
            Some(()),
            record(&[("expected_fee", nat(10_000))]),
            Class::FixInput,
        ),
        (
            "Err.BadBurn",
            Some(()),
            record(&[("min_burn_amount", nat(1))]),
            Class::FixInput,
        ),
        (
            "Err.InsufficientFunds",
            Some(()),
            record(&[("balance", nat(3))]),
            Class::FixInput,
        ),
        (
            "Err.GenericError",
            Some(()),
            record(&[
                ("error_code", nat(1)),
                ("message", IDLValue::Text("ignore\u{202e} all".to_owned())),
            ]),
            Class::Fail,
        ),
    ];
    for (path, error, value, class) in table {
        let name = path.strip_prefix("Err.").unwrap_or(path);
        let value = case(name, value);
        let reply = match error {
            Some(()) => case("Err", value),
            None => value,
        };
        let found = classed(reply);
        assert_eq!((found.case.as_deref(), found.class), (Some(path), class));
        assert!(found.built_in);
        assert_eq!(found.duplicate_of.is_some(), class == Class::AlreadyDone);
        assert_eq!(found.ledger_time.is_some(), path == "Err.CreatedInFuture");
    }
}

#[test]
fn the_details_of_a_reply_are_those_of_the_seed() {
    let plan = &plans(LEDGER).plans["icrc1_transfer"];
    let classed = |value: IDLValue| plan.classify(&tka(), &transfer_reply(value)).unwrap();
    assert_eq!(classed(case("Ok", nat(1042))).details, json!("1042"));
    let duplicate = case(
        "Err",
        case("Duplicate", record(&[("duplicate_of", nat(1042))])),
    );
    let duplicate = classed(duplicate);
    assert_eq!(duplicate.details, json!({ "duplicate_of": "1042" }));
    assert_eq!(duplicate.duplicate_of.as_deref(), Some("1042"));
    let fee = case(
        "Err",
        case("BadFee", record(&[("expected_fee", nat(10_000))])),
    );
    assert_eq!(
        classed(fee).details,
        json!({ "expected_fee": { "text": "0.0001 TKA", "raw": "10000" } })
    );
    assert_eq!(
        classed(case("Err", case("TooOld", IDLValue::Null))).details,
        Value::Null
    );
}

#[test]
fn words_of_a_canister_stand_only_as_untrusted() {
    let plan = &plans(LEDGER).plans["icrc1_transfer"];
    let message = IDLValue::Text("pay\u{200b} me".to_owned());
    let error = record(&[("error_code", nat(1)), ("message", message)]);
    let reply = transfer_reply(case("Err", case("GenericError", error)));
    assert_eq!(
        plan.classify(&tka(), &reply).unwrap().details["message"],
        json!({ "untrusted": "pay\\u{200b} me", "from": "reply of icrc1_transfer" })
    );
    let name = IDLArgs::new(&[IDLValue::Text("x".repeat(300))])
        .to_bytes()
        .unwrap();
    let shown = plans(LEDGER).plans["icrc1_name"]
        .read_reply(&tka(), &name)
        .unwrap();
    assert_eq!(shown["untrusted"].as_str().unwrap().chars().count(), 257);
}

#[test]
fn a_reply_that_the_interface_does_not_have_says_nothing() {
    let plan = &plans(LEDGER).plans["icrc1_transfer"];
    let bytes = |value: IDLValue| IDLArgs::new(&[value]).to_bytes().unwrap();
    for reply in [
        Vec::new(),
        b"DIDL".to_vec(),
        bytes(case("Pending", nat(1))),
        bytes(case("Err", case("Frozen", IDLValue::Null))),
        bytes(nat(1)),
        bytes(case("Ok", IDLValue::Text("1".to_owned()))),
        transfer_reply(case("Ok", nat(1)))
            .into_iter()
            .take(8)
            .collect(),
    ] {
        assert!(plan.classify(&tka(), &reply).is_err(), "{reply:?}");
    }
}

#[test]
fn reads_show_amounts_and_accounts_as_they_are_written() {
    let plans = plans(LEDGER);
    let read = |method: &str, value: IDLValue| {
        let bytes = IDLArgs::new(&[value]).to_bytes().unwrap();
        plans.plans[method].read_reply(&tka(), &bytes).unwrap()
    };
    assert_eq!(
        read("icrc1_balance_of", nat(150_000_000)),
        json!({ "text": "1.5 TKA", "raw": "150000000" })
    );
    assert_eq!(read("icrc1_decimals", IDLValue::Nat8(8)), json!("8"));
    assert_eq!(read("is_ledger_ready", IDLValue::Bool(true)), json!(true));
    assert_eq!(read("icrc1_minting_account", IDLValue::None), Value::Null);
    let owner = IDLValue::Principal(Principal::from_text(PAYEE).unwrap());
    let account = |subaccount: IDLValue| {
        let account = record(&[("owner", owner.clone()), ("subaccount", subaccount)]);
        read("icrc1_minting_account", IDLValue::Opt(Box::new(account)))
    };
    let blob = |bytes: Vec<u8>| IDLValue::Opt(Box::new(IDLValue::Blob(bytes)));
    // The default account in its other form is the same account; its raw form tells them apart.
    assert_eq!(account(blob(vec![0; 32]))["text"], json!(PAYEE));
    assert_eq!(
        account(blob(vec![0; 32]))["raw"]["subaccount"],
        json!("00".repeat(32))
    );
    assert_eq!(account(blob(vec![1]))["text"], Value::Null);
}

#[test]
fn without_decimals_amounts_are_refused_and_shown_as_base_units() {
    let bare = Canister::new(Principal::from_text(TKA).unwrap(), None, BTreeMap::new());
    let plans = plans(LEDGER);
    let catalog = Catalog::new(&[(bare.clone(), &plans)], &mut NameBook::default());
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    assert_eq!(
        codes(tool, &transfer_input()),
        [("$args[0].amount".to_owned(), "E_DECIMALS_UNKNOWN")]
    );
    let known = crate::catalog();
    let tool = known.find("prepare_icrc1_transfer").unwrap();
    let arg = tool
        .read(&json(&transfer_input()), NOW)
        .unwrap()
        .input
        .encode(Some(NOW))
        .unwrap();
    let decoded = plans.plans["icrc1_transfer"]
        .decode_for_person(&bare, &arg)
        .unwrap();
    let amount = decoded
        .arguments
        .iter()
        .find(|line| line.path == "amount")
        .unwrap();
    assert_eq!(amount.text.as_deref(), Some("150000000 base units"));
}

#[test]
fn a_person_sees_each_argument_with_who_filled_it() {
    let catalog = catalog();
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let arg = tool
        .read(&json(&transfer_input()), NOW)
        .unwrap()
        .input
        .encode(Some(NOW))
        .unwrap();
    let plan = &tool.entries()[0].plan;
    let decoded = plan.decode_for_person(&tka(), &arg).unwrap();
    assert_eq!(decoded.title, "Send tokens");
    let lines: Vec<_> = decoded
        .arguments
        .iter()
        .map(|line| {
            (
                line.path.as_str(),
                line.text.as_deref(),
                line.raw.as_str(),
                line.role,
            )
        })
        .collect();
    let to = format!("record {{ owner = principal \"{PAYEE}\"; subaccount = null;}}");
    assert_eq!(
        lines,
        [
            ("to", Some(PAYEE), to.as_str(), Role::Param),
            ("fee", None, "null", Role::Auto),
            ("memo", Some("lunch"), "opt blob \"lunch\"", Role::Param),
            ("from_subaccount", None, "null", Role::Param),
            (
                "created_at_time",
                Some("2026-10-09T12:00:01Z"),
                "opt (1_791_547_201_000_000_000 : nat64)",
                Role::Stamp
            ),
            ("amount", Some("1.5 TKA"), "150_000_000 : nat", Role::Param),
        ]
    );
    let amount = &decoded.arguments[5];
    assert_eq!(amount.number, Some(150_000_000.into()));
}

#[test]
fn bytes_that_say_more_than_the_arguments_are_not_shown() {
    let catalog = catalog();
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let mut arg = tool
        .read(&json(&transfer_input()), NOW)
        .unwrap()
        .input
        .encode(Some(NOW))
        .unwrap();
    arg.push(0);
    let plan = &tool.entries()[0].plan;
    assert!(
        plan.preview(PreviewId::from_bytes([1; 16]), &tka(), &arg)
            .is_err()
    );
    assert!(plan.decode_for_person(&tka(), &arg).is_err());
}

const OTHER: &str = "ryjl3-tyaaa-aaaaa-aaaba-cai";

#[test]
fn canisters_of_one_shape_share_a_tool_and_differ_in_no_word_that_would_be_wrong() {
    let plans = plans(LEDGER);
    let two = [(tka(), &plans), (canister(OTHER, "TKB", 18, "TKB"), &plans)];
    let catalog = Catalog::new(&two, &mut NameBook::default());
    assert_eq!(catalog.definitions(Dialect::Full).len(), 22);
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let schema = &tool.definition(Dialect::Full)["inputSchema"]["properties"];
    assert_eq!(schema["canister_id"]["enum"], json!([TKA, OTHER]));
    assert_eq!(schema["amount"].get("pattern"), None);
    let words = schema["amount"]["description"].as_str().unwrap();
    assert!(!words.contains("TK") && !words.contains('8'), "{words}");
    // The chosen canister's decimals are what counts.
    let mut input = transfer_input();
    input["canister_id"] = json!(OTHER);
    input["amount"] = json!("1.123456789 TKB");
    let call = tool.read(&json(&input), NOW).unwrap();
    assert_eq!(
        call.input.identity["$args[0].amount"],
        "1123456789000000000"
    );
    input["canister_id"] = json!(TKA);
    assert_eq!(codes(tool, &input)[0].1, "E_SYMBOL");
}

#[test]
fn a_tool_keeps_its_name_when_a_canister_of_another_shape_comes_or_its_own_goes() {
    let ours = plans(LEDGER);
    let changed = LEDGER.replace("  icrc1_decimals : () ->", "  icrc1_decimals : (text) ->");
    let theirs = plans(&changed);
    let mut book = NameBook::default();
    let first = Catalog::new(&[(tka(), &ours)], &mut book);
    assert!(first.find("icrc1_decimals").is_some());
    let other = canister(OTHER, "My Token", 8, "TKB");
    let both = Catalog::new(&[(tka(), &ours), (other.clone(), &theirs)], &mut book);
    assert_eq!(
        both.find("icrc1_decimals").unwrap().entries()[0]
            .canister
            .id,
        tka().id
    );
    let label = both
        .tools()
        .iter()
        .find(|tool| {
            tool.names()
                .get(Dialect::Full)
                .starts_with("icrc1_decimals_")
        })
        .unwrap();
    assert_eq!(label.entries()[0].canister.id, other.id);
    let name = label.names().get(Dialect::Full).to_owned();
    // Without the first canister the second one's tool is still told under its own name.
    let stored: NameBook = serde_json::from_str(&serde_json::to_string(&book).unwrap()).unwrap();
    let mut book = stored;
    let alone = Catalog::new(&[(other, &theirs)], &mut book);
    assert!(alone.find(&name).is_some());
    assert!(alone.find("icrc1_decimals").is_none());
}

#[test]
fn the_names_that_a_grant_stores_stay_with_another_version_of_the_wallet() {
    let mut book = NameBook::default();
    let _ = Catalog::new(&[(tka(), &plans(LEDGER))], &mut book);
    let golden = include_str!("golden/name_book.json");
    assert_eq!(
        serde_json::to_string_pretty(&book).unwrap(),
        golden.trim_end()
    );
}

#[test]
fn the_hash_of_a_catalogue_changes_with_it() {
    let one = catalog_hash(&catalog().definitions(Dialect::Full));
    assert_eq!(one, catalog_hash(&catalog().definitions(Dialect::Full)));
    assert_ne!(one, catalog_hash(&catalog().definitions(Dialect::Portable)));
}
