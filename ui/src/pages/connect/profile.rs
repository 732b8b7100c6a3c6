//! A profile that was given for a canister: whose it is, what it says, what trusting it would change.
//!
//! Nothing of its text is a label, a heading or a control here.

use countersign_core::confirm::view::{ProfileChange, ProfileFrom, ProfileView};
use countersign_core::wire::ui::Command;
use leptos::prelude::*;

use super::by_hand::{Paste, take_back};
use super::on_ask;
use crate::parts::call::profile_of;
use crate::parts::plain::{
    block, button, chip, code, fold, heading, line, lines, note, noted, p, quoted, row, say, text,
    warned,
};
use crate::t;

/// A profile.
pub(super) fn profile(canister: &str, profile: ProfileView) -> AnyView {
    let ProfileView {
        hash,
        name,
        from,
        trusted,
        changes,
        problems,
        further,
        quotes,
    } = profile;
    let (class, state, means, changed) = if trusted {
        (
            "chip open",
            t!("profile-trusted"),
            t!("profile-trusted-note"),
            t!("profile-changed"),
        )
    } else {
        (
            "chip",
            t!("profile-narrows"),
            t!("profile-narrows-note"),
            t!("profile-changes"),
        )
    };
    let title = heading(3, profile_of(from));
    let readable = name.is_some();
    let mut outside = vec![block("row", row(vec![title, chip(class, state)]))];
    if let Some(name) = name {
        let name = row(vec![say(t!("profile-name") + " "), quoted(name)]);
        outside.push(p("dim", name));
    }
    outside.push(p("", say(means)));
    let on = canister.to_owned();
    let label = if trusted {
        t!("profile-untrust")
    } else {
        t!("profile-trust")
    };
    let trust = button("small", label, move |app| {
        on_ask(app, |ask| Command::TrustProfile {
            ask,
            canister: on.clone(),
            profile: hash,
            trusted: !trusted,
        });
    });
    let mut buttons = Vec::new();
    if from == ProfileFrom::Person {
        buttons.push(take_back(Paste::Profile, canister));
    }
    // Trust stands at the end of all that it changes, and is as easily taken back as seen.
    let mut trusting = None;
    if trusted {
        buttons.push(trust);
    } else if readable {
        let means = p("", say(t!("profile-trust-lead")));
        trusting = Some(note("note warn tall", row(vec![means, trust])));
    }
    if !buttons.is_empty() {
        outside.push(block("buttons", row(buttons)));
    }
    let (never, changes): (Vec<_>, Vec<_>) = changes.into_iter().partition(|change| change.never);
    let count = changes.len();
    let quotes = quotes.into_iter();
    let lists = [
        (
            t!("profile-words"),
            quotes
                .map(|said| at(said.place, quoted(said.words)))
                .collect(),
        ),
        (changed, said(changes)),
        (t!("profile-never"), said(never)),
        (t!("profile-problems"), said(problems)),
    ];
    let mut inside = Vec::new();
    for (name, list) in lists {
        let list: Vec<_> = list;
        if !list.is_empty() {
            inside.push(heading(4, name));
            inside.push(lines("facts-list", list));
        }
    }
    if further > 0 {
        inside.push(p("warn-text", warned(t!("profile-further", n = further))));
    }
    inside.extend(trusting);
    let more = if trusted {
        t!("profile-more-trusted", n = count)
    } else {
        t!("profile-more-note", n = count)
    };
    let summary = noted(t!("profile-more"), more);
    outside.push(fold("text-fold", false, summary, row(inside)));
    view! { <section class="profile">{outside}</section> }.into_any()
}

fn said(changes: Vec<ProfileChange>) -> Vec<AnyView> {
    let changes = changes.into_iter();
    changes
        .map(|change| at(change.place, text(change.what)))
        .collect()
}

/// What is said of a place, under it.
fn at(place: String, what: AnyView) -> AnyView {
    let place = if place.is_empty() {
        say(t!("profile-whole"))
    } else {
        code(place)
    };
    line(place, what)
}
