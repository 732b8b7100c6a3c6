//! The ledger was upgraded, and answers a payment by an interface that the call was not prepared
//! with. That it paid cannot be read out of such an answer, and neither can that it did not.

use candid::{CandidType, Encode, Nat, Principal};
use countersign_core::time::Span;
use countersign_localnet::canisters::ledger::Ledger;
use countersign_localnet::canisters::{Call, Canister, Past};
use countersign_localnet::config::tka;
use countersign_localnet::network::Reject;
use countersign_scenarios::Stage;
use countersign_scenarios::doubt::{commit, preview_of};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use serde_json::json;

/// What the ledger answers a payment with.
#[derive(Clone, Copy, Debug)]
enum Newer {
    /// With a case that the old interface lacks.
    AnotherCase,
    /// With a success of another shape.
    AnotherShape,
    /// With what is no Candid.
    NoCandid,
}

#[derive(CandidType)]
enum AnotherCase {
    Settled { block: Nat },
}

#[derive(CandidType)]
enum AnotherShape {
    Ok { block: Nat, receipt: String },
}

/// The first ledger, that pays and answers so.
#[derive(Clone)]
struct Upgraded {
    ledger: Ledger,
    newer: Newer,
}

impl Canister for Upgraded {
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
        let reply = self.ledger.update(call, method, arg)?;
        if method != "icrc1_transfer" {
            return Ok(reply);
        }
        let block = Nat::from(self.ledger.blocks().len() - 1);
        let newer = match self.newer {
            Newer::AnotherCase => Encode!(&AnotherCase::Settled { block }),
            Newer::AnotherShape => Encode!(&AnotherShape::Ok {
                block,
                receipt: "paid".to_owned(),
            }),
            Newer::NoCandid => return Ok(b"paid".to_vec()),
        };
        Ok(newer.expect("a reply is Candid"))
    }

    fn as_ledger(&self) -> Option<&Ledger> {
        Some(&self.ledger)
    }

    fn as_ledger_mut(&mut self) -> Option<&mut Ledger> {
        Some(&mut self.ledger)
    }
}

#[test]
fn an_answer_that_the_old_interface_cannot_read_is_no_failure() {
    for newer in [Newer::AnotherCase, Newer::AnotherShape, Newer::NoCandid] {
        let mut stage = Stage::new();
        let ledger = Ledger::new(tka());
        stage
            .network
            .borrow_mut()
            .install(Upgraded { ledger, newer });
        let (mut page, preview, id, mut person) = asked(&mut stage);
        stage.hide_logs();
        person.approve(&stage);
        stage.pass(Span::from_secs(50));
        assert_eq!(paid(&stage), 1, "{newer:?}");
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(told["outcome"], "unknown", "{newer:?}: {told}");
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_eq!(
            (&told["status"], preview_of(&told)),
            (&json!("repeated"), preview.clone()),
            "{newer:?}: {told}"
        );
        stage.mend();
        stage.pass(Span::from_mins(10));
        let id = commit(&mut page, &stage, &preview);
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(told["outcome"], "already_done", "{newer:?}: {told}");
        assert_eq!(paid(&stage), 1, "{newer:?}");
    }
}

fn upgraded() -> Stage {
    let stage = Stage::new();
    let (ledger, newer) = (Ledger::new(tka()), Newer::AnotherShape);
    let upgraded = Upgraded { ledger, newer };
    stage.network.borrow_mut().install(upgraded);
    stage
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        stage: upgraded,
        plays: |play| {
            play.stage.hide_logs();
            play.commits();
            play.yes();
            play.passes(Span::from_secs(50));
        },
        ..Course::default()
    }
    .sweep();
}
