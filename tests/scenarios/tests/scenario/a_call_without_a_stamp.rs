//! A minter knows no repetition: a second envelope could withdraw a second time. It is signed only
//! where the first is proved never to have run. Else the call is held, and nobody is asked again.

use countersign_core::time::Span;
use countersign_localnet::canisters::minter::Minter;
use countersign_localnet::config::{minted_id, minter_id};
use countersign_localnet::faults::{Execution, Fault, Kind, Reply};
use countersign_scenarios::doubt::{commit, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::SHOP;
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

const METHOD: &str = "retrieve_btc_with_approval";
const TOOL: &str = "prepare_retrieve_btc_with_approval";

fn wish() -> Value {
    json!({
        "canister_id": minter_id().to_text(),
        "address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "amount": "0.00005",
    })
}

/// The person lets the minter burn ten times what is withdrawn, and the withdrawal is prepared.
fn prepared(stage: &mut Stage) -> (Page, Value) {
    let (mut page, payer) = stage.connected(SHOP, &[minted_id(), minter_id()]);
    stage.mint(minted_id(), payer, 1_000_000);
    let allowance = json!({
        "canister_id": minted_id().to_text(),
        "spender": minter_id().to_text(),
        "amount": "0.0005",
    });
    let told = page.call(stage, "prepare_icrc2_approve", allowance);
    assert_eq!(told["status"], "prepared", "{told}");
    let id = commit(&mut page, stage, &preview_of(&told));
    Person::at_asks(stage).approve(stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    let told = page.call(stage, TOOL, wish());
    assert_eq!(told["status"], "prepared", "{told}");
    let preview = preview_of(&told);
    (page, preview)
}

fn withdrawn(stage: &Stage) -> usize {
    let network = stage.network.borrow();
    let minter = network.installed::<Minter>(minter_id());
    minter.expect("it is there").withdrawals().len()
}

#[test]
fn what_may_have_executed_is_held_and_nobody_is_asked_to_send_it_again() {
    let mut stage = Stage::with_special_ones();
    let (mut page, preview) = prepared(&mut stage);
    commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    yes_and_nothing_more(&stage, &preview, METHOD, &mut person);
    stage.mend();
    for wait in [
        Span::from_secs(1),
        Span::from_hours(1),
        Span::from_hours(30),
    ] {
        stage.pass(wait);
        let id = commit(&mut page, &stage, &preview);
        let told = page.told(&stage, id).expect("it is answered at once");
        assert_eq!(told["outcome"], "reconcile", "{wait:?}: {told}");
        assert_eq!(told["retry"], "after_person", "{wait:?}: {told}");
        let told = page.call(&stage, TOOL, wish());
        assert_eq!(
            (&told["status"], preview_of(&told)),
            (&json!("repeated"), preview.clone()),
            "{wait:?}: {told}"
        );
    }
    assert_eq!(withdrawn(&stage), 1);
}

#[test]
fn a_reject_after_the_burn_holds_it_at_once_its_window_closes() {
    let mut stage = Stage::with_special_ones();
    let (mut page, preview) = prepared(&mut stage);
    let id = commit(&mut page, &stage, &preview);
    stage.fault(Fault {
        canister: Some(minter_id()),
        ..Fault::named("reject_after_write").expect("the fault has this name")
    });
    Person::at_asks(&mut stage).approve(&stage);
    stage.pass(Span::from_secs(50));
    let told = page.told(&stage, id).expect("commit is answered");
    assert!(
        told["outcome"] == "unknown" || told["outcome"] == "reconcile",
        "{told}"
    );
    stage.pass(Span::from_mins(6));
    let id = commit(&mut page, &stage, &preview);
    let told = page.told(&stage, id).expect("it is answered at once");
    assert_eq!(told["outcome"], "reconcile", "{told}");
    assert_eq!(withdrawn(&stage), 1);
}

#[test]
fn what_is_proved_never_to_have_run_can_be_sent_again() {
    let mut stage = Stage::with_special_ones();
    let (mut page, preview) = prepared(&mut stage);
    commit(&mut page, &stage, &preview);
    stage.fault(Fault {
        canister: Some(minter_id()),
        times: None,
        execute: Execution::No,
        reply: Reply::Accepted,
        ..Fault::on(Kind::Call)
    });
    Person::at_asks(&mut stage).approve(&stage);
    stage.pass(Span::from_mins(4));
    stage.mend();
    assert_eq!(withdrawn(&stage), 0);
    let id = commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    assert!(person.call().resend.is_none());
    person.approve(&stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(withdrawn(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        stage: Stage::with_special_ones,
        begins: prepared,
        plays: |play| {
            play.commits();
            play.yes_and_nothing_more(METHOD);
            play.commits();
        },
        effects: withdrawn,
        ends: &["reconcile"],
        ..Course::default()
    }
    .sweep();
}
