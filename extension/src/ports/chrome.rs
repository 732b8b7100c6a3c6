//! The browser's extension interfaces, as far as the worker uses them.
//!
//! Bindings and nothing else. What fails, fails as a rejected promise or an exception; the ports
//! say what that means.

use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// One end of a connection (`runtime.Port`).
    #[derive(Clone)]
    pub type Port;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn name(this: &Port) -> String;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn sender(this: &Port) -> Option<MessageSender>;

    #[wasm_bindgen(method, catch, js_name = postMessage)]
    pub(crate) fn post_message(this: &Port, text: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method)]
    pub(crate) fn disconnect(this: &Port);

    /// What the browser says of the other end (`runtime.MessageSender`).
    pub(crate) type MessageSender;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn id(this: &MessageSender) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn origin(this: &MessageSender) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn url(this: &MessageSender) -> Option<String>;

    #[wasm_bindgen(method, getter, js_name = frameId)]
    pub(crate) fn frame_id(this: &MessageSender) -> Option<i32>;

    #[wasm_bindgen(method, getter, js_name = documentId)]
    pub(crate) fn document_id(this: &MessageSender) -> Option<String>;

    #[wasm_bindgen(method, getter, js_name = documentLifecycle)]
    pub(crate) fn document_lifecycle(this: &MessageSender) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn tab(this: &MessageSender) -> Option<Tab>;

    /// A tab (`tabs.Tab`), without what needs a permission.
    pub(crate) type Tab;

    #[wasm_bindgen(method, getter, js_name = id)]
    pub(crate) fn tab_id(this: &Tab) -> Option<i32>;

    #[wasm_bindgen(method, getter, js_name = windowId)]
    pub(crate) fn window_id(this: &Tab) -> Option<i32>;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn active(this: &Tab) -> bool;

    /// A window (`windows.Window`).
    pub(crate) type BrowserWindow;

    #[wasm_bindgen(method, getter, js_name = id)]
    pub(crate) fn browser_window_id(this: &BrowserWindow) -> Option<i32>;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn focused(this: &BrowserWindow) -> bool;

    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = id, thread_local_v2)]
    pub(crate) static RUNTIME_ID: String;

    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = getURL)]
    pub(crate) fn runtime_url(path: &str) -> String;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = get)]
    pub(crate) fn tabs_get(id: i32) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = create)]
    pub(crate) fn tabs_create(options: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = query)]
    pub(crate) fn tabs_query(options: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = sendMessage)]
    pub(crate) fn tabs_send(id: i32, word: &str, to: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "windows"], js_name = get)]
    pub(crate) fn windows_get(id: i32) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "windows"], js_name = create)]
    pub(crate) fn windows_create(options: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "windows"], js_name = update)]
    pub(crate) fn windows_update(id: i32, options: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "windows"], js_name = remove)]
    pub(crate) fn windows_remove(id: i32) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "action"], js_name = setBadgeText)]
    pub(crate) fn set_badge_text(options: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "alarms"], js_name = create)]
    pub(crate) fn alarms_create(name: &str, options: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "storage", "session"], js_name = get)]
    pub(crate) fn session_get(key: &str) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "storage", "session"], js_name = set)]
    pub(crate) fn session_set(items: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "storage", "session"], js_name = remove)]
    pub(crate) fn session_remove(key: &str) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "storage", "session"], js_name = setAccessLevel)]
    pub(crate) fn session_set_access_level(options: &Object) -> Result<Promise, JsValue>;
}

/// What a call that gives a promise comes to.
pub(crate) async fn settled(call: Result<Promise, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(call?).await
}

/// Starts a call of which nothing is awaited. That it fails is no news to anybody.
pub(crate) fn begun(call: Result<Promise, JsValue>) {
    wasm_bindgen_futures::spawn_local(async move {
        let _ = settled(call).await;
    });
}

/// An object with these properties.
pub(crate) fn object(properties: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in properties {
        set(&object, name, value);
    }
    object
}

/// Sets a property of an object of our own.
pub(crate) fn set(object: &Object, name: &str, value: &JsValue) {
    Reflect::set(object, &JsValue::from_str(name), value)
        .expect("a plain object takes any property");
}
