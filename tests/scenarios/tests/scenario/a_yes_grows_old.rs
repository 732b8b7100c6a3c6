//! A yes that was not carried out in time no longer counts: the ask is open again.

use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Screen};
use countersign_scenarios::lunch::{asked, paid};
use countersign_scenarios::{Person, Stage};
use serde_json::json;

#[test]
fn approved_while_the_network_is_down_and_the_worker_dead_for_a_day_nothing_is_signed() {
    let mut stage = Stage::new();
    let (mut page, preview, _, person) = asked(&mut stage);
    let yes = person.yes();
    // The yes goes through; then the network goes down before S0 is read.
    let ask = person.ask().id;
    let mut person = person;
    person.press(&stage, yes);
    for _ in 0..10_000 {
        let text = preview.as_str().expect("a preview id is a text");
        if stage.is_approved(text) {
            break;
        }
        stage.turns(1);
    }
    stage.connected.set(false);
    stage.stop_worker();
    stage.world.pass(Span::from_hours(11));
    stage.start_worker();
    stage.pass(Span::from_mins(5));
    assert_eq!(paid(&stage), 0);
    stage.connected.set(true);
    stage.pass(Span::from_mins(1));
    assert_eq!(paid(&stage), 0);
    page.connect(&mut stage);
    let mut person = Person::at_asks(&mut stage);
    if let Screen::Unlock(_) = person.screen() {
        person.unlocks(&stage);
    }
    // The window that was pressed says that its ask is gone; the next one comes after a step.
    if let Screen::Dead(_) = person.screen() {
        person.must(&stage, Command::Next);
    }
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
