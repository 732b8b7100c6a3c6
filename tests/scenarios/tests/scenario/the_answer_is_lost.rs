//! The network executes and the answer is lost, in every way in which that happens.

use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Happened, Known, Place, Screen};
use countersign_localnet::faults::{Fault, Kind, RejectCode, Reply};
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// Every read of state is lost from now on.
fn lose_reads(stage: &Stage) {
    stage.fault(Fault {
        times: None,
        reply: Reply::Drop,
        ..Fault::on(Kind::ReadState)
    });
}

/// The next call is executed, its answer is lost, and its status is forgotten.
fn prune_next(stage: &Stage) {
    stage.fault(Fault {
        method: Some("icrc1_transfer".to_owned()),
        ..Fault::named("prune_status").expect("the fault has this name")
    });
}

/// The next transfer is executed and its answer is lost.
fn lose_next(stage: &Stage) {
    stage.fault(Fault {
        method: Some("icrc1_transfer".to_owned()),
        ..Fault::named("drop_after").expect("the fault has this name")
    });
}

/// How many transfers were posted.
fn posted(stage: &Stage, before: u64) -> u64 {
    stage.counters(Stage::tka()).calls_posted - before
}

fn commit(page: &mut Page, stage: &Stage, preview: &Value) -> u64 {
    let id = page.begin(stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    id
}

/// (a) The status can be read: the commit ends in success, and one submit was seen.
#[test]
fn the_status_is_read_and_the_commit_succeeds() {
    let mut stage = Stage::new();
    let (mut page, _, id, mut person) = asked(&mut stage);
    lose_next(&stage);
    person.press(&stage, person.yes());
    let before = stage.counters(Stage::tka()).calls_executed;
    stage.settle();
    stage.pass(Span::from_secs(5));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(paid(&stage), 1);
    assert!(stage.counters(Stage::tka()).calls_executed > before);
}

/// Approves with the answer and all reads lost; 45 seconds later the commit has been answered.
fn in_doubt(stage: &mut Stage, page: &mut Page, id: u64, person: &mut Person) -> Value {
    lose_next(stage);
    person.press(stage, person.yes());
    // The yes and the reading of S0 still go through.
    for _ in 0..10_000 {
        if stage.transfers(Stage::tka()).len() == 1 {
            break;
        }
        stage.turns(1);
    }
    lose_reads(stage);
    stage.pass(Span::from_secs(50));
    page.told(stage, id)
        .expect("commit is answered after 45 seconds")
}

/// (b) Nothing can be read for 45 seconds: unknown and in flight, the same wish repeated; when
/// reads are back the next commit succeeds without a second submit, a third is already done.
#[test]
fn what_is_in_flight_is_found_again_and_never_sent_twice() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    let told = in_doubt(&mut stage, &mut page, id, &mut person);
    assert_eq!(
        (&told["outcome"], &told["case"]),
        (&json!("unknown"), &json!("in_flight"))
    );
    assert_eq!(told["retry"], "commit_preview");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.50"));
    assert_eq!(told["status"], "repeated", "{told}");
    assert_eq!(told["preview"]["preview_id"], preview);
    let next = commit(&mut page, &stage, &preview);
    stage.mend();
    stage.pass(Span::from_secs(30));
    let told = page
        .told(&stage, next)
        .expect("the second commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    let before = stage.counters(Stage::tka()).calls_posted;
    let third = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(third["outcome"], "already_done", "{third}");
    assert_eq!(posted(&stage, before), 0);
    assert_eq!(paid(&stage), 1);
}

/// What is tried in vain is tried ever more rarely; an agent that asks now is not made to wait.
#[test]
fn a_commit_tries_at_once_what_was_tried_in_vain() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    in_doubt(&mut stage, &mut page, id, &mut person);
    stage.mend();
    stage.spawn(|wallet| async move { wallet.wake().await });
    stage.settle();
    let text = preview.as_str().expect("a preview id is a text");
    let ended = |stage: &Stage| stage.intent(text).is_some_and(|i| i.end().is_some());
    assert!(!ended(&stage), "its next try is not due");
    let next = commit(&mut page, &stage, &preview);
    let told = page.told(&stage, next).expect("it is answered at once");
    assert_eq!(told["outcome"], "success", "{told}");
    assert!(ended(&stage));
}

#[test]
fn a_killed_worker_goes_on_with_what_was_submitted() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    let told = in_doubt(&mut stage, &mut page, id, &mut person);
    assert_eq!(told["outcome"], "unknown", "{told}");
    stage.kill_worker();
    page.connect(&mut stage);
    stage.mend();
    stage.pass(Span::from_secs(30));
    let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

/// The worker died, and nothing can be read: what may have executed is known again all the same.
#[test]
fn the_same_wish_is_repeated_while_nothing_can_be_read() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    let told = in_doubt(&mut stage, &mut page, id, &mut person);
    assert_eq!(told["outcome"], "unknown", "{told}");
    stage.kill_worker();
    page.connect(&mut stage);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.50"));
    assert_eq!(told["status"], "repeated", "{told}");
    assert_eq!(told["outcome"], "unknown", "{told}");
    assert_eq!(told["preview"]["preview_id"], preview);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.6"));
    assert_eq!(told["code"], "E_NO_CERTIFIED_TIME", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn a_locked_wallet_goes_on_with_what_was_submitted() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    let told = in_doubt(&mut stage, &mut page, id, &mut person);
    assert_eq!(told["outcome"], "unknown", "{told}");
    person.does(&stage, Command::Lock);
    assert!(!stage.wallet().is_unlocked());
    stage.mend();
    stage.pass(Span::from_secs(30));
    let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

/// (c) The status was pruned before it was read, and no log can be read: the window asks again and
/// says why, the same bytes go in a new envelope, and the ledger names the first block.
#[test]
fn a_pruned_status_is_settled_by_sending_the_same_bytes_with_a_second_yes() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    let arg = person.call().call.arg_hex.clone();
    prune_next(&stage);
    person.press(&stage, person.yes());
    for _ in 0..10_000 {
        if stage.transfers(Stage::tka()).len() == 1 {
            break;
        }
        stage.turns(1);
    }
    lose_reads(&stage);
    stage.pass(Span::from_secs(50));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "unknown", "{told}");
    // Past the time in which an absent status would prove anything.
    stage.pass(Span::from_mins(6));
    stage.mend();
    stage.hide_logs();
    stage.pass(Span::from_mins(2));
    let again = commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    let call = person.call();
    assert!(
        call.resend.is_some(),
        "the window says that an earlier attempt may have executed"
    );
    assert_eq!(call.call.arg_hex, arg);
    person.approve(&stage);
    stage.pass(Span::from_secs(30));
    let told = page
        .told(&stage, again)
        .expect("the second commit is answered");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(told["case"], "Err.Duplicate", "{told}");
    assert_eq!(paid(&stage), 1);
    assert_eq!(
        happened(&mut stage, &preview),
        [
            Happened::Prepared,
            Happened::Asked,
            Happened::Approved,
            Happened::Signed,
            Happened::HandedOver,
            Happened::AskedAgain,
            Happened::Approved,
            Happened::Signed,
            Happened::HandedOver,
            Happened::Answered,
        ],
        "each yes stays in the history"
    );
}

/// What the page of a call says happened to it.
fn happened(stage: &mut Stage, preview: &Value) -> Vec<Happened> {
    let preview = preview.as_str().expect("a preview id is a text");
    let preview = stage.intent(preview).expect("it is stored").preview();
    let mut home = Person::at_home(stage);
    home.must(stage, Command::Show(Place::Intent(preview)));
    let Screen::Intent(record) = home.screen() else {
        panic!("the call is shown")
    };
    record.history.iter().map(|line| line.what).collect()
}

#[test]
fn a_failure_while_the_canister_ran_is_not_called_an_answer_that_is_gone() {
    let known = known_after(RejectCode::CanisterError);
    assert!(matches!(known.as_slice(), [Known::Trapped(_)]), "{known:?}");
}

#[test]
fn a_reject_that_does_not_tell_is_not_called_a_failure() {
    let known = known_after(RejectCode::CanisterReject);
    assert!(
        matches!(known.as_slice(), [Known::Rejected(_)]),
        "{known:?}"
    );
}

/// What the home page says is known of a payment that was rejected after its block was written.
fn known_after(reject_code: RejectCode) -> Vec<Known> {
    let mut stage = Stage::new();
    let (_page, _, _, mut person) = asked(&mut stage);
    stage.hide_logs();
    stage.fault(Fault {
        method: Some("icrc1_transfer".to_owned()),
        reject_code,
        ..Fault::named("reject_after_write").expect("the fault has this name")
    });
    person.approve(&stage);
    stage.pass(Span::from_secs(30));
    let home = Person::at_home(&mut stage);
    let Screen::Home(home) = home.screen() else {
        panic!("the home page is shown")
    };
    home.unsettled
        .iter()
        .map(|call| call.standing.known)
        .collect()
}

/// (d) The agent looked away: the wallet reached the end alone, and the next preparation answers
/// that end instead of making a second payment.
#[test]
fn an_end_that_nobody_heard_is_told_before_a_new_call_begins() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    let told = in_doubt(&mut stage, &mut page, id, &mut person);
    assert_eq!(told["outcome"], "unknown", "{told}");
    stage.mend();
    stage.pass(Span::from_secs(40));
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], &told["outcome"]),
        (&json!("repeated"), &json!("already_done"))
    );
    assert_eq!(told["preview"]["preview_id"], preview);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        told["status"], "prepared",
        "the end was told, so this is a new call: {told}"
    );
    assert_ne!(told["preview"]["preview_id"], preview);
    assert_eq!(paid(&stage), 1);
}

#[test]
fn an_answer_lost_with_its_page_is_told_to_the_next() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    page.acknowledges = false;
    person.approve(&stage);
    assert_eq!(
        page.told(&stage, id).expect("commit is answered")["outcome"],
        "success"
    );
    page.close(&stage);
    let mut page = Page::open(&mut stage, countersign_scenarios::lunch::SHOP, "D2");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], &told["outcome"]),
        (&json!("repeated"), &json!("already_done"))
    );
    assert_eq!(told["preview"]["preview_id"], preview);
    assert_eq!(paid(&stage), 1);
}

#[test]
fn errors_of_the_endpoint_after_execution_prove_nothing() {
    for name in [
        "http_503_after",
        "http_404_after",
        "http_400_after",
        "reject_uncertified",
    ] {
        let mut stage = Stage::new();
        let (mut page, _, id, mut person) = asked(&mut stage);
        let method = Some("icrc1_transfer".to_owned());
        stage.fault(Fault {
            method,
            ..Fault::named(name).expect("the fault has this name")
        });
        person.approve(&stage);
        stage.pass(Span::from_secs(10));
        let told = page
            .told(&stage, id)
            .unwrap_or_else(|| panic!("{name}: no answer"));
        assert_eq!(told["outcome"], "success", "{name}: {told}");
        assert_eq!(paid(&stage), 1, "{name}");
    }
}

#[test]
fn a_certified_reject_after_the_block_was_written_is_unknown() {
    let mut stage = Stage::new();
    let (mut page, preview, id, mut person) = asked(&mut stage);
    stage.hide_logs();
    let method = Some("icrc1_transfer".to_owned());
    stage.fault(Fault {
        method,
        ..Fault::named("reject_after_write").expect("the fault has this name")
    });
    person.approve(&stage);
    stage.pass(Span::from_secs(10));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "unknown", "{told}");
    // The ledger is known to drop repeats: a second yes settles it.
    let again = commit(&mut page, &stage, &preview);
    let mut person = Person::at_asks(&mut stage);
    assert!(person.call().resend.is_some());
    person.approve(&stage);
    stage.pass(Span::from_secs(10));
    let told = page
        .told(&stage, again)
        .expect("the second commit is answered");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn an_answer_with_a_wrong_signature_is_not_believed() {
    let mut stage = Stage::new();
    let (mut page, _, id, mut person) = asked(&mut stage);
    let method = Some("icrc1_transfer".to_owned());
    stage.fault(Fault {
        method,
        ..Fault::named("wrong_signature").expect("the fault has this name")
    });
    person.approve(&stage);
    stage.pass(Span::from_secs(10));
    let told = page.told(&stage, id).expect("the status is read instead");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            lose_next(&play.stage);
            play.commits();
            play.yes();
            play.passes(Span::from_secs(50));
        },
        ..Course::default()
    }
    .sweep();
}
