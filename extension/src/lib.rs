//! The worker of the extension: events of the browser in, calls of the wallet out.
//!
//! `extension/js/worker.js` registers the listeners and calls the functions exported here, in the
//! order in which the browser told the events. Nothing is decided here: who is at the other end of
//! a port is read from the browser and judged in `countersign_core`, and so is everything else.
//! [`ports`] is the only room that touches the browser's interfaces.

pub mod ports;

use countersign_core::engine::Wallet;
use countersign_core::ports::{PortId, Ports as _, WindowId};
use countersign_core::wire::{page, ui};
use litemap::LiteMap;
use ports::chrome::Port;
use ports::{BrowserPorts, Prompter, WAKE, console, own_sender, page_sender, starts};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};

/// What a port is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Door {
    /// The content script of a page.
    Page,
    /// A window of our own.
    Ui,
}

impl Door {
    fn of(port: &Port) -> Option<Self> {
        let name = port.name();
        if name == page::PORT {
            Some(Self::Page)
        } else if name == ui::PORT {
            Some(Self::Ui)
        } else {
            None
        }
    }
}

/// The one wallet of this worker.
struct Worker {
    wallet: Wallet<BrowserPorts>,
    doors: RefCell<LiteMap<PortId, Door>>,
    /// Fulfilled when the wallet has taken up what the last worker left in memory of the session.
    ready: js_sys::Promise,
}

thread_local! {
    static WORKER: RefCell<Option<Rc<Worker>>> = const { RefCell::new(None) };
}

/// The worker, started where this is its first event.
fn worker() -> Rc<Worker> {
    if let Some(worker) = WORKER.with_borrow(Clone::clone) {
        return worker;
    }
    console::report_panics();
    let ports = BrowserPorts::new(|| after_start(async |worker| worker.wallet.wake().await));
    let ready = future_to_promise(async {
        worker().wallet.take_up().await;
        Ok(JsValue::UNDEFINED)
    });
    let wallet = Wallet::new(ports);
    #[cfg(feature = "test-build")]
    let wallet = wallet.with_fixtures();
    let started = Rc::new(Worker {
        wallet,
        doors: RefCell::default(),
        ready,
    });
    WORKER.set(Some(Rc::clone(&started)));
    spawn_local(starts::count());
    after_start(async |worker| worker.wallet.wake().await);
    started
}

/// Begins work on the wallet once it has started. What is begun first starts first; each may wait
/// for the network, so none waits for another's end.
fn after_start<F>(work: F)
where
    F: AsyncFnOnce(Rc<Worker>) + 'static,
{
    let worker = worker();
    spawn_local(async move {
        // It is never rejected.
        let _ = JsFuture::from(worker.ready.clone()).await;
        work(worker).await;
    });
}

/// A document or a window connected.
#[wasm_bindgen]
pub fn port_opened(number: u32, port: Port) {
    let worker = worker();
    let id = PortId(number);
    let Some(door) = Door::of(&port) else {
        return port.disconnect();
    };
    worker.doors.borrow_mut().insert(id, door);
    let pages = worker.wallet.ports().pages();
    match door {
        Door::Page => {
            let sender = page_sender(&port);
            pages.opened(id, port);
            worker.wallet.page_connected(id, &sender);
        }
        Door::Ui => {
            let sender = own_sender(&port);
            pages.opened(id, port);
            worker.wallet.window_connected(id, &sender);
        }
    }
}

/// A frame came on a port.
#[wasm_bindgen]
pub fn port_message(number: u32, frame: &JsValue) {
    let id = PortId(number);
    // Frames are texts; whoever sends another thing is no script of ours.
    let Some(frame) = frame.as_string() else {
        return;
    };
    let Some(door) = worker().doors.borrow().get(&id).copied() else {
        return;
    };
    after_start(async move |worker| match door {
        Door::Page => worker.wallet.page_frame(id, &frame).await,
        Door::Ui => worker.wallet.window_frame(id, &frame).await,
    });
}

/// The other end of a port is gone.
#[wasm_bindgen]
pub fn port_closed(number: u32) {
    let id = PortId(number);
    let worker = worker();
    worker.wallet.ports().pages().gone(id);
    let Some(door) = worker.doors.borrow_mut().remove(&id) else {
        return;
    };
    after_start(async move |worker| match door {
        Door::Page => worker.wallet.page_gone(id).await,
        Door::Ui => worker.wallet.window_gone(id),
    });
}

/// The extension was installed or updated.
#[wasm_bindgen]
pub fn installed(reason: &str) {
    if reason == "install" {
        open_home();
    }
}

/// The toolbar button was pressed.
#[wasm_bindgen]
pub fn action_clicked() {
    open_home();
}

/// A shortcut of the manifest was pressed.
#[wasm_bindgen]
pub fn shortcut(name: &str) {
    if name == "freeze" {
        after_start(async |worker| {
            // The page says whether it was stored: it shows a wallet that is locked or frozen.
            let _ = worker.wallet.freeze().await;
        });
        open_home();
    }
}

fn open_home() {
    after_start(async |worker| {
        let token = worker.wallet.new_token().await;
        Prompter.open_home(&token.unwrap_or_default()).await;
    });
}

/// The browser started.
#[wasm_bindgen]
pub fn browser_started() {
    after_start(async |worker| worker.wallet.browser_started().await);
}

/// An alarm is due.
#[wasm_bindgen]
pub fn alarm(name: &str) {
    if name == WAKE {
        after_start(async |worker| worker.wallet.wake().await);
    }
}

/// A window of the browser was closed.
#[wasm_bindgen]
pub fn window_removed(id: i32) {
    after_start(async move |worker| worker.wallet.window_closed(WindowId(id)).await);
}
