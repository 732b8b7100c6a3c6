//! Words that a canister or a network says of itself: labels, symbols, names, errors.

use super::{HIDDEN, Hostile, ID, LEDGER, MEBIBYTE, Verdict, plain_all_over};
use countersign_core::{
    format::amount::Symbol,
    ids::Principal,
    interface::Interface,
    profile::{packs, resolve},
    text::Untrusted,
    tools::{Canister, Catalog, Dialect, NameBook, RefValue, build_plans},
};
use serde_json::json;
use std::{collections::BTreeMap, rc::Rc};

fn told(
    name: &str,
    label: impl Fn() -> String + 'static,
    symbol: impl Fn() -> RefValue + 'static,
) -> Hostile {
    Hostile::new(format!("words: {name}"), move || {
        let (label, symbol) = (label(), symbol());
        let interface = Interface::parse(LEDGER).expect("an interface");
        let plans = build_plans(&Rc::new(resolve(&interface, &packs::all(), &[])));
        Box::new(move || {
            let refs = BTreeMap::from([
                (
                    "query:icrc1_decimals".to_owned(),
                    RefValue::Number(8_u8.into()),
                ),
                ("query:icrc1_symbol".to_owned(), symbol),
            ]);
            let id = Principal::from_text(ID).expect("a principal");
            let canister = Canister::new(id, Some(&label), refs);
            let catalog = Catalog::new(&[(canister, &plans)], &mut NameBook::default());
            let told = Dialect::ALL
                .iter()
                .flat_map(|dialect| catalog.definitions(*dialect));
            match plain_all_over(told) {
                Ok(()) => Verdict::Harmless("no word of it is told"),
                Err(harm) => harm,
            }
        })
    })
}

pub(super) fn all() -> Vec<Hostile> {
    let plain = || "Ledger".to_owned();
    let symbol = || RefValue::Text("TKA".to_owned());
    vec![
        told(
            "a label of hidden characters",
            || format!("Ledger{HIDDEN}"),
            symbol,
        ),
        told("a label of 1 MiB", || "L".repeat(MEBIBYTE), symbol),
        told("a symbol of hidden characters", plain, || {
            RefValue::Text(format!("TK{HIDDEN}"))
        }),
        told("a symbol of 1 MiB", plain, || {
            RefValue::Text("T".repeat(MEBIBYTE))
        }),
        told("decimals beyond every number", plain, || {
            RefValue::Number(num_bigint::BigUint::from(7_u8) << 100_000)
        }),
        Hostile::new("words: 1 MiB of hidden characters", || {
            let text = HIDDEN.repeat(MEBIBYTE / HIDDEN.len());
            Box::new(move || {
                let shown = Untrusted::new(&text);
                match plain_all_over([json!(shown)]) {
                    Ok(()) if shown.as_str().len() < 4_000 => {
                        Verdict::Harmless("it is cut and escaped")
                    }
                    Ok(()) => Verdict::Harm("it is too long".to_owned()),
                    Err(harm) => harm,
                }
            })
        }),
        Hostile::new("words: symbols that imitate", || {
            Box::new(|| {
                let imitations = ["TΚA", "TKA\u{200b}", "\u{202e}AKT", "ＴＫＡ", "TKA TKA", ""];
                match imitations.iter().find(|text| Symbol::parse(text).is_some()) {
                    Some(text) => Verdict::Harm(format!("{text:?} is taken for a symbol")),
                    None => Verdict::Refused("E_SYMBOL".to_owned()),
                }
            })
        }),
    ]
}
