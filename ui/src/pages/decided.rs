//! The confirm window between asks: what was decided, what ended by itself, what comes next.

use countersign_core::confirm::site::SiteName;
use countersign_core::wire::ui::{
    ActivityRow, Command, Dead, DeadWhy, Decided, Decision, NextAsk, Screen, State,
};
use leptos::prelude::*;

use super::CloseButton;
use crate::app::App;
use crate::parts::drawn::{Drawn, Sign};
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
                let tone = row.as_ref().map_or(Tone::Open, |row| present::state(row).0);
                let refused = row.as_ref().is_some_and(|row| row.state == State::Refused);
                let (tone, title, note) = match decision {
                    Decision::Approved => {
                        let note = match tone {
                            Tone::Open => t!("done-sending-note"),
                            Tone::Quiet if refused => t!("done-refused-note"),
                            Tone::Good | Tone::Quiet => String::new(),
                        };
                        (tone, t!("done-approved"), note)
                    }
                    Decision::Connected => {
                        (Tone::Good, t!("done-connected"), t!("done-connected-note"))
                    }
                    Decision::Declined => {
                        (Tone::Quiet, t!("done-declined"), t!("done-declined-note"))
                    }
                    Decision::DeclinedResend => (
                        Tone::Open,
                        t!("done-declined"),
                        t!("done-declined-resend-note"),
                    ),
                    Decision::Later => (Tone::Open, t!("done-later"), t!("done-later-note")),
                };
                view! { <End tone=tone title=title site=None note=note row=row next=next /> }
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
            view! { <End tone=Tone::Quiet title=t!("dead-title") site=site note=note row=row next=next /> }
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
    tone: Tone,
    title: String,
    site: Option<SiteName>,
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
    let site = site.map(|site| {
        view! { <p class="who-line"><Drawn picture=site.glyph /><Site site=site /></p> }
    });
    let note = (!note.is_empty()).then(|| view! { <p>{note}</p> });
    view! {
        <Sign tone=tone />
        <h1>{title}</h1>
        {site}
        {row}
        {note}
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
