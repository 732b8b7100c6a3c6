//! Adding a canister: what is given by hand, profiles, and whose words are whose.

use super::ask::{ask_of, call_of};
use super::*;
use countersign_core::confirm::view::{
    Ask, Asked, CanisterFacts, CanisterState, ConnectAsk, Pasted, ProfileView,
};
use countersign_core::wire::ui::Screen;

fn connect_of(name: &str) -> ConnectAsk {
    match ask_of(name).what {
        Asked::Connect(connect) => *connect,
        Asked::Call(_) => panic!("{name} asks to connect"),
    }
}

/// The one canister of a connect ask, and what is known of it.
fn canister_of(name: &str) -> (String, CanisterFacts) {
    let mut canisters = connect_of(name).canisters;
    let canister = canisters.remove(0);
    match canister.state {
        CanisterState::Read(facts) => (canister.id, *facts),
        other => panic!("{other:?}"),
    }
}

fn profiles_of(name: &str) -> Vec<ProfileView> {
    canister_of(name).1.profiles
}

/// The field of this name to paste into.
fn area(page: &Page, name: &str) -> HtmlElement {
    let mut found: Vec<_> = page
        .all("textarea")
        .into_iter()
        .filter(|field| page.name_of(field) == name)
        .collect();
    assert_eq!(found.len(), 1, "fields called {name}");
    found.remove(0)
}

fn value(area: &HtmlElement) -> String {
    let value = js_sys::Reflect::get(area, &"value".into()).unwrap();
    value.as_string().unwrap()
}

fn paste(page: &Page, name: &str, text: &str) {
    let area = area(page, name);
    js_sys::Reflect::set(&area, &"value".into(), &text.into()).unwrap();
    let event = web_sys::Event::new("input").unwrap();
    area.dispatch_event(&event).unwrap();
}

const INTERFACE: &str = "Its interface, as Candid text";
const PROFILE: &str = "A profile, as JSON";

#[wasm_bindgen_test]
async fn a_canister_that_publishes_no_interface_takes_one_by_hand() {
    let page = Page::of("connect");
    settled().await;
    let ask = ask_of("connect").id;
    let canister = connect_of("connect").canisters[1].id.clone();
    // It stands open there, and in a fold where the canister publishes one.
    let fields: Vec<_> = page
        .all("textarea")
        .into_iter()
        .filter(|field| page.name_of(field) == INTERFACE)
        .map(|field| field.closest("details").unwrap().is_some())
        .collect();
    assert_eq!(fields, [true, false]);
    let open = page.all("article:not(:has(details)) textarea").remove(0);
    js_sys::Reflect::set(&open, &"value".into(), &"service : {}".into()).unwrap();
    open.dispatch_event(&web_sys::Event::new("input").unwrap())
        .unwrap();
    settled().await;
    page.all("article:not(:has(details)) button")
        .remove(0)
        .click();
    let text = "service : {}".into();
    assert_eq!(
        page.commands(),
        [Command::PasteInterface {
            ask,
            canister,
            text
        }]
    );
}

#[wasm_bindgen_test]
async fn an_interface_and_a_profile_are_given_as_pasted() {
    let text = " service : {}\n".to_owned();
    for (field, button) in [
        (INTERFACE, "Use this interface"),
        (PROFILE, "Add this profile"),
    ] {
        let page = Page::of("connect-profile-trusted");
        settled().await;
        let go = page.button(button);
        assert!(go.has_attribute("disabled"), "{field}");
        paste(&page, field, &text);
        settled().await;
        go.click();
        let ask = ask_of("connect-profile-trusted").id;
        let (canister, _) = canister_of("connect-profile-trusted");
        let text = text.clone();
        let command = if field == INTERFACE {
            Command::PasteInterface {
                ask,
                canister,
                text,
            }
        } else {
            Command::PasteProfile {
                ask,
                canister,
                text,
            }
        };
        assert_eq!(page.commands(), [command]);
    }
}

#[wasm_bindgen_test]
async fn what_was_given_by_hand_is_taken_back_by_an_empty_text() {
    let (canister, text) = (canister_of("connect-pasted").0, String::new());
    for name in [
        "connect-pasted",
        "connect-pasted-same",
        "connect-pasted-differs",
    ] {
        let page = Page::of(name);
        settled().await;
        page.button("Take the interface back").click();
        let (ask, canister, text) = (ask_of(name).id, canister.clone(), text.clone());
        let command = Command::PasteInterface {
            ask,
            canister,
            text,
        };
        assert_eq!(page.commands(), [command], "{name}");
    }
    let page = Page::of("connect-profile");
    settled().await;
    page.button("Take it back").click();
    let ask = ask_of("connect-profile").id;
    let command = Command::PasteProfile {
        ask,
        canister,
        text,
    };
    assert_eq!(page.commands(), [command]);
}

#[wasm_bindgen_test]
async fn what_is_being_pasted_outlives_a_view_that_arrives() {
    let page = Page::of("connect-pasted");
    settled().await;
    paste(&page, PROFILE, "{ \"format\"");
    settled().await;
    let (_, mut frame) = views::all()
        .into_iter()
        .find(|(name, _)| *name == "connect-pasted")
        .unwrap();
    let ToWindow::View { seq, view, .. } = &mut frame else {
        panic!("it is a view");
    };
    *seq += 1;
    let Screen::Ask(ask) = &mut view.screen else {
        panic!("it is an ask");
    };
    let Ask {
        what: Asked::Connect(connect),
        ..
    } = ask.as_mut()
    else {
        panic!("it asks to connect");
    };
    connect.tools.clear();
    page.worker.say(&frame);
    settled().await;
    let field = area(&page, PROFILE);
    assert_eq!(value(&field), "{ \"format\"");
    let fold = field.closest("details").unwrap().unwrap();
    assert!(fold.has_attribute("open"));
}

#[wasm_bindgen_test]
async fn a_profile_is_trusted_and_no_longer_by_its_hash() {
    for (name, button, trusted) in [
        ("connect-profile", "Trust this profile", true),
        ("connect-profile-trusted", "Trust it no longer", false),
    ] {
        let page = Page::of(name);
        settled().await;
        page.button(button).click();
        let ask = ask_of(name).id;
        let (canister, facts) = canister_of(name);
        let profile = facts.profiles[0].hash;
        let command = Command::TrustProfile {
            ask,
            canister,
            profile,
            trusted,
        };
        assert_eq!(page.commands(), [command]);
    }
}

#[wasm_bindgen_test]
async fn trust_is_offered_below_all_that_it_changes() {
    let page = Page::of("connect-profile");
    settled().await;
    let button = page.button("Trust this profile");
    let fold = button.closest("details").unwrap().unwrap();
    let words = text(&fold);
    let at = |part: &str| {
        words
            .find(part)
            .unwrap_or_else(|| panic!("{part}: {words}"))
    };
    let trust = at("If you trust it, a model reads");
    for change in &profiles_of("connect-profile")[0].changes {
        assert!(at(&change.what) < trust);
        let above = if change.never {
            "Left out, even where it is trusted"
        } else {
            "It would also change this, if you trust it"
        };
        assert!(at(above) < at(&change.what), "{}", change.what);
    }
    assert!(at("12 more lines are not listed.") < trust);
}

#[wasm_bindgen_test]
async fn words_of_a_profile_are_quotes_and_nothing_else() {
    let mut pages = Vec::new();
    for name in ["connect-profile", "connect-profile-trusted"] {
        for profile in profiles_of(name) {
            let words = profile.quotes.into_iter().map(|quote| quote.words);
            pages.push((name, profile.name.into_iter().chain(words).collect()));
        }
    }
    let quotes = call_of("ask-quoted").call.quotes;
    let words: Vec<_> = quotes.into_iter().map(|quote| quote.words).collect();
    pages.push(("ask-quoted", words));
    for (name, words) in pages {
        let page = Page::of(name);
        settled().await;
        let quoted: Vec<_> = page.all("q").iter().map(|q| text(q)).collect();
        for word in words {
            assert!(quoted.contains(&word), "{name}: {word}: {quoted:?}");
            for other in page
                .all("button, summary, h1, h2, h3, h4, label, legend, dt, th, .chip, [aria-label]")
            {
                let said = page.name_of(&other);
                assert!(!said.contains(&word), "{name}: {word}: {said}");
                assert!(!text(&other).contains(&word), "{name}: {word}");
            }
        }
        assert!(page.all("[onclick], q b, q i").is_empty(), "{name}");
    }
}

#[wasm_bindgen_test]
async fn quotes_of_a_call_say_whose_they_are() {
    let page = Page::of("ask-quoted");
    settled().await;
    let said: Vec<_> = page.all(".says, .quoted").iter().map(|s| text(s)).collect();
    let at = |words: &str| said.iter().position(|said| said.starts_with(words));
    assert!(at("The canister’s profile says “").is_none());
    assert_eq!(
        at("The canister’s profile says Sign in"),
        Some(1),
        "{said:?}"
    );
    assert_eq!(
        at("The site’s profile says of nonce Nothing to see here"),
        Some(2),
        "{said:?}"
    );
    let beside = page.all("td .quoted").remove(0);
    assert_eq!(text(&beside), "The site’s profile says Your own account");
}

#[wasm_bindgen_test]
async fn a_look_alike_is_named_with_the_real_one_wherever_its_symbol_stands() {
    for (name, around) in [("connect-pasted-differs", "article"), ("canisters", "li")] {
        let page = Page::of(name);
        settled().await;
        let found = page.all(&format!("{around} .note.bad"));
        let words = found.first().map(|note| text(note)).unwrap_or_default();
        assert_eq!(
            words,
            "This is not ICP. It only calls itself like it. The real ICP is \
             ryjl3-tyaaa-aaaaa-aaaba-cai",
            "{name}"
        );
    }
}

#[wasm_bindgen_test]
async fn a_pasted_interface_shows_its_hashes_or_where_it_differs() {
    let page = Page::of("connect-pasted");
    settled().await;
    let words = text(&page.root);
    let Pasted::Used(labels) = canister_of("connect-pasted").1.pasted else {
        panic!("it is used");
    };
    for label in labels {
        let shown = format!("{}#{}", label.label, label.hash);
        assert!(words.contains(&shown), "{shown}");
    }
    let page = Page::of("connect-pasted-differs");
    settled().await;
    let words = text(&page.root);
    let Pasted::Differs(lines) = canister_of("connect-pasted-differs").1.pasted else {
        panic!("it differs");
    };
    for line in lines {
        assert!(words.contains(&line), "{line}");
    }
}

#[wasm_bindgen_test]
async fn an_ask_that_the_person_made_says_so() {
    let page = Page::of("connect-pasted");
    settled().await;
    let title = page.text_of("main h1");
    assert_eq!(title, "You choose a canister for this site");
    let _ = page.button("Add it");
    assert!(!page.text_of(".who").contains("asks"));
}

#[wasm_bindgen_test]
async fn a_tool_folds_open_to_the_whole_definition_that_a_model_reads() {
    let page = Page::of("connect");
    settled().await;
    let shown: Vec<_> = page
        .all("li details pre")
        .iter()
        .map(|pre| pre.text_content().unwrap())
        .collect();
    let tools = connect_of("connect").tools.into_iter();
    let told: Vec<_> = tools.filter_map(|tool| tool.definition).collect();
    assert_eq!(shown, told);
    assert!(!told.is_empty());
}

#[wasm_bindgen_test]
async fn a_canister_is_added_for_the_site_it_is_typed_at() {
    let page = Page::of("canisters");
    settled().await;
    page.type_into("Canister id to add for lunch-b0t.example", " bkyz2-fmaaa ");
    settled().await;
    let forms = page.all("form button");
    let live = |button: &HtmlElement| !button.has_attribute("disabled");
    assert_eq!(forms.iter().map(live).collect::<Vec<_>>(), [false, true]);
    forms[1].click();
    assert_eq!(
        page.commands(),
        [Command::AddCanister {
            site: "https://lunch-b0t.example|".into(),
            canister: " bkyz2-fmaaa ".into(),
        }]
    );
}

#[wasm_bindgen_test]
async fn a_canister_that_changed_is_looked_at_again() {
    let page = Page::of("canisters");
    settled().await;
    page.button("Look at what it is now").click();
    let sent = page.commands();
    let [Command::AddCanister { site, canister }] = sent.as_slice() else {
        panic!("{sent:?}");
    };
    assert_eq!(site, "https://agent.example|");
    let item = page.button("Look at what it is now").closest("li").unwrap();
    assert!(text(&item.unwrap()).contains(canister.as_str()));
}
