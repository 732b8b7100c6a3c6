//! One call with all that is kept of it.

use countersign_core::wire::ui::{
    Action, Command, Happened, HistoryLine, IntentRecord, Looked, Place, Screen,
};
use leptos::prelude::*;

use crate::app::App;
use crate::parts::call::{Arguments, Deed, LostNote, Proof, Quotes, Sums};
use crate::parts::drawn::{Drawn, Warning};
use crate::parts::rows::{Chip, StandingLines};
use crate::parts::texts::Site;
use crate::t;
use crate::when::{when, when_exactly};

/// One call.
#[component]
pub(super) fn IntentPage() -> impl IntoView {
    let app = App::of_page();
    let record = move || {
        app.screen(|screen| {
            if let Screen::Intent(record) = screen {
                Some(record.clone())
            } else {
                None
            }
        })
    };
    move || record().map(|record| view! { <Record record=*record /> })
}

/// A call that the journal does not have.
#[component]
pub(super) fn NoIntentPage() -> impl IntoView {
    view! {
        <Back />
        <h1>{t!("intent-none-title")}</h1>
        <p>{t!("intent-none")}</p>
    }
}

#[component]
fn Back() -> impl IntoView {
    let app = App::of_page();
    let back = move |_| app.send(Command::Show(Place::Activity));
    view! { <button type="button" class="small back" on:click=back>{t!("back")}</button> }
}

#[component]
fn Record(record: IntentRecord) -> impl IntoView {
    let IntentRecord {
        row,
        call,
        lost,
        standing,
        history,
        answer,
        actions,
    } = record;
    let preview = row.preview;
    let held = standing.map(|standing| {
        view! {
            <section class="held" aria-labelledby="intent-held">
                <h2 id="intent-held"><Warning />{t!("standing-title-one")}</h2>
                <StandingLines standing=standing />
            </section>
        }
    });
    let lost = standing.is_some().then(|| view! { <LostNote lost=lost /> });
    let answer = answer.map(|answer| {
        view! {
            <section>
                <h2>{t!("intent-answer")}</h2>
                <p class="card pad answer"><bdi>{answer}</bdi></p>
            </section>
        }
    });
    let history = history.into_iter().map(happened).collect_view();
    let actions = (!actions.is_empty()).then(|| {
        let actions = actions
            .into_iter()
            .map(|action| view! { <Act preview=preview action=action /> });
        view! {
            <section>
                <h2>{t!("intent-actions")}</h2>
                <div class="actions">{actions.collect_view()}</div>
            </section>
        }
    });
    view! {
        <div class="intent-top">
            <Back />
            <Chip row=row.clone() />
        </div>
        <section class="who">
            <Drawn picture=row.site.glyph />
            <div><Site site=row.site /><small>{when(row.at)}</small></div>
        </section>
        {held}
        <Deed call=call.clone() />
        <Quotes call=call.clone() />
        <Sums call=call.clone() />
        {lost}
        {answer}
        {actions}
        <section>
            <h2>{t!("intent-history")}</h2>
            <ol class="history">{history}</ol>
        </section>
        <Arguments call=call.clone() />
        <Proof call=call digest=None />
    }
}

/// A line of the history.
fn happened(line: HistoryLine) -> impl IntoView {
    let words = match line.what {
        Happened::Prepared => t!("happened-prepared"),
        Happened::Asked => t!("happened-asked"),
        Happened::AskedAgain => t!("happened-asked-again"),
        Happened::Approved => t!("happened-approved"),
        Happened::Declined => t!("happened-declined"),
        Happened::Lapsed => t!("happened-lapsed"),
        Happened::Signed => t!("happened-signed"),
        Happened::HandedOver => t!("happened-handed-over"),
        Happened::Answered => t!("happened-answered"),
        Happened::NeverRan => t!("happened-never-ran"),
        Happened::Unclear => t!("happened-unclear"),
        Happened::Looked(what) => looked(what),
        Happened::Found => t!("happened-found"),
        Happened::Absent => t!("happened-absent"),
        Happened::Told => t!("happened-told"),
        Happened::Expired => t!("happened-expired"),
        Happened::Superseded => t!("happened-superseded"),
        Happened::Settled => t!("happened-settled"),
    };
    let detail = line
        .detail
        .map(|detail| view! { <bdi class="detail">{detail}</bdi> });
    view! { <li><span class="dim">{when_exactly(line.at)}</span><span>{words}{detail}</span></li> }
}

/// Something the person can do: at once where nothing can be lost by it, else after a second step
/// that says what it means.
#[component]
fn Act(preview: countersign_core::ids::PreviewId, action: Action) -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let (asking, set_asking) = signal(false);
    let act = move || app.send(Command::Act { preview, action });
    let name = match action {
        Action::SendAgain => t!("action-again"),
        Action::ItHappened => t!("action-happened"),
        Action::ItDidNot => t!("action-did-not"),
        Action::MayHappenTwice => t!("action-twice"),
    };
    let sure = match action {
        // The confirm window is the second step.
        Action::SendAgain => None,
        Action::ItHappened => Some((t!("action-sure-happened"), t!("action-yes"), "plain")),
        Action::ItDidNot => Some((t!("action-sure-did-not"), t!("action-yes"), "plain")),
        Action::MayHappenTwice => {
            Some((t!("action-sure-twice"), t!("action-yes-twice"), "go danger"))
        }
    };
    let at_once = sure.is_none();
    let first = move |_| if at_once { act() } else { set_asking.set(true) };
    move || {
        match (asking.get(), sure.clone()) {
        (true, Some((means, yes, class))) => view! {
            <div class="card pad sure" role="group" aria-label=name.clone()>
                <h3>{name.clone()}</h3>
                <p>{means}</p>
                <div class="buttons">
                    <button type="button" class="plain" on:click=move |_| set_asking.set(false)>
                        {t!("action-no")}
                    </button>
                    <button type="button" class=class disabled=busy on:click=move |_| act()>{yes}</button>
                </div>
            </div>
        }
        .into_any(),
        (true, None) | (false, _) => view! {
            <button type="button" class="plain" disabled=busy on:click=first>{name.clone()}</button>
        }
        .into_any(),
    }
    }
}

/// Why a look at the ledger's blocks settled nothing.
fn looked(what: Looked) -> String {
    match what {
        Looked::NotYet => t!("looked-not-yet"),
        Looked::NoRule => t!("looked-no-rule"),
        Looked::NoAnswer => t!("looked-no-answer"),
        Looked::Broken => t!("looked-broken-chain"),
        Looked::Rewritten => t!("looked-rewritten"),
        Looked::WindowUnknown => t!("looked-window-unknown"),
        Looked::TooMany => t!("looked-too-many"),
        Looked::Ambiguous => t!("looked-ambiguous"),
    }
}
