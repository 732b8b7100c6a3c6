//! A ledger gives its log in pieces, and the oldest of it elsewhere: what was paid is found in any
//! of them, by the search and by the block that a duplicate names.

use candid::Principal;
use countersign_core::time::Span;
use countersign_localnet::canisters::ledger::{Archive, Archiving};
use countersign_localnet::faults::{Fault, Kind, Shown};
use countersign_scenarios::doubt::{commit, yes_and_nothing_more};
use countersign_scenarios::lunch::{asked, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::Value;

fn others(stage: &Stage, how_many: u32) {
    for _ in 0..how_many {
        stage.mint(Stage::tka(), Principal::anonymous(), 1);
        stage.world.pass(Span::from_millis(1));
    }
}

fn shown(by: Principal, shown: Shown) -> Fault {
    Fault {
        canister: Some(by),
        method: Some("icrc3_get_blocks".to_owned()),
        shown,
        times: None,
        ..Fault::on(Kind::Query)
    }
}

/// The payment lies among hundreds of blocks, and nobody knows what became of it.
fn lost_among_others(stage: &mut Stage) -> (Page, Value) {
    let (page, preview, _, mut person) = asked(stage);
    others(stage, 130);
    yes_and_nothing_more(stage, &preview, "icrc1_transfer", &mut person);
    assert_eq!(paid(stage), 1);
    others(stage, 130);
    (page, preview)
}

fn is_done(stage: &Stage, page: &mut Page, preview: &Value) {
    stage.pass(Span::from_mins(10));
    let id = commit(page, stage, preview);
    let told = page
        .told(stage, id)
        .expect("it is answered without a person");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(stage), 1);
    let preview = preview.as_str().expect("a preview id is a text");
    let intent = stage.intent(preview).expect("it is stored");
    assert_eq!(intent.envelopes().len(), 1, "nothing was sent again");
}

#[test]
fn a_payment_is_found_in_whatever_piece_it_lies() {
    for archived in [0, 100, 131, 132, 200, 262] {
        let mut stage = Stage::new();
        let (mut page, preview) = lost_among_others(&mut stage);
        stage.on_ledger(Stage::tka(), |ledger| ledger.archive(archived));
        stage.mend();
        is_done(&stage, &mut page, &preview);
    }
}

#[test]
fn an_answer_with_fewer_blocks_than_were_asked_for_is_asked_on() {
    let mut stage = Stage::new();
    let (mut page, preview) = lost_among_others(&mut stage);
    stage.on_ledger(Stage::tka(), |ledger| ledger.archive(200));
    stage.mend();
    for by in [Stage::tka(), Archive::id_of(Stage::tka(), 0)] {
        stage.fault(shown(by, Shown::Short(17)));
    }
    is_done(&stage, &mut page, &preview);
}

#[test]
fn a_payment_is_found_in_the_middle_one_of_many_archives() {
    let mut stage = Stage::new();
    stage.on_ledger(Stage::tka(), |ledger| {
        ledger.set_archiving(Archiving {
            trigger: 60,
            at_once: 50,
            capacity: 70,
        });
    });
    let (mut page, preview) = lost_among_others(&mut stage);
    stage.on_ledger(Stage::tka(), |ledger| {
        assert!(ledger.archive_canisters().len() >= 3);
    });
    stage.mend();
    is_done(&stage, &mut page, &preview);
}

/// The tip cannot be read, so that the same bytes go again: the ledger names a block that lies in
/// an archive by now.
#[test]
fn a_duplicate_of_a_block_that_was_archived_is_read_there() {
    let mut stage = Stage::new();
    let (mut page, preview) = lost_among_others(&mut stage);
    stage.on_ledger(Stage::tka(), |ledger| ledger.archive(200));
    let id = commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    assert!(person.call().resend.is_some());
    person.approve(&stage);
    stage.pass(Span::from_secs(50));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(told["case"], "Err.Duplicate", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            others(&play.stage, 130);
            play.commits();
            play.yes_and_nothing_more("icrc1_transfer");
            others(&play.stage, 130);
            play.stage
                .on_ledger(Stage::tka(), |ledger| ledger.archive(200));
        },
        ..Course::default()
    }
    .sweep();
}
