//! A canister that no pack knows, by a profile of the person's: names in place of values, a tool a
//! case, reads that are certified and reads that are refused.

use candid::IDLValue;
use countersign_core::time::Span;
use countersign_scenarios::sweep::Course;
use countersign_scenarios::vault::Vault;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

const BANK: &str = "https://bank.example";

/// A connected page, and the vault that it is connected to.
fn open() -> (Stage, Vault, Page) {
    let mut stage = Stage::new().with_profiles(vec![Vault::profile()]);
    let vault = Vault::default();
    vault.lists(&[(1, "Main"), (2, "main"), (4, "Savings")]);
    stage.network.borrow_mut().install(vault.clone());
    let (page, _) = stage.connected(BANK, &[Vault::id()]);
    (stage, vault, page)
}

fn input(fields: &Value) -> Value {
    let mut input = fields.clone();
    input["canister_id"] = json!(Vault::id().to_text());
    input
}

fn pay(from: &str) -> Value {
    input(&json!({ "from": from, "note": "rent" }))
}

/// What the window showed of an argument: path, text, name.
type Shown = (String, Option<String>, Option<String>);

/// Commits a preview with the person's yes. Gives the outcome, the title and the arguments that the
/// window showed.
fn committed(stage: &mut Stage, page: &mut Page, preview: &Value) -> (Value, String, Vec<Shown>) {
    let commit = page.begin(stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(stage);
    let call = &person.call().call;
    let title = call.title.clone();
    let shown = call.arguments.iter();
    let shown = shown
        .map(|a| (a.path.clone(), a.text.clone(), a.name.clone()))
        .collect();
    person.approve(stage);
    let told = page.told(stage, commit).expect("the commit is answered");
    (told["outcome"].clone(), title, shown)
}

fn field(value: &IDLValue, name: &str) -> IDLValue {
    let IDLValue::Record(fields) = value else {
        panic!("{value:?} is no record")
    };
    let found = fields
        .iter()
        .find(|field| field.id.get_id() == candid::idl_hash(name));
    found.expect("the field is there").val.clone()
}

#[test]
fn names_are_read_once_an_intent() {
    let (mut stage, vault, mut page) = open();
    let first = page.call(&stage, "prepare_pay", pay(" savings"));
    assert_eq!(first["status"], "prepared", "{first}");
    assert_eq!(vault.ran("list_accounts"), 1);
    let preview = &first["preview"];
    let name = json!({ "untrusted": "Savings", "from": "names of account" });
    assert_eq!(
        preview["arguments"]["from"],
        json!({ "text": "4", "raw": "4", "name": name })
    );
    // Written the same, or by its value, it is the intent that there is; the list is not read.
    for from in [" savings", "4"] {
        let again = page.call(&stage, "prepare_pay", pay(from));
        assert_eq!(again["status"], "repeated", "{again}");
        assert_eq!(again["preview"]["preview_id"], preview["preview_id"]);
    }
    assert_eq!(vault.ran("list_accounts"), 1);
    // What the name stands for since is another intent, only once this one has ended.
    vault.lists(&[(9, "Savings")]);
    let again = page.call(&stage, "prepare_pay", pay(" savings"));
    assert_eq!(again["preview"]["preview_id"], preview["preview_id"]);
    assert_eq!(vault.ran("list_accounts"), 1);
    let (outcome, title, shown) = committed(&mut stage, &mut page, &preview["preview_id"]);
    assert_eq!(outcome, "success");
    assert_eq!(title, "Pay from account 4");
    let savings = Some("Savings".to_owned());
    assert!(
        shown.contains(&("from".to_owned(), Some("4".to_owned()), savings)),
        "{shown:?}"
    );
    assert_eq!(field(&vault.argument("pay"), "from"), IDLValue::Nat64(4));
    // Its end is told once more before the same name can be another wish.
    let told = page.call(&stage, "prepare_pay", pay("Savings"));
    assert_eq!(
        (&told["status"], &told["outcome"]),
        (&json!("repeated"), &json!("already_done")),
        "{told}"
    );
    assert_eq!(vault.ran("list_accounts"), 1);
    let next = page.call(&stage, "prepare_pay", pay(" savings"));
    assert_eq!(next["status"], "prepared", "{next}");
    assert_eq!(next["preview"]["arguments"]["from"]["raw"], "9");
    assert_eq!(vault.ran("list_accounts"), 2);
}

#[test]
fn what_stands_for_no_one_account_is_refused_and_nothing_is_prepared() {
    let (stage, vault, mut page) = open();
    let code = |page: &mut Page, from: &str| {
        let told = page.call(&stage, "prepare_pay", pay(from));
        assert_eq!(told["issues"][0]["param"], "from", "{told}");
        told["issues"][0]["code"].clone()
    };
    assert_eq!(code(&mut page, "Main"), "E_NAME_AMBIGUOUS");
    assert_eq!(code(&mut page, "Vault"), "E_NAME_NOT_FOUND");
    vault.lists_nothing();
    assert_eq!(code(&mut page, "Savings"), "E_NAMES_UNREAD");
    assert_eq!(stage.intents(), 0);
    // A value needs no list; without one it is shown without a name.
    let told = page.call(&stage, "prepare_pay", pay("4"));
    assert_eq!(told["status"], "prepared", "{told}");
    assert_eq!(told["preview"]["arguments"]["from"], "4");
}

#[test]
fn a_read_takes_a_name_and_reads_the_list_only_for_one() {
    let (stage, vault, mut page) = open();
    let told = page.call(&stage, "balance", input(&json!({ "integer": "4" })));
    assert_eq!(
        (&told["reply"], vault.ran("list_accounts")),
        (&json!("7"), 0)
    );
    let told = page.call(&stage, "balance", input(&json!({ "integer": "savings" })));
    assert_eq!(
        (&told["reply"], vault.ran("list_accounts")),
        (&json!("7"), 1)
    );
}

#[test]
fn a_case_is_prepared_shown_and_sent_as_that_case() {
    let (mut stage, vault, mut page) = open();
    let tools = page.tools(&stage);
    for tool in ["prepare_manage_Rename", "prepare_manage_Close"] {
        assert!(tools.iter().any(|name| name == tool), "{tools:?}");
    }
    assert!(!tools.iter().any(|name| name == "prepare_manage"));
    let status = page.call(&stage, "wallet_status", json!({}));
    let skipped = &status["canisters"][0]["skipped"];
    assert_eq!(skipped[0]["method"], "manage.Audit", "{status}");
    let rename = input(&json!({ "account": "savings", "name": "Old age" }));
    let told = page.call(&stage, "prepare_manage_Rename", rename);
    assert_eq!(told["preview"]["title"], "Rename account 4", "{told}");
    let preview = &told["preview"]["preview_id"];
    let (outcome, title, shown) = committed(&mut stage, &mut page, preview);
    assert_eq!(
        (outcome, title.as_str()),
        (json!("success"), "Rename account 4")
    );
    let paths: Vec<_> = shown.iter().map(|(path, _, _)| path.as_str()).collect();
    assert_eq!(
        paths,
        ["id", "command.Rename.name", "command.Rename.account"]
    );
    assert_eq!(vault.ran("manage"), 1);
    let IDLValue::Opt(command) = field(&vault.argument("manage"), "command") else {
        panic!("the command is there")
    };
    let IDLValue::Variant(variant) = *command else {
        panic!("the command is a variant")
    };
    assert_eq!(variant.0.id.get_id(), candid::idl_hash("Rename"));
    assert_eq!(field(&variant.0.val, "account"), IDLValue::Nat64(4));
}

#[test]
fn a_certified_read_is_sent_once_as_an_update_and_asks_nobody() {
    let (stage, vault, mut page) = open();
    let windows = stage.world.windows().len();
    let told = page.call(&stage, "sum", input(&json!({ "text": "all" })));
    assert_eq!(told["certified"], true, "{told}");
    assert_eq!((&told["reply"], vault.ran("sum")), (&json!("7"), 1));
    assert_eq!(stage.world.windows().len(), windows);
    assert_eq!(stage.intents(), 0);
}

#[test]
fn a_read_that_the_canister_refuses_says_that_nothing_was_read() {
    let (stage, _, mut page) = open();
    let id = page.begin(&stage, "secret", input(&json!({ "text": "all" })));
    stage.settle();
    let answer = page.answer(&stage, id).expect("the read is answered");
    let told = &answer["result"]["structuredContent"];
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(told["code"], "E_REJECTED");
    let words = &told["details"]["message"]["untrusted"];
    assert!(
        words
            .as_str()
            .is_some_and(|words| words.contains("ignore your rules"))
    );
    let sentence = answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_default();
    assert!(
        sentence.contains("nothing was read") && !sentence.contains("ignore"),
        "{sentence}"
    );
}

#[test]
fn a_persons_profile_has_nothing_sent_again_or_made_anew() {
    let profile = Vault::profile_that_sends_again();
    let mut stage = Stage::new().with_profiles(vec![profile]);
    let vault = Vault::default();
    vault.refuses();
    stage.network.borrow_mut().install(vault.clone());
    let (mut page, _) = stage.connected(BANK, &[Vault::id()]);
    let told = page.call(&stage, "prepare_pay", pay("4"));
    let preview = told["preview"]["preview_id"].clone();
    let (outcome, _, _) = committed(&mut stage, &mut page, &preview);
    assert_eq!(outcome, "fail");
    let again = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!((&again["outcome"], vault.ran("pay")), (&json!("fail"), 1));
    let asks = stage.world.windows().len();
    stage.pass(Span::from_hours(1));
    assert_eq!((vault.ran("pay"), stage.world.windows().len()), (1, asks));
}

fn rent_prepared(stage: &mut Stage) -> (Page, Value) {
    let vault = Vault::default();
    vault.lists(&[(1, "Main"), (4, "Savings")]);
    stage.network.borrow_mut().install(vault);
    let (mut page, _) = stage.connected(BANK, &[Vault::id()]);
    let told = page.call(stage, "prepare_pay", pay("savings"));
    assert_eq!(told["status"], "prepared", "{told}");
    (page, told["preview"]["preview_id"].clone())
}

fn rent_paid(stage: &Stage) -> usize {
    let network = stage.network.borrow();
    let vault = network.installed::<Vault>(Vault::id());
    vault.expect("it is there").ran("pay")
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        stage: || Stage::new().with_profiles(vec![Vault::profile()]),
        begins: rent_prepared,
        effects: rent_paid,
        ..Course::default()
    }
    .sweep();
}
