//! What may have to be said on any page: a step that failed, a restart, a clock that is off.

use countersign_core::confirm::view::KnownLedger;
use countersign_core::wire::ui::Failure;
use leptos::prelude::*;

use super::drawn::Warning;
use super::texts::Pieces;
use crate::app::App;
use crate::present;
use crate::t;

/// A failure in words.
fn words(failure: &Failure) -> String {
    match failure {
        Failure::WrongPassphrase => t!("fail-wrong-passphrase"),
        Failure::ShortPassphrase => t!("fail-short-passphrase"),
        Failure::WalletExists => t!("fail-wallet-exists"),
        Failure::EarlierWallet => t!("fail-earlier-wallet"),
        Failure::Locked => t!("fail-locked"),
        Failure::BadUrl => t!("fail-bad-url"),
        Failure::BadName => t!("fail-bad-name"),
        Failure::BadCanister => t!("fail-bad-canister"),
        Failure::BadInterface => t!("fail-bad-interface"),
        Failure::BadProfile => t!("fail-bad-profile"),
        Failure::BadValues => t!("fail-bad-values"),
        Failure::AskGone => t!("fail-ask-gone"),
        Failure::AskChanged => t!("fail-ask-changed"),
        Failure::AskExpired => t!("fail-ask-expired"),
        Failure::NoCertifiedTime => t!("fail-no-time"),
        Failure::NotNow => t!("fail-not-now"),
        Failure::NotStored => t!("fail-not-stored"),
        Failure::Other(code) => t!("fail-other", code = code.as_str()),
    }
}

/// Why the last step did nothing; empty while it did something. It is read aloud when it comes.
#[component]
pub(crate) fn FailureNote() -> impl IntoView {
    let app = App::of_page();
    let note = move || {
        let text = match app.shell(|shell| shell.failure.clone()) {
            Some(failure) => Some(words(&failure)),
            None => app
                .shell(|shell| shell.interrupted)
                .then(|| t!("link-interrupted")),
        };
        text.map(|text| view! { <p class="note bad"><Warning /><span>{text}</span></p> })
    };
    view! { <div role="alert">{note}</div> }
}

/// Says that the computer's clock is off, where it is.
#[component]
pub(crate) fn ClockNote() -> impl IntoView {
    let app = App::of_page();
    move || {
        app.shell(|shell| shell.clock_off_s).map(|off| {
            let by = present::span(off.unsigned_abs());
            let ahead = if off > 0 { "yes" } else { "no" };
            view! {
                <p class="note warn"><Warning /><span>{t!("clock-off", by = by, ahead = ahead)}</span></p>
            }
        })
    }
}

/// Says of a token that it could be taken for a known one, and is not.
pub(crate) fn look_alike(known: Option<KnownLedger>) -> AnyView {
    let note = known.map(|KnownLedger { symbol, id }| {
        let title = t!("look-alike-title", symbol = symbol.as_str());
        let words = t!("look-alike", symbol = symbol);
        view! {
            <p class="note bad">
                <Warning />
                <span><b>{title}</b>" "{words}" "<Pieces text=id /></span>
            </p>
        }
    });
    note.into_any()
}
