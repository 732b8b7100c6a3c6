//! Many calls at once, and a yes that comes late: one window, one queue in the order of asking, and
//! every call is answered with its own end, whenever that comes.

use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Screen};
use countersign_scenarios::lunch::{SHOP, lunch, paid, prepared};
use countersign_scenarios::{Person, Stage};
use serde_json::{Value, json};

/// How many calls are committed at once.
const MANY: usize = 50;

#[test]
fn fifty_commits_at_once_are_one_window_a_queue_in_order_and_fifty_ends() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 10_000_000_000);
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    let previews: Vec<Value> = (0..MANY)
        .map(|n| {
            let told = page.call(
                &stage,
                "prepare_icrc1_transfer",
                lunch(&format!("1.{n:02}")),
            );
            told["preview"]["preview_id"].clone()
        })
        .collect();
    let commits: Vec<u64> = previews
        .iter()
        .map(|preview| {
            let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
            stage.settle();
            commit
        })
        .collect();
    assert_eq!(stage.world.windows().len(), 1);

    let mut person = Person::at_asks(&mut stage);
    for (n, preview) in previews.iter().enumerate() {
        assert_eq!(
            person.call().preview.to_string(),
            *preview,
            "in the order of asking"
        );
        let place = person.ask().place;
        assert_eq!((place.nth, place.of as usize), (1, MANY - n));
        if n % 2 == 0 {
            person.approve(&stage);
        } else {
            person.decline(&stage);
        }
        person.must(&stage, Command::Next);
    }
    assert!(matches!(person.screen(), Screen::NoAsk));
    assert_eq!(stage.world.windows().len(), 1, "no other window came up");

    for (n, (commit, preview)) in commits.into_iter().zip(&previews).enumerate() {
        let told = page.told(&stage, commit).expect("commit is answered");
        let outcome = if n % 2 == 0 { "success" } else { "declined" };
        assert_eq!(told["outcome"], outcome, "{told}");
        assert_eq!(told["preview"]["preview_id"], *preview, "{told}");
    }
    let wanted: Vec<u128> = (0..MANY)
        .step_by(2)
        .map(|n| 100_000_000 + 1_000_000 * n as u128)
        .collect();
    assert_eq!(stage.transfers(Stage::tka()), wanted);
}

/// A client of the default settings gives up a call after a minute, so the wallet answers before.
/// The agent does what it is told: it commits the same preview again.
fn approved_after(seconds: u64) {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let mut commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    let mut asked = 1;
    for _ in 0..seconds {
        stage.pass(Span::from_secs(1));
        if let Some(told) = page.told(&stage, commit) {
            assert_eq!(told["outcome"], "awaiting_confirmation", "{told}");
            let next = &told["next"];
            assert_eq!(next["tool"], "commit", "{told}");
            commit = page.begin(&stage, "commit", next["input"].clone());
            stage.settle();
            asked += 1;
        }
    }
    assert!(asked > seconds / 60, "it was answered within each minute");
    person.look(&stage);
    person.approve(&stage);
    stage.settle();
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(paid(&stage), 1);
    let kept = page.call(&stage, "wallet_intent", json!({ "preview_id": preview }));
    assert_eq!(kept["outcome"], "success", "{kept}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn approved_after_half_a_minute_it_is_paid_once_and_told() {
    approved_after(30);
}

#[test]
fn approved_after_more_than_a_minute_it_is_paid_once_and_told() {
    approved_after(70);
}

#[test]
fn approved_after_five_minutes_it_is_paid_once_and_told() {
    approved_after(300);
}
