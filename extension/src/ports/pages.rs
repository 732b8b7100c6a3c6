//! Connected documents and windows, by the number that the worker's script gave their port.

use super::chrome::{
    BrowserWindow, MessageSender, Port, RUNTIME_ID, Tab, object, runtime_url, settled, tabs_get,
    tabs_query, tabs_send, windows_get,
};
use super::timer::within;
use countersign_core::policy::{OwnSender, Sender};
use countersign_core::ports::{self, PortId};
use countersign_core::wire::page::{ATTENDED, WAKE};
use js_sys::Array;
use litemap::LiteMap;
use std::cell::RefCell;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;

/// How long a document may take to say whether it has had input: one that hangs is not attended.
const ANSWER_MS: u64 = 1_000;

/// A frame that is no top-level document.
const SOME_FRAME: i32 = -1;

/// The ports that are open now.
#[derive(Default)]
pub struct Pages {
    open: RefCell<LiteMap<PortId, Port>>,
}

impl Pages {
    /// Takes up a port.
    pub(crate) fn opened(&self, id: PortId, port: Port) {
        self.open.borrow_mut().insert(id, port);
    }

    /// Forgets a port that is gone.
    pub(crate) fn gone(&self, id: PortId) {
        self.open.borrow_mut().remove(&id);
    }

    fn port(&self, id: PortId) -> Option<Port> {
        self.open.borrow().get(&id).cloned()
    }

    async fn attended(&self, id: PortId) -> Option<bool> {
        let sender = self.port(id)?.sender()?;
        let document = sender.document_id()?;
        let tab_id = sender.tab()?.tab_id()?;
        let tab: Tab = settled(tabs_get(tab_id)).await.ok()?.unchecked_into();
        if !tab.active() {
            return Some(false);
        }
        let window = settled(windows_get(tab.window_id()?)).await.ok()?;
        let window: BrowserWindow = window.unchecked_into();
        if !window.focused() {
            return Some(false);
        }
        let to = object(&[("documentId", document.into())]);
        let answer = tabs_send(tab_id, ATTENDED, &to).ok()?;
        let answer = within(ANSWER_MS, &answer).await?.ok()?;
        Some(answer == JsValue::TRUE)
    }
}

impl ports::Pages for Pages {
    fn post(&self, port: PortId, frame: &str) {
        if let Some(port) = self.port(port) {
            // Fails only where the other end is gone, which the browser tells apart.
            let _ = port.post_message(frame);
        }
    }

    fn close(&self, port: PortId) {
        if let Some(port) = self.open.borrow_mut().remove(&port) {
            port.disconnect();
        }
    }

    fn wake(&self) {
        spawn_local(async {
            let Ok(tabs) = settled(tabs_query(&object(&[]))).await else {
                return;
            };
            for tab in Array::from(&tabs).iter() {
                let tab: Tab = tab.unchecked_into();
                if let Some(id) = tab.tab_id() {
                    // A tab without our content script hears nothing, and nothing is owed to it.
                    let _ = settled(tabs_send(id, WAKE, &object(&[]))).await;
                }
            }
        });
    }

    /// The browser vouches that the tab is its window's active one and that the window has the
    /// focus. That the document has had a person's input, its renderer says, asked through our
    /// content script: a renderer under a page's control can lie about it, and gains a window in
    /// front of a person who looks at that page.
    async fn is_attended(&self, port: PortId) -> bool {
        self.attended(port).await.unwrap_or(false)
    }
}

/// What the browser says of a page's document.
///
/// The origin of the tab's top-level document is told of a top-level document alone: for another
/// one the browser would want a permission, and embedded documents are not served.
pub(crate) fn page_sender(port: &Port) -> Sender {
    let sender = port.sender();
    let text = |read: fn(&MessageSender) -> Option<String>| {
        sender.as_ref().and_then(read).unwrap_or_default()
    };
    let frame = |sender: &MessageSender| sender.tab().and(sender.frame_id());
    let frame_id = sender.as_ref().and_then(frame).unwrap_or(SOME_FRAME);
    let origin = text(MessageSender::origin);
    Sender {
        top_origin: if frame_id == 0 {
            origin.clone()
        } else {
            String::new()
        },
        origin,
        document_id: text(MessageSender::document_id),
        frame_id,
        lifecycle: text(MessageSender::document_lifecycle),
    }
}

/// What the browser says of a connection that claims to be a page of ours.
pub(crate) fn own_sender(port: &Port) -> OwnSender {
    let sender = port.sender();
    let text = |read: fn(&MessageSender) -> Option<String>| {
        sender.as_ref().and_then(read).unwrap_or_default()
    };
    let frame_id = sender.as_ref().and_then(MessageSender::frame_id);
    let own_origin = runtime_url("").trim_end_matches('/').to_owned();
    let url = text(MessageSender::url);
    let path = url.strip_prefix(own_origin.as_str()).unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default().to_owned();
    OwnSender {
        extension: text(MessageSender::id),
        own: RUNTIME_ID.with(Clone::clone),
        origin: text(MessageSender::origin),
        own_origin,
        path,
        document_id: text(MessageSender::document_id),
        frame_id: frame_id.unwrap_or(SOME_FRAME),
    }
}
