//! Unlock: the mark first, then the passphrase.

use countersign_core::wire::ui::{Command, Passphrase, Screen, Unlock};
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;

use crate::app::App;
use crate::parts::drawn::{Drawn, Warning};
use crate::parts::notes::FailureNote;
use crate::parts::texts::Site;
use crate::t;
use crate::when::when;

/// Unlock.
#[component]
pub(super) fn UnlockPage() -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let (typed, set_typed) = signal(String::new());
    let field = NodeRef::<Input>::new();
    // The one field of the page has the focus; and what did not open the wallet is typed anew.
    Effect::new(move |_| {
        let _ = app.round();
        set_typed.set(String::new());
        if let Some(field) = field.get() {
            // Without the focus the person clicks into it.
            let _ = field.focus();
        }
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let passphrase = typed.get_untracked();
        if !passphrase.is_empty() {
            app.send(Command::Unlock {
                passphrase: Passphrase::new(passphrase),
            });
        }
    };
    view! {
        <main class="narrow centre">
            <div class="hero">{move || app.shell(|shell| shell.mark.as_ref().map(|mark| mark.picture)).map(|picture| view! { <Drawn picture=picture /> })}</div>
            <h1>{t!("unlock-title")}</h1>
            <p class="lead">{t!("unlock-check")}</p>
            <Reasons />
            <form on:submit=submit>
                <label class="field">
                    <span>{t!("unlock-field")}</span>
                    <input
                        type="password"
                        autocomplete="current-password"
                        node_ref=field
                        prop:value=typed
                        on:input:target=move |event| set_typed.set(event.target().value())
                    />
                </label>
                <FailureNote />
                <button type="submit" class="go" disabled=move || busy() || typed.with(String::is_empty)>
                    {move || if busy() { t!("unlock-working") } else { t!("unlock-go") }}
                </button>
            </form>
        </main>
    }
}

/// Why one may want to unlock.
#[component]
fn Reasons() -> impl IntoView {
    let app = App::of_page();
    let unlock = move || {
        app.screen(|screen| {
            if let Screen::Unlock(unlock) = screen {
                Some(unlock.clone())
            } else {
                None
            }
        })
    };
    move || {
        unlock().map(
            |Unlock {
                 asked_by,
                 in_flight,
                 frozen,
             }| {
                let waiting = Some(app.shell(|shell| shell.waiting)).filter(|n| *n > 0);
                let asked = asked_by.map(|site| {
                    view! {
                    <div class="card pad asked">
                        <Drawn picture=site.glyph />
                        <p><Site site=site /><br /><span class="dim">{t!("unlock-asked")}</span></p>
                    </div>
                }
                .into_any()
                });
                let waits =
                    waiting.map(|n| view! { <p>{t!("unlock-waiting", n = n)}</p> }.into_any());
                let in_flight = (in_flight > 0)
                    .then(|| view! { <p class="dim">{t!("unlock-in-flight", n = in_flight)}</p> });
                let frozen = frozen.map(|at| {
                    view! {
                        <section class="note warn tall" aria-labelledby="unlock-frozen">
                            <Warning />
                            <div>
                                <h2 id="unlock-frozen">{t!("unlock-frozen-title", at = when(at))}</h2>
                                <p>{t!("unlock-frozen")}</p>
                            </div>
                        </section>
                    }
                });
                view! { {frozen} {asked.or(waits)} {in_flight} }
            },
        )
    }
}
