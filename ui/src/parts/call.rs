//! A call, complete: what it does in large type, sums, every argument, the exact bytes, and what
//! all of it rests on.

use countersign_core::confirm::digest::RetryClass;
use countersign_core::confirm::view::{
    Argument, Balance, Call, Effect, Fee, Filled, Funds, LastTime, Lost, ProfileFrom, Provenance,
    Quote, Role, ValueKind,
};
use countersign_core::ids::AskDigest;
use leptos::prelude::*;

use super::drawn::{Shield, Warning};
use super::notes::look_alike;
use super::plain::{
    block, cells, code, fold, noted, nothing, p, pieces, quoted, row, say, small, table, text,
    warned,
};
use super::texts::{Account, Network};
use crate::present;
use crate::t;
use crate::titles::title;
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
    let mut parties = Vec::new();
    if let Some(party) = call.party {
        let role = match party.role {
            Role::Payee => t!("ask-to"),
            Role::Spender => t!("ask-spender"),
        };
        let from = party.from.map(|from| (t!("ask-from"), from));
        for (role, address) in from.into_iter().chain([(role, party.address)]) {
            parties.extend([p("role", say(role)), p("address", pieces(address))]);
        }
    }
    let mut on = vec![say(t!("ask-call", method = call.method) + " ")];
    if let Some(label) = call.canister.label {
        on.push(named(label));
    }
    on.push(pieces(call.canister.id));
    view! {
        <section class="card deed">
            <h1 class="verb">{title(call.title)}{irreversible}</h1>
            {amount}
            {look_alike(call.canister.looks_like)}
            {parties}
            {p("on", row(on))}
        </section>
    }
}

/// What the canister's or the site's own profile says of the call: quoted as theirs, with the place
/// that it is about.
#[component]
pub(crate) fn Quotes(call: Call) -> impl IntoView {
    let arguments = call.arguments;
    let of_argument = |quote: &Quote| {
        let path = quote.about.as_ref();
        path.is_some_and(|path| arguments.iter().any(|argument| argument.path == *path))
    };
    let quotes = call.quotes.into_iter();
    quotes
        .filter(|quote| !of_argument(quote))
        .map(|quote| {
            let who = profile_of(quote.by);
            let mut said = match quote.about {
                None => vec![dim(t!("call-says", who = who) + " ")],
                Some(about) => vec![
                    dim(t!("call-says-of", who = who) + " "),
                    code(about),
                    say(" ".to_owned()),
                ],
            };
            said.push(quoted(quote.words));
            view! { <blockquote class="says">{said}</blockquote> }
        })
        .collect_view()
}

/// Whose profile it is.
pub(crate) fn profile_of(from: ProfileFrom) -> String {
    match from {
        ProfileFrom::Canister => t!("profile-of-canister"),
        ProfileFrom::Site => t!("profile-of-site"),
        ProfileFrom::Person => t!("profile-of-person"),
    }
}

/// Fee, total, and what it leaves.
#[component]
pub(crate) fn Sums(call: Call) -> impl IntoView {
    // What is being read has its row already, so that nothing jumps when it arrives.
    let reading = call.balance == Funds::Reading;
    let soon = || dd("dim", say(t!("being-read")));
    let by_ledger = match &call.fee {
        Some(fee) => fee.by_ledger,
        None => true,
    };
    let with_fee = match call.effect {
        Effect::Transfer | Effect::Allowance | Effect::TransferFrom => true,
        Effect::Other => false,
    };
    let fee = match call.fee {
        Some(Fee { amount, .. }) => Some(dd("", say(present::amount(&amount)))),
        None => (reading && with_fee).then(soon),
    };
    let total = match call.total {
        Some(total) => Some(dd("", say(present::amount(&total)))),
        None => (reading && call.effect == Effect::Transfer).then(soon),
    };
    // Where no token is concerned, neither is a balance.
    let concerned = call.amount.is_some() || fee.is_some();
    let balance = match call.balance {
        Funds::Unasked => nothing(),
        Funds::Reading | Funds::Unreadable if !concerned => nothing(),
        Funds::Reading => soon(),
        Funds::Unreadable => dd("dim", say(t!("ask-balance-unread"))),
        Funds::Read(Balance {
            before,
            after: Some(after),
            short: false,
            ..
        }) => {
            let after = view! { <b>{present::amount(&after)}</b> };
            dd("", row(vec![say(before.number + " → "), after.into_any()]))
        }
        Funds::Read(Balance {
            before,
            after: None,
            short: false,
            ..
        }) => dd("", say(present::amount(&before))),
        Funds::Read(Balance {
            before,
            short: true,
            ..
        }) => {
            let short = format!("{}, {}", present::amount(&before), t!("ask-balance-short"));
            dd("short", warned(short))
        }
    };
    let mut sums = Vec::new();
    if let Some(fee) = fee {
        let mut name = vec![say(t!("ask-fee"))];
        if by_ledger {
            name.push(small(format!(" {}", t!("ask-fee-by-ledger"))));
        }
        sums.push((row(name), fee));
    }
    if let Some(total) = total {
        let name = if by_ledger {
            t!("ask-total-about")
        } else {
            t!("ask-total")
        };
        sums.push((say(name), total));
    }
    let network = view! { <Network network=call.sender.network /> };
    let sender = vec![
        say(t!("ask-sender") + " "),
        named(call.sender.name),
        network.into_any(),
    ];
    sums.push((row(sender), balance));
    let sums = sums.into_iter();
    let sums = sums.map(|(name, value)| view! { <div><dt>{name}</dt>{value}</div> });
    view! { <dl class="sums">{sums.collect_view()}</dl> }
}

fn dd(class: &'static str, value: AnyView) -> AnyView {
    view! { <dd class=class>{value}</dd> }.into_any()
}

/// A name, with a space behind it.
fn named(name: String) -> AnyView {
    view! { <bdi><b>{name}</b></bdi>" " }.into_any()
}

/// One argument: formatted, and raw, with what is said of it by others.
fn argument(argument: Argument, quotes: &[Quote], last: Option<&LastTime>) -> AnyView {
    let quotes: Vec<_> = quotes
        .iter()
        .filter(|quote| quote.about.as_ref() == Some(&argument.path))
        .cloned()
        .map(|quote| {
            let who = dim(t!("call-says", who = profile_of(quote.by)) + " ");
            block("quoted", row(vec![who, quoted(quote.words)]))
        })
        .collect();
    let mut value = Vec::new();
    if let Some(formatted) = argument.text {
        value.push(match argument.kind {
            ValueKind::Address | ValueKind::Bytes => pieces(formatted),
            ValueKind::Quoted => quoted(formatted),
            ValueKind::Plain => text(formatted),
        });
    }
    if let Some(name) = argument.name {
        value.extend([dim(format!(" {} ", t!("ask-named"))), quoted(name)]);
    }
    let filled = match argument.filled {
        Filled::Site => None,
        Filled::Wallet => Some(t!("ask-filled-wallet")),
        Filled::Canister => Some(t!("ask-filled-canister")),
        Filled::Nobody => Some(t!("ask-filled-nobody")),
    };
    if let Some(filled) = filled {
        // The space is part of the text: one that stands alone beside a part left out is not said.
        value.push(dim(format!(" {filled}")));
    }
    let mut all = vec![block("value", row(value)), code(argument.raw)];
    let differs = last.and_then(|last| last.differs.iter().find(|one| one.path == argument.path));
    if let Some(differs) = differs {
        let before = match &differs.before {
            Some(before) => row(vec![
                dim(format!("{} ", t!("ask-last-time"))),
                text(before.clone()),
            ]),
            None => dim(t!("ask-last-empty")),
        };
        all.push(block("before", before));
    }
    all.extend(quotes);
    cells(text(argument.path), row(all))
}

/// Words of ours beside a value.
fn dim(words: String) -> AnyView {
    view! { <span class="dim">{words}</span> }.into_any()
}

/// Every argument, then the exact bytes.
#[component]
pub(crate) fn Arguments(
    call: Call,
    /// What was the last time, where something is to be compared.
    #[prop(optional_no_strip)]
    last: Option<LastTime>,
) -> impl IntoView {
    let mut inner = Vec::new();
    if call.provenance.contains(&Provenance::PastedInterface) {
        inner.push(p("inset warn-text", warned(t!("ask-pasted"))));
    }
    inner.push(if call.arguments.is_empty() {
        p("inset dim", say(t!("ask-no-arguments")))
    } else {
        let arguments = call.arguments.into_iter();
        let rows = arguments
            .map(|one| argument(one, &call.quotes, last.as_ref()))
            .collect();
        table("", rows)
    });
    let note = t!("ask-bytes-note", n = call.arg_length, method = call.method);
    row(vec![
        fold(
            "card fold",
            true,
            noted(t!("ask-arguments"), t!("ask-arguments-note")),
            row(inner),
        ),
        fold(
            "card fold",
            false,
            noted(t!("ask-bytes"), note),
            p("inset bytes", pieces(call.arg_hex)),
        ),
    ])
}

/// What the view rests on: canister, interface, network, account, digest.
#[component]
pub(crate) fn Proof(call: Call, digest: Option<AskDigest>) -> impl IntoView {
    let account = view! { <Account account=call.sender.clone() /> };
    let network = vec![
        text(call.sender.network.name),
        view! { <br /> }.into_any(),
        pieces(call.sender.network.id.to_string()),
    ];
    let mut rows = vec![
        (t!("ask-account"), account.into_any()),
        (t!("ask-network"), row(network)),
        (t!("ask-canister"), pieces(call.canister.id)),
    ];
    rows.extend(
        call.provenance
            .into_iter()
            .map(|provenance| match provenance {
                Provenance::Pack(name) => {
                    let value = t!("ask-proof-pack-value", name = name);
                    (t!("ask-proof-pack"), say(value))
                }
                Provenance::Person(name) => {
                    let value = t!("ask-proof-person-value", name = name);
                    (t!("ask-proof-pack"), say(value))
                }
                Provenance::Untagged => (t!("ask-proof-pack"), say(t!("ask-proof-untagged"))),
                Provenance::CertifiedInterface(at) => {
                    let value = t!("ask-proof-certified", at = when(at));
                    (t!("ask-proof-interface"), say(value))
                }
                Provenance::PastedInterface => {
                    (t!("ask-proof-interface"), say(t!("ask-proof-pasted")))
                }
                Provenance::CertifiedValues(at) => {
                    let value = t!("ask-proof-certified", at = when(at));
                    (t!("ask-proof-values"), say(value))
                }
                Provenance::Module(hash) => (t!("ask-proof-module"), pieces(hash.to_string())),
            }),
    );
    rows.extend(digest.map(|digest| (t!("ask-digest"), pieces(digest.to_string()))));
    let rows = rows.into_iter();
    let rows = rows.map(|(name, value)| cells(say(name), value)).collect();
    fold("card fold", false, say(t!("ask-proof")), table("", rows))
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
