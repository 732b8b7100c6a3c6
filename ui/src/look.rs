//! How the document as a whole looks: its language, light or dark, and what the browser says of the person's.
//!
//! What the browser says is read here and stays here: it is sent to nobody, not even to the worker.

use countersign_core::wire::ui::{Language, Theme};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Where the styles look for light or dark.
const THEME: &str = "data-theme";

/// The languages that the person's browser prefers, best first.
pub(crate) fn browser_tags() -> Vec<String> {
    let tags = window().navigator().languages();
    tags.iter().filter_map(|tag| tag.as_string()).collect()
}

/// The first language that we have of those that a browser prefers; English where we have none.
pub(crate) fn language_of(browser: &[String]) -> Language {
    let mut known = browser.iter().filter_map(|tag| Language::of_tag(tag));
    known.next().unwrap_or_default()
}

/// What a language is called by those who read it.
pub(crate) const fn own_name(language: Language) -> &'static str {
    match language {
        Language::English => "English",
        Language::SimplifiedChinese => "简体中文",
    }
}

/// Says of the document which language it is in, what it is called in it, and whether it is light or
/// dark, where that is not the system's to say.
pub(crate) fn set(language: Language, theme: Theme, title: &str) {
    let document = document();
    if let Some(root) = document.document_element() {
        // Without it, a screen reader reads on in the language before.
        let _ = root.set_attribute("lang", language.tag());
        // Without it, the page is as the system is.
        let _ = match theme {
            Theme::System => root.remove_attribute(THEME),
            Theme::Light => root.set_attribute(THEME, "light"),
            Theme::Dark => root.set_attribute(THEME, "dark"),
        };
    }
    document.set_title(title);
}

/// The id of the element that has the focus, if both are there.
pub(crate) fn focused() -> Option<String> {
    let id = document().active_element()?.id();
    (!id.is_empty()).then_some(id)
}

/// Gives the focus to the element of this id.
pub(crate) fn focus(id: &str) {
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // Without the focus the person goes there by hand.
        let _ = element.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(all: &[&str]) -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_first_language_that_we_have_is_spoken() {
        for (browser, language) in [
            (&["en-US", "en"][..], Language::English),
            (&["zh-CN", "zh", "en"], Language::SimplifiedChinese),
            (&["zh-TW", "en"], Language::SimplifiedChinese),
            (&["de-CH", "zh-HK", "en"], Language::SimplifiedChinese),
            (&["fr", "en-GB", "zh"], Language::English),
            (&["fr"], Language::English),
            (&[], Language::English),
        ] {
            assert_eq!(language_of(&tags(browser)), language, "{browser:?}");
        }
    }
}
