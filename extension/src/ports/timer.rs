//! The worker's own timers: they live no longer than it does.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The longest that the browser's timers count: beyond it they fire at once.
const LONGEST_MS: u64 = 0x7fff_ffff;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(work: &Function, ms: i32) -> i32;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout_with(work: &Function, ms: i32, argument: &JsValue) -> i32;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: i32);
}

fn counted(ms: u64) -> i32 {
    i32::try_from(ms.min(LONGEST_MS)).expect("no longer than the longest")
}

/// Work that is done once, later. Dropping it before is calling it off.
pub(crate) struct Timer {
    id: i32,
    _work: Closure<dyn FnMut()>,
}

impl Timer {
    /// Runs `work` after `ms` milliseconds.
    pub(crate) fn new(ms: u64, work: impl FnMut() + 'static) -> Self {
        let work = Closure::<dyn FnMut()>::new(work);
        let id = set_timeout(work.as_ref().unchecked_ref(), counted(ms));
        Self { id, _work: work }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(self.id);
    }
}

/// Is fulfilled with `value` after `ms` milliseconds.
fn promise(ms: u64, value: &JsValue) -> Promise {
    Promise::new(&mut |resolve, _| {
        set_timeout_with(&resolve, counted(ms), value);
    })
}

/// Ends after `ms` milliseconds.
pub(crate) async fn pause(ms: u64) {
    JsFuture::from(promise(ms, &JsValue::UNDEFINED))
        .await
        .expect("a timer's promise is not rejected");
}

/// What a promise comes to, if it does within `ms` milliseconds.
pub(crate) async fn within(ms: u64, work: &Promise) -> Option<Result<JsValue, JsValue>> {
    // An object that nobody else has.
    let late: JsValue = Array::new().into();
    let both = Array::of2(work, &promise(ms, &late));
    match JsFuture::from(Promise::race(&both)).await {
        Ok(value) if value == late => None,
        other => Some(other),
    }
}
