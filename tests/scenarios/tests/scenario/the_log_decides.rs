//! What may have executed is looked for in the ledger's own blocks, up to the tip that it
//! certifies. Found there it is done; proved absent it is settled; whatever proves nothing settles
//! nothing. The ledger here is one of which nobody knows whether it drops repeats.

use candid::Principal;
use countersign_core::intent::{EndKind, HandWord};
use countersign_core::time::Span;
use countersign_core::wire::ui::{
    Action, Advice, Command, Doing, Happened, Looked, Place, Screen, State,
};
use countersign_localnet::canisters::ledger::Ledger;
use countersign_localnet::faults::{Execution, Fault, Kind, Reply, Shown};
use countersign_scenarios::lunch::{PAYEE, SHOP};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// A payment on a ledger that only claims to drop repeats, its ask in front of the person.
fn asked(stage: &mut Stage) -> (Page, Value, u64, Person) {
    let (mut page, payer) = stage.connected(SHOP, &[Stage::gem()]);
    stage.mint(Stage::gem(), payer, u128::from(u64::MAX) / 2);
    let told = page.call(stage, "prepare_icrc1_transfer", wish());
    assert_eq!(told["status"], "prepared", "{told}");
    let preview = told["preview"]["preview_id"].clone();
    let commit = page.begin(stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let person = Person::at_asks(stage);
    (page, preview, commit, person)
}

fn wish() -> Value {
    json!({ "canister_id": Stage::gem().to_text(), "to": PAYEE, "amount": "0.5" })
}

/// How often it was paid.
fn paid(stage: &Stage) -> usize {
    stage.transfers(Stage::gem()).len()
}

/// Somebody else's transactions, so many.
fn others(stage: &Stage, how_many: u32) {
    for _ in 0..how_many {
        stage.mint(Stage::gem(), Principal::anonymous(), 1);
    }
}

/// The next transfer goes so, and its status is gone.
fn next_transfer(stage: &Stage, execute: Execution) {
    stage.fault(Fault {
        method: Some("icrc1_transfer".to_owned()),
        execute,
        ..Fault::named("prune_status").expect("the fault has this name")
    });
}

/// Nothing but what is posted reaches the network from now on: no status can be read.
fn lose_reads(stage: &Stage) {
    stage.fault(Fault {
        times: None,
        reply: Reply::Drop,
        ..Fault::on(Kind::ReadState)
    });
}

/// Approves; the call goes as told, and for seven minutes no status can be read, so that its
/// absence proves nothing any more.
fn in_doubt(stage: &mut Stage, preview: &Value, person: &mut Person, execute: Execution) {
    next_transfer(stage, execute);
    person.press(stage, person.yes());
    let preview = preview.as_str().expect("a preview id is a text");
    let is_posted = |stage: &Stage| {
        let intent = stage.intent(preview).expect("it is stored");
        intent.envelopes().iter().any(|e| e.submitted.is_some())
    };
    while !is_posted(stage) {
        stage.turns(1);
    }
    lose_reads(stage);
    stage.pass(Span::from_mins(7));
    stage.mend();
}

fn commit(page: &mut Page, stage: &Stage, preview: &Value) -> Value {
    page.call(stage, "commit", json!({ "preview_id": preview }))
}

#[test]
fn found_in_the_log_it_is_done_without_another_envelope() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    in_doubt(&mut stage, &preview, &mut person, Execution::Yes);
    assert_eq!(paid(&stage), 1);
    others(&stage, 250);
    let told = commit(&mut page, &stage, &preview);
    assert!(
        told["outcome"] == "success" || told["outcome"] == "already_done",
        "{told}"
    );
    assert_done(&mut stage, &mut page, &preview);
}

/// It is told as done, it was paid once, and one envelope was all.
fn assert_done(stage: &mut Stage, page: &mut Page, preview: &Value) {
    let told = commit(page, stage, preview);
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(stage), 1);
    let preview = preview.as_str().expect("a preview id is a text");
    let intent = stage.intent(preview).expect("it is stored");
    assert_eq!(intent.envelopes().len(), 1);
}

/// Nothing is settled: the site is told to reconcile, and an equal wish is the same one.
fn assert_held(stage: &Stage, page: &mut Page, preview: &Value) -> Value {
    let told = commit(page, stage, preview);
    assert_eq!(told["outcome"], "reconcile", "{told}");
    let wished = page.call(stage, "prepare_icrc1_transfer", wish());
    assert_eq!(wished["preview"]["preview_id"], *preview, "{wished}");
    told
}

fn finding(told: &Value) -> (&str, &str) {
    let text = |name: &str| told["finding"][name].as_str().unwrap_or("");
    (text("status"), text("reason"))
}

#[test]
fn absent_from_the_log_it_is_settled_and_a_new_wish_can_begin() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    in_doubt(&mut stage, &preview, &mut person, Execution::No);
    assert_eq!(paid(&stage), 0);
    others(&stage, 250);
    let told = commit(&mut page, &stage, &preview);
    assert_eq!(
        (&told["outcome"], &told["case"], &told["retry"]),
        (
            &json!("not_executed"),
            &json!("absent"),
            &json!("new_prepare")
        ),
        "{told}"
    );
    let told = page.call(&stage, "prepare_icrc1_transfer", wish());
    assert_eq!(told["status"], "prepared", "{told}");
    assert_ne!(told["preview"]["preview_id"], preview);
}

#[test]
fn found_in_an_archive_it_is_done() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    others(&stage, 150);
    in_doubt(&mut stage, &preview, &mut person, Execution::Yes);
    others(&stage, 30);
    stage.on_ledger(Stage::gem(), |ledger| ledger.archive(170));
    commit(&mut page, &stage, &preview);
    assert_done(&mut stage, &mut page, &preview);
}

/// A node that does not give the whole log, or another one, proves nothing; when a better one
/// answers, the log decides.
#[test]
fn a_log_that_is_not_whole_settles_nothing() {
    let blocks = |shown| Fault {
        method: Some("icrc3_get_blocks".to_owned()),
        shown,
        times: None,
        ..Fault::on(Kind::Query)
    };
    let archive = |name: &str| Fault::named(name).expect("the fault has this name");
    let mint = 1;
    for (fault, reason) in [
        (archive("archive_missing"), "no_answer"),
        (archive("tip_stale"), "no_answer"),
        (blocks(Shown::Altered(mint + 20)), "broken_chain"),
        (blocks(Shown::Resent(mint + 20)), "broken_chain"),
        (blocks(Shown::LeftOut(mint + 20)), "no_answer"),
        (blocks(Shown::Elsewhere(Stage::tka())), "no_answer"),
    ] {
        for executed in [Execution::Yes, Execution::No] {
            let mut stage = Stage::new();
            let (mut page, preview, _, mut person) = asked(&mut stage);
            in_doubt(&mut stage, &preview, &mut person, executed);
            others(&stage, 50);
            stage.on_ledger(Stage::gem(), |ledger| ledger.archive(10));
            stage.fault(fault.clone());
            let told = assert_held(&stage, &mut page, &preview);
            assert_eq!(finding(&told), ("unreadable", reason), "{fault:?} {told}");
            stage.mend();
            stage.pass(Span::from_mins(10));
            match executed {
                Execution::Yes => assert_done(&mut stage, &mut page, &preview),
                _ => {
                    let told = commit(&mut page, &stage, &preview);
                    assert_eq!(told["case"], "absent", "{told}");
                }
            }
        }
    }
}

/// A node that lives in the past shows a tip that was rightly certified, before the call ran.
#[test]
fn an_old_tip_proves_no_absence() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    others(&stage, 3);
    in_doubt(&mut stage, &preview, &mut person, Execution::Yes);
    stage.fault(Fault {
        shown: Shown::Behind(1),
        times: None,
        ..Fault::on(Kind::Query)
    });
    let told = assert_held(&stage, &mut page, &preview);
    assert_ne!(finding(&told).0, "absent", "{told}");
    stage.mend();
    stage.pass(Span::from_mins(10));
    assert_done(&mut stage, &mut page, &preview);
}

#[test]
fn a_log_that_begins_anew_settles_nothing() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    others(&stage, 20);
    in_doubt(&mut stage, &preview, &mut person, Execution::Yes);
    for blocks in [5, 50] {
        stage.on_ledger(Stage::gem(), Ledger::reinstall);
        others(&stage, blocks);
        let told = assert_held(&stage, &mut page, &preview);
        assert_eq!(finding(&told), ("unreadable", "rewritten"), "{told}");
        stage.pass(Span::from_hours(1));
    }
}

/// The person sees what a look came to, and what was on the screen is kept with the word that
/// settles it.
#[test]
fn what_a_look_came_to_is_shown_and_kept_with_the_persons_word() {
    for (action, word, state) in [
        (Action::ItHappened, HandWord::Happened, State::SettledDone),
        (Action::ItDidNot, HandWord::DidNotHappen, State::SettledNot),
        (
            Action::MayHappenTwice,
            HandWord::AskAgain,
            State::SettledAgain,
        ),
    ] {
        let mut stage = Stage::new();
        let (mut page, preview, _, mut person) = asked(&mut stage);
        in_doubt(&mut stage, &preview, &mut person, Execution::Yes);
        stage.hide_logs();
        assert_held(&stage, &mut page, &preview);
        let text = preview.as_str().expect("a preview id is a text");
        let id = stage.intent(text).expect("it is stored").preview();
        let mut home = Person::at_home(&mut stage);
        home.must(&stage, Command::Show(Place::Intent(id)));
        let Screen::Intent(record) = home.screen() else {
            panic!("the call is shown")
        };
        let last = record.history.last().map(|line| line.what);
        assert_eq!(last, Some(Happened::Looked(Looked::NoAnswer)));
        let standing = record.standing.expect("it is unsettled");
        assert_eq!(standing.advice, Advice::Settle);
        assert!(matches!(standing.doing, Doing::ReadingLedgerAt(_)));
        let preview = id;
        home.must(&stage, Command::Act { preview, action });
        let Screen::Intent(record) = home.screen() else {
            panic!("the call is shown")
        };
        assert_eq!(record.row.state, state);
        let intent = stage.intent(text).expect("it is stored");
        let Some(EndKind::ByHand {
            word: kept,
            evidence,
        }) = intent.end().map(|end| &end.kind)
        else {
            panic!("the person settled it")
        };
        assert_eq!(*kept, word);
        assert!(evidence.contains("no_answer"), "{evidence}");
    }
}

fn half_prepared(stage: &mut Stage) -> (Page, Value) {
    let (mut page, payer) = stage.connected(SHOP, &[Stage::gem()]);
    stage.mint(Stage::gem(), payer, u128::from(u64::MAX) / 2);
    let told = page.call(stage, "prepare_icrc1_transfer", wish());
    assert_eq!(told["status"], "prepared", "{told}");
    (page, told["preview"]["preview_id"].clone())
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        begins: half_prepared,
        plays: |play| {
            play.commits();
            play.yes_and_nothing_more("icrc1_transfer");
            others(&play.stage, 50);
        },
        effects: paid,
        ..Course::default()
    }
    .sweep();
}
