//! A tool a case: methods whose argument, or one field of it, is a variant with tags on its cases.

#![cfg(feature = "wallet")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::{collections::BTreeMap, rc::Rc};

use candid::{IDLArgs, IDLValue, types::value::IDLField};
use countersign_core::{
    ids::{PreviewId, Principal},
    interface::Interface,
    json::Json,
    profile::{Class, Document, packs, resolve},
    time::Timestamp,
    tools::{Canister, Catalog, Dialect, NameBook, Plan, Plans, Role, ToolKind, build_plans},
};
use proptest::prelude::*;
use serde_json::{Value, json};

const CASES: &str = include_str!("fixtures/cases.did");
const PROFILE: &str = include_str!("fixtures/cases.json");
const ID: &str = "ryjl3-tyaaa-aaaaa-aaaba-cai";
const PAYEE: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";
const NOW: Timestamp = Timestamp::from_nanos(1_791_547_201_500_000_000);

thread_local! {
    static PLANS: Plans = {
        let interface = Interface::parse(CASES).unwrap();
        let profile = Document::parse(PROFILE).unwrap();
        let resolved = resolve(&interface, &packs::all(), &[profile]);
        assert_eq!(resolved.findings, []);
        build_plans(&Rc::new(resolved))
    };
}

fn plans() -> Plans {
    PLANS.with(Clone::clone)
}

fn case(method: &str, case: &str) -> Rc<Plan> {
    let key = (method.to_owned(), case.to_owned());
    Rc::clone(&plans().cases[&key])
}

fn canister() -> Canister {
    Canister::new(Principal::from_text(ID).unwrap(), None, BTreeMap::new())
}

fn catalog() -> Catalog {
    Catalog::new(&[(canister(), &plans())], &mut NameBook::default())
}

fn with_id(input: &Value) -> Json {
    let mut input = input.clone();
    input["canister_id"] = json!(ID);
    Json::parse(&input.to_string()).unwrap()
}

/// The bytes of a call, and the plan that made them.
fn made(tool: &str, input: &Value) -> (Rc<Plan>, Vec<u8>) {
    let catalog = catalog();
    let call = catalog.find(tool).unwrap_or_else(|| panic!("{tool}"));
    let call = call.read(&with_id(input), NOW);
    let call = call.unwrap_or_else(|issues| panic!("{issues:?}"));
    let arg = call.input.encode(Some(NOW)).unwrap();
    (Rc::clone(&call.entry.plan), arg)
}

fn codes(tool: &str, input: &Value) -> Vec<String> {
    let catalog = catalog();
    let issues = catalog
        .find(tool)
        .unwrap()
        .read(&with_id(input), NOW)
        .unwrap_err();
    issues
        .iter()
        .map(|issue| format!("{} {}", issue.path, issue.code))
        .collect()
}

fn follow() -> Value {
    json!({ "id": { "id": "7" }, "topic": "t", "followees": [{ "id": "1" }] })
}

fn pay() -> Value {
    json!({ "to": PAYEE, "amount": { "e8s": "1.5 TKA" } })
}

#[test]
fn each_tagged_case_is_a_tool_and_every_other_is_skipped_with_its_reason() {
    let names: Vec<_> = catalog()
        .definitions(Dialect::Full)
        .iter()
        .map(|definition| definition["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "certify_Key",
            "commit",
            "inspect_All",
            "inspect_ByKey",
            "prepare_manage_Follow",
            "prepare_manage_Pay",
            "prepare_manage_Rename",
            "prepare_manage_Reset",
            "prepare_manage_Stop",
            "prepare_manage_Wait",
            "prepare_register_Add",
            "prepare_register_Remove",
            "register_Clear",
        ]
    );
    let skipped: Vec<_> = (plans().skipped.iter())
        .map(|skipped| format!("{}: {}", skipped.told(), skipped.reason))
        .collect();
    assert_eq!(
        skipped,
        [
            "broken: page: no rule for a nat position without a value tag or a describe",
            "certify.All: only an effect of kind read that can be undone may be replicated",
            "manage.Both: command.Both.id: another position is told under the same name",
            "manage.Pair: command.Pair.0: no rule for a field or case named by a number",
            "manage.Pick: canister_id: the input of that name selects the canister",
            "manage.Propose: command.Propose.then: no rule for a recursive position",
            "manage.Untold: other cases have an intent or effect, and this one has none",
            "manage.Weigh: command.Weigh: no rule for a float64 position without a value tag",
            "register.Clear: an update method needs the effect tag",
            "two: cases of more than one field have an intent or effect",
        ]
    );
    assert!(!plans().plans.contains_key("manage"));
}

#[test]
fn a_case_named_as_another_methods_tool_is_skipped_with_it() {
    let profile = PROFILE.replace(
        r#""Clear": { "intent": "Clear all" }"#,
        r#""Clear": { "intent": "Clear", "outcome": { "Ok": "success" },
            "effect": { "kind": "set", "irreversible": true } }"#,
    );
    let text = CASES.replace(
        "register_Clear : () -> (text) query",
        "register_Clear : () -> ()",
    );
    let mut profile: Value = serde_json::from_str(&profile).unwrap();
    profile["methods"]["register_Clear"] = json!({
        "intent": "Clear", "effect": { "kind": "set", "irreversible": true },
        "outcome": { "default": "success" },
    });
    let interface = Interface::parse(&text).unwrap();
    let profile = Document::parse(&profile.to_string()).unwrap();
    let plans = build_plans(&Rc::new(resolve(&interface, &packs::all(), &[profile])));
    let skipped: Vec<_> = (plans
        .skipped
        .iter()
        .map(|s| format!("{}: {}", s.told(), s.reason)))
    .filter(|line| line.contains("Clear"))
    .collect();
    assert_eq!(
        skipped,
        [
            "register.Clear: the tool name prepare_register_Clear is another method's",
            "register_Clear: the tool name prepare_register_Clear is another method's",
        ]
    );
}

#[test]
fn the_records_other_fields_and_the_fields_of_the_case_are_its_inputs() {
    let catalog = catalog();
    let inputs = |tool: &str| {
        let definition = catalog.find(tool).unwrap().definition(Dialect::Full);
        let schema = &definition["inputSchema"];
        let names = schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .skip(1)
            .cloned();
        (names.collect::<Vec<_>>(), schema["required"].clone())
    };
    for (tool, names, required) in [
        (
            "prepare_manage_Follow",
            vec!["id", "topic", "followees"],
            vec!["topic", "followees"],
        ),
        ("prepare_manage_Pay", vec!["id", "to", "amount"], vec![]),
        ("prepare_manage_Stop", vec!["id"], vec![]),
        ("prepare_manage_Rename", vec!["id", "text"], vec!["text"]),
        ("prepare_manage_Wait", vec!["id", "integer"], vec![]),
        ("prepare_manage_Reset", vec!["id"], vec![]),
        (
            "prepare_register_Add",
            vec!["key", "value"],
            vec!["key", "value"],
        ),
        ("prepare_register_Remove", vec!["text"], vec!["text"]),
        ("inspect_ByKey", vec!["text"], vec!["text"]),
        ("inspect_All", vec![], vec![]),
        ("certify_Key", vec!["text"], vec!["text"]),
    ] {
        let mut wanted = vec!["canister_id"];
        wanted.extend(required);
        let (mut found, needs) = inputs(tool);
        let mut names = names;
        found.sort();
        names.sort_unstable();
        assert_eq!(found, names, "{tool}");
        let mut needs: Vec<_> = needs
            .as_array()
            .unwrap()
            .iter()
            .map(Value::to_string)
            .collect();
        let mut wanted: Vec<_> = wanted.iter().map(|name| format!("\"{name}\"")).collect();
        needs.sort();
        wanted.sort();
        assert_eq!(needs, wanted, "{tool}");
    }
}

#[test]
fn the_definition_of_a_case_says_which_it_is_and_what_it_does() {
    let definition = catalog()
        .find("prepare_manage_Pay")
        .unwrap()
        .definition(Dialect::Full);
    assert_eq!(definition["annotations"]["title"], json!("Pay e8s to to"));
    let words = definition["description"].as_str().unwrap();
    for part in [
        "`manage`",
        "case `Pay`",
        "effect: transfer, irreversible",
        "created_at_time (a stamp",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert!(!definition.to_string().contains("from_part"));
    let wait = catalog()
        .find("prepare_manage_Wait")
        .unwrap()
        .definition(Dialect::Full);
    assert!(
        wait["description"]
            .as_str()
            .unwrap()
            .contains("effect: govern, reversible")
    );
}

#[test]
fn definitions_of_cases_are_the_same_bytes_each_time() {
    let all = |dialect| Value::Array(catalog().definitions(dialect)).to_string();
    for dialect in Dialect::ALL {
        assert_eq!(all(dialect), all(dialect));
    }
    // A long name is cut and tells by a hash which it was.
    let text =
        "service : { a_method_with_a_long_name : (variant { WithALongCase; B }) -> () query }";
    let interface = Interface::parse(text).unwrap();
    let profile = json!({
        "format": "candid-profile", "format_version": 0, "name": "long",
        "methods": { "a_method_with_a_long_name": { "cases": {
            "WithALongCase": { "intent": "Long" }, "B": { "intent": "B" },
        } } },
    });
    let profile = Document::parse(&profile.to_string()).unwrap();
    let plans = build_plans(&Rc::new(resolve(&interface, &[], &[profile])));
    let names: Vec<_> = plans
        .iter()
        .map(|plan| plan.names().get(Dialect::Portable).len())
        .collect();
    assert_eq!(names, [27, 39]);
}

#[test]
fn a_call_has_the_case_and_the_values_that_were_given() {
    let (plan, arg) = made("prepare_manage_Follow", &follow());
    let args = IDLArgs::from_bytes(&arg).unwrap();
    let text = format!("{args:?}");
    for part in ["Follow", "1_791_547_201_500_000_000"] {
        let hash = candid::idl_hash(part);
        assert!(
            text.contains(part) || text.contains(&number(hash)),
            "{part}: {text}"
        );
    }
    let shown = plan
        .preview(PreviewId::from_bytes([0; 16]), &canister(), &arg)
        .unwrap();
    assert_eq!(shown.title, "Follow on topic");
    assert_eq!(shown.effect.unwrap().kind.as_str(), "govern");
    assert_eq!(
        shown.arguments,
        json!({
            "id": { "id": "7" },
            "command": {
                "tag": "Follow", "value": { "topic": "t", "followees": [{ "id": "1" }] },
            },
            "created_at_time": "1791547201500000000",
        })
    );
    for (tool, input, command) in [
        ("prepare_manage_Stop", json!({}), json!({ "tag": "Stop" })),
        (
            "prepare_manage_Rename",
            json!({ "text": " x" }),
            json!({ "tag": "Rename", "value": " x" }),
        ),
        ("prepare_manage_Wait", json!({}), json!({ "tag": "Wait" })),
        (
            "prepare_manage_Wait",
            json!({ "integer": "5" }),
            json!({ "tag": "Wait", "value": "5" }),
        ),
        (
            "prepare_manage_Reset",
            json!({}),
            json!({ "tag": "Reset", "value": {} }),
        ),
    ] {
        let (plan, arg) = made(tool, &input);
        let shown = plan
            .preview(PreviewId::from_bytes([0; 16]), &canister(), &arg)
            .unwrap();
        assert_eq!(shown.arguments["command"], command);
    }
    let (plan, arg) = made("prepare_register_Add", &json!({ "key": "k", "value": "v" }));
    let shown = plan
        .preview(PreviewId::from_bytes([0; 16]), &canister(), &arg)
        .unwrap();
    assert_eq!(
        shown.arguments,
        json!({ "tag": "Add", "value": { "key": "k", "value": "v" } })
    );
}

/// A number as Candid text groups it.
fn number(number: u32) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

#[test]
fn a_person_sees_each_argument_of_a_case_by_its_way_and_who_filled_it() {
    let (plan, arg) = made("prepare_manage_Pay", &pay());
    let decoded = plan.decode_for_person(&canister(), &arg).unwrap();
    assert_eq!(decoded.title, format!("Pay 1.5 TKA to {PAYEE}"));
    let lines: Vec<_> = (decoded.arguments.iter())
        .map(|line| (line.path.as_str(), line.text.as_deref(), line.role))
        .collect();
    assert_eq!(
        lines,
        [
            ("id", None, Role::Param),
            ("command.Pay.to", Some(PAYEE), Role::Param),
            ("command.Pay.from_part", None, Role::Hidden),
            ("command.Pay.amount.e8s", Some("1.5 TKA"), Role::Param),
            ("created_at_time", Some("1791547201500000000"), Role::Stamp),
        ]
    );
    let (plan, arg) = made("prepare_manage_Stop", &json!({}));
    let decoded = plan.decode_for_person(&canister(), &arg).unwrap();
    let command = decoded
        .arguments
        .iter()
        .find(|line| line.path == "command")
        .unwrap();
    assert_eq!(command.text.as_deref(), Some("Stop"));
}

#[test]
fn issues_name_the_place_in_the_case() {
    assert_eq!(
        codes(
            "prepare_manage_Follow",
            &json!({ "followees": [{ "id": "x" }], "command": "Stop" })
        ),
        [
            "command E_UNKNOWN_PARAM",
            "$args[0].command.Follow.topic E_MISSING",
            "$args[0].command.Follow.followees[0].id E_SYNTAX",
        ]
    );
    assert_eq!(
        codes(
            "prepare_manage_Pay",
            &json!({ "amount": { "e8s": "1.123456789" } })
        ),
        ["$args[0].command.Pay.amount.e8s E_EXCESS_PRECISION"]
    );
    assert_eq!(
        codes("prepare_manage_Rename", &json!({})),
        ["$args[0].command.Rename E_MISSING"]
    );
}

#[test]
fn the_bytes_of_a_call_say_which_tool_made_them() {
    let plans = plans();
    let (follow, follow_arg) = made("prepare_manage_Follow", &follow());
    let (_, pay_arg) = made("prepare_manage_Pay", &pay());
    let found = plans.of_call("manage", &follow_arg).unwrap();
    assert_eq!(found.names(), follow.names());
    assert_eq!(
        plans.of_call("manage", &pay_arg).unwrap().case(),
        Some("Pay")
    );
    assert!(plans.of_call("register", &pay_arg).is_none());
    assert!(plans.of_call("manage", b"DIDL").is_none());
    // The words of one case are never put to the bytes of another.
    assert!(follow.decode_for_person(&canister(), &pay_arg).is_err());
    assert!(
        follow
            .preview(PreviewId::from_bytes([0; 16]), &canister(), &pay_arg)
            .is_err()
    );
    // A case without a tool has no words at all.
    let interface = Interface::parse(CASES).unwrap();
    let types = interface.args("manage").unwrap();
    let mut value = types.decode(&follow_arg).unwrap().remove(0);
    let IDLValue::Record(fields) = &mut value else {
        panic!()
    };
    let command = fields
        .iter_mut()
        .find(|field| field.id.get_id() == candid::idl_hash("command"));
    let untold = candid::types::value::VariantValue(
        Box::new(IDLField {
            id: candid::types::Label::Named("Untold".to_owned()),
            val: IDLValue::Record(vec![IDLField {
                id: candid::types::Label::Named("x".to_owned()),
                val: IDLValue::Text("x".to_owned()),
            }]),
        }),
        0,
    );
    command.unwrap().val = IDLValue::Opt(Box::new(IDLValue::Variant(untold)));
    let untold = types.encode(&[value]).unwrap();
    assert!(plans.of_call("manage", &untold).is_none());
}

#[test]
fn a_reply_has_the_class_that_its_case_says() {
    let interface = Interface::parse(CASES).unwrap();
    let results = interface.results("manage").unwrap();
    let record = |fields: Vec<(&str, IDLValue)>| {
        let mut fields: Vec<_> = (fields.into_iter())
            .map(|(name, val)| IDLField {
                id: candid::types::Label::Named(name.to_owned()),
                val,
            })
            .collect();
        fields.sort_by_key(|field| field.id.get_id());
        IDLValue::Record(fields)
    };
    let reply = |name: &str, held: IDLValue| {
        let field = IDLField {
            id: candid::types::Label::Named(name.to_owned()),
            val: held,
        };
        let variant = candid::types::value::VariantValue(Box::new(field), 0);
        let command = IDLValue::Opt(Box::new(IDLValue::Variant(variant)));
        results
            .encode(&[record(vec![("command", command)])])
            .unwrap()
    };
    let error = || {
        record(vec![
            ("code", IDLValue::Int32(1)),
            ("text", IDLValue::Text("no".to_owned())),
        ])
    };
    let class = |name: &str, reply: &[u8]| {
        let classified = case("manage", name).classify(&canister(), reply).unwrap();
        (classified.class, classified.case.unwrap_or_default())
    };
    let failed = "command.Error".to_owned();
    assert_eq!(
        class("Follow", &reply("Error", error())),
        (Class::FixInput, failed.clone())
    );
    assert_eq!(
        class("Pay", &reply("Error", error())),
        (Class::RetryNew, failed)
    );
    let done = reply("Pay", record(vec![("block", IDLValue::Nat64(1))]));
    assert_eq!(
        class("Pay", &done),
        (Class::Success, "command.Pay".to_owned())
    );
    assert_eq!(
        class("Stop", &reply("Follow", record(vec![]))).0,
        Class::Success
    );
    // What only the case of another tool says, does not count here.
    assert_eq!(
        class("Pay", &reply("Follow", record(vec![]))).0,
        Class::Fail
    );
}

#[test]
fn a_case_of_a_read_is_a_read_and_a_replicated_one_an_update() {
    assert_eq!(
        case("inspect", "All").kind(),
        ToolKind::Read { replicated: false }
    );
    assert_eq!(
        case("certify", "Key").kind(),
        ToolKind::Read { replicated: true }
    );
    let (_, arg) = made("inspect_ByKey", &json!({ "text": "k" }));
    let shown = case("inspect", "ByKey")
        .preview(PreviewId::from_bytes([0; 16]), &canister(), &arg)
        .unwrap();
    assert_eq!(shown.arguments, json!({ "tag": "ByKey", "value": "k" }));
}

#[test]
fn the_same_values_in_two_cases_are_two_wishes() {
    let catalog = catalog();
    let identity = |tool: &str, input: Value| {
        let tool = catalog.find(tool).unwrap();
        tool.read(&with_id(&input), NOW).unwrap().input.identity
    };
    assert_ne!(
        identity("prepare_manage_Stop", json!({})),
        identity("prepare_manage_Reset", json!({}))
    );
    assert_eq!(
        identity("prepare_manage_Pay", pay()),
        identity(
            "prepare_manage_Pay",
            json!({ "to": PAYEE, "amount": { "e8s": "1.50" } })
        )
    );
}

#[test]
fn the_names_of_cases_stay_in_a_grants_book() {
    let mut book = NameBook::default();
    let before = Catalog::new(&[(canister(), &plans())], &mut book);
    let stored = serde_json::to_string(&book).unwrap();
    assert!(
        stored.contains(r#""method":"manage","case":"Follow","prepares":true"#),
        "{stored}"
    );
    let mut stored: NameBook = serde_json::from_str(&stored).unwrap();
    let after = Catalog::new(&[(canister(), &plans())], &mut stored);
    assert_eq!(stored, book);
    assert_eq!(
        before.definitions(Dialect::Full),
        after.definitions(Dialect::Full)
    );
}

proptest! {
    /// Whatever is given, a case tool makes no call but of its own case, and its bytes decode in
    /// candid to what is shown.
    #[test]
    fn a_case_tool_makes_only_its_case(
        topic in "\\PC{0,8}",
        followees in prop::collection::vec(any::<u64>(), 0..5),
        id: Option<u64>,
    ) {
        let mut input = json!({
            "topic": topic,
            "followees": followees.iter().map(|id| json!({ "id": id.to_string() })).collect::<Vec<_>>(),
        });
        if let Some(id) = id {
            input["id"] = json!({ "id": id.to_string() });
        }
        let (plan, arg) = made("prepare_manage_Follow", &input);
        let plans = plans();
        prop_assert_eq!(plans.of_call("manage", &arg).unwrap().case(), Some("Follow"));
        let shown = plan.preview(PreviewId::from_bytes([0; 16]), &canister(), &arg).unwrap();
        prop_assert_eq!(&shown.arguments["command"]["value"]["topic"], &json!(topic));
        let args = IDLArgs::from_bytes(&arg).unwrap();
        let IDLValue::Record(fields) = &args.args[0] else { panic!() };
        let at = |fields: &[IDLField], name: &str| {
            let found = fields.iter().find(|field| field.id.get_id() == candid::idl_hash(name));
            found.unwrap().val.clone()
        };
        let IDLValue::Opt(command) = at(fields, "command") else { panic!() };
        let IDLValue::Variant(variant) = *command else { panic!() };
        prop_assert_eq!(variant.0.id.get_id(), candid::idl_hash("Follow"));
        let IDLValue::Record(held) = &variant.0.val else { panic!() };
        prop_assert_eq!(at(held, "topic"), IDLValue::Text(topic));
        let IDLValue::Vec(found) = at(held, "followees") else {
            prop_assert!(followees.is_empty());
            return Ok(());
        };
        prop_assert_eq!(found.len(), followees.len());
    }
}
