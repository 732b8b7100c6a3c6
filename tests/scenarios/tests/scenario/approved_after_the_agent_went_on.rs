//! The agent is told after 45 seconds that a person has not decided yet, and does not come back to
//! that call. The person says yes later; the agent prepares the payment once more. It is told the
//! end of the first before it can begin a second.

use countersign_core::time::Span;
use countersign_scenarios::Stage;
use countersign_scenarios::doubt::preview_of;
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use serde_json::json;

#[test]
fn what_was_approved_a_minute_later_is_told_before_an_equal_payment_begins() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    stage.pass(Span::from_secs(46));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "awaiting_confirmation", "{told}");
    stage.pass(Span::from_secs(15));
    person.approve(&stage);
    stage.pass(Span::from_secs(5));
    assert_eq!(paid(&stage), 1);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], &told["outcome"], preview_of(&told)),
        (&json!("repeated"), &json!("already_done"), preview.clone()),
        "{told}"
    );
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(told["status"], "prepared", "{told}");
    assert_ne!(preview_of(&told), preview);
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.passes(Span::from_mins(1));
            play.yes();
            play.prepares("prepare_icrc1_transfer", &lunch("1.5"));
        },
        ..Course::default()
    }
    .sweep();
}
