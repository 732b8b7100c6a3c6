//! One window: its model in a signal, messages in, effects carried out.

use countersign_core::wire::ui::{Command, Screen, View};
use leptos::leptos_dom::helpers::set_timeout;
use leptos::prelude::*;
use std::rc::Rc;
use std::time::Duration;

use crate::bridge::{Bridge, PortEvent};
use crate::model::{Effect, Kind, Model, Msg};

/// Handle on the window, for its pages.
#[derive(Clone, Copy)]
pub(crate) struct App {
    model: RwSignal<Model>,
    bridge: StoredValue<Rc<dyn Bridge>, LocalStorage>,
}

impl App {
    /// A window over a bridge. Connects at once.
    pub(crate) fn start(model: Model, bridge: Rc<dyn Bridge>) -> Self {
        let app = Self {
            model: RwSignal::new(model),
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
    pub(crate) fn kind(self) -> Memo<Kind> {
        Memo::new(move |_| self.model.with(Model::kind))
    }

    /// Something of the model.
    pub(crate) fn of_model<T: Clone + PartialEq + Send + Sync + 'static>(
        self,
        get: impl Fn(&Model) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        Memo::new(move |_| self.model.with(&get))
    }

    /// Something of the view, while there is one.
    pub(crate) fn of_view<T: Clone + PartialEq + Send + Sync + 'static>(
        self,
        get: impl Fn(&View) -> Option<T> + Send + Sync + 'static,
    ) -> Memo<Option<T>> {
        self.of_model(move |model| model.view.as_ref().and_then(&get))
    }

    /// Something of the screen, while it is of the kind that has it.
    pub(crate) fn of_screen<T: Clone + PartialEq + Send + Sync + 'static>(
        self,
        get: impl Fn(&Screen) -> Option<T> + Send + Sync + 'static,
    ) -> Memo<Option<T>> {
        self.of_view(move |view| get(&view.screen))
    }

    /// Whether a command is on its way.
    pub(crate) fn busy(self) -> Memo<bool> {
        self.of_model(Model::is_busy)
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
