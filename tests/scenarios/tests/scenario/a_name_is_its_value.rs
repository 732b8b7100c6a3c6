//! A wish given by name is the wish of the value that the name stood for, however it is spelled and
//! whatever the canister lists since.

use countersign_core::time::Span;
use countersign_scenarios::sweep::Course;
use countersign_scenarios::vault::Vault;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

const BANK: &str = "https://bank.example";

fn open() -> (Stage, Vault, Page) {
    let mut stage = Stage::new().with_profiles(vec![Vault::profile()]);
    let vault = Vault::default();
    vault.lists(&[(1, "Main"), (4, "Savings"), (5, "Rent")]);
    stage.network.borrow_mut().install(vault.clone());
    let (page, _) = stage.connected(BANK, &[Vault::id()]);
    (stage, vault, page)
}

fn pay(from: &str) -> Value {
    json!({ "from": from, "note": "rent", "canister_id": Vault::id().to_text() })
}

fn prepare(stage: &Stage, page: &mut Page, from: &str) -> Value {
    page.call(stage, "prepare_pay", pay(from))
}

/// Prepares a call from an account and has it committed with a yes, heard by nobody.
fn paid_unheard(stage: &mut Stage, page: &mut Page, from: &str) -> Value {
    let told = prepare(stage, page, from);
    assert_eq!(told["status"], "prepared", "{told}");
    let preview = told["preview"]["preview_id"].clone();
    page.begin(stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    page.acknowledges = false;
    let mut person = Person::at_asks(stage);
    person.approve(stage);
    page.listen(stage);
    preview
}

/// The account that an answer's preview pays from.
fn account(told: &Value) -> Value {
    let from = &told["preview"]["arguments"]["from"];
    from.get("raw").unwrap_or(from).clone()
}

#[test]
fn any_spelling_of_a_name_is_the_wish_that_is_open() {
    let (stage, vault, mut page) = open();
    let first = prepare(&stage, &mut page, "Savings");
    vault.lists(&[(9, "Savings")]);
    for from in ["Savings", "  sAVINGS ", "4"] {
        let told = prepare(&stage, &mut page, from);
        assert_eq!(told["status"], "repeated", "{from}: {told}");
        assert_eq!(told["preview"], first["preview"], "{from}");
    }
    assert_eq!((vault.ran("list_accounts"), stage.intents()), (1, 1));
    // Another name, or the same with another note, is another wish.
    let told = prepare(&stage, &mut page, "9");
    assert_eq!(told["status"], "prepared", "{told}");
    let mut other = pay("savings");
    other["note"] = json!("more rent");
    let told = page.call(&stage, "prepare_pay", other);
    assert_eq!(
        (&told["status"], account(&told)),
        (&json!("prepared"), json!("9")),
        "{told}"
    );
}

#[test]
fn a_name_that_was_shown_beside_a_value_is_that_wish() {
    let (stage, vault, mut page) = open();
    let first = prepare(&stage, &mut page, "4");
    assert_eq!(
        first["preview"]["arguments"]["from"]["name"]["untrusted"],
        "Savings"
    );
    vault.lists(&[(9, "Savings")]);
    let told = prepare(&stage, &mut page, "savings");
    assert_eq!(told["status"], "repeated", "{told}");
    assert_eq!(account(&told), "4");
}

#[test]
fn an_end_that_nobody_heard_is_told_before_the_name_pays_another_account() {
    for by in ["Savings", "4"] {
        let (mut stage, vault, mut page) = open();
        let preview = paid_unheard(&mut stage, &mut page, by);
        assert_eq!(vault.ran("pay"), 1);
        page.close(&stage);
        vault.lists(&[(9, "Savings")]);
        let mut page = Page::open(&mut stage, BANK, "later");
        let told = prepare(&stage, &mut page, "SAVINGS");
        assert_eq!(
            (&told["status"], &told["outcome"]),
            (&json!("repeated"), &json!("already_done")),
            "{by}: {told}"
        );
        assert_eq!(told["preview"]["preview_id"], preview);
        // Told, the name is what is listed now.
        let told = prepare(&stage, &mut page, "SAVINGS");
        assert_eq!(
            (&told["status"], account(&told)),
            (&json!("prepared"), json!("9")),
            "{told}"
        );
        assert_eq!(vault.ran("pay"), 1);
    }
}

#[test]
fn what_may_have_executed_is_answered_where_nothing_can_be_read() {
    let (mut stage, vault, mut page) = open();
    let preview = paid_unheard(&mut stage, &mut page, "Savings");
    page.acknowledges = true;
    stage.pass(Span::from_mins(2));
    stage.connected.set(false);
    let told = prepare(&stage, &mut page, "savings");
    assert_eq!(told["status"], "repeated", "{told}");
    assert_eq!(told["preview"]["preview_id"], preview);
    assert_eq!(vault.ran("pay"), 1);
}

#[test]
fn one_name_prepared_twice_at_once_is_listed_once_and_is_one_wish() {
    let (stage, vault, mut page) = open();
    let calls: Vec<_> = ["Savings", "savings ", "Savings"]
        .iter()
        .map(|from| page.begin(&stage, "prepare_pay", pay(from)))
        .collect();
    stage.settle();
    let told: Vec<_> = (calls.iter())
        .map(|call| page.told(&stage, *call).expect("it is answered"))
        .collect();
    let prepared = told.iter().filter(|told| told["status"] == "prepared");
    assert_eq!(prepared.count(), 1, "{told:?}");
    assert!(
        told.iter()
            .all(|other| other["preview"] == told[0]["preview"])
    );
    assert_eq!((vault.ran("list_accounts"), stage.intents()), (1, 1));
}

fn savings_prepared(stage: &mut Stage) -> (Page, Value) {
    let vault = Vault::default();
    vault.lists(&[(1, "Main"), (4, "Savings")]);
    stage.network.borrow_mut().install(vault);
    let (mut page, _) = stage.connected(BANK, &[Vault::id()]);
    let told = prepare(stage, &mut page, "Savings");
    assert_eq!(told["status"], "prepared", "{told}");
    (page, told["preview"]["preview_id"].clone())
}

/// The name stands for another account from now on.
fn relisted(stage: &Stage) {
    let network = stage.network.borrow();
    let vault = network.installed::<Vault>(Vault::id());
    vault.expect("it is there").lists(&[(9, "Savings")]);
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
        begins: savings_prepared,
        plays: |play| {
            play.commits();
            play.yes();
            relisted(&play.stage);
            play.prepares("prepare_pay", &pay("SAVINGS"));
        },
        effects: rent_paid,
        ..Course::default()
    }
    .sweep();
}
