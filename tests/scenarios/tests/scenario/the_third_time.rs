//! What is tried again is tried three times: then it is told as failed, and a new wish can begin.
//! (The third reject stands with the rejects.)

use countersign_core::time::Span;
use countersign_localnet::canisters::ledger::{Change, Stamps};
use countersign_scenarios::doubt::{commit, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};
use serde_json::json;

fn change(stage: &Stage, change: &Change) {
    stage.on_ledger(Stage::tka(), |ledger| ledger.change(change));
}

#[test]
fn a_ledger_that_is_busy_three_times_ends_the_call() {
    let mut stage = Stage::new();
    let (mut page, preview, mut id, mut person) = asked(&mut stage);
    let busy = Change {
        unavailable: Some(3),
        ..Change::default()
    };
    change(&stage, &busy);
    for tries in 1..=3 {
        person.approve(&stage);
        stage.pass(Span::from_secs(5));
        let told = page.told(&stage, id).expect("commit is answered");
        if tries == 3 {
            assert_eq!(
                (&told["outcome"], &told["case"]),
                (&json!("fail"), &json!("retries_spent")),
                "{told}"
            );
            break;
        }
        assert_eq!(told["outcome"], "retry_same", "try {tries}: {told}");
        assert_eq!(preview_of(&told), preview);
        id = commit(&mut page, &stage, &preview);
        person = Person::at_asks(&mut stage);
        assert!(person.call().resend.is_none(), "nothing can have executed");
    }
    assert_eq!(paid(&stage), 0);
    // A new wish has a stamp and a count of its own.
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(told["status"], "prepared", "{told}");
    assert_ne!(preview_of(&told), preview);
}

#[test]
fn a_ledger_to_which_every_stamp_is_too_old_ends_the_line_of_calls() {
    let mut stage = Stage::new();
    let (mut page, first, mut id, mut person) = asked(&mut stage);
    let too_old = Change {
        stamps: Some(Stamps::TooOld),
        ..Change::default()
    };
    change(&stage, &too_old);
    let mut line = vec![first.clone()];
    loop {
        person.approve(&stage);
        stage.pass(Span::from_secs(5));
        let told = page.told(&stage, id).expect("commit is answered");
        if line.len() == 3 {
            assert_eq!(
                (&told["outcome"], &told["case"]),
                (&json!("fail"), &json!("retries_spent")),
                "{told}"
            );
            break;
        }
        assert_eq!(told["outcome"], "retry_new", "{told}");
        let next = preview_of(&told);
        assert!(!line.contains(&next), "each has a preview of its own");
        line.push(next.clone());
        id = commit(&mut page, &stage, &next);
        person = Person::at_asks(&mut stage);
    }
    assert_eq!(stage.intents(), 3);
    assert_eq!(paid(&stage), 0);
    let stamps: std::collections::BTreeSet<_> = line.iter().map(|p| stamp(&stage, p)).collect();
    assert_eq!(stamps.len(), 3, "each has a stamp of its own");
    // What was replaced names what replaced it, and makes nothing.
    let id = commit(&mut page, &stage, &first);
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "retry_new", "{told}");
    assert_eq!(preview_of(&told), line[1]);
    assert_eq!(stage.intents(), 3);
}

fn stamp(stage: &Stage, preview: &serde_json::Value) -> u64 {
    let preview = preview.as_str().expect("a preview id is a text");
    let intent = stage.intent(preview).expect("it is stored");
    intent
        .prepared()
        .stamp
        .expect("it has a stamp")
        .at
        .as_nanos()
}

/// A busy ledger says nothing of a first try that may have paid: after the third it is held.
#[test]
fn a_busy_ledger_after_a_lost_answer_holds_the_call_at_the_third_time() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    yes_and_nothing_more(&stage, &preview, "icrc1_transfer", &mut person);
    let busy = Change {
        unavailable: Some(3),
        ..Change::default()
    };
    change(&stage, &busy);
    for tries in 1..=3 {
        let id = commit(&mut page, &stage, &preview);
        let mut person = Person::at_asks(&mut stage);
        assert!(person.call().resend.is_some());
        person.approve(&stage);
        stage.pass(Span::from_secs(50));
        let told = page.told(&stage, id).expect("commit is answered");
        let outcome = if tries < 3 { "unknown" } else { "reconcile" };
        assert_eq!(told["outcome"], outcome, "try {tries}: {told}");
    }
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            let busy = Change {
                unavailable: Some(3),
                ..Change::default()
            };
            change(&play.stage, &busy);
            for _ in 0..3 {
                play.commits();
                play.yes();
            }
        },
        ends: &["fail"],
        ..Course::default()
    }
    .sweep();
}
