//! Account identifiers as inputs and in what is shown, in each of the forms that canisters use.

#![cfg(feature = "wallet")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::{collections::BTreeMap, rc::Rc};

use candid::{IDLArgs, IDLValue};
use countersign_core::{
    ids::{PreviewId, Principal},
    interface::Interface,
    json::Json,
    profile::{Document, resolve},
    time::Timestamp,
    tools::{
        Canister, Catalog, Dialect, LeafKind, NameBook, Payer, Plans, ReadCall, Tool, build_plans,
    },
};
use serde_json::{Value, json};

const CANISTER: &str = "ryjl3-tyaaa-aaaaa-aaaba-cai";
const OWNER: &str = "2vxsx-fae";
const ID: &str = "1c7a48ba6a562aa9eaa2481a9049cdf0433b9738c992d698c31d8abf89cadc79";

const INTERFACE: &str = "
    type Id = record { hash : blob };
    service : {
        by_blob : (blob) -> (text) query;
        by_record : (record { to : opt Id; from : opt blob }) -> (Id) query;
        by_text : (text) -> (text) query;
    }";

fn plans() -> Plans {
    let interface = Interface::parse(INTERFACE).unwrap();
    let id = json!({ "value": { "kind": "account_id" } });
    let profile = json!({
        "format": "candid-profile", "format_version": 0, "name": "mine",
        "types": { "Id": id },
        "methods": {
            "by_blob": { "at": { "$args[0]": id, "(0)": id } },
            "by_record": { "at": { "from": { "value": { "kind": "account_id" }, "payer": true } } },
            "by_text": { "at": { "$args[0]": id, "(0)": id } },
        },
    });
    let profile = Document::parse(&profile.to_string()).unwrap();
    let resolved = resolve(&interface, &[], &[profile]);
    assert_eq!(resolved.findings, []);
    build_plans(&Rc::new(resolved))
}

fn canister() -> Canister {
    let id = Principal::from_text(CANISTER).unwrap();
    Canister::new(id, None, BTreeMap::new())
}

fn catalog() -> Catalog {
    Catalog::new(&[(canister(), &plans())], &mut NameBook::default())
}

fn read<'a>(tool: &'a Tool, input: &Value) -> ReadCall<'a> {
    let mut input = input.clone();
    input["canister_id"] = json!(CANISTER);
    let input = Json::parse(&input.to_string()).unwrap();
    tool.read(&input, Timestamp::from_nanos(0)).unwrap()
}

fn shown(call: &ReadCall<'_>) -> Value {
    let arg = call.input.encode(None).unwrap();
    let plan = &call.entry.plan;
    let preview = plan.preview(PreviewId::from_bytes([0; 16]), &canister(), &arg);
    preview.unwrap().arguments
}

#[test]
fn an_account_and_its_identifier_are_one_wish_and_the_same_bytes() {
    let catalog = catalog();
    for (tool, input) in [("by_blob", "account_id"), ("by_text", "account_id")] {
        let tool = catalog.find(tool).unwrap();
        let one = read(tool, &json!({ (input): OWNER }));
        let other = read(tool, &json!({ (input): ID.to_uppercase() }));
        assert_eq!(one.input.identity, other.input.identity);
        assert_eq!(
            one.input.encode(None).unwrap(),
            other.input.encode(None).unwrap()
        );
        assert_eq!(shown(&one), json!({ "text": ID, "raw": ID }));
    }
    let tool = catalog.find("by_record").unwrap();
    let call = read(tool, &json!({ "to": OWNER }));
    assert_eq!(
        shown(&call),
        json!({ "to": { "text": ID, "raw": { "hash": ID } }, "from": null })
    );
}

#[test]
fn an_identifier_is_told_by_its_grammar_with_a_pattern() {
    let definition = catalog().find("by_blob").unwrap().definition(Dialect::Full);
    let input = &definition["inputSchema"]["properties"]["account_id"];
    assert!(
        input["description"]
            .as_str()
            .unwrap()
            .contains("64 hexadecimal digits")
    );
    assert!(input["pattern"].is_string());
}

#[test]
fn an_identifier_that_pays_is_told_to_who_judges_it() {
    let catalog = catalog();
    let call = read(
        catalog.find("by_record").unwrap(),
        &json!({ "from": OWNER }),
    );
    let [Payer::AccountId(id)] = &call.input.payers[..] else {
        panic!("{:?}", call.input.payers)
    };
    assert_eq!(id.to_string(), ID);
}

#[test]
fn bytes_with_a_wrong_checksum_are_shown_as_bytes() {
    let plans = plans();
    let plan = &plans.plans["by_blob"];
    let arg = |bytes: [u8; 32]| {
        let arg = IDLValue::Blob(bytes.to_vec());
        IDLArgs::new(&[arg]).to_bytes().unwrap()
    };
    let decoded = plan.decode_for_person(&canister(), &arg([0; 32])).unwrap();
    let [line] = &decoded.arguments[..] else {
        panic!("{decoded:?}")
    };
    assert_eq!(line.kind, LeafKind::Bytes);
    assert_eq!(line.text, Some(format!("0x{}", "00".repeat(32))));
    let text = IDLArgs::new(&[IDLValue::Text(ID.to_uppercase())])
        .to_bytes()
        .unwrap();
    let reply = plan.read_reply(&canister(), &text).unwrap();
    assert_eq!(reply["untrusted"], json!(ID.to_uppercase()));
}
