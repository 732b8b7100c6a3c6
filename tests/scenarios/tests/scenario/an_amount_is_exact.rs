//! An amount is shown, told and sent to its last digit, where a number with a binary point would
//! have lost half of them.

use countersign_core::time::Span;
use countersign_scenarios::doubt::{commit, preview_of};
use countersign_scenarios::lunch::{PAYEE, SHOP};
use countersign_scenarios::{Person, Stage};
use serde_json::json;

const EXACT: &str = "123456789.123456789012345678";
const UNITS: u128 = 123_456_789_123_456_789_012_345_678;

#[test]
fn all_twenty_seven_digits_of_it() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::gem()]);
    stage.mint(Stage::gem(), payer, 2 * UNITS);
    let wish = json!({ "canister_id": Stage::gem().to_text(), "to": PAYEE, "amount": EXACT });
    let told = page.call(&stage, "prepare_icrc1_transfer", wish);
    assert_eq!(told["status"], "prepared", "{told}");
    let amount = &told["preview"]["arguments"]["amount"];
    assert_eq!(amount["raw"], UNITS.to_string(), "{told}");
    let text = amount["text"].as_str().unwrap_or_default();
    assert!(text.contains(EXACT), "{text}");
    let id = commit(&mut page, &stage, &preview_of(&told));
    let mut person = Person::at_asks(&mut stage);
    let shown = person.call().call.amount.clone().expect("it is shown");
    assert_eq!(
        shown.number.replace([',', ' ', '\u{202f}', '\''], ""),
        EXACT
    );
    person.approve(&stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(stage.transfers(Stage::gem()), [UNITS]);
}
