//! The worker's console, for whoever looks into why a worker ended.

use std::panic;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn error(text: &str);
}

/// Says on the console where a panic came from, which the trap that follows does not.
pub(crate) fn report_panics() {
    panic::set_hook(Box::new(|info| error(&format!("countersign: {info}"))));
}
