//! A locked wallet signs nothing, says nothing of its lock in a listing, and loses nothing.

use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Screen};
use countersign_scenarios::lunch::{SHOP, asked, paid, prepared};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{PASSPHRASE, Page, Person, Stage};
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

/// How many envelopes of a call were handed over.
fn handed_over(stage: &Stage, preview: &str) -> usize {
    let intent = stage.intent(preview).expect("it is stored");
    let handed_over = intent
        .envelopes()
        .iter()
        .filter(|e| e.handed_over.is_some());
    handed_over.count()
}

/// The worker dies anywhere in a lock, and the person unlocks before the next worker has looked at
/// anything: what had a yes and did not leave has none now, however young it was.
#[test]
fn a_yes_does_not_outlive_a_lock_that_was_cut_off() {
    let mut cut_off = 0;
    for yes in 1.. {
        for lock in 1.. {
            let mut stage = Stage::new();
            let (_page, preview, _, mut person) = asked(&mut stage);
            let preview = preview.as_str().expect("a preview id is a text").to_owned();
            let mut home = Person::at_home(&mut stage);
            person.press(&stage, person.yes());
            stage.steps(yes);
            if handed_over(&stage, &preview) > 0 {
                assert!(cut_off > 3, "{cut_off} locks were cut off");
                return;
            }
            home.press(&stage, Command::Lock);
            if !stage.is_approved(&preview) || !stage.steps(lock) {
                break;
            }
            let before = handed_over(&stage, &preview);
            stage.stop_worker();
            stage.begin_worker();
            stage.spawn(|wallet| async move {
                wallet.take_up().await;
                if !wallet.is_unlocked() {
                    wallet.unlock(PASSPHRASE).await.expect("it unlocks");
                    wallet.wake().await;
                }
            });
            stage.settle();
            cut_off += 1;
            let after = handed_over(&stage, &preview);
            assert_eq!(after, before, "{yes} steps of the yes, {lock} of the lock");
        }
    }
}

/// The lock comes at any turn between the signature and the hand-over: what had not left by then
/// never does.
#[test]
fn what_was_signed_when_the_wallet_locked_is_not_handed_over() {
    let mut kept = 0;
    for turns in 0.. {
        let mut stage = Stage::new();
        let (_page, preview, _, mut person) = asked(&mut stage);
        let preview = preview.as_str().expect("a preview id is a text").to_owned();
        person.press(&stage, person.yes());
        let is_signed = |stage: &Stage| {
            let intent = stage.intent(&preview).expect("it is stored");
            !intent.envelopes().is_empty()
        };
        while !is_signed(&stage) {
            stage.turns(1);
        }
        stage.turns(turns);
        if handed_over(&stage, &preview) > 0 {
            assert!(kept > 3, "{kept} were kept");
            return;
        }
        stage.spawn(|wallet| async move { wallet.lock().await });
        stage.turns(1);
        assert!(!stage.wallet().is_unlocked());
        // What is being stored now left before.
        stage.turns(1);
        let before = handed_over(&stage, &preview);
        kept += 1 - before;
        stage.settle();
        stage.pass(Span::from_mins(3));
        assert_eq!(handed_over(&stage, &preview), before, "{turns} turns");
        assert_eq!(paid(&stage), before, "{turns} turns");
    }
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

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.locks();
            play.unlocks();
            play.commits();
            play.yes();
            play.locks();
        },
        ..Course::default()
    }
    .sweep();
}
