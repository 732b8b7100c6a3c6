//! What the wallet encodes decodes to the same values in `candid` and in `@icp-sdk/core`, which
//! encodes them in its own way to the same values again.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

use std::{collections::BTreeMap, rc::Rc};

use candid::{Decode, Nat};
use countersign_core::ids::{PreviewId, from_hex, to_hex};
use countersign_core::interface::Interface;
use countersign_core::json::Json;
use countersign_core::profile::{packs, resolve};
use countersign_core::time::Timestamp;
use countersign_core::tools::{Canister, Catalog, NameBook, RefValue, build_plans};
use countersign_judges::icp_sdk_core;
use countersign_localnet::canisters::{Canister as _, ledger::Ledger};
use countersign_localnet::config::{self, tka_id};
use icrc_ledger_types::icrc1::transfer::TransferArg;
use serde_json::{Value, json};

/// The clock of the specification's example.
const NOW: Timestamp = Timestamp::from_nanos(1_791_547_201_000_000_000);
const PAYEE: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";

fn digits(number: &Nat) -> String {
    number.0.to_string()
}

/// What `candid` reads as the ledgers' own types, in the words of the script.
fn read_by_candid(arg: &[u8]) -> Value {
    let arg = Decode!(arg, TransferArg).unwrap();
    json!({
        "to": {
            "owner": arg.to.owner.to_text(),
            "subaccount": arg.to.subaccount.map(|bytes| to_hex(&bytes)),
        },
        "fee": arg.fee.as_ref().map(digits),
        "memo": arg.memo.map(|memo| to_hex(&memo.0)),
        "from_subaccount": arg.from_subaccount.map(|bytes| to_hex(&bytes)),
        "created_at_time": arg.created_at_time.map(|at| at.to_string()),
        "amount": digits(&arg.amount),
    })
}

/// The inputs of calls, and the values that they mean.
fn cases() -> Vec<(Value, Value)> {
    let subaccount = format!("{}0a", "00".repeat(31));
    let most = "340282366920938463463374607431.76821145";
    let example = json!({
        "to": { "owner": PAYEE, "subaccount": null },
        "fee": null,
        "memo": "6c756e6368",
        "from_subaccount": null,
        "created_at_time": "1791547201000000000",
        "amount": "150000000",
    });
    let changed = |changes: &[(&str, Value)]| {
        let mut values = example.clone();
        for (key, value) in changes {
            values[*key] = value.clone();
        }
        values
    };
    vec![
        (
            json!({ "to": PAYEE, "amount": "1.5 TKA", "memo": "lunch" }),
            example.clone(),
        ),
        (
            json!({ "to": PAYEE, "amount": "0.00000001", "memo": "" }),
            changed(&[("memo", json!("")), ("amount", json!("1"))]),
        ),
        (
            json!({ "to": PAYEE, "amount": most, "from_subaccount": "10" }),
            changed(&[
                ("memo", Value::Null),
                ("from_subaccount", json!(subaccount)),
                ("amount", json!(most.replace('.', ""))),
            ]),
        ),
    ]
}

#[test]
fn the_specifications_example_has_the_same_values_in_candid_and_icp_sdk_core() {
    let text = Ledger::new(config::tka()).candid().unwrap();
    let interface = Interface::parse(&text).unwrap();
    let plans = build_plans(&Rc::new(resolve(&interface, &packs::all(), &[])));
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
    let canister = Canister::new(tka_id(), Some("TKA"), refs);
    let catalog = Catalog::new(&[(canister.clone(), &plans)], &mut NameBook::default());
    let tool = catalog.find("prepare_icrc1_transfer").unwrap();
    let plan = &plans.plans["icrc1_transfer"];
    let shown = |arg: &[u8]| {
        let id = PreviewId::from_bytes([1; 16]);
        plan.preview(id, &canister, arg).unwrap()
    };
    let encoded: Vec<Vec<u8>> = cases()
        .into_iter()
        .map(|(mut input, _)| {
            input["canister_id"] = json!(tka_id().to_text());
            let input = Json::parse(&input.to_string()).unwrap();
            let call = tool.read(&input, NOW).unwrap();
            call.input.encode(Some(NOW)).unwrap()
        })
        .collect();
    let hexes: Vec<String> = encoded.iter().map(|arg| shown(arg).arg_hex).collect();
    let args: Vec<&str> = hexes.iter().map(String::as_str).collect();
    let said: Vec<Value> = serde_json::from_str(&icp_sdk_core("candid.mjs", &args)).unwrap();
    assert_eq!(said.len(), encoded.len());
    for (((_, meant), arg), said) in cases().iter().zip(&encoded).zip(&said) {
        assert_eq!(&read_by_candid(arg), meant);
        assert_eq!(&said["values"], meant);
        let theirs = from_hex(said["bytes"].as_str().unwrap()).unwrap();
        assert_eq!(&read_by_candid(&theirs), meant);
    }
}
