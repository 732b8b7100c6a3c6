//! What the person gives of a canister by hand: its interface, a profile.

use countersign_core::wire::ui::Command;
use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use super::super::ask::{ask_on, on_ask};
use crate::app::App;
use crate::parts::plain::{button, fold, row, say};
use crate::t;

/// What is pasted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Paste {
    /// An interface, as Candid text.
    Interface,
    /// A profile, as JSON.
    Profile,
}

impl Paste {
    /// The name of the field for a canister of the ask that is shown.
    fn field(self, app: App, canister: &str) -> String {
        let ask = app.screen_now(|screen| ask_on(screen).map(|ask| ask.id));
        format!("{self:?} {ask:?} {canister}")
    }

    /// The command that gives a text, or takes back what was given where it is empty.
    fn command(self, app: App, canister: &str, text: String) {
        let canister = canister.to_owned();
        on_ask(app, |ask| match self {
            Self::Interface => Command::PasteInterface {
                ask,
                canister,
                text,
            },
            Self::Profile => Command::PasteProfile {
                ask,
                canister,
                text,
            },
        });
    }
}

/// The fold with both fields. It stays open while something stands in one of them.
pub(super) fn by_hand(canister: &str) -> AnyView {
    let app = App::of_page();
    let both = [Paste::Profile, Paste::Interface];
    let open = both
        .iter()
        .any(|paste| !app.draft(&paste.field(app, canister)).is_empty());
    let fields = both.map(|paste| field(paste, canister)).into();
    fold("inner-fold", open, say(t!("hand-title")), row(fields))
}

/// A field to paste into, and its button.
pub(super) fn field(paste: Paste, canister: &str) -> AnyView {
    let app = App::of_page();
    let field = paste.field(app, canister);
    let (typed, set_typed) = signal(app.draft(&field));
    let (label, note, go) = match paste {
        Paste::Interface => (
            t!("hand-interface"),
            t!("hand-interface-note"),
            t!("hand-interface-go"),
        ),
        Paste::Profile => (
            t!("hand-profile"),
            t!("hand-profile-note"),
            t!("hand-profile-go"),
        ),
    };
    // The note beside it is no part of its name.
    let name = label.clone();
    let (on, of) = (canister.to_owned(), field.clone());
    let give = move |event: SubmitEvent| {
        event.prevent_default();
        app.keep_draft(&of, String::new());
        paste.command(app, &on, typed.get_untracked());
    };
    let change = move |text: String| {
        app.keep_draft(&field, text.clone());
        set_typed.set(text);
    };
    view! {
        <form on:submit=give>
            <label class="field">
                <span>{label}</span>
                <small>{note}</small>
                <textarea
                    rows="4"
                    spellcheck="false"
                    class="mono"
                    aria-label=name
                    prop:value=typed
                    on:input:target=move |event| change(event.target().value())
                ></textarea>
            </label>
            <button
                type="submit"
                class="plain"
                disabled=move || app.is_busy() || typed.with(String::is_empty)
            >
                {go}
            </button>
        </form>
    }
    .into_any()
}

/// The button that takes back what was pasted.
pub(super) fn take_back(paste: Paste, canister: &str) -> AnyView {
    let label = match paste {
        Paste::Interface => t!("hand-interface-back"),
        Paste::Profile => t!("hand-profile-back"),
    };
    let on = canister.to_owned();
    button("small", label, move |app| {
        paste.command(app, &on, String::new())
    })
}
