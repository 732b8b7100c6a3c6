//! First run: the person's mark, a passphrase typed twice, and what this wallet cannot do yet.

use countersign_core::wire::ui::{Command, FirstRun, Passphrase, Screen};
use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use crate::app::App;
use crate::parts::drawn::{Drawn, Warning};
use crate::parts::notes::FailureNote;
use crate::present::{self, Strength};
use crate::t;

/// First run.
#[component]
pub(super) fn FirstRunPage() -> impl IntoView {
    let app = App::of_page();
    let first = move || {
        app.screen(|screen| {
            if let Screen::FirstRun(first) = screen {
                Some(first.clone())
            } else {
                None
            }
        })
    };
    let page = move || first().map(|first| view! { <Form first=first /> });
    view! { <main class="narrow">{page}</main> }
}

#[component]
fn Form(first: FirstRun) -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let (typed, set_typed) = signal(String::new());
    let (again, set_again) = signal(String::new());
    let (shown, set_shown) = signal(false);

    let shortest = present::count(first.shortest);
    let strength = move || typed.with(|typed| present::strength(typed, shortest));
    let same = move || typed.with(|typed| again.with(|again| typed == again));
    let ready = move || strength().is_enough() && same() && !busy();
    let hint = move || match strength() {
        Strength::Empty => t!("first-hint-empty", n = shortest),
        Strength::Short(missing) => t!("first-hint-short", n = missing),
        Strength::Plain => t!("first-hint-plain"),
        Strength::Fair => t!("first-hint-fair"),
        Strength::Long => t!("first-hint-long"),
    };
    let meter = move || match strength() {
        Strength::Empty => "meter",
        Strength::Short(_) => "meter one",
        Strength::Plain => "meter two",
        Strength::Fair => "meter three",
        Strength::Long => "meter four",
    };
    let differ =
        move || (!again.with(String::is_empty) && !same()).then(|| t!("first-pass-differ"));
    let kind = move || if shown.get() { "text" } else { "password" };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if let (true, Some(mark)) = (ready(), app.shell(|shell| shell.mark.clone())) {
            app.send(Command::Create {
                passphrase: Passphrase::new(typed.get_untracked()),
                mark,
            });
        }
    };
    view! {
        <h1>{t!("first-title")}</h1>
        <p class="lead">{t!("first-lead")}</p>
        <form on:submit=submit>
            <section class="card pad" aria-labelledby="first-mark">
                <h2 id="first-mark">{t!("first-mark-title")}</h2>
                <BigMark />
                <p>{t!("first-mark")}</p>
            </section>
            <section class="card pad" aria-labelledby="first-pass">
                <h2 id="first-pass">{t!("first-pass-title")}</h2>
                <p>{t!("first-pass")}</p>
                <label class="field">
                    <span>{t!("first-pass-field")}</span>
                    <input
                        type=kind
                        autocomplete="new-password"
                        autocapitalize="off"
                        spellcheck="false"
                        aria-describedby="first-hint"
                        prop:value=typed
                        on:input:target=move |event| set_typed.set(event.target().value())
                    />
                </label>
                <div class=meter aria-hidden="true"><i></i><i></i><i></i><i></i></div>
                <p id="first-hint" class="hint" aria-live="polite">{hint}</p>
                <label class="field">
                    <span>{t!("first-pass-twice")}</span>
                    <input
                        type=kind
                        autocomplete="new-password"
                        autocapitalize="off"
                        spellcheck="false"
                        aria-describedby="first-differ"
                        prop:value=again
                        on:input:target=move |event| set_again.set(event.target().value())
                    />
                </label>
                <p id="first-differ" class="hint" aria-live="polite">{differ}</p>
                <label class="tick">
                    <input
                        type="checkbox"
                        prop:checked=shown
                        on:change:target=move |event| set_shown.set(event.target().checked())
                    />
                    <span>{t!("first-pass-show")}</span>
                </label>
            </section>
            <section class="card pad" aria-labelledby="first-account">
                <h2 id="first-account">{t!("first-account-title")}</h2>
                <p>{t!("first-account", network = first.network.name)}</p>
            </section>
            <section class="note warn tall" aria-labelledby="first-restore">
                <Warning />
                <div>
                    <h2 id="first-restore">{t!("first-restore-title")}</h2>
                    <p>{t!("first-restore")}</p>
                </div>
            </section>
            <FailureNote />
            <button type="submit" class="go" disabled=move || !ready()>
                {move || if busy() { t!("first-working") } else { t!("first-go") }}
            </button>
        </form>
    }
}

/// The mark, large, with another on request.
#[component]
fn BigMark() -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let drawn = move || {
        app.shell(|shell| shell.mark.clone()).map(|mark| {
            view! {
                <Drawn picture=mark.picture />
                <b>{mark.first}<br />{mark.second}</b>
            }
        })
    };
    view! {
        <div class="big-mark">
            <div class="big-mark-drawn" aria-live="polite">{drawn}</div>
            <button
                type="button"
                class="plain"
                disabled=busy
                on:click=move |_| app.send(Command::DrawMark)
            >
                {t!("first-mark-again")}
            </button>
        </div>
    }
}
