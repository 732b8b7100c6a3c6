//! A connect ask: which account, what the site may do with it, and what its canisters are.

use countersign_core::confirm::view::{AccountChoice, ConnectAsk, ConnectBlock, Preset};
use countersign_core::wire::ui::Command;
use leptos::prelude::*;

use super::ask::on_ask;
use crate::app::App;
use crate::parts::drawn::{Drawn, Warning};
use crate::parts::texts::{Network, Pieces};
use crate::t;
use crate::when::when;

mod by_hand;
mod canister;
mod profile;
mod tools;

use canister::canister;
use tools::{skipped, tools};

/// What is asked.
#[component]
pub(super) fn ConnectBody(connect: ConnectAsk) -> impl IntoView {
    let ConnectAsk {
        more,
        by_person,
        accounts,
        account,
        preset,
        canisters,
        tools: lines,
        skipped: left_out,
        deadline,
        blocked,
        ..
    } = connect;
    let network = accounts
        .iter()
        .find(|choice| choice.account.id == account)
        .map(|choice| choice.account.network.name.clone())
        .unwrap_or_default();
    let (title, lead) = match (by_person, more) {
        (true, _) => (t!("connect-title-person"), t!("connect-lead-person")),
        (false, true) => (t!("connect-title-more"), t!("connect-lead")),
        (false, false) => (t!("connect-title"), t!("connect-lead")),
    };
    let named = preset == Preset::Named;
    let presets = Preset::CHOICES
        .into_iter()
        .chain(named.then_some(Preset::Named));
    let presets = presets
        .map(|choice| {
            let account = account.clone();
            view! { <PresetLine choice=choice chosen=preset account=account /> }
        })
        .collect_view();
    let accounts = accounts
        .into_iter()
        .map(|choice| {
            let chosen = choice.account.id == account;
            view! { <AccountLine choice=choice chosen=chosen preset=preset /> }
        })
        .collect_view();
    let canisters = if canisters.is_empty() {
        view! { <p class="dim">{t!("connect-no-canisters")}</p> }.into_any()
    } else {
        let cards = canisters
            .into_iter()
            .map(|one| canister(one, &network))
            .collect_view();
        view! { <div class="stack">{cards}</div> }.into_any()
    };
    let blocked = blocked.map(|block| {
        let words = self::blocked(block);
        view! { <p class="note warn" role="status"><Warning /><span>{words}</span></p> }
    });
    view! {
        <section class="card deed">
            <h1 class="verb strong">{title}</h1>
            <p class="lead">{lead}</p>
        </section>
        <fieldset>
            <legend>{t!("connect-account")}</legend>
            <div class="choices">{accounts}</div>
        </fieldset>
        <fieldset>
            <legend>{t!("connect-preset")}</legend>
            <div class="choices">{presets}</div>
        </fieldset>
        <section aria-labelledby="connect-canisters">
            <h2 id="connect-canisters">{t!("connect-canisters")}</h2>
            {canisters}
        </section>
        {blocked}
        {tools(lines)}
        {skipped(left_out)}
        <p class="until">{t!("ask-until", at = when(deadline))}</p>
    }
}

/// Why a connect ask cannot be accepted now.
pub(super) fn blocked(block: ConnectBlock) -> String {
    match block {
        ConnectBlock::Reading => t!("connect-block-reading"),
        ConnectBlock::NothingRead => t!("connect-block-nothing"),
    }
}

/// The account the site would get, directly above the button.
#[component]
pub(super) fn ConnectPayer(connect: ConnectAsk) -> impl IntoView {
    let chosen = connect
        .accounts
        .into_iter()
        .find(|choice| choice.account.id == connect.account);
    chosen.map(|choice| {
        view! {
            <p class="again">
                {t!("connect-with")}" "<bdi><b>{choice.account.name}</b></bdi>" "
                <Pieces text=choice.account.address />
            </p>
        }
    })
}

#[component]
fn AccountLine(choice: AccountChoice, chosen: bool, preset: Preset) -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let AccountChoice { account, used_by } = choice;
    let id = account.id.clone();
    let choose = move |_| {
        on_ask(app, |ask| Command::Choose {
            ask,
            account: id.clone(),
            preset,
        });
    };
    let used = if used_by.is_empty() {
        view! { <span class="dim">{t!("connect-account-new")}</span> }.into_any()
    } else {
        let names = used_by
            .into_iter()
            .map(|site| {
                view! { <span class="fact"><Drawn picture=site.glyph /><bdi>{site.host()}</bdi></span> }
            })
            .collect_view();
        let used = format!("{} ", t!("connect-account-used"));
        view! { <span class="warn-text"><Warning />{used}{names}</span> }.into_any()
    };
    view! {
        <label class="choice">
            <input type="radio" name="account" checked=chosen disabled=busy on:change=choose />
            <span class="choice-text">
                <span class="account-name">
                    <bdi><b>{account.name}</b></bdi>" "<Network network=account.network />
                </span>
                <Pieces text=account.address />
                {used}
            </span>
        </label>
    }
}

#[component]
fn PresetLine(choice: Preset, chosen: Preset, account: String) -> impl IntoView {
    let app = App::of_page();
    let busy = move || app.is_busy();
    let (name, note) = match choice {
        Preset::Look => (t!("preset-look"), t!("preset-look-note")),
        Preset::Payments => (t!("preset-payments"), t!("preset-payments-note")),
        Preset::All => (t!("preset-all"), t!("preset-all-note")),
        Preset::Named => (t!("preset-named"), t!("preset-named-note")),
    };
    let choose = move |_| {
        on_ask(app, |ask| Command::Choose {
            ask,
            account: account.clone(),
            preset: choice,
        });
    };
    view! {
        <label class="choice">
            <input
                type="radio"
                name="preset"
                checked=choice == chosen
                disabled=busy
                on:change=choose
            />
            <span class="choice-text"><b>{name}</b><span class="dim">{note}</span></span>
        </label>
    }
}
