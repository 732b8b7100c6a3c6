//! A canister that has words of its own wherever there can be some: whatever a page is told, they
//! stand as quotes, with where they are from, and never among the wallet's own words.

use countersign_scenarios::stranger::{CANARY, Mood, Stranger, TOLD};
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

const SITE: &str = "https://site.example";

fn open() -> (Stage, Stranger, Page) {
    let mut stage = Stage::new().with_profiles(vec![Stranger::profile()]);
    let stranger = Stranger::default();
    stage.network.borrow_mut().install(stranger.clone());
    let (page, _) = stage.connected(SITE, &[Stranger::id()]);
    (stage, stranger, page)
}

fn input(fields: &Value) -> Value {
    let mut input = fields.clone();
    input["canister_id"] = json!(Stranger::id().to_text());
    input
}

/// How often the canister's words stand as a quote in a value. Anywhere else they must not stand.
fn quotes(value: &Value) -> usize {
    match value {
        Value::String(text) => {
            assert!(!text.contains("canary bird"), "{text}");
            assert!(!text.contains('\u{202e}'), "{text}");
            0
        }
        Value::Array(values) => values.iter().map(quotes).sum(),
        Value::Object(fields) => {
            for name in fields.keys() {
                assert!(!name.contains("canary bird"), "{name}");
                assert!(name.chars().all(|c| c.is_ascii_graphic()), "{name}");
            }
            if let (Some(Value::String(quote)), Some(from), 2) =
                (fields.get("untrusted"), fields.get("from"), fields.len())
            {
                assert!(!quote.contains('\u{202e}'), "{quote}");
                assert!(quote.chars().count() <= 256 + 8, "{quote}");
                return usize::from(quote.contains("canary bird")) + quotes(from);
            }
            fields.values().map(quotes).sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// The quotes in a result of a tool, of which the sentence has none, nor a name of the canister's.
fn quotes_of(result: &Value) -> usize {
    let content = result["content"].as_array().expect("content");
    let [sentence, twin] = content.as_slice() else {
        panic!("a sentence and its twin: {result}")
    };
    let sentence = sentence["text"].as_str().expect("a sentence");
    assert!(!sentence.contains("canary"), "{sentence}");
    let told = &result["structuredContent"];
    let twin = twin["text"].as_str().expect("the twin");
    assert_eq!(&serde_json::from_str::<Value>(twin).expect("JSON"), told);
    quotes(told)
}

/// Calls a tool that needs no person, and counts the quotes in its answer.
fn called(stage: &Stage, page: &mut Page, tool: &str, fields: &Value) -> usize {
    let id = page.begin(stage, tool, input(fields));
    stage.settle();
    let answer = page.answer(stage, id).expect("the call is answered");
    quotes_of(&answer["result"])
}

/// Prepares and commits a call with the person's yes, and counts the quotes in the answer.
fn committed(stage: &mut Stage, page: &mut Page, tool: &str, fields: &Value) -> (usize, Value) {
    let told = page.call(stage, tool, input(fields));
    quotes(&told);
    let commit = json!({ "preview_id": told["preview_id"] });
    let id = page.begin(stage, "commit", commit);
    stage.settle();
    Person::at_asks(stage).approve(stage);
    let answer = page.answer(stage, id).expect("the commit is answered");
    let outcome = answer["result"]["structuredContent"]["outcome"].clone();
    (quotes_of(&answer["result"]), outcome)
}

#[test]
fn no_word_of_a_canister_is_in_a_definition_or_a_status() {
    let (stage, _, mut page) = open();
    for dialect in ["full", "portable"] {
        let params = json!({ "_meta": { "countersign/dialect": dialect } });
        let id = page.request(&stage, "tools/list", params);
        stage.settle();
        let list = page.answer(&stage, id).expect("the list is answered");
        assert_eq!(quotes(&list), 0);
        // Its names are there, made plain.
        assert!(list.to_string().contains(TOLD), "{list}");
    }
    for (tool, arguments) in [
        ("wallet_status", json!({})),
        ("wallet_find_tools", json!({ "query": "canary" })),
        ("wallet_find_tools", json!({ "query": "transfer" })),
        ("wallet_connect", json!({})),
    ] {
        let id = page.begin(&stage, tool, arguments);
        stage.settle();
        let answer = page.answer(&stage, id).expect("the call is answered");
        assert_eq!(quotes_of(&answer["result"]), 0, "{answer}");
    }
}

#[test]
fn words_of_a_reply_are_quotes() {
    let (stage, _, mut page) = open();
    let odd = page.tools(&stage);
    let odd = odd.iter().find(|name| name.starts_with(TOLD));
    let odd = odd.expect("the method has a tool").clone();
    let list = page.request(&stage, "tools/list", json!({}));
    stage.settle();
    let list = page.answer(&stage, list).expect("the list is answered");
    let tools = list["result"]["tools"].as_array().expect("tools");
    let tool = tools.iter().find(|tool| tool["name"] == odd.as_str());
    let properties = tool.expect("it is listed")["inputSchema"]["properties"].clone();
    let field = properties.as_object().expect("inputs").keys().next_back();
    let field = field.expect("it has one").clone();
    for (tool, fields, count) in [
        ("icrc1_name", json!({}), 1),
        ("icrc1_symbol", json!({}), 1),
        ("icrc1_metadata", json!({}), 2),
        ("icrc1_supported_standards", json!({}), 2),
        ("people", json!({}), 3),
        ("say", json!({ "text": "x" }), 5),
        ("greet", json!({ "integer": "1" }), 1),
        (odd.as_str(), json!({ field: "x" }), 1),
    ] {
        assert_eq!(called(&stage, &mut page, tool, &fields), count, "{tool}");
    }
}

#[test]
fn words_of_a_list_of_names_are_quotes_in_refusals_and_previews() {
    let (stage, _, mut page) = open();
    // Two entries have the name, so it stands for nothing.
    for name in [CANARY, "nobody"] {
        let id = page.begin(&stage, "prepare_tell", input(&json!({ "who": name })));
        stage.settle();
        let answer = page.answer(&stage, id).expect("the call is answered");
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        quotes_of(&answer["result"]);
    }
    // The value has a name on the list.
    assert_eq!(
        called(&stage, &mut page, "prepare_tell", &json!({ "who": "6" })),
        1
    );
}

#[test]
fn words_of_an_answer_an_error_and_a_trap_are_quotes() {
    let (mut stage, stranger, mut page) = open();
    let pay = |memo: &str| json!({ "to": Stranger::id().to_text(), "amount": "1", "memo": memo });
    let tell = |who: &str| json!({ "who": who });
    for (mood, tool, fields, count, outcome) in [
        (Mood::Done, "prepare_icrc1_transfer", pay("a"), 0, "success"),
        (Mood::Done, "prepare_tell", tell("3"), 1, "success"),
        (Mood::Refuses, "prepare_icrc1_transfer", pay("b"), 1, "fail"),
        (Mood::Refuses, "prepare_tell", tell("4"), 2, "fix_input"),
        (
            Mood::Traps,
            "prepare_icrc1_transfer",
            pay("c"),
            1,
            "reconcile",
        ),
        (Mood::Traps, "prepare_tell", tell("5"), 1, "reconcile"),
    ] {
        stranger.feels(mood);
        let told = committed(&mut stage, &mut page, tool, &fields);
        assert_eq!(told, (count, json!(outcome)), "{tool}");
    }
    let id = page.begin(&stage, "skipped", input(&json!({})));
    stage.settle();
    quotes(&page.answer(&stage, id).expect("the call is answered"));
    assert_eq!(called(&stage, &mut page, "wallet_status", &json!({})), 0);
}
