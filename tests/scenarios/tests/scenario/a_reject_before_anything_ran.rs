//! A certified reject of the system proves that its own envelope never ran, and nothing of an
//! earlier one.

use countersign_core::time::Span;
use countersign_localnet::faults::{Fault, RejectCode};
use countersign_scenarios::doubt::{commit, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};
use serde_json::json;

const BEFORE: [RejectCode; 3] = [
    RejectCode::SysFatal,
    RejectCode::SysTransient,
    RejectCode::DestinationInvalid,
];

fn reject_next(stage: &Stage, code: RejectCode) {
    stage.fault(Fault {
        method: Some("icrc1_transfer".to_owned()),
        reject_code: code,
        ..Fault::named("reject_before").expect("the fault has this name")
    });
}

#[test]
fn a_first_envelope_that_never_ran_leaves_the_call_as_it_was() {
    for code in BEFORE {
        let mut stage = Stage::new();
        let (mut page, preview, id, mut person) = asked(&mut stage);
        reject_next(&stage, code);
        person.approve(&stage);
        stage.pass(Span::from_secs(5));
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(
            (&told["outcome"], &told["retry"], preview_of(&told)),
            (
                &json!("not_executed"),
                &json!("commit_preview"),
                preview.clone()
            ),
            "{code:?}: {told}"
        );
        let id = commit(&mut page, &stage, &preview);
        let mut person = Person::at_asks(&mut stage);
        assert!(person.call().resend.is_none(), "{code:?}");
        person.approve(&stage);
        stage.pass(Span::from_secs(5));
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(told["outcome"], "success", "{code:?}: {told}");
        assert_eq!(paid(&stage), 1, "{code:?}");
    }
}

/// The subnet is busy on the second try, and the first one paid.
#[test]
fn a_second_envelope_that_never_ran_says_nothing_of_the_first() {
    for code in BEFORE {
        let mut stage = Stage::new();
        let (mut page, preview, _, mut person) = asked(&mut stage);
        yes_and_nothing_more(&stage, &preview, "icrc1_transfer", &mut person);
        assert_eq!(paid(&stage), 1);
        let id = commit(&mut page, &stage, &preview);
        reject_next(&stage, code);
        Person::at_asks(&mut stage).approve(&stage);
        stage.pass(Span::from_secs(50));
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(told["outcome"], "unknown", "{code:?}: {told}");
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_eq!(
            (&told["status"], preview_of(&told)),
            (&json!("repeated"), preview),
            "{code:?}: {told}"
        );
        assert_eq!(paid(&stage), 1, "{code:?}");
    }
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            reject_next(&play.stage, RejectCode::SysTransient);
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
