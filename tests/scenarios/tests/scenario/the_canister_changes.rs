//! A canister that runs other code than the person accepted loses its tools, whoever notices it
//! first, until the person has seen the change.

use countersign_core::confirm::view::{Asked, CanisterState, Preset};
use countersign_core::ids::ContentHash;
use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, DeadWhy, Failure, Screen};
use countersign_scenarios::lunch::{asked, lunch, paid, prepared};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::json;

const TRANSFER: &str = "prepare_icrc1_transfer";

fn upgrade(stage: &Stage) {
    let mut network = stage.network.borrow_mut();
    let ledger = network.ledger_mut(Stage::tka());
    ledger.expect("the ledger is there").upgrade();
}

/// A site asks to be connected, in a window of its own; the ask is in front of the person.
fn asks_to_connect(stage: &mut Stage, page: &mut Page) -> (u64, Person) {
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    let wanted = json!({ "canisters": [{ "id": Stage::tka().to_text() }], "tools": ["all"] });
    let id = page.begin(stage, "wallet_connect", wanted);
    stage.settle();
    (id, Person::at_asks(stage))
}

/// The code that a connect page shows.
fn shown_module(person: &Person) -> Option<ContentHash> {
    let Asked::Connect(connect) = &person.ask().what else {
        panic!("the ask is to connect")
    };
    match &connect.canisters[0].state {
        CanisterState::Read(facts) => facts.module,
        other => panic!("it was read, but {other:?}"),
    }
}

/// Chooses the account on the local network, so that its canisters are read.
fn chooses(person: &mut Person, stage: &Stage) {
    let Asked::Connect(connect) = &person.ask().what else {
        panic!("the ask is to connect")
    };
    let local = connect.accounts.iter().find(|a| !a.account.network.mainnet);
    let account = local.expect("there is one").account.id.clone();
    let (ask, preset) = (person.ask().id, connect.preset);
    let choose = Command::Choose {
        ask,
        account,
        preset,
    };
    person.must(stage, choose);
}

#[test]
fn a_minute_after_an_upgrade_the_next_call_finds_the_tools_withheld() {
    for (tool, arguments) in [
        (
            "icrc1_balance_of",
            json!({ "canister_id": Stage::tka().to_text(), "account": Stage::tka().to_text() }),
        ),
        (TRANSFER, lunch("2.5")),
    ] {
        let mut stage = Stage::new();
        let (mut page, _) = prepared(&mut stage);
        upgrade(&stage);
        stage.pass(Span::from_secs(61));
        let told = page.call(&stage, tool, arguments);
        assert_eq!(told["code"], "E_WITHHELD", "{told}");
        assert!(!page.tools(&stage).contains(&TRANSFER.to_owned()));
    }
}

#[test]
fn a_wish_that_was_prepared_before_is_answered_though_its_canister_has_changed() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    upgrade(&stage);
    stage.pass(Span::from_secs(61));
    let told = page.call(&stage, TRANSFER, lunch("1.5"));
    assert_eq!(told["status"], "repeated", "{told}");
    assert_eq!(told["preview"]["preview_id"], preview);
}

#[test]
fn an_open_ask_of_a_changed_canister_ends_before_any_yes() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    upgrade(&stage);
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let person = Person::at_asks(&mut stage);
    match person.screen() {
        Screen::Dead(dead) => assert_eq!(dead.why, DeadWhy::CanisterChanged),
        other => panic!("the ask is dead, but {other:?}"),
    }
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "fail", "{told}");
    assert_eq!(paid(&stage), 0);
    assert!(!page.tools(&stage).contains(&TRANSFER.to_owned()));
}

#[test]
fn a_yes_to_a_canister_that_changed_since_it_was_shown_is_not_taken() {
    let mut stage = Stage::new();
    let (mut page, _, commit, mut person) = asked(&mut stage);
    upgrade(&stage);
    let yes = person.yes();
    person.does(&stage, yes);
    assert_eq!(person.failure(), Some(&Failure::AskChanged));
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "fail", "{told}");
    assert_eq!(paid(&stage), 0);
}

/// In one life of the worker, which has read the canister before.
#[test]
fn connecting_anew_shows_the_code_that_runs_now() {
    let mut stage = Stage::new();
    let (mut page, _, _, mut person) = asked(&mut stage);
    upgrade(&stage);
    let yes = person.yes();
    person.does(&stage, yes);
    let (id, mut person) = asks_to_connect(&mut stage, &mut page);
    chooses(&mut person, &stage);
    let now = {
        let network = stage.network.borrow();
        let ledger = network.ledger(Stage::tka()).expect("the ledger is there");
        ContentHash::from_bytes(countersign_localnet::canisters::Canister::module_hash(
            ledger,
        ))
    };
    assert_eq!(shown_module(&person), Some(now));
    person.connects(&stage);
    assert_eq!(
        page.told(&stage, id).expect("answered")["outcome"],
        "success"
    );
    assert!(page.tools(&stage).contains(&TRANSFER.to_owned()));
}

#[test]
fn a_canister_that_changes_while_it_is_looked_at_has_to_be_looked_at_again() {
    let mut stage = Stage::new();
    let (mut page, _) = prepared(&mut stage);
    upgrade(&stage);
    stage.pass(Span::from_secs(61));
    page.call(&stage, TRANSFER, lunch("2.5"));
    let (id, mut person) = asks_to_connect(&mut stage, &mut page);
    chooses(&mut person, &stage);
    let before = shown_module(&person);
    upgrade(&stage);
    let Asked::Connect(connect) = &person.ask().what else {
        panic!("the ask is to connect")
    };
    let (ask, shown) = (person.ask().id, connect.shown);
    person.does(&stage, Command::Connect { ask, shown });
    assert_eq!(person.failure(), Some(&Failure::AskChanged));
    assert_ne!(shown_module(&person), before);
    assert_eq!(page.told(&stage, id), None);
    person.connects(&stage);
    assert_eq!(
        page.told(&stage, id).expect("answered")["outcome"],
        "success"
    );
}

#[test]
fn what_is_accepted_for_one_site_gives_another_nothing_back() {
    let mut stage = Stage::new();
    let (mut shop, _) = prepared(&mut stage);
    shop.raw(
        &stage,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    );
    let mut other = Page::open(&mut stage, "https://other.example", "D2");
    upgrade(&stage);
    // The other site's person accepts the canister as it is now: the shop's has not seen that.
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    other.connects(&mut stage, &[Stage::tka()], Preset::All);
    assert!(other.tools(&stage).contains(&TRANSFER.to_owned()));
    assert!(!shop.tools(&stage).contains(&TRANSFER.to_owned()));
    let changed = "notifications/tools/list_changed";
    assert!(
        shop.notes.iter().any(|note| note["method"] == changed),
        "{:?}",
        shop.notes
    );
    let (id, mut person) = asks_to_connect(&mut stage, &mut shop);
    person.connects(&stage);
    assert_eq!(
        shop.told(&stage, id).expect("answered")["outcome"],
        "success"
    );
    assert!(shop.tools(&stage).contains(&TRANSFER.to_owned()));
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            upgrade(&play.stage);
            play.yes();
        },
        ends: &["fail"],
        ..Course::default()
    }
    .sweep();
}
