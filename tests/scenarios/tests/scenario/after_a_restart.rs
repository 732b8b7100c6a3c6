//! What a new worker, or a new browser, still knows and no longer has.

use countersign_core::ports::store::{Query, Store as _, Table};
use countersign_core::testing::run_native;
use countersign_core::time::Span;
use countersign_core::wire::ui::Command;
use countersign_localnet::faults::{BadCertificate, Fault, Kind, Reply};
use countersign_scenarios::lunch::{SHOP, lunch, prepared};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};
use serde_json::json;

#[test]
fn a_certificate_from_before_the_restart_is_not_believed() {
    let mut stage = Stage::new();
    let (mut page, _) = prepared(&mut stage);
    stage.pass(Span::from_hours(1));
    let fee = json!({ "canister_id": Stage::tka().to_text() });
    let told = page.call(&stage, "icrc1_fee", fee.clone());
    assert!(told.get("reply").is_some(), "{told}");
    stage.stop_worker();
    stage.fault(Fault {
        times: None,
        reply: Reply::Bad(BadCertificate::Stale),
        ..Fault::on(Kind::ReadState)
    });
    stage.start_worker();
    page.connect(&mut stage);
    stage.settle();
    let told = page.call(&stage, "icrc1_fee", fee.clone());
    assert_eq!(told.get("reply"), None, "{told}");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2 TKA"));
    assert_eq!(told["code"], "E_NO_CERTIFIED_TIME", "{told}");
    stage.mend();
    let told = page.call(&stage, "icrc1_fee", fee);
    assert!(told.get("reply").is_some(), "{told}");
}

#[test]
fn certified_time_is_stored_now_and_then_and_not_at_each_read() {
    let mut stage = Stage::new();
    let (mut page, _) = prepared(&mut stage);
    let fee = json!({ "canister_id": Stage::tka().to_text() });
    page.call(&stage, "icrc1_fee", fee.clone());
    let networks = |stage: &Stage| -> u64 {
        let rows = run_native(stage.world.memory().list(Table::Networks, Query::All));
        rows.expect("it can be read")
            .iter()
            .map(|row| row.rev)
            .sum()
    };
    let before = networks(&stage);
    for _ in 0..30 {
        page.call(&stage, "icrc1_fee", fee.clone());
        stage.pass(Span::from_secs(4));
    }
    let times = networks(&stage) - before;
    assert!((1..=3).contains(&times), "{times} times in two minutes");
}

#[test]
fn a_window_that_came_up_before_the_browsers_start_was_told_is_served() {
    let mut stage = Stage::new();
    let (_page, _) = stage.connected(SHOP, &[Stage::tka()]);
    stage.restart_browser();
    // The person was quicker than the word that the browser started.
    let mut home = Person::at_home(&mut stage);
    stage.spawn(|wallet| async move { wallet.browser_started().await });
    stage.settle();
    home.connect(&mut stage);
    home.unlocks(&stage);
    home.must(&stage, Command::Lock);
}

#[test]
fn tokens_of_pages_that_were_closed_do_not_pile_up() {
    let mut stage = Stage::new();
    let mut first = Person::at_home(&mut stage);
    first.creates(&stage);
    for _ in 0..100 {
        stage.new_token();
    }
    let rows = run_native(stage.world.memory().list(Table::Windows, Query::All));
    let rows = rows.expect("it can be read").len();
    assert!(rows <= 18, "{rows}");
    // A page that is still there is not forgotten.
    first.connect(&mut stage);
    first.must(&stage, Command::Lock);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.yes();
            play.restarts_browser();
        },
        ..Course::default()
    }
    .sweep();
}
