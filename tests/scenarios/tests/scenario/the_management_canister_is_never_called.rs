//! No reject of the management canister proves anything, so nothing is asked of it: no site is
//! connected with it, whoever wishes it, and no call to it is prepared.

use candid::Principal;
use countersign_core::wire::ui::{Command, Failure, Place, Screen};
use countersign_scenarios::lunch::{SHOP, lunch};
use countersign_scenarios::{Person, Stage};
use serde_json::json;

fn management() -> String {
    Principal::management_canister().to_text()
}

#[test]
fn a_site_that_asks_for_it_is_refused_and_nobody_is_asked() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    let canisters = [Stage::gem().to_text(), management()].map(|id| json!({ "id": id }));
    let wanted = json!({ "canisters": canisters, "tools": ["all"] });
    let told = page.call(&stage, "wallet_connect", wanted);
    assert_eq!(told["code"], "E_INPUT", "{told}");
    assert_eq!(told["issues"][0]["path"], "canisters[1].id", "{told}");
    assert_eq!(stage.world.windows(), []);
}

#[test]
fn a_person_who_types_it_is_told_that_it_is_no_canister() {
    let mut stage = Stage::new();
    let _ = stage.connected(SHOP, &[Stage::tka()]);
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Show(Place::Canisters));
    let Screen::Canisters(canisters) = home.screen() else {
        panic!("the canisters are shown")
    };
    let site = canisters.sites[0].key.clone();
    let canister = management();
    home.does(&stage, Command::AddCanister { site, canister });
    assert_eq!(home.failure(), Some(&Failure::BadCanister));
}

#[test]
fn a_call_to_it_is_not_prepared() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    let posted = stage.record_calls();
    let mut wish = lunch("1.5");
    wish["canister_id"] = json!(management());
    let stop = json!({ "name": "prepare_stop_canister", "input": wish });
    for (tool, input) in [("prepare_icrc1_transfer", wish), ("wallet_call", stop)] {
        let id = page.begin(&stage, tool, input);
        stage.settle();
        let answer = page.answer(&stage, id).expect("it is answered");
        assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
    }
    assert_eq!(stage.intents(), 0);
    assert!(posted.borrow().is_empty());
}
