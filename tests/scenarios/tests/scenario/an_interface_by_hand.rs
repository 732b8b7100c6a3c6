//! A canister that publishes no interface has the one that the person pastes, and no other canister
//! has: a pasted interface that lies about real bytes is refused with the difference.

use candid::Principal;
use countersign_core::confirm::view::{CanisterState, Pasted, Preset, Provenance, Unreadable};
use countersign_core::interface::Interface;
use countersign_core::wire::ui::{Command, Failure, Screen};
use countersign_localnet::canisters::kiosk::colliding;
use countersign_localnet::canisters::{Call, Canister};
use countersign_localnet::config::{lookalike_id, till_id};
use countersign_localnet::network::Reject;
use countersign_scenarios::lunch::{PAYEE, SHOP, lunch};
use countersign_scenarios::{Page, Person, Stage};
use serde_json::json;

/// A page that has asked for a canister, and the person before its ask, on the local network.
fn asks(stage: &mut Stage, id: Principal) -> (Page, u64, Person) {
    let mut person = Person::at_home(stage);
    person.creates(stage);
    person.adds_network(stage, &[]);
    let mut page = Page::open(stage, SHOP, "D1");
    let wanted = json!({ "canisters": [{ "id": id.to_text() }], "tools": ["all"] });
    let call = page.begin(stage, "wallet_connect", wanted);
    stage.settle();
    let mut person = Person::at_asks(stage);
    person.chooses_local(stage);
    (page, call, person)
}

fn interface(stage: &Stage) -> String {
    let network = stage.network.borrow();
    let ledger = network.ledger(Stage::tka()).expect("it is there");
    ledger.interface().to_owned()
}

fn paste(person: &Person, id: Principal, text: String) -> Command {
    Command::PasteInterface {
        ask: person.ask().id,
        canister: id.to_text(),
        text,
    }
}

#[test]
fn a_canister_without_an_interface_has_the_pasted_one_with_the_hash_of_each_label() {
    let mut stage = Stage::with_odd_ones();
    let till = till_id();
    let (mut page, call, mut person) = asks(&mut stage, till);
    match &person.connect_ask().canisters[0].state {
        CanisterState::Unreadable(Unreadable::NoInterface) => {}
        other => panic!("it publishes none, but {other:?}"),
    }
    for bad in [
        "nonsense",
        "import \"x.did\"; service : {}",
        &"/".repeat(2_000_000),
    ] {
        let press = paste(&person, till, bad.to_owned());
        person.does(&stage, press);
        assert_eq!(
            person.failure(),
            Some(&Failure::BadInterface),
            "{}",
            bad.len()
        );
    }
    let press = paste(&person, till, interface(&stage));
    person.must(&stage, press);
    match &person.facts(till).pasted {
        Pasted::Used(labels) => {
            let to = labels.iter().find(|label| label.label == "to");
            assert_eq!(to.expect("it is a label").hash, candid::idl_hash("to"));
        }
        other => panic!("it is used, but {other:?}"),
    }
    person.accepts(&stage);
    let told = page.told(&stage, call).expect("it is connected");
    let payer = Principal::from_text(told["account"].as_str().unwrap()).unwrap();
    stage.mint(till, payer, 1_000_000_000);
    let input = json!({ "canister_id": till.to_text(), "to": PAYEE, "amount": "1.5" });
    let told = page.call(&stage, "prepare_icrc1_transfer", input);
    assert_eq!(told["status"], "prepared", "{told}");
    page.begin(
        &stage,
        "commit",
        json!({ "preview_id": told["preview"]["preview_id"] }),
    );
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    let call = &person.call().call;
    assert!(call.provenance.contains(&Provenance::PastedInterface));
    let paths: Vec<&str> = call.arguments.iter().map(|a| a.path.as_str()).collect();
    let to = format!("to#{}", candid::idl_hash("to"));
    assert!(paths.contains(&to.as_str()), "{paths:?}");
    person.approve(&stage);
    assert_eq!(stage.transfers(till), [150_000_000]);
}

#[test]
fn a_pasted_interface_that_swaps_payee_and_refund_is_refused_with_the_difference() {
    let mut stage = Stage::with_odd_ones();
    let tka = Stage::tka();
    let (mut page, call, mut person) = asks(&mut stage, tka);
    let press = paste(&person, tka, colliding(&interface(&stage)));
    person.must(&stage, press);
    let Pasted::Differs(differences) = &person.facts(tka).pasted else {
        panic!("it differs, but {:?}", person.facts(tka).pasted)
    };
    let told = format!(
        "icrc1_transfer argument 1: `refund_to_6id4ubh` is pasted where the canister says `to`, \
         and both are {} in the bytes",
        candid::idl_hash("to")
    );
    assert!(differences.contains(&told), "{differences:#?}");
    // The canister's own stays, under its own names.
    person.accepts(&stage);
    page.told(&stage, call).expect("it is connected");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5 TKA"));
    assert_eq!(told["status"], "prepared", "{told}");

    let press = Command::AddCanister {
        site: format!("{SHOP} {SHOP}"),
        canister: tka.to_text(),
    };
    person.must(&stage, press);
    let mut person = Person::at_asks(&mut stage);
    let press = paste(&person, tka, interface(&stage));
    person.must(&stage, press);
    assert_eq!(person.facts(tka).pasted, Pasted::Same);
}

#[test]
fn a_ledger_that_calls_itself_by_a_known_symbol_is_told_from_the_real_one() {
    let mut stage = Stage::with_odd_ones();
    let id = lookalike_id();
    let (mut page, call, mut person) = asks(&mut stage, id);
    let facts = person.facts(id);
    let real = facts.looks_like.as_ref().expect("it looks like one");
    assert_eq!(
        (real.symbol.as_str(), real.id.as_str()),
        ("ICP", "ryjl3-tyaaa-aaaaa-aaaba-cai")
    );
    assert_eq!(facts.symbol, None);
    person.accepts(&stage);
    page.told(&stage, call).expect("it is connected");
    let listed = page.request(&stage, "tools/list", json!({}));
    stage.settle();
    let listed = page
        .answer(&stage, listed)
        .expect("the list is answered")
        .to_string();
    assert!(!listed.contains("ICP"), "no tool counts in ICP: {listed}");
    let transfer =
        |amount: &str| json!({ "canister_id": id.to_text(), "to": PAYEE, "amount": amount });
    let told = page.call(&stage, "prepare_icrc1_transfer", transfer("1.5 ICP"));
    assert_eq!(told["issues"][0]["code"], "E_SYMBOL", "{told}");
    let told = page.call(&stage, "prepare_icrc1_transfer", transfer("1.5"));
    page.begin(
        &stage,
        "commit",
        json!({ "preview_id": told["preview"]["preview_id"] }),
    );
    stage.settle();
    let person = Person::at_asks(&mut stage);
    let call = &person.call().call;
    assert_eq!(call.amount.as_ref().unwrap().unit, id.to_text());
    assert!(call.canister.looks_like.is_some());
}

#[test]
fn the_person_adds_a_canister_to_what_a_site_has() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    let mut home = Person::at_home(&mut stage);
    home.must(
        &stage,
        Command::Show(countersign_core::wire::ui::Place::Canisters),
    );
    let Screen::Canisters(canisters) = home.screen() else {
        panic!("the canisters are shown")
    };
    let site = canisters.sites[0].key.clone();
    assert_eq!(canisters.sites[0].canisters[0].id, Stage::tka().to_text());
    assert!(canisters.sites[0].canisters[0].tools > 10);
    let add = |canister: &str| Command::AddCanister {
        site: site.clone(),
        canister: canister.to_owned(),
    };
    home.does(&stage, add("no id"));
    assert_eq!(home.failure(), Some(&Failure::BadCanister));
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    home.must(&stage, add(&Stage::gem().to_text()));
    let mut person = Person::at_asks(&mut stage);
    let ask = person.connect_ask();
    assert!(ask.by_person && ask.more);
    assert_eq!(ask.preset, Preset::All);
    person.decline(&stage);
    assert_eq!(stage.world.badge(), 0);
    // The site did not ask, so a no of the person's is not one to it.
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    home.must(&stage, add(&Stage::gem().to_text()));
    let mut person = Person::at_asks(&mut stage);
    person.accepts(&stage);
    let told = page.call(&stage, "wallet_status", json!({}));
    let ids: Vec<_> = told["canisters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["id"].clone())
        .collect();
    assert_eq!(ids, [Stage::tka().to_text(), Stage::gem().to_text()]);
    home.look(&stage);
    let Screen::Canisters(canisters) = home.screen() else {
        panic!("the canisters are shown")
    };
    assert_eq!(canisters.sites[0].canisters.len(), 2);
}

#[test]
fn what_the_person_adds_is_told_to_the_site_only_with_the_yes() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    let mut home = Person::at_home(&mut stage);
    home.must(
        &stage,
        Command::AddCanister {
            site: format!("{SHOP} {SHOP}"),
            canister: Stage::gem().to_text(),
        },
    );
    let call = page.begin(&stage, "wallet_connect", json!({ "tools": ["look"] }));
    stage.settle();
    stage.pass(countersign_core::time::Span::from_secs(46));
    let told = page.told(&stage, call).expect("it is answered in time");
    assert_eq!(told["outcome"], "awaiting_confirmation", "{told}");
    assert!(
        !told.to_string().contains(&Stage::gem().to_text()),
        "{told}"
    );
}

/// A canister whose interface is this text.
#[derive(Clone)]
struct Plant {
    id: Principal,
    text: &'static str,
}

impl Canister for Plant {
    fn id(&self) -> Principal {
        self.id
    }

    fn fork(&self) -> Box<dyn Canister> {
        Box::new(self.clone())
    }

    fn candid(&self) -> Option<String> {
        Some(self.text.to_owned())
    }

    fn module_hash(&self) -> [u8; 32] {
        [7; 32]
    }

    fn certified_data(&self) -> Vec<u8> {
        Vec::new()
    }

    fn query(&self, _: &Call<'_>, method: &str, _: &[u8]) -> Result<Vec<u8>, Reject> {
        Err(Reject::no_method("query", method))
    }

    fn update(&mut self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        self.query(call, method, arg)
    }
}

#[test]
fn two_texts_of_one_meaning_stay_apart() {
    let texts = [
        "type Tree = record { left : opt Tree; age : nat }; service : { grow : () -> (Tree) query }",
        "type Bush = record { left : opt Bush; age : nat }; service : { grow : () -> (Bush) query }",
    ];
    let meaning = texts.map(|text| Interface::parse(text).unwrap().fingerprint());
    assert_eq!(meaning[0], meaning[1]);
    let mut stage = Stage::new();
    let ids = [1, 2].map(|nth| Principal::from_slice(&[0x80, 0, 0, 0, 0, 0x10, 0, 0x20, nth, 1]));
    for (id, text) in ids.into_iter().zip(texts) {
        stage.network.borrow_mut().install(Plant { id, text });
    }
    let (mut first, _) = stage.connected(SHOP, &[ids[0]]);
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    let mut second = Page::open(&mut stage, "https://other.example", "D2");
    second.connects(&mut stage, &[ids[1]], Preset::All);
    for page in [&mut first, &mut second] {
        assert!(
            page.tools(&stage).contains(&"grow".to_owned()),
            "none is withheld"
        );
    }
}
