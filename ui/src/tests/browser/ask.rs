//! The confirm window.

use super::*;
use countersign_core::confirm::view::{Ask, Asked, CallAsk};
use countersign_core::wire::ui::{Screen, View};

/// The ask of a made-up view.
pub(super) fn ask_of(name: &str) -> Ask {
    let (_, frame) = views::all()
        .into_iter()
        .find(|(known, _)| *known == name)
        .unwrap();
    let ToWindow::View { view, .. } = frame else {
        panic!("{name} is a view");
    };
    let View {
        screen: Screen::Ask(ask),
        ..
    } = *view
    else {
        panic!("{name} is an ask");
    };
    *ask
}

pub(super) fn call_of(name: &str) -> CallAsk {
    match ask_of(name).what {
        Asked::Call(call) => *call,
        Asked::Connect(_) => panic!("{name} is a call"),
    }
}

#[wasm_bindgen_test]
async fn decline_comes_before_the_yes() {
    let page = Page::of("ask");
    settled().await;
    let names: Vec<_> = page
        .all("footer button")
        .iter()
        .map(|b| page.name_of(b))
        .collect();
    assert_eq!(names, ["Decline", "Later", "Pay 1.5 TKA"]);
    // Nothing has the focus by itself: a key that was meant for the page decides nothing.
    let focused = document().active_element().unwrap();
    assert!(!page.root.contains(Some(&focused)));
}

#[wasm_bindgen_test]
async fn the_yes_says_what_it_does() {
    for (name, says) in [
        ("ask", "Pay 1.5 TKA"),
        ("ask-resend", "Send 1.5 TKA again"),
        ("ask-allowance", "Allow 1.5 TKA"),
        (
            "ask-long",
            "Move 340282366920938463463374607431.768211455 TKA",
        ),
        ("ask-other", "Call update_settings"),
        ("connect", "Connect"),
    ] {
        let page = Page::of(name);
        settled().await;
        let _ = page.button(says);
    }
}

#[wasm_bindgen_test]
async fn the_whole_call_is_on_the_page() {
    for name in [
        "ask",
        "ask-long",
        "ask-other",
        "ask-allowance",
        "ask-resend",
    ] {
        let page = Page::of(name);
        settled().await;
        let shown: String = text(&page.root).split_whitespace().collect();
        let CallAsk { call, digest, .. } = call_of(name);
        let mut parts = vec![
            call.title,
            call.method,
            call.canister.id,
            call.arg_hex,
            call.sender.address,
            call.sender.network.id.to_string(),
            digest.to_string(),
        ];
        for argument in call.arguments {
            parts.extend([argument.path, argument.raw]);
            parts.extend(argument.text);
        }
        parts.extend(call.party.map(|party| party.address));
        parts.extend(call.fee.map(|fee| fee.amount.number));
        parts.extend(call.total.map(|total| total.number));
        for part in parts {
            let part: String = part.split_whitespace().collect();
            assert!(shown.contains(&part), "{name}: {part}");
        }
    }
}

#[wasm_bindgen_test]
async fn the_payee_stands_directly_above_the_buttons() {
    let page = Page::of("ask");
    settled().await;
    let payee = call_of("ask").call.party.unwrap().address;
    assert_eq!(page.text_of("footer .again"), format!("to {payee}"));
    let above = page.all("footer .buttons")[0]
        .previous_element_sibling()
        .unwrap();
    assert!(above.class_list().contains("again"));
}

#[wasm_bindgen_test]
async fn a_resend_says_first_that_an_earlier_attempt_may_have_executed() {
    let page = Page::of("ask-resend");
    settled().await;
    let warning = page.text_of("main h2");
    assert_eq!(warning, "An earlier attempt may have executed");
    let words = text(&page.root);
    assert!(words.find(&warning) < words.find("Send tokens"));
}

#[wasm_bindgen_test]
async fn a_press_that_a_script_makes_up_decides_nothing() {
    let page = Page::of("ask");
    settled().await;
    let yes = page.button("Pay 1.5 TKA");
    for _ in 0..20 {
        for kind in ["pointerenter", "pointerdown", "pointerup"] {
            yes.dispatch_event(&web_sys::PointerEvent::new(kind).unwrap())
                .unwrap();
        }
        for kind in ["keydown", "keyup"] {
            yes.dispatch_event(&web_sys::KeyboardEvent::new(kind).unwrap())
                .unwrap();
        }
        yes.click();
        settled().await;
    }
    assert_eq!(page.commands(), []);
}

#[wasm_bindgen_test]
async fn decline_and_later_name_the_ask() {
    let ask = ask_of("ask").id;
    for (name, command) in [
        ("Decline", Command::Decline { ask }),
        ("Later", Command::Later { ask }),
    ] {
        let page = Page::of("ask");
        settled().await;
        page.button(name).click();
        assert_eq!(page.commands(), [command]);
    }
}

#[wasm_bindgen_test]
async fn the_next_ask_comes_only_after_a_step_of_its_own() {
    let page = Page::of("decided-next");
    settled().await;
    assert!(page.all("footer").is_empty());
    page.button("Next: lunch-b0t.example").click();
    assert_eq!(page.commands(), [Command::Next]);
}

#[wasm_bindgen_test]
async fn choosing_an_account_or_a_preset_asks_for_the_view_of_it() {
    let page = Page::of("connect");
    settled().await;
    let ask = ask_of("connect").id;
    page.field("Everything").click();
    let choice = |account: &str, preset| Command::Choose {
        ask,
        account: account.into(),
        preset,
    };
    assert_eq!(page.commands(), [choice("1", Preset::All)]);
}

#[wasm_bindgen_test]
async fn a_connect_ask_shows_what_each_canister_certified_and_every_skip_with_its_reason() {
    let page = Page::of("connect");
    settled().await;
    let Asked::Connect(connect) = ask_of("connect").what else {
        panic!("it is one");
    };
    let words = text(&page.root);
    for tool in connect.tools {
        assert!(words.contains(&tool.name), "{}", tool.name);
    }
    for skip in connect.skipped {
        assert!(
            words.contains(&skip.method) && words.contains(&skip.reason),
            "{}",
            skip.method
        );
    }
    for canister in connect.canisters {
        assert!(words.contains(&canister.id), "{}", canister.id);
    }
}

/// The boxes of what must be acknowledged.
fn boxes(page: &Page) -> Vec<HtmlInputElement> {
    let boxes = page.all("main .risk input[type=checkbox]").into_iter();
    boxes.map(JsCast::unchecked_into).collect()
}

#[wasm_bindgen_test]
async fn each_loud_finding_has_a_box_of_its_own_and_the_yes_names_what_was_ticked() {
    let page = Page::of("ask-findings");
    settled().await;
    let loud = call_of("ask-findings").to_acknowledge();
    assert_eq!(boxes(&page).len(), loud.len());
    for (ticked, one) in boxes(&page).into_iter().enumerate() {
        assert_eq!(page.text_of("#yes-hint"), "Tick each warning above first");
        assert!(!one.checked(), "box {ticked}");
        one.click();
        settled().await;
    }
    assert_ne!(page.text_of("#yes-hint"), "Tick each warning above first");
    boxes(&page)[0].click();
    settled().await;
    assert_eq!(page.text_of("#yes-hint"), "Tick each warning above first");
}

#[wasm_bindgen_test]
async fn every_finding_is_said() {
    for name in ["ask-findings", "ask-findings-allowance"] {
        let page = Page::of(name);
        settled().await;
        let said = page.all("main .risk").len() + page.all("main .risks li").len();
        assert_eq!(said, call_of(name).findings.len(), "{name}");
    }
    let page = Page::of("ask-findings");
    settled().await;
    let real = "It only calls itself like it. The real ICP is ryjl3-tyaaa-aaaaa-aaaba-cai";
    let loud = page.all("main .risk");
    assert!(loud.iter().any(|one| text(one).contains(real)));
}

#[wasm_bindgen_test]
async fn what_differs_from_the_last_time_is_marked_where_it_stands() {
    let page = Page::of("ask-last-time");
    settled().await;
    let marked: Vec<_> = page.all(".before").iter().map(|one| text(one)).collect();
    assert_eq!(marked, ["last time: empty", "last time: 1.2 TKA"]);
    let page = Page::of("ask-last-time-same");
    settled().await;
    assert_eq!(page.all(".before").len(), 0);
}

#[wasm_bindgen_test]
async fn what_the_canister_says_stands_apart_and_is_compared() {
    for (name, says) in [
        (
            "ask-canister-agrees",
            "the same account and the same amount",
        ),
        ("ask-canister-differs", "This is not what is signed"),
        ("ask-canister-odd", "could not be compared"),
        ("ask-canister-silent", "does not describe this call"),
    ] {
        let page = Page::of(name);
        settled().await;
        let section = page.text_of("main .canister-says");
        assert!(section.contains(says), "{name}: {section}");
        let held = page.all("main .canister-says .held").len();
        assert_eq!(held, usize::from(name == "ask-canister-differs"), "{name}");
        // It comes after everything that is signed, and says nothing of the button.
        let words = text(&page.root);
        assert!(words.find("Every argument") < words.find("in its own words"));
        let _ = page.button("Pay 1.5 TKA");
    }
    let page = Page::of("ask");
    settled().await;
    assert!(page.all(".canister-says").is_empty());
}

#[wasm_bindgen_test]
async fn the_canisters_words_are_text_and_no_part_of_the_page() {
    let page = Page::of("ask-canister-odd");
    settled().await;
    let words = page.text_of(".consent");
    for written in [
        "<img src=x onerror=alert(1)>",
        "<b>bold</b> &lt;",
        "[Approve](https://evil.example)",
        "<i>none</i>",
        "1.5 TKA",
        "90 s",
    ] {
        assert!(words.contains(written), "{written}: {words}");
    }
    for none in ["img", "a", "i", "script", "h1", "h2", "h3", "button"] {
        assert!(page.all(&format!(".consent {none}")).is_empty(), "{none}");
    }
    let page = Page::of("ask-canister-differs");
    settled().await;
    let held = page.text_of(".canister-says .held");
    let payee = call_of("ask").call.party.unwrap().address;
    for value in [payee.as_str(), "2vxsx-fae", "1.5 TKA", "15 TKA"] {
        assert!(held.contains(value), "{value}: {held}");
    }
}
