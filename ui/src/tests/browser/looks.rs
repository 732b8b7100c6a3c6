//! How pages look: their language, and times in it.

use super::*;
use crate::when::{when, when_exactly};
use crate::words::speak;
use countersign_core::time::{Civil, Timestamp};

fn has_han(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{4e00}'..='\u{9fff}'))
}

fn frame_of(name: &str) -> ToWindow {
    let (_, frame) = views::all()
        .into_iter()
        .find(|(known, _)| *known == name)
        .expect("the gallery has a view of this name");
    frame
}

/// What the document says of itself.
fn said_of_document(name: &str) -> String {
    let root = document().document_element().unwrap();
    root.get_attribute(name).unwrap_or_default()
}

#[wasm_bindgen_test]
async fn in_a_chinese_browser_every_page_is_chinese() {
    for (name, frame) in views::all() {
        let page = Page::read_by(Language::SimplifiedChinese, frame);
        settled().await;
        assert_eq!(said_of_document("lang"), "zh-CN", "{name}");
        assert!(has_han(&document().title()), "{name}");
        for worked in page.all("main button, nav button, label > span, summary, legend, h2[id]") {
            // A row is called by what it stands for.
            let called = page.name_of(&worked);
            assert!(has_han(&called), "{name}: {called}");
        }
    }
    let page = Page::of("unlock");
    settled().await;
    assert_eq!(said_of_document("lang"), "en");
    assert_eq!(page.text_of("h1"), "Unlock");
}

#[wasm_bindgen_test]
async fn what_a_call_does_is_said_in_the_language_of_the_page() {
    let page = Page::read_by(Language::SimplifiedChinese, frame_of("ask"));
    settled().await;
    assert!(page.text_of("h1").starts_with("发送代币"));
    page.button("支付 1.5 TKA");
    // What is not ours stays as it is.
    assert!(text(&page.root).contains("k2t6j-2nvnp-4zjm3"));
}

/// Three minutes past nine in the evening of 15 November 2026, where the browser is.
fn evening() -> Timestamp {
    let utc = Timestamp::from_civil(Civil {
        year: 2026,
        month: 11,
        day: 15,
        hour: 21,
        minute: 3,
        second: 7,
        nanos: 0,
    })
    .unwrap();
    let millis = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(
        (utc.as_nanos() / 1_000_000) as f64,
    ));
    // Minutes, positive where the browser's clock is behind.
    let behind = millis.get_timezone_offset() as i64;
    let nanos = i128::from(utc.as_nanos()) + i128::from(behind) * 60_000_000_000;
    Timestamp::from_nanos(u64::try_from(nanos).unwrap())
}

#[wasm_bindgen_test]
fn a_time_in_english_has_its_month_as_a_word_and_its_half_of_the_day() {
    speak(Language::English);
    let words = |text: String| text.replace('\u{202f}', " ");
    assert_eq!(words(when(evening())), "Nov 15, 2026, 9:03 PM");
    assert_eq!(words(when_exactly(evening())), "Nov 15, 2026, 9:03:07 PM");
}

#[wasm_bindgen_test]
fn a_time_in_chinese_has_its_signs_and_24_hours() {
    speak(Language::SimplifiedChinese);
    assert_eq!(when(evening()), "2026年11月15日 21:03");
    assert_eq!(when_exactly(evening()), "2026年11月15日 21:03:07");
    speak(Language::English);
}
