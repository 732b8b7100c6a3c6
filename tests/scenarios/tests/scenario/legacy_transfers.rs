//! A payment by the older `transfer` of the ICP ledger: another pack than ICRC-1, from the input to the
//! block.

use countersign_core::confirm::view::{Amount, Call, Effect, Funds, Role};
use countersign_localnet::faults::Fault;
use countersign_scenarios::icp::{Icp, Stamp, Tokens, Transfer};
use countersign_scenarios::lunch::{PAYEE, SHOP};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

fn open() -> (Stage, Icp, Page, candid::Principal) {
    let mut stage = Stage::new();
    let icp = Icp::default();
    stage.network.borrow_mut().install(icp.clone());
    let (page, payer) = stage.connected(SHOP, &[Icp::id()]);
    icp.mint(payer, 1_000_000_000);
    (stage, icp, page, payer)
}

fn payment(fee: &str) -> Value {
    json!({
        "canister_id": Icp::id().to_text(),
        "to": PAYEE,
        "amount": { "e8s": "1.5 ICX" },
        "fee": { "e8s": fee },
        "memo": "7",
    })
}

fn payee() -> candid::Principal {
    candid::Principal::from_text(PAYEE).expect("it is one")
}

/// The call as its window shows it once everything is read.
fn shown(person: &Person) -> Call {
    person.call().call.clone()
}

fn amount(number: &str) -> Amount {
    Amount {
        number: number.to_owned(),
        unit: "ICX".to_owned(),
    }
}

#[test]
fn a_legacy_transfer_is_prepared_shown_paid_and_found_again() {
    let (mut stage, icp, mut page, payer) = open();
    let told = page.call(&stage, "prepare_transfer", payment("0.0001"));
    assert_eq!(told["status"], "prepared", "{told}");
    let preview = &told["preview"];
    let to = Icp::identifier(payee());
    let stamp = stage.intent(preview["preview_id"].as_str().expect("it has an id"));
    let stamp = stamp.and_then(|intent| intent.prepared().stamp);
    let stamp = stamp.expect("it has a stamp").at;
    assert_eq!(preview["title"], "Send tokens to an account identifier");
    assert_eq!(
        preview["arguments"],
        json!({
            "to": { "text": to, "raw": preview["arguments"]["to"]["raw"] },
            "fee": { "e8s": { "text": "0.0001 ICX", "raw": "10000" } },
            "memo": "7",
            "from_subaccount": null,
            "created_at_time": { "timestamp_nanos": {
                "text": stamp.to_string(), "raw": stamp.as_nanos().to_string(),
            } },
            "amount": { "e8s": { "text": "1.5 ICX", "raw": "150000000" } },
        })
    );
    let commit = page.begin(
        &stage,
        "commit",
        json!({ "preview_id": preview["preview_id"] }),
    );
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    let call = shown(&person);
    assert_eq!(call.title, "Send tokens to an account identifier");
    assert_eq!((call.effect, call.irreversible), (Effect::Transfer, true));
    assert_eq!(call.amount, Some(amount("1.5")));
    let party = call.party.expect("somebody is paid");
    assert_eq!((party.role, party.address), (Role::Payee, to));
    let fee = call.fee.expect("the call states a fee");
    assert_eq!((fee.amount, fee.by_ledger), (amount("0.0001"), false));
    assert_eq!(call.total, Some(amount("1.5001")));
    let Funds::Read(balance) = call.balance else {
        panic!("the balance is read: {:?}", call.balance)
    };
    assert_eq!(
        (balance.before, balance.after),
        (amount("10"), Some(amount("8.4999")))
    );
    person.approve(&stage);
    let told = page.told(&stage, commit).expect("the commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    let paid = Transfer {
        memo: 7,
        amount: Tokens { e8s: 150_000_000 },
        fee: Tokens { e8s: 10_000 },
        from_subaccount: None,
        to: icp.transfers()[0].1.to,
        created_at_time: Some(Stamp {
            timestamp_nanos: stamp.as_nanos(),
        }),
    };
    assert_eq!(icp.transfers(), [(payer, paid)]);
    // The same wish, by another way to say the payee.
    let mut again = payment("0.00010");
    again["to"] = json!(Icp::identifier(payee()));
    let told = page.call(&stage, "prepare_transfer", again);
    assert_eq!(
        (&told["status"], &told["outcome"]),
        (&json!("repeated"), &json!("already_done")),
        "{told}"
    );
}

#[test]
fn a_stated_fee_that_is_not_the_ledgers_is_shown_as_stated_and_refused_by_the_ledger() {
    let (mut stage, icp, mut page, _) = open();
    let told = page.call(&stage, "prepare_transfer", payment("0.5"));
    let preview = &told["preview"]["preview_id"];
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    let call = shown(&person);
    assert_eq!(call.fee.map(|fee| fee.amount), Some(amount("0.5")));
    assert_eq!(call.total, Some(amount("2")));
    person.approve(&stage);
    let told = page.told(&stage, commit).expect("the commit is answered");
    assert_eq!(
        (&told["outcome"], &told["case"]),
        (&json!("fix_input"), &json!("Err.BadFee")),
        "{told}"
    );
    assert_eq!(icp.transfers(), []);
}

#[test]
fn a_legacy_transfer_whose_answer_is_lost_is_never_paid_twice() {
    let (mut stage, icp, mut page, _) = open();
    let told = page.call(&stage, "prepare_transfer", payment("0.0001"));
    let preview = told["preview"]["preview_id"].clone();
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    for name in ["drop_after", "prune_status"] {
        stage.fault(Fault {
            times: None,
            method: (name == "drop_after").then(|| "transfer".to_owned()),
            ..Fault::named(name).expect("the fault has this name")
        });
    }
    let mut person = Person::at_asks(&mut stage);
    person.approve(&stage);
    stage.mend();
    stage.pass(countersign_core::time::Span::from_mins(10));
    assert_eq!(icp.transfers().len(), 1);
    let told = page.call(&stage, "prepare_transfer", payment("0.0001"));
    assert_eq!(told["status"], "repeated", "{told}");
    assert_eq!(icp.transfers().len(), 1);
}

#[test]
fn a_call_made_anew_pays_whom_the_name_stood_for_and_is_confirmed_with_that_name() {
    let mut stage = Stage::new().with_profiles(vec![Icp::profile_with_names()]);
    let icp = Icp::default();
    let stranger = Stage::tka();
    icp.lists(&[("Alice", payee()), ("Ally", payee()), ("Bob", stranger)]);
    stage.network.borrow_mut().install(icp.clone());
    let (mut page, payer) = stage.connected(SHOP, &[Icp::id()]);
    icp.mint(payer, 1_000_000_000);
    let mut named = payment("0.0001");
    named["to"] = json!("ally");
    let told = page.call(&stage, "prepare_transfer", named.clone());
    assert_eq!(told["status"], "prepared", "{told}");
    let to = &told["preview"]["arguments"]["to"];
    assert_eq!(
        (&to["text"], &to["name"]["untrusted"]),
        (&json!(Icp::identifier(payee())), &json!("Ally")),
        "{told}"
    );
    icp.lists(&[("Alice", stranger), ("Ally", stranger)]);
    icp.falls_behind(1);
    let first = told["preview"]["preview_id"].clone();
    let commit = page.begin(&stage, "commit", json!({ "preview_id": first }));
    stage.settle();
    Person::at_asks(&mut stage).approve(&stage);
    let told = page.told(&stage, commit).expect("the commit is answered");
    assert_eq!(
        (&told["outcome"], &told["case"]),
        (&json!("retry_new"), &json!("Err.TxCreatedInFuture")),
        "{told}"
    );
    assert_eq!(icp.transfers(), []);
    // The wish by its name is the call made anew.
    let told = page.call(&stage, "prepare_transfer", named);
    assert_eq!(told["status"], "repeated", "{told}");
    let second = told["preview"]["preview_id"].clone();
    assert_ne!(second, first);
    let commit = page.begin(&stage, "commit", json!({ "preview_id": second }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    let call = shown(&person);
    let to = call.arguments.iter().find(|argument| argument.path == "to");
    let to = to.map(|to| (to.text.clone(), to.name.clone()));
    assert_eq!(
        to,
        Some((Some(Icp::identifier(payee())), Some("Ally".to_owned())))
    );
    person.approve(&stage);
    let told = page.told(&stage, commit).expect("the commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    let paid: Vec<_> = icp.transfers().iter().map(|(_, t)| t.amount.e8s).collect();
    assert_eq!(paid, [150_000_000]);
    assert_eq!(stage.intents(), 2);
}

fn legacy_prepared(stage: &mut Stage) -> (Page, Value) {
    let icp = Icp::default();
    stage.network.borrow_mut().install(icp.clone());
    let (mut page, payer) = stage.connected(SHOP, &[Icp::id()]);
    icp.mint(payer, 1_000_000_000);
    let told = page.call(stage, "prepare_transfer", payment("0.0001"));
    assert_eq!(told["status"], "prepared", "{told}");
    (page, told["preview"]["preview_id"].clone())
}

fn legacy_paid(stage: &Stage) -> usize {
    let network = stage.network.borrow();
    let icp = network.installed::<Icp>(Icp::id());
    icp.expect("it is there").transfers().len()
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        begins: legacy_prepared,
        effects: legacy_paid,
        ..Course::default()
    }
    .sweep();
}
