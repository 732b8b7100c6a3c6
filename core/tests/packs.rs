//! What the built-in profiles of ledgers, minters and governance make of their methods: the inputs, the
//! exact arguments, and what replies mean where a canister's rule for duplicates is its own.

#![cfg(feature = "wallet")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::collections::BTreeMap;
use std::rc::Rc;

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
    profile::{Class, Document, packs, resolve},
    time::Timestamp,
    tools::{
        Canister, Catalog, Dialect, NameBook, Plan, Plans, RefValue, Undecodable, build_plans,
    },
};
use serde_json::{Value, json};

const ID: &str = "ryjl3-tyaaa-aaaaa-aaaba-cai";
const NOW: Timestamp = Timestamp::from_nanos(1_791_547_201_000_000_000);
/// The identifier of the account that pays fees of the specification's example.
const IDENTIFIER: &str = "051b05839339f89053454a4b9865ea0452a4bffe2b1cd41f4982bad10c1e637c";

fn document(pack: &str) -> Document {
    let found = packs::all().into_iter().find(|known| known.name == pack);
    found.unwrap()
}

/// The interface that a pack is written for.
fn interface(pack: &str) -> Interface {
    document(pack).candid.unwrap()
}

/// Its tools.
fn plans(pack: &str) -> Plans {
    build_plans(&Rc::new(resolve(&interface(pack), &packs::all(), &[])))
}

fn canister() -> Canister {
    let refs = BTreeMap::from([
        (
            "query:icrc1_decimals".to_owned(),
            RefValue::Number(8_u8.into()),
        ),
        (
            "query:icrc1_symbol".to_owned(),
            RefValue::Text("ICP".to_owned()),
        ),
    ]);
    Canister::new(Principal::from_text(ID).unwrap(), Some("ICP"), refs)
}

/// The preview of the call that an input becomes.
fn prepared(pack: &str, tool: &str, input: &Value) -> (Value, String) {
    let mut input = input.clone();
    input["canister_id"] = json!(ID);
    let catalog = Catalog::new(&[(canister(), &plans(pack))], &mut NameBook::default());
    let tool = catalog.find(tool).unwrap_or_else(|| panic!("{tool}"));
    let input = Json::parse(&input.to_string()).unwrap();
    let call = tool
        .read(&input, NOW)
        .unwrap_or_else(|issues| panic!("{issues:?}"));
    let arg = call.input.encode(Some(NOW)).unwrap();
    let plan = &call.entry.plan;
    let id = PreviewId::from_bytes([0; 16]);
    let preview = plan.preview(id, &call.entry.canister, &arg).unwrap();
    (preview.arguments, preview.title)
}

fn variant(tag: &str, value: IDLValue) -> IDLValue {
    let id = Label::Named(tag.to_owned());
    IDLValue::Variant(VariantValue(Box::new(IDLField { id, val: value }), 0))
}

fn record(fields: Vec<(&str, IDLValue)>) -> IDLValue {
    let fields = fields.into_iter().map(|(name, val)| IDLField {
        id: Label::Named(name.to_owned()),
        val,
    });
    IDLValue::Record(fields.collect())
}

fn some(value: IDLValue) -> IDLValue {
    IDLValue::Opt(Box::new(value))
}

/// The class of a reply that the interface of a pack knows.
fn class(pack: &str, plan: &Plan, reply: IDLValue) -> Result<Class, Undecodable> {
    let types = interface(pack).results(plan.method()).unwrap();
    let bytes = types.encode(&[reply]).unwrap();
    plan.classify(&canister(), &bytes).map(|reply| reply.class)
}

mod icp {
    use super::*;

    #[test]
    fn a_legacy_transfer_carries_its_stamp_in_a_record() {
        let input = json!({
            "to": IDENTIFIER, "amount": { "e8s": "1.5 ICP" }, "fee": { "e8s": "0.0001" }, "memo": "7",
        });
        let (arguments, title) = prepared("icp-ledger", "prepare_transfer", &input);
        assert_eq!(title, "Send tokens to an account identifier");
        assert_eq!(arguments["to"]["text"], IDENTIFIER);
        assert_eq!(
            arguments["amount"]["e8s"],
            json!({ "text": "1.5 ICP", "raw": "150000000" })
        );
        assert_eq!(
            arguments["created_at_time"]["timestamp_nanos"]["raw"],
            NOW.as_nanos().to_string()
        );
        let plans = plans("icp-ledger");
        assert!(plans.plans["transfer"].idempotency().is_some());
    }

    #[test]
    fn its_duplicates_are_told_by_its_own_names() {
        let plans = plans("icp-ledger");
        let plan = &plans.plans["transfer"];
        let err = |case: &str, value| {
            class("icp-ledger", plan, variant("Err", variant(case, value))).unwrap()
        };
        let block = record(vec![("duplicate_of", IDLValue::Nat64(7))]);
        assert_eq!(err("TxDuplicate", block), Class::AlreadyDone);
        let window = record(vec![("allowed_window_nanos", IDLValue::Nat64(1))]);
        assert_eq!(err("TxTooOld", window), Class::RetryNew);
        assert_eq!(err("TxCreatedInFuture", IDLValue::Null), Class::RetryNew);
    }

    #[test]
    fn accounts_are_asked_by_identifier_in_either_form() {
        for (tool, account) in [
            ("account_balance", IDENTIFIER),
            ("account_balance_dfx", IDENTIFIER),
        ] {
            let (arguments, _) = prepared("icp-ledger", tool, &json!({ "account": account }));
            assert_eq!(arguments["account"]["text"], IDENTIFIER, "{tool}");
        }
    }
}

mod cycles {
    use super::*;

    #[test]
    fn what_was_refunded_is_no_success_and_what_may_still_run_is_not_done() {
        let plans = plans("cycles-ledger");
        let err = |method: &str, case: &str, value| {
            class(
                "cycles-ledger",
                &plans.plans[method],
                variant("Err", variant(case, value)),
            )
            .unwrap()
        };
        let failed = || {
            record(vec![
                ("fee_block", IDLValue::None),
                ("rejection_code", variant("Unknown", IDLValue::Null)),
                ("rejection_reason", IDLValue::Text(String::new())),
            ])
        };
        assert_eq!(err("withdraw", "FailedToWithdraw", failed()), Class::Fail);
        let block = record(vec![("duplicate_of", IDLValue::Nat(7_u8.into()))]);
        assert_eq!(err("withdraw", "Duplicate", block), Class::AlreadyDone);
        // A creation of the same amount and stamp may be another one, and may still be running.
        let block = record(vec![
            ("duplicate_of", IDLValue::Nat(7_u8.into())),
            ("canister_id", IDLValue::None),
        ]);
        assert_eq!(err("create_canister", "Duplicate", block), Class::Fail);
    }

    #[test]
    fn a_canister_is_created_with_an_amount_alone() {
        let (arguments, _) = prepared(
            "cycles-ledger",
            "prepare_create_canister",
            &json!({ "amount": "1" }),
        );
        assert_eq!(arguments["creation_args"], Value::Null);
        assert_eq!(arguments["amount"]["raw"], "100000000");
    }
}

mod minters {
    use super::*;

    #[test]
    fn a_withdrawal_has_no_stamp_and_says_so() {
        for (pack, method) in [
            ("ckbtc-minter", "retrieve_btc"),
            ("ckbtc-minter", "retrieve_btc_with_approval"),
            ("cketh-minter", "withdraw_eth"),
            ("cketh-minter", "withdraw_erc20"),
        ] {
            let plans = plans(pack);
            let catalog = Catalog::new(&[(canister(), &plans)], &mut NameBook::default());
            let tool = catalog.find(&format!("prepare_{method}")).unwrap();
            assert!(tool.first().idempotency().is_none(), "{method}");
            let told = tool.definition(Dialect::Full)["description"].to_string();
            assert!(told.contains("never sent again"), "{method}: {told}");
        }
    }

    /// Without a stamp the same bytes again are another withdrawal, whatever the first one said.
    #[test]
    fn nothing_without_a_stamp_is_handed_back_to_be_sent_again() {
        for document in packs::all() {
            for (name, method) in document.methods {
                // Crediting is by the outputs that arrived, each of which counts once.
                if method.idempotency.is_some() || name == "update_balance" {
                    continue;
                }
                let classes = method
                    .outcome
                    .map(|outcome| outcome.classes)
                    .unwrap_or_default();
                for (path, class) in classes {
                    let again = matches!(class, Class::RetrySame | Class::RetryNew);
                    assert!(!again, "{} {name} {path}", document.name);
                }
            }
        }
    }

    #[test]
    fn amounts_are_bitcoin_and_ether_without_a_symbol_of_the_minters() {
        let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
        let input = json!({ "address": address, "amount": "0.001" });
        let (arguments, _) = prepared("ckbtc-minter", "prepare_retrieve_btc_with_approval", &input);
        assert_eq!(
            arguments["amount"],
            json!({ "text": "0.001", "raw": "100000" })
        );
        let recipient = format!("0x{}", "ab".repeat(20));
        let input = json!({ "recipient": recipient, "amount": "0.03" });
        let (arguments, _) = prepared("cketh-minter", "prepare_withdraw_eth", &input);
        assert_eq!(arguments["amount"]["raw"], "30000000000000000");
    }

    #[test]
    fn an_address_for_deposits_is_read_certified() {
        let plans = plans("ckbtc-minter");
        let kind = plans.plans["get_btc_address"].kind();
        assert_eq!(
            kind,
            countersign_core::tools::ToolKind::Read { replicated: true }
        );
    }
}

mod governance {
    use super::*;

    #[test]
    fn a_vote_is_a_tool_of_its_own() {
        let input = json!({
            "id": { "id": "17" }, "proposal": { "id": "4" }, "vote": "1",
        });
        let (arguments, title) = prepared(
            "nns-governance",
            "prepare_manage_neuron_RegisterVote",
            &input,
        );
        assert_eq!(title, "Vote on a proposal");
        assert_eq!(arguments["id"], json!({ "id": "17" }));
        assert_eq!(
            arguments["command"],
            json!({ "tag": "RegisterVote", "value": { "proposal": { "id": "4" }, "vote": "1" } })
        );
        assert_eq!(arguments["neuron_id_or_subaccount"], Value::Null);
    }

    #[test]
    fn a_reply_is_classed_by_its_command() {
        let plans = plans("nns-governance");
        let key = ("manage_neuron".to_owned(), "Follow".to_owned());
        let plan = &plans.cases[&key];
        let answer = |command| record(vec![("command", command)]);
        let reply = |command| class("nns-governance", plan, answer(command));
        let done = some(variant("Follow", record(vec![])));
        assert_eq!(reply(done), Ok(Class::Success));
        let error = record(vec![
            ("error_message", IDLValue::Text("no".to_owned())),
            ("error_type", IDLValue::Int32(1)),
        ]);
        assert_eq!(reply(some(variant("Error", error))), Ok(Class::Fail));
        // A command that this interface does not know says nothing of what happened.
        let unheard = answer(some(variant("Unheard", IDLValue::Null)));
        let bytes = IDLArgs::new(&[unheard]).to_bytes().unwrap();
        assert_eq!(plan.classify(&canister(), &bytes), Err(Undecodable));
    }

    #[test]
    fn a_neuron_of_another_nervous_system_is_named_by_its_subaccount() {
        let id = "0b".repeat(32);
        let input = json!({ "subaccount": id, "amount_e8s": "2", "memo": "3" });
        let (arguments, _) = prepared("sns-governance", "prepare_manage_neuron_Split", &input);
        assert_eq!(arguments["subaccount"]["raw"], id);
        assert_eq!(
            arguments["command"]["value"]["amount_e8s"]["raw"],
            "200000000"
        );
    }
}

mod tokens_of_a_collection {
    use super::*;

    fn plan() -> Rc<Plan> {
        Rc::clone(&plans("icrc-7").plans["icrc7_transfer"])
    }

    fn ok() -> IDLValue {
        some(variant("Ok", IDLValue::Nat(1_u8.into())))
    }

    fn refused() -> IDLValue {
        some(variant("Err", variant("Unauthorized", IDLValue::Null)))
    }

    #[test]
    fn several_may_go_in_one_call_and_nobody_is_asked_for_a_stamp() {
        let to = "2vxsx-fae";
        let input =
            json!({ "input": [{ "to": to, "token_id": "9" }, { "to": to, "token_id": "10" }] });
        let (arguments, _) = prepared("icrc-7", "prepare_icrc7_transfer", &input);
        assert_eq!(arguments.as_array().unwrap().len(), 2);
        assert_eq!(arguments[0]["token_id"], "9");
        assert_eq!(arguments[0]["created_at_time"], Value::Null);
    }

    #[test]
    fn one_word_stands_for_all_of_them_only_where_they_ended_alike() {
        let plan = plan();
        let reply = |values| class("icrc-7", &plan, IDLValue::Vec(values));
        assert_eq!(reply(vec![ok()]), Ok(Class::Success));
        assert_eq!(reply(vec![ok(), ok()]), Ok(Class::Success));
        assert_eq!(reply(vec![refused()]), Ok(Class::FixInput));
        for unclear in [
            vec![ok(), refused()],
            vec![],
            vec![IDLValue::None],
            vec![ok(), IDLValue::None],
        ] {
            assert_eq!(reply(unclear.clone()), Err(Undecodable), "{unclear:?}");
        }
    }
}

mod canisters {
    use super::*;

    #[test]
    fn their_management_names_the_canister_in_the_selectors_place() {
        let plans = plans("management");
        let reasons: Vec<_> = plans.skipped.iter().map(|s| s.reason.to_string()).collect();
        assert_eq!(reasons.len(), 5);
        assert!(
            reasons
                .iter()
                .all(|reason| reason.starts_with("canister_id:")),
            "{reasons:?}"
        );
    }
}
