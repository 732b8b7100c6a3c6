//! `candid-profile` as its author uses it: command lines in, answers and exit codes out.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use candid::{
    IDLArgs, IDLValue,
    types::{
        Label,
        value::{IDLField, VariantValue},
    },
};
use countersign_core::cli::{Answer, World, exit, run};
use countersign_core::ids::to_hex;
use countersign_core::time::Timestamp;
use serde_json::{Value, json};

const LEDGER: &str = include_str!("fixtures/ledger.did");
const OWN: &str = include_str!("fixtures/author/own.json");
const TKA: &str = "bkyz2-fmaaa-aaaaa-qaaaq-cai";
const PAYEE: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";
/// The bytes of the specification's example.
const SEEDS_BYTES: &str = "4449444c066c06fbca0101c6fcb60204ba89e5c20402a2de94eb060282f3f3910c05d8a38ca80d7d6c02b3b0dac30368ad86ca8305026e036d7b6e7d6e780100011db56bf994b37ae8e79f5ce000be1727a6060ae4eef24736b7cc999c3c02000001056c756e63680001004af3f1afdadc1880a3c347";
/// The clock of the specification's example.
const NOW: &str = "1791547201000000000";

/// Files that a test gives, and the clock.
struct Files(BTreeMap<&'static str, Vec<u8>>);

impl World for Files {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        self.0
            .get(path)
            .cloned()
            .ok_or_else(|| "there is none".to_owned())
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_nanos(NOW.parse().unwrap())
    }
}

fn files(more: &[(&'static str, &str)]) -> Files {
    let refs = r#"{ "query:icrc1_decimals": 8, "query:icrc1_symbol": "TKA" }"#;
    let mut files = BTreeMap::from([
        ("ledger.did", LEDGER.as_bytes().to_vec()),
        ("-", LEDGER.as_bytes().to_vec()),
        ("own.json", OWN.as_bytes().to_vec()),
        ("refs.json", refs.as_bytes().to_vec()),
    ]);
    for (name, text) in more {
        files.insert(name, text.as_bytes().to_vec());
    }
    Files(files)
}

fn with(args: &[&str], more: &[(&'static str, &str)]) -> Answer {
    let line = core::iter::once("candid-profile").chain(args.iter().copied());
    run(line.map(Into::into), &mut files(more))
}

fn command(args: &[&str]) -> Answer {
    with(args, &[])
}

/// What a command answers in JSON, with its exit code.
fn answer(args: &[&str]) -> (u8, Value) {
    let answer = command(&[args, &["--json"]].concat());
    let json = serde_json::from_str(&answer.out);
    (
        answer.code,
        json.unwrap_or_else(|error| panic!("{error}: {answer:?}")),
    )
}

fn done(args: &[&str]) -> Value {
    let (code, value) = answer(args);
    assert_eq!(code, exit::DONE, "{value}");
    value
}

fn ledger_with<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let canister = [
        "--canister",
        "bkyz2-fmaaa-aaaaa-qaaaq-cai=TKA",
        "--refs",
        "refs.json",
    ];
    [&[command, "ledger.did", "--packs"], &canister[..], more].concat()
}

mod resolving {
    use super::*;

    #[test]
    fn the_form_has_its_format_its_fingerprint_and_who_says_what() {
        let form = done(&["resolve", "ledger.did", "--packs"]);
        assert_eq!(form["format"], "candid-profile-resolved");
        assert_eq!(form["format_version"], 0);
        let transfer = &form["methods"]["icrc1_transfer"];
        let from = json!({ "source": "pack", "document": "icrc-1" });
        assert_eq!(
            transfer["tags"]["intent"],
            json!({ "tag": "Send tokens", "from": from })
        );
        assert_eq!(form["methods"].as_object().unwrap().len(), 26);
    }

    #[test]
    fn without_packs_nothing_is_said_of_a_method() {
        let form = done(&["resolve", "ledger.did"]);
        assert_eq!(form["documents"], json!([]));
        assert!(form["methods"]["icrc1_transfer"].get("tags").is_none());
    }

    #[test]
    fn the_form_is_the_same_text_from_a_file_and_from_standard_input() {
        let file = command(&["resolve", "ledger.did", "--packs", "--json"]);
        assert_eq!(command(&["resolve", "-", "--packs", "--json"]), file);
        assert!(file.out.ends_with("}\n") && file.out.lines().count() == 1);
        // The form that people read is the same form.
        let pretty = command(&["resolve", "ledger.did", "--packs"]).out;
        let (pretty, plain): (Value, Value) = (
            serde_json::from_str(&pretty).unwrap(),
            serde_json::from_str(&file.out).unwrap(),
        );
        assert_eq!(pretty, plain);
    }

    #[test]
    fn a_small_form_is_the_golden_one() {
        let did = "type Account = record { owner : principal; subaccount : opt blob };
            service : { pay : (record { to : Account; amount : nat; at : opt nat64; more : opt Tree })
                -> (variant { Ok : nat; Err : text }); ask : () -> (nat) query };
            ";
        let did = format!("type Tree = record {{ left : opt Tree; note : text }};\n{did}");
        let profile = r#"{ "format": "candid-profile", "format_version": 0, "name": "shop",
            "types": { "Account": { "value": { "kind": "account" } } },
            "methods": { "pay": { "intent": "Pay {amount}",
                "effect": { "kind": "transfer", "irreversible": true,
                    "grant": { "to": "to", "amount": "amount" } },
                "idempotency": { "stamp": "at", "window": 86400, "drift": 60 },
                "outcome": { "Ok": "success", "default": "fail" },
                "at": { "amount": { "value": { "kind": "amount", "decimals": 2, "symbol": "EUR" } },
                    "more": { "auto": "empty" } } } } }"#;
        let args = ["resolve", "shop.did", "--profile", "shop.json"];
        let answer = with(&args, &[("shop.did", &did), ("shop.json", profile)]);
        assert_eq!((answer.err.as_str(), answer.code), ("", exit::DONE));
        assert_eq!(answer.out, include_str!("golden/resolved_shop.json"));
    }
}

mod telling {
    use super::*;

    #[test]
    fn a_ledger_gives_twenty_two_tools_and_skips_five_methods() {
        let told = done(&ledger_with("tools", &[]));
        assert_eq!(told["tools"].as_array().unwrap().len(), 22);
        let skipped: Vec<_> = told["skipped"]
            .as_array()
            .unwrap()
            .iter()
            .map(|skip| {
                (
                    skip["method"].as_str().unwrap(),
                    skip["reason"].as_str().unwrap(),
                )
            })
            .collect();
        let number = "no rule for a nat position without a value tag or a describe";
        let wanted = [
            ("get_blocks", format!("start: {number}")),
            ("get_transactions", format!("start: {number}")),
            ("icrc103_get_allowances", format!("take: {number}")),
            (
                "icrc21_canister_call_consent_message",
                "an update method needs the intent tag".to_owned(),
            ),
            ("icrc3_get_blocks", format!("(0)[].start: {number}")),
        ];
        let wanted: Vec<_> = wanted.iter().map(|(m, r)| (*m, r.as_str())).collect();
        assert_eq!(skipped, wanted);
    }

    #[test]
    fn skips_are_told_at_their_place_with_what_to_do() {
        let answer = command(&ledger_with("tools", &[]));
        assert_eq!(answer.code, exit::DONE);
        assert!(answer.out.ends_with("22 tools of 26 methods; 5 skipped\n"));
        let notes = answer.out.split_once("note: ").unwrap().1;
        assert_eq!(
            format!("note: {notes}"),
            include_str!("golden/author_skips.txt"),
        );
    }

    #[test]
    fn the_portable_dialect_has_no_patterns() {
        let full = done(&ledger_with("tools", &["--dialect", "full"]));
        let portable = done(&ledger_with("tools", &["--dialect", "portable"]));
        assert!(full.to_string().contains("additionalProperties"));
        assert!(!portable.to_string().contains("additionalProperties"));
        assert_ne!(full["catalog"], portable["catalog"]);
    }

    #[test]
    fn replies_may_be_given_for_each_canister() {
        let refs = format!(
            r#"{{ "query:icrc1_decimals": 8, "{TKA}": {{ "query:icrc1_symbol": "TKA" }} }}"#
        );
        let args = ["tools", "ledger.did", "--packs", "--refs", "own-refs.json"];
        let answer = with(&args, &[("own-refs.json", &refs)]);
        assert!(
            answer.out.contains("1.25 TKA") && answer.out.contains(TKA),
            "{answer:?}"
        );
    }
}

mod reading {
    use super::*;

    fn transfer(input: &Value) -> (u8, Value) {
        let input = input.to_string();
        let more = [
            "--tool",
            "prepare_icrc1_transfer",
            "--now",
            NOW,
            "--input",
            &input,
        ];
        answer(&ledger_with("read", &more))
    }

    #[test]
    fn the_specifications_example_reads_to_its_values_and_bytes() {
        let input =
            json!({ "canister_id": TKA, "to": PAYEE, "amount": "1.5 TKA", "memo": "lunch" });
        let (code, read) = transfer(&input);
        assert_eq!(code, exit::DONE);
        assert_eq!(read["preview"]["title"], "Send tokens");
        assert_eq!(read["preview"]["arguments"]["amount"]["raw"], "150000000");
        assert_eq!(read["preview"]["arg_hex"], read["arg_hex"]);
        assert!(read["preview"].get("preview_id").is_none());
        assert_eq!(read["identity"]["$args[0].amount"], "150000000");
        let value = read["value"].as_str().unwrap();
        assert!(
            value.contains("created_at_time = opt (1_791_547_201_000_000_000"),
            "{value}"
        );
        // The specification's own bytes say the same.
        let more = ["--method", "icrc1_transfer", "--arg-hex", SEEDS_BYTES];
        let shown = done(&ledger_with("show", &more));
        assert_eq!(shown["value"], read["value"]);
        assert_eq!(shown["preview"]["arguments"], read["preview"]["arguments"]);
        assert_eq!(
            shown["preview"]["arguments"],
            json!({
                "to": { "text": PAYEE, "raw": { "owner": PAYEE, "subaccount": null } },
                "fee": null,
                "memo": { "text": "lunch", "raw": "6c756e6368" },
                "from_subaccount": null,
                "created_at_time": { "text": "2026-10-09T12:00:01Z", "raw": NOW },
                "amount": { "text": "1.5 TKA", "raw": "150000000" },
            })
        );
    }

    #[test]
    fn the_canister_may_be_left_out_where_there_is_one() {
        let (code, read) = transfer(&json!({ "to": PAYEE, "amount": "1.50" }));
        assert_eq!(code, exit::DONE);
        assert_eq!(read["preview"]["canister"], TKA);
    }

    #[test]
    fn a_refused_input_is_every_issue_and_a_no() {
        let (code, read) = transfer(&json!({ "to": "nobody", "amount": "1.123456789", "x": "y" }));
        assert_eq!(code, exit::NO);
        let issues = read["issues"].as_array().unwrap();
        let codes: Vec<_> = issues
            .iter()
            .map(|issue| issue["code"].as_str().unwrap())
            .collect();
        for wanted in ["E_ACCOUNT", "E_EXCESS_PRECISION", "E_UNKNOWN_PARAM"] {
            assert!(codes.contains(&wanted), "{codes:?}");
        }
    }

    #[test]
    fn people_read_the_call_and_what_is_wrong() {
        let tool = ["--tool", "prepare_icrc1_transfer"];
        let good = json!({ "to": PAYEE, "amount": "1.5", "memo": "lunch" }).to_string();
        let bad = json!({ "to": PAYEE, "amount": "1.123456789" }).to_string();
        let read = |input: &str| {
            command(&ledger_with(
                "read",
                &[&tool[..], &["--input", input]].concat(),
            ))
        };
        assert_eq!(read(&good).out, include_str!("golden/author_read.txt"));
        assert_eq!(
            (read(&bad).out.as_str(), read(&bad).code),
            (include_str!("golden/author_issues.txt"), exit::NO)
        );
    }

    #[test]
    fn a_name_stands_for_its_value_and_is_shown_beside_it() {
        let did = "service : { list : () -> (vec record { id : nat; name : text }) query;
            close : (record { account : nat }) -> (variant { Ok; Err : text }) };";
        let profile = r#"{ "format": "candid-profile", "format_version": 0, "name": "bank",
            "methods": {
                "list": { "names": { "account":
                    { "list": "(0)", "value": "(0)[].id", "label": "(0)[].name" } } },
                "close": { "intent": "Close an account",
                    "effect": { "kind": "close", "irreversible": true },
                    "outcome": { "Ok": "success", "Err": "fail" },
                    "at": { "account": { "describe": "Account", "named": "account" } } } } }"#;
        let names = r#"{ "account": [ { "name": "Main", "value": "1" }, { "name": "Main", "value": "2" },
            { "name": "Savings", "value": "4" } ] }"#;
        let files = [
            ("bank.did", did),
            ("bank.json", profile),
            ("names.json", names),
        ];
        let read = |account: &str, names: &[&str]| {
            let input = json!({ "account": account }).to_string();
            let args = [
                "read",
                "bank.did",
                "--profile",
                "bank.json",
                "--tool",
                "prepare_close",
            ];
            let args = [&args[..], &["--input", &input, "--json"], names].concat();
            let answer = with(&args, &files);
            serde_json::from_str::<Value>(&answer.out).unwrap()
        };
        let given = ["--names", "names.json"];
        let savings = read("savings", &given);
        assert_eq!(savings["identity"], read("4", &given)["identity"]);
        assert!(
            savings["preview"]["arguments"]
                .to_string()
                .contains("Savings"),
            "{savings}"
        );
        let code = |read: Value| read["issues"][0]["code"].as_str().unwrap().to_owned();
        assert_eq!(code(read("Main", &given)), "E_NAME_AMBIGUOUS");
        assert_eq!(code(read("Vault", &given)), "E_NAME_NOT_FOUND");
        assert_eq!(code(read("Savings", &[])), "E_NAMES_UNREAD");
    }

    #[test]
    fn a_tool_that_is_not_there_is_named_with_those_that_are() {
        let more = ["--tool", "prepare_icrc1_transfers", "--input", "{}"];
        let (code, error) = answer(&ledger_with("read", &more));
        assert_eq!(code, exit::NO);
        assert_eq!(error["errors"][0]["code"], "E_NO_TOOL");
        let help = error["errors"][0]["help"].as_str().unwrap();
        assert!(help.contains("prepare_icrc1_transfer,"), "{help}");
        let more = ["--tool", "get_blocks", "--input", "{}"];
        let (code, error) = answer(&ledger_with("read", &more));
        assert_eq!(code, exit::NO);
        let reason = error["errors"][0]["reason"].as_str().unwrap();
        assert!(reason.starts_with("start: no rule"), "{reason}");
    }
}

mod showing {
    use super::*;

    #[test]
    fn a_method_without_a_tool_is_shown_too() {
        let field = |name: &str, number: u32| IDLField {
            id: Label::Named(name.to_owned()),
            val: IDLValue::Nat(number.into()),
        };
        let range = IDLValue::Record(vec![field("start", 1), field("length", 2)]);
        let arg = to_hex(&IDLArgs::new(&[range]).to_bytes().unwrap());
        let more = ["--method", "get_blocks", "--arg-hex", &arg];
        let args = [&["show", "ledger.did", "--packs"], &more[..]].concat();
        let shown = done(&args);
        let arguments = &shown["preview"]["arguments"];
        assert_eq!(*arguments, json!({ "start": "1", "length": "2" }));
    }

    #[test]
    fn bytes_that_are_no_arguments_are_a_no() {
        for (bytes, code) in [
            ("4449444c0000", "E_CANDID_MALFORMED"),
            ("00", "E_CANDID_MALFORMED"),
        ] {
            let more = ["--method", "icrc1_transfer", "--arg-hex", bytes];
            let (exit_code, error) = answer(&ledger_with("show", &more));
            assert_eq!(exit_code, exit::NO);
            assert_eq!(error["errors"][0]["code"], code);
        }
    }

    #[test]
    fn a_method_that_is_not_there_is_a_no() {
        let more = ["--method", "pay", "--arg-hex", "4449444c0000"];
        assert_eq!(answer(&ledger_with("show", &more)).0, exit::NO);
    }
}

mod classing {
    use super::*;

    fn variant(tag: &str, value: IDLValue) -> IDLValue {
        let field = IDLField {
            id: Label::Named(tag.to_owned()),
            val: value,
        };
        IDLValue::Variant(VariantValue(Box::new(field), 0))
    }

    fn record(name: &str, value: IDLValue) -> IDLValue {
        IDLValue::Record(vec![IDLField {
            id: Label::Named(name.to_owned()),
            val: value,
        }])
    }

    fn class(reply: IDLValue) -> Value {
        let bytes = IDLArgs::new(&[reply]).to_bytes().unwrap();
        let hex = to_hex(&bytes);
        done(&ledger_with(
            "classify",
            &["--method", "icrc1_transfer", "--reply-hex", &hex],
        ))
    }

    #[test]
    fn a_reply_has_its_class_its_case_and_its_details() {
        let paid = class(variant("Ok", IDLValue::Nat(1_042_u32.into())));
        assert_eq!(
            paid,
            json!({ "class": "success", "case": "Ok", "details": "1042" })
        );
        let of = record("duplicate_of", IDLValue::Nat(1_042_u32.into()));
        let again = class(variant("Err", variant("Duplicate", of)));
        assert_eq!(
            again,
            json!({
                "class": "already_done",
                "case": "Err.Duplicate",
                "details": { "duplicate_of": "1042" },
            })
        );
    }

    #[test]
    fn a_reply_of_a_read_is_shown_without_a_class() {
        let bytes = IDLArgs::new(&[IDLValue::Nat(10_000_u32.into())])
            .to_bytes()
            .unwrap();
        let hex = to_hex(&bytes);
        let more = ["--method", "icrc1_fee", "--reply-hex", &hex];
        let fee = done(&ledger_with("classify", &more));
        assert_eq!(fee["class"], Value::Null);
        assert_eq!(fee["details"]["text"], "0.0001 TKA");
    }

    #[test]
    fn bytes_that_are_no_reply_say_nothing() {
        let more = ["--method", "icrc1_transfer", "--reply-hex", "4449444c0000"];
        let (code, error) = answer(&ledger_with("classify", &more));
        assert_eq!(
            (code, &error["errors"][0]["code"]),
            (exit::NO, &json!("E_REPLY"))
        );
    }

    #[test]
    fn a_method_without_a_tool_has_no_classes() {
        let more = ["--method", "get_blocks", "--reply-hex", "4449444c0000"];
        let (code, error) = answer(&ledger_with("classify", &more));
        assert_eq!(
            (code, &error["errors"][0]["code"]),
            (exit::NO, &json!("E_NO_TOOL"))
        );
    }
}

mod linting {
    use super::*;

    #[test]
    fn everything_that_is_wrong_is_told_at_its_place() {
        let answer = command(&["lint", "ledger.did", "--profile", "own.json"]);
        assert_eq!(answer.code, exit::NO);
        assert_eq!(answer.out, include_str!("golden/author_lint.txt"));
    }

    #[test]
    fn findings_in_json_carry_code_place_line_and_advice() {
        let (code, told) = answer(&["lint", "ledger.did", "--profile", "own.json"]);
        assert_eq!(code, exit::NO);
        let findings = told["findings"].as_array().unwrap();
        let of = |code: &str| findings.iter().find(|f| f["code"] == code).unwrap();
        let unknown = of("P_UNKNOWN_TAG");
        assert_eq!(
            (&unknown["line"], &unknown["column"]),
            (&json!(14), &json!(21))
        );
        assert_eq!(of("P_NO_PLACE")["file"], "own.json");
        for code in [
            "P_UNKNOWN_TAG",
            "P_NO_PLACE",
            "P_MISFIT",
            "P_OUTCOME",
            "P_CONTRADICTORY",
            "P_WORDS",
            "P_NO_TOOL",
        ] {
            assert!(!of(code)["help"].as_str().unwrap().is_empty(), "{code}");
        }
    }

    #[test]
    fn a_profile_without_faults_is_a_yes() {
        let good = r#"{ "format": "candid-profile", "format_version": 0, "name": "good",
            "methods": { "icrc1_fee": { "intent": "Fee" } } }"#;
        let args = ["lint", "ledger.did", "--profile", "good.json"];
        let answer = with(&args, &[("good.json", good)]);
        assert_eq!(answer.out, "0 errors, 0 warnings\n");
        assert_eq!(answer.code, exit::DONE);
    }

    #[test]
    fn a_profile_that_is_no_json_is_told_at_its_place() {
        let args = ["lint", "ledger.did", "--profile", "bad.json"];
        let answer = with(&args, &[("bad.json", "{\n  \"format\": candid\n}\n")]);
        assert_eq!(
            answer.out,
            "\
error[E_PROFILE_SYNTAX]: the profile cannot be read: expected value
 --> bad.json:2:13
  |
2 |   \"format\": candid
  |             ^

1 error, 0 warnings
"
        );
        assert_eq!(answer.code, exit::NO);
    }
}

mod refusing {
    use super::*;

    #[test]
    fn an_interface_is_refused_at_its_place() {
        let bad = "service : {\n  pay : (nat -> (nat);\n}\n";
        let answer = with(&["tools", "bad.did"], &[("bad.did", bad)]);
        assert_eq!(
            answer.err,
            "\
error[E_INTERFACE_SYNTAX]: `->` cannot stand here: check the Candid text
 --> bad.did:2:14
  |
2 |   pay : (nat -> (nat);
  |              ^^
"
        );
        assert_eq!((answer.code, answer.out.as_str()), (exit::FILE, ""));
    }

    #[test]
    fn an_import_is_refused_with_the_way_out() {
        let answer = with(
            &["tools", "a.did"],
            &[("a.did", "import \"b.did\";\nservice : {}\n")],
        );
        assert!(
            answer.err.contains("give one flat file without imports"),
            "{answer:?}"
        );
        assert_eq!(answer.code, exit::FILE);
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let (code, error) = answer(&["tools", "nowhere.did"]);
        assert_eq!(code, exit::FILE);
        assert_eq!(error["errors"][0]["code"], "E_FILE");
        assert_eq!(error["errors"][0]["file"], "nowhere.did");
    }

    #[test]
    fn a_profile_that_the_wallet_would_refuse_is_refused() {
        let args = ["tools", "ledger.did", "--profile", "own.json"];
        let answer = command(&args);
        assert_eq!(answer.code, exit::FILE);
        assert!(answer.err.contains("own.json:14:"), "{answer:?}");
    }

    #[test]
    fn one_file_is_the_standard_input_and_no_more() {
        let (code, error) = answer(&["lint", "-", "--profile", "-"]);
        assert_eq!(
            (code, &error["errors"][0]["code"]),
            (exit::USAGE, &json!("E_USAGE"))
        );
    }

    #[test]
    fn a_wrong_command_line_is_said_so_in_either_form() {
        let answer = command(&["tools"]);
        assert_eq!(answer.code, exit::USAGE);
        assert!(answer.err.contains("FILE.did"));
        let (code, error) = super::answer(&["tools"]);
        assert_eq!(
            (code, &error["errors"][0]["code"]),
            (exit::USAGE, &json!("E_USAGE"))
        );
    }

    #[test]
    fn canisters_and_replies_are_checked() {
        for canister in ["nobody=X", &format!("{TKA}=A")] {
            let twice = format!("{TKA}=B");
            let args = [
                "tools",
                "ledger.did",
                "--canister",
                canister,
                "--canister",
                &twice,
            ];
            assert_eq!(command(&args).code, exit::USAGE, "{canister}");
        }
        for refs in [
            "[]",
            "{",
            r#"{ "icrc1_decimals": 8 }"#,
            r#"{ "query:d": 1.5 }"#,
            r#"{ "x": {} }"#,
        ] {
            let answer = with(
                &["tools", "ledger.did", "--refs", "r.json"],
                &[("r.json", refs)],
            );
            assert_eq!(answer.code, exit::FILE, "{refs}");
        }
    }

    #[test]
    fn hidden_characters_in_a_file_are_written_out() {
        let bad = "service : {\n  pay\u{202e} : (nat) -> ();\n}\n";
        let answer = with(&["tools", "bad.did"], &[("bad.did", bad)]);
        assert!(
            answer.err.contains("pay\\u{202e}") && !answer.err.contains('\u{202e}'),
            "{answer:?}"
        );
    }
}

#[test]
fn help_names_every_command_and_exit_code() {
    let help = command(&["--help"]);
    assert_eq!(help.code, exit::DONE);
    for word in [
        "resolve",
        "lint",
        "tools",
        "read",
        "show",
        "classify",
        "completions",
        "Exit codes",
    ] {
        assert!(help.out.contains(word), "{word}");
    }
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = command(&["completions", shell]);
        assert!(script.out.contains("classify"), "{shell}");
    }
}

#[test]
fn the_program_reads_standard_input_and_exits_with_the_code() {
    let start = |args: &[&str], input: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_candid-profile"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        child.wait_with_output().unwrap()
    };
    let told = start(&["tools", "-", "--packs", "--json"], LEDGER);
    assert_eq!(told.status.code(), Some(0));
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(told["tools"].as_array().unwrap().len(), 22);
    let refused = start(&["tools", "-"], "service : {");
    assert_eq!(refused.status.code(), Some(i32::from(exit::FILE)));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("standard input"));
}
