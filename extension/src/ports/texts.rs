//! Unicode's tables, which the browser has.

use countersign_core::ports;
use js_sys::JsString;

/// `String.prototype.normalize`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Texts;

impl ports::Texts for Texts {
    fn nfkd(&self, text: &str) -> String {
        JsString::from(text).normalize("NFKD").into()
    }
}
