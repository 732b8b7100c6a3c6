//! The confirm window: one ask, whole, and the button that says yes to it.

use countersign_core::confirm::arming::{Event, Hand, State, Waiting};
use countersign_core::confirm::risk::Finding;
use countersign_core::confirm::view::{
    Ask, Asked, Asker, CallAsk, Change, Changed, Funds, Lapse, Notice, Resend,
};
use countersign_core::ids::AskId;
use countersign_core::wire::ui::{Command, Screen};
use leptos::prelude::*;

use super::arming::{BUTTON, END, FOOT, Hands};
use super::connect::{ConnectBody, ConnectPayer, blocked};
use crate::app::App;
use crate::parts::call::{Arguments, Deed, LostNote, Proof, Quotes, Sums};
use crate::parts::consent::CanisterSays;
use crate::parts::drawn::{Drawn, Warning};
use crate::parts::findings::Findings;
use crate::parts::notes::{ClockNote, FailureNote};
use crate::parts::texts::{Pieces, Site};
use crate::present;
use crate::t;
use crate::when::when;

/// The confirm window.
#[component]
pub(super) fn AskPage() -> impl IntoView {
    let app = App::of_page();
    let acknowledged = RwSignal::new(Vec::new());
    let hands = Hands::over_window(move || {
        let said = acknowledged.get_untracked();
        let can = |ask: &Ask| cannot(ask, &said).is_none().then(|| yes(ask, &said));
        if let Some(yes) = app.screen_now(|screen| ask_on(screen).and_then(can)) {
            app.send(yes);
        }
    });
    Effect::new(move |_| {
        // Read, not only tracked: a memo that was never read counts as changed at the next view.
        let _ = (app.screen(|_| Some(())), app.round());
        acknowledged.set(Vec::new());
    });
    Effect::new(move |_| {
        // What was acknowledged is part of what the yes says, so a tick is a change as any other.
        acknowledged.track();
        hands.content_changed();
    });
    let body = move || {
        app.screen(|screen| ask_on(screen).cloned())
            .map(|ask| view! { <Body ask=ask acknowledged=acknowledged /> })
    };
    view! {
        <main class="ask">
            <ClockNote />
            {body}
            <div id=END></div>
        </main>
        <Foot hands=hands acknowledged=acknowledged />
    }
}

/// The ask on a screen.
pub(super) fn ask_on(screen: &Screen) -> Option<&Ask> {
    if let Screen::Ask(ask) = screen {
        Some(ask)
    } else {
        None
    }
}

/// Sends a command about the ask that is shown now.
pub(super) fn on_ask(app: App, command: impl FnOnce(AskId) -> Command) {
    if let Some(ask) = app.screen_now(|screen| ask_on(screen).map(|ask| ask.id)) {
        app.send(command(ask));
    }
}

/// The command that says yes to what is shown.
fn yes(ask: &Ask, acknowledged: &[Finding]) -> Command {
    match &ask.what {
        Asked::Connect(connect) => Command::Connect {
            ask: ask.id,
            shown: connect.shown,
        },
        Asked::Call(call) => Command::Approve {
            ask: ask.id,
            preview: call.preview,
            digest: call.digest,
            acknowledged: acknowledged.to_vec(),
        },
    }
}

/// Why the yes cannot be said now.
fn cannot(ask: &Ask, acknowledged: &[Finding]) -> Option<String> {
    match (&ask.notice, &ask.what) {
        (Some(Notice::Working), _) => Some(t!("ask-working")),
        (_, Asked::Connect(connect)) => connect.blocked.map(blocked),
        (_, Asked::Call(ask)) => match ask.call.balance {
            // A yes counts only to what was read, so none can be given before.
            Funds::Reading => Some(t!("ask-wait-read")),
            Funds::Read(_) | Funds::Unreadable | Funds::Unasked => {
                let mut all = ask.to_acknowledge().into_iter();
                (!all.all(|one| acknowledged.contains(&one))).then(|| t!("ask-wait-acknowledge"))
            }
        },
    }
}

#[component]
fn Body(ask: Ask, acknowledged: RwSignal<Vec<Finding>>) -> impl IntoView {
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
    let asks = match &what {
        Asked::Connect(connect) if connect.by_person => t!("ask-adds"),
        Asked::Connect(_) | Asked::Call(_) => t!("ask-asks"),
    };
    let what = match what {
        Asked::Call(call) => view! {
            <CallBody call=*call says=says.into_any() acknowledged=acknowledged />
        }
        .into_any(),
        Asked::Connect(connect) => view! { {says} <ConnectBody connect=*connect /> }.into_any(),
    };
    view! {
        <Who asker=asker asks=asks />
        {notice.map(said)}
        {what}
    }
}

/// Who asks, and that it does.
#[component]
fn Who(asker: Asker, asks: String) -> impl IntoView {
    let app = App::of_page();
    let queue = move || {
        app.shell(|shell| shell.place)
            .filter(|place| place.of > 1)
            .map(|place| {
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
        connected,
        done,
        ..
    } = asker;
    let since = match connected {
        Some(at) => t!("ask-since", at = when(at)),
        None => t!("ask-not-connected"),
    };
    let done = connected.map(|_| view! { <span class="fact">{t!("ask-done", n = done)}</span> });
    let punycode = site
        .punycode
        .then(|| view! { <p class="note warn"><Warning /><span>{t!("ask-punycode")}</span></p> });
    view! {
        <section class="who">
            <Drawn picture=site.glyph />
            <div>
                <p class="who-name"><Site site=site /></p>
                <p class="facts">
                    <span class="fact">{asks}</span>
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
        Changed::Balance => t!("ask-changed-balance"),
        Changed::Module => t!("ask-changed-module"),
    };
    let told = |value: Option<String>| value.unwrap_or_else(|| t!("ask-changed-unread"));
    view! {
        <div>
            <dt>{name}</dt>
            <dd>
                {t!("ask-changed-was")}" "<bdi>{told(change.before)}</bdi>", "
                {t!("ask-changed-is")}" "<b><bdi>{told(change.now)}</bdi></b>
            </dd>
        </div>
    }
}

#[component]
fn CallBody(call: CallAsk, says: AnyView, acknowledged: RwSignal<Vec<Finding>>) -> impl IntoView {
    let CallAsk {
        digest,
        resend,
        findings,
        last,
        mut call,
        consent,
        lost,
        deadline,
        ..
    } = call;
    // It is among the findings.
    call.canister.looks_like = None;
    let class = lost.class;
    let resend = resend.map(|resend| view! { <ResendNote resend=resend class=class /> });
    let lost = resend.is_none().then(|| view! { <LostNote lost=lost /> });
    view! {
        {resend}
        {says}
        <Deed call=call.clone() />
        <Findings findings=findings last=last.clone() acknowledged=acknowledged />
        <Quotes call=call.clone() />
        <Sums call=call.clone() />
        {lost}
        <p class="until">{t!("ask-until", at = when(deadline))}</p>
        <Arguments call=call.clone() last=last />
        <CanisterSays consent=consent />
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
fn Foot(hands: Hands, acknowledged: RwSignal<Vec<Finding>>) -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let state = hands.state;
    let again = move || {
        app.screen(|screen| ask_on(screen).cloned())
            .map(|ask| view! { <Payer ask=ask /> })
    };
    let armed = move || matches!(state.get(), State::Armed { .. });
    let cannot_now = move || {
        let said = acknowledged.get();
        app.screen(|screen| ask_on(screen).and_then(|ask| cannot(ask, &said)))
    };
    let dead = move || !armed() || busy() || cannot_now().is_some();
    let label = move || {
        app.screen(|screen| ask_on(screen).map(button))
            .unwrap_or_default()
    };
    let class = move || {
        let resend = |ask: &Ask| matches!(&ask.what, Asked::Call(call) if call.resend.is_some());
        let heavy = app
            .screen(|screen| ask_on(screen).map(resend))
            .unwrap_or_default();
        if heavy { "go yes heavy" } else { "go yes" }
    };
    let hint = move || {
        if busy() {
            return t!("ask-working");
        }
        if let Some(why) = cannot_now() {
            return why;
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
    view! {
        <footer class="foot" id=FOOT>
            <FailureNote />
            {again}
            <div class="buttons">
                <button
                    type="button"
                    class="plain"
                    disabled=busy
                    on:click=move |_| on_ask(app, |ask| Command::Decline { ask })
                >
                    {t!("ask-decline")}
                </button>
                <button
                    type="button"
                    class="plain"
                    disabled=busy
                    on:click=move |_| on_ask(app, |ask| Command::Later { ask })
                >
                    {t!("ask-later")}
                </button>
                <button
                    type="button"
                    id=BUTTON
                    class=class
                    aria-describedby="yes-hint"
                    aria-disabled=move || dead().to_string()
                    data-armed=move || armed().to_string()
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
        Asked::Connect(connect) if connect.by_person => t!("connect-go-person"),
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
