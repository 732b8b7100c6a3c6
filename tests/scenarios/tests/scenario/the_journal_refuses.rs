//! The journal is full, closed, or does not say whether it stored: at every change of the main job.

use countersign_core::testing::Meddling;
use countersign_core::time::Span;
use countersign_core::wire::ui::Screen;
use countersign_scenarios::lunch::{SHOP, asked, lunch, paid, prepared};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

const ALL: [Meddling; 4] = [
    Meddling::Full,
    Meddling::Closed,
    Meddling::StoredUnheard,
    Meddling::LostUnheard,
];

/// Commits until the payment is made, with a person who says yes to what is asked.
fn finish(stage: &mut Stage, page: &mut Page, preview: &Value) -> Value {
    let mut told = Value::Null;
    for _ in 0..6 {
        stage.pass(Span::from_secs(15));
        let again = page.begin(stage, "commit", json!({ "preview_id": preview }));
        stage.settle();
        if page.answer(stage, again).is_none() && !stage.world.windows().is_empty() {
            let mut person = Person::at_asks(stage);
            if let Screen::Ask(_) = person.screen() {
                person.does(stage, person.yes());
            }
        }
        stage.pass(Span::from_secs(50));
        told = page.told(stage, again).unwrap_or_default();
        if told["outcome"] == "success" || told["outcome"] == "already_done" {
            return told;
        }
    }
    told
}

#[test]
fn once_at_any_change_after_the_yes() {
    for with in ALL {
        for skip in 0.. {
            let mut stage = Stage::seeded("countersign", skip + 1);
            let (mut page, preview, _, mut person) = asked(&mut stage);
            let before = stage.world.memory().commits();
            stage.world.memory().meddle(skip, 1, with);
            person.press(&stage, person.yes());
            stage.settle();
            let changes = stage.world.memory().commits() - before;
            stage.world.memory().meddle(0, 0, with);
            let told = finish(&mut stage, &mut page, &preview);
            let done = told["outcome"] == "success" || told["outcome"] == "already_done";
            assert!(done, "{with:?} after {skip} changes: {told}");
            assert_eq!(paid(&stage), 1, "{with:?} after {skip} changes");
            if skip > changes {
                break;
            }
        }
    }
}

#[test]
fn for_good_at_any_change_after_the_yes() {
    for with in [Meddling::Closed, Meddling::LostUnheard] {
        for skip in 0.. {
            let mut stage = Stage::seeded("countersign", skip + 1);
            let (mut page, preview, _, mut person) = asked(&mut stage);
            let text = preview.as_str().expect("a preview id is a text").to_owned();
            let before = stage.world.memory().commits();
            stage.world.memory().meddle(skip, u64::MAX, with);
            person.press(&stage, person.yes());
            stage.settle();
            stage.pass(Span::from_mins(2));
            let handed_over = stage
                .intent(&text)
                .is_some_and(|intent| intent.envelopes().iter().any(|e| e.handed_over.is_some()));
            assert!(
                handed_over || paid(&stage) == 0,
                "{with:?} after {skip} changes: nothing leaves before it is stored that it does"
            );
            let changes = stage.world.memory().commits() - before;
            stage.world.memory().meddle(0, 0, with);
            stage.kill_worker();
            page.connect(&mut stage);
            let told = finish(&mut stage, &mut page, &preview);
            let done = told["outcome"] == "success" || told["outcome"] == "already_done";
            assert!(done, "{with:?} after {skip} changes: {told}");
            assert_eq!(paid(&stage), 1, "{with:?} after {skip} changes");
            if skip > changes {
                break;
            }
        }
    }
}

#[test]
fn once_at_any_change_of_a_preparation_and_a_commit() {
    for with in ALL {
        for skip in 0..12 {
            let mut stage = Stage::seeded("countersign", skip + 1);
            let (mut page, first) = prepared(&mut stage);
            stage.world.memory().meddle(skip, 1, with);
            let again = page.begin(&stage, "prepare_icrc1_transfer", lunch("1.5"));
            stage.settle();
            page.answer(&stage, again).expect("it is answered");
            page.begin(&stage, "commit", json!({ "preview_id": first }));
            stage.settle();
            stage.world.memory().meddle(0, 0, with);
            assert_eq!(paid(&stage), 0);
            assert_eq!(stage.intents(), 1, "{with:?} after {skip} changes");
            let told = finish(&mut stage, &mut page, &first);
            assert_eq!(paid(&stage), 1, "{with:?} after {skip} changes: {told}");
        }
    }
}

#[test]
fn what_was_prepared_and_stored_unheard_ends_by_itself() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    stage.world.memory().meddle(1, 1, Meddling::StoredUnheard);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5 TKA"));
    assert_eq!(told["status"], "repeated", "{told}");
    let preview = told["preview"]["preview_id"].as_str();
    let preview = preview.expect("it has an id");
    stage.pass(Span::from_hours(3));
    let intent = stage.intent(preview).expect("it is stored");
    assert!(intent.end().is_some());
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            let journal = play.stage.world.memory().clone();
            play.commits();
            journal.meddle(3, 1, Meddling::LostUnheard);
            play.yes();
            journal.meddle(0, 1, Meddling::StoredUnheard);
            play.passes(Span::from_mins(3));
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
