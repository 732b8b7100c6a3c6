//! The top of every window: the person's mark above all else, then the way around.

use countersign_core::wire::ui::{Command, Place};
use leptos::prelude::*;

use super::drawn::{Drawn, Seal};
use crate::app::App;
use crate::model::Kind;
use crate::t;

/// The bar.
#[component]
pub(crate) fn Bar() -> impl IntoView {
    let app = App::of_page();
    let drawn = move || {
        app.shell(|shell| shell.mark.clone()).map(|mark| {
            let label = t!(
                "mark-label",
                first = mark.first.as_str(),
                second = mark.second.as_str()
            );
            view! {
                <span class="mark" role="img" aria-label=label>
                    <Drawn picture=mark.picture />
                    <b>{format!("{} {}", mark.first, mark.second)}</b>
                </span>
            }
        })
    };
    view! {
        <header class="bar">
            {cfg!(feature = "test-build").then(|| view! { <p class="test-build">{t!("test-build")}</p> })}
            <div class="bar-line">
                {drawn}
                <span class="brand"><Seal />{t!("brand")}</span>
            </div>
        </header>
    }
}

/// The way around the wallet's full page.
#[component]
pub(crate) fn Nav() -> impl IntoView {
    let app = App::of_page();
    let at = move || match app.kind() {
        Kind::Home => Some(Place::Home),
        Kind::Activity => Some(Place::Activity),
        Kind::Networks => Some(Place::Networks),
        Kind::Canisters => Some(Place::Canisters),
        Kind::Settings => Some(Place::Settings),
        Kind::Intent(_)
        | Kind::NoIntent
        | Kind::Waiting
        | Kind::Cut(_)
        | Kind::FirstRun
        | Kind::Unlock
        | Kind::Ask(_)
        | Kind::Decided
        | Kind::Dead
        | Kind::NoAsk => None,
    };
    let tab = move |place: Place, name: String| {
        view! {
            <button
                type="button"
                class="tab"
                aria-current=move || (at() == Some(place)).then_some("page")
                on:click=move |_| app.send(Command::Show(place))
            >
                {name}
            </button>
        }
    };
    view! {
        <nav class="nav" aria-label=t!("nav-label")>
            {tab(Place::Home, t!("nav-home"))}
            {tab(Place::Activity, t!("nav-activity"))}
            {tab(Place::Canisters, t!("nav-canisters"))}
            {tab(Place::Networks, t!("nav-networks"))}
            {tab(Place::Settings, t!("nav-settings"))}
            <button type="button" class="tab lock" on:click=move |_| app.send(Command::Lock)>
                {t!("nav-lock")}
            </button>
            <button
                type="button"
                class="tab freeze"
                title=t!("nav-freeze-note")
                on:click=move |_| app.send(Command::Freeze)
            >
                {t!("nav-freeze")}
            </button>
        </nav>
    }
}
