//! Pages that take what a person types.

use super::*;
use countersign_core::wire::ui::{Adding, Networks, Passphrase, Screen};

fn enabled(button: &HtmlElement) -> bool {
    !button.has_attribute("disabled")
}

#[wasm_bindgen_test]
async fn a_wallet_is_made_once_the_same_passphrase_stands_twice() {
    let page = Page::of("first-run");
    settled().await;
    let go = page.button("Make wallet");
    assert!(!enabled(&go));
    page.type_into("Passphrase", "saffron otter writes badly");
    settled().await;
    assert!(!enabled(&go));
    page.type_into("The same once more", "saffron otter writes badl");
    settled().await;
    assert!(!enabled(&go) && text(&page.root).contains("The two are not the same yet."));
    page.type_into("The same once more", "saffron otter writes badly");
    settled().await;
    assert!(enabled(&go));
    go.click();
    let passphrase = Passphrase::new("saffron otter writes badly".into());
    let mark = views::mark();
    assert_eq!(page.commands(), [Command::Create { passphrase, mark }]);
}

#[wasm_bindgen_test]
async fn a_passphrase_is_hidden_until_the_person_wants_to_see_it() {
    let page = Page::of("first-run");
    settled().await;
    assert_eq!(page.field("Passphrase").type_(), "password");
    page.field("Show what I type").click();
    settled().await;
    assert_eq!(page.field("Passphrase").type_(), "text");
    assert_eq!(page.field("The same once more").type_(), "text");
}

#[wasm_bindgen_test]
async fn first_run_says_that_this_wallet_cannot_be_restored_yet() {
    let page = Page::of("first-run");
    settled().await;
    assert!(text(&page.root).contains("This wallet cannot be restored yet"));
}

#[wasm_bindgen_test]
async fn another_mark_is_drawn_on_request() {
    let page = Page::of("first-run");
    settled().await;
    page.button("Draw another").click();
    assert_eq!(page.commands(), [Command::DrawMark]);
}

#[wasm_bindgen_test]
async fn a_passphrase_that_does_not_open_is_typed_anew() {
    let page = Page::of("unlock");
    settled().await;
    page.type_into("Passphrase", "no");
    settled().await;
    page.button("Unlock").click();
    settled().await;
    assert_eq!(
        page.commands(),
        [Command::Unlock {
            passphrase: Passphrase::new("no".into())
        }]
    );
    assert_eq!(page.field("Passphrase").value(), "");
    assert!(!page.text_of("[role=alert]").is_empty());
}

#[wasm_bindgen_test]
async fn a_network_is_read_by_the_address_as_typed() {
    let page = Page::of("networks");
    settled().await;
    page.type_into("Address", "http://127.0.0.1:8080");
    settled().await;
    page.button("Read its root key").click();
    assert_eq!(
        page.commands(),
        [Command::ReadNetwork {
            url: "http://127.0.0.1:8080".into()
        }]
    );
}

#[wasm_bindgen_test]
async fn a_network_is_added_by_the_key_that_was_shown() {
    let page = Page::of("networks-read");
    settled().await;
    let (_, frame) = views::all()
        .into_iter()
        .find(|(name, _)| *name == "networks-read")
        .unwrap();
    let ToWindow::View { view, .. } = frame else {
        panic!("it is a view");
    };
    let Screen::Networks(Networks {
        adding: Some(Adding::Read { id, .. }),
        ..
    }) = view.screen
    else {
        panic!("it was read");
    };
    assert_eq!(page.text_of(".root-key"), id.to_string());
    page.type_into("Your name for it", "Test net");
    settled().await;
    page.button("Add network").click();
    assert_eq!(
        page.commands(),
        [Command::AddNetwork {
            network: id,
            name: "Test net".into()
        }]
    );
}

#[wasm_bindgen_test]
async fn what_may_happen_twice_takes_a_second_step_that_says_so() {
    let page = Page::of("intent-held");
    settled().await;
    page.button("Let it be asked again").click();
    settled().await;
    assert_eq!(page.commands(), []);
    assert!(text(&page.root).contains("It may then happen twice."));
    page.button("Yes, it may happen twice").click();
    let sent = page.commands();
    assert!(
        matches!(
            sent.as_slice(),
            [Command::Act {
                action: Action::MayHappenTwice,
                ..
            }]
        ),
        "{sent:?}"
    );
}

#[wasm_bindgen_test]
async fn the_way_around_leads_where_it_says() {
    for (name, place) in [
        ("Home", Place::Home),
        ("Activity", Place::Activity),
        ("Canisters", Place::Canisters),
        ("Networks", Place::Networks),
        ("Settings", Place::Settings),
    ] {
        let page = Page::of("activity");
        settled().await;
        page.button(name).click();
        assert_eq!(page.commands(), [Command::Show(place)]);
    }
    let page = Page::of("activity");
    settled().await;
    page.button("Lock").click();
    assert_eq!(page.commands(), [Command::Lock]);
}
