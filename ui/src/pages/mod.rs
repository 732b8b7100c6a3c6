//! The pages, one a file: each lays out one kind of screen and sends the commands a person gives.

#![expect(
    unreachable_pub,
    reason = "what `#[component]` makes of a component is `pub`"
)]

use leptos::prelude::*;

use crate::app::{App, close_window};
use crate::look;
use crate::model::{Kind, Link};
use crate::parts::bar::{Bar, Nav};
use crate::parts::notes::{ClockNote, FailureNote};
use crate::t;

mod activity;
mod arming;
mod ask;
mod canisters;
mod connect;
mod decided;
mod first_run;
mod home;
mod intent;
mod networks;
mod settings;
mod unlock;

/// One window.
#[component]
pub(crate) fn Window() -> impl IntoView {
    let app = App::of_page();
    let page = move || match app.kind() {
        Kind::Waiting => view! { <Quiet text=t!("link-connecting") /> }.into_any(),
        Kind::Cut(link) => view! { <Cut link=link /> }.into_any(),
        Kind::FirstRun => view! { <first_run::FirstRunPage /> }.into_any(),
        Kind::Unlock => view! { <unlock::UnlockPage /> }.into_any(),
        Kind::Home => wallet(view! { <home::HomePage /> }.into_any()).into_any(),
        Kind::Networks => wallet(view! { <networks::NetworksPage /> }.into_any()).into_any(),
        Kind::Canisters => wallet(view! { <canisters::CanistersPage /> }.into_any()).into_any(),
        Kind::Activity => wallet(view! { <activity::ActivityPage /> }.into_any()).into_any(),
        Kind::Settings => wallet(view! { <settings::SettingsPage /> }.into_any()).into_any(),
        Kind::Intent(_) => wallet(view! { <intent::IntentPage /> }.into_any()).into_any(),
        Kind::NoIntent => wallet(view! { <intent::NoIntentPage /> }.into_any()).into_any(),
        Kind::Ask(_) => view! { <ask::AskPage /> }.into_any(),
        Kind::Decided => view! { <decided::DecidedPage /> }.into_any(),
        Kind::Dead => view! { <decided::DeadPage /> }.into_any(),
        Kind::NoAsk => view! { <decided::NoAskPage /> }.into_any(),
    };
    Effect::new(move |_| {
        let (language, theme) = (app.language(), app.theme());
        let title = if app.is_confirm() {
            t!("confirm-name")
        } else {
            t!("brand")
        };
        look::set(language, theme, &title);
    });
    move || {
        // What was said in one language is said anew in another, and what had the focus has it again.
        let _ = app.language();
        let focused = look::focused();
        Effect::new(move |_| {
            if let Some(id) = &focused {
                look::focus(id);
            }
        });
        view! {
            <Bar />
            {page}
        }
    }
}

/// A page of the wallet proper: the way around above it.
fn wallet(page: AnyView) -> impl IntoView {
    view! {
        <Nav />
        <main class="wide">
            <ClockNote />
            <FailureNote />
            {page}
        </main>
    }
}

/// One sentence while there is nothing else.
#[component]
fn Quiet(text: String) -> impl IntoView {
    view! { <main class="centre"><p class="dim" role="status">{text}</p></main> }
}

/// The connection says it all.
#[component]
fn Cut(link: Link) -> impl IntoView {
    use countersign_core::wire::ui::Refused;
    let (title, text) = match link {
        Link::Gone | Link::Refused(Refused::Version) => (t!("link-gone-title"), t!("link-gone")),
        Link::Connecting | Link::Open | Link::Lost => (t!("link-lost-title"), t!("link-lost")),
        Link::Refused(Refused::Token) => (t!("link-refused-token-title"), t!("link-refused-token")),
        Link::Refused(Refused::NewerData) => {
            (t!("link-refused-newer-title"), t!("link-refused-newer"))
        }
        Link::Refused(Refused::NoStore) => {
            (t!("link-refused-store-title"), t!("link-refused-store"))
        }
    };
    view! {
        <main class="centre">
            <div class="centred" role="alert">
                <h1>{title}</h1>
                <p>{text}</p>
            </div>
            <CloseButton />
        </main>
    }
}

/// Closes the window.
#[component]
fn CloseButton() -> impl IntoView {
    view! {
        <button type="button" class="plain" on:click=move |_| close_window()>{t!("close")}</button>
    }
}
