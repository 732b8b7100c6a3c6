//! Declining the second envelope says no to that one, and nothing of the first, which may have
//! paid. Withdrawing an ask is no answer at all: the call is as it was before.

use countersign_core::time::Span;
use countersign_scenarios::doubt::{commit, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};
use serde_json::json;

#[test]
fn a_no_to_the_second_envelope_leaves_the_first_as_unknown_as_it_was() {
    for closed in [false, true] {
        let mut stage = Stage::new();
        let (mut page, preview, _, mut person) = asked(&mut stage);
        yes_and_nothing_more(&stage, &preview, "icrc1_transfer", &mut person);
        let id = commit(&mut page, &stage, &preview);
        let mut person = Person::at_asks(&mut stage);
        assert!(person.call().resend.is_some());
        if closed {
            let window = stage.world.windows().pop().expect("a window is open");
            stage.world.close_window(window.id);
            stage.spawn(move |wallet| async move { wallet.window_closed(window.id).await });
            stage.settle();
        } else {
            person.decline(&stage);
        }
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(
            (&told["outcome"], &told["earlier_outcome"]),
            (&json!("declined"), &json!("unknown")),
            "closed {closed}: {told}"
        );
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_eq!(
            (&told["status"], preview_of(&told)),
            (&json!("repeated"), preview.clone()),
            "closed {closed}: {told}"
        );
        stage.mend();
        stage.pass(Span::from_hours(1));
        let id = commit(&mut page, &stage, &preview);
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(told["outcome"], "already_done", "closed {closed}: {told}");
        assert_eq!(paid(&stage), 1, "closed {closed}");
    }
}

#[test]
fn a_withdrawn_ask_is_no_decline_and_the_call_can_be_committed_again() {
    let mut stage = Stage::new();
    let (mut page, preview, id, _person) = asked(&mut stage);
    let told = page.call(&stage, "wallet_cancel", json!({ "preview_id": preview }));
    assert_eq!(told["retry"], "commit_preview", "{told}");
    let told = page.told(&stage, id).expect("who waited is answered");
    assert_eq!(told["retry"], "commit_preview", "{told}");
    assert_ne!(told["outcome"], "declined", "{told}");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], preview_of(&told)),
        (&json!("repeated"), preview.clone()),
        "{told}"
    );
    let id = commit(&mut page, &stage, &preview);
    Person::at_asks(&mut stage).approve(&stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.yes_and_nothing_more("icrc1_transfer");
            play.commits();
            play.no();
        },
        ..Course::default()
    }
    .sweep();
}
