//! How pages look: their language, and times in it.

use super::*;
use crate::when::{when, when_exactly};
use crate::words::speak;
use countersign_core::time::{Civil, Timestamp};
use countersign_core::wire::ui::{Settings, Theme};

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
    // Of one the language is set.
    let views = views::all().into_iter();
    for (name, frame) in views.filter(|(name, _)| *name != "settings-set") {
        let page = Page::read_by(Language::SimplifiedChinese, frame);
        settled().await;
        assert_eq!(said_of_document("lang"), "zh-CN", "{name}");
        assert!(has_han(&document().title()), "{name}");
        for worked in page.all("main button, nav button, label > span, summary, legend, h2[id]") {
            // A tool is called and described as a model reads it.
            if worked.closest(".tools").unwrap().is_some() {
                continue;
            }
            let called = page.name_of(&worked);
            // A language is called as those who read it call it.
            assert!(has_han(&called) || called == "English", "{name}: {called}");
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

/// The settings page with this set, as the second view of its window.
fn settings_page(language: Option<Language>, theme: Theme) -> ToWindow {
    let mut frame = frame_of("settings");
    if let ToWindow::View { seq, view, .. } = &mut frame {
        *seq = 2;
        view.settings = Settings { language, theme };
    }
    frame
}

/// What is chosen in the groups of the settings page, by their legends.
fn chosen(page: &Page) -> Vec<(String, String)> {
    let groups = page.all("fieldset").into_iter();
    groups
        .map(|group| {
            let legend = group.query_selector("legend").unwrap().unwrap();
            let of_group = group.query_selector_all("input").unwrap();
            let set: Vec<_> = (0..of_group.length())
                .filter_map(|at| of_group.get(at))
                .map(JsCast::unchecked_into::<HtmlInputElement>)
                .filter(HtmlInputElement::checked)
                .map(|field| page.name_of(&field))
                .collect();
            (text(&legend), set.join(", "))
        })
        .collect()
}

fn pair(group: &str, set: &str) -> (String, String) {
    (group.to_owned(), set.to_owned())
}

#[wasm_bindgen_test]
async fn settings_are_two_groups_of_which_each_has_one_choice() {
    let page = Page::of("settings");
    settled().await;
    let set = [
        pair("Language", "As the browser"),
        pair("Light or dark", "As the system"),
    ];
    assert_eq!(chosen(&page), set);
    assert!(text(&page.root).contains("now English"));
    let page = Page::of("settings-set");
    settled().await;
    let set = [pair("Language", "English"), pair("Light or dark", "Dark")];
    assert_eq!(chosen(&page), set);
}

#[wasm_bindgen_test]
async fn each_choice_is_sent_as_it_is_made() {
    let chinese = Some(Language::SimplifiedChinese);
    for (from, name, command) in [
        (
            "settings",
            "English",
            Command::SetLanguage(Some(Language::English)),
        ),
        ("settings", "简体中文", Command::SetLanguage(chinese)),
        ("settings-set", "As the browser", Command::SetLanguage(None)),
        ("settings", "Light", Command::SetTheme(Theme::Light)),
        ("settings", "Dark", Command::SetTheme(Theme::Dark)),
        (
            "settings-set",
            "As the system",
            Command::SetTheme(Theme::System),
        ),
    ] {
        let page = Page::of(from);
        settled().await;
        page.field(name).click();
        assert_eq!(page.commands(), [command], "{name}");
    }
}

#[wasm_bindgen_test]
async fn a_choice_that_was_not_stored_is_taken_back_and_told() {
    let page = Page::of("settings");
    settled().await;
    page.field("Dark").click();
    settled().await;
    assert!(!page.text_of("[role=alert]").is_empty());
    assert_eq!(chosen(&page)[1], pair("Light or dark", "As the system"));
}

#[wasm_bindgen_test]
async fn what_is_set_goes_before_what_the_browser_says() {
    let page = Page::of("settings");
    settled().await;
    assert_eq!(said_of_document("data-theme"), "");
    let english = page.field("English");
    english.focus().unwrap();
    let chinese = Some(Language::SimplifiedChinese);
    page.worker.say(&settings_page(chinese, Theme::Dark));
    settled().await;
    assert_eq!(page.text_of("h1"), "设置");
    assert_eq!(said_of_document("lang"), "zh-CN");
    assert_eq!(said_of_document("data-theme"), "dark");
    // Who went through the choices by key goes on where they were.
    let focused = document().active_element().unwrap();
    assert_eq!(page.name_of(&focused), "English");
    let light = settings_page(Some(Language::English), Theme::Light);
    let ToWindow::View { view, .. } = light else {
        panic!("it is a view");
    };
    page.worker.say(&ToWindow::View {
        seq: 3,
        handled: 0,
        failure: None,
        view,
    });
    settled().await;
    assert_eq!(page.text_of("h1"), "Settings");
    assert_eq!(said_of_document("data-theme"), "light");
}

#[wasm_bindgen_test]
async fn a_page_whose_language_is_set_is_the_same_in_every_browser() {
    let frame = frame_of("settings-set");
    let page = Page::read_by(Language::SimplifiedChinese, frame);
    settled().await;
    assert_eq!(page.text_of("h1"), "Settings");
    assert!(text(&page.root).contains("now 简体中文"));
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
    let morning = Timestamp::from_nanos(evening().as_nanos() - 12 * 3_600_000_000_000);
    assert_eq!(when(morning), "2026年11月15日 09:03");
    speak(Language::English);
}
