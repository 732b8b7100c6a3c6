//! Points in time as the person's browser writes them.

use countersign_core::time::Timestamp;

/// Date and time in the browser's language and time zone, to the minute.
pub(crate) fn when(at: Timestamp) -> String {
    written(at, "short")
}

/// Date and time in the browser's language and time zone, to the second.
pub(crate) fn when_exactly(at: Timestamp) -> String {
    written(at, "medium")
}

#[cfg(target_family = "wasm")]
fn written(at: Timestamp, time_style: &str) -> String {
    use wasm_bindgen::JsValue;

    let options = js_sys::Object::new();
    for (name, value) in [("dateStyle", "medium"), ("timeStyle", time_style)] {
        // Setting a field of a fresh object cannot fail; without it the text is only longer.
        let _ = js_sys::Reflect::set(
            &options,
            &JsValue::from_str(name),
            &JsValue::from_str(value),
        );
    }
    let millis = (at.as_nanos() / 1_000_000) as f64;
    let date = js_sys::Date::new(&JsValue::from_f64(millis));
    date.to_locale_string(&browser_language(), &options).into()
}

#[cfg(target_family = "wasm")]
fn browser_language() -> String {
    leptos::prelude::window()
        .navigator()
        .language()
        .unwrap_or_else(|| "en".to_owned())
}

/// Outside a browser: in UTC.
#[cfg(not(target_family = "wasm"))]
fn written(at: Timestamp, _time_style: &str) -> String {
    at.to_string()
}
