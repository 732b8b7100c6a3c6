//! Whole histories from a seed: the network loses, delays, forgets, lies and comes back, the agent
//! commits again and again, the person says yes to every ask. However it goes, the payment is made
//! at most once, no answer calls it failed that was or will be made, and it comes to an end.

use candid::Principal;
use countersign_core::time::Span;
use countersign_core::wire::ui::Screen;
use countersign_localnet::faults::{Kind, Round, history};
use countersign_scenarios::lunch::{SHOP, lunch};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};
use serde_json::{Value, json};
use std::ops::Range;

const ROUNDS: usize = 12;

/// What a site was told of its payment, in order.
struct Told {
    answers: Vec<Value>,
    paid: usize,
    end: Value,
    /// Whether the person's page shows it as unsettled then.
    shown: bool,
}

fn paid(stage: &Stage, ledger: Principal) -> usize {
    stage.transfers(ledger).len()
}

/// Plays a history. `lies` says whether the ledger may also forget, or become another one.
fn play(seed: u64, ledger: Principal, lies: bool) -> Told {
    let mut stage = Stage::seeded("countersign", seed + 1);
    let (mut page, payer) = stage.connected(SHOP, &[ledger]);
    stage.mint(ledger, payer, 10u128.pow(20).min(u128::from(u64::MAX) / 2));
    let mut wish = lunch("0.5");
    wish["canister_id"] = json!(ledger.to_text());
    let told = page.call(&stage, "prepare_icrc1_transfer", wish);
    assert_eq!(told["status"], "prepared", "seed {seed}: {told}");
    let mut preview = told["preview"]["preview_id"].clone();
    let mut answers = Vec::new();
    let mut open = None;
    let mut most = 0;
    for round in history(seed, ROUNDS) {
        apply(&stage, round, lies);
        let id = *open
            .get_or_insert_with(|| page.begin(&stage, "commit", json!({ "preview_id": preview })));
        stage.settle();
        say_yes(&mut stage);
        stage.pass(Span::from_secs(50));
        most = most.max(paid(&stage, ledger));
        if let Some(told) = page.told(&stage, id) {
            open = None;
            if told["outcome"] == "retry_new" {
                preview = told["preview"]["preview_id"].clone();
            }
            answers.push(told);
        }
    }
    stage.mend();
    stage.network.borrow_mut().release();
    // Past every window, and past the last look at the log.
    for _ in 0..4 {
        stage.pass(Span::from_hours(13));
    }
    let end = page.call(&stage, "wallet_intent", json!({ "preview_id": preview }));
    let paid = most.max(paid(&stage, ledger));
    let shown = stage.shows_unsettled(&preview);
    Told {
        answers,
        paid,
        end,
        shown,
    }
}

fn apply(stage: &Stage, round: Round, lies: bool) {
    stage.pass(Span::from_millis(round.pass_ms));
    if round.mend {
        stage.mend();
    }
    if round.release {
        let mut network = stage.network.borrow_mut();
        network.release();
    }
    for mut order in round.orders {
        match order.on {
            // Reads that are calls would use it up.
            Kind::Call => order.method = Some("icrc1_transfer".to_owned()),
            // Whoever reads tries again: it lasts until it is mended.
            Kind::Query | Kind::ReadState | Kind::Status => order.times = None,
        }
        let becomes_another = order.ledger.as_ref().is_some_and(|change| {
            change.reinstall || change.forget || change.upgrade || change.stamps.is_some()
        });
        if lies || !becomes_another {
            stage.fault(order);
        }
    }
}

/// Says yes in whatever window asks.
fn say_yes(stage: &mut Stage) {
    if stage.world.windows().is_empty() {
        return;
    }
    let mut person = Person::at_asks(stage);
    if matches!(person.screen(), Screen::Ask(_)) {
        let yes = person.yes();
        person.does(stage, yes);
    }
}

fn judge(seed: u64, told: &Told) {
    let outcomes: Vec<&str> = told
        .answers
        .iter()
        .chain([&told.end])
        .map(|answer| answer["outcome"].as_str().unwrap_or("none"))
        .collect();
    assert!(
        told.paid <= 1,
        "seed {seed}: paid {}: {outcomes:?}",
        told.paid
    );
    for outcome in &outcomes {
        match *outcome {
            "success" | "already_done" => {
                assert_eq!(told.paid, 1, "seed {seed}: {outcomes:?}");
            }
            "fail" | "fix_input" | "expired" => {
                assert_eq!(told.paid, 0, "seed {seed}: {outcomes:?}");
            }
            _ => {}
        }
    }
    let end = &told.end;
    let is_over = match end["outcome"].as_str().unwrap_or_default() {
        "success" | "already_done" | "declined" | "fail" | "fix_input" | "expired" => true,
        "not_executed" => end["retry"] == "new_prepare",
        _ => false,
    };
    assert!(
        is_over != told.shown,
        "seed {seed}: neither over nor the person's, or both: {end}"
    );
}

/// Plays and judges some histories. Among them are some that went well, and some in which nobody
/// knew for a while: else they would show nothing.
fn play_all(seeds: Range<u64>, ledger: Principal, lies: bool) {
    let (mut paid, mut unclear) = (0, 0);
    for seed in seeds.clone() {
        let told = play(seed, ledger, lies);
        judge(seed, &told);
        paid += told.paid;
        unclear += usize::from(told.answers.iter().any(is_unclear));
    }
    assert!(
        paid > 0 && unclear > 0,
        "{seeds:?}: {paid} paid, {unclear} unclear"
    );
}

fn is_unclear(answer: &Value) -> bool {
    answer["outcome"] == "unknown" || answer["outcome"] == "reconcile"
}

#[test]
fn on_a_ledger_that_is_known_it_is_paid_at_most_once() {
    play_all(0..8, Stage::tka(), false);
}

#[test]
fn on_a_ledger_that_lies_it_is_paid_at_most_once_too() {
    play_all(100..108, Stage::gem(), true);
}

#[test]
fn one_history_told_twice_is_told_the_same() {
    for seed in 0..2 {
        let (first, second) = (
            play(seed, Stage::tka(), false),
            play(seed, Stage::tka(), false),
        );
        assert_eq!(first.answers, second.answers, "seed {seed}");
        assert_eq!((first.paid, first.end), (second.paid, second.end));
    }
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            for round in history(3, ROUNDS) {
                apply(&play.stage, round, false);
                play.commits();
                play.yes();
                play.passes(Span::from_secs(50));
            }
        },
        ..Course::default()
    }
    .sweep();
}
