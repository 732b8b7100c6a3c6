//! Asks with findings of every severity, made up.

use super::{amount, ask, asked, at, call_ask, transfer};
use countersign_core::confirm::digest::RetryClass;
use countersign_core::confirm::risk::{Finding, Place};
use countersign_core::confirm::view::{
    Asked, Call, Effect, KnownLedger, LastTime, LastValue, Party, Role,
};
use countersign_core::wire::ui::ToWindow;

const ALIKE: &str = "k2t6x-qhvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";

fn found(call: Call, findings: Vec<Finding>, last: Option<LastTime>) -> ToWindow {
    let mut what = call_ask(call, RetryClass::Known, None);
    if let Asked::Call(call) = &mut what {
        call.findings = findings;
        call.last = last;
    }
    asked(ask(what))
}

pub(super) fn all() -> Vec<(&'static str, ToWindow)> {
    let argument = |path: &str| Place::Argument(path.to_owned());
    let loud = vec![
        Finding::PossiblyPaid {
            site: "https://agent.example.com".into(),
            at: Some(at("2026-11-29T11:40:00Z")),
        },
        Finding::PossiblyPaid {
            site: "https://shop.example".into(),
            at: None,
        },
        Finding::LookAlikeLedger(KnownLedger {
            symbol: "ICP".into(),
            id: "ryjl3-tyaaa-aaaaa-aaaba-cai".into(),
        }),
        Finding::LookAlikePayee {
            known: ALIKE.into(),
        },
        Finding::PayeeFromText,
        Finding::PayeeMayBeFromText,
        Finding::PayeeIsLedger,
        Finding::FarAboveUsual {
            usual: amount("0.1"),
        },
        Finding::Short,
        Finding::MostOfBalance { percent: 97 },
        Finding::HighFee { percent: 12 },
        Finding::PaidBefore {
            at: at("2026-11-29T09:00:00Z"),
        },
        Finding::PastedInterface,
        Finding::HiddenCharacters(Place::Why),
        Finding::HiddenCharacters(argument("memo")),
        Finding::MixedScripts(Place::Why),
        Finding::MixedScripts(argument("memo")),
        Finding::NewForSite,
        Finding::PayeeIsCanister,
    ];
    let allowance = Call {
        title: "Allow to be spent".into(),
        effect: Effect::Allowance,
        party: Some(Party {
            role: Role::Spender,
            address: ALIKE.into(),
            from: None,
        }),
        total: None,
        ..transfer()
    };
    let differs = |path: &str, before: Option<&str>| LastValue {
        path: path.into(),
        before: before.map(Into::into),
    };
    vec![
        ("ask-findings", found(transfer(), loud, None)),
        (
            "ask-findings-allowance",
            found(
                allowance,
                vec![
                    Finding::AllowanceAboveBalance,
                    Finding::AllowanceWithoutEnd,
                    Finding::FirstPayment,
                ],
                None,
            ),
        ),
        (
            "ask-last-time",
            found(
                transfer(),
                Vec::new(),
                Some(LastTime {
                    at: at("2026-11-22T12:00:00Z"),
                    differs: vec![differs("amount", Some("1.2 TKA")), differs("memo", None)],
                }),
            ),
        ),
        (
            "ask-last-time-same",
            found(
                transfer(),
                Vec::new(),
                Some(LastTime {
                    at: at("2026-11-22T12:00:00Z"),
                    differs: Vec::new(),
                }),
            ),
        ),
    ]
}
