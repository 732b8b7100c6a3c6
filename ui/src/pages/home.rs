//! Home: what waits, what has no answer, the accounts, the latest.

use countersign_core::wire::ui::{
    AccountCard, Command, Home, Place, Screen, TokenBalance, TokenLine,
};
use leptos::prelude::*;

use crate::app::App;
use crate::parts::drawn::{Drawn, Warning};
use crate::parts::rows::{Headline, Rows, StandingLines};
use crate::parts::texts::{Copy, Pieces};
use crate::present;
use crate::t;

/// Home.
#[component]
pub(super) fn HomePage() -> impl IntoView {
    let app = App::of_page();
    let home = move || {
        app.screen(|screen| {
            if let Screen::Home(home) = screen {
                Some(home.clone())
            } else {
                None
            }
        })
    };
    let waits = move || {
        let n = app.shell(|shell| shell.waiting);
        (n > 0).then(|| {
            view! {
                <section class="banner">
                    <p>{t!("home-waiting", n = n)}</p>
                    <button type="button" class="go" on:click=move |_| app.send(Command::OpenAsks)>
                        {t!("home-review")}
                    </button>
                </section>
            }
        })
    };
    let body = move || {
        home().map(|home| {
            let accounts = home.accounts.iter().cloned().map(account).collect_view();
            view! {
                <Unsettled home=home.clone() />
                <section aria-labelledby="home-accounts">
                    <h2 id="home-accounts">{t!("home-accounts")}</h2>
                    <div class="stack">{accounts}</div>
                </section>
                <Latest home=home />
            }
        })
    };
    view! {
        <h1 class="unseen">{t!("home-title")}</h1>
        {waits}
        {body}
    }
}

/// Calls that cannot be read, and calls that may have executed and have no answer.
#[component]
fn Unsettled(home: Home) -> impl IntoView {
    let app = App::of_page();
    let damaged = (home.damaged > 0).then(|| {
        view! {
            <section class="held" aria-labelledby="home-damaged">
                <h2 id="home-damaged"><Warning />{t!("home-damaged", n = home.damaged)}</h2>
                <p>{t!("home-damaged-means")}</p>
            </section>
        }
    });
    let calls = home.unsettled;
    let unsettled = (!calls.is_empty()).then(|| {
        let title = t!("standing-title", n = calls.len());
        let calls = calls
            .into_iter()
            .map(|call| {
                let preview = call.row.preview;
                let open = move |_| app.send(Command::Show(Place::Intent(preview)));
                view! {
                    <button type="button" class="link" on:click=open>
                        <Headline row=call.row.clone() />
                        <bdi class="dim">{call.row.site.host()}</bdi>
                    </button>
                    <StandingLines standing=call.standing />
                }
            })
            .collect_view();
        view! {
            <section class="held" aria-labelledby="home-held">
                <h2 id="home-held"><Warning />{title}</h2>
                {calls}
            </section>
        }
    });
    view! {
        {damaged}
        {unsettled}
    }
}

/// An account with its address and balances.
fn account(card: AccountCard) -> impl IntoView {
    let AccountCard {
        account,
        principal,
        tokens,
        sites,
    } = card;
    let balances = if tokens.is_empty() {
        view! { <p class="dim">{t!("home-no-tokens")}</p> }.into_any()
    } else {
        let lines = tokens.into_iter().map(token).collect_view();
        view! { <ul class="tokens">{lines}</ul> }.into_any()
    };
    let sites = if sites.is_empty() {
        view! { <dd class="dim">{t!("home-no-sites")}</dd> }.into_any()
    } else {
        let names = sites
            .into_iter()
            .map(|site| view! { <li><Drawn picture=site.glyph /><bdi>{site.host()}</bdi></li> })
            .collect_view();
        view! { <dd><ul class="sites">{names}</ul></dd> }.into_any()
    };
    let label = t!("copy-address", name = account.name.as_str());
    // The principal is said apart only where the address is more than it.
    let principal = (principal != account.address).then(|| {
        view! { <div><dt>{t!("home-principal")}</dt><dd><Pieces text=principal /></dd></div> }
    });
    view! {
        <article class="card pad account-card">
            <header>
                <h3><bdi>{account.name}</bdi></h3>
                <span class="chip">{t!("home-account-on", network = account.network.name)}</span>
            </header>
            {balances}
            <dl class="facts-list">
                <div>
                    <dt>{t!("home-receive")}</dt>
                    <dd class="with-button">
                        <Pieces text=account.address.clone() />
                        <Copy text=account.address label=label />
                    </dd>
                </div>
                {principal}
                <div><dt>{t!("home-sites")}</dt>{sites}</div>
            </dl>
        </article>
    }
}

/// A balance.
fn token(line: TokenLine) -> impl IntoView {
    let TokenLine {
        ledger,
        symbol,
        balance,
    } = line;
    let name = symbol.clone().unwrap_or_else(|| t!("home-unnamed-token"));
    let balance = match balance {
        TokenBalance::Read(balance) => {
            view! { <bdi class="num">{present::amount(&balance)}</bdi> }.into_any()
        }
        TokenBalance::Reading => {
            view! { <span class="num dim">{t!("being-read")}</span> }.into_any()
        }
        TokenBalance::Unreadable => {
            view! { <span class="num dim">{t!("home-unread")}</span> }.into_any()
        }
    };
    view! {
        <li>
            <span><bdi><b>{name}</b></bdi><small><Pieces text=ledger /></small></span>
            {balance}
        </li>
    }
}

/// The latest of the activity.
#[component]
fn Latest(home: Home) -> impl IntoView {
    let app = App::of_page();
    let rows = if home.latest.is_empty() {
        view! { <p class="empty">{t!("home-nothing")}</p> }.into_any()
    } else {
        view! { <Rows rows=home.latest /> }.into_any()
    };
    let all = home.more.then(|| {
        let show = move |_| app.send(Command::Show(Place::Activity));
        view! { <button type="button" class="plain" on:click=show>{t!("home-all")}</button> }
    });
    view! {
        <section aria-labelledby="home-latest">
            <h2 id="home-latest">{t!("home-latest")}</h2>
            {rows}
            {all}
        </section>
    }
}
