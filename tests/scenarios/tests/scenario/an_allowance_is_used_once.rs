//! A minter knows no repetition, but the allowance that it burns by does: where it is exactly what
//! one withdrawal takes, a second one burns nothing, whoever sends it.

use countersign_core::time::Span;
use countersign_localnet::canisters::minter::Minter;
use countersign_localnet::config::{minted_id, minter_id};
use countersign_scenarios::doubt::{commit, preview_of, yes_and_nothing_more};
use countersign_scenarios::lunch::SHOP;
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

const METHOD: &str = "retrieve_btc_with_approval";

fn withdrawal(address: &str) -> Value {
    json!({
        "canister_id": minter_id().to_text(),
        "address": address,
        "amount": "0.00005",
    })
}

const FIRST: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const SECOND: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

/// The person allows the minter exactly one withdrawal, which is prepared.
fn prepared(stage: &mut Stage) -> (Page, Value) {
    let (mut page, payer) = stage.connected(SHOP, &[minted_id(), minter_id()]);
    stage.mint(minted_id(), payer, 1_000_000);
    let allowance = json!({
        "canister_id": minted_id().to_text(),
        "spender": minter_id().to_text(),
        "amount": "0.00005",
    });
    let told = page.call(stage, "prepare_icrc2_approve", allowance);
    assert_eq!(told["status"], "prepared", "{told}");
    let id = commit(&mut page, stage, &preview_of(&told));
    Person::at_asks(stage).approve(stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    let preview = prepare(stage, &mut page, FIRST);
    (page, preview)
}

fn prepare(stage: &Stage, page: &mut Page, address: &str) -> Value {
    let tool = format!("prepare_{METHOD}");
    let told = page.call(stage, &tool, withdrawal(address));
    assert_eq!(told["status"], "prepared", "{told}");
    preview_of(&told)
}

fn withdrawn(stage: &Stage) -> usize {
    let network = stage.network.borrow();
    let minter = network.installed::<Minter>(minter_id());
    minter.expect("it is there").withdrawals().len()
}

/// The answer to the first one is lost; the agent goes on with another wish for the same money.
#[test]
fn a_second_withdrawal_burns_nothing() {
    let mut stage = Stage::with_special_ones();
    let (mut page, first) = prepared(&mut stage);
    commit(&mut page, &stage, &first);
    let mut person = Person::at_asks(&mut stage);
    yes_and_nothing_more(&stage, &first, METHOD, &mut person);
    stage.mend();
    assert_eq!(withdrawn(&stage), 1);
    let second = prepare(&stage, &mut page, SECOND);
    let id = commit(&mut page, &stage, &second);
    Person::at_asks(&mut stage).approve(&stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["case"], "Err.InsufficientAllowance", "{told}");
    assert_eq!(withdrawn(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        stage: Stage::with_special_ones,
        begins: prepared,
        effects: withdrawn,
        ..Course::default()
    }
    .sweep();
}
