//! Profiles: documents that nest, repeat and name, and the regular expressions in them.

use super::{HIDDEN, Hostile, ID, MEBIBYTE, NOW, Verdict, canister, plain_all_over};
use countersign_core::{
    format::text::Pattern,
    interface::Interface,
    json::Json,
    profile::{Document, Given, Source, resolve_given},
    tools::{Catalog, Dialect, NameBook, build_plans, lint},
};
use serde_json::{Value, json};
use std::rc::Rc;

const INTERFACE: &str = "
    type Item = record { name : text; count : nat; next : opt Item };
    service : {
        find : (record { word : text; most : nat; list : vec Item }) -> (vec text) query;
        send : (record { word : text; most : nat }) -> (variant { Ok; Err : text });
    }";

fn document(name: &str, text: impl Fn() -> String + 'static) -> [Hostile; 2] {
    over(name, || INTERFACE.to_owned(), text)
}

/// A document over an interface, which may be made for it: as a canister's word, and as a person's.
fn over(
    name: &str,
    interface: impl Fn() -> String + 'static,
    text: impl Fn() -> String + 'static,
) -> [Hostile; 2] {
    let made = Rc::new(move || (interface(), text()));
    [Source::Canister, Source::Person].map(|source| {
        let made = Rc::clone(&made);
        Hostile::new(format!("profile of a {source:?}: {name}"), move || {
            let (interface, text) = made();
            let interface = Interface::parse(&interface).expect("an interface");
            Box::new(move || said(&interface, source, &text))
        })
    })
}

/// What a document says, through to the definitions that a model reads.
fn said(interface: &Interface, source: Source, text: &str) -> Verdict {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            // A person reads the sentence; hidden characters of the profile are not in it.
            return match plain_all_over([json!(error.to_string())]) {
                Ok(()) => Verdict::Refused(error.code().to_owned()),
                Err(harm) => harm,
            };
        }
    };
    let given = Given {
        source,
        document: &document,
    };
    let resolved = Rc::new(resolve_given(interface, &[given]));
    let plans = build_plans(&resolved);
    let catalog = Catalog::new(&[(canister(), &plans)], &mut NameBook::default());
    let mut told: Vec<_> = Dialect::ALL
        .iter()
        .flat_map(|dialect| catalog.definitions(*dialect))
        .collect();
    let skipped = plans.skipped.iter();
    told.extend(skipped.map(|s| json!([s.told(), s.reason.to_string()])));
    let found = lint(&resolved, &plans);
    let found = found.iter();
    told.extend(found.map(|f| json!([f.place, f.message, f.advice])));
    // What it says of inputs is tried too.
    for tool in catalog.tools() {
        let input = json!({ "canister_id": ID, "word": "a".repeat(1_000) });
        let input = Json::parse(&input.to_string()).expect("JSON");
        if let Err(issues) = tool.read(&input, NOW) {
            told.push(json!(issues));
        }
    }
    match plain_all_over(told) {
        Ok(()) => Verdict::Harmless("it says nothing, or what it may"),
        Err(harm) => harm,
    }
}

/// One of many names of 40 characters.
fn field(n: usize) -> String {
    format!("{n:0>5}").replace(char::is_numeric, "a") + &format!("{n:a>35}")
}

fn methods(methods: &Value) -> String {
    json!({
        "format": "candid-profile", "format_version": 0, "name": "theirs", "methods": methods,
    })
    .to_string()
}

fn at(place: &str, tags: &Value) -> String {
    methods(&json!({ "find": { "at": { place: tags } } }))
}

/// A regular expression that must not run long, whatever comes of it.
fn pattern(source: String) -> Hostile {
    let start: String = source.chars().take(30).collect();
    Hostile::new(format!("pattern: {start}"), move || {
        let source = source.clone();
        Box::new(move || match Pattern::compile(&source) {
            Err(error) => Verdict::Refused(error.to_string()),
            Ok(pattern) => {
                // As long as a text may be.
                let _ = pattern.is_match(&"a".repeat(1_024));
                let _ = pattern.is_match(&format!("{}!", "ab".repeat(511)));
                Verdict::Harmless("it runs in linear time")
            }
        })
    })
}

pub(super) fn all() -> Vec<Hostile> {
    let documents = vec![
        document("1 MiB of `[`", || "[".repeat(MEBIBYTE)),
        document("1 MiB of `{\"methods\":`", || {
            "{\"methods\":".repeat(MEBIBYTE / 11)
        }),
        document("1 MiB of depth in an unknown key", || {
            format!(
                "{{\"x\":{}{}}}",
                "[".repeat(MEBIBYTE / 2),
                "]".repeat(MEBIBYTE / 2)
            )
        }),
        document("a version of a million digits", || {
            let digits = "9".repeat(1_000_000);
            format!("{{\"format\":\"candid-profile\",\"format_version\":{digits}}}")
        }),
        document("a bound of a million digits", || {
            at(
                "most",
                &json!({ "range": { "max": "9".repeat(1_000_000) } }),
            )
        }),
        document("255 decimals", || {
            at(
                "most",
                &json!({ "value": { "kind": "amount", "decimals": 255, "symbol": "X" } }),
            )
        }),
        document("a place of 500,000 steps", || {
            at(
                &format!("list{}", "[]".repeat(500_000)),
                &json!({ "describe": "x" }),
            )
        }),
        document("a place of 1 MiB", || {
            at(&".a".repeat(MEBIBYTE / 2), &json!({ "describe": "x" }))
        }),
        document("a place 2,000 deep in a type of itself", || {
            at(
                &format!("list[]{}.name", ".next".repeat(2_000)),
                &json!({ "describe": "x" }),
            )
        }),
        document("20,000 places", || {
            let places: serde_json::Map<String, Value> = (0..20_000)
                .map(|n| (format!("list[].f{n}"), json!({ "describe": "x" })))
                .collect();
            methods(&json!({ "find": { "at": places } }))
        }),
        document("many places deep in a type of itself", || {
            let places: serde_json::Map<String, Value> = (0..100)
                .map(|n| {
                    let place = format!("list[]{}.name", ".next".repeat(2 * n));
                    (place, json!({ "describe": "x" }))
                })
                .collect();
            methods(&json!({ "find": { "at": places } }))
        }),
        over(
            "400 wrong places beside 3,000 names of the same length",
            || {
                let fields: String = (0..3_000)
                    .map(|n| format!("{} : text; ", field(n)))
                    .collect();
                format!("service : {{ find : (record {{ {fields} }}) -> () query }}")
            },
            || {
                let places: serde_json::Map<String, Value> = (0..400)
                    .map(|n| (field(n + 10_000), json!({ "describe": "" })))
                    .collect();
                methods(&json!({ "find": { "at": places } }))
            },
        ),
        over(
            "400 places beside 3,000 definitions",
            || {
                let types: String = (0..3_000).map(|n| format!("type a{n} = nat; ")).collect();
                let fields: String = (0..3_000).map(|n| format!("f{n} : a{n}; ")).collect();
                format!("{types} service : {{ find : (record {{ {fields} }}) -> () query }}")
            },
            || {
                let places: serde_json::Map<String, Value> = (0..400)
                    .map(|n| (format!("f{n}"), json!({ "describe": "x" })))
                    .collect();
                methods(&json!({ "find": { "at": places } }))
            },
        ),
        over(
            "100 types at 100,000 positions",
            || {
                let types: String = (0..100)
                    .map(|n| format!("type a{n} = record {{ x : opt a{}; y : text }}; ", n + 1))
                    .collect();
                let methods: String = (0..1_000)
                    .map(|n| format!("m{n} : (a0) -> () query; "))
                    .collect();
                format!("{types} type a100 = text; service : {{ {methods} }}")
            },
            || {
                let types: serde_json::Map<String, Value> = (0..100)
                    .map(|n| (format!("a{n}"), json!({ "describe": "x" })))
                    .collect();
                json!({
                    "format": "candid-profile", "format_version": 0, "name": "theirs",
                    "types": types, "methods": {},
                })
                .to_string()
            },
        ),
        over(
            "a type of 300 names at 5,000 positions, each described",
            || {
                let names: String = (1..300)
                    .map(|nth| format!("type A{nth} = A{};\n", nth - 1))
                    .collect();
                let fields: String = (0..500).map(|nth| format!("f{nth} : A299; ")).collect();
                let methods: String = (0..10)
                    .map(|nth| format!("m{nth} : (record {{ {fields} }}) -> () query; "))
                    .collect();
                format!("type A0 = nat;\n{names} service : {{ {methods} }}")
            },
            || {
                let types: serde_json::Map<String, Value> = (0..300)
                    .map(|nth| (format!("A{nth}"), json!({ "describe": "x".repeat(100) })))
                    .collect();
                json!({ "format": "candid-profile", "format_version": 0, "name": "many",
                    "types": types })
                .to_string()
            },
        ),
        document("a name of 60,000 characters", || {
            json!({ "format": "candid-profile", "format_version": 0, "name": "n".repeat(60_000) })
                .to_string()
        }),
        document("20,000 methods", || {
            let all: serde_json::Map<String, Value> = (0..20_000)
                .map(|n| (format!("m{n}"), json!({ "intent": "x" })))
                .collect();
            methods(&Value::Object(all))
        }),
        document("20,000 outcomes", || {
            let all: serde_json::Map<String, Value> = (0..20_000)
                .map(|n| (format!("Err.c{n}"), json!("fail")))
                .collect();
            methods(&json!({ "send": { "intent": "x", "outcome": all } }))
        }),
        document("an interface that nests", || {
            json!({
                "format": "candid-profile", "format_version": 0, "name": "theirs",
                "candid": ["type A = ", "opt ".repeat(200_000)], "methods": {},
            })
            .to_string()
        }),
        document("1 MiB of words", || {
            methods(&json!({ "send": { "intent": "x".repeat(MEBIBYTE - 200) } }))
        }),
        document("a template of 100,000 places", || {
            methods(&json!({ "send": {
                "intent": "{word}".repeat(100_000),
                "effect": { "kind": "send", "irreversible": true }, "outcome": { "Ok": "success" },
                "at": { "most": { "describe": "x" } },
            } }))
        }),
    ];
    let mut all: Vec<_> = documents.into_iter().flatten().collect();
    let hidden = || format!("pay{HIDDEN}me");
    for (name, said) in [
        ("title", json!({ "send": { "intent": hidden() } })),
        (
            "effect",
            json!({ "send": { "effect": { "kind": hidden(), "irreversible": false } } }),
        ),
        (
            "description",
            json!({ "find": { "at": { "most": { "describe": hidden() } } } }),
        ),
        ("method", json!({ hidden(): { "intent": "x" } })),
        (
            "place",
            json!({ "find": { "at": { hidden(): { "describe": "x" } } } }),
        ),
        (
            "unknown tag",
            json!({ "find": { "at": { "most": { hidden(): "x" } } } }),
        ),
        (
            "value",
            json!({ "find": { "at": { "most": { "value": { "kind": hidden() } } } } }),
        ),
        (
            "symbol",
            json!({ "find": { "at": { "most": { "describe": "x", "value": {
            "kind": "amount", "decimals": 8, "symbol": hidden(),
        } } } } }),
        ),
        (
            "reference",
            json!({ "find": { "at": { "most": { "value": {
            "kind": "amount", "decimals": { "from": hidden() }, "symbol": "X",
        } } } } }),
        ),
        (
            "outcome",
            json!({ "send": { "outcome": { hidden(): "success" } } }),
        ),
        (
            "class",
            json!({ "send": { "outcome": { "Ok": hidden() } } }),
        ),
        (
            "pattern",
            json!({ "find": { "at": { "most": { "describe": "x" }, "word": {
            "text": { "pattern": hidden() },
        } } } }),
        ),
        (
            "set of names",
            json!({ "find": { "names": { hidden(): {
            "list": hidden(), "value": "(0)[]", "label": "(0)[]",
        } } } }),
        ),
        (
            "name of a set",
            json!({ "find": { "at": { "most": { "describe": "x", "named": hidden() } } } }),
        ),
        (
            "bound",
            json!({ "find": { "at": { "most": { "describe": "x", "range": { "max": hidden() } } } } }),
        ),
    ] {
        all.extend(document(
            &format!("hidden characters in a {name}"),
            move || methods(&said),
        ));
    }
    let bombs = [
        "(a+)+$",
        "(a*)*b",
        "(a|a)*$",
        "(a|aa)+$",
        "(.*a){20}",
        "(?:a?){30}a{30}",
        "a{1000}{1000}{1000}",
        "(?:(?:a{100}){100}){100}",
        "a{99999999999999999999}",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(?=(a+))a*b\\1",
        "(a)\\1{1000}",
        "\\p{L}{500}",
        "[\\s\\S]{1024}{1024}",
        "(x+x+)+y",
        "(?<!a+)b",
    ];
    all.extend(bombs.map(|source| pattern(source.to_owned())));
    all.push(pattern("(".repeat(256)));
    all.push(pattern("(?:".repeat(80)));
    all.push(pattern("[".repeat(256)));
    all.push(pattern("a?".repeat(64) + &"a".repeat(64)));
    all.push(pattern("a".repeat(MEBIBYTE)));
    all
}
