//! What a canister or a site says of itself can only narrow: the attacks that a profile makes
//! possible, and what the windows say instead.

use candid::Principal;
use countersign_core::confirm::digest::RetryClass;
use countersign_core::confirm::view::{
    CallAsk, Effect, Filled, Preset, ProfileFrom, ProfileView, Provenance,
};
use countersign_core::ids::ContentHash;
use countersign_core::wire::ui::{Command, Failure};
use countersign_localnet::canisters::kiosk::{CANARY, Kiosk, LEDGER_PROFILE, stranger};
use countersign_scenarios::lunch::{SHOP, lunch};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// A page that has asked for canisters, and the person before its ask, on the local network.
fn asks(stage: &mut Stage, canisters: Value) -> (Page, u64, Person) {
    let mut person = Person::at_home(stage);
    person.creates(stage);
    person.adds_network(stage, &[]);
    let mut page = Page::open(stage, SHOP, "D1");
    let wanted = json!({ "canisters": canisters, "tools": ["all"] });
    let id = page.begin(stage, "wallet_connect", wanted);
    stage.settle();
    let mut person = Person::at_asks(stage);
    person.chooses_local(stage);
    (page, id, person)
}

fn kiosk() -> Value {
    json!([{ "id": Kiosk::id().to_text() }])
}

fn the_profile(person: &Person, id: Principal) -> &ProfileView {
    let profiles = &person.facts(id).profiles;
    assert_eq!(profiles.len(), 1, "{profiles:?}");
    &profiles[0]
}

/// Every change that a profile would make, in lines.
fn changes(profile: &ProfileView) -> Vec<String> {
    let told = profile.changes.iter();
    told.map(|change| format!("{}: {}", change.place, change.what))
        .collect()
}

/// The press by which the person trusts a profile.
fn trust(person: &Person, id: Principal, profile: ContentHash) -> Command {
    Command::TrustProfile {
        ask: person.ask().id,
        canister: id.to_text(),
        profile,
        trusted: true,
    }
}

/// What the person says of the kiosk: no more than what its numbers are, so that an order can be
/// made at all.
const PLAIN: &str = r#"{
    "format": "candid-profile", "format_version": 0, "name": "plain",
    "methods": { "checkout": {
        "intent": "Order", "effect": { "kind": "other", "irreversible": true },
        "outcome": { "Ok": "success", "Err": "fail" }, "at": {
        "amount": { "describe": "Amount in cents" }, "nonce": { "describe": "Any number" },
        "fee": { "describe": "Fee in cents" }, "note": { "describe": "Note" }
    } } }
}"#;

/// Connects the site with the kiosk, whose own profile stays untrusted.
fn connects_plainly(stage: &mut Stage) -> Page {
    connects_with(stage, PLAIN)
}

/// The same with this profile of the person's.
fn connects_with(stage: &mut Stage, profile: &str) -> Page {
    let (mut page, id, mut person) = asks(stage, kiosk());
    assert!(
        person
            .connect_ask()
            .tools
            .iter()
            .all(|tool| !tool.name.contains("checkout"))
    );
    let (ask, canister, text) = (person.ask().id, Kiosk::id().to_text(), profile.to_owned());
    person.must(
        stage,
        Command::PasteProfile {
            ask,
            canister,
            text,
        },
    );
    let pasted = &person.facts(Kiosk::id()).profiles[1];
    assert_eq!((pasted.from, pasted.trusted), (ProfileFrom::Person, false));
    assert!(
        person
            .connect_ask()
            .tools
            .iter()
            .all(|tool| !tool.name.contains("checkout"))
    );
    let press = trust(&person, Kiosk::id(), pasted.hash);
    person.must(stage, press);
    person.accepts(stage);
    page.told(stage, id).expect("it is connected");
    page
}

/// What the site orders.
fn wish() -> Value {
    json!({
        "canister_id": Kiosk::id().to_text(),
        "payee": stranger().to_text(),
        "amount": "10800",
        "nonce": "7",
    })
}

/// The call of an order, in front of the person.
fn order(stage: &mut Stage, page: &mut Page, wish: Value) -> (Value, Person) {
    let told = page.call(stage, "prepare_checkout", wish);
    assert_eq!(told["status"], "prepared", "{told}");
    page.begin(
        stage,
        "commit",
        json!({ "preview_id": told["preview"]["preview_id"] }),
    );
    stage.settle();
    (told, Person::at_asks(stage))
}

fn argument<'a>(call: &'a CallAsk, path: &str) -> &'a countersign_core::confirm::view::Argument {
    let found = call
        .call
        .arguments
        .iter()
        .find(|argument| argument.path == path);
    found.unwrap_or_else(|| panic!("{path} is shown: {:?}", call.call.arguments))
}

#[test]
fn what_a_canister_says_of_itself_is_told_as_the_changes_it_would_make() {
    let mut stage = Stage::with_odd_ones();
    let (_, _, person) = asks(&mut stage, kiosk());
    let profile = the_profile(&person, Kiosk::id());
    assert_eq!(profile.from, ProfileFrom::Canister);
    assert!(!profile.trusted);
    assert_eq!(
        changes(profile),
        [
            "checkout $args[0].payee: a name of `people` could be given in place of the value, and stand beside it",
            "checkout $args[0].amount: the number would be shown as a length of time, in seconds",
            "checkout $args[0].fee: the position would be left empty, and nobody asked for it",
            "checkout $args[0].note: the position would be hidden, and left empty",
            "checkout: the call would be told as `read`, which can be undone",
            "checkout: the wallet would fill `$args[0].nonce`, and say that the canister drops repeats by it",
            "checkout: every other reply would count as done",
            "people: the names that its reply lists could stand for values",
            "price: the call would be told as `transfer`, which can be undone",
            "checkout: a reply `(0).Ok` would count as not done, and a new call be made in its place",
            "checkout: a reply `(0).Err` would count as not done, and the same call be sent again",
        ]
    );
    let never = profile.changes.iter().filter(|change| change.never);
    assert_eq!(
        never.count(),
        2,
        "classes that act from no profile are told last"
    );
    let problems = profile.problems.iter();
    let problems: Vec<_> = problems
        .map(|problem| (&*problem.place, &*problem.what))
        .collect();
    assert_eq!(
        problems,
        [
            ("price", "a query changes nothing"),
            ("signin", "the interface has no method of this name"),
        ]
    );
    assert!(
        profile
            .quotes
            .iter()
            .all(|quote| quote.words.contains(CANARY))
    );
}

#[test]
fn the_four_attacks_of_a_profile_show_the_plain_call_instead() {
    let mut stage = Stage::with_odd_ones();
    let mut page = connects_plainly(&mut stage);
    let (_, person) = order(&mut stage, &mut page, wish());
    let ask = person.call();
    // The wrong sentence: no title, no kind, no format of the canister's.
    assert_eq!(ask.call.title, "Order");
    assert_eq!(ask.call.effect, Effect::Other);
    assert!(ask.call.irreversible);
    assert_eq!(argument(ask, "amount").text.as_deref(), Some("10800"));
    // The wrong person: the value alone.
    let payee = argument(ask, "payee");
    assert_eq!(
        (payee.text.as_deref(), payee.name.as_deref()),
        (Some(stranger().to_text().as_str()), None)
    );
    assert_eq!(argument(ask, "fee").filled, Filled::Nobody);
    // False safety: nothing says that it may be sent again.
    assert_eq!(ask.lost.class, RetryClass::Unstamped);
    assert_eq!(
        ask.call.provenance[0],
        Provenance::Person("plain".to_owned())
    );
    // Its words stand apart, as its own.
    let quotes = &ask.call.quotes;
    assert_eq!(quotes[0].by, ProfileFrom::Canister);
    assert_eq!(
        (quotes[0].about.as_deref(), quotes[0].words.as_str()),
        (None, "Sign in <b>CANARY-7f3a</b>")
    );
    assert_eq!(quotes[1].about.as_deref(), Some("payee"));
}

#[test]
fn a_profile_makes_no_done_call_be_made_anew() {
    let mut stage = Stage::with_odd_ones();
    let mut page = connects_plainly(&mut stage);
    let (prepared, mut person) = order(&mut stage, &mut page, wish());
    person.approve(&stage);
    let preview = prepared["preview"]["preview_id"].clone();
    let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert!(
        !["retry_new", "retry_same"].contains(&told["outcome"].as_str().unwrap()),
        "{told}"
    );
    assert_eq!(stage.intents(), 1, "no successor was made");
    assert_eq!(stage.counters(Kiosk::id()).calls_executed, 1);
}

#[test]
fn not_even_a_trusted_profile_has_a_call_made_anew_or_sent_again() {
    for class in ["retry_new", "retry_same"] {
        let mut stage = Stage::with_odd_ones();
        let stamped = format!(
            r#""idempotency": {{ "stamp": "$args[0].nonce", "window": 86400, "drift": 60 }},
            "outcome": {{ "Ok": "{class}""#
        );
        let profile = PLAIN.replace(r#""outcome": { "Ok": "success""#, &stamped);
        assert_ne!(profile, PLAIN);
        let mut page = connects_with(&mut stage, &profile);
        let mut unstamped = wish();
        unstamped.as_object_mut().unwrap().remove("nonce");
        let (prepared, mut person) = order(&mut stage, &mut page, unstamped);
        assert_eq!(person.call().lost.class, RetryClass::Claimed);
        person.approve(&stage);
        let preview = prepared["preview"]["preview_id"].clone();
        let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
        assert_eq!(told["outcome"], "fail", "{class}: {told}");
        assert_eq!(told["retry"], "after_person", "{class}: {told}");
        assert_eq!(stage.intents(), 1, "{class}: no successor was made");
        assert_eq!(stage.counters(Kiosk::id()).calls_executed, 1, "{class}");
    }
}

#[test]
fn a_site_gives_a_profile_for_itself_alone() {
    let mut stage = Stage::with_odd_ones();
    let profile: Value = serde_json::from_str(LEDGER_PROFILE).unwrap();
    let tka = Stage::tka();
    let (mut page, id, mut person) = asks(
        &mut stage,
        json!([{ "id": tka.to_text(), "profile": profile }]),
    );
    let given = the_profile(&person, tka);
    assert_eq!(given.from, ProfileFrom::Site);
    assert_eq!(given.changes.len(), 4, "{:?}", given.changes);
    assert!(
        given.changes.iter().all(|change| change.never),
        "a pack says what these are: {:?}",
        given.changes
    );
    person.accepts(&stage);
    page.told(&stage, id).expect("it is connected");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5 TKA"));
    assert_eq!(told["preview"]["title"], "Send tokens", "{told}");
    let definitions = page.request(&stage, "tools/list", json!({}));
    stage.settle();
    let listed = page
        .answer(&stage, definitions)
        .expect("the list is answered");
    assert!(!listed.to_string().contains(CANARY));

    let mut other = Page::open(&mut stage, "https://other.example", "D2");
    let wanted = json!({ "canisters": [{ "id": tka.to_text() }], "tools": ["all"] });
    other.begin(&stage, "wallet_connect", wanted);
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.chooses_local(&stage);
    assert_eq!(person.facts(tka).profiles, []);
    person.accepts(&stage);
    assert!(
        page.tools(&stage)
            .contains(&"prepare_icrc1_transfer".to_owned()),
        "nothing was withheld"
    );
}

#[test]
fn a_trusted_profile_says_what_it_says_until_it_is_trusted_no_longer() {
    let mut stage = Stage::with_odd_ones();
    let (mut page, id, mut person) = asks(&mut stage, kiosk());
    let before = person.connect_ask().shown;
    let profile = the_profile(&person, Kiosk::id()).hash;
    let trust = |person: &Person, trusted| Command::TrustProfile {
        ask: person.ask().id,
        canister: Kiosk::id().to_text(),
        profile,
        trusted,
    };
    let yes = trust(&person, true);
    person.must(&stage, yes);
    assert!(the_profile(&person, Kiosk::id()).trusted);
    // What was shown before is not what a yes would be to.
    let (ask, shown) = (person.ask().id, before);
    person.does(&stage, Command::Connect { ask, shown });
    assert_eq!(person.failure(), Some(&Failure::AskChanged));
    let checkout = person
        .connect_ask()
        .tools
        .iter()
        .find(|tool| tool.name.ends_with("checkout"));
    let definition = checkout
        .expect("it gives a tool")
        .definition
        .clone()
        .unwrap();
    assert!(
        definition.contains(CANARY),
        "it is shown as a model will read it: {definition}"
    );
    person.accepts(&stage);
    page.told(&stage, id).expect("it is connected");
    let listed = page.request(&stage, "tools/list", json!({}));
    stage.settle();
    let listed = page.answer(&stage, listed).expect("the list is answered");
    let tools = listed["result"]["tools"].as_array().unwrap();
    let told = tools
        .iter()
        .find(|tool| tool["name"].as_str().unwrap().ends_with("checkout"));
    assert_eq!(told, Some(&serde_json::from_str(&definition).unwrap()));

    // Asked for anew, it is taken back.
    let wanted = json!({ "canisters": kiosk(), "tools": ["look"] });
    page.begin(&stage, "wallet_connect", wanted);
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.chooses_local(&stage);
    assert!(
        the_profile(&person, Kiosk::id()).trusted,
        "what was trusted stays so"
    );
    let no = trust(&person, false);
    person.must(&stage, no);
    assert!(!the_profile(&person, Kiosk::id()).trusted);
    let all = Command::Choose {
        ask: person.ask().id,
        account: person.connect_ask().account.clone(),
        preset: Preset::All,
    };
    person.must(&stage, all);
    person.accepts(&stage);
    let listed = page.request(&stage, "tools/list", json!({}));
    stage.settle();
    let listed = page.answer(&stage, listed).expect("the list is answered");
    assert!(!listed.to_string().contains(CANARY));
}

#[test]
fn a_profile_survives_the_death_of_the_worker() {
    let mut stage = Stage::with_odd_ones();
    let (mut page, id, mut person) = asks(&mut stage, kiosk());
    let profile = the_profile(&person, Kiosk::id()).hash;
    let (ask, canister) = (person.ask().id, Kiosk::id().to_text());
    person.must(
        &stage,
        Command::TrustProfile {
            ask,
            canister,
            profile,
            trusted: true,
        },
    );
    stage.kill_worker();
    page.connect(&mut stage);
    person.connect(&mut stage);
    person.chooses_local(&stage);
    assert!(the_profile(&person, Kiosk::id()).trusted);
    person.accepts(&stage);
    page.told(&stage, id).expect("it is connected");
    stage.kill_worker();
    page.connect(&mut stage);
    let tools = page.tools(&stage);
    assert!(
        tools.contains(&"prepare_checkout".to_owned()) || tools.contains(&"checkout".to_owned()),
        "{tools:?}"
    );
}

#[test]
fn a_profile_that_is_none_or_too_long_is_refused_and_nothing_is_asked() {
    let mut stage = Stage::with_odd_ones();
    let mut person = Person::at_home(&mut stage);
    person.creates(&stage);
    let mut page = Page::open(&mut stage, SHOP, "D1");
    let id = Stage::tka().to_text();
    for (profile, code) in [
        (json!("a text"), "E_TYPE"),
        (json!({ "name": "x".repeat(70_000) }), "E_LENGTH"),
    ] {
        let wanted = json!({ "canisters": [{ "id": id, "profile": profile }] });
        let told = page.call(&stage, "wallet_connect", wanted);
        assert_eq!(told["issues"][0]["code"], code, "{told}");
        assert_eq!(told["issues"][0]["path"], "canisters[0].profile");
    }
    assert_eq!(stage.world.badge(), 0);
}

#[test]
fn a_profile_that_cannot_be_read_is_told_as_such_and_says_nothing() {
    let mut stage = Stage::with_odd_ones();
    let tka = Stage::tka();
    let (_, _, person) = asks(
        &mut stage,
        json!([{ "id": tka.to_text(), "profile": { "format": "other" } }]),
    );
    let given = the_profile(&person, tka);
    assert_eq!(given.name, None);
    assert_eq!(given.problems.len(), 1);
    assert_eq!(
        person.connect_ask().blocked,
        None,
        "the canister can be had all the same"
    );
}

#[test]
fn what_is_trusted_for_a_site_is_proposed_to_no_other() {
    let mut stage = Stage::with_odd_ones();
    let given: Value = serde_json::from_str(PLAIN).unwrap();
    let wanted = json!([{ "id": Kiosk::id().to_text(), "profile": given }]);
    let (mut page, id, mut person) = asks(&mut stage, wanted);
    let of_the_site = person.facts(Kiosk::id()).profiles[1].hash;
    let press = trust(&person, Kiosk::id(), of_the_site);
    person.must(&stage, press);
    person.accepts(&stage);
    page.told(&stage, id).expect("it is connected");
    assert!(page.tools(&stage).contains(&"prepare_checkout".to_owned()));

    let mut other = Page::open(&mut stage, "https://other.example", "D2");
    other.begin(
        &stage,
        "wallet_connect",
        json!({ "canisters": kiosk(), "tools": ["all"] }),
    );
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.chooses_local(&stage);
    let profiles = &person.facts(Kiosk::id()).profiles;
    assert!(
        profiles.iter().all(|profile| profile.hash != of_the_site),
        "{profiles:?}"
    );
}

#[test]
fn what_is_trusted_is_trusted_for_the_code_that_was_shown() {
    let mut stage = Stage::with_odd_ones();
    let tka = Stage::tka();
    let profile: Value = serde_json::from_str(LEDGER_PROFILE).unwrap();
    let wanted = json!([{ "id": tka.to_text(), "profile": profile }]);
    let (mut page, id, mut person) = asks(&mut stage, wanted.clone());
    let press = trust(&person, tka, the_profile(&person, tka).hash);
    person.must(&stage, press);
    assert!(the_profile(&person, tka).trusted);
    person.accepts(&stage);
    page.told(&stage, id).expect("it is connected");
    let again = json!({ "canisters": wanted, "tools": ["look"] });
    page.begin(&stage, "wallet_connect", again.clone());
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.chooses_local(&stage);
    assert!(the_profile(&person, tka).trusted, "of the same code");
    person.decline(&stage);
    let network = stage.network.clone();
    network
        .borrow_mut()
        .ledger_mut(tka)
        .expect("it is there")
        .upgrade();
    page.begin(&stage, "wallet_connect", again);
    stage.settle();
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::OpenAsks);
    let mut person = Person::at_asks(&mut stage);
    person.chooses_local(&stage);
    assert!(!the_profile(&person, tka).trusted, "other code");
}

#[test]
fn a_profile_whose_values_cannot_be_read_is_taken_back() {
    let mut stage = Stage::with_odd_ones();
    let (_, _, mut person) = asks(&mut stage, kiosk());
    let text = r#"{ "format": "candid-profile", "format_version": 0, "name": "broken",
        "methods": { "checkout": { "at": { "amount": { "value": {
            "kind": "amount", "decimals": { "from": "query:people" } } } } } } }"#;
    let (ask, canister, text) = (person.ask().id, Kiosk::id().to_text(), text.to_owned());
    person.must(
        &stage,
        Command::PasteProfile {
            ask,
            canister,
            text,
        },
    );
    let pasted = &person.facts(Kiosk::id()).profiles[1];
    let press = trust(&person, Kiosk::id(), pasted.hash);
    person.does(&stage, press);
    let profiles = &person.facts(Kiosk::id()).profiles;
    assert!(!profiles[1].trusted, "{profiles:?}");
    assert_eq!(person.failure(), Some(&Failure::BadValues));
}

#[test]
fn a_profile_that_says_more_than_the_page_lists_cannot_be_trusted() {
    let mut stage = Stage::with_odd_ones();
    let methods: serde_json::Map<String, Value> = (0..300)
        .map(|nth| (format!("m{nth}"), json!({ "intent": "Sign in" })))
        .collect();
    let text = json!({ "format": "candid-profile", "format_version": 0, "name": "long",
        "methods": methods })
    .to_string();
    let (_, _, mut person) = asks(&mut stage, kiosk());
    let (ask, canister) = (person.ask().id, Kiosk::id().to_text());
    person.must(
        &stage,
        Command::PasteProfile {
            ask,
            canister,
            text,
        },
    );
    let pasted = &person.facts(Kiosk::id()).profiles[1];
    assert_eq!((pasted.problems.len(), pasted.further), (200, 100));
    let press = trust(&person, Kiosk::id(), pasted.hash);
    person.does(&stage, press);
    assert_eq!(person.failure(), Some(&Failure::AskChanged));
}

#[test]
fn a_profile_cannot_give_the_wallet_an_interface_to_compare() {
    let mut stage = Stage::with_odd_ones();
    let profile = json!({ "format": "candid-profile", "format_version": 0, "name": "general",
        "candid": ["service : { icrc1_fee : () -> (nat) query }"], "methods": {} });
    let tka = Stage::tka();
    let (_, _, person) = asks(
        &mut stage,
        json!([{ "id": tka.to_text(), "profile": profile }]),
    );
    let told = &the_profile(&person, tka).problems[0];
    assert!(
        told.what.contains("only a built-in profile has `candid`"),
        "{told:?}"
    );
}

fn ordered(stage: &mut Stage) -> (Page, Value) {
    let mut page = connects_plainly(stage);
    let told = page.call(stage, "prepare_checkout", wish());
    assert_eq!(told["status"], "prepared", "{told}");
    (page, told["preview"]["preview_id"].clone())
}

fn orders(stage: &Stage) -> usize {
    let network = stage.network.borrow();
    let kiosk = network.installed::<Kiosk>(Kiosk::id());
    kiosk.expect("it is there").orders()
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        stage: Stage::with_odd_ones,
        begins: ordered,
        effects: orders,
        ..Course::default()
    }
    .sweep();
}
