//! Networks: each by its root key, and a way to add one.

use countersign_core::wire::ui::{Adding, Command, NetworkCard, Networks, ReadFailure, Screen};
use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use crate::app::App;
use crate::parts::drawn::Warning;
use crate::parts::texts::Pieces;
use crate::t;

/// Networks.
#[component]
pub(super) fn NetworksPage() -> impl IntoView {
    let app = App::of_page();
    let networks = move || {
        app.screen(|screen| {
            if let Screen::Networks(Networks { networks, .. }) = screen {
                Some(networks.clone())
            } else {
                None
            }
        })
    };
    let cards = move || {
        networks().map(|cards| {
            cards
                .into_iter()
                .map(|card| view! { <Card card=card /> })
                .collect_view()
        })
    };
    view! {
        <h1>{t!("networks-title")}</h1>
        <p class="lead">{t!("networks-lead")}</p>
        <div class="stack">{cards}</div>
        <Add />
    }
}

#[component]
fn Card(card: NetworkCard) -> impl IntoView {
    let NetworkCard {
        network,
        urls,
        accounts,
        deduplicating,
    } = card;
    let built_in = network
        .mainnet
        .then(|| view! { <span class="chip">{t!("networks-builtin")}</span> });
    let urls = urls
        .into_iter()
        .map(|url| view! { <dd class="mono"><bdi>{url}</bdi></dd> })
        .collect_view();
    let accounts = (!accounts.is_empty()).then(|| {
        let accounts = accounts
            .into_iter()
            .map(|account| view! { <dd><bdi><b>{account.name}</b></bdi><br /><Pieces text=account.address /></dd> });
        view! { <div><dt>{t!("networks-accounts")}</dt>{accounts.collect_view()}</div> }
    });
    let ledgers = if network.mainnet {
        view! { <p class="dim">{t!("networks-dedup-builtin")}</p> }.into_any()
    } else {
        view! { <Deduplicating network=network.id ledgers=deduplicating /> }.into_any()
    };
    view! {
        <article class="card pad">
            <header>
                <h2><bdi>{network.name}</bdi></h2>
                {built_in}
            </header>
            <dl class="facts-list">
                <div>
                    <dt>{t!("networks-key")}</dt>
                    <dd><Pieces text=network.id.to_string() /></dd>
                </div>
                <div><dt>{t!("networks-urls")}</dt>{urls}</div>
                {accounts}
            </dl>
            <details class="inner-fold">
                <summary>{t!("networks-dedup")}</summary>
                {ledgers}
            </details>
        </article>
    }
}

/// The ledgers that an added network's person says are known to drop repeats.
#[component]
fn Deduplicating(network: countersign_core::ids::NetworkId, ledgers: Vec<String>) -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let (typed, set_typed) = signal(String::new());
    let add = move |event: SubmitEvent| {
        event.prevent_default();
        app.send(Command::AddDeduplicating {
            network,
            ledger: typed.get_untracked(),
        });
    };
    let list = if ledgers.is_empty() {
        view! { <p class="dim">{t!("networks-dedup-none")}</p> }.into_any()
    } else {
        let lines = ledgers
            .into_iter()
            .map(|ledger| {
                let label = t!("networks-dedup-remove", ledger = ledger.as_str());
                let id = ledger.clone();
                let remove = move |_| {
                    app.send(Command::RemoveDeduplicating { network, ledger: id.clone() });
                };
                view! {
                    <li class="with-button">
                        <Pieces text=ledger />
                        <button type="button" class="small" aria-label=label disabled=busy on:click=remove>
                            {t!("networks-remove")}
                        </button>
                    </li>
                }
            })
            .collect_view();
        view! { <ul class="plain-list">{lines}</ul> }.into_any()
    };
    view! {
        <p>{t!("networks-dedup-lead")}</p>
        {list}
        <form class="one-line" on:submit=add>
            <label class="field">
                <span>{t!("networks-dedup-field")}</span>
                <input
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    class="mono"
                    prop:value=typed
                    on:input:target=move |event| set_typed.set(event.target().value())
                />
            </label>
            <button type="submit" class="plain" disabled=move || busy() || typed.with(String::is_empty)>
                {t!("networks-dedup-add")}
            </button>
        </form>
    }
}

/// Adding a network: its address, its root key, the person's yes.
#[component]
fn Add() -> impl IntoView {
    let app = App::of_page();
    let adding = move || {
        app.screen(|screen| {
            if let Screen::Networks(Networks { adding, .. }) = screen {
                Some(adding.clone())
            } else {
                None
            }
        })
    };
    let step =
        move || {
            match adding().flatten() {
        None => view! { <Address /> }.into_any(),
        Some(Adding::Reading { url }) => view! {
            <p role="status">{t!("networks-reading", url = url)}</p>
            <Cancel />
        }
        .into_any(),
        Some(Adding::Failed { url, why }) => {
            let words = match why {
                ReadFailure::NoAnswer => t!("networks-fail-no-answer", url = url),
                ReadFailure::NotANetwork => t!("networks-fail-not-network", url = url),
                ReadFailure::BadRootKey => t!("networks-fail-bad-key", url = url),
                ReadFailure::NotCertified => t!("networks-fail-not-certified", url = url),
            };
            view! {
                <p class="note bad" role="alert"><Warning /><span>{words}</span></p>
                <Again />
            }
            .into_any()
        }
        Some(Adding::Read { url, id, name, known }) => match known {
            Some(known) => view! {
                <p>{t!("networks-known", name = known.name.as_str())}</p>
                <dl class="facts-list">
                    <div><dt>{t!("networks-urls")}</dt><dd class="mono"><bdi>{url}</bdi></dd></div>
                    <div>
                        <dt>{t!("networks-key")}</dt>
                        <dd><Pieces text=id.to_string() /></dd>
                    </div>
                </dl>
                <Accept network=id name=known.name known=true />
            }
            .into_any(),
            None => view! {
                <h3>{t!("networks-read-title")}</h3>
                <p>{t!("networks-read-lead")}</p>
                <p class="root-key"><Pieces text=id.to_string() /></p>
                <dl class="facts-list">
                    <div><dt>{t!("networks-urls")}</dt><dd class="mono"><bdi>{url}</bdi></dd></div>
                </dl>
                <Accept network=id name=name known=false />
            }
            .into_any(),
        },
    }
        };
    view! {
        <section class="card pad" aria-labelledby="networks-add">
            <h2 id="networks-add">{t!("networks-add-title")}</h2>
            <p>{t!("networks-add-lead")}</p>
            {step}
        </section>
    }
}

/// The address of a network.
#[component]
fn Address() -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let (typed, set_typed) = signal(String::new());
    let read = move |event: SubmitEvent| {
        event.prevent_default();
        app.send(Command::ReadNetwork {
            url: typed.get_untracked(),
        });
    };
    view! {
        <form class="one-line" on:submit=read>
            <label class="field">
                <span>{t!("networks-url-field")}</span>
                <input
                    type="text"
                    inputmode="url"
                    autocomplete="off"
                    spellcheck="false"
                    class="mono"
                    placeholder="http://127.0.0.1:4943"
                    prop:value=typed
                    on:input:target=move |event| set_typed.set(event.target().value())
                />
            </label>
            <button type="submit" class="go" disabled=move || busy() || typed.with(String::is_empty)>
                {t!("networks-read")}
            </button>
        </form>
    }
}

/// The person's yes to a root key.
#[component]
fn Accept(
    network: countersign_core::ids::NetworkId,
    name: String,
    /// Whether the network is there already.
    known: bool,
) -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let (typed, set_typed) = signal(name);
    let accept = move |event: SubmitEvent| {
        event.prevent_default();
        app.send(Command::AddNetwork {
            network,
            name: typed.get_untracked(),
        });
    };
    let field = (!known).then(|| {
        view! {
            <label class="field">
                <span>{t!("networks-name-field")}</span>
                <input
                    type="text"
                    autocomplete="off"
                    maxlength="40"
                    prop:value=typed
                    on:input:target=move |event| set_typed.set(event.target().value())
                />
            </label>
        }
    });
    view! {
        <form on:submit=accept>
            {field}
            <div class="buttons">
                <Cancel />
                <button
                    type="submit"
                    class="go"
                    disabled=move || busy() || typed.with(|typed| typed.trim().is_empty())
                >
                    {if known { t!("networks-add-url") } else { t!("networks-add") }}
                </button>
            </div>
        </form>
    }
}

#[component]
fn Cancel() -> impl IntoView {
    let app = App::of_page();
    view! {
        <button type="button" class="plain" on:click=move |_| app.send(Command::ForgetReading)>
            {t!("networks-cancel")}
        </button>
    }
}

#[component]
fn Again() -> impl IntoView {
    let app = App::of_page();
    view! {
        <button type="button" class="plain" on:click=move |_| app.send(Command::ForgetReading)>
            {t!("networks-try-again")}
        </button>
    }
}
