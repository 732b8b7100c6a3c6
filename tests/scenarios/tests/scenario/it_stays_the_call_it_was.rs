//! A call that may have executed stays the call it was, whatever the fee, the code and the time
//! have become since: the same wish meets it, and its bytes go again as they are.

use countersign_core::time::Span;
use countersign_localnet::canisters::ledger::Change;
use countersign_scenarios::doubt::{commit, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};
use serde_json::json;

#[test]
fn the_same_wish_meets_it_though_fee_and_code_have_changed() {
    for change in [
        Change {
            fee: Some(20_000),
            ..Change::default()
        },
        Change {
            upgrade: true,
            ..Change::default()
        },
        Change {
            clock_ms: Some(3_600_000),
            ..Change::default()
        },
    ] {
        let mut stage = Stage::new();
        let (mut page, preview, _, mut person) = asked(&mut stage);
        yes_and_nothing_more(&stage, &preview, "icrc1_transfer", &mut person);
        stage.on_ledger(Stage::tka(), |ledger| ledger.change(&change));
        stage.pass(Span::from_mins(2));
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.50"));
        assert_eq!(
            (&told["status"], preview_of(&told)),
            (&json!("repeated"), preview),
            "{change:?}: {told}"
        );
        assert_eq!(paid(&stage), 1, "{change:?}");
    }
}

/// The ledger knows a transaction by its bytes: `null` and the fee that it stands for are two.
#[test]
fn the_bytes_that_go_again_are_those_that_went() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    let arg = person.call().call.arg_hex.clone();
    yes_and_nothing_more(&stage, &preview, "icrc1_transfer", &mut person);
    stage.on_ledger(Stage::tka(), |ledger| ledger.set_fee(20_000));
    let id = commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    assert!(person.call().resend.is_some());
    assert_eq!(person.call().call.arg_hex, arg);
    person.approve(&stage);
    stage.pass(Span::from_secs(30));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.yes_and_nothing_more("icrc1_transfer");
            play.stage
                .on_ledger(Stage::tka(), |ledger| ledger.set_fee(20_000));
            play.prepares("prepare_icrc1_transfer", &lunch("1.50"));
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
