//! Two pages, two tabs, one wallet: nobody gets another's answer, and one wish is one intent.

use countersign_core::confirm::view::Preset;
use countersign_core::intent::TOLD_SPAN;
use countersign_core::wire::ui::{Command, Place};
use countersign_scenarios::lunch::{SHOP, asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::json;

#[test]
fn two_tabs_that_prepare_the_same_wish_at_once_have_one_intent() {
    let mut stage = Stage::new();
    let (mut first, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let mut second = Page::open(&mut stage, SHOP, "D2");
    let a = first.begin(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    let b = second.begin(&stage, "prepare_icrc1_transfer", lunch("1.50"));
    stage.settle();
    let a = first.told(&stage, a).expect("the first is answered");
    let b = second.told(&stage, b).expect("the second is answered");
    assert_eq!(a["preview"]["preview_id"], b["preview"]["preview_id"]);
    let mut status = [a["status"].clone(), b["status"].clone()];
    status.sort_by_key(ToString::to_string);
    assert_eq!(status, ["prepared", "repeated"]);
}

#[test]
fn two_tabs_that_commit_one_preview_have_one_window_and_one_payment() {
    let mut stage = Stage::new();
    let (mut first, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let mut second = Page::open(&mut stage, SHOP, "D2");
    let told = first.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    let preview = json!({ "preview_id": told["preview"]["preview_id"] });
    let before = stage.world.windows().len();
    let a = first.begin(&stage, "commit", preview.clone());
    let b = second.begin(&stage, "commit", preview);
    stage.settle();
    assert!(stage.world.windows().len() <= before + 1);
    let mut person = Person::at_asks(&mut stage);
    person.approve(&stage);
    assert_eq!(
        first.told(&stage, a).expect("answered")["outcome"],
        "success"
    );
    assert_eq!(
        second.told(&stage, b).expect("answered")["outcome"],
        "success"
    );
    assert_eq!(paid(&stage), 1);
}

#[test]
fn equal_wishes_of_two_sites_are_two_intents() {
    let mut stage = Stage::new();
    let (mut shop, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let mut other = Page::open(&mut stage, "https://other.example", "D2");
    other.connects(&mut stage, &[Stage::tka()], Preset::All);
    let a = shop.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    let b = other.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&a["status"], &b["status"]),
        (&json!("prepared"), &json!("prepared"))
    );
    assert_ne!(a["preview"]["preview_id"], b["preview"]["preview_id"]);
}

/// The client that waited is closed, its document lives on and takes the answer: nobody has heard
/// it. Another client begins the same payment anew.
#[test]
fn a_payment_whose_client_was_closed_is_told_to_the_next_and_not_made_again() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    person.approve(&stage);
    page.listen(&stage);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], &told["outcome"]),
        (&json!("repeated"), &json!("already_done")),
        "{told}"
    );
    assert_eq!(told["preview"]["preview_id"], preview);
    assert_eq!(paid(&stage), 1);
    // Whoever was told that and means a second payment can make it.
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(told["status"], "prepared", "{told}");
    assert_ne!(told["preview"]["preview_id"], preview);
}

#[test]
fn the_same_payment_ten_minutes_later_is_another_one() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    person.approve(&stage);
    page.listen(&stage);
    stage.pass(TOLD_SPAN);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(told["status"], "prepared", "{told}");
    assert_ne!(told["preview"]["preview_id"], preview);
}

fn close_all(stage: &Stage) {
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
}

#[test]
fn two_commits_at_once_bring_up_one_window_however_long_the_browser_takes() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let previews = ["1.5", "2.5"].map(|amount| {
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch(amount));
        told["preview"]["preview_id"].clone()
    });
    close_all(&stage);
    stage.world.open_windows_after(200);
    for preview in previews {
        page.begin(&stage, "commit", json!({ "preview_id": preview }));
        stage.turns(40);
    }
    stage.settle();
    assert_eq!(stage.world.windows().len(), 1);
}

#[test]
fn closing_one_of_two_windows_that_show_an_ask_decides_nothing() {
    let mut stage = Stage::new();
    let (mut page, _, commit, _first) = asked(&mut stage);
    let window = stage.world.windows().pop().expect("a window came up").id;
    let mut second = Person::at_home(&mut stage);
    second.must(&stage, Command::Show(Place::Asks));
    stage.world.close_window(window);
    stage.spawn(move |wallet| async move { wallet.window_closed(window).await });
    stage.settle();
    assert_eq!(page.told(&stage, commit), None);
    second.look(&stage);
    second.approve(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            let mut other = Page::open(&mut play.stage, SHOP, "D9");
            other.begin(&play.stage, "commit", json!({ "preview_id": play.preview }));
            play.others.push(other);
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
