//! A site is connected by the person, and has what it was given and no more.

use countersign_scenarios::{Page, Person, Stage};
use serde_json::json;

const SHOP: &str = "https://shop.example";

#[test]
fn a_site_that_is_not_connected_has_the_constant_list() {
    let mut stage = Stage::new();
    let mut page = Page::open(&mut stage, SHOP, "D1");
    let tools = page.tools(&stage);
    let constant = [
        "commit",
        "wallet_call",
        "wallet_cancel",
        "wallet_connect",
        "wallet_find_tools",
        "wallet_intent",
        "wallet_status",
    ];
    assert_eq!(tools, constant);
    for tool in constant.iter().filter(|tool| **tool != "wallet_connect") {
        let told = page.call(&stage, tool, json!({}));
        assert_eq!(told["code"], "E_NOT_CONNECTED", "{tool}: {told}");
        assert_eq!(told["next"]["tool"], "wallet_connect");
    }
}

#[test]
fn a_connected_site_has_the_ledgers_tools_and_learns_which_methods_have_none() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    let tools = page.tools(&stage);
    let own = tools
        .iter()
        .filter(|name| name.starts_with("wallet_"))
        .count();
    assert_eq!(own, 6);
    assert_eq!(tools.len() - own, 22, "{tools:?}");
    let told = page.call(&stage, "wallet_status", json!({}));
    let skipped = told["canisters"][0]["skipped"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!(skipped.len(), 5, "{told}");
}

#[test]
fn a_refusal_is_told_and_leaves_nothing() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    home.adds_network(&stage, &[]);
    let mut page = Page::open(&mut stage, SHOP, "D1");
    let call = json!({ "canisters": [{ "id": Stage::tka().to_text() }] });
    let id = page.begin(&stage, "wallet_connect", call);
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.decline(&stage);
    let told = page.told(&stage, id).expect("the decline is told");
    assert_eq!(told["outcome"], "declined");
    assert_eq!(
        page.call(&stage, "wallet_status", json!({}))["code"],
        "E_NOT_CONNECTED"
    );
}

#[test]
fn asking_while_there_is_no_wallet_opens_no_window_and_is_found_later() {
    let mut stage = Stage::new();
    let mut page = Page::open(&mut stage, SHOP, "D1");
    let call = json!({ "canisters": [{ "id": Stage::tka().to_text() }] });
    page.begin(&stage, "wallet_connect", call);
    stage.settle();
    assert!(stage.world.windows().is_empty());
    assert_eq!(stage.world.badge(), 1);
}

/// The second ask takes the place of the first, whose document waits on.
#[test]
fn two_documents_that_ask_for_different_canisters_both_get_what_they_asked() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    home.adds_network(&stage, &[]);
    let mut pages = ["D1", "D2"].map(|document| Page::open(&mut stage, SHOP, document));
    let ids = [Stage::tka(), Stage::gem()].map(|id| id.to_text());
    let mut asks = Vec::new();
    for (page, id) in pages.iter_mut().zip(&ids) {
        let wanted = json!({ "canisters": [{ "id": id }], "tools": ["all"] });
        asks.push(page.begin(&stage, "wallet_connect", wanted));
        stage.settle();
    }
    let mut person = Person::at_asks(&mut stage);
    person.connects(&stage);
    for (page, ask) in pages.iter_mut().zip(asks) {
        let told = page.told(&stage, ask).expect("both are answered");
        assert_eq!(told["outcome"], "success", "{told}");
        assert_eq!(told["canisters"], json!(ids), "{told}");
    }
}
