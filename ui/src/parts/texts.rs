//! Long texts that must be read whole: addresses, hashes, site names.

use countersign_core::confirm::site::SiteName;
use countersign_core::confirm::view::{AccountLabel, NetworkLabel};
use leptos::prelude::*;
use std::time::Duration;

use crate::present;
use crate::t;

/// An address or a hash, whole, in pieces of alternating tint. What is selected is the text itself.
#[component]
pub(crate) fn Pieces(#[prop(into)] text: String) -> impl IntoView {
    let pieces = present::pieces(&text)
        .into_iter()
        .map(|piece| view! { <span class="piece">{piece.text}</span>{piece.joint}<wbr /> })
        .collect_view();
    view! { <bdi class="pieces">{pieces}</bdi> }
}

/// A site's name, with the part that can be bought in bold.
#[component]
pub(crate) fn Site(site: SiteName) -> impl IntoView {
    view! {
        <bdi class="site">
            <span class="dim">{site.scheme}</span>
            {site.before}
            <b>{site.strong}</b>
            <span class="dim">{site.after}</span>
        </bdi>
    }
}

/// An account's name and network, with its address whole.
#[component]
pub(crate) fn Account(account: AccountLabel) -> impl IntoView {
    view! {
        <span class="account">
            <span class="account-name">
                <bdi><b>{account.name}</b></bdi>
                " "
                <Network network=account.network />
            </span>
            <Pieces text=account.address />
        </span>
    }
}

/// A network's name.
#[component]
pub(crate) fn Network(network: NetworkLabel) -> impl IntoView {
    view! { <bdi class="network">{network.name}</bdi> }
}

/// A button that copies a text.
#[component]
pub(crate) fn Copy(
    /// What is copied.
    #[prop(into)]
    text: String,
    /// What the button is called.
    #[prop(into)]
    label: String,
) -> impl IntoView {
    let (copied, set_copied) = signal(false);
    let copy = move |_| {
        let _promise = window().navigator().clipboard().write_text(&text);
        set_copied.set(true);
        set_timeout(
            move || {
                // The page may be gone by then.
                let _ = set_copied.try_set(false);
            },
            Duration::from_secs(2),
        );
    };
    view! {
        <button type="button" class="small" aria-label=label on:click=copy>
            <span aria-live="polite">
                {move || if copied.get() { t!("copied") } else { t!("copy") }}
            </span>
        </button>
    }
}
