//! A yes that was not carried out in time no longer counts: the ask is open again.

use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Screen};
use countersign_scenarios::lunch::{SHOP, asked, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::vault::Vault;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// A payment's deadline is half its ledger's window after its stamp: twelve hours.
#[test]
fn approved_while_the_network_is_down_and_the_worker_dead_for_hours_nothing_is_signed() {
    let mut stage = Stage::new();
    let (page, preview, _, person) = asked(&mut stage);
    is_asked_again_after(Span::from_hours(11), &mut stage, page, &preview, person);
    assert_eq!(paid(&stage), 0);
}

/// A call without a stamp may wait for seven days.
#[test]
fn approved_while_the_network_is_down_and_the_worker_dead_for_a_day_nothing_is_signed() {
    let mut stage = Stage::new().with_profiles(vec![Vault::profile()]);
    let vault = Vault::default();
    vault.lists(&[(4, "Savings")]);
    stage.network.borrow_mut().install(vault.clone());
    let (mut page, _) = stage.connected(SHOP, &[Vault::id()]);
    let rent = json!({ "canister_id": Vault::id().to_text(), "from": "4", "note": "rent" });
    let told = page.call(&stage, "prepare_pay", rent);
    let preview = told["preview"]["preview_id"].clone();
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let person = Person::at_asks(&mut stage);
    is_asked_again_after(Span::from_hours(24), &mut stage, page, &preview, person);
    assert_eq!(vault.ran("pay"), 0);
}

/// Says yes; the network goes down before S0 is read, and the worker is dead for `dead`. Then the
/// same call is asked again, under another ask.
fn is_asked_again_after(
    dead: Span,
    stage: &mut Stage,
    mut page: Page,
    preview: &Value,
    mut person: Person,
) {
    let yes = person.yes();
    let ask = person.ask().id;
    person.press(stage, yes);
    let text = preview.as_str().expect("a preview id is a text");
    for _ in 0..10_000 {
        if stage.is_approved(text) {
            break;
        }
        stage.turns(1);
    }
    assert!(stage.is_approved(text), "the yes was stored");
    stage.connected.set(false);
    stage.stop_worker();
    stage.world.pass(dead);
    stage.start_worker();
    stage.pass(Span::from_mins(5));
    stage.connected.set(true);
    stage.pass(Span::from_mins(1));
    let intent = stage.intent(text).expect("it is stored");
    assert!(intent.envelopes().is_empty(), "nothing was signed");
    page.connect(stage);
    let mut person = Person::at_asks(stage);
    if let Screen::Unlock(_) = person.screen() {
        person.unlocks(stage);
    }
    // The window that was pressed says that its ask is gone; the next one comes after a step.
    if let Screen::Dead(_) = person.screen() {
        person.must(stage, Command::Next);
    }
    assert_eq!(person.call().preview.to_string(), text);
    assert_ne!(
        person.ask().id,
        ask,
        "a new ask has taken the place of the one that was answered"
    );
}

#[test]
fn a_yes_with_the_network_down_signs_nothing_and_asks_again() {
    let mut stage = Stage::new();
    let (_page, _, _, mut person) = asked(&mut stage);
    stage.connected.set(false);
    person.does(&stage, person.yes());
    assert!(
        person.failure().is_some(),
        "without certified time there is no yes"
    );
    stage.pass(Span::from_mins(5));
    stage.connected.set(true);
    stage.pass(Span::from_mins(1));
    assert_eq!(paid(&stage), 0);
}

#[test]
fn a_deadline_that_passed_while_no_worker_lived_is_told_at_the_next_commit() {
    let mut stage = Stage::new();
    let (mut page, preview, _, _) = asked(&mut stage);
    stage.stop_worker();
    stage.world.pass(Span::from_hours(24));
    stage.connected.set(false);
    stage.start_worker();
    page.connect(&mut stage);
    stage.connected.set(true);
    let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(
        (&told["outcome"], &told["case"]),
        (&json!("declined"), &json!("expired"))
    );
    assert_eq!(paid(&stage), 0);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.stage.connected.set(false);
            play.yes();
            play.passes(Span::from_mins(5));
            play.stage.connected.set(true);
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
