//! The network says that a call is done, and has forgotten how: that is no failure and no success.
//! The log says which.

use countersign_core::time::Span;
use countersign_localnet::faults::{Execution, Fault, Forget, RejectCode};
use countersign_scenarios::Stage;
use countersign_scenarios::doubt::{commit, next_call, preview_of};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use serde_json::json;

#[test]
fn done_without_a_reply_is_unknown_until_the_log_says_that_it_was_paid() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    stage.hide_logs();
    next_call(&stage, "icrc1_transfer", "forget_reply");
    person.approve(&stage);
    stage.pass(Span::from_secs(50));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "unknown", "{told}");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(preview_of(&told), preview, "{told}");
    stage.mend();
    stage.pass(Span::from_mins(10));
    let id = commit(&mut page, &stage, &preview);
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

/// Done can also be a reject whose code was forgotten: the log has no block of it.
#[test]
fn done_of_a_call_that_did_not_run_is_settled_by_the_log() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    stage.hide_logs();
    stage.fault(Fault {
        method: Some("icrc1_transfer".to_owned()),
        execute: Execution::RejectBefore,
        reject_code: RejectCode::SysTransient,
        forget: Some(Forget::Reply),
        ..Fault::named("delay").expect("the fault has this name")
    });
    person.approve(&stage);
    stage.pass(Span::from_secs(50));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "unknown", "{told}");
    stage.mend();
    stage.pass(Span::from_mins(10));
    let id = commit(&mut page, &stage, &preview);
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(
        (&told["outcome"], &told["case"], &told["retry"]),
        (
            &json!("not_executed"),
            &json!("absent"),
            &json!("new_prepare")
        ),
        "{told}"
    );
    assert_eq!(paid(&stage), 0);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.stage.hide_logs();
            next_call(&play.stage, "icrc1_transfer", "forget_reply");
            play.commits();
            play.yes();
            play.passes(Span::from_secs(50));
        },
        ..Course::default()
    }
    .sweep();
}
