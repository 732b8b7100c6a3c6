//! The main job: prepared, approved, sent, answered; and whatever is asked again sends nothing.

use countersign_core::time::Span;
use countersign_scenarios::lunch::{PAYEE, SHOP, lunch, prepared};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};
use serde_json::json;

#[test]
fn an_approved_payment_is_in_the_log_once_and_a_second_commit_sends_nothing() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    assert_eq!(page.told(&stage, commit), None);
    let mut person = Person::at_asks(&mut stage);
    let call = &person.call().call;
    assert_eq!(
        call.amount
            .as_ref()
            .map(|a| format!("{} {}", a.number, a.unit))
            .as_deref(),
        Some("1.5 TKA")
    );
    assert_eq!(
        call.party.as_ref().map(|party| party.address.as_str()),
        Some(PAYEE)
    );
    person.approve(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(
        (&told["outcome"], &told["case"]),
        (&json!("success"), &json!("Ok")),
        "{told}"
    );
    assert_eq!(stage.transfers(Stage::tka()), [150_000_000]);
    let posted = stage.counters(Stage::tka()).calls_posted;
    let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(stage.counters(Stage::tka()).calls_posted, posted);
    assert_eq!(stage.transfers(Stage::tka()), [150_000_000]);
}

#[test]
fn a_decline_sends_nothing() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.decline(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "declined", "{told}");
    assert!(stage.transfers(Stage::tka()).is_empty());
}

#[test]
fn closing_the_window_is_a_decline() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let window = stage.world.windows().pop().expect("a window came up").id;
    let _person = Person::at_asks(&mut stage);
    stage.world.close_window(window);
    stage.spawn(move |wallet| async move { wallet.window_closed(window).await });
    stage.settle();
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "declined", "{told}");
    assert!(stage.transfers(Stage::tka()).is_empty());
}

#[test]
fn a_closed_window_decides_nothing_before_a_quitting_browser_would_have_ended_the_worker() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let window = stage.world.windows().pop().expect("a window came up").id;
    let _person = Person::at_asks(&mut stage);
    stage.world.close_window(window);
    let closed = stage.world.now();
    stage.spawn(move |wallet| async move { wallet.window_closed(window).await });
    let told = (0..1_000).find_map(|_| {
        stage.turns(1);
        page.told(&stage, commit)
    });
    assert_eq!(told.expect("commit is answered")["outcome"], "declined");
    let passed = stage.world.now().since(closed);
    assert!(passed >= Span::from_millis(500), "{passed:?}");
}

#[test]
fn preparing_the_same_wish_again_gives_the_same_preview() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.50"));
    assert_eq!(told["status"], "repeated", "{told}");
    assert_eq!(told["preview"]["preview_id"], preview);
}

#[test]
fn amounts_with_too_many_digits_or_as_numbers_are_refused_and_nothing_is_stored() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.123456789 TKA"));
    assert_eq!(told["issues"][0]["code"], "E_EXCESS_PRECISION", "{told}");
    let mut number = lunch("1");
    number["amount"] = json!(1);
    let told = page.call(&stage, "prepare_icrc1_transfer", number);
    assert_eq!(told["issues"][0]["code"], "E_TYPE", "{told}");
}

#[test]
fn a_balance_is_read_without_a_person() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let arguments = json!({ "canister_id": Stage::tka().to_text(), "account": payer.to_text() });
    let told = page.call(&stage, "icrc1_balance_of", arguments);
    assert_eq!(told["reply"]["text"], "10 TKA", "{told}");
}

#[test]
fn wherever_the_worker_dies() {
    Course::default().sweep();
}
