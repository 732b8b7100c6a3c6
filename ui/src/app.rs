//! One window: its model in a signal, messages in, effects carried out.

use countersign_core::wire::ui::{Command, Screen};
use leptos::leptos_dom::helpers::set_timeout;
use leptos::prelude::*;
use std::rc::Rc;
use std::time::Duration;

use crate::bridge::{Bridge, PortEvent};
use crate::model::{Effect, Kind, Model, Msg, Shell};

/// Handle on the window, for its pages.
#[derive(Clone, Copy)]
pub(crate) struct App {
    model: RwSignal<Model>,
    // Few and of few types: each type of signal is code of its own in the module.
    kind: Memo<Kind>,
    shell: Memo<Shell>,
    screen: Memo<Option<Screen>>,
    round: Memo<u64>,
    bridge: StoredValue<Rc<dyn Bridge>, LocalStorage>,
}

impl App {
    /// A window over a bridge. Connects at once.
    pub(crate) fn start(model: Model, bridge: Rc<dyn Bridge>) -> Self {
        let model = RwSignal::new(model);
        let app = Self {
            model,
            kind: Memo::new(move |_| model.with(Model::kind)),
            shell: Memo::new(move |_| model.with(Model::shell)),
            screen: Memo::new(move |_| model.with(Model::screen)),
            round: Memo::new(move |_| model.with(|model| model.round)),
            bridge: StoredValue::new_local(bridge),
        };
        app.dispatch(Msg::Started);
        app
    }

    /// The window that the page stands in.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    /// Sends a command.
    pub(crate) fn send(self, command: Command) {
        self.dispatch(Msg::Did(command));
    }

    /// What kind of screen stands.
    pub(crate) fn kind(self) -> Kind {
        self.kind.get()
    }

    /// Something of what stands around the screen.
    pub(crate) fn shell<T>(self, get: impl Fn(&Shell) -> T) -> T {
        self.shell.with(get)
    }

    /// Something of the screen, while it is of the kind that has it.
    pub(crate) fn screen<T>(self, get: impl Fn(&Screen) -> Option<T>) -> Option<T> {
        self.screen.with(|screen| screen.as_ref().and_then(get))
    }

    /// Something of the screen as it stands now, for what the person does.
    pub(crate) fn screen_now<T>(self, get: impl Fn(&Screen) -> Option<T>) -> Option<T> {
        self.screen
            .with_untracked(|screen| screen.as_ref().and_then(get))
    }

    /// Counts the steps that were dealt with or cut off.
    pub(crate) fn round(self) -> u64 {
        self.round.get()
    }

    /// Whether a command is on its way.
    pub(crate) fn is_busy(self) -> bool {
        self.shell(|shell| shell.busy)
    }

    fn dispatch(self, msg: Msg) {
        let effects = self
            .model
            .try_update(|model| model.update(msg))
            .unwrap_or_default();
        for effect in effects {
            match effect {
                Effect::Connect(0, hello) => self.connect(&hello),
                Effect::Connect(after, hello) => {
                    let after = Duration::from_millis(after.into());
                    set_timeout(move || self.connect(&hello), after);
                }
                Effect::Send(frame) => self.bridge.with_value(|bridge| bridge.send(&frame)),
                Effect::Close(after) => {
                    let close = move || {
                        if self
                            .model
                            .try_with_untracked(Model::may_close)
                            .unwrap_or(false)
                        {
                            close_window();
                        }
                    };
                    set_timeout(close, Duration::from_millis(after.into()));
                }
            }
        }
    }

    fn connect(self, hello: &str) {
        let events = Rc::new(move |event| match event {
            PortEvent::Received(frame) => self.dispatch(Msg::Received(frame)),
            PortEvent::Dropped => self.dispatch(Msg::Dropped),
        });
        let connected = self.bridge.with_value(|bridge| bridge.connect(events));
        match connected {
            Ok(()) => self.bridge.with_value(|bridge| bridge.send(hello)),
            Err(_gone) => self.dispatch(Msg::Gone),
        }
    }
}

/// Closes this window.
pub(crate) fn close_window() {
    // A tab that the person opened by hand may refuse; it then stays, which harms nothing.
    let _ = window().close();
}
