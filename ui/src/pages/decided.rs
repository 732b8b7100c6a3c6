//! The confirm window between asks: what was decided, what ended by itself, what comes next.

use countersign_core::wire::ui::{
    ActivityRow, Command, Dead, DeadWhy, Decided, Decision, NextAsk, Screen,
};
use leptos::prelude::*;

use super::CloseButton;
use crate::app::App;
use crate::parts::drawn::Drawn;
use crate::parts::rows::{Chip, Headline};
use crate::parts::texts::Site;
use crate::present::{self, Tone};
use crate::t;

/// A decision was given here.
#[component]
pub(super) fn DecidedPage() -> impl IntoView {
    let app = App::of_page();
    let decided = move || {
        app.screen(|screen| {
            if let Screen::Decided(decided) = screen {
                Some(decided.clone())
            } else {
                None
            }
        })
    };
    let body = move || {
        decided().map(
            |Decided {
                 decision,
                 row,
                 next,
             }| {
                let over = row
                    .as_ref()
                    .is_some_and(|row| present::state(row).0 != Tone::Open);
                let (title, note) = match decision {
                    Decision::Approved if over => (t!("done-approved"), String::new()),
                    Decision::Approved => (t!("done-approved"), t!("done-sending-note")),
                    Decision::Connected => (t!("done-connected"), t!("done-connected-note")),
                    Decision::Declined => (t!("done-declined"), t!("done-declined-note")),
                    Decision::DeclinedResend => {
                        (t!("done-declined"), t!("done-declined-resend-note"))
                    }
                    Decision::Later => (t!("done-later"), t!("done-later-note")),
                };
                view! { <End title=title note=note row=row next=next /> }
            },
        )
    };
    view! { <main class="centre"><div class="centred" role="status">{body}</div></main> }
}

/// The ask ended without a decision here.
#[component]
pub(super) fn DeadPage() -> impl IntoView {
    let app = App::of_page();
    let dead = move || {
        app.screen(|screen| {
            if let Screen::Dead(dead) = screen {
                Some(dead.clone())
            } else {
                None
            }
        })
    };
    let body = move || {
        dead().map(|Dead { why, site, row, next }| {
            let note = match why {
                DeadWhy::Expired => t!("dead-expired"),
                DeadWhy::Withdrawn => t!("dead-withdrawn"),
                DeadWhy::Elsewhere => t!("dead-elsewhere"),
                DeadWhy::CanisterChanged => t!("dead-changed"),
                DeadWhy::Settled => t!("dead-settled"),
                DeadWhy::Unknown => t!("dead-unknown"),
            };
            let site = site.map(|site| view! { <p class="who-line"><Drawn picture=site.glyph /><Site site=site /></p> });
            view! {
                {site}
                <End title=t!("dead-title") note=note row=row next=next />
            }
        })
    };
    view! { <main class="centre"><div class="centred" role="status">{body}</div></main> }
}

/// Nothing waits.
#[component]
pub(super) fn NoAskPage() -> impl IntoView {
    view! {
        <main class="centre">
            <h1>{t!("no-ask-title")}</h1>
            <p>{t!("no-ask")}</p>
            <CloseButton />
        </main>
    }
}

/// A title, a sentence, the call, and what comes next: never the next ask itself, which comes only
/// after a step of its own.
#[component]
fn End(
    title: String,
    note: String,
    row: Option<ActivityRow>,
    next: Option<NextAsk>,
) -> impl IntoView {
    let row = row.map(|row| {
        view! { <p class="card pad end-row"><Headline row=row.clone() /><Chip row=row /></p> }
    });
    let next = match next {
        None => view! { <CloseButton /> }.into_any(),
        Some(next) => view! { <Next next=next /> }.into_any(),
    };
    view! {
        <h1>{title}</h1>
        {row}
        <p>{note}</p>
        {next}
    }
}

#[component]
fn Next(next: NextAsk) -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let label = t!("done-next-from", site = next.site.host());
    view! {
        <div class="next">
            <p>{t!("done-next-waiting", n = next.waiting)}</p>
            <p class="who-line"><Drawn picture=next.site.glyph /><Site site=next.site /></p>
            <div class="buttons">
                <CloseButton />
                <button
                    type="button"
                    class="go"
                    aria-label=label
                    disabled=busy
                    on:click=move |_| app.send(Command::Next)
                >
                    {t!("done-next")}
                </button>
            </div>
        </div>
    }
}
