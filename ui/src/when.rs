//! Points in time as a person of the language that is spoken reads them, in the browser's time zone.
//!
//! No form that can be taken for another: the month is a word or stands before its own sign, the
//! year has four digits, the calendar is the common one, and the digits are 0 to 9.

use countersign_core::time::Timestamp;
#[cfg(any(target_family = "wasm", test))]
use countersign_core::wire::ui::Language;

/// Date and time, to the minute.
pub(crate) fn when(at: Timestamp) -> String {
    written(at, false)
}

/// Date and time, to the second.
pub(crate) fn when_exactly(at: Timestamp) -> String {
    written(at, true)
}

#[cfg(target_family = "wasm")]
fn written(at: Timestamp, seconds: bool) -> String {
    use wasm_bindgen::JsValue;

    let options = js_sys::Object::new();
    let language = crate::words::spoken();
    let hour = match language {
        Language::English => "numeric",
        // Of 24 hours each has two digits.
        Language::SimplifiedChinese => "2-digit",
    };
    let fields = [
        ("calendar", "gregory"),
        ("numberingSystem", "latn"),
        ("year", "numeric"),
        ("month", "short"),
        ("day", "numeric"),
        ("hour", hour),
        ("minute", "2-digit"),
        ("second", "2-digit"),
    ];
    let count = fields.len() - usize::from(!seconds);
    for (name, value) in fields.into_iter().take(count) {
        // Setting a field of a fresh object cannot fail; without it the text is only longer.
        let _ = js_sys::Reflect::set(
            &options,
            &JsValue::from_str(name),
            &JsValue::from_str(value),
        );
    }
    let tag = tag_of(language, &crate::look::browser_tags());
    let millis = (at.as_nanos() / 1_000_000) as f64;
    let date = js_sys::Date::new(&JsValue::from_f64(millis));
    date.to_locale_string(&tag, &options).into()
}

/// By which tag times are written in a language: by the browser's own of the same language, so that
/// they stand as the person's country writes them. Of Chinese only the simplified is ours.
#[cfg(any(target_family = "wasm", test))]
fn tag_of(language: Language, browser: &[String]) -> String {
    let own = match language {
        Language::English => browser
            .iter()
            .find(|tag| Language::of_tag(tag) == Some(language)),
        Language::SimplifiedChinese => None,
    };
    own.map_or_else(|| language.tag().to_owned(), Clone::clone)
}

/// Outside a browser: in UTC, in the same form whatever is spoken.
#[cfg(not(target_family = "wasm"))]
fn written(at: Timestamp, _seconds: bool) -> String {
    at.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(all: &[&str]) -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn times_are_written_by_a_tag_of_the_language_that_is_spoken() {
        let browser = tags(&["zh-TW", "en-GB", "en"]);
        assert_eq!(tag_of(Language::English, &browser), "en-GB");
        assert_eq!(tag_of(Language::SimplifiedChinese, &browser), "zh-CN");
        assert_eq!(tag_of(Language::English, &tags(&["zh"])), "en");
    }

    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn outside_a_browser_a_time_is_the_same_in_every_language() {
        let at = Timestamp::from_nanos(1_796_212_801_000_000_000);
        for language in Language::ALL {
            crate::words::speak(language);
            assert_eq!(when(at), at.to_string());
            assert_eq!(when_exactly(at), at.to_string());
        }
    }
}
