//! A canister of a connect ask, with what it certified about itself.

use countersign_core::confirm::digest::RetryClass;
use countersign_core::confirm::view::{
    CanisterFacts, CanisterState, ConnectCanister, LabelHash, Pasted, Unreadable,
};
use countersign_core::ids::ContentHash;
use leptos::prelude::*;

use super::by_hand::{Paste, by_hand, field, take_back};
use super::profile::profile;
use crate::parts::notes::look_alike;
use crate::parts::plain::{
    chip, fold, item, line, lines, list, note, nothing, p, pieces, quoted, row, say, text, warned,
};
use crate::present;
use crate::t;
use crate::when::when;

/// A canister.
pub(super) fn canister(canister: ConnectCanister, network: &str) -> AnyView {
    let ConnectCanister { id, state } = canister;
    let name = p("canister-id", pieces(id.clone()));
    let inner = match state {
        CanisterState::Reading => {
            let words = t!("connect-canister-reading");
            vec![
                name,
                view! { <p class="dim" role="status">{words}</p> }.into_any(),
            ]
        }
        CanisterState::Unreadable(why) => {
            let words = match why {
                Unreadable::NoCanister => t!("connect-no-canister", network = network),
                Unreadable::NoInterface => t!("connect-no-interface"),
                Unreadable::BadInterface => t!("connect-bad-interface"),
                Unreadable::NoAnswer => t!("connect-no-answer"),
                Unreadable::NotCertified => t!("connect-not-certified"),
                Unreadable::BadValues => t!("connect-bad-values"),
            };
            let mut inner = vec![
                head(vec![name, chip("chip", t!("connect-unread"))]),
                p("warn-text", warned(words)),
            ];
            if why == Unreadable::NoInterface {
                inner.push(field(Paste::Interface, &id));
            }
            inner
        }
        CanisterState::Read(facts) => read(&id, name, *facts),
    };
    view! { <article class="card pad">{inner}</article> }.into_any()
}

fn head(inner: Vec<AnyView>) -> AnyView {
    view! { <header>{inner}</header> }.into_any()
}

fn read(id: &str, name: AnyView, facts: CanisterFacts) -> Vec<AnyView> {
    let mut heading = Vec::new();
    if let Some(symbol) = facts.symbol {
        heading.push(view! { <h3><bdi>{symbol}</bdi></h3> }.into_any());
    }
    heading.push(name);
    let repeats = match facts.retry {
        RetryClass::Known => t!("connect-repeats-known"),
        RetryClass::Claimed => t!("connect-repeats-claimed"),
        RetryClass::Unstamped => t!("connect-repeats-unstamped"),
    };
    let methods = match facts.pasted {
        Pasted::Used(_) => t!("connect-methods-pasted", n = facts.methods),
        Pasted::None | Pasted::Same | Pasted::Differs(_) => {
            t!("connect-methods", n = facts.methods)
        }
    };
    let standards = facts.standards.join(", ");
    let sums = [
        (t!("connect-name"), facts.name.map(quoted)),
        (t!("connect-decimals"), facts.decimals.map(text)),
        (
            t!("connect-fee"),
            facts.fee.map(|fee| text(present::amount(&fee))),
        ),
        (
            t!("connect-standards"),
            (!standards.is_empty()).then(|| text(standards)),
        ),
        (t!("connect-repeats"), Some(say(repeats))),
        (t!("connect-interface"), Some(say(methods))),
        (t!("connect-certified"), Some(say(when(facts.at)))),
    ];
    let hashes = [
        (t!("connect-interface"), Some(hash(facts.fingerprint))),
        (t!("connect-module"), facts.module.map(hash)),
    ];
    let mut inner = vec![
        head(heading),
        look_alike(facts.looks_like),
        lines("sums", filled(sums)),
        pasted(id, facts.pasted),
    ];
    let profiles = facts.profiles.into_iter();
    inner.extend(profiles.map(|one| profile(id, one)));
    let hashes = lines("facts-list", filled(hashes));
    inner.push(fold("inner-fold", false, say(t!("connect-hashes")), hashes));
    inner.push(by_hand(id));
    inner
}

fn hash(hash: ContentHash) -> AnyView {
    pieces(hash.to_string())
}

/// The lines that have a value.
fn filled<const N: usize>(all: [(String, Option<AnyView>); N]) -> Vec<AnyView> {
    all.into_iter()
        .filter_map(|(name, value)| value.map(|value| line(say(name), value)))
        .collect()
}

/// What became of the interface that the person pasted.
fn pasted(canister: &str, pasted: Pasted) -> AnyView {
    let each = |texts: Vec<String>| texts.into_iter().map(|one| item(text(one))).collect();
    let (class, words, lines) = match pasted {
        Pasted::None => return nothing(),
        Pasted::Same => ("note tall", t!("pasted-same"), nothing()),
        Pasted::Used(labels) => {
            let name = say(t!("pasted-labels", n = labels.len()));
            let labels = labels.into_iter();
            let labels = labels.map(|LabelHash { label, hash }| format!("{label}#{hash}"));
            let list = list("labels mono", each(labels.collect()));
            (
                "note warn tall",
                t!("pasted-used"),
                fold("text-fold", false, name, list),
            )
        }
        Pasted::Differs(differences) => (
            "note bad tall",
            t!("pasted-differs"),
            list("labels", each(differences)),
        ),
    };
    let back = take_back(Paste::Interface, canister);
    note(class, row(vec![p("", say(words)), lines, back]))
}
