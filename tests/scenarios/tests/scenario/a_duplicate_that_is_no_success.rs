//! On the cycles ledger a duplicate names a burn, not a success: what was burned may have come back
//! because the canister could not be reached, and the burn's hash stays.

use candid::Principal;
use countersign_core::time::Span;
use countersign_localnet::canisters::ledger::Change;
use countersign_localnet::config::{cycles_id, icp_id};
use countersign_localnet::faults::Fault;
use countersign_scenarios::doubt::{commit, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::SHOP;
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

fn wish(canister: Principal) -> Value {
    json!({
        "canister_id": cycles_id().to_text(),
        "to": canister.to_text(),
        "amount": "1",
    })
}

fn prepared(stage: &mut Stage) -> (Page, Value) {
    let (mut page, payer) = stage.connected_knowing(SHOP, &[cycles_id()], &[cycles_id()]);
    stage.mint(cycles_id(), payer, 10 * 10u128.pow(12));
    let told = page.call(stage, "prepare_withdraw", wish(icp_id()));
    assert_eq!(told["status"], "prepared", "{told}");
    let preview = preview_of(&told);
    (page, preview)
}

/// The next withdrawal is burned, and comes back.
fn undeliverable(stage: &Stage) {
    stage.on_ledger(cycles_id(), |ledger| {
        ledger.change(&Change {
            undeliverable: Some(1),
            ..Change::default()
        });
    });
}

fn arrived(stage: &Stage) -> u128 {
    let network = stage.network.borrow();
    let ledger = network.ledger(cycles_id()).expect("it is there");
    ledger.delivered(icp_id())
}

#[test]
fn a_withdrawal_that_came_back_is_not_told_as_done() {
    let mut stage = Stage::with_special_ones();
    let (mut page, preview) = prepared(&mut stage);
    undeliverable(&stage);
    commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    yes_and_nothing_more(&stage, &preview, "withdraw", &mut person);
    assert_eq!(arrived(&stage), 0, "it was burned, and came back");
    let mut again = commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    assert!(person.call().resend.is_some());
    person.approve(&stage);
    stage.mend();
    for wait in [
        Span::from_secs(50),
        Span::from_hours(1),
        Span::from_hours(48),
    ] {
        stage.pass(wait);
        let told = page
            .told(&stage, again)
            .unwrap_or_else(|| page.call(&stage, "commit", json!({ "preview_id": preview })));
        assert_eq!(told["outcome"], "reconcile", "{wait:?}: {told}");
        again = commit(&mut page, &stage, &preview);
    }
    assert_eq!(arrived(&stage), 0);
}

#[test]
fn a_withdrawal_that_is_told_to_have_failed_is_not_made_again_by_itself() {
    let mut stage = Stage::with_special_ones();
    let (mut page, preview) = prepared(&mut stage);
    stage.fault(Fault {
        method: Some("withdraw".to_owned()),
        ..Fault::named("undeliverable").expect("the fault has this name")
    });
    let id = commit(&mut page, &stage, &preview);
    Person::at_asks(&mut stage).approve(&stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(
        (&told["outcome"], &told["case"]),
        (&json!("fail"), &json!("Err.FailedToWithdraw")),
        "{told}"
    );
    stage.pass(Span::from_hours(1));
    assert_eq!(arrived(&stage), 0);
    let posted = stage.counters(cycles_id()).calls_executed;
    let told = page.call(&stage, "prepare_withdraw", wish(icp_id()));
    assert_eq!(
        told["status"], "prepared",
        "a new call, with a stamp of its own: {told}"
    );
    assert_eq!(stage.counters(cycles_id()).calls_executed, posted);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        stage: Stage::with_special_ones,
        begins: prepared,
        plays: |play| {
            undeliverable(&play.stage);
            play.commits();
            play.yes_and_nothing_more("withdraw");
            play.commits();
            play.yes();
        },
        effects: |stage| usize::from(arrived(stage) > 0),
        ends: &["reconcile"],
        ..Course::default()
    }
    .sweep();
}
