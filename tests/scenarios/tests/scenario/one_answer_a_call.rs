//! A call is answered once, and with what is so when it is told.

use countersign_core::confirm::view::Preset;
use countersign_core::testing::Meddling;
use countersign_core::time::Span;
use countersign_core::wire::ui::Command;
use countersign_scenarios::lunch::{SHOP, asked, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// One document withdrew the ask of another, which never heard that nothing was sent; then the call
/// was committed once more and carried out.
#[test]
fn that_nothing_was_sent_is_not_told_once_it_was() {
    let mut stage = Stage::new();
    let (mut page, preview, commit, _) = asked(&mut stage);
    let call = json!({ "preview_id": preview });
    // The first document's port is lost.
    stage.kill_worker();
    let mut other = Page::open(&mut stage, SHOP, "D2");
    let told = other.call(&stage, "wallet_cancel", call.clone());
    assert_eq!(told["retry"], "commit_preview", "{told}");
    let id = other.begin(&stage, "commit", call);
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.must(&stage, Command::Next);
    person.approve(&stage);
    assert_eq!(paid(&stage), 1);
    let told = other.told(&stage, id).expect("it is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    page.connect(&mut stage);
    stage.settle();
    let told = page.told(&stage, commit).expect("it is answered");
    assert!(
        told["outcome"] == "success" || told["outcome"] == "already_done",
        "{told}"
    );
}

fn answers(stage: &Stage, page: &mut Page, id: u64) -> Vec<Value> {
    page.listen(stage);
    page.heard
        .iter()
        .filter(|message| message["id"] == id)
        .cloned()
        .collect()
}

#[test]
fn a_call_is_answered_once_whatever_the_journal_does() {
    for with in [
        Meddling::Full,
        Meddling::Closed,
        Meddling::StoredUnheard,
        Meddling::LostUnheard,
    ] {
        for skip in 0..4 {
            let mut stage = Stage::seeded("countersign", skip + 1);
            let (mut page, preview, commit, mut person) = asked(&mut stage);
            stage.world.memory().meddle(skip, 1, with);
            let look = page.begin(&stage, "wallet_intent", json!({ "preview_id": preview }));
            let second = page.begin(&stage, "commit", json!({ "preview_id": preview }));
            stage.settle();
            stage.world.memory().meddle(0, 0, with);
            person.look(&stage);
            person.approve(&stage);
            stage.pass(Span::from_secs(50));
            stage.kill_worker();
            page.connect(&mut stage);
            stage.settle();
            stage.pass(Span::from_secs(50));
            for id in [look, second, commit] {
                let heard = answers(&stage, &mut page, id);
                assert_eq!(heard.len(), 1, "{with:?} after {skip}: {heard:?}");
            }
            assert_eq!(paid(&stage), 1);
        }
    }
}

/// The host's clock jumps while calls wait, which makes all of them due and their rows old; and the
/// journal refuses one of the answers.
#[test]
fn an_answer_that_could_not_be_stored_is_told_later_whatever_the_clock_says() {
    for skip in 0..6 {
        let mut stage = Stage::seeded("countersign", skip + 1);
        let (mut page, preview, commit, _) = asked(&mut stage);
        let second = page.begin(&stage, "commit", json!({ "preview_id": preview }));
        stage.settle();
        stage.world.set_host_clock(200_000 * 60 * 1_000_000_000);
        stage.world.memory().meddle(skip, 1, Meddling::Closed);
        stage.pass(Span::from_secs(100));
        for id in [commit, second] {
            let heard = answers(&stage, &mut page, id);
            assert_eq!(heard.len(), 1, "after {skip}: {heard:?}");
        }
    }
}

#[test]
fn a_page_that_was_prerendered_is_served_once_it_is_shown() {
    let mut stage = Stage::new();
    let mut page = Page::open_as(&mut stage, "https://shop.example", "D1", "prerender");
    let id = page.request(&stage, "tools/list", json!({}));
    stage.settle();
    let refused = page.answer(&stage, id).expect("it is answered");
    assert!(refused.get("error").is_some(), "{refused}");
    assert!(
        page.is_closed(&stage),
        "its next message opens another port"
    );
    page.lifecycle = "active".to_owned();
    page.connect(&mut stage);
    assert_eq!(page.tools(&stage).len(), 7);
}

#[test]
fn a_page_whose_port_was_lost_hears_that_its_tools_changed_when_it_listens_again() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    home.adds_network(&stage, &[]);
    let listens = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    let changed = |page: &Page| {
        let of = |note: &&Value| note["method"] == "notifications/tools/list_changed";
        page.notes.iter().filter(of).count()
    };
    let mut page = Page::open(&mut stage, SHOP, "D1");
    page.raw(&stage, &listens);
    stage.settle();
    page.loses_port(&stage);
    let mut other = Page::open(&mut stage, SHOP, "D2");
    other.connects(&mut stage, &[Stage::tka()], Preset::All);
    assert_eq!(changed(&page), 0);
    page.connect(&mut stage);
    page.says_again(&stage, &listens);
    stage.settle();
    page.listen(&stage);
    assert_eq!(changed(&page), 1);
    // A document that begins to listen now knows its tools.
    let mut third = Page::open(&mut stage, SHOP, "D3");
    third.raw(&stage, &listens);
    stage.settle();
    third.listen(&stage);
    assert_eq!(changed(&third), 0);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
