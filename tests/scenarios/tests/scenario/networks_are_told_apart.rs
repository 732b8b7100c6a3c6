//! A network is its root key. What is signed for one is worth nothing on another.

use countersign_core::ports::Exchange;
use countersign_core::testing::HttpRequest;
use countersign_core::wire::ui::{Adding, Command, Place, ReadFailure, Screen};
use countersign_localnet::Config;
use countersign_scenarios::lunch::{SHOP, asked, lunch, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage, URL};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn a_call_signed_for_one_network_moves_nothing_of_the_wallets_on_another() {
    let mut stage = Stage::new();
    let bodies = stage.record_calls();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    let preview = told["preview"]["preview_id"].clone();
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.approve(&stage);
    assert_eq!(paid(&stage), 1);

    // The same wallet adds another network with the same ledger id: it has another account there.
    let mut other = Config::seeded("another network").network();
    let home = stage.home_on(&mut other);
    assert_ne!(home, payer, "an account belongs to one network");
    let now = stage.world.now().as_nanos();
    other
        .ledger_mut(Stage::tka())
        .expect("the ledger has the same id there")
        .mint(home.into(), 1_000_000_000, now)
        .expect("the amount fits");
    for (path, body) in bodies.borrow().iter() {
        other.handle("POST", path, body, now);
    }
    let ledger = other
        .ledger(Stage::tka())
        .expect("the ledger has the same id there");
    assert_eq!(ledger.balance(&home.into()), 1_000_000_000);
}

#[test]
fn an_endpoint_that_serves_its_own_root_key_is_not_believed() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    // Somebody else answers at the same address, with valid signatures under another key.
    let impostor = Rc::new(RefCell::new(Config::seeded("an impostor").network()));
    stage.world.connect(Rc::new(move |request: HttpRequest| {
        let path = request.url.strip_prefix(URL).unwrap_or_default().to_owned();
        let method = if request.body.is_some() {
            "POST"
        } else {
            "GET"
        };
        let body = request.body.unwrap_or_default();
        let response = impostor
            .borrow_mut()
            .handle(method, &path, &body, request.at.as_nanos());
        match response.http() {
            Some((status, body)) => Exchange::Answer {
                status,
                body: body.to_vec(),
            },
            None => Exchange::NoAnswer,
        }
    }));
    stage.world.pass(countersign_core::time::Span::from_mins(2));
    let arguments = json!({ "canister_id": Stage::tka().to_text() });
    let told = page.call(&stage, "icrc1_fee", arguments);
    assert_eq!(told["code"], "E_NO_CERTIFIED_TIME", "{told}");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(told["code"], "E_NO_CERTIFIED_TIME", "{told}");
}

#[test]
fn an_address_where_nothing_answers_adds_no_network() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    home.must(&stage, Command::Show(Place::Networks));
    stage.connected.set(false);
    home.must(
        &stage,
        Command::ReadNetwork {
            url: URL.to_owned(),
        },
    );
    let Screen::Networks(networks) = home.screen() else {
        panic!("the networks are shown")
    };
    assert!(
        matches!(
            networks.adding,
            Some(Adding::Failed {
                why: ReadFailure::NoAnswer,
                ..
            })
        ),
        "{:?}",
        networks.adding
    );
    assert_eq!(networks.networks.len(), 1, "mainnet alone");
}

#[test]
fn the_same_job_runs_on_a_second_ledger_with_eighteen_decimals() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::gem()]);
    stage.mint(Stage::gem(), payer, 10_000_000_000_000_000_000);
    let mut arguments = lunch("1.5 GEM");
    arguments["canister_id"] = json!(Stage::gem().to_text());
    let told = page.call(&stage, "prepare_icrc1_transfer", arguments);
    let preview = told["preview"]["preview_id"].clone();
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.approve(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(stage.transfers(Stage::gem()), [1_500_000_000_000_000_000]);
    let _: &Page = &page;
}

/// Somebody reads an address that serves the root key of a network which is in use.
#[test]
fn reading_an_address_sends_nothing_there_of_what_is_under_way() {
    const NEW: &str = "http://127.0.0.1:4999";
    let mut alone = None;
    // Before anything is under way, and at ever later turns of it.
    for turns in [
        None,
        Some(0),
        Some(10),
        Some(20),
        Some(30),
        Some(40),
        Some(50),
    ] {
        let mut stage = Stage::new();
        let (_page, _, _, mut person) = asked(&mut stage);
        let mut home = Person::at_home(&mut stage);
        home.must(&stage, Command::Show(Place::Networks));
        let (network, posts) = (Rc::clone(&stage.network), Rc::new(RefCell::new(Vec::new())));
        let noted = Rc::clone(&posts);
        stage.world.connect(Rc::new(move |request: HttpRequest| {
            let new = request.url.strip_prefix(NEW);
            let path = new.or(request.url.strip_prefix(URL)).unwrap_or_default();
            let method = if request.body.is_some() {
                "POST"
            } else {
                "GET"
            };
            if new.is_some() && request.body.is_some() {
                noted.borrow_mut().push(path.to_owned());
            }
            let body = request.body.clone().unwrap_or_default();
            let at = request.at.as_nanos();
            let response = network.borrow_mut().handle(method, path, &body, at);
            match response.http() {
                Some((status, body)) => Exchange::Answer {
                    status,
                    body: body.to_vec(),
                },
                None => Exchange::NoAnswer,
            }
        }));
        if let Some(turns) = turns {
            let yes = person.yes();
            person.press(&stage, yes);
            stage.turns(turns);
        }
        let url = NEW.to_owned();
        home.press(&stage, Command::ReadNetwork { url });
        stage.settle();
        assert_eq!(paid(&stage), usize::from(turns.is_some()));
        // The reading itself: its certificate, and the subnet's of that.
        let posts = posts.borrow();
        let reads = posts.iter().filter(|path| path.ends_with("/read_state"));
        assert_eq!(
            reads.count(),
            posts.len(),
            "after {turns:?} turns: {posts:?}"
        );
        match alone {
            None => alone = Some(posts.len()),
            Some(alone) => assert_eq!(posts.len(), alone, "after {turns:?} turns: {posts:?}"),
        }
    }
}

fn gems_prepared(stage: &mut Stage) -> (Page, Value) {
    let (mut page, payer) = stage.connected(SHOP, &[Stage::gem()]);
    stage.mint(Stage::gem(), payer, 10_000_000_000_000_000_000);
    let mut arguments = lunch("1.5 GEM");
    arguments["canister_id"] = json!(Stage::gem().to_text());
    let told = page.call(stage, "prepare_icrc1_transfer", arguments);
    (page, told["preview"]["preview_id"].clone())
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        begins: gems_prepared,
        effects: |stage| stage.transfers(Stage::gem()).len(),
        ..Course::default()
    }
    .sweep();
}
