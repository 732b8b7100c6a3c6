//! A ledger that named an earlier block to a re-send of ours, and has that block, is known to drop
//! repeats while it runs that code; a list is not needed any more.

use countersign_core::intent::Evidence;
use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Place, Screen};
use countersign_localnet::canisters::ledger::Ledger;
use countersign_scenarios::doubt::{commit, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::json;

/// Whether the ledger is known to drop repeats, as a new preparation of this amount is told.
fn evidence(stage: &Stage, page: &mut Page, amount: &str) -> Evidence {
    let told = page.call(stage, "prepare_icrc1_transfer", lunch(amount));
    let preview = preview_of(&told);
    let preview = preview.as_str().expect("it is prepared");
    stage.intent(preview).expect("it is stored").evidence()
}

/// The person takes the ledger off the list.
fn unlist(stage: &mut Stage) {
    let mut home = Person::at_home(stage);
    home.must(stage, Command::Show(Place::Networks));
    let Screen::Networks(networks) = home.screen() else {
        panic!("the networks are shown")
    };
    let local = networks
        .networks
        .iter()
        .find(|n| !n.deduplicating.is_empty());
    let remove = Command::RemoveDeduplicating {
        network: local.expect("the ledger is on a list").network.id,
        ledger: Stage::tka().to_text(),
    };
    home.must(stage, remove);
}

#[test]
fn a_duplicate_to_a_resend_makes_it_known_until_its_code_changes() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    yes_and_nothing_more(&stage, &preview, "icrc1_transfer", &mut person);
    let again = commit(&mut page, &stage, &preview);
    Person::at_asks(&mut stage).approve(&stage);
    stage.pass(Span::from_secs(30));
    let told = page.told(&stage, again).expect("commit is answered");
    assert_eq!(told["case"], "Err.Duplicate", "{told}");
    assert_eq!(paid(&stage), 1);
    unlist(&mut stage);
    assert_eq!(evidence(&stage, &mut page, "2"), Evidence::Known);
    stage.on_ledger(Stage::tka(), Ledger::upgrade);
    stage.pass(Span::from_mins(2));
    // Finds that the code is another one.
    page.call(&stage, "prepare_icrc1_transfer", lunch("2.5"));
    let wanted = json!({ "canisters": [{ "id": Stage::tka().to_text() }], "tools": ["all"] });
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    page.begin(&stage, "wallet_connect", wanted);
    stage.settle();
    Person::at_asks(&mut stage).connects(&stage);
    assert_eq!(evidence(&stage, &mut page, "3"), Evidence::Claimed);
}

#[test]
fn a_first_call_that_is_answered_makes_nothing_known() {
    let mut stage = Stage::new();
    let (mut page, _, _, mut person) = asked(&mut stage);
    person.approve(&stage);
    assert_eq!(paid(&stage), 1);
    unlist(&mut stage);
    assert_eq!(evidence(&stage, &mut page, "2"), Evidence::Claimed);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.yes_and_nothing_more("icrc1_transfer");
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
