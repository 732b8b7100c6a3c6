//! What each connected site has of canisters, and a way to add one by hand.

use countersign_core::wire::ui::{CanisterLine, Canisters, Command, Screen, SiteCanisters};
use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use crate::app::App;
use crate::parts::call::profile_of;
use crate::parts::drawn::Drawn;
use crate::parts::notes::look_alike;
use crate::parts::plain::{
    block, button, chip, item, line, lines, list, note, p, pieces, row, say,
};
use crate::parts::texts::{Account, Site};
use crate::t;

/// Canisters.
#[component]
pub(super) fn CanistersPage() -> impl IntoView {
    let app = App::of_page();
    let body = move || {
        let sites = app.screen(|screen| {
            if let Screen::Canisters(Canisters { sites }) = screen {
                Some(sites.clone())
            } else {
                None
            }
        })?;
        let body = if sites.is_empty() {
            p("empty", say(t!("canisters-none")))
        } else {
            block("stack", row(sites.into_iter().map(site).collect()))
        };
        Some(body)
    };
    view! {
        <h1>{t!("canisters-title")}</h1>
        <p class="lead">{t!("canisters-lead")}</p>
        {body}
    }
}

/// A site with its canisters.
fn site(site: SiteCanisters) -> AnyView {
    let SiteCanisters {
        key,
        site,
        account,
        canisters,
    } = site;
    let host = site.host();
    let account = view! { <Account account=account /> }.into_any();
    let canisters = if canisters.is_empty() {
        p("dim", say(t!("canisters-empty")))
    } else {
        let all = canisters.into_iter();
        list("canisters", all.map(|line| canister(&key, line)).collect())
    };
    view! {
        <article class="card pad">
            <header class="who-line">
                <Drawn picture=site.glyph />
                <h2><Site site=site /></h2>
            </header>
            {lines("facts-list", vec![line(say(t!("canisters-account")), account)])}
            {canisters}
            <Add key=key host=host />
        </article>
    }
    .into_any()
}

/// A canister that a site has.
fn canister(site: &str, line: CanisterLine) -> AnyView {
    let CanisterLine {
        id,
        symbol,
        looks_like,
        tools,
        pasted,
        profiles,
        withheld,
    } = line;
    let mut name = Vec::new();
    if let Some(symbol) = symbol {
        name.push(view! { <bdi><b>{symbol}</b></bdi>" " }.into_any());
    }
    name.push(pieces(id.clone()));
    let mut words = vec![t!("canisters-tools", n = tools)];
    if pasted {
        words.push(t!("canisters-pasted"));
    }
    words.extend(profiles.into_iter().map(profile_of));
    let chips = words.into_iter().map(|words| chip("chip", words)).collect();
    let mut inner = vec![
        p("", row(name)),
        p("chips", row(chips)),
        look_alike(looks_like),
    ];
    if withheld {
        let site = site.to_owned();
        let look = button("small", t!("canisters-look"), move |app| {
            app.send(Command::AddCanister {
                site: site.clone(),
                canister: id.clone(),
            });
        });
        let words = p("", say(t!("canisters-withheld")));
        inner.push(note("note warn tall", row(vec![words, look])));
    }
    item(row(inner))
}

/// Adds a canister to what a site has.
#[component]
fn Add(key: String, host: String) -> impl IntoView {
    let app = App::of_page();
    let (typed, set_typed) = signal(String::new());
    let add = move |event: SubmitEvent| {
        event.prevent_default();
        app.send(Command::AddCanister {
            site: key.clone(),
            canister: typed.get_untracked(),
        });
    };
    view! {
        <form class="one-line" on:submit=add>
            <label class="field">
                <span>{t!("canisters-field", site = host)}</span>
                <input
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    class="mono"
                    prop:value=typed
                    on:input:target=move |event| set_typed.set(event.target().value())
                />
            </label>
            <button
                type="submit"
                class="plain"
                disabled=move || app.is_busy() || typed.with(String::is_empty)
            >
                {t!("canisters-add")}
            </button>
        </form>
    }
}
