//! What a connected agent reads: its list, what it may not have and why, previews, refusals, reads,
//! and that `wallet_call` is the same as a direct call.

use countersign_core::confirm::view::Preset;
use countersign_localnet::faults::{BadCertificate, Fault, Kind, Reply};
use countersign_scenarios::lunch::{SHOP, asked, lunch, prepared};
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// The whole result of a tool call that is answered without a person.
fn result(page: &mut Page, stage: &Stage, tool: &str, arguments: Value) -> Value {
    let id = page.begin(stage, tool, arguments);
    stage.settle();
    let answer = page.answer(stage, id).expect("the call is answered");
    answer["result"].clone()
}

fn keys(value: &Value) -> Vec<&str> {
    let fields = value.as_object().expect("an object");
    fields.keys().map(String::as_str).collect()
}

fn sentence(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("a sentence")
}

#[test]
fn skipped_methods_stand_in_the_status_with_the_seeds_reasons() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    let told = page.call(&stage, "wallet_status", json!({}));
    let number = "no rule for a nat position without a value tag or a describe";
    let skip = |method: &str, reason: String| json!({ "method": method, "reason": reason });
    assert_eq!(
        told["canisters"][0]["skipped"],
        json!([
            skip("get_blocks", format!("start: {number}")),
            skip("get_transactions", format!("start: {number}")),
            skip("icrc103_get_allowances", format!("take: {number}")),
            skip(
                "icrc21_canister_call_consent_message",
                "an update method needs the intent tag".to_owned()
            ),
            skip("icrc3_get_blocks", format!("(0)[].start: {number}")),
        ])
    );
}

#[test]
fn tools_are_listed_by_name_and_only_those_that_the_person_gave() {
    let of = |preset: Preset| {
        let mut stage = Stage::new();
        let mut person = Person::at_home(&mut stage);
        person.creates(&stage);
        person.adds_network(&stage, &[Stage::tka()]);
        let mut page = Page::open(&mut stage, SHOP, "D1");
        page.connects(&mut stage, &[Stage::tka()], preset);
        let tools = page.tools(&stage);
        let mut sorted = tools.clone();
        sorted.sort();
        assert_eq!(tools, sorted);
        // What is not in the list is not there to be called either.
        let call = json!({ "name": "prepare_icrc2_approve", "input": {} });
        let told = page.call(&stage, "wallet_call", call);
        let hidden = told["code"] == "E_NO_SUCH_TOOL";
        assert_eq!(
            hidden,
            !tools.iter().any(|name| name == "prepare_icrc2_approve")
        );
        let of_canisters = |name: &String| !name.starts_with("wallet_") && name != "commit";
        tools.into_iter().filter(of_canisters).collect::<Vec<_>>()
    };
    let all = of(Preset::All);
    assert_eq!(all.len(), 21);
    let reads: Vec<_> = all
        .iter()
        .filter(|name| !name.starts_with("prepare_"))
        .cloned()
        .collect();
    assert_eq!(of(Preset::Look), reads);
    assert_eq!(
        of(Preset::Payments),
        ["icrc1_balance_of", "icrc1_fee", "prepare_icrc1_transfer"]
    );
}

#[test]
fn a_prepared_call_is_answered_with_the_whole_preview_and_nothing_was_sent() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    let posted = stage.counters(Stage::tka()).calls_posted;
    let result = result(
        &mut page,
        &stage,
        "prepare_icrc1_transfer",
        lunch("1.5 TKA"),
    );
    let told = &result["structuredContent"];
    assert_eq!(told["status"], "prepared", "{result}");
    let preview = &told["preview"];
    assert_eq!(
        keys(preview),
        [
            "preview_id",
            "method",
            "canister",
            "title",
            "effect",
            "arguments",
            "arg_hex"
        ]
    );
    assert_eq!(
        keys(&preview["arguments"]),
        [
            "to",
            "fee",
            "memo",
            "from_subaccount",
            "created_at_time",
            "amount"
        ]
    );
    assert_eq!(
        preview["arguments"]["amount"],
        json!({ "text": "1.5 TKA", "raw": "150000000" })
    );
    assert_eq!(told["preview_id"], preview["preview_id"]);
    assert_eq!(
        told["next"],
        json!({
            "tool": "commit",
            "input": { "preview_id": preview["preview_id"] },
            "after_s": null,
        })
    );
    assert!(
        sentence(&result).contains("Nothing has been sent"),
        "{result}"
    );
    let twin = result["content"][1]["text"].as_str().expect("the twin");
    assert_eq!(&serde_json::from_str::<Value>(twin).expect("JSON"), told);
    assert_ne!(result["isError"], json!(true));
    assert_eq!(stage.counters(Stage::tka()).calls_posted, posted);
}

#[test]
fn a_refused_input_is_an_error_with_input_place_code_and_message() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    let refused = result(
        &mut page,
        &stage,
        "prepare_icrc1_transfer",
        lunch("1.123456789 TKA"),
    );
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(
        sentence(&refused).starts_with("Nothing was sent."),
        "{refused}"
    );
    let issues = refused["structuredContent"]["issues"].as_array();
    let [issue] = issues.map(Vec::as_slice).unwrap_or_default() else {
        panic!("one issue: {refused}");
    };
    assert_eq!(keys(issue), ["param", "path", "code", "message"]);
    assert_eq!(issue["param"], "amount");
    assert_eq!(issue["path"], "$args[0].amount");
    assert_eq!(issue["code"], "E_EXCESS_PRECISION");
}

#[test]
fn a_read_without_an_answer_says_that_nothing_was_read() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    let balance = json!({ "canister_id": Stage::tka().to_text(), "account": payer.to_text() });
    let always = |fault: Fault| Fault {
        times: None,
        ..fault
    };
    let dropped = always(Fault {
        reply: Reply::Drop,
        ..Fault::on(Kind::Query)
    });
    let forged = always(Fault::bad(BadCertificate::TamperedQuerySignature));
    for fault in [dropped, forged] {
        stage.fault(fault);
        let read = result(&mut page, &stage, "icrc1_balance_of", balance.clone());
        assert_eq!(read["isError"], true, "{read}");
        assert!(sentence(&read).contains("nothing was read"), "{read}");
        assert_eq!(read["structuredContent"]["retry"], "again");
        assert_eq!(read["structuredContent"].get("reply"), None);
        stage.mend();
    }
    stage.connected.set(false);
    let read = result(&mut page, &stage, "icrc1_balance_of", balance.clone());
    assert_eq!(read["isError"], true, "{read}");
    assert!(sentence(&read).contains("nothing was read"), "{read}");
    stage.connected.set(true);
    let read = result(&mut page, &stage, "icrc1_balance_of", balance);
    assert_eq!(
        keys(&read["structuredContent"]),
        [
            "canister",
            "method",
            "certified",
            "as",
            "reply",
            "retry",
            "next"
        ]
    );
    assert_ne!(read["isError"], json!(true));
}

#[test]
fn a_call_through_wallet_call_is_the_direct_call() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let through = |name: &str, input: Value| json!({ "name": name, "input": input });
    let same = through("prepare_icrc1_transfer", lunch("1.50"));
    let told = page.call(&stage, "wallet_call", same);
    assert_eq!(told["status"], "repeated", "{told}");
    assert_eq!(told["preview"]["preview_id"], preview);

    let number = json!({ "canister_id": Stage::tka().to_text(), "to": 1, "amount": 1 });
    let direct = page.call(&stage, "prepare_icrc1_transfer", number.clone());
    let wrapped = through("prepare_icrc1_transfer", number);
    assert_eq!(page.call(&stage, "wallet_call", wrapped), direct);

    for (bad, code) in [
        (through("no_such_tool", json!({})), "E_NO_SUCH_TOOL"),
        (
            through("wallet_call", through("icrc1_fee", json!({}))),
            "E_NO_SUCH_TOOL",
        ),
        (through("icrc1_fee", json!([])), "E_INPUT"),
        (json!({ "name": "icrc1_fee" }), "E_INPUT"),
        (json!({ "input": {} }), "E_INPUT"),
        (
            json!({ "name": "icrc1_fee", "input": {}, "more": 1 }),
            "E_INPUT",
        ),
    ] {
        let told = page.call(&stage, "wallet_call", bad.clone());
        assert_eq!(told["code"], code, "{bad}: {told}");
    }
}

#[test]
fn a_call_that_ended_and_was_told_may_be_made_again_with_a_later_stamp() {
    let mut stage = Stage::new();
    let (mut page, first, commit, mut person) = asked(&mut stage);
    person.approve(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!((&told["case"], &told["preview_id"]), (&json!("Ok"), &first));
    assert!(told["details"].is_string(), "{told}");

    let look = page.call(&stage, "wallet_intent", json!({ "preview_id": first }));
    assert_eq!(look["outcome"], "success", "{look}");
    // Whoever waited may be gone: who prepares the call again is told its end once more.
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(told["status"], "repeated", "{told}");
    let again = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(again["status"], "prepared", "{again}");
    assert_ne!(again["preview_id"], first);
    let stamp = |told: &Value| -> u64 {
        let raw = &told["preview"]["arguments"]["created_at_time"]["raw"];
        let raw = raw.as_str().expect("the stamp is shown");
        raw.parse().expect("in digits")
    };
    let log = stage.stamps(Stage::tka());
    assert_eq!(log.len(), 1);
    assert!(stamp(&again) > log[0], "{again}");
    // The person is asked anew: nothing is sent by preparing.
    assert_eq!(stage.transfers(Stage::tka()).len(), 1);
}
