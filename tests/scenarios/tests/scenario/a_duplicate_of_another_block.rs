//! A ledger says that a payment was made before, and names a block that is another one: that is
//! not this payment, whatever it is called. Nothing is told as done that is not in the log.

use candid::{Encode, Nat, Principal};
use countersign_core::time::Span;
use countersign_localnet::canisters::ledger::Ledger;
use countersign_localnet::canisters::{Call, Canister, Past};
use countersign_localnet::config::tka;
use countersign_localnet::network::Reject;
use countersign_scenarios::Stage;
use countersign_scenarios::doubt::commit;
use countersign_scenarios::lunch::{asked, paid};
use countersign_scenarios::sweep::Course;
use icrc_ledger_types::icrc1::transfer::TransferError;
use serde_json::Value;

/// The first ledger, that pays nobody, and calls every payment a duplicate of this block.
#[derive(Clone)]
struct Denies {
    ledger: Ledger,
    block: u64,
}

impl Canister for Denies {
    fn id(&self) -> Principal {
        self.ledger.id()
    }

    fn fork(&self) -> Box<dyn Canister> {
        Box::new(self.clone())
    }

    fn candid(&self) -> Option<String> {
        self.ledger.candid()
    }

    fn module_hash(&self) -> [u8; 32] {
        self.ledger.module_hash()
    }

    fn certified_data(&self) -> Vec<u8> {
        self.ledger.certified_data()
    }

    fn past(&self, blocks: u64) -> Option<Past> {
        self.ledger.past(blocks)
    }

    fn query(&self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        self.ledger.query(call, method, arg)
    }

    fn update(&mut self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        if method != "icrc1_transfer" {
            return self.ledger.update(call, method, arg);
        }
        let duplicate_of = self.block.into();
        let denied: Result<Nat, TransferError> = Err(TransferError::Duplicate { duplicate_of });
        Ok(Encode!(&denied).expect("a reply is Candid"))
    }

    fn as_ledger(&self) -> Option<&Ledger> {
        Some(&self.ledger)
    }

    fn as_ledger_mut(&mut self) -> Option<&mut Ledger> {
        Some(&mut self.ledger)
    }
}

/// A payment that the ledger calls a duplicate of this block, told once, and an hour later.
fn denied(block: u64) -> [Value; 2] {
    let mut stage = Stage::new();
    let ledger = Ledger::new(tka());
    stage.network.borrow_mut().install(Denies { ledger, block });
    let (mut page, preview, id, mut person) = asked(&mut stage);
    person.approve(&stage);
    stage.pass(Span::from_secs(50));
    let first = page.told(&stage, id).expect("commit is answered");
    stage.pass(Span::from_hours(1));
    let id = commit(&mut page, &stage, &preview);
    let later = page.told(&stage, id).expect("commit is answered");
    assert_eq!(paid(&stage), 0);
    [first, later]
}

fn outcome(told: &Value) -> (&str, &str) {
    let text = |name: &str| told[name].as_str().unwrap_or("");
    (text("outcome"), text("case"))
}

/// The first block is the mint. The log, read whole, has no such payment.
#[test]
fn a_block_that_is_another_transactions_makes_nothing_done() {
    let [first, later] = denied(0);
    assert_eq!(outcome(&first), ("reconcile", "other_block"), "{first}");
    assert_eq!(outcome(&later), ("not_executed", "absent"), "{later}");
}

#[test]
fn a_block_that_is_not_there_makes_nothing_done() {
    for told in denied(10) {
        assert_eq!(outcome(&told), ("reconcile", "block_unread"), "{told}");
    }
}

fn denying() -> Stage {
    let stage = Stage::new();
    let (ledger, block) = (Ledger::new(tka()), 0);
    stage.network.borrow_mut().install(Denies { ledger, block });
    stage
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        stage: denying,
        ends: &["not_executed"],
        ..Course::default()
    }
    .sweep();
}
