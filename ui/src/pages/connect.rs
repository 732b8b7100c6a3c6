//! A connect ask: which account, what the site may do with it, and what its canisters are.

use countersign_core::confirm::digest::RetryClass;
use countersign_core::confirm::view::{
    AccountChoice, CanisterFacts, CanisterState, ConnectAsk, ConnectBlock, ConnectCanister, Preset,
    SkippedMethod, ToolKind, ToolLine, Unreadable,
};
use countersign_core::wire::ui::Command;
use leptos::prelude::*;

use super::ask::ask_on;
use crate::app::App;
use crate::parts::drawn::{Drawn, Warning};
use crate::parts::texts::{Network, Pieces};
use crate::present;
use crate::t;
use crate::when::when;

/// What is asked.
#[component]
pub(super) fn ConnectBody(connect: ConnectAsk) -> impl IntoView {
    let ConnectAsk {
        more,
        accounts,
        account,
        preset,
        canisters,
        tools,
        skipped,
        deadline,
        blocked,
        ..
    } = connect;
    let network = accounts
        .iter()
        .find(|choice| choice.account.id == account)
        .map(|choice| choice.account.network.name.clone())
        .unwrap_or_default();
    let title = if more {
        t!("connect-title-more")
    } else {
        t!("connect-title")
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
            .map(|canister| {
                let network = network.clone();
                view! { <CanisterCard canister=canister network=network /> }
            })
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
            <p class="lead">{t!("connect-lead")}</p>
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
        <Tools tools=tools />
        <Skipped skipped=skipped />
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
        if let Some(ask) = app.screen_now(|screen| ask_on(screen).map(|ask| ask.id)) {
            app.send(Command::Choose {
                ask,
                account: id.clone(),
                preset,
            });
        }
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
        if let Some(ask) = app.screen_now(|screen| ask_on(screen).map(|ask| ask.id)) {
            app.send(Command::Choose {
                ask,
                account: account.clone(),
                preset: choice,
            });
        }
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

/// A canister with what it certified about itself.
#[component]
fn CanisterCard(canister: ConnectCanister, network: String) -> impl IntoView {
    let ConnectCanister { id, state } = canister;
    match state {
        CanisterState::Reading => view! {
            <article class="card pad">
                <p class="canister-id"><Pieces text=id /></p>
                <p class="dim" role="status">{t!("connect-canister-reading")}</p>
            </article>
        }
        .into_any(),
        CanisterState::Unreadable(why) => {
            let words = match why {
                Unreadable::NoCanister => t!("connect-no-canister", network = network),
                Unreadable::NoInterface => t!("connect-no-interface"),
                Unreadable::BadInterface => t!("connect-bad-interface"),
                Unreadable::NoAnswer => t!("connect-no-answer"),
                Unreadable::NotCertified => t!("connect-not-certified"),
                Unreadable::BadValues => t!("connect-bad-values"),
            };
            view! {
                <article class="card pad">
                    <header>
                        <p class="canister-id"><Pieces text=id /></p>
                        <span class="chip">{t!("connect-unread")}</span>
                    </header>
                    <p class="warn-text"><Warning />{words}</p>
                </article>
            }
            .into_any()
        }
        CanisterState::Read(facts) => view! { <Facts id=id facts=*facts /> }.into_any(),
    }
}

#[component]
fn Facts(id: String, facts: CanisterFacts) -> impl IntoView {
    let line = |name: String, value: AnyView| view! { <div><dt>{name}</dt><dd>{value}</dd></div> };
    let text = |text: String| view! { <bdi>{text}</bdi> }.into_any();
    let symbol = facts
        .symbol
        .map(|symbol| view! { <h3><bdi>{symbol}</bdi></h3> });
    let name = facts.name.map(|name| {
        line(
            t!("connect-name"),
            view! { <q><bdi>{name}</bdi></q> }.into_any(),
        )
    });
    let decimals = facts
        .decimals
        .map(|n| line(t!("connect-decimals"), text(n)));
    let fee = facts
        .fee
        .map(|fee| line(t!("connect-fee"), text(present::amount(&fee))));
    let standards = (!facts.standards.is_empty())
        .then(|| line(t!("connect-standards"), text(facts.standards.join(", "))));
    let repeats = match facts.retry {
        RetryClass::Known => t!("connect-repeats-known"),
        RetryClass::Claimed => t!("connect-repeats-claimed"),
        RetryClass::Unstamped => t!("connect-repeats-unstamped"),
    };
    let module = facts.module.map(|module| {
        line(
            t!("connect-module"),
            view! { <Pieces text=module.to_string() /> }.into_any(),
        )
    });
    let fingerprint = view! { <Pieces text=facts.fingerprint.to_string() /> };
    view! {
        <article class="card pad">
            <header>
                {symbol}
                <p class="canister-id"><Pieces text=id /></p>
            </header>
            <dl class="sums">
                {name}
                {decimals}
                {fee}
                {standards}
                {line(t!("connect-repeats"), text(repeats))}
                {line(t!("connect-interface"), text(t!("connect-methods", n = facts.methods)))}
                {line(t!("connect-certified"), text(when(facts.at)))}
            </dl>
            <details class="inner-fold">
                <summary>{t!("connect-hashes")}</summary>
                <dl class="facts-list">
                    {line(t!("connect-interface"), fingerprint.into_any())}
                    {module}
                </dl>
            </details>
        </article>
    }
}

/// The tools that would result, by what they can do.
#[component]
fn Tools(tools: Vec<ToolLine>) -> impl IntoView {
    let count = tools.len();
    let groups = [
        (ToolKind::Read, t!("connect-tools-read")),
        (ToolKind::Prepare, t!("connect-tools-prepare")),
        (ToolKind::Commit, t!("connect-tools-commit")),
        (ToolKind::Wallet, t!("connect-tools-wallet")),
    ];
    let groups = groups
        .into_iter()
        .filter_map(|(kind, name)| {
            let lines: Vec<_> = tools
                .iter()
                .filter(|tool| tool.kind == kind)
                .cloned()
                .map(|tool| {
                    let title = tool.title.filter(|title| *title != tool.name);
                    let title = title.map(|title| view! { <span>{format!(" {title}")}</span> });
                    view! { <li><code>{tool.name}</code>{title}</li> }
                })
                .collect();
            (!lines.is_empty()).then(|| view! { <h3>{name}</h3><ul class="tools">{lines}</ul> })
        })
        .collect_view();
    view! {
        <details class="card fold" open>
            <summary>{t!("connect-tools", n = count)}</summary>
            <div class="inset">{groups}</div>
        </details>
    }
}

/// The methods that give no tool, with the reasons.
#[component]
fn Skipped(skipped: Vec<SkippedMethod>) -> impl IntoView {
    (!skipped.is_empty()).then(|| {
        let count = skipped.len();
        let lines = skipped
            .into_iter()
            .map(|skip| {
                view! { <tr><th scope="row"><code>{skip.method}</code></th><td><bdi>{skip.reason}</bdi></td></tr> }
            })
            .collect_view();
        view! {
            <details class="card fold">
                <summary>
                    {t!("connect-skipped", n = count)}" "<small>{t!("connect-skipped-note")}</small>
                </summary>
                <table class="stacked"><tbody>{lines}</tbody></table>
            </details>
        }
    })
}
