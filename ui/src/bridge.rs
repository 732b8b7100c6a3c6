//! The one place that knows `chrome.runtime`: a port to the worker.

use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// What a port tells.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum PortEvent {
    /// A frame came.
    Received(String),
    /// The other end is gone.
    Dropped,
}

/// No port can be had: the extension that this page belongs to was updated or removed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gone;

/// A way to the worker. One port at a time: connecting anew forgets the last one.
pub(crate) trait Bridge {
    /// Opens a port; whatever it tells goes to `events`.
    fn connect(&self, events: Rc<dyn Fn(PortEvent)>) -> Result<(), Gone>;

    /// Sends a frame on the port, if there is one. A port that is closed meanwhile tells so itself.
    fn send(&self, frame: &str);
}

#[wasm_bindgen]
extern "C" {
    type Port;
    type Listeners;

    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = connect, catch)]
    fn runtime_connect(info: &JsValue) -> Result<Port, JsValue>;

    #[wasm_bindgen(method, js_name = postMessage, catch)]
    fn post_message(this: &Port, frame: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method)]
    fn disconnect(this: &Port);

    #[wasm_bindgen(method, getter, js_name = onMessage)]
    fn on_message(this: &Port) -> Listeners;

    #[wasm_bindgen(method, getter, js_name = onDisconnect)]
    fn on_disconnect(this: &Port) -> Listeners;

    #[wasm_bindgen(method, js_name = addListener)]
    fn add_listener(this: &Listeners, listener: &Closure<dyn FnMut(JsValue)>);
}

/// A port with the listeners that must live as long as it does.
struct Open {
    port: Port,
    _on_message: Closure<dyn FnMut(JsValue)>,
    _on_disconnect: Closure<dyn FnMut(JsValue)>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.port.disconnect();
    }
}

/// The worker of this extension.
#[derive(Default)]
pub(crate) struct ChromeBridge {
    open: RefCell<Option<Open>>,
}

impl Bridge for ChromeBridge {
    fn connect(&self, events: Rc<dyn Fn(PortEvent)>) -> Result<(), Gone> {
        let info = js_sys::Object::new();
        let name = JsValue::from_str(countersign_core::wire::ui::PORT);
        js_sys::Reflect::set(&info, &JsValue::from_str("name"), &name).map_err(|_| Gone)?;
        let port = runtime_connect(&info).map_err(|_| Gone)?;
        let received = Rc::clone(&events);
        let on_message = Closure::new(move |frame: JsValue| {
            // Anything but a string is of another build; the model refuses it as such.
            received(PortEvent::Received(frame.as_string().unwrap_or_default()));
        });
        let on_disconnect = Closure::new(move |_| events(PortEvent::Dropped));
        port.on_message().add_listener(&on_message);
        port.on_disconnect().add_listener(&on_disconnect);
        let open = Open {
            port,
            _on_message: on_message,
            _on_disconnect: on_disconnect,
        };
        let before = self.open.replace(Some(open));
        // The listeners of the last port may be the ones that called: they are dropped after.
        leptos::prelude::queue_microtask(move || drop(before));
        Ok(())
    }

    fn send(&self, frame: &str) {
        if let Some(open) = &*self.open.borrow() {
            // Fails only where the port is closed, which `onDisconnect` tells.
            let _ = open.port.post_message(frame);
        }
    }
}
