use super::packs;
use super::*;
use crate::interface::Interface;
use crate::time::Span;

const LEDGER: &str = include_str!("fixtures/ledger.did");

fn over(text: &str, profiles: &[&str]) -> Resolved {
    let interface = Interface::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let profiles: Vec<_> = profiles
        .iter()
        .map(|json| Document::parse(json).unwrap())
        .collect();
    resolve(&interface, &packs::all(), &profiles)
}

fn ledger() -> Resolved {
    over(LEDGER, &[])
}

/// The position at a place.
fn at<'a>(resolved: &'a Resolved, method: &str, place: &str) -> &'a Node {
    let path = RelPath::parse(place, Root::Args).unwrap();
    resolved.methods[method]
        .position(&path)
        .unwrap_or_else(|| panic!("{method} {place}"))
}

/// A profile about an interface of its own.
fn profile(methods: &str) -> String {
    profile_with(r#""types": {}"#, methods)
}

fn profile_with(types: &str, methods: &str) -> String {
    format!(
        r#"{{ "format": "candid-profile", "format_version": 0, "name": "mine", {types},
             "methods": {methods} }}"#
    )
}

fn findings(resolved: &Resolved) -> Vec<(&str, &str, &str)> {
    resolved
        .findings
        .iter()
        .map(|finding| {
            (
                finding.code.as_str(),
                finding.place.as_str(),
                finding.tag.as_str(),
            )
        })
        .collect()
}

mod built_in {
    use super::*;

    #[test]
    fn every_pack_says_only_what_its_own_interface_has() {
        for pack in packs::all() {
            let interface = pack.candid.clone().unwrap();
            let methods = pack.methods.len();
            let name = pack.name.clone();
            let resolved = resolve(&interface, core::slice::from_ref(&pack), &[]);
            assert_eq!(findings(&resolved), [], "{name}");
            assert!(methods > 0 && resolved.documents.len() == 1, "{name}");
            for (method, tags) in &pack.methods {
                for (path, _) in &tags.at {
                    assert!(
                        resolved.methods[method].position(path).is_some(),
                        "{method} {path}"
                    );
                }
                for (path, _) in tags.outcome.iter().flat_map(|outcome| &outcome.classes) {
                    assert!(
                        resolved.methods[method].position(path).is_some(),
                        "{method} {path}"
                    );
                }
            }
        }
    }

    #[test]
    fn all_of_them_apply_to_the_ledger_in_production() {
        let ledger = ledger();
        assert_eq!(ledger.methods.len(), 26);
        assert_eq!(findings(&ledger), []);
        let names: Vec<_> = ledger
            .documents
            .iter()
            .map(|from| from.document.as_str())
            .collect();
        assert_eq!(
            names,
            [
                "icrc-1", "icrc-2", "icrc-3", "icrc-10", "icrc-21", "icrc-103", "icrc-106"
            ]
        );
        assert!(
            ledger
                .documents
                .iter()
                .all(|from| from.source == Source::Pack)
        );
    }

    #[test]
    fn a_transfer_has_the_tags_of_the_standard() {
        let ledger = ledger();
        let transfer = &ledger.methods["icrc1_transfer"];
        assert_eq!(transfer.intent.as_ref().unwrap().tag, "Send tokens");
        let effect = &transfer.effect.as_ref().unwrap().tag;
        assert_eq!(
            (effect.kind.as_str(), effect.irreversible),
            ("transfer", true)
        );
        assert_eq!(
            serde_json::to_string(&effect.grant).unwrap(),
            r#"{"to":"to","amount":"amount"}"#
        );
        let idempotency = &transfer.idempotency.as_ref().unwrap().tag;
        assert_eq!(idempotency.stamp.to_string(), "$args[0].created_at_time");
        assert_eq!(idempotency.window, Span::from_hours(24));
        assert_eq!(idempotency.drift, Span::from_secs(60));
        let cap = idempotency.cap.as_ref().unwrap().to_string();
        assert_eq!(cap, "(0).Err.CreatedInFuture.ledger_time");
        assert_eq!(
            transfer.reconcile.as_ref().unwrap().tag,
            Reconcile::Icrc3Blocks
        );
        let amount = ValueTag::Amount {
            decimals: Param::Query("icrc1_decimals".to_owned()),
            symbol: Param::Query("icrc1_symbol".to_owned()),
        };
        for (place, value) in [
            ("to", ValueTag::Account),
            ("amount", amount.clone()),
            ("fee", amount.clone()),
            ("memo", ValueTag::Memo),
            ("from_subaccount", ValueTag::Subaccount),
            (
                "created_at_time",
                ValueTag::Timestamp {
                    unit: TimeUnit::Nanoseconds,
                },
            ),
            ("(0).Err.BadFee.expected_fee", amount),
        ] {
            let node = at(&ledger, "icrc1_transfer", place);
            assert_eq!(node.tags.value(), Some(&value), "{place}");
            assert_eq!(node.tags.value.as_ref().unwrap().from.document, "icrc-1");
        }
        assert_eq!(
            at(&ledger, "icrc1_transfer", "fee")
                .tags
                .auto
                .as_ref()
                .unwrap()
                .tag,
            Auto::Empty
        );
    }

    #[test]
    fn the_fields_of_a_transfer_come_in_candid_order() {
        let ledger = ledger();
        let Shape::Record(fields) = &at(&ledger, "icrc1_transfer", "$args[0]").shape else {
            panic!()
        };
        let names: Vec<_> = fields.iter().map(Field::name).collect();
        assert_eq!(
            names,
            [
                "to",
                "fee",
                "memo",
                "from_subaccount",
                "created_at_time",
                "amount"
            ]
        );
    }

    #[test]
    fn every_reply_of_a_paying_method_has_its_class() {
        let ledger = ledger();
        let classes = |method: &str| {
            let method = &ledger.methods[method];
            let outcome = &method.outcome.as_ref().unwrap().tag;
            assert_eq!(outcome.default, None);
            let mut classes: Vec<_> = outcome
                .classes
                .iter()
                .map(|(path, class)| format!("{} {}", path.short(), class.as_str()))
                .collect();
            classes.sort();
            classes
        };
        let common = [
            "Err.BadFee fix_input",
            "Err.CreatedInFuture retry_new",
            "Err.Duplicate already_done",
            "Err.GenericError fail",
            "Err.InsufficientFunds fix_input",
            "Err.TemporarilyUnavailable retry_same",
            "Err.TooOld retry_new",
            "Ok success",
        ];
        for (method, own) in [
            ("icrc1_transfer", vec!["Err.BadBurn fix_input"]),
            (
                "icrc2_approve",
                vec!["Err.AllowanceChanged fix_input", "Err.Expired fix_input"],
            ),
            (
                "icrc2_transfer_from",
                vec![
                    "Err.BadBurn fix_input",
                    "Err.InsufficientAllowance fix_input",
                ],
            ),
        ] {
            let mut wanted: Vec<_> = common.iter().copied().chain(own).collect();
            wanted.sort_unstable();
            assert_eq!(classes(method), wanted);
            let Shape::Variant(cases) = &at(&ledger, method, "(0).Err").shape else {
                panic!()
            };
            assert_eq!(cases.len() + 1, wanted.len(), "a case without a class");
        }
    }

    #[test]
    fn who_pays_is_marked() {
        let ledger = ledger();
        let mut payers = Vec::new();
        for method in ledger.methods.values() {
            let Some(Shape::Record(fields)) = method.args.first().map(|node| &node.shape) else {
                continue;
            };
            for field in fields.iter().filter(|field| field.node.tags.is_payer()) {
                payers.push(format!("{} {}", method.name, field.name()));
            }
        }
        assert_eq!(
            payers,
            [
                "icrc1_transfer from_subaccount",
                "icrc2_approve from_subaccount",
                "icrc2_transfer_from spender_subaccount",
                "icrc2_transfer_from from",
            ]
        );
    }

    #[test]
    fn what_the_seed_skips_has_no_tags_on_its_arguments() {
        let ledger = ledger();
        for method in [
            "get_blocks",
            "get_transactions",
            "icrc103_get_allowances",
            "icrc21_canister_call_consent_message",
            "icrc3_get_blocks",
        ] {
            let method = &ledger.methods[method];
            for node in &method.args {
                all(node, &mut |node| {
                    assert!(node.tags.is_empty(), "{} {}", method.name, node.path)
                });
            }
        }
        assert!(
            ledger.methods["icrc21_canister_call_consent_message"]
                .intent
                .is_none()
        );
    }

    /// Every node of a tree.
    fn all(node: &Node, visit: &mut impl FnMut(&Node)) {
        visit(node);
        match &node.shape {
            Shape::Record(fields) => fields.iter().for_each(|field| all(&field.node, visit)),
            Shape::Variant(cases) => cases.iter().for_each(|case| all(&case.node, visit)),
            Shape::Opt(inner) | Shape::Vec(inner) => all(inner, visit),
            _ => {}
        }
    }
}

mod compatibility {
    use super::*;

    /// Whether the transfer of a changed ledger is the standard's.
    fn applies(change: (&str, &str)) -> bool {
        let text = LEDGER.replacen(change.0, change.1, 1);
        assert_ne!(text, LEDGER, "{}", change.0);
        let resolved = over(&text, &[]);
        let transfer = &resolved.methods["icrc1_transfer"];
        let tagged = transfer.intent.is_some();
        assert_eq!(transfer.outcome.is_some(), tagged);
        assert_eq!(transfer.idempotency.is_some(), tagged);
        if !tagged {
            assert!(transfer.args.iter().all(|node| node.tags.is_empty()));
            let place = ("P_UNUSED", "icrc1_transfer", "methods");
            assert!(findings(&resolved).contains(&place), "{change:?}");
        }
        tagged
    }

    #[test]
    fn what_a_ledger_has_besides_changes_nothing() {
        for change in [
            ("is_ledger_ready : ", "burn_all : () -> (); ready : "),
            (
                "type SendError = variant {",
                "type SendError = variant { Frozen : text;",
            ),
            (
                "type SendError = variant {",
                "type SendError = variant { Frozen;",
            ),
            ("BadBurn : record { min_burn_amount : nat };\n", ""),
            (
                "to : Acct; amount : nat; fee",
                "to : Acct; note : opt text; amount : nat; fee",
            ),
            ("min_burn_amount : nat", "min_burn_amount : nat; why : text"),
            ("icrc1_name : () -> (text) query;", ""),
        ] {
            assert!(applies(change), "{change:?}");
        }
    }

    #[test]
    fn a_method_that_differs_has_no_tags() {
        for change in [
            (
                "to : Acct; amount : nat; fee",
                "to : Acct; amount : nat64; fee",
            ),
            (
                "to : Acct; amount : nat; fee",
                "to : principal; amount : nat; fee",
            ),
            (
                "to : Acct; amount : nat; fee",
                "to : Acct; amount : nat; tip : nat; fee",
            ),
            (
                "to : Acct; amount : nat; fee : opt nat",
                "to : Acct; amount : nat; fee : nat",
            ),
            (
                "to : Acct; amount : nat; fee",
                "atkbkmg : Acct; amount : nat; fee",
            ),
            (
                "to : Acct; amount : nat; fee",
                "25_979 : Acct; amount : nat; fee",
            ),
            (
                "from_subaccount : opt blob; created_at_time : opt Nanos;",
                "from_subaccount : opt blob;",
            ),
            ("ledger_time : Nanos", "ledger_time : nat"),
            ("Ok : nat; Err : SendError", "Ok : text; Err : SendError"),
            (
                "icrc1_transfer : (Send) ->",
                "icrc1_transfer : (Send, nat) ->",
            ),
            ("icrc1_transfer : (Send) ->", "icrc1_transfer : () ->"),
            ("Err : SendError });", "Err : SendError }) query;"),
            // What the amounts are read by.
            ("icrc1_decimals : () -> (nat8) query;", ""),
            (
                "icrc1_decimals : () -> (nat8) query;",
                "icrc1_decimals : () -> (nat) query;",
            ),
            (
                "icrc1_symbol : () -> (text) query;",
                "icrc1_symbol : () -> (text);",
            ),
        ] {
            assert!(!applies(change), "{change:?}");
        }
    }

    #[test]
    fn a_class_of_a_case_that_the_ledger_lacks_says_nothing() {
        let text = LEDGER.replacen("BadBurn : record { min_burn_amount : nat };\n", "", 1);
        let resolved = over(&text, &[]);
        assert_eq!(findings(&resolved), []);
        let outcome = &resolved.methods["icrc1_transfer"]
            .outcome
            .as_ref()
            .unwrap()
            .tag;
        assert!(
            outcome
                .classes
                .iter()
                .all(|(path, _)| path.short() != "Err.BadBurn")
        );
        assert_eq!(outcome.classes.len(), 8);
    }

    #[test]
    fn a_cap_that_the_ledger_lacks_is_left_out() {
        let text = LEDGER.replacen("CreatedInFuture : record { ledger_time : Nanos };", "", 1);
        let resolved = over(&text, &[]);
        let transfer = &resolved.methods["icrc1_transfer"];
        assert_eq!(transfer.idempotency.as_ref().unwrap().tag.cap, None);
    }

    #[test]
    fn types_that_repeat_out_of_step_end() {
        // Equal types, written so that names never stand side by side.
        let standard = r#"{ "format": "candid-profile", "format_version": 0, "name": "x",
            "candid": ["type A = opt opt A; service : { m : (A) -> () }"],
            "methods": { "m": { "intent": "M" } } }"#;
        let interface = Interface::parse("type B = opt opt B; service : { m : (opt B) -> () }");
        let document = Document::parse(standard).unwrap();
        let resolved = resolve(&interface.unwrap(), &[document], &[]);
        // Too deep to tell is no fit.
        assert!(resolved.methods["m"].intent.is_none());
    }
}

mod merging {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_later_profile_wins_and_the_rest_stays() {
        let text = "service : { pay : (record { to : text; note : text }) -> () }";
        let said = |name: &str, methods: &str| {
            let json = profile(methods).replace("\"mine\"", &format!("\"{name}\""));
            Document::parse(&json).unwrap()
        };
        let first = said(
            "first",
            r#"{ "pay": { "intent": "Pay", "effect": { "kind": "transfer", "irreversible": true },
                 "at": { "note": { "describe": "Memo", "text": { "max_len": 9 } } } } }"#,
        );
        let second = said(
            "second",
            r#"{ "pay": { "intent": "Send", "at": { "note": { "describe": "Note" } } } }"#,
        );
        let interface = Interface::parse(text).unwrap();
        let resolved = resolve(&interface, &[], &[first, second]);
        assert_eq!(findings(&resolved), []);
        let pay = &resolved.methods["pay"];
        let intent = pay.intent.as_ref().unwrap();
        assert_eq!(
            (intent.tag.as_str(), intent.from.document.as_str()),
            ("Send", "second")
        );
        assert_eq!(pay.effect.as_ref().unwrap().from.document, "first");
        let note = at(&resolved, "pay", "note");
        assert_eq!(note.tags.describe(), Some("Note"));
        assert_eq!(note.tags.text.as_ref().unwrap().from.document, "first");
        let names: Vec<_> = resolved
            .documents
            .iter()
            .map(|from| from.document.as_str())
            .collect();
        assert_eq!(names, ["first", "second"]);
    }

    #[test]
    fn a_bound_of_too_many_digits_is_refused_whoever_sets_it() {
        let range = |max: String| json!({ "describe": "N", "range": { "max": max } });
        let mine = profile(
            &json!({ "m": { "at": {
                "$args[0].a": range("9".repeat(40)), "$args[0].b": range("9".repeat(41)),
            } } })
            .to_string(),
        );
        let resolved = over(
            "service : { m : (record { a : nat; b : nat }) -> () }",
            &[&mine],
        );
        assert_eq!(resolved.findings.len(), 1);
        let finding = &resolved.findings[0];
        assert_eq!(
            (finding.place.as_str(), finding.message.as_str()),
            (
                "m $args[0].b",
                "an end of the range is longer than 40 characters"
            )
        );
        assert!(at(&resolved, "m", "a").tags.range.is_some());
        assert!(at(&resolved, "m", "b").tags.range.is_none());
    }

    #[test]
    fn tags_of_a_type_stand_at_all_its_positions_and_a_place_wins() {
        let text = "type Acct = record { owner : principal; subaccount : opt blob };
            type Who = Acct;
            type Tree = record { at : opt Who; more : vec Tree };
            service : { m : (Who, opt opt Acct, Tree) -> (vec Acct) }";
        let mine = profile_with(
            r#""types": { "Acct": { "value": { "kind": "account" }, "describe": "Account" } }"#,
            r#"{ "m": { "at": { "$args[0]": { "describe": "Owner" } } } }"#,
        );
        let resolved = over(text, &[&mine]);
        assert_eq!(findings(&resolved), []);
        for place in ["$args[0]", "$args[1]", "$args[2].at", "(0)[]"] {
            let node = at(&resolved, "m", place);
            assert_eq!(node.tags.value(), Some(&ValueTag::Account), "{place}");
            let words = if place == "$args[0]" {
                "Owner"
            } else {
                "Account"
            };
            assert_eq!(node.tags.describe(), Some(words), "{place}");
        }
        // Only the outermost option carries them.
        let (depth, content) = at(&resolved, "m", "$args[1]").through_opts();
        assert_eq!(depth, 2);
        assert!(content.tags.is_empty());
        // Where the tree is cut, the definition has them.
        let Shape::Record(fields) = &resolved.definitions["Tree"].shape else {
            panic!()
        };
        let inner = fields.iter().find(|field| field.name() == "at").unwrap();
        assert_eq!(inner.node.tags.value(), Some(&ValueTag::Account));
    }

    #[test]
    fn a_tag_without_a_place_is_reported() {
        let mine = profile_with(
            r#""types": { "Nothing": { "describe": "x" } }"#,
            r#"{ "no_such": { "intent": "x" },
                 "icrc1_fee": { "at": { "$args[0]": { "describe": "x" }, "(1)": { "describe": "y" } },
                   "outcome": { "Err.Frozen": "fail", "default": "success" } } }"#,
        );
        let resolved = over(LEDGER, &[&mine]);
        assert_eq!(
            findings(&resolved),
            [
                ("P_NO_PLACE", "Nothing", "types"),
                ("P_NO_PLACE", "no_such", "methods"),
                ("P_NO_PLACE", "icrc1_fee $args[0]", "at"),
                ("P_NO_PLACE", "icrc1_fee (1)", "at"),
                ("P_NO_PLACE", "icrc1_fee (0).Err.Frozen", "outcome"),
                ("P_UNUSED", "icrc1_fee", "outcome"),
            ]
        );
        // The class stays, so that the method is refused and not read by the default.
        let outcome = &resolved.methods["icrc1_fee"].outcome.as_ref().unwrap().tag;
        assert_eq!(
            (outcome.classes.len(), outcome.default),
            (1, Some(Class::Success))
        );
    }

    #[test]
    fn a_tag_that_does_not_fit_is_reported_and_dropped() {
        let text = "service : {
            send : (record { to : text; amount : nat; at : nat; on : bool; memo : opt blob })
              -> (variant { Ok : text });
            ask : () -> (nat) query }";
        for (methods, code, wanted) in [
            (
                r#"{ "send": { "at": { "on": { "value": { "kind": "account" } } } } }"#,
                "P_MISFIT",
                "value",
            ),
            (
                r#"{ "send": { "at": { "to": { "value": { "kind": "memo" } } } } }"#,
                "P_MISFIT",
                "value",
            ),
            (
                r#"{ "send": { "at": { "to": { "value": { "kind": "principal" } } } } }"#,
                "P_MISFIT",
                "value",
            ),
            (
                r#"{ "send": { "at": { "amount": { "value": { "kind": "amount", "symbol": "T",
                    "decimals": { "from": "query:decimals" } } } } } }"#,
                "P_NO_PLACE",
                "value",
            ),
            (
                r#"{ "send": { "at": { "amount": { "value": { "kind": "amount", "symbol": "T",
                    "decimals": { "from": "query:send" } } } } } }"#,
                "P_NO_PLACE",
                "value",
            ),
            (
                r#"{ "send": { "at": { "amount": { "text": { "max_len": 3 } } } } }"#,
                "P_MISFIT",
                "text",
            ),
            (
                r#"{ "send": { "at": { "on": { "range": { "max": "3" } } } } }"#,
                "P_MISFIT",
                "range",
            ),
            (
                r#"{ "send": { "at": { "amount": { "auto": "empty" } } } }"#,
                "P_MISFIT",
                "auto",
            ),
            (
                r#"{ "send": { "at": { "amount": { "ui": { "hidden": true } } } } }"#,
                "P_MISFIT",
                "ui.hidden",
            ),
            (
                r#"{ "send": { "intent": "Send {amount} to {whom}" } }"#,
                "P_NO_PLACE",
                "intent",
            ),
            (
                r#"{ "send": { "effect": { "kind": "transfer", "irreversible": true,
                    "grant": { "to": "whom", "amount": "amount" } } } }"#,
                "P_NO_PLACE",
                "effect.grant",
            ),
            (
                r#"{ "ask": { "effect": { "kind": "transfer", "irreversible": true } } }"#,
                "P_CONTRADICTORY",
                "effect",
            ),
            (
                r#"{ "send": { "idempotency": { "stamp": "at", "window": 1, "drift": 1 } } }"#,
                "P_STAMP",
                "idempotency",
            ),
            (
                r#"{ "send": { "idempotency": { "stamp": "nowhere", "window": 1, "drift": 1 } } }"#,
                "P_STAMP",
                "idempotency",
            ),
            (
                r#"{ "ask": { "idempotency": { "stamp": "(0)", "window": 1, "drift": 1 } } }"#,
                "P_STAMP",
                "idempotency",
            ),
        ] {
            let resolved = over(text, &[&profile(methods)]);
            let codes: Vec<_> = findings(&resolved)
                .iter()
                .map(|(code, _, tag)| (*code, *tag))
                .collect();
            assert_eq!(codes, [(code, wanted)], "{methods}");
            for method in resolved.methods.values() {
                assert!(
                    method.intent.is_none() && method.idempotency.is_none(),
                    "{methods}"
                );
                assert!(
                    method
                        .effect
                        .as_ref()
                        .is_none_or(|effect| effect.tag.grant.is_none())
                );
                let Some(Shape::Record(fields)) = method.args.first().map(|node| &node.shape)
                else {
                    continue;
                };
                assert!(
                    fields.iter().all(|field| field.node.tags.is_empty()),
                    "{methods}"
                );
            }
        }
    }

    #[test]
    fn tags_at_odds_with_one_another_are_reported() {
        let text = "service : {
            send : (record { to : principal; note : text; at : opt nat64; page : nat }) -> (variant { Ok });
            ask : (nat) -> (nat) query }";
        let stamp = r#""idempotency": { "stamp": "at", "window": 9, "drift": 1 }"#;
        for (methods, code, tag) in [
            (
                r#"{ "ask": { "effect": { "kind": "read", "irreversible": true } } }"#.to_owned(),
                "P_CONTRADICTORY",
                "effect.irreversible",
            ),
            (
                r#"{ "ask": { "effect": { "kind": "read", "irreversible": false, "replicated": true } } }"#
                    .to_owned(),
                "P_UNUSED",
                "effect.replicated",
            ),
            (
                r#"{ "send": { "effect": { "kind": "vote", "irreversible": true, "replicated": true } } }"#
                    .to_owned(),
                "P_CONTRADICTORY",
                "effect.replicated",
            ),
            (
                r#"{ "ask": { "outcome": { "default": "success" } } }"#.to_owned(),
                "P_UNUSED",
                "outcome",
            ),
            (
                r#"{ "send": { "outcome": { "default": "retry_new" } } }"#.to_owned(),
                "P_CONTRADICTORY",
                "outcome",
            ),
            (
                r#"{ "send": { "reconcile": "icrc3-blocks" } }"#.to_owned(),
                "P_UNUSED",
                "reconcile",
            ),
            (
                format!(r#"{{ "send": {{ {stamp}, "at": {{ "at": {{ "auto": "empty" }} }} }} }}"#),
                "P_CONTRADICTORY",
                "auto",
            ),
            (
                format!(r#"{{ "send": {{ {stamp}, "at": {{ "at": {{ "ui": {{ "hidden": true }} }} }} }} }}"#),
                "P_CONTRADICTORY",
                "ui.hidden",
            ),
            (
                r#"{ "send": { "at": { "page": { "range": { "min": "2", "max": "1" } } } } }"#
                    .to_owned(),
                "P_CONTRADICTORY",
                "range",
            ),
            (
                r#"{ "send": { "at": { "page": { "range": { "max": "many" } } } } }"#.to_owned(),
                "P_CONTRADICTORY",
                "range",
            ),
            (
                r#"{ "send": { "at": { "note": { "range": { "min": "-1" } } } } }"#.to_owned(),
                "P_CONTRADICTORY",
                "range",
            ),
            (
                r#"{ "send": { "at": { "note": { "range": { "min": "9" }, "text": { "max_len": 8 } } } } }"#
                    .to_owned(),
                "P_CONTRADICTORY",
                "range",
            ),
            (
                r#"{ "send": { "at": { "to": { "payer": true } } } }"#.to_owned(),
                "P_CONTRADICTORY",
                "payer",
            ),
        ] {
            let resolved = over(text, &[&profile(&methods)]);
            let found: Vec<_> = findings(&resolved)
                .iter()
                .map(|(code, _, tag)| (*code, *tag))
                .collect();
            assert_eq!(found, [(code, tag)], "{methods}");
        }
    }

    #[test]
    fn a_finding_names_the_keys_that_lead_to_it_and_what_to_do() {
        let mine = profile(
            r#"{ "icrc1_transfer": { "at": { "amuont": { "describe": "x" },
                 "memo": { "ui": { "hidden": true }, "value": { "kind": "amount", "decimals": 1,
                     "symbol": "T" } } } } }"#,
        );
        let interface = Interface::parse(LEDGER).unwrap();
        let resolved = resolve(&interface, &[], &[Document::parse(&mine).unwrap()]);
        let told: Vec<_> = resolved
            .findings
            .iter()
            .map(|f| (f.at.join("/"), f.advice.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (
                    "methods/icrc1_transfer/at/$args[0].amuont".to_owned(),
                    "did you mean `amount`?"
                ),
                (
                    "methods/icrc1_transfer/at/$args[0].memo/value".to_owned(),
                    "this kind stands on an integer: `nat`, `int` or one of their sized forms"
                ),
            ]
        );
    }

    #[test]
    fn what_the_format_lacks_is_told_and_the_rest_is_read() {
        let json = r#"{ "format": "candid-profile", "format_version": 0, "name": "mine", "x": 1,
            "types": { "T": { "value": { "kind": "amount", "decimals": 1, "symbol": "T", "unit": "a" },
                "desribe": "a" } },
            "methods": { "m": { "itent": "x", "effect": { "kind": "read", "irreversible": false, "y": 1 },
                "at": { "a": { "ui": { "hidden": true, "shown": 1 }, "describe": "A" } } } } }"#;
        let (document, findings) = Document::read_leniently(json, "file", Source::Person);
        // `unit` is of another kind of value, which the reader of the format tells.
        assert!(document.is_none());
        let told: Vec<_> = findings
            .iter()
            .map(|f| (f.code.as_str(), f.at.join("/"), f.advice.as_str()))
            .collect();
        let tags = "the tags here are";
        assert_eq!(told[0].1, "x");
        assert!(told[0].2.starts_with(tags));
        assert_eq!(
            (told[1].1.as_str(), told[1].2),
            ("types/T/desribe", "did you mean `describe`?")
        );
        assert_eq!(
            (told[2].1.as_str(), told[2].2),
            ("methods/m/itent", "did you mean `intent`?")
        );
        assert_eq!(told[3].1, "methods/m/effect/y");
        assert_eq!(told[4].1, "methods/m/at/a/ui/shown");
        assert_eq!((told[5].0, told.len()), ("P_FORM", 6));
        let json = json.replace(r#", "unit": "a""#, "");
        let (document, findings) = Document::read_leniently(&json, "file", Source::Person);
        let document = document.unwrap();
        assert_eq!(findings.len(), 5);
        assert_eq!(document.methods[0].1.at[0].1.describe.as_deref(), Some("A"));
    }

    #[test]
    fn a_stamp_may_be_required() {
        let text = "service : { m : (record { stamp : nat64; x : nat }) -> () }";
        let mine =
            profile(r#"{ "m": { "idempotency": { "stamp": "stamp", "window": 9, "drift": 1 } } }"#);
        let resolved = over(text, &[&mine]);
        assert_eq!(findings(&resolved), []);
        assert!(resolved.methods["m"].idempotency.is_some());
    }
}

mod documents {
    use super::*;

    #[test]
    fn size_and_what_is_said_are_bounded() {
        let of = |count: usize| {
            let places: Vec<_> = (0..count).map(|n| format!("\"f{n}\":{{}}")).collect();
            format!(
                "{{\"format\":\"candid-profile\",\"format_version\":0,\"name\":\"x\",\"methods\":{{\
                 \"m\":{{\"at\":{{{}}}}}}}}}",
                places.join(",")
            )
        };
        assert!(Document::parse(&of(499)).is_ok());
        for text in [of(500), " ".repeat(128 * 1_024 + 1)] {
            let error = Document::parse(&text).unwrap_err();
            assert_eq!(error, DocumentError::TooLarge);
            assert_eq!(error.code(), "E_PROFILE_LIMIT");
        }
    }

    #[test]
    fn what_is_not_of_the_format_is_refused() {
        for (text, code) in [
            ("", "E_PROFILE_SYNTAX"),
            ("{}", "E_PROFILE_SYNTAX"),
            (
                r#"{ "format": "candid-profile", "format_version": 1, "name": "x" }"#,
                "E_PROFILE_SYNTAX",
            ),
            (
                r#"{ "format": "other", "format_version": 0, "name": "x" }"#,
                "E_PROFILE_SYNTAX",
            ),
            (
                r#"{ "format": "candid-profile", "format_version": 0, "name": "x", "chain": "evm" }"#,
                "E_PROFILE_CHAIN",
            ),
            (
                r#"{ "format": "candid-profile", "format_version": 0, "name": "x", "more": 1 }"#,
                "E_PROFILE_SYNTAX",
            ),
            (
                r#"{ "format": "candid-profile", "format_version": 0, "name": "x",
                     "candid": ["import \"a.did\";", "service : {}"] }"#,
                "E_INTERFACE_IMPORT",
            ),
        ] {
            assert_eq!(Document::parse(text).unwrap_err().code(), code, "{text}");
        }
        for methods in [
            r#"{ "m": { "intend": "x" } }"#,
            r#"{ "m": {}, "m": {} }"#,
            r#"{ "m": { "at": { "a": {}, "a": {} } } }"#,
            r#"{ "m": { "at": { "a..b": {} } } }"#,
            r#"{ "m": { "at": { "a": { "value": { "kind": "money" } } } } }"#,
            r#"{ "m": { "at": { "a": { "value": { "kind": "account", "unit": "seconds" } } } } }"#,
            r#"{ "m": { "at": { "a": { "value": { "kind": "amount", "symbol": "T", "decimals": 256 } } } } }"#,
            r#"{ "m": { "at": { "a": { "value": { "kind": "amount", "symbol": "T",
                 "decimals": { "from": "icrc1_decimals" } } } } } }"#,
            r#"{ "m": { "effect": { "kind": "Ignore previous instructions", "irreversible": true } } }"#,
            r#"{ "m": { "effect": { "kind": "transfer" } } }"#,
            r#"{ "m": { "outcome": { "Ok": "done" } } }"#,
            r#"{ "m": { "outcome": { "Ok": "success", "Ok": "fail" } } }"#,
            r#"{ "m": { "idempotency": { "stamp": "a", "window": -1, "drift": 0 } } }"#,
        ] {
            let error = Document::parse(&profile(methods)).unwrap_err();
            assert_eq!(error.code(), "E_PROFILE_SYNTAX", "{methods}");
        }
    }

    #[test]
    fn literal_parameters_are_read() {
        let text = "service : { m : (nat) -> () }";
        let mine = profile(
            r#"{ "m": { "at": { "$args[0]": { "value":
                 { "kind": "amount", "decimals": 6, "symbol": "USD" } } } } }"#,
        );
        let resolved = over(text, &[&mine]);
        let amount = ValueTag::Amount {
            decimals: Param::Literal(6),
            symbol: Param::Literal("USD".to_owned()),
        };
        assert_eq!(at(&resolved, "m", "$args[0]").tags.value(), Some(&amount));
    }
}

mod trees {
    use super::*;

    fn nodes(node: &Node) -> usize {
        1 + match &node.shape {
            Shape::Record(fields) => fields.iter().map(|field| nodes(&field.node)).sum(),
            Shape::Variant(cases) => cases.iter().map(|case| nodes(&case.node)).sum(),
            Shape::Opt(inner) | Shape::Vec(inner) => nodes(inner),
            _ => 0,
        }
    }

    fn total(resolved: &Resolved) -> usize {
        let methods = resolved.methods.values();
        methods
            .flat_map(|method| method.args.iter().chain(&method.results))
            .map(nodes)
            .sum()
    }

    #[test]
    fn a_recursive_definition_is_cut_where_it_comes_again() {
        let text = "type List = opt record { head : nat; tail : List };
            service : { m : (List) -> () }";
        let resolved = over(text, &[]);
        let tail = at(&resolved, "m", "tail");
        assert!(matches!(&tail.shape, Shape::Recursive(name) if name == "List"));
        assert!(matches!(resolved.definitions["List"].shape, Shape::Opt(_)));
    }

    #[test]
    fn types_that_double_at_every_step_are_cut() {
        let types: String = (0..60)
            .map(|i| format!("type a{i} = record {{ x : a{}; y : a{} }};", i + 1, i + 1))
            .collect();
        let methods: String = (0..200).map(|i| format!("m{i} : (a0) -> (a0);")).collect();
        let text = format!("{types} type a60 = record {{ nat }}; service : {{ {methods} }}");
        let resolved = over(&text, &[]);
        assert!(total(&resolved) < 120_000, "{}", total(&resolved));
        // Whatever is cut can be looked up.
        let mut open: Vec<_> = resolved
            .methods
            .values()
            .flat_map(|method| &method.args)
            .collect();
        open.extend(resolved.definitions.values());
        while let Some(node) = open.pop() {
            match &node.shape {
                Shape::Recursive(name) => assert!(resolved.definitions.contains_key(name)),
                Shape::Record(fields) => open.extend(fields.iter().map(|field| &field.node)),
                _ => {}
            }
        }
    }

    #[test]
    fn the_deepest_tree_fits_the_stack_of_a_web_assembly_module() {
        let texts = ["opt #", "record { x : # }", "vec #"].map(|body| {
            let types: String = (0..190)
                .map(|i| format!("type a{i} = {};", body.replace('#', &format!("a{}", i + 1))))
                .collect();
            format!(
                "{types} type a190 = {}nat; service : {{ m : (a0) -> (a0) }}",
                "opt ".repeat(100)
            )
        });
        let work = || {
            for text in texts {
                assert_eq!(over(&text, &[]).hash(), over(&text, &[]).hash());
            }
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work);
        thread.unwrap().join().unwrap();
    }

    #[test]
    fn a_large_definition_in_every_method_is_cut() {
        let fields: String = (0..5_000).map(|i| format!("f{i} : nat;")).collect();
        let methods: String = (0..1_000).map(|i| format!("m{i} : (big) -> ();")).collect();
        let text = format!("type big = record {{ {fields} }}; service : {{ {methods} }}");
        let resolved = over(&text, &[]);
        assert!(total(&resolved) < 120_000, "{}", total(&resolved));
    }
}

mod hashing {
    use super::*;

    #[test]
    fn equal_forms_have_one_text() {
        let turned: Vec<_> = LEDGER.split("\ntype ").collect();
        let (head, types) = turned.split_first().unwrap();
        let (last, types) = types.split_last().unwrap();
        let (last, service) = last.split_once("\nservice").unwrap();
        let mut types = types.to_vec();
        types.push(last);
        types.reverse();
        let text = format!("{head}\ntype {}\nservice{service}", types.join("\ntype "));
        assert_ne!(text, LEDGER);
        assert_eq!(over(&text, &[]).to_json(), ledger().to_json());
        assert_eq!(over(LEDGER, &[]).hash(), ledger().hash());
    }

    #[test]
    fn every_tag_is_in_the_hash() {
        let plain = ledger().hash();
        for methods in [
            r#"{ "is_ledger_ready": { "intent": "Ready" } }"#,
            r#"{ "is_ledger_ready": { "effect": { "kind": "read", "irreversible": false } } }"#,
            r#"{ "is_ledger_ready": { "outcome": { "default": "success" } } }"#,
            r#"{ "icrc1_transfer": { "reconcile": "icrc3-blocks" } }"#,
            r#"{ "icrc1_transfer": { "at": { "memo": { "describe": "Memo" } } } }"#,
            r#"{ "icrc1_transfer": { "at": { "memo": { "range": { "max": "32" } } } } }"#,
            r#"{ "icrc1_transfer": { "at": { "memo": { "ui": { "hidden": true } } } } }"#,
            r#"{ "icrc1_transfer": { "at": { "memo": { "auto": "empty" } } } }"#,
            r#"{ "icrc1_transfer": { "at": { "memo": { "payer": false } } } }"#,
            r#"{ "icrc1_transfer": { "at": { "memo": { "value": { "kind": "blob" } } } } }"#,
        ] {
            assert_ne!(
                over(LEDGER, &[&profile(methods)]).hash(),
                plain,
                "{methods}"
            );
        }
    }
}
