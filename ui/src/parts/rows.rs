//! Calls in a line, and where an unsettled one stands.

use countersign_core::wire::ui::{ActivityRow, Advice, Command, Doing, Known, Place, Standing};
use leptos::prelude::*;

use super::drawn::Drawn;
use crate::app::App;
use crate::present::{self, Tone};
use crate::t;
use crate::titles::title;
use crate::when::when;

/// A state as a chip.
#[component]
pub(crate) fn Chip(row: ActivityRow) -> impl IntoView {
    let (tone, words) = present::state(&row);
    let class = match tone {
        Tone::Good => "chip good",
        Tone::Open => "chip open",
        Tone::Quiet => "chip",
    };
    view! { <span class=class>{words}</span> }
}

/// The headline of a row: how much and to whom, or what it does.
#[component]
pub(crate) fn Headline(row: ActivityRow) -> impl IntoView {
    let amount = row
        .amount
        .as_ref()
        .map(|amount| view! { <b>{present::amount(amount)}</b> });
    let title = row
        .amount
        .is_none()
        .then(|| view! { <b>{title(row.title)}</b> });
    let party = row.party.map(|party| {
        let short = present::short(&party);
        // The space is part of the text: one between elements is not said.
        let text = format!(" {}", t!("activity-to", party = short));
        view! { <bdi class="party" title=party>{text}</bdi> }
    });
    view! { <span class="headline">{amount}{title}{party}</span> }
}

/// Rows that open the call they stand for.
#[component]
pub(crate) fn Rows(rows: Vec<ActivityRow>) -> impl IntoView {
    let app = App::of_page();
    let rows = rows
        .into_iter()
        .map(|row| {
            let preview = row.preview;
            let open = move |_| app.send(Command::Show(Place::Intent(preview)));
            let block = row.block.clone().map(|block| {
                let text = t!("activity-block", block = block);
                view! { <span class="fact">{text}</span> }
            });
            view! {
                <li>
                    <button type="button" class="row" on:click=open>
                        <Drawn picture=row.site.glyph />
                        <span class="row-text">
                            <Headline row=row.clone() />
                            <span class="facts">
                                <bdi class="fact">{row.site.host()}</bdi>
                                <span class="fact">{when(row.at)}</span>
                                {block}
                            </span>
                        </span>
                        <Chip row=row />
                    </button>
                </li>
            }
        })
        .collect_view();
    view! { <ul class="rows">{rows}</ul> }
}

/// What is known, what the wallet does, what the person does.
#[component]
pub(crate) fn StandingLines(standing: Standing) -> impl IntoView {
    let known = match standing.known {
        Known::SentNoAnswer(at) => t!("known-sent", at = when(at)),
        Known::Accepted(at) => t!("known-accepted", at = when(at)),
        Known::AnswerGone(at) => t!("known-gone", at = when(at)),
        Known::Trapped(at) => t!("known-trapped", at = when(at)),
        Known::Rejected(at) => t!("known-rejected", at = when(at)),
        Known::UnreadableAnswer(at) => t!("known-unreadable", at = when(at)),
        Known::Restored => t!("known-restored"),
    };
    let doing = match standing.doing {
        Doing::Asking => t!("doing-asking"),
        Doing::AskingUntil(at) => t!("doing-asking-until", at = when(at)),
        Doing::ReadingLedger => t!("doing-ledger"),
        Doing::ReadingLedgerAt(at) => t!("doing-ledger-at", at = when(at)),
        Doing::Nothing => t!("doing-nothing"),
    };
    let advice = match standing.advice {
        Advice::Wait => t!("advice-wait"),
        Advice::WaitUntil(at) => t!("advice-wait-until", at = when(at)),
        Advice::SendAgain => t!("advice-again"),
        Advice::Settle => t!("advice-settle"),
    };
    view! {
        <dl class="standing">
            <div><dt>{t!("standing-known")}</dt><dd>{known}</dd></div>
            <div><dt>{t!("standing-doing")}</dt><dd>{doing}</dd></div>
            <div><dt>{t!("standing-advice")}</dt><dd>{advice}</dd></div>
        </dl>
    }
}
