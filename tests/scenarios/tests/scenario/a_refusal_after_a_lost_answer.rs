//! What a ledger refuses before it looks for repeats says nothing of the first try: a fee that has
//! changed meanwhile, a busy ledger, a stamp that is too old by now. Nobody is told that the call
//! failed, nothing new is stamped, and nothing is paid twice.

use candid::Principal;
use countersign_core::time::Span;
use countersign_localnet::canisters::icp::Icp;
use countersign_localnet::canisters::icp::account::of_principal;
use countersign_localnet::config::icp_id;
use countersign_scenarios::doubt::{commit, next_call, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::{PAYEE, SHOP, asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// Says yes to the second envelope, and waits for what the site is told.
fn sent_again(stage: &mut Stage, page: &mut Page, again: u64) -> Value {
    let mut person = Person::at_asks(stage);
    assert!(
        person.call().resend.is_some(),
        "the window says that an earlier attempt may have executed"
    );
    person.approve(stage);
    stage.pass(Span::from_secs(50));
    page.told(stage, again).expect("the commit is answered")
}

/// Whatever the ledger refused, it is the same call, and the log says that it was paid.
fn ends_as_paid(stage: &Stage, page: &mut Page, preview: &Value) {
    let told = page.call(stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], preview_of(&told)),
        (&json!("repeated"), preview.clone()),
        "{told}"
    );
    stage.mend();
    stage.pass(Span::from_hours(1));
    let id = commit(page, stage, preview);
    let told = page.told(stage, id).expect("the commit is answered");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(stage), 1);
}

#[test]
fn a_busy_ledger_says_nothing_of_the_first_try() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    yes_and_nothing_more(&stage, &preview, "icrc1_transfer", &mut person);
    next_call(&stage, "icrc1_transfer", "throttle");
    let again = commit(&mut page, &stage, &preview);
    let told = sent_again(&mut stage, &mut page, again);
    assert_eq!(told["outcome"], "unknown", "{told}");
    ends_as_paid(&stage, &mut page, &preview);
}

#[test]
fn a_stamp_that_is_too_old_is_not_made_anew_where_the_first_try_may_have_paid() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    yes_and_nothing_more(&stage, &preview, "icrc1_transfer", &mut person);
    next_call(&stage, "icrc1_transfer", "stamps_too_old");
    let again = commit(&mut page, &stage, &preview);
    let told = sent_again(&mut stage, &mut page, again);
    assert_eq!(told["outcome"], "reconcile", "{told}");
    assert_eq!(preview_of(&told), preview, "no other call was made of it");
    assert_eq!(stage.intents(), 1);
    ends_as_paid(&stage, &mut page, &preview);
}

/// The fee stands in the bytes of the ICP ledger's `transfer`.
fn legacy_asked(stage: &mut Stage) -> (Page, Value, Principal) {
    let (mut page, payer) = stage.connected_knowing(SHOP, &[icp_id()], &[icp_id()]);
    {
        let mut network = stage.network.borrow_mut();
        let now = network.now();
        let icp = network.installed_mut::<Icp>(icp_id()).expect("it is there");
        icp.mint(of_principal(payer), 1_000_000_000, now);
    }
    let told = page.call(stage, "prepare_transfer", legacy("0.0001"));
    assert_eq!(told["status"], "prepared", "{told}");
    (page, preview_of(&told), payer)
}

fn legacy(fee: &str) -> Value {
    json!({
        "canister_id": icp_id().to_text(),
        "to": PAYEE,
        "amount": { "e8s": "1.5" },
        "fee": { "e8s": fee },
        "memo": "7",
    })
}

/// Blocks of the ICP ledger besides the mint.
fn legacy_paid(stage: &Stage) -> usize {
    let network = stage.network.borrow();
    let icp = network.installed::<Icp>(icp_id()).expect("it is there");
    icp.blocks().len() - 1
}

#[test]
fn a_fee_that_changed_between_two_tries_is_no_failure_and_no_reason_to_pay_the_new_one() {
    let mut stage = Stage::with_special_ones();
    let (mut page, preview, _) = legacy_asked(&mut stage);
    commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    yes_and_nothing_more(&stage, &preview, "transfer", &mut person);
    assert_eq!(legacy_paid(&stage), 1);
    next_call(&stage, "transfer", "change_fee");
    let again = commit(&mut page, &stage, &preview);
    let told = sent_again(&mut stage, &mut page, again);
    assert_eq!(told["outcome"], "reconcile", "{told}");
    assert_ne!(told["retry"], "new_prepare", "{told}");
    // The same wish is that call still.
    let told = page.call(&stage, "prepare_transfer", legacy("0.0001"));
    assert_eq!(
        (&told["status"], preview_of(&told)),
        (&json!("repeated"), preview.clone()),
        "{told}"
    );
    stage.mend();
    stage.pass(Span::from_hours(1));
    let id = commit(&mut page, &stage, &preview);
    let told = page.told(&stage, id).expect("the commit is answered");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(legacy_paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.yes_and_nothing_more("icrc1_transfer");
            next_call(&play.stage, "icrc1_transfer", "throttle");
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
