//! The ICP ledger has no ICRC-3: what may have executed is looked for in its own blocks, read by
//! certified calls, whichever of its two methods was called.

use candid::Principal;
use countersign_core::time::Span;
use countersign_localnet::canisters::icp::Icp;
use countersign_localnet::canisters::icp::account::of_principal;
use countersign_localnet::canisters::icp::blocks::Operation;
use countersign_localnet::config::icp_id;
use countersign_localnet::faults::{Execution, Fault, Kind, Reply};
use countersign_scenarios::lunch::{PAYEE, SHOP};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

fn on_icp<T>(stage: &Stage, act: impl FnOnce(&mut Icp) -> T) -> T {
    let mut network = stage.network.borrow_mut();
    act(network.icp_mut(icp_id()).expect("it is on the network"))
}

/// Somebody else's transactions, so many.
fn others(stage: &Stage, how_many: u32) {
    let now = stage.world.now().as_nanos();
    for _ in 0..how_many {
        on_icp(stage, |icp| {
            icp.mint(of_principal(Principal::anonymous()), 1, now)
        });
    }
}

fn paid(stage: &Stage) -> usize {
    on_icp(stage, |icp| {
        let moved = |operation: &Operation| matches!(operation, Operation::Transfer { .. });
        let blocks = icp.blocks().iter();
        blocks
            .filter(|block| moved(&block.transaction.operation))
            .count()
    })
}

/// The two forms of a payment of 1.5 ICP, and one with a memo.
fn wishes() -> [(&'static str, Value); 3] {
    let icp = icp_id().to_text();
    [
        (
            "transfer",
            json!({
                "canister_id": icp, "to": PAYEE, "amount": { "e8s": "1.5" },
                "fee": { "e8s": "0.0001" }, "memo": "7",
            }),
        ),
        (
            "icrc1_transfer",
            json!({ "canister_id": icp, "to": PAYEE, "amount": "1.5" }),
        ),
        (
            "icrc1_transfer",
            json!({ "canister_id": icp, "to": PAYEE, "amount": "1.5", "memo": "lunch" }),
        ),
    ]
}

/// The payment approved; it goes as told, its status is gone, and none can be read for seven
/// minutes.
fn in_doubt(method: &str, wish: &Value, execute: Execution) -> (Stage, Page, Value) {
    let mut stage = Stage::with_special_ones();
    let (mut page, payer) = stage.connected(SHOP, &[icp_id()]);
    let now = stage.world.now().as_nanos();
    on_icp(&stage, |icp| {
        icp.mint(of_principal(payer), 1_000_000_000, now)
    });
    let told = page.call(&stage, &format!("prepare_{method}"), wish.clone());
    assert_eq!(told["status"], "prepared", "{told}");
    let preview = told["preview"]["preview_id"].clone();
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    stage.fault(Fault {
        method: Some(method.to_owned()),
        execute,
        ..Fault::named("prune_status").expect("the fault has this name")
    });
    person.press(&stage, person.yes());
    let text = preview.as_str().expect("a preview id is a text").to_owned();
    while !stage
        .intent(&text)
        .expect("it is stored")
        .envelopes()
        .iter()
        .any(|e| e.submitted.is_some())
    {
        stage.turns(1);
    }
    stage.fault(Fault {
        times: None,
        reply: Reply::Drop,
        ..Fault::on(Kind::ReadState)
    });
    stage.pass(Span::from_mins(7));
    stage.mend();
    (stage, page, preview)
}

#[test]
fn found_there_it_is_done() {
    for (method, wish) in wishes() {
        for archived in [0, 20, 120] {
            let (stage, mut page, preview) = in_doubt(method, &wish, Execution::Yes);
            others(&stage, 130);
            on_icp(&stage, |icp| icp.archive(archived));
            let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
            let done = told["outcome"] == "success" || told["outcome"] == "already_done";
            assert!(done, "{method} {told}");
            assert_eq!(paid(&stage), 1);
        }
    }
}

#[test]
fn absent_there_it_is_settled() {
    for (method, wish) in wishes() {
        let (stage, mut page, preview) = in_doubt(method, &wish, Execution::No);
        others(&stage, 130);
        on_icp(&stage, |icp| icp.archive(100));
        let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
        assert_eq!(
            (&told["outcome"], &told["case"]),
            (&json!("not_executed"), &json!("absent")),
            "{method} {told}"
        );
        assert_eq!(paid(&stage), 0);
    }
}

/// An archive that does not answer leaves it open.
#[test]
fn behind_an_archive_that_is_silent_it_stays_open() {
    let [(method, wish), ..] = wishes();
    let (stage, mut page, preview) = in_doubt(method, &wish, Execution::No);
    others(&stage, 130);
    on_icp(&stage, |icp| icp.archive(100));
    stage.fault(Fault {
        archive: true,
        times: None,
        reply: Reply::Drop,
        ..Fault::on(Kind::Call)
    });
    let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(told["outcome"], "reconcile", "{told}");
    assert_eq!(told["finding"]["reason"], "no_answer", "{told}");
}

fn legacy_prepared(stage: &mut Stage) -> (Page, Value) {
    let (mut page, payer) = stage.connected(SHOP, &[icp_id()]);
    let now = stage.world.now().as_nanos();
    on_icp(stage, |icp| {
        icp.mint(of_principal(payer), 1_000_000_000, now)
    });
    let [(_, wish), ..] = wishes();
    let told = page.call(stage, "prepare_transfer", wish);
    assert_eq!(told["status"], "prepared", "{told}");
    (page, told["preview"]["preview_id"].clone())
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        stage: Stage::with_special_ones,
        begins: legacy_prepared,
        plays: |play| {
            play.commits();
            play.yes_and_nothing_more("transfer");
            others(&play.stage, 130);
        },
        effects: paid,
        ..Course::default()
    }
    .sweep();
}
