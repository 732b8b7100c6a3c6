//! A locked wallet signs nothing, says nothing of its lock in a listing, and loses nothing.

use countersign_core::wire::ui::{Command, Screen};
use countersign_scenarios::lunch::{SHOP, asked, paid, prepared};
use countersign_scenarios::{Page, Person, Stage};
use serde_json::json;

#[test]
fn a_connected_sites_ask_brings_up_the_unlock_page_and_is_found_behind_it() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Lock);
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    let Screen::Unlock(unlock) = person.screen() else {
        panic!("{:?}", person.screen())
    };
    let asked_by = unlock.asked_by.as_ref().map(|site| site.origin());
    assert_eq!(asked_by.as_deref(), Some(SHOP));
    person.unlocks(&stage);
    person.approve(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn a_yes_pressed_as_the_wallet_locks_sends_nothing() {
    let mut stage = Stage::new();
    let (_page, _, _, mut person) = asked(&mut stage);
    let yes = person.yes();
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Lock);
    person.does(&stage, yes);
    stage.settle();
    assert_eq!(paid(&stage), 0);
}

#[test]
fn the_list_of_tools_does_not_say_whether_the_wallet_is_locked() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    let open = page.tools(&stage);
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Lock);
    assert_eq!(page.tools(&stage), open);
}

#[test]
fn an_unconnected_page_raises_no_passphrase_field() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    home.must(&stage, Command::Lock);
    let mut page = Page::open(&mut stage, SHOP, "D1");
    let arguments = json!({ "canisters": [{ "id": Stage::tka().to_text() }] });
    page.begin(&stage, "wallet_connect", arguments);
    stage.settle();
    assert!(stage.world.windows().is_empty());
    assert_eq!(stage.world.badge(), 1);
    let mut other = Page::open(&mut stage, "https://other.example", "D2");
    stage.world.set_attended(false);
    home.unlocks(&stage);
    other.begin(&stage, "wallet_connect", json!({}));
    stage.settle();
    assert!(
        stage.world.windows().is_empty(),
        "a page nobody looks at opens no window"
    );
}

#[test]
fn a_restarted_browser_is_locked() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    stage.kill_worker();
    assert!(
        stage.wallet().is_unlocked(),
        "a new worker of the same browser goes on"
    );
    stage.restart_browser();
    assert!(!stage.wallet().is_unlocked());
}
