//! What a page that is not connected learns: one constant per request, whatever the wallet's state.

use countersign_core::confirm::view::Preset;
use countersign_core::time::Span;
use countersign_core::wire::ui::Command;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// A wallet in one of the states that a page must not tell apart.
fn wallet(state: &str) -> Stage {
    let mut stage = Stage::new();
    if state == "none" {
        return stage;
    }
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    if state == "others" || state == "others, locked" {
        home.adds_network(&stage, &[]);
        let mut other = Page::open(&mut stage, "https://other.example", "D0");
        other.connects(&mut stage, &[Stage::tka()], Preset::All);
    }
    if state.ends_with("locked") {
        home.must(&stage, Command::Lock);
    }
    stage
}

/// Everything a page can ask, and what it is answered. The last waits until it is due.
fn answers(stage: &mut Stage) -> Vec<Value> {
    let mut page = Page::open(stage, "https://shop.example", "D1");
    let initialize = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "a", "version": "1" },
    });
    let some = json!({ "preview_id": "00112233445566778899aabbccddeeff" });
    let mut requests = vec![
        ("initialize", initialize),
        ("ping", json!({})),
        ("tools/list", json!({})),
    ];
    for (name, arguments) in [
        ("commit", some.clone()),
        ("commit", json!({})),
        ("wallet_intent", some.clone()),
        ("wallet_cancel", some),
        ("wallet_status", json!({})),
        ("wallet_find_tools", json!({ "query": "transfer" })),
        ("wallet_call", json!({ "name": "icrc1_fee", "input": {} })),
        ("icrc1_fee", json!({})),
        ("prepare_icrc1_transfer", json!({})),
        ("wallet_connect", json!({ "canisters": "x" })),
        ("wallet_connect", json!({})),
        (
            "wallet_connect",
            json!({ "canisters": [{ "id": Stage::tka().to_text() }], "tools": ["all"] }),
        ),
    ] {
        requests.push((
            "tools/call",
            json!({ "name": name, "arguments": arguments }),
        ));
    }
    requests
        .into_iter()
        .map(|(method, params)| {
            let id = page.request(stage, method, params);
            stage.settle();
            stage.pass(Span::from_secs(46));
            page.answer(stage, id).expect("every request is answered")
        })
        .collect()
}

#[test]
fn the_answers_are_the_same_whatever_the_wallets_state() {
    let nothing = answers(&mut wallet("none"));
    for state in ["locked", "unlocked", "others", "others, locked"] {
        for attended in [true, false] {
            let mut stage = wallet(state);
            stage.world.set_attended(attended);
            assert_eq!(
                answers(&mut stage),
                nothing,
                "{state}, attended: {attended}"
            );
        }
    }
}

#[test]
fn no_window_comes_up_where_it_would_ask_for_the_passphrase() {
    for state in ["none", "locked"] {
        let mut stage = wallet(state);
        answers(&mut stage);
        stage.kill_worker();
        answers(&mut stage);
        assert!(stage.world.windows().is_empty(), "{state}");
    }
}

/// Another site's ask waits behind the lock, and the worker died: whatever a page that is not
/// connected does, the window that was closed does not come up again.
#[test]
fn another_sites_ask_is_not_brought_up_by_a_page() {
    let mut stage = wallet("others");
    let mut other = Page::open(&mut stage, "https://other.example", "D0");
    let payment = countersign_scenarios::lunch::lunch("1.5");
    let told = other.call(&stage, "prepare_icrc1_transfer", payment);
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Lock);
    let windows = stage.world.windows();
    for window in &windows {
        stage.world.close_window(window.id);
    }
    let preview = json!({ "preview_id": told["preview"]["preview_id"] });
    other.begin(&stage, "commit", preview);
    stage.settle();
    assert_eq!(
        stage.world.windows().len(),
        1,
        "a connected site's ask comes up"
    );
    let window = stage.world.windows()[0].id;
    stage.world.close_window(window);
    stage.kill_worker();
    answers(&mut stage);
    assert!(stage.world.windows().is_empty());
}
