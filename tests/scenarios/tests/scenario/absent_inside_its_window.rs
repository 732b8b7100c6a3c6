//! That a status is not there proves that its call never ran, in a certificate between the call's
//! expiry and five minutes after the wallet last knew that it had not been sent. It is then told as
//! not executed, and the same call can be sent again. Later, absence proves nothing.

use countersign_core::time::Span;
use countersign_localnet::faults::{Execution, Fault, Kind, Reply};
use countersign_scenarios::doubt::{commit, preview_of};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};
use serde_json::json;

/// No transfer reaches the network, and each is said to have been taken.
fn swallow(stage: &Stage) {
    stage.fault(Fault {
        method: Some("icrc1_transfer".to_owned()),
        times: None,
        execute: Execution::No,
        reply: Reply::Accepted,
        ..Fault::on(Kind::Call)
    });
}

#[test]
fn what_never_ran_is_told_so_and_can_be_sent_again_with_its_stamp() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    stage.hide_logs();
    swallow(&stage);
    person.approve(&stage);
    stage.pass(Span::from_secs(50));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(
        (&told["outcome"], &told["case"]),
        (&json!("unknown"), &json!("in_flight")),
        "{told}"
    );
    stage.pass(Span::from_mins(2));
    stage.mend();
    stage.hide_logs();
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], preview_of(&told)),
        (&json!("repeated"), preview.clone()),
        "{told}"
    );
    assert_eq!(paid(&stage), 0);
    let id = commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    assert!(
        person.call().resend.is_none(),
        "it is proved that the first envelope never ran"
    );
    person.approve(&stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn an_absence_that_is_read_too_late_proves_nothing() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    stage.hide_logs();
    swallow(&stage);
    person.press(&stage, person.yes());
    let preview_id = preview.as_str().expect("a preview id is a text");
    while stage
        .intent(preview_id)
        .is_none_or(|intent| intent.envelopes().iter().all(|e| e.submitted.is_none()))
    {
        stage.turns(1);
    }
    stage.fault_named("drop_reads");
    stage.pass(Span::from_mins(6));
    page.told(&stage, id).expect("commit is answered");
    stage.mend();
    stage.hide_logs();
    stage.pass(Span::from_mins(2));
    commit(&mut page, &stage, &preview);
    let person = Person::at_asks(&mut stage);
    assert!(
        person.call().resend.is_some(),
        "an earlier attempt may have executed, as far as anyone knows"
    );
    assert_eq!(paid(&stage), 0);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.stage.hide_logs();
            swallow(&play.stage);
            play.commits();
            play.yes();
            play.passes(Span::from_mins(3));
            play.stage.mend();
            play.stage.hide_logs();
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
