//! Calls with what their canister says of them.

use super::*;
use countersign_core::confirm::consent::{
    Aspect, Block, Compared, ConsentView, Difference, FieldValue, Said, Span, Unsaid,
};
use countersign_core::confirm::risk::Finding;

/// The routine payment, with this beside it.
pub(super) fn asked_with(consent: ConsentView) -> ToWindow {
    let differences = consent.differences().to_vec();
    let differs = (!differences.is_empty()).then_some(Finding::CanisterDiffers(differences));
    let what = match call_ask(transfer(), RetryClass::Known, None) {
        Asked::Call(call) => Asked::Call(Box::new(CallAsk {
            findings: differs.into_iter().collect(),
            consent: Some(consent),
            ..*call
        })),
        connect @ Asked::Connect(_) => connect,
    };
    asked(ask(what))
}

fn plain(words: &str) -> Vec<Span> {
    vec![Span::Plain(words.into())]
}

fn value(label: &str, value: &str) -> Block {
    Block::Paragraph(vec![
        vec![Span::Bold(label.into())],
        vec![Span::Code(value.into())],
    ])
}

fn said(to: &str, amount: &str, compared: Compared) -> ConsentView {
    ConsentView::Said(Box::new(Said {
        blocks: vec![
            Block::Heading(plain("Send Token A")),
            Block::Paragraph(vec![plain(
                "You are approving a transfer of funds from your account.",
            )]),
            value("From:", MINE),
            value("Amount:", amount),
            value("To:", to),
            value("Fees:", "0.0001 TKA"),
        ],
        language: None,
        compared,
    }))
}

pub(super) fn agrees() -> ConsentView {
    said(ANA, "1.5 TKA", Compared::Agrees)
}

pub(super) fn differs() -> ConsentView {
    let difference = |what, ours: &str, theirs: &str| Difference {
        what,
        ours: ours.into(),
        theirs: vec![theirs.into()],
    };
    let differences = vec![
        difference(Aspect::Party, ANA, "2vxsx-fae"),
        difference(Aspect::Amount, "1.5 TKA", "15 TKA"),
    ];
    said("2vxsx-fae", "15 TKA", Compared::Differs(differences))
}

/// What could be taken for a part of the page, or for more than text.
pub(super) fn odd() -> ConsentView {
    let field = |label: &str, value| Block::Field {
        label: label.into(),
        value,
    };
    ConsentView::Said(Box::new(Said {
        blocks: vec![
            Block::Heading(plain("Countersign: nothing to worry about")),
            Block::Paragraph(vec![
                plain("<img src=x onerror=alert(1)> <b>bold</b> &lt;"),
                plain("[Approve](https://evil.example) \\u{202e}"),
            ]),
            Block::List(vec![plain("one"), plain("two")]),
            field("Amount", FieldValue::Amount(amount("1.5"))),
            field("At", FieldValue::Time(at("2026-11-30T00:00:01Z"))),
            field("For", FieldValue::Seconds(90)),
            field("Note", FieldValue::Text("<i>none</i>".into())),
        ],
        language: Some("tlh".into()),
        compared: Compared::NothingToCompare,
    }))
}

pub(super) fn silent() -> ConsentView {
    ConsentView::Unsaid(Unsaid::Refused("Not <b>this</b> one.".into()))
}
