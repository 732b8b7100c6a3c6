//! The confirm window: one ask, whole, and the button that says yes to it.

use countersign_core::confirm::arming::{Event, Hand, State, Waiting};
use countersign_core::confirm::view::{
    Ask, Asked, Asker, CallAsk, Change, Changed, Lapse, Notice, Resend,
};
use countersign_core::wire::ui::{Command, Screen};
use leptos::prelude::*;

use super::arming::{BUTTON, END, FOOT, Hands};
use super::connect::{ConnectBody, ConnectPayer};
use crate::app::App;
use crate::parts::call::{Arguments, Deed, LostNote, Proof, Sums};
use crate::parts::drawn::{Drawn, Warning};
use crate::parts::notes::{ClockNote, FailureNote};
use crate::parts::texts::{Pieces, Site};
use crate::present;
use crate::t;
use crate::when::when;

/// The confirm window.
#[component]
pub(super) fn AskPage() -> impl IntoView {
    let app = App::of_page();
    let ask = app.of_model(crate::model::Model::ask_content);
    let round = app.of_model(|model| model.round);
    let hands = Hands::over_window(move || {
        if let Some(ask) = ask.get_untracked() {
            app.send(yes(&ask));
        }
    });
    Effect::new(move |_| {
        // Read, not only tracked: a memo that was never read counts as changed at the next view.
        let _ = (ask.get(), round.get());
        hands.content_changed();
    });
    let body = move || ask.get().map(|ask| view! { <Body ask=ask /> });
    view! {
        <main class="ask">
            <ClockNote />
            {body}
            <div id=END></div>
        </main>
        <Foot ask=ask hands=hands />
    }
}

/// The command that says yes to what is shown.
fn yes(ask: &Ask) -> Command {
    match &ask.what {
        Asked::Call(call) => Command::Approve {
            ask: ask.id,
            preview: call.preview,
            digest: call.digest,
        },
        Asked::Connect(connect) => Command::Connect {
            ask: ask.id,
            shown: connect.shown,
        },
    }
}

#[component]
fn Body(ask: Ask) -> impl IntoView {
    let Ask {
        asker,
        notice,
        what,
        ..
    } = ask;
    let says = asker.why.clone().map(|why| {
        view! {
            <blockquote class="says">
                <span class="dim">{t!("ask-says")}</span>" "<q><bdi>{why}</bdi></q>
            </blockquote>
        }
    });
    let what = match what {
        Asked::Call(call) => view! { <CallBody call=*call says=says.into_any() /> }.into_any(),
        Asked::Connect(connect) => view! { {says} <ConnectBody connect=*connect /> }.into_any(),
    };
    view! {
        <Who asker=asker />
        {notice.map(said)}
        {what}
    }
}

/// Who asks.
#[component]
fn Who(asker: Asker) -> impl IntoView {
    let app = App::of_page();
    let place = app.of_screen(|screen| {
        if let Screen::Ask(ask) = screen {
            Some(ask.place)
        } else {
            None
        }
    });
    let queue = move || {
        place.get().filter(|place| place.of > 1).map(|place| {
            let label = t!("ask-queue-label", nth = place.nth, of = place.of);
            view! {
                <span class="chip" role="img" aria-label=label>
                    {t!("ask-queue", nth = place.nth, of = place.of)}
                </span>
            }
        })
    };
    let Asker {
        site,
        inside,
        connected,
        done,
        ..
    } = asker;
    let since = match connected {
        Some(at) => t!("ask-since", at = when(at)),
        None => t!("ask-not-connected"),
    };
    let done = connected.map(|_| view! { <span class="fact">{t!("ask-done", n = done)}</span> });
    let inside = inside.map(|top| {
        view! { <p class="facts"><span class="fact">{t!("ask-inside")}" "<Site site=top /></span></p> }
    });
    let punycode = site
        .punycode
        .then(|| view! { <p class="note warn"><Warning /><span>{t!("ask-punycode")}</span></p> });
    view! {
        <section class="who">
            <Drawn picture=site.glyph />
            <div>
                <p class="who-name"><Site site=site /></p>
                {inside}
                <p class="facts">
                    <span class="fact">{t!("ask-asks")}</span>
                    <span class="fact">{since}</span>
                    {done}
                </p>
            </div>
            {queue}
        </section>
        {punycode}
    }
}

/// What happened to this ask.
fn said(notice: Notice) -> impl IntoView {
    match notice {
        Notice::Lapsed(lapse) => {
            let words = match lapse {
                Lapse::Late => t!("ask-lapse-late"),
                Lapse::Locked => t!("ask-lapse-locked"),
                Lapse::Restored => t!("ask-lapse-restored"),
                Lapse::NoTime => t!("ask-lapse-no-time"),
            };
            view! {
                <section class="note warn tall">
                    <Warning />
                    <div><h2>{t!("ask-notice-lapsed")}</h2><p>{words}</p></div>
                </section>
            }
            .into_any()
        }
        Notice::Changed(changes) => {
            let lines = changes.into_iter().map(changed).collect_view();
            view! {
                <section class="note warn tall">
                    <Warning />
                    <div>
                        <h2>{t!("ask-notice-changed")}</h2>
                        <p>{t!("ask-notice-changed-lead")}</p>
                        <dl class="changes">{lines}</dl>
                    </div>
                </section>
            }
            .into_any()
        }
        Notice::Working => {
            view! { <p class="note" role="status"><span>{t!("ask-working")}</span></p> }.into_any()
        }
    }
}

fn changed(change: Change) -> impl IntoView {
    let name = match change.what {
        Changed::Fee => t!("ask-changed-fee"),
        Changed::Decimals => t!("ask-changed-decimals"),
        Changed::Symbol => t!("ask-changed-symbol"),
        Changed::Balance => t!("ask-changed-balance"),
        Changed::Module => t!("ask-changed-module"),
    };
    view! {
        <div>
            <dt>{name}</dt>
            <dd>
                {t!("ask-changed-was")}" "<bdi>{change.before}</bdi>", "
                {t!("ask-changed-is")}" "<b><bdi>{change.now}</bdi></b>
            </dd>
        </div>
    }
}

#[component]
fn CallBody(call: CallAsk, says: AnyView) -> impl IntoView {
    let CallAsk {
        digest,
        resend,
        call,
        lost,
        deadline,
        ..
    } = call;
    let class = lost.class;
    let resend = resend.map(|resend| view! { <ResendNote resend=resend class=class /> });
    let lost = resend.is_none().then(|| view! { <LostNote lost=lost /> });
    view! {
        {resend}
        {says}
        <Deed call=call.clone() />
        <Sums call=call.clone() />
        {lost}
        <p class="until">{t!("ask-until", at = when(deadline))}</p>
        <Arguments call=call.clone() />
        <Proof call=call digest=Some(digest) />
    }
}

/// An earlier attempt may have executed: said before anything else.
#[component]
fn ResendNote(
    resend: Resend,
    class: countersign_core::confirm::digest::RetryClass,
) -> impl IntoView {
    use countersign_core::confirm::digest::RetryClass;
    let safe = match class {
        RetryClass::Known => t!("ask-resend-safe"),
        RetryClass::Claimed => t!("ask-resend-claimed"),
        RetryClass::Unstamped => t!("ask-lost-unstamped"),
    };
    view! {
        <section class="held" aria-labelledby="ask-resend">
            <h2 id="ask-resend"><Warning />{t!("ask-resend-title")}</h2>
            <p>{t!("ask-resend", sent = resend.sent, at = when(resend.first_sent))}</p>
            <p><b>{safe}</b></p>
            <p class="dim">{t!("ask-resend-no")}</p>
        </section>
    }
}

/// The foot: whom it concerns once more, then the buttons. Decline comes first.
#[component]
fn Foot(ask: Memo<Option<Ask>>, hands: Hands) -> impl IntoView {
    let app = App::of_page();
    let busy = app.busy();
    let state = hands.state;
    let again = move || ask.get().map(|ask| view! { <Payer ask=ask /> });
    let blocked = Memo::new(move |_| {
        ask.with(
            |ask| match ask.as_ref().map(|ask| (&ask.what, &ask.notice)) {
                Some((_, Some(Notice::Working))) => true,
                Some((Asked::Connect(connect), _)) => connect.blocked.is_some(),
                Some((Asked::Call(_), _)) | None => false,
            },
        )
    });
    let armed = move || matches!(state.get(), State::Armed { .. }) && !blocked.get() && !busy.get();
    let label = move || ask.with(|ask| ask.as_ref().map(button)).unwrap_or_default();
    let class = move || {
        let heavy = ask.with(|ask| {
            matches!(ask.as_ref().map(|ask| &ask.what), Some(Asked::Call(call)) if call.resend.is_some())
        });
        if heavy { "go yes heavy" } else { "go yes" }
    };
    let hint = move || {
        if busy.get() {
            return t!("ask-working");
        }
        match state.get() {
            State::Unarmed(Waiting::Paint) => t!("ask-wait-paint"),
            State::Unarmed(Waiting::End) => t!("ask-wait-end"),
            State::Unarmed(Waiting::Focus) => t!("ask-wait-focus"),
            State::Unarmed(Waiting::Time) => t!("ask-wait-time"),
            State::Armed { come_back: true } => t!("ask-come-back"),
            State::Armed { come_back: false } => t!("ask-armed"),
            State::Decided => t!("ask-working"),
        }
    };
    let on_ask = move |command: fn(countersign_core::ids::AskId) -> Command| {
        if let Some(ask) = ask.get_untracked() {
            app.send(command(ask.id));
        }
    };
    view! {
        <footer class="foot" id=FOOT>
            <FailureNote />
            {again}
            <div class="buttons">
                <button
                    type="button"
                    class="plain"
                    disabled=busy
                    on:click=move |_| on_ask(|ask| Command::Decline { ask })
                >
                    {t!("ask-decline")}
                </button>
                <button
                    type="button"
                    class="plain"
                    disabled=busy
                    on:click=move |_| on_ask(|ask| Command::Later { ask })
                >
                    {t!("ask-later")}
                </button>
                <button
                    type="button"
                    id=BUTTON
                    class=class
                    aria-describedby="yes-hint"
                    aria-disabled=move || (!armed()).to_string()
                    on:pointerenter=move |_| hands.tell(Event::Entered(Hand::Pointer))
                    on:pointerleave=move |_| hands.tell(Event::Left(Hand::Pointer))
                    on:focus=move |_| hands.tell(Event::Entered(Hand::Key))
                    on:blur=move |_| hands.tell(Event::Left(Hand::Key))
                    on:click=move |event| hands.clicked(&event)
                >
                    {label}
                </button>
            </div>
            <p id="yes-hint" class="hint" aria-live="polite">{hint}</p>
        </footer>
    }
}

/// What the button says.
fn button(ask: &Ask) -> String {
    match &ask.what {
        Asked::Call(call) => present::yes(call),
        Asked::Connect(_) => t!("connect-go"),
    }
}

/// Whom the yes concerns, directly above the button.
#[component]
fn Payer(ask: Ask) -> impl IntoView {
    match ask.what {
        Asked::Call(call) => {
            let (role, address) = match call.call.party {
                Some(party) => {
                    use countersign_core::confirm::view::Role;
                    let role = match party.role {
                        Role::Payee => t!("ask-to"),
                        Role::Spender => t!("ask-spender"),
                    };
                    (role, party.address)
                }
                None => (
                    t!("ask-call", method = call.call.method),
                    call.call.canister.id,
                ),
            };
            view! { <p class="again"><b>{role}</b>" "<Pieces text=address /></p> }.into_any()
        }
        Asked::Connect(connect) => view! { <ConnectPayer connect=*connect /> }.into_any(),
    }
}
