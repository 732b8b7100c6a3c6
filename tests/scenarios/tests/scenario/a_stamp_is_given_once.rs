//! A stamp belongs to one call for ever: one that was declined is not given to the next, and no two
//! calls of one account on one ledger have one, whichever site or method they come from.

use countersign_core::confirm::view::Preset;
use countersign_core::time::Span;
use countersign_localnet::canisters::icp::Icp;
use countersign_localnet::canisters::icp::account::of_principal;
use countersign_localnet::config::icp_id;
use countersign_scenarios::doubt::{commit, preview_of};
use countersign_scenarios::lunch::{PAYEE, SHOP, asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn stamp(stage: &Stage, preview: &Value) -> u64 {
    let preview = preview.as_str().expect("a preview id is a text");
    let intent = stage.intent(preview).expect("it is stored");
    intent
        .prepared()
        .stamp
        .expect("it has a stamp")
        .at
        .as_nanos()
}

#[test]
fn a_declined_stamp_is_not_given_to_the_next_call() {
    let mut stage = Stage::new();
    let (mut page, first, id, mut person) = asked(&mut stage);
    let mut stamps = BTreeSet::from([stamp(&stage, &first)]);
    person.decline(&stage);
    assert_eq!(
        page.told(&stage, id).expect("it is told")["outcome"],
        "declined"
    );
    for declined in 2..=5 {
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_eq!(told["status"], "prepared", "{told}");
        let preview = preview_of(&told);
        stamps.insert(stamp(&stage, &preview));
        assert_eq!(stamps.len(), declined, "each call has a stamp of its own");
        let id = commit(&mut page, &stage, &preview);
        let mut person = Person::at_asks(&mut stage);
        if declined < 5 {
            person.decline(&stage);
        } else {
            person.approve(&stage);
        }
        stage.pass(Span::from_secs(1));
        page.told(&stage, id).expect("it is told");
    }
    assert_eq!(paid(&stage), 1);
    assert!(stamps.contains(&stage.stamps(Stage::tka())[0]));
}

/// Two sites wish the same, and the person says yes to both: two payments.
#[test]
fn equal_payments_from_two_sites_are_two_payments() {
    let mut stage = Stage::new();
    let (mut shop, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let mut other = Page::open(&mut stage, "https://other.example", "D2");
    let same = other.connects(&mut stage, &[Stage::tka()], Preset::All);
    assert_eq!(same, payer);
    let prepared = |page: &mut Page| {
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_eq!(told["status"], "prepared", "{told}");
        preview_of(&told)
    };
    let previews = [prepared(&mut shop), prepared(&mut other)];
    for (page, preview) in [(&mut shop, &previews[0]), (&mut other, &previews[1])] {
        let id = commit(page, &stage, preview);
        Person::at_asks(&mut stage).approve(&stage);
        stage.pass(Span::from_secs(5));
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(told["outcome"], "success", "{told}");
    }
    assert_eq!(paid(&stage), 2);
    let stamps: BTreeSet<u64> = stage.stamps(Stage::tka()).into_iter().collect();
    assert_eq!(stamps.len(), 2);
}

/// On the ICP ledger two methods can mean one transaction: with one stamp the second would be told
/// as done and never be paid.
#[test]
fn equal_meanings_of_two_methods_are_two_payments() {
    let mut stage = Stage::with_special_ones();
    let (mut shop, payer) = stage.connected(SHOP, &[icp_id()]);
    let mut other = Page::open(&mut stage, "https://other.example", "D2");
    other.connects(&mut stage, &[icp_id()], Preset::All);
    {
        let mut network = stage.network.borrow_mut();
        let now = network.now();
        let icp = network.installed_mut::<Icp>(icp_id()).expect("it is there");
        icp.mint(of_principal(payer), 1_000_000_000, now);
    }
    let legacy = json!({
        "canister_id": icp_id().to_text(),
        "to": PAYEE,
        "amount": { "e8s": "1.5" },
        "fee": { "e8s": "0.0001" },
        "memo": "0",
    });
    let newer = json!({ "canister_id": icp_id().to_text(), "to": PAYEE, "amount": "1.5" });
    let a = shop.call(&stage, "prepare_transfer", legacy);
    let b = other.call(&stage, "prepare_icrc1_transfer", newer);
    for (page, told) in [(&mut shop, a), (&mut other, b)] {
        assert_eq!(told["status"], "prepared", "{told}");
        let id = commit(page, &stage, &preview_of(&told));
        Person::at_asks(&mut stage).approve(&stage);
        stage.pass(Span::from_secs(5));
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(told["outcome"], "success", "{told}");
    }
    let network = stage.network.borrow();
    let icp = network.installed::<Icp>(icp_id()).expect("it is there");
    assert_eq!(icp.blocks().len(), 3, "a mint and two payments");
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.no();
            play.prepares("prepare_icrc1_transfer", &lunch("1.5"));
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
