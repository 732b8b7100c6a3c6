//! One window: its model in a signal, messages in, effects carried out.

use countersign_core::wire::ui::{Command, Language, Screen, Theme};
use leptos::leptos_dom::helpers::set_timeout;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use crate::bridge::{Bridge, PortEvent};
use crate::model::{Effect, Kind, Model, Msg, Shell};
use crate::words;

/// Handle on the window, for its pages.
#[derive(Clone, Copy)]
pub(crate) struct App {
    model: RwSignal<Model>,
    // Few and of few types: each type of signal is code of its own in the module.
    kind: Memo<Kind>,
    shell: Memo<Shell>,
    screen: Memo<Option<Screen>>,
    round: Memo<u64>,
    language: Memo<Language>,
    theme: Memo<Theme>,
    own: StoredValue<Own, LocalStorage>,
}

/// What the window alone knows.
struct Own {
    bridge: Rc<dyn Bridge>,
    /// What was typed and not yet sent, by a name of the field: a view that arrives meanwhile draws
    /// the page anew.
    drafts: RefCell<Vec<(String, String)>>,
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
            language: Memo::new(move |_| model.with(Model::language)),
            theme: Memo::new(move |_| model.with(Model::theme)),
            own: StoredValue::new_local(Own {
                bridge,
                drafts: RefCell::default(),
            }),
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

    /// What was typed into a field and not yet sent.
    pub(crate) fn draft(self, field: &str) -> String {
        self.own.with_value(|own| {
            let drafts = own.drafts.borrow();
            let draft = drafts.iter().find(|(of, _)| of == field);
            draft.map(|(_, text)| text.clone()).unwrap_or_default()
        })
    }

    /// Keeps what was typed into a field; nothing, once it is sent.
    pub(crate) fn keep_draft(self, field: &str, text: String) {
        self.own.with_value(|own| {
            let mut drafts = own.drafts.borrow_mut();
            drafts.retain(|(of, _)| of != field);
            if !text.is_empty() {
                drafts.push((field.to_owned(), text));
            }
        });
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

    /// The language of the page.
    pub(crate) fn language(self) -> Language {
        self.language.get()
    }

    /// The language of the browser.
    pub(crate) fn browser(self) -> Language {
        self.model.with_untracked(Model::browser)
    }

    /// Whether the page is light or dark.
    pub(crate) fn theme(self) -> Theme {
        self.theme.get()
    }

    /// Whether this is the confirm window.
    pub(crate) fn is_confirm(self) -> bool {
        self.model.with_untracked(Model::is_confirm)
    }

    /// Whether a command is on its way.
    pub(crate) fn is_busy(self) -> bool {
        self.shell(|shell| shell.busy)
    }

    fn dispatch(self, msg: Msg) {
        let effects = self
            .model
            .try_update(|model| {
                let effects = model.update(msg);
                // Before anything is drawn of what came.
                words::speak(model.language());
                effects
            })
            .unwrap_or_default();
        for effect in effects {
            match effect {
                Effect::Connect(0, hello) => self.connect(&hello),
                Effect::Connect(after, hello) => {
                    let after = Duration::from_millis(after.into());
                    set_timeout(move || self.connect(&hello), after);
                }
                Effect::Send(frame) => self.own.with_value(|own| own.bridge.send(&frame)),
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
        let connected = self.own.with_value(|own| own.bridge.connect(events));
        match connected {
            Ok(()) => self.own.with_value(|own| own.bridge.send(hello)),
            Err(_gone) => self.dispatch(Msg::Gone),
        }
    }
}

/// Closes this window.
pub(crate) fn close_window() {
    // A tab that the person opened by hand may refuse; it then stays, which harms nothing.
    let _ = window().close();
}
