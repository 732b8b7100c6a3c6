//! The payment that most scenarios are about: 1.5 TKA for lunch.

use crate::{Page, Person, Stage};
use serde_json::{Value, json};

/// The site that asks.
pub const SHOP: &str = "https://shop.example";

/// Who is paid.
pub const PAYEE: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";

/// Its inputs.
#[must_use]
pub fn lunch(amount: &str) -> Value {
    json!({
        "canister_id": Stage::tka().to_text(),
        "to": PAYEE,
        "amount": amount,
        "memo": "lunch",
    })
}

/// A connected page whose account has ten TKA, and its prepared payment.
///
/// # Panics
///
/// Where it is not prepared.
pub fn prepared(stage: &mut Stage) -> (Page, Value) {
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let told = page.call(stage, "prepare_icrc1_transfer", lunch("1.5 TKA"));
    assert_eq!(told["status"], "prepared", "{told}");
    let preview = told["preview"]["preview_id"].clone();
    (page, preview)
}

/// The payment committed, its ask in front of the person: the page, the preview, the id of the
/// commit's request, the person.
pub fn asked(stage: &mut Stage) -> (Page, Value, u64, Person) {
    let (mut page, preview) = prepared(stage);
    let commit = page.begin(stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let person = Person::at_asks(stage);
    (page, preview, commit, person)
}

/// How often 1.5 TKA were paid.
#[must_use]
pub fn paid(stage: &Stage) -> usize {
    let transfers = stage.transfers(Stage::tka());
    assert!(
        transfers.iter().all(|units| *units == 150_000_000),
        "{transfers:?}"
    );
    transfers.len()
}
