//! A call, complete: what it does in large type, sums, every argument, the exact bytes, and what
//! all of it rests on.

use countersign_core::confirm::digest::RetryClass;
use countersign_core::confirm::view::{
    Argument, Balance, Call, Effect, Fee, Filled, Funds, Lost, Provenance, Role, ValueKind,
};
use countersign_core::ids::AskDigest;
use leptos::prelude::*;

use super::drawn::{Shield, Warning};
use super::texts::{Account, Network, Pieces};
use crate::present;
use crate::t;
use crate::when::when;

/// What the call does: title, amount, whom it concerns.
#[component]
pub(crate) fn Deed(call: Call) -> impl IntoView {
    let irreversible = call
        .irreversible
        .then(|| view! { " "<em class="chip open">{t!("ask-irreversible")}</em> });
    let amount = call.amount.map(|amount| {
        let class = present::amount_class(&amount);
        view! {
            <p class=class><bdi>{amount.number}</bdi>" "<bdi class="unit">{amount.unit}</bdi></p>
        }
    });
    let party = call.party.map(|party| {
        let role = match party.role {
            Role::Payee => t!("ask-to"),
            Role::Spender => t!("ask-spender"),
        };
        let from = party.from.map(|from| {
            view! {
                <p class="role">{t!("ask-from")}</p>
                <p class="address"><Pieces text=from /></p>
            }
        });
        view! {
            {from}
            <p class="role">{role}</p>
            <p class="address"><Pieces text=party.address /></p>
        }
    });
    let label = call
        .canister
        .label
        .map(|label| view! { <bdi><b>{label}</b></bdi>" " });
    view! {
        <section class="card deed">
            <h1 class="verb">{call.title}{irreversible}</h1>
            {amount}
            {party}
            <p class="on">
                {t!("ask-call", method = call.method)}" "{label}<Pieces text=call.canister.id />
            </p>
        </section>
    }
}

/// Fee, total, and what it leaves.
#[component]
pub(crate) fn Sums(call: Call) -> impl IntoView {
    // What is being read has its row already, so that nothing jumps when it arrives.
    let reading = call.balance == Funds::Reading;
    let soon = move || view! { <dd class="dim">{t!("being-read")}</dd> }.into_any();
    let by_ledger = match &call.fee {
        Some(fee) => fee.by_ledger,
        None => true,
    };
    let with_fee = match call.effect {
        Effect::Transfer | Effect::Allowance | Effect::TransferFrom => true,
        Effect::Other => false,
    };
    let fee = match call.fee {
        Some(Fee { amount, .. }) => Some(view! { <dd>{present::amount(&amount)}</dd> }.into_any()),
        None => (reading && with_fee).then(soon),
    };
    let fee = fee.map(|fee| {
        let note =
            by_ledger.then(|| view! { <small>{format!(" {}", t!("ask-fee-by-ledger"))}</small> });
        view! { <div><dt>{t!("ask-fee")}{note}</dt>{fee}</div> }
    });
    let total = match call.total {
        Some(total) => Some(view! { <dd>{present::amount(&total)}</dd> }.into_any()),
        None => (reading && call.effect == Effect::Transfer).then(soon),
    };
    let total = total.map(|total| {
        let name = if by_ledger {
            t!("ask-total-about")
        } else {
            t!("ask-total")
        };
        view! { <div><dt>{name}</dt>{total}</div> }
    });
    // Where no token is concerned, neither is a balance.
    let concerned = call.amount.is_some() || fee.is_some();
    let balance = match call.balance {
        Funds::Unasked => ().into_any(),
        Funds::Reading | Funds::Unreadable if !concerned => ().into_any(),
        Funds::Reading => soon(),
        Funds::Unreadable => view! { <dd class="dim">{t!("ask-balance-unread")}</dd> }.into_any(),
        Funds::Read(Balance { before, after: Some(after), short: false, .. }) => view! {
            <dd>{before.number}" → "<b>{present::amount(&after)}</b></dd>
        }
        .into_any(),
        Funds::Read(Balance { before, after: None, short: false, .. }) => {
            view! { <dd>{present::amount(&before)}</dd> }.into_any()
        }
        Funds::Read(Balance { before, short: true, .. }) => view! {
            <dd class="short"><Warning />{present::amount(&before)}", "{t!("ask-balance-short")}</dd>
        }
        .into_any(),
    };
    view! {
        <dl class="sums">
            {fee}
            {total}
            <div>
                <dt>{t!("ask-sender")}" "<bdi><b>{call.sender.name}</b></bdi>" "<Network network=call.sender.network /></dt>
                {balance}
            </div>
        </dl>
    }
}

/// One argument: formatted, and raw.
fn argument(argument: Argument) -> impl IntoView {
    let text = match argument.text {
        Some(text) => match argument.kind {
            ValueKind::Address | ValueKind::Bytes => view! { <Pieces text=text /> }.into_any(),
            ValueKind::Quoted => view! { <q><bdi>{text}</bdi></q> }.into_any(),
            ValueKind::Plain => view! { <bdi>{text}</bdi> }.into_any(),
        },
        None => ().into_any(),
    };
    let filled = match argument.filled {
        Filled::Site => None,
        Filled::Wallet => Some(t!("ask-filled-wallet")),
        Filled::Canister => Some(t!("ask-filled-canister")),
        Filled::Nobody => Some(t!("ask-filled-nobody")),
    };
    // The spaces are part of the texts: one that stands alone beside a part left out is not said.
    let filled = filled.map(|filled| view! { <span class="dim">{format!(" {filled}")}</span> });
    let name = argument.name.map(|name| {
        let named = format!(" {} ", t!("ask-named"));
        view! { <span class="dim">{named}<q><bdi>{name}</bdi></q></span> }
    });
    view! {
        <tr>
            <th scope="row"><bdi>{argument.path}</bdi></th>
            <td><div class="value">{text}{name}{filled}</div><code>{argument.raw}</code></td>
        </tr>
    }
}

/// Every argument, then the exact bytes.
#[component]
pub(crate) fn Arguments(call: Call) -> impl IntoView {
    let table = if call.arguments.is_empty() {
        view! { <p class="inset dim">{t!("ask-no-arguments")}</p> }.into_any()
    } else {
        let rows = call.arguments.into_iter().map(argument).collect_view();
        view! { <table><tbody>{rows}</tbody></table> }.into_any()
    };
    view! {
        <details class="card fold" open>
            <summary>{t!("ask-arguments")}" "<small>{t!("ask-arguments-note")}</small></summary>
            {table}
        </details>
        <details class="card fold">
            <summary>
                {t!("ask-bytes")}
                " "
                <small>{t!("ask-bytes-note", n = call.arg_length, method = call.method)}</small>
            </summary>
            <p class="inset bytes"><Pieces text=call.arg_hex /></p>
        </details>
    }
}

/// What the view rests on: canister, interface, network, account, digest.
#[component]
pub(crate) fn Proof(call: Call, digest: Option<AskDigest>) -> impl IntoView {
    let sources = call
        .provenance
        .into_iter()
        .map(|provenance| {
            let (name, value) = match provenance {
                Provenance::Pack(name) => {
                    let value = t!("ask-proof-pack-value", name = name);
                    (t!("ask-proof-pack"), value.into_any())
                }
                Provenance::Person(name) => {
                    let value = t!("ask-proof-person-value", name = name);
                    (t!("ask-proof-pack"), value.into_any())
                }
                Provenance::Untagged => (t!("ask-proof-pack"), t!("ask-proof-untagged").into_any()),
                Provenance::CertifiedInterface(at) => {
                    let value = t!("ask-proof-certified", at = when(at));
                    (t!("ask-proof-interface"), value.into_any())
                }
                Provenance::CertifiedValues(at) => {
                    let value = t!("ask-proof-certified", at = when(at));
                    (t!("ask-proof-values"), value.into_any())
                }
                Provenance::Module(hash) => {
                    let value = view! { <Pieces text=hash.to_string() /> };
                    (t!("ask-proof-module"), value.into_any())
                }
            };
            view! { <tr><th scope="row">{name}</th><td>{value}</td></tr> }
        })
        .collect_view();
    let digest = digest.map(|digest| {
        view! {
            <tr>
                <th scope="row">{t!("ask-digest")}</th>
                <td><Pieces text=digest.to_string() /></td>
            </tr>
        }
    });
    view! {
        <details class="card fold">
            <summary>{t!("ask-proof")}</summary>
            <table>
                <tbody>
                    <tr>
                        <th scope="row">{t!("ask-account")}</th>
                        <td><Account account=call.sender.clone() /></td>
                    </tr>
                    <tr>
                        <th scope="row">{t!("ask-network")}</th>
                        <td>
                            <bdi>{call.sender.network.name}</bdi>
                            <br />
                            <Pieces text=call.sender.network.id.to_string() />
                        </td>
                    </tr>
                    <tr>
                        <th scope="row">{t!("ask-canister")}</th>
                        <td><Pieces text=call.canister.id /></td>
                    </tr>
                    {sources}
                    {digest}
                </tbody>
            </table>
        </details>
    }
}

/// What happens when the answer gets lost.
#[component]
pub(crate) fn LostNote(lost: Lost) -> impl IntoView {
    let (class, words) = match lost.class {
        RetryClass::Known => {
            let words = match lost.until {
                Some(until) => t!("ask-lost-known-until", at = when(until)),
                None => t!("ask-lost-known"),
            };
            ("note good", words)
        }
        RetryClass::Claimed => ("note", t!("ask-lost-claimed")),
        RetryClass::Unstamped => ("note warn", t!("ask-lost-unstamped")),
    };
    view! {
        <p class=class>
            {match lost.class {
                RetryClass::Known | RetryClass::Claimed => view! { <Shield /> }.into_any(),
                RetryClass::Unstamped => view! { <Warning /> }.into_any(),
            }}
            <span><b>{t!("ask-lost")}</b>" "{words}</span>
        </p>
    }
}
