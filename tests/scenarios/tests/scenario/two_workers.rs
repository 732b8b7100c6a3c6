//! Two workers at once, as for a moment while the extension is updated: both drive the same calls
//! from the same journal. Whatever the order, one envelope is on its way at a time and one payment
//! is made.

use countersign_core::time::Span;
use countersign_scenarios::Stage;
use countersign_scenarios::lunch::{asked, paid};
use countersign_scenarios::sweep::Course;
use serde_json::json;

#[test]
fn that_carry_out_one_yes_make_one_payment() {
    for steps in 0.. {
        let mut stage = Stage::seeded("countersign", steps + 1);
        let (mut page, preview, _, mut person) = asked(&mut stage);
        person.press(&stage, person.yes());
        let went_on = stage.steps(steps);
        stage.second_worker();
        stage.settle();
        stage.pass(Span::from_mins(4));
        let text = preview.as_str().expect("a preview id is a text");
        let intent = stage.intent(text).expect("it is stored");
        let sent = intent
            .envelopes()
            .iter()
            .filter(|e| e.handed_over.is_some());
        let sent = sent.count();
        assert!(sent <= 1, "{sent} envelopes, joined after {steps} steps");
        assert_eq!(paid(&stage), sent, "joined after {steps} steps");
        // What lapsed on the way is asked again; what was sent is done.
        page.connect(&mut stage);
        let told = page.call(&stage, "wallet_intent", json!({ "preview_id": preview }));
        let expected: &[&str] = match sent {
            0 => &["awaiting_confirmation", "not_executed"],
            _ => &["success", "already_done"],
        };
        let outcome = told["outcome"].as_str().unwrap_or_default();
        assert!(
            expected.contains(&outcome),
            "joined after {steps} steps: {told}"
        );
        if !went_on {
            assert_eq!(sent, 1, "the last one joined when all was done");
            assert!(steps > 10, "the job takes more steps than {steps}");
            break;
        }
    }
}

#[test]
fn that_read_one_answer_tell_one_end() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    person.press(&stage, person.yes());
    while paid(&stage) == 0 {
        stage.turns(1);
    }
    for _ in 0..3 {
        stage.second_worker();
    }
    stage.settle();
    stage.pass(Span::from_mins(1));
    page.connect(&mut stage);
    let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.stage.second_worker();
            play.connects();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
