//! What is malformed is answered with its documented error; nothing is sent and nothing is stored.

use countersign_core::time::Span;
use countersign_scenarios::lunch::{PAYEE, SHOP, lunch};
use countersign_scenarios::{Page, Stage};
use serde_json::{Value, json};

fn code(page: &mut Page, stage: &Stage, msg: &str) -> Value {
    page.raw(stage, msg);
    stage.settle();
    page.listen(stage);
    page.notes
        .pop()
        .map_or(Value::Null, |note| note["error"]["code"].clone())
}

#[test]
fn malformed_messages_have_their_codes() {
    let mut stage = Stage::new();
    let mut page = Page::open(&mut stage, SHOP, "D1");
    assert_eq!(code(&mut page, &stage, "{"), -32700);
    assert_eq!(code(&mut page, &stage, "[]"), -32600);
    assert_eq!(
        code(
            &mut page,
            &stage,
            r#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#
        ),
        -32600
    );
    let twice = r#"{"jsonrpc":"2.0","id":"x","id":"y","method":"ping"}"#;
    assert_eq!(code(&mut page, &stage, twice), -32600);
    let unknown = r#"{"jsonrpc":"2.0","id":"x","method":"tools/delete"}"#;
    assert_eq!(code(&mut page, &stage, unknown), -32601);
    let tool = r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"nope"}}"#;
    assert_eq!(code(&mut page, &stage, tool), -32602);
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":"x","method":"{}"}}"#,
        "p".repeat(300_000)
    );
    assert_eq!(code(&mut page, &stage, &long), -32600);
}

#[test]
fn inputs_are_refused_with_every_issue_and_nothing_is_posted() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let posted = stage.counters(Stage::tka()).calls_posted;
    let base = lunch("1");
    let with = |name: &str, value: Value| {
        let mut changed = base.clone();
        changed[name] = value;
        changed
    };
    let cases = [
        (
            with("amount", json!("1.123456789 TKA")),
            "E_EXCESS_PRECISION",
        ),
        (with("amount", json!("1.5 GEM")), "E_SYMBOL"),
        (with("amount", json!("1,5")), "E_SYNTAX"),
        (with("amount", json!(1.5)), "E_TYPE"),
        (with("amount", json!("1e3")), "E_SYNTAX"),
        (
            with(
                "to",
                json!("k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6af"),
            ),
            "E_ACCOUNT",
        ),
        (with("to", json!(format!("{PAYEE}.1"))), "E_ACCOUNT"),
        (with("memo", json!(7)), "E_TYPE"),
        (with("fee", json!("1")), "E_UNKNOWN_PARAM"),
        (with("from_subaccount", json!("1")), "E_NOT_GRANTED"),
    ];
    for (arguments, expected) in cases {
        let told = page.call(&stage, "prepare_icrc1_transfer", arguments.clone());
        assert_eq!(told["issues"][0]["code"], expected, "{arguments}: {told}");
    }
    let told = page.call(&stage, "prepare_icrc1_transfer", json!({ "amount": 1 }));
    assert!(
        told["issues"]
            .as_array()
            .is_some_and(|issues| issues.len() >= 3),
        "{told}"
    );
    assert_eq!(stage.counters(Stage::tka()).calls_posted, posted);
    let told = page.call(&stage, "prepare_icrc1_transfer", base);
    assert_eq!(
        told["status"], "prepared",
        "nothing was stored before: {told}"
    );
}

#[test]
fn another_sites_preview_and_none_are_one_answer() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1"));
    let preview = told["preview"]["preview_id"].clone();
    let mut other = Page::open(&mut stage, "https://other.example", "D2");
    other.connects(
        &mut stage,
        &[Stage::tka()],
        countersign_core::confirm::view::Preset::All,
    );
    let none = "00000000000000000000000000000000";
    for tool in ["commit", "wallet_intent", "wallet_cancel"] {
        let foreign = other.call(&stage, tool, json!({ "preview_id": preview }));
        let nothing = other.call(&stage, tool, json!({ "preview_id": none }));
        let nonsense = other.call(&stage, tool, json!({ "preview_id": "x" }));
        assert_eq!(foreign, nothing);
        assert_eq!(foreign, nonsense);
    }
}

#[test]
fn a_flood_is_answered_and_ends() {
    let mut stage = Stage::new();
    let mut page = Page::open(&mut stage, SHOP, "D1");
    let ping = r#"{"jsonrpc":"2.0","id":"x","method":"ping"}"#;
    let before = stage.world.now();
    for _ in 0..40 {
        page.raw(&stage, ping);
        // Undo the moment that a request takes here: all of them within one second.
        stage.world.set_now(before);
    }
    stage.settle();
    page.listen(&stage);
    let flooded = page
        .notes
        .iter()
        .filter(|note| note["error"]["code"] == -31002)
        .count();
    assert_eq!(flooded, 20, "{:?}", page.notes.first());
    stage.world.pass(Span::from_secs(2));
    page.notes.clear();
    page.raw(&stage, ping);
    stage.settle();
    page.listen(&stage);
    assert_eq!(page.notes[0]["result"], json!({}));
}
