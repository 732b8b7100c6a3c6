//! A certified reject is no proof that nothing happened: a ledger that traps after it wrote the
//! block has paid. Codes 4 and 5 say no more than 6 does, or one that nobody knows.

use countersign_core::time::Span;
use countersign_localnet::faults::{Fault, RejectCode};
use countersign_scenarios::doubt::{commit, preview_of};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};
use serde_json::json;

/// What the next transfer is rejected with, after its block was written.
fn reject(code: RejectCode, stated: Option<u8>) -> Fault {
    Fault {
        method: Some("icrc1_transfer".to_owned()),
        reject_code: code,
        reject_stated: stated,
        ..Fault::named("reject_after_write").expect("the fault has this name")
    }
}

#[test]
fn no_code_of_a_reject_is_told_as_a_failure_and_the_log_says_that_it_was_paid() {
    for (code, stated) in [
        (RejectCode::CanisterReject, None),
        (RejectCode::CanisterError, None),
        (RejectCode::CanisterError, Some(6)),
        (RejectCode::CanisterError, Some(99)),
    ] {
        let mut stage = Stage::new();
        let (mut page, preview, id, mut person) = asked(&mut stage);
        stage.hide_logs();
        stage.fault(reject(code, stated));
        person.approve(&stage);
        stage.pass(Span::from_secs(50));
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(told["outcome"], "unknown", "{code:?} {stated:?}: {told}");
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_eq!(
            (&told["status"], preview_of(&told)),
            (&json!("repeated"), preview.clone()),
            "{told}"
        );
        stage.mend();
        stage.pass(Span::from_mins(10));
        let id = commit(&mut page, &stage, &preview);
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(
            told["outcome"], "already_done",
            "{code:?} {stated:?}: {told}"
        );
        assert_eq!(paid(&stage), 1, "{code:?} {stated:?}");
    }
}

#[test]
fn the_third_reject_is_the_last_that_the_call_is_sent_again_for() {
    let mut stage = Stage::new();
    let (mut page, preview, mut id, mut person) = asked(&mut stage);
    for tries in 1..=3 {
        stage.mend();
        stage.hide_logs();
        stage.fault(reject(RejectCode::CanisterError, None));
        person.approve(&stage);
        stage.pass(Span::from_secs(50));
        let told = page.told(&stage, id).expect("commit is answered");
        let outcome = if tries < 3 { "unknown" } else { "reconcile" };
        assert_eq!(told["outcome"], outcome, "try {tries}: {told}");
        id = commit(&mut page, &stage, &preview);
        if tries < 3 {
            person = Person::at_asks(&mut stage);
        }
    }
    let told = page
        .told(&stage, id)
        .expect("it is answered without a person");
    assert_eq!(told["outcome"], "reconcile", "{told}");
    assert_eq!(paid(&stage), 1);
    stage.mend();
    stage.pass(Span::from_hours(1));
    let id = commit(&mut page, &stage, &preview);
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.stage.hide_logs();
            play.stage.fault(reject(RejectCode::CanisterError, None));
            play.commits();
            play.yes();
            play.passes(Span::from_secs(50));
        },
        ..Course::default()
    }
    .sweep();
}
