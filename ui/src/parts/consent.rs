//! What a canister says of a call, as its own words: laid out by elements and never as markup, set
//! apart from ours, and beside it whether it is what the wallet decoded.

use countersign_core::confirm::consent::{
    Aspect, Block, Compared, ConsentView, Difference, FieldValue, Line, Said, Span, Unsaid,
};
use leptos::prelude::*;

use super::drawn::Shield;
use super::plain::{
    block, code, item, line, lines, list, nothing, p, quoted, row, say, small, text, warned,
};
use crate::present;
use crate::t;
use crate::when::when_exactly;

/// The section of the canister's words.
#[component]
pub(crate) fn CanisterSays(consent: Option<ConsentView>) -> impl IntoView {
    match consent {
        None => nothing(),
        Some(ConsentView::Unsaid(unsaid)) => section(vec![missing(unsaid)]),
        Some(ConsentView::Said(said)) => {
            let Said {
                blocks,
                language,
                compared,
            } = *said;
            let mut inner = vec![judged(compared)];
            if let Some(language) = language {
                let words = vec![say(t!("consent-language") + " "), text(language)];
                inner.push(p("inset dim", row(words)));
            }
            let blocks = blocks.into_iter().map(shown).collect();
            inner.push(view! { <blockquote class="consent">{row(blocks)}</blockquote> }.into_any());
            section(inner)
        }
    }
}

fn section(inner: Vec<AnyView>) -> AnyView {
    view! {
        <section class="card canister-says" aria-labelledby="canister-says">
            <h2 id="canister-says">{t!("consent-title")}" "{small(t!("consent-note"))}</h2>
            {inner}
        </section>
    }
    .into_any()
}

/// Whether it is what the wallet decoded.
fn judged(compared: Compared) -> AnyView {
    match compared {
        Compared::Agrees => {
            let shield = view! { <Shield /> }.into_any();
            let words = view! { <span>{t!("consent-agrees")}</span> }.into_any();
            p("note good", row(vec![shield, words]))
        }
        Compared::NothingToCompare => p("inset dim", say(t!("consent-nothing"))),
        Compared::Differs(differences) => {
            let differences = differences.into_iter().map(difference).collect();
            view! {
                <section class="held" aria-labelledby="canister-differs">
                    <h2 id="canister-differs">{warned(t!("consent-differs-title"))}</h2>
                    <p>{t!("consent-differs")}</p>
                    {lines("changes", differences)}
                </section>
            }
            .into_any()
        }
    }
}

fn difference(difference: Difference) -> AnyView {
    let Difference { what, ours, theirs } = difference;
    let name = match what {
        Aspect::Party => t!("consent-party"),
        Aspect::Amount => t!("consent-amount"),
    };
    let mut values = vec![
        say(t!("consent-ours") + " "),
        text(ours),
        say(", ".to_owned()),
    ];
    values.push(say(t!("consent-theirs")));
    for one in theirs {
        values.extend([say(" ".to_owned()), quoted(one)]);
    }
    line(say(name), row(values))
}

/// Why there are no words.
fn missing(unsaid: Unsaid) -> AnyView {
    let inner = match unsaid {
        Unsaid::Refused(words) => vec![say(t!("consent-refused") + " "), quoted(words)],
        Unsaid::Unreadable => vec![say(t!("consent-unreadable"))],
        Unsaid::Late => vec![say(t!("consent-late"))],
        Unsaid::Unanswered => vec![say(t!("consent-unanswered"))],
    };
    p("inset dim", row(inner))
}

/// A block of its words. Its headings are none of this page's.
fn shown(of: Block) -> AnyView {
    match of {
        Block::Heading(heading) => p("consent-heading", spans(heading)),
        Block::Paragraph(paragraph) => {
            let mut parts = Vec::new();
            for line in paragraph {
                if !parts.is_empty() {
                    parts.push(view! { <br /> }.into_any());
                }
                parts.push(spans(line));
            }
            p("", row(parts))
        }
        Block::List(points) => list("", points.into_iter().map(|one| item(spans(one))).collect()),
        Block::Field { label, value } => {
            let value = match value {
                FieldValue::Text(words) => text(words),
                FieldValue::Amount(amount) => text(present::amount(&amount)),
                FieldValue::Time(at) => say(when_exactly(at)),
                FieldValue::Seconds(seconds) => say(t!("consent-seconds", n = seconds.to_string())),
            };
            let label = view! { <b><bdi>{label}</bdi></b>" " }.into_any();
            block("consent-field", row(vec![label, value]))
        }
    }
}

fn spans(line: Line) -> AnyView {
    let spans = line.into_iter().map(|span| match span {
        Span::Plain(words) => text(words),
        Span::Bold(words) => view! { <b><bdi>{words}</bdi></b> }.into_any(),
        Span::Code(words) => code(words),
    });
    row(spans.collect())
}
