//! What a person should know of a call before a yes, in words. Which findings there are, and which
//! must be acknowledged, the worker decides; here they are laid out and their boxes ticked.

use countersign_core::confirm::risk::{Finding, Place, Severity};
use countersign_core::confirm::view::LastTime;
use leptos::ev::{Event, Targeted};
use leptos::prelude::*;
use web_sys::HtmlInputElement;

use super::drawn::Warning;
use super::plain::{item, list, text};
use super::texts::Pieces;
use crate::present;
use crate::t;
use crate::when::when;

/// All findings of an ask, the loudest first. Each that must be acknowledged has a box of its own.
#[component]
pub(crate) fn Findings(
    findings: Vec<Finding>,
    last: Option<LastTime>,
    acknowledged: RwSignal<Vec<Finding>>,
) -> impl IntoView {
    let of = |severity| {
        let found = findings
            .iter()
            .filter(move |one| one.severity() == severity);
        found.cloned().collect::<Vec<_>>()
    };
    let high = of(Severity::High).into_iter().enumerate();
    let high =
        high.map(|(nth, one)| view! { <High finding=one nth=nth acknowledged=acknowledged /> });
    let cautions: Vec<_> = of(Severity::Caution).iter().map(line).collect();
    let cautions = (!cautions.is_empty()).then(|| {
        view! { <div class="note warn"><Warning />{lines("risks", cautions)}</div> }
    });
    let mut notes: Vec<_> = of(Severity::Note).iter().map(line).collect();
    notes.extend(last.map(|last| {
        if last.differs.is_empty() {
            t!("risk-last-same", at = when(last.at))
        } else {
            t!("risk-last-differs", at = when(last.at))
        }
    }));
    let notes = (!notes.is_empty()).then(|| lines("risks quiet", notes));
    view! {
        {high.collect_view()}
        {cautions}
        {notes}
    }
}

fn lines(class: &'static str, lines: Vec<String>) -> AnyView {
    let lines = lines.into_iter();
    list(class, lines.map(|line| item(text(line))).collect())
}

/// One that must be acknowledged by itself. A group and no landmark: two may have one title.
#[component]
fn High(finding: Finding, nth: usize, acknowledged: RwSignal<Vec<Finding>>) -> impl IntoView {
    let title_id = format!("risk-{nth}");
    let labelled = title_id.clone();
    let (title, words, known) = high(&finding);
    let known = known.map(|known| view! { " "<Pieces text=known /> });
    let held = finding.clone();
    let is_ticked = move || acknowledged.with(|all| all.contains(&held));
    let tick = move |event: Targeted<Event, HtmlInputElement>| {
        let ticked = event.target().checked();
        acknowledged.update(|all| {
            all.retain(|one| *one != finding);
            if ticked {
                all.push(finding.clone());
            }
        });
    };
    view! {
        <div class="held risk" role="group" aria-labelledby=labelled>
            <h2 id=title_id.clone()><Warning />{title}</h2>
            <p>{text(words)}{known}</p>
            <label class="tick">
                <input
                    type="checkbox"
                    aria-describedby=title_id
                    prop:checked=is_ticked
                    on:change:target=tick
                />
                <span>{t!("risk-acknowledge")}</span>
            </label>
        </div>
    }
}

/// Title, words, and an address that stands behind them.
fn high(finding: &Finding) -> (String, String, Option<String>) {
    match finding {
        Finding::PossiblyPaid { site, at } => {
            let site = site.as_str();
            let words = match at {
                Some(at) => t!("risk-possibly-paid", site = site, at = when(*at)),
                None => t!("risk-possibly-paid-undated", site = site),
            };
            (t!("risk-possibly-paid-title"), words, None)
        }
        Finding::LookAlikeLedger(known) => {
            let symbol = known.symbol.as_str();
            let title = t!("look-alike-title", symbol = symbol);
            let words = t!("look-alike", symbol = symbol);
            (title, words, Some(known.id.clone()))
        }
        Finding::LookAlikePayee { known } => (
            t!("risk-look-alike-title"),
            t!("risk-look-alike"),
            Some(known.clone()),
        ),
        Finding::PayeeFromText => (t!("risk-from-text-title"), t!("risk-from-text"), None),
        Finding::PayeeMayBeFromText => (t!("risk-maybe-text-title"), t!("risk-maybe-text"), None),
        Finding::PayeeIsLedger => (t!("risk-is-ledger-title"), t!("risk-is-ledger"), None),
        Finding::CanisterDiffers(_) => (
            t!("risk-canister-differs-title"),
            t!("risk-canister-differs"),
            None,
        ),
        Finding::FarAboveUsual { usual } => {
            let words = t!("risk-far-above", usual = present::amount(usual));
            (t!("risk-far-above-title"), words, None)
        }
        Finding::AllowanceAboveBalance => (
            t!("risk-above-balance-title"),
            t!("risk-above-balance"),
            None,
        ),
        Finding::Short
        | Finding::MostOfBalance { .. }
        | Finding::HighFee { .. }
        | Finding::AllowanceWithoutEnd
        | Finding::PaidBefore { .. }
        | Finding::PastedInterface
        | Finding::HiddenCharacters(_)
        | Finding::MixedScripts(_)
        | Finding::FirstPayment
        | Finding::NewForSite
        | Finding::PayeeIsCanister => (line(finding), String::new(), None),
    }
}

/// One that is read in a line.
fn line(finding: &Finding) -> String {
    match finding {
        Finding::Short => t!("risk-short"),
        Finding::MostOfBalance { percent } => t!("risk-most", percent = *percent),
        Finding::HighFee { percent } => t!("risk-fee", percent = *percent),
        Finding::AllowanceWithoutEnd => t!("risk-no-end"),
        Finding::PaidBefore { at } => t!("risk-paid-before", at = when(*at)),
        Finding::PastedInterface => t!("risk-pasted"),
        Finding::HiddenCharacters(Place::Why) => t!("risk-hidden-why"),
        Finding::HiddenCharacters(Place::Argument(path)) => {
            t!("risk-hidden", path = path.as_str())
        }
        Finding::MixedScripts(Place::Why) => t!("risk-mixed-why"),
        Finding::MixedScripts(Place::Argument(path)) => t!("risk-mixed", path = path.as_str()),
        Finding::FirstPayment => t!("risk-first"),
        Finding::NewForSite => t!("risk-new-for-site"),
        Finding::PayeeIsCanister => t!("risk-is-canister"),
        Finding::PossiblyPaid { .. }
        | Finding::LookAlikeLedger(_)
        | Finding::LookAlikePayee { .. }
        | Finding::PayeeFromText
        | Finding::PayeeMayBeFromText
        | Finding::PayeeIsLedger
        | Finding::CanisterDiffers(_)
        | Finding::FarAboveUsual { .. }
        | Finding::AllowanceAboveBalance => high(finding).0,
    }
}
