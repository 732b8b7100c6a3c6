//! Inputs that an agent gives: long numbers, deep and wide JSON, texts where values belong.

use super::{
    HIDDEN, Hostile, ID, LEDGER, MEBIBYTE, NOW, Verdict, canister, plain_all_over, plans_of,
};
use countersign_core::{
    ids::PreviewId,
    interface::Interface,
    json::Json,
    mcp::MAX_MESSAGE_BYTES,
    profile::{Document, packs, resolve},
    tools::{Catalog, NameBook, Plans, build_plans},
};
use serde_json::{Value, json};
use std::rc::Rc;

const ODD: &str = include_str!("../../../../core/tests/fixtures/odd.did");
const ODD_PROFILE: &str = include_str!("../../../../core/tests/fixtures/odd.json");

/// Methods with a position of each kind.
const KINDS: &str = "service : {
    amount : (nat) -> () query; account : (text) -> () query; account_id : (blob) -> () query;
    \"principal\" : (principal) -> () query; subaccount : (blob) -> () query; memo : (blob) -> () query;
    timestamp : (nat) -> () query; duration : (nat) -> () query; number : (int) -> () query;
    flag : (bool) -> () query; words : (text) -> () query;
}";

pub(crate) fn kinds() -> Plans {
    let kind = |kind: Value| json!({ "at": { "$args[0]": { "value": kind } } });
    let profile = json!({
        "format": "candid-profile", "format_version": 0, "name": "kinds",
        "methods": {
            "amount": kind(json!({ "kind": "amount", "decimals": 8, "symbol": "TKA" })),
            "account": kind(json!({ "kind": "account" })),
            "account_id": kind(json!({ "kind": "account_id" })),
            "principal": kind(json!({ "kind": "principal" })),
            "subaccount": kind(json!({ "kind": "subaccount" })),
            "memo": kind(json!({ "kind": "memo" })),
            "timestamp": kind(json!({ "kind": "timestamp", "unit": "seconds" })),
            "duration": kind(json!({ "kind": "duration", "unit": "seconds" })),
            "number": { "at": { "$args[0]": { "describe": "A number" } } },
        },
    });
    let profile = Document::parse(&profile.to_string()).expect("a profile");
    let interface = Interface::parse(KINDS).expect("an interface");
    build_plans(&Rc::new(resolve(&interface, &[], &[profile])))
}

pub(crate) fn odd() -> Plans {
    let interface = Interface::parse(ODD).expect("an interface");
    let profile = Document::parse(ODD_PROFILE).expect("a profile");
    build_plans(&Rc::new(resolve(&interface, &packs::all(), &[profile])))
}

fn many() -> Plans {
    let fields: String = (0..9_000).map(|n| format!("m{n} : text; ")).collect();
    plans_of(&format!(
        "service : {{ m : (record {{ {fields} }}) -> () query }}"
    ))
}

/// An input of a tool; whether it may be taken, where nothing hidden is shown.
fn input(
    name: impl Into<String>,
    plans: fn() -> Plans,
    tool: &'static str,
    may_be_taken: bool,
    input: impl Fn() -> String + 'static,
) -> Hostile {
    Hostile::new(format!("input: {}", name.into()), move || {
        let plans = plans();
        let catalog = Catalog::new(&[(canister(), &plans)], &mut NameBook::default());
        let tool = catalog.find(tool).expect("the tool is there").clone();
        let text = input();
        Box::new(move || {
            let Ok(json) = Json::parse(&text) else {
                return Verdict::Refused("JSON".to_owned());
            };
            let call = match tool.read(&json, NOW) {
                Ok(call) => call,
                Err(issues) => {
                    let told = json!(issues);
                    if told.to_string().len() > text.len().max(1_000) {
                        return Verdict::Harm("the answer is longer than the question".to_owned());
                    }
                    return match plain_all_over([told]) {
                        Ok(()) => Verdict::Refused(issues[0].code.as_str().to_owned()),
                        Err(harm) => harm,
                    };
                }
            };
            if !may_be_taken {
                return Verdict::Harm("it was taken".to_owned());
            }
            let bytes = match call.input.encode(Some(NOW)) {
                Ok(bytes) => bytes,
                Err(error) => return Verdict::Harm(error.to_string()),
            };
            let plan = &call.entry.plan;
            let preview = plan.preview(PreviewId::from_bytes([0; 16]), &canister(), &bytes);
            let person = plan.decode_for_person(&canister(), &bytes);
            let (Ok(preview), Ok(person)) = (preview, person) else {
                return Verdict::Harm("its bytes are not shown".to_owned());
            };
            let lines = person
                .arguments
                .iter()
                .map(|line| json!([line.text, line.raw]));
            let shown = lines.chain([json!([preview.title, person.title])]);
            match plain_all_over(shown) {
                Ok(()) => Verdict::Harmless("a person sees what is hidden"),
                Err(harm) => harm,
            }
        })
    })
}

fn transfer(field: &str, value: &Value) -> String {
    let mut input = json!({ "canister_id": ID, "to": ID, "amount": "1" });
    input[field] = value.clone();
    input.to_string()
}

fn given(name: &str, value: &str) -> String {
    json!({ "canister_id": ID, name: value }).to_string()
}

pub(crate) fn ledger() -> Plans {
    plans_of(LEDGER)
}

pub(super) fn all() -> Vec<Hostile> {
    const MILLION: usize = 1_000_000;
    let mut all = Vec::new();
    let digits = || "9".repeat(MILLION);
    for (method, param, may_be_taken, value) in [
        ("amount", "amount", false, digits as fn() -> String),
        ("amount", "amount", false, || {
            format!("0.{}", "9".repeat(MILLION))
        }),
        ("amount", "amount", false, || {
            format!("1 {}", "T".repeat(MILLION))
        }),
        ("number", "integer", false, digits),
        ("number", "integer", false, || {
            format!("-{}", "9".repeat(MILLION))
        }),
        ("number", "integer", false, || "0".repeat(MILLION)),
        ("timestamp", "time", false, digits),
        ("timestamp", "time", false, || {
            format!("in {} hours", "9".repeat(MILLION))
        }),
        ("timestamp", "time", false, || {
            format!("{} seconds since 1970-01-01T00:00:00Z", "9".repeat(MILLION))
        }),
        ("timestamp", "time", false, || {
            format!("2027-01-31T12:00:00.{}Z", "0".repeat(MILLION))
        }),
        ("duration", "time", false, || {
            format!("{} seconds", "9".repeat(MILLION))
        }),
        ("duration", "time", false, || {
            format!("{} weeks", "9".repeat(MILLION))
        }),
        ("subaccount", "subaccount", false, digits),
        ("subaccount", "subaccount", false, || {
            format!("0x{}", "f".repeat(MILLION))
        }),
        ("account", "account", false, || "a".repeat(MILLION)),
        ("account", "account", false, || {
            format!("{ID}-{}.1", "a".repeat(MILLION))
        }),
        ("account_id", "account_id", false, || "a".repeat(MILLION)),
        ("principal", "principal", false, || {
            "aaaaa-".repeat(MILLION / 6)
        }),
        ("memo", "bytes", false, || {
            format!("0x{}", "g".repeat(MILLION))
        }),
        ("memo", "bytes", true, || HIDDEN.repeat(1_000)),
        ("flag", "bool", false, || "true".repeat(MILLION / 4)),
        ("words", "text", false, || "a".repeat(MILLION)),
        ("words", "text", true, || format!("pay{HIDDEN}me")),
    ] {
        let start: String = value().chars().take(24).collect();
        let name = format!("{method}, {}…", countersign_core::text::escaped(&start));
        all.push(input(name, kinds, method, may_be_taken, move || {
            given(param, &value())
        }));
    }
    for (method, param) in [
        ("amount", "amount"),
        ("account", "account"),
        ("account_id", "account_id"),
        ("principal", "principal"),
        ("subaccount", "subaccount"),
        ("timestamp", "time"),
        ("duration", "time"),
        ("number", "integer"),
        ("flag", "bool"),
    ] {
        // Each beside a value that would be sound alone.
        let sound = match method {
            "amount" | "number" | "subaccount" => "1",
            "timestamp" => "2027-01-31T12:00:00Z",
            "duration" => "2 hours",
            "flag" => "true",
            _ => ID,
        };
        for hidden in HIDDEN.chars() {
            let name = format!("{method} beside {}", hidden.escape_unicode());
            // ECMA 262 counts these two as white space, so they are trimmed as space is.
            let space = matches!(hidden, '\u{feff}' | '\u{2028}');
            all.push(input(name, kinds, method, space, move || {
                given(param, &format!("{sound}{hidden}"))
            }));
        }
    }
    all.push(input(
        "a name of hidden characters",
        ledger,
        "prepare_icrc1_transfer",
        false,
        || transfer(&format!("to{HIDDEN}"), &json!("x")),
    ));
    all.push(input(
        "a canister of hidden characters",
        ledger,
        "prepare_icrc1_transfer",
        false,
        || transfer("canister_id", &json!(format!("{ID}{HIDDEN}"))),
    ));
    all.push(input(
        "a case of hidden characters",
        odd,
        "prepare_act",
        false,
        || json!({ "canister_id": ID, "command": { "tag": format!("Stop{HIDDEN}") } }).to_string(),
    ));
    all.push(input(
        "a number of a million digits",
        ledger,
        "prepare_icrc1_transfer",
        false,
        || {
            format!(
                "{{\"canister_id\":\"{ID}\",\"amount\":{}}}",
                "9".repeat(MILLION)
            )
        },
    ));
    all.push(input(
        "1 MiB of `[`",
        ledger,
        "prepare_icrc1_transfer",
        false,
        || "[".repeat(MEBIBYTE),
    ));
    all.push(input(
        "1 MiB of `{\"a\":`",
        ledger,
        "prepare_icrc1_transfer",
        false,
        || "{\"a\":".repeat(MEBIBYTE / 5),
    ));
    all.push(input(
        "64 deep, and as long as a message may be",
        ledger,
        "prepare_icrc1_transfer",
        false,
        || {
            let deep = 62;
            let wide = "1,".repeat((MAX_MESSAGE_BYTES - 500) / 2);
            format!("{{\"to\":{}{wide}1{}}}", "[".repeat(deep), "]".repeat(deep))
        },
    ));
    all.push(input(
        "half a character",
        ledger,
        "prepare_icrc1_transfer",
        false,
        || format!("{{\"canister_id\":\"{ID}\",\"memo\":\"\\ud83d\"}}"),
    ));
    all.push(input(
        "one name twice",
        ledger,
        "prepare_icrc1_transfer",
        false,
        || format!("{{\"to\":\"{ID}\",\"t\\u006f\":\"aaaaa-aa\"}}"),
    ));
    all.push(input(
        "25,000 inputs that it has not",
        ledger,
        "prepare_icrc1_transfer",
        false,
        || {
            let fields: String = (0..25_000).map(|n| format!(",\"f{n}\":1")).collect();
            format!("{{\"canister_id\":\"{ID}\"{fields}}}")
        },
    ));
    all.push(input(
        "25,000 fields that it has not",
        odd,
        "prepare_act",
        false,
        || {
            let fields: Vec<String> = (0..25_000).map(|n| format!("\"f{n}\":1")).collect();
            format!(
                "{{\"canister_id\":\"{ID}\",\"command\":{{{}}}}}",
                fields.join(",")
            )
        },
    ));
    all.push(input(
        "130,000 elements",
        odd,
        "prepare_flags",
        false,
        || {
            let elements = "1,".repeat(130_000);
            format!("{{\"canister_id\":\"{ID}\",\"input\":[{elements}1]}}")
        },
    ));
    all.push(input(
        "256 lists of 256",
        odd,
        "prepare_rows",
        false,
        || {
            let row = json!(vec!["x"; 256]);
            json!({ "canister_id": ID, "input": vec![row; 256] }).to_string()
        },
    ));
    let given = |name: char| {
        move || {
            let fields: Vec<_> = (0..9_000).map(|n| format!("\"{name}{n}\":\"\"")).collect();
            format!("{{\"canister_id\":\"{ID}\",{}}}", fields.join(","))
        }
    };
    let (none, each) = ("9,000 inputs that it has not, of 9,000", "9,000 inputs");
    all.push(input(none, many, "m", false, given('n')));
    all.push(input(each, many, "m", true, given('m')));
    all
}
