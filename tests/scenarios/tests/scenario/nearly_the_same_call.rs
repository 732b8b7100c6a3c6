//! An agent that does not know what became of a payment varies it: another memo, another amount,
//! another site. Each is a call of its own, that a person sees and nothing confirms; the first one
//! stays what it was, and stays on the person's page.

use countersign_core::confirm::view::Preset;
use countersign_core::time::Span;
use countersign_scenarios::doubt::{commit, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

fn with_memo(memo: &str) -> Value {
    let mut wish = lunch("1.5");
    wish["memo"] = json!(memo);
    wish
}

/// What may have been paid, its page, and the page of another site.
fn in_doubt(stage: &mut Stage) -> (Page, Value, Page) {
    let (page, preview, _, mut person) = asked(stage);
    let mut other = Page::open(stage, "https://other.example", "D2");
    // The ask of the first site is in the window that is open.
    person.press(
        stage,
        countersign_core::wire::ui::Command::Later {
            ask: person.ask().id,
        },
    );
    stage.settle();
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    other.connects(stage, &[Stage::tka()], Preset::All);
    let mut home = Person::at_home(stage);
    home.must(
        stage,
        countersign_core::wire::ui::Command::Show(countersign_core::wire::ui::Place::Asks),
    );
    yes_and_nothing_more(stage, &preview, "icrc1_transfer", &mut home);
    (page, preview, other)
}

#[test]
fn each_asks_a_person_and_the_first_stays_open() {
    let mut stage = Stage::new();
    let (mut page, first, mut other) = in_doubt(&mut stage);
    assert_eq!(paid(&stage), 1);
    for by_other in [false, true] {
        let page = if by_other { &mut other } else { &mut page };
        let wish = with_memo(if by_other { "lunch" } else { "lunch (retry)" });
        let told = page.call(&stage, "prepare_icrc1_transfer", wish);
        assert_eq!(told["status"], "prepared", "{told}");
        let preview = preview_of(&told);
        assert_ne!(preview, first);
        let id = commit(page, &stage, &preview);
        stage.pass(Span::from_mins(1));
        let told = page.told(&stage, id).expect("it is answered after a while");
        assert_eq!(told["outcome"], "awaiting_confirmation", "{told}");
        assert_eq!(paid(&stage), 1, "nobody said yes");
        assert!(stage.shows_unsettled(&first));
        assert!(!stage.shows_unsettled(&preview));
        Person::at_asks(&mut stage).decline(&stage);
        let told = page.call(&stage, "wallet_intent", json!({ "preview_id": preview }));
        assert_eq!(told["outcome"], "declined", "{told}");
        assert_eq!(told.get("earlier_outcome"), None, "{told}");
    }
    stage.mend();
    stage.pass(Span::from_hours(1));
    let told = page.call(&stage, "commit", json!({ "preview_id": first }));
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.yes_and_nothing_more("icrc1_transfer");
            let first = play.preview.clone();
            play.prepares("prepare_icrc1_transfer", &with_memo("lunch (retry)"));
            play.commits();
            play.no();
            play.preview = first;
        },
        ..Course::default()
    }
    .sweep();
}
