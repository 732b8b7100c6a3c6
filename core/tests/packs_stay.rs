//! What a pack says stays over every profile of the person, which adds to it.

#![cfg(feature = "wallet")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use countersign_core::{
    interface::Interface,
    profile::{
        Document, FindingCode, Node, RelPath, Resolved, Root, Source, ValueTag, packs, resolve,
    },
};
use serde_json::{Value, json};

const LEDGER: &str = include_str!("../src/profile/fixtures/ledger.did");

fn over(text: &str, packs: &[Document], profile: &str) -> Resolved {
    let interface = Interface::parse(text).unwrap();
    resolve(&interface, packs, &[Document::parse(profile).unwrap()])
}

fn at<'a>(resolved: &'a Resolved, method: &str, place: &str) -> &'a Node {
    let path = RelPath::parse(place, Root::Args).unwrap();
    resolved.methods[method].position(&path).unwrap()
}

fn profile(methods: &str) -> String {
    profile_with(r#""types": {}"#, methods)
}

fn profile_with(types: &str, methods: &str) -> String {
    format!(
        r#"{{ "format": "candid-profile", "format_version": 0, "name": "mine", {types},
             "methods": {methods} }}"#
    )
}

fn methods(resolved: &Resolved) -> Value {
    let mut form: Value = serde_json::from_str(&resolved.to_json()).unwrap();
    form["methods"].take()
}

/// What a profile of the person changes of the ledger's form without one, and what is told.
fn over_the_packs(mine: &str) -> (bool, Vec<String>) {
    let resolved = over(LEDGER, &packs::all(), mine);
    let told = resolved.findings.iter().map(|finding| {
        assert_eq!(finding.code, FindingCode::Covered, "{finding:?}");
        assert_eq!(
            finding.advice,
            "it is left out: a built-in pack says what this is"
        );
        let at = finding.at.last().map(String::as_str).unwrap_or_default();
        format!("{} [{at}]: {}", finding.place, finding.message)
    });
    let told = told.collect();
    let without = over(LEDGER, &packs::all(), &profile("{}"));
    let changed = methods(&resolved) != methods(&without);
    (changed, told)
}

#[test]
fn a_packs_word_stays_over_a_persons_profile_which_is_told_as_the_change_it_would_make() {
    let mine = profile_with(
        r#""types": { "Acct": { "describe": "Owner", "value": { "kind": "account" } } }"#,
        r#"{ "icrc1_transfer": {
            "intent": "Pay",
            "effect": { "kind": "approve", "irreversible": false },
            "idempotency": { "stamp": "created_at_time", "window": 1, "drift": 1 },
            "outcome": { "Ok": "success", "Err.BadFee": "retry_same", "default": "success" },
            "at": {
                "to": { "payer": true },
                "amount": { "value": { "kind": "amount", "decimals": 2, "symbol": "X" } },
                "fee": { "describe": "Tip" },
                "memo": { "auto": "empty" },
                "created_at_time": { "ui": { "hidden": true } },
                "from_subaccount": { "payer": false, "value": { "kind": "blob" } },
                "(0).Err": { "describe": "Fault" },
                "(0).Ok": { "value": { "kind": "timestamp", "unit": "seconds" } }
            } } }"#,
    );
    let (changed, mut told) = over_the_packs(&mine);
    told.sort_unstable();
    let transfer = "icrc1_transfer";
    let at = |place: &str, tag: &str, change: &str| {
        format!("{transfer} $args[0].{place} [{tag}]: the {change}")
    };
    assert_eq!(
        told,
        [
            "Acct [describe]: the position would be described otherwise".to_owned(),
            at(
                "amount",
                "value",
                "number would be shown as an amount with 2 decimals"
            ),
            at(
                "created_at_time",
                "hidden",
                "position would be hidden, and left empty"
            ),
            at("fee", "describe", "position would be described otherwise"),
            at(
                "from_subaccount",
                "payer",
                "position would no longer name who pays"
            ),
            at(
                "from_subaccount",
                "value",
                "bytes would be shown as they are"
            ),
            at(
                "memo",
                "auto",
                "position would be left empty, and nobody asked for it"
            ),
            at("to", "payer", "position would name who pays"),
            format!(
                "{transfer} (0).Ok [value]: the number would be shown as a date, counted in \
                 seconds"
            ),
            format!(
                "{transfer} [(0).Err.BadFee]: a reply `(0).Err.BadFee` would count as not done, \
                 and the same call be sent again"
            ),
            format!("{transfer} [default]: every other reply would count as done"),
            format!(
                "{transfer} [effect]: the call would be told as `approve`, which can be undone"
            ),
            format!(
                "{transfer} [idempotency]: the wallet would fill `$args[0].created_at_time`, and say that the \
                 canister drops repeats by it"
            ),
            format!("{transfer} [intent]: the call would have another title"),
        ]
    );
    // `(0).Err` is no position of which a pack says anything: it is described.
    assert!(changed);
}

#[test]
fn who_says_what_a_pack_says_changes_nothing_and_is_told_nothing() {
    let mine = profile(
        r#"{ "icrc1_transfer": {
            "intent": "Send tokens",
            "effect": { "kind": "transfer", "irreversible": true,
                "grant": { "to": "to", "amount": "amount" } },
            "outcome": { "Ok": "success", "Err.TooOld": "retry_new" },
            "reconcile": "icrc3-blocks",
            "at": {
                "to": { "describe": "Recipient", "value": { "kind": "account" }, "payer": false },
                "from_subaccount": { "payer": true, "ui": { "hidden": false } },
                "fee": { "auto": "empty" }
            } } }"#,
    );
    assert_eq!(over_the_packs(&mine), (false, vec![]));
}

#[test]
fn bounds_words_and_names_are_added_where_packs_have_none() {
    let mine = profile_with(
        r#""names": { "friend": { "source": "wallet" } }"#,
        r#"{ "icrc1_transfer": { "at": {
            "to": { "named": "friend" }, "amount": { "range": { "max": "9" } } } } }"#,
    );
    let resolved = over(LEDGER, &packs::all(), &mine);
    assert_eq!(resolved.findings, []);
    let to = at(&resolved, "icrc1_transfer", "to");
    assert_eq!(
        (to.tags.named(), to.tags.value()),
        (Some("friend"), Some(&ValueTag::Account))
    );
    let amount = at(&resolved, "icrc1_transfer", "amount");
    assert!(amount.tags.range.is_some());
}

#[test]
fn what_holds_a_position_of_a_pack_is_not_filled_or_hidden_by_a_profile() {
    let pack = r#"{ "format": "candid-profile", "format_version": 0, "name": "x",
        "candid": ["service : { pay : (record { how : opt record { at : nat64 } }) -> () }"],
        "methods": { "pay": { "at": { "how.at": { "describe": "At" } } } } }"#;
    let mine = profile(
        r#"{ "pay": { "at": { "how": { "auto": "empty", "ui": { "hidden": true },
             "describe": "How" } } } }"#,
    );
    let text = "service : { pay : (record { how : opt record { at : nat64 } }) -> () }";
    let resolved = over(text, &[Document::parse(pack).unwrap()], &mine);
    let how = at(&resolved, "pay", "how");
    assert!(how.tags.auto.is_none() && how.tags.hidden.is_none());
    assert_eq!(how.tags.describe(), Some("How"));
    let told = resolved.findings.iter().map(|finding| finding.tag.as_str());
    assert_eq!(told.collect::<Vec<_>>(), ["ui.hidden", "auto"]);
}

#[test]
fn a_set_or_a_case_of_a_pack_stays_and_a_first_case_takes_no_tool_of_a_pack_away() {
    let text = "type Command = variant { Go; Stop };
        service : {
            act : (record { command : Command }) -> (variant { Ok });
            do : (record { command : Command }) -> (variant { Ok });
            list : () -> (vec record { id : nat; name : text; other : text }) query;
        }";
    let pack = json!({
        "format": "candid-profile", "format_version": 0, "name": "x", "candid": [text],
        "methods": {
            "act": { "cases": { "command.Go": { "intent": "Go",
                "effect": { "kind": "go", "irreversible": true } } } },
            "do": { "effect": { "kind": "do", "irreversible": true } },
            "list": { "names": { "who": {
                "list": "(0)", "value": "(0)[].id", "label": "(0)[].name" } } },
        },
    });
    let go = json!({ "intent": "Walk", "effect": { "kind": "go", "irreversible": false } });
    let mine = profile_with(
        r#""names": { "who": { "source": "wallet" } }"#,
        &json!({
            "act": { "cases": { "command.Go": go, "command.Stop": { "intent": "Stop" } } },
            "do": { "cases": { "command.Stop": { "intent": "Stop" } } },
            "list": { "names": { "who": {
                "list": "(0)", "value": "(0)[].id", "label": "(0)[].other" } } },
        })
        .to_string(),
    );
    let pack = Document::parse(&pack.to_string()).unwrap();
    let resolved = over(text, &[pack], &mine);
    let told: Vec<_> = (resolved.findings.iter())
        .map(|f| format!("{}: {}", f.at.join("/"), f.message))
        .collect();
    assert_eq!(
        told,
        [
            "names/who: the names of another list could stand for values",
            "methods/act/cases/$args[0].command.Go/intent: the call would have another title",
            "methods/act/cases/$args[0].command.Go/effect: the call would be told as `go`, \
             which can be undone",
            "methods/do/cases/$args[0].command.Stop: this case would have a tool of its own",
            "methods/list/names/who: the names of another list could stand for values",
        ]
    );
    let who = &resolved.names["who"];
    assert_eq!(who.from.source, Source::Pack);
    let cases = |method: &str| resolved.methods[method].cases.len();
    assert_eq!((cases("act"), cases("do")), (2, 0));
}

#[test]
fn a_case_has_the_methods_word_of_a_pack_and_a_stamp_that_a_pack_leaves_out_stays_out() {
    let text = "type Command = variant { Go; Stop };
        service : {
            act : (record { command : Command; at : nat64 }) -> (variant { Ok; Err });
            send : (record { at : nat64 }) -> (variant { Ok });
        }";
    let effect = json!({ "kind": "go", "irreversible": true });
    let pack = json!({
        "format": "candid-profile", "format_version": 0, "name": "x", "candid": [text],
        "methods": {
            "act": {
                "outcome": { "Ok": "success", "Err": "fail" },
                "cases": { "command.Go": { "intent": "Go", "effect": effect } },
            },
            "send": { "effect": effect, "outcome": { "Ok": "success" } },
        },
    });
    let stamp = json!({ "stamp": "at", "window": 60, "drift": 1 });
    let mine = profile(
        &json!({
            "act": {
                "idempotency": stamp,
                "cases": {
                    "command.Go": { "outcome": { "Err": "success" } },
                    "command.Stop": { "intent": "Stop", "outcome": { "Ok": "success", "Err": "retry_same" } },
                },
            },
            "send": { "idempotency": stamp, "reconcile": "icrc3-blocks" },
        })
        .to_string(),
    );
    let resolved = over(text, &[Document::parse(&pack.to_string()).unwrap()], &mine);
    let told: Vec<_> = (resolved.findings.iter())
        .map(|f| (f.code, format!("{}: {}", f.at.join("/"), f.message)))
        .collect();
    let safe = "the wallet would fill `$args[0].at`, and say that the canister drops repeats by it";
    let go = "methods/act/cases/$args[0].command.Go/outcome/(0).Err";
    let stop = "methods/act/cases/$args[0].command.Stop/outcome/(0).Err";
    assert_eq!(
        told,
        [
            format!("methods/act/idempotency: {safe}"),
            format!("{go}: a reply `(0).Err` would count as done"),
            format!(
                "{stop}: a reply `(0).Err` would count as not done, and the same call be sent again"
            ),
            format!("methods/send/idempotency: {safe}"),
            "methods/send/reconcile: an unknown end of the call would be settled from the \
             canister's own log"
                .to_owned(),
        ]
        .map(|told| (FindingCode::Covered, told))
    );
    let act = &resolved.methods["act"];
    assert_eq!(act.cases.len(), 2);
    assert!(act.cases.values().all(|case| case.outcome.is_none()));
    assert!(act.idempotency.is_none() && resolved.methods["send"].idempotency.is_none());
}
