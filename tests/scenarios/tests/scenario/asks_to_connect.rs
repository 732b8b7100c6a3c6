//! Asks to be connected: how many there may be, and what a no means for the next.

use countersign_core::time::Span;
use countersign_scenarios::lunch::SHOP;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

fn wallet() -> Stage {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    home.adds_network(&stage, &[]);
    stage
}

fn ask(page: &mut Page, stage: &Stage, canister: candid::Principal) -> u64 {
    let canisters = json!({ "canisters": [{ "id": canister.to_text() }] });
    let id = page.begin(stage, "wallet_connect", canisters);
    stage.settle();
    id
}

/// Looks at the window that came up, and closes it.
fn says_no(stage: &mut Stage) {
    let person = Person::at_asks(stage);
    assert_ne!(person.ask().id.to_string(), "");
    close_windows(stage);
    assert_eq!(stage.world.badge(), 0, "closing it is a no");
}

fn close_windows(stage: &Stage) {
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
        stage.spawn(move |wallet| async move { wallet.window_closed(window.id).await });
        stage.settle();
    }
}

#[test]
fn sites_of_one_owner_have_few_asks_and_are_told_no_more_than_others() {
    let mut stage = wallet();
    let mut told = Vec::new();
    for nth in 0..12 {
        let origin = format!("https://s{nth}.flood.example");
        let mut page = Page::open(&mut stage, &origin, &format!("F{nth}"));
        let id = ask(&mut page, &stage, Stage::tka());
        assert_eq!(page.told(&stage, id), None, "nothing is told at once");
        stage.pass(Span::from_secs(46));
        told.push(page.told(&stage, id).expect("it is answered when due"));
    }
    assert_eq!(stage.world.badge(), 8);
    assert!(told.iter().all(|answer| *answer == told[0]), "{told:?}");
    assert_eq!(told[0]["outcome"], "awaiting_confirmation");
    let mut other = Page::open(&mut stage, SHOP, "D1");
    ask(&mut other, &stage, Stage::tka());
    assert_eq!(stage.world.badge(), 9, "another owner's site has room");
}

#[test]
fn all_sites_together_have_so_many_asks() {
    let mut stage = wallet();
    for nth in 0..70 {
        let origin = format!("https://flood{nth}.example{nth}");
        let mut page = Page::open(&mut stage, &origin, &format!("F{nth}"));
        ask(&mut page, &stage, Stage::tka());
    }
    assert_eq!(stage.world.badge(), 64);
}

#[test]
fn asking_again_right_after_a_no_brings_up_no_window() {
    let mut stage = wallet();
    let mut page = Page::open(&mut stage, SHOP, "D1");
    ask(&mut page, &stage, Stage::tka());
    assert_eq!(stage.world.windows().len(), 1);
    says_no(&mut stage);
    for canister in [Stage::tka(), Stage::gem(), Stage::tka()] {
        ask(&mut page, &stage, canister);
        stage.pass(Span::from_mins(10));
        assert!(stage.world.windows().is_empty());
        assert_eq!(stage.world.badge(), 1, "the person finds it");
    }
    stage.kill_worker();
    page.connect(&mut stage);
    stage.settle();
    assert!(stage.world.windows().is_empty());
}

#[test]
fn an_hour_after_a_no_a_site_may_bring_up_a_window_again() {
    let mut stage = wallet();
    let mut page = Page::open(&mut stage, SHOP, "D1");
    ask(&mut page, &stage, Stage::tka());
    says_no(&mut stage);
    stage.pass(Span::from_mins(61));
    ask(&mut page, &stage, Stage::tka());
    assert_eq!(stage.world.windows().len(), 1);
}

/// A site that has a window already changes its ask: the window shows the new one, and none comes
/// to the front again by itself.
#[test]
fn changing_what_is_asked_brings_up_nothing_again() {
    let mut stage = wallet();
    let mut page = Page::open(&mut stage, SHOP, "D1");
    ask(&mut page, &stage, Stage::tka());
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    ask(&mut page, &stage, Stage::gem());
    assert!(stage.world.windows().is_empty());
    assert_eq!(stage.world.badge(), 1);
}

fn declines_more(stage: &mut Stage, page: &mut Page, dies: bool) -> Value {
    let more = ask(page, stage, Stage::gem());
    let mut person = Person::at_asks(stage);
    if dies {
        // The document hears nothing from this worker any more.
        stage.kill_worker();
        person.connect(stage);
        person.decline(stage);
        stage.kill_worker();
        page.connect(stage);
        stage.settle();
        stage.pass(Span::from_secs(46));
    } else {
        person.decline(stage);
    }
    page.told(stage, more).expect("it is answered")
}

#[test]
fn a_no_to_more_is_told_as_a_no_though_the_worker_died() {
    for dies in [false, true] {
        let mut stage = Stage::new();
        let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
        close_windows(&stage);
        let told = declines_more(&mut stage, &mut page, dies);
        assert_eq!(told["outcome"], "declined", "dies: {dies}: {told}");
        let status = page.call(&stage, "wallet_status", json!({}));
        assert_eq!(status["canisters"].as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn a_no_to_connecting_is_told_though_the_worker_died_before_it_was() {
    let mut stage = wallet();
    let mut page = Page::open(&mut stage, SHOP, "D1");
    page.acknowledges = false;
    let told = declines_more(&mut stage, &mut page, true);
    assert_eq!(told["outcome"], "declined", "{told}");
}
