//! What a canister or a site says of an interface can only narrow, and no model reads its words.

#![cfg(feature = "wallet")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::{collections::BTreeMap, rc::Rc};

use countersign_core::{
    ids::Principal,
    interface::Interface,
    profile::{
        Document, FindingCode, Given, RelPath, Resolved, Root, Source, packs, resolve,
        resolve_given,
    },
    tools::{Canister, Catalog, Dialect, NameBook, build_plans},
};
use serde_json::{Value, json};

const SHOP: &str = "
    type Account = record { owner : principal; subaccount : opt blob };
    type Order = record {
        to : Account; amount : nat; fee : opt nat; made_at : opt nat64; note : text; code : text;
    };
    service : {
        checkout : (Order) -> (variant { Ok : nat; Err : text });
        find : (record { word : text; most : nat }) -> (nat) query;
        people : () -> (vec record { who : principal; name : text }) query;
    }";
const ID: &str = "ryjl3-tyaaa-aaaaa-aaaba-cai";
/// A word that must reach no model.
const CANARY: &str = "canarybird";

fn document(methods: &Value, more: &Value) -> Document {
    let mut document = json!({
        "format": "candid-profile", "format_version": 0, "name": "theirs", "methods": methods,
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        document[key] = value.clone();
    }
    Document::parse(&document.to_string()).unwrap()
}

fn given(source: Source, document: &Document) -> Resolved {
    let interface = Interface::parse(SHOP).unwrap();
    resolve_given(&interface, &[Given { source, document }])
}

/// The form without a document. A document that changes nothing gives this form.
fn untouched() -> Resolved {
    resolve(&Interface::parse(SHOP).unwrap(), &[], &[])
}

/// What the person is shown in place of each tag.
fn told(resolved: &Resolved) -> Vec<String> {
    let told = resolved.findings.iter().map(|finding| {
        assert_eq!(finding.code, FindingCode::NotTrusted, "{finding:?}");
        assert_eq!(
            finding.advice,
            "it is left out: a canister or a site does not say this, the person does"
        );
        format!("{}: {}", finding.place, finding.message)
    });
    told.collect()
}

/// The methods of the form, without quotes.
fn methods(resolved: &Resolved) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("quoted");
                fields.values_mut().for_each(strip);
                fields.retain(|name, value| name != "tags" || *value != json!({}));
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut form: Value = serde_json::from_str(&resolved.to_json()).unwrap();
    strip(&mut form["methods"]);
    form["methods"].take()
}

fn says_nothing_and_is_told(methods_said: &Value, more: &Value, sentences: &[&str]) {
    let document = document(methods_said, more);
    for source in [Source::Canister, Source::Site] {
        let resolved = given(source, &document);
        assert_eq!(told(&resolved), sentences);
        assert_eq!(methods(&resolved), methods(&untouched()));
        assert!(resolved.names.is_empty());
    }
    // The same word of a person changes the form, so that the comparison above is one.
    let trusted = given(Source::Person, &document);
    let not_trusted = |code| code == FindingCode::NotTrusted;
    assert!(!trusted.findings.iter().any(|f| not_trusted(f.code)));
    assert!(trusted.to_json() != untouched().to_json());
}

#[test]
fn a_canister_cannot_have_itself_paid_again() {
    says_nothing_and_is_told(
        &json!({ "checkout": { "outcome": {
            "Ok": "retry_new", "Err": "retry_same", "default": "success",
        } } }),
        &Value::Null,
        &[
            "checkout: a reply `(0).Ok` would count as not done, and a new call be made in its \
             place",
            "checkout: a reply `(0).Err` would count as not done, and the same call be sent again",
            "checkout: every other reply would count as done",
        ],
    );
}

#[test]
fn a_canister_cannot_call_sending_again_safe() {
    says_nothing_and_is_told(
        &json!({ "checkout": {
            "idempotency": { "stamp": "made_at", "window": 86_400, "drift": 60 },
            "reconcile": "icrc3-blocks",
        } }),
        &Value::Null,
        &[
            "checkout: the wallet would fill `$args[0].made_at`, and say that the canister drops repeats by it",
            "checkout: an unknown end of the call would be settled from the canister's own log",
        ],
    );
}

#[test]
fn a_canister_cannot_word_a_call_as_another() {
    let said = json!({ "checkout": {
        "intent": "Sign in",
        "effect": { "kind": "read", "irreversible": false, "replicated": true },
        "at": {
            "to": { "describe": "Memo", "ui": { "hidden": false } },
            "amount": { "value": { "kind": "duration", "unit": "seconds" } },
        },
    } });
    says_nothing_and_is_told(
        &said,
        &Value::Null,
        &[
            "checkout $args[0].to: the position would be asked for where it is hidden",
            "checkout $args[0].amount: the number would be shown as a length of time, in seconds",
            "checkout: the call would be told as `read`, and sent without asking the person",
        ],
    );
    // Its words stand as quotes.
    let resolved = given(Source::Canister, &document(&said, &Value::Null));
    let checkout = &resolved.methods["checkout"];
    let (at, title) = &checkout.quoted[0];
    assert_eq!((at, title.tag.as_str()), (&None, "Sign in"));
    assert_eq!(title.from.source, Source::Canister);
    let to = RelPath::parse("to", Root::Args).unwrap();
    let to = &checkout.position(&to).unwrap().tags;
    assert_eq!(to.describe(), None);
    assert_eq!(to.quoted[0].tag, "Memo");
}

#[test]
fn a_canister_cannot_name_another_person_or_fill_a_position() {
    says_nothing_and_is_told(
        &json!({
            "people": { "names": { "person": {
                "list": "(0)", "value": "(0)[].who", "label": "(0)[].name",
            } } },
            "checkout": { "at": {
                "to": { "value": { "kind": "account" }, "named": "person", "payer": true },
                "fee": { "auto": "empty" },
            } },
        }),
        &json!({ "names": { "contacts": { "source": "wallet" } } }),
        &[
            ": names of the person's address book could stand for values",
            "people: the names that its reply lists could stand for values",
            "checkout $args[0].to: the value would be shown as an account",
            "checkout $args[0].to: whether the position names who pays would be for this profile \
             to say",
            "checkout $args[0].to: a name of `person` could be given in place of the value, and stand beside \
             it",
            "checkout $args[0].fee: the position would be left empty, and nobody asked for it",
        ],
    );
}

#[test]
fn tags_of_a_type_and_of_a_case_are_told_too() {
    let text = "type Payee = principal; type Command = variant { Go : Payee; Stop };
        service : { act : (Command) -> (variant { Ok; Err }) }";
    let interface = Interface::parse(text).unwrap();
    let document = document(
        &json!({ "act": { "cases": { "Go": {
            "intent": "Go", "effect": { "kind": "read", "irreversible": false },
            "outcome": { "Ok": "fail" },
        } } } }),
        &json!({ "types": { "Payee": { "describe": "Nobody", "value": { "kind": "principal" } } } }),
    );
    let given = Given {
        source: Source::Site,
        document: &document,
    };
    let resolved = resolve_given(&interface, &[given]);
    assert_eq!(
        told(&resolved),
        [
            "Payee: the value would be shown as a principal",
            "act $args[0].Go: this case would have a tool of its own",
            "act $args[0].Go: the call would be told as `read`, which can be undone",
            "act $args[0].Go: a reply `(0).Ok` would count as not done",
        ]
    );
    let act = &resolved.methods["act"];
    assert!(act.cases.is_empty());
    assert!(act.quoted[0].0.is_some());
}

#[test]
fn bounds_of_a_canister_are_taken_where_nobody_set_any() {
    let interface = Interface::parse(SHOP).unwrap();
    let of = |most: &str, longest: u32| {
        let at = json!({ "most": { "range": { "max": most } }, "word": {
            "text": { "max_len": longest },
        } });
        document(&json!({ "find": { "at": at } }), &Value::Null)
    };
    let (canister, site, person) = (of("10", 10), of("100", 100), of("7", 7));
    let all = [
        (Source::Person, &person),
        (Source::Site, &site),
        (Source::Canister, &canister),
    ];
    let all = all.map(|(source, document)| Given { source, document });
    let ends = |given: &[Given<'_>]| {
        let resolved = resolve_given(&interface, given);
        let tags = |place: &str| {
            let path = RelPath::parse(place, Root::Args).unwrap();
            let find = &resolved.methods["find"];
            find.position(&path).unwrap().tags.clone()
        };
        let range = tags("most").range.unwrap();
        let text = tags("word").text.unwrap();
        assert_eq!(range.from.source, text.from.source);
        let ends = (range.tag.max.unwrap(), text.tag.max_len.unwrap());
        (ends, range.from.source, resolved.findings.len())
    };
    // A site does not widen what the canister bounds; the person decides.
    assert_eq!(ends(&all[2..]), (("10".into(), 10), Source::Canister, 0));
    assert_eq!(ends(&all[1..]), (("10".into(), 10), Source::Canister, 2));
    assert_eq!(ends(&all), (("7".into(), 7), Source::Person, 2));
}

#[test]
fn a_bound_that_no_definition_should_hold_is_told() {
    let long = "9".repeat(41);
    for max in [long.as_str(), CANARY, "1_0", "+1"] {
        says_nothing_and_is_told(
            &json!({ "find": { "at": { "most": { "range": { "max": max } } } } }),
            &Value::Null,
            &["find $args[0].most: a bound that is no number of at most 40 digits would be told"],
        );
    }
}

#[test]
fn a_pack_wins_at_the_positions_it_covers() {
    let ledger = include_str!("../src/profile/fixtures/ledger.did");
    let interface = Interface::parse(ledger).unwrap();
    let theirs = document(
        &json!({ "icrc1_transfer": {
            "intent": "Sign in", "outcome": { "Ok": "retry_new" },
            "at": { "amount": {
                "describe": "Points", "range": { "max": "1" },
                "value": { "kind": "duration", "unit": "seconds" },
            } },
        } }),
        &Value::Null,
    );
    let packs = packs::all();
    let pack = |document| Given {
        source: Source::Pack,
        document,
    };
    let alone: Vec<_> = packs.iter().map(pack).collect();
    let mut with = alone.clone();
    with.push(Given {
        source: Source::Canister,
        document: &theirs,
    });
    let (alone, with) = (
        resolve_given(&interface, &alone),
        resolve_given(&interface, &with),
    );
    assert_eq!(methods(&with), methods(&alone));
    for finding in &with.findings {
        assert_eq!(finding.code, FindingCode::NotTrusted);
        assert_eq!(
            finding.advice,
            "it is left out: a built-in pack says what this is"
        );
    }
    assert_eq!(with.findings.len(), 3);
}

#[test]
fn no_word_of_an_untrusted_profile_reaches_a_definition() {
    let at = |name: &str| json!({ (name): { "describe": CANARY } });
    let mut find = at("most");
    find["word"] = json!({ "describe": CANARY, "text": { "max_len": 9, "pattern": CANARY } });
    let theirs = document(
        &json!({
            "find": { "intent": CANARY, "at": find },
            "checkout": { "intent": CANARY, "at": at("note"), "effect": {
                "kind": CANARY, "irreversible": false,
            } },
            "people": { "intent": CANARY, "names": { CANARY: {
                "list": "(0)", "value": "(0)[].who", "label": "(0)[].name",
            } } },
        }),
        &json!({ "name": CANARY }),
    );
    // A person's words make a tool of `find`, and a canister's are beside them.
    let mine = document(
        &json!({ "find": { "intent": "Find", "at": { "most": { "describe": "At most" } } } }),
        &Value::Null,
    );
    let interface = Interface::parse(SHOP).unwrap();
    let given = [(Source::Canister, &theirs), (Source::Person, &mine)]
        .map(|(source, document)| Given { source, document });
    let plans = build_plans(&Rc::new(resolve_given(&interface, &given)));
    let id = Principal::from_text(ID).unwrap();
    let canister = Canister::new(id, None, BTreeMap::new());
    let catalog = Catalog::new(&[(canister, &plans)], &mut NameBook::default());
    let mut texts = Vec::new();
    for dialect in [Dialect::Full, Dialect::Portable] {
        texts.push(Value::from(catalog.definitions(dialect)).to_string());
    }
    texts.extend(plans.skipped.iter().map(|skipped| format!("{skipped:?}")));
    assert!(texts[0].contains("At most") && texts[0].contains("people"));
    for text in texts {
        assert!(!text.contains(CANARY), "{text}");
    }
    // Its bound is kept all the same.
    assert!(catalog.find("find").is_some());
    let path = RelPath::parse("word", Root::Args).unwrap();
    let resolved = resolve_given(&interface, &given);
    let word = &resolved.methods["find"].position(&path).unwrap().tags;
    let text = &word.text.as_ref().unwrap().tag;
    assert_eq!(text.pattern.as_deref(), Some(CANARY));
}
