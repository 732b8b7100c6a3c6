//! An error of the endpoint is no reason to sign a call again: what is posted again are the same
//! bytes, of one request, which the network runs once.

use countersign_core::time::Span;
use countersign_localnet::faults::{Execution, Fault, Kind, Reply};
use countersign_scenarios::Stage;
use countersign_scenarios::lunch::{asked, paid};
use countersign_scenarios::sweep::Course;

#[test]
fn whatever_the_endpoint_answers_one_envelope_is_all_that_is_posted() {
    for reply in [
        Reply::Http(404),
        Reply::Http(400),
        Reply::Http(429),
        Reply::Http(503),
        Reply::Drop,
        Reply::Accepted,
        Reply::UncertifiedReject,
    ] {
        for execute in [Execution::Yes, Execution::No] {
            let mut stage = Stage::new();
            let (mut page, _, id, mut person) = asked(&mut stage);
            let posted = stage.record_calls();
            stage.fault(Fault {
                method: Some("icrc1_transfer".to_owned()),
                execute,
                reply,
                ..Fault::on(Kind::Call)
            });
            person.approve(&stage);
            stage.pass(Span::from_secs(100));
            let told = page.told(&stage, id).expect("commit is answered");
            assert_ne!(told["outcome"], "fail", "{reply:?} {execute:?}: {told}");
            assert_eq!(paid(&stage), 1, "{reply:?} {execute:?}");
            let posted = posted.borrow();
            let payments: Vec<_> = posted
                .iter()
                .filter(|(_, body)| holds(body, b"icrc1_transfer"))
                .collect();
            assert!(!payments.is_empty());
            assert!(
                payments.iter().all(|(_, body)| *body == payments[0].1),
                "{reply:?} {execute:?}: {} bodies",
                payments.len()
            );
        }
    }
}

fn holds(body: &[u8], word: &[u8]) -> bool {
    body.windows(word.len()).any(|part| part == word)
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.stage.fault(Fault {
                method: Some("icrc1_transfer".to_owned()),
                reply: Reply::Http(503),
                ..Fault::on(Kind::Call)
            });
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
