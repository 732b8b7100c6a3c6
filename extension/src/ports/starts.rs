//! How often the browser started the worker in this browser session.
//!
//! A worker that is stopped and started again should be noticed by nobody; whoever wants to know
//! whether it was (tests, or a person who looks into why a call took long) reads the number under
//! `starts` in `storage.session`, from any page of the extension, without waking the worker.

use super::chrome::{object, session_get, session_set, settled};
use js_sys::Reflect;

const KEY: &str = "starts";

/// Counts this start.
pub(crate) async fn count() {
    let before = settled(session_get(KEY)).await.ok();
    let before = before.and_then(|items| Reflect::get(&items, &KEY.into()).ok()?.as_f64());
    let now = before.unwrap_or(0.0) + 1.0;
    // Nothing depends on it.
    let _ = settled(session_set(&object(&[(KEY, now.into())]))).await;
}
