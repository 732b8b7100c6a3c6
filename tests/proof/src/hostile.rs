//! Inputs made to hang, to overflow the stack or to deceive, each with what must come of it. They
//! run on the machine and in WebAssembly: `tests/hostile.rs`.

mod inputs;
mod interfaces;
mod profiles;
mod replies;
mod words;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use inputs::{kinds, ledger, odd};

use countersign_core::{
    ids::{PreviewId, Principal},
    interface::Interface,
    json::Json,
    profile::{packs, resolve},
    text::is_plain,
    time::Timestamp,
    tools::{Canister, Catalog, NameBook, Plans, RefValue, build_plans},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, rc::Rc};

/// The canister of the tests.
pub const ID: &str = "ryjl3-tyaaa-aaaaa-aaaba-cai";
/// The clock of the tests.
pub const NOW: Timestamp = Timestamp::from_nanos(1_791_547_201_500_000_000);
/// The interface of a ledger.
const LEDGER: &str = include_str!("../../../core/tests/fixtures/ledger.did");
/// A mebibyte.
const MEBIBYTE: usize = 1 << 20;
/// Characters that hide, turn the line, or take no room.
const HIDDEN: &str = "\u{202e}\u{2066}\u{200b}\u{200d}\u{feff}\u{ad}\u{2028}\u{e0041}";

/// What came of a hostile input.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// It was refused, by this word.
    Refused(String),
    /// It was taken, and what it holds does no harm.
    Harmless(&'static str),
    /// It was taken, or did harm: a fault of ours.
    Harm(String),
}

/// A hostile input.
pub struct Hostile {
    /// What it is.
    pub name: String,
    prepare: Box<dyn Fn() -> Attempt>,
}

/// The input, made; what is left is to give it to the wallet.
pub type Attempt = Box<dyn FnOnce() -> Verdict>;

impl Hostile {
    fn new(name: impl Into<String>, prepare: impl Fn() -> Attempt + 'static) -> Self {
        Self {
            name: name.into(),
            prepare: Box::new(prepare),
        }
    }

    /// Makes the input.
    #[must_use]
    pub fn prepare(&self) -> Attempt {
        (self.prepare)()
    }
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Hostile> {
    let mut all = interfaces::all();
    all.extend(replies::all());
    all.extend(inputs::all());
    all.extend(profiles::all());
    all.extend(words::all());
    all
}

/// The call that must still be answered after each of them: a payment, prepared and shown.
///
/// # Panics
///
/// It is not answered, or not as it should be.
pub fn the_next_call_is_answered() {
    let plans = plans_of(LEDGER);
    let catalog = Catalog::new(&[(canister(), &plans)], &mut NameBook::default());
    let tool = catalog
        .find("prepare_icrc1_transfer")
        .expect("a ledger has it");
    let input = json!({ "canister_id": ID, "to": ID, "amount": "1.5 TKA", "memo": "lunch" });
    let input = Json::parse(&input.to_string()).expect("JSON");
    let call = tool.read(&input, NOW).expect("the input is sound");
    let bytes = call.input.encode(Some(NOW)).expect("it has its stamp");
    let shown = call
        .entry
        .plan
        .preview(PreviewId::from_bytes([0; 16]), &canister(), &bytes)
        .expect("the bytes are exact");
    assert_eq!(shown.arguments["amount"]["text"], "1.5 TKA");
    assert_eq!(shown.arguments["memo"]["text"], "lunch");
}

pub(crate) fn canister() -> Canister {
    let refs = BTreeMap::from([
        (
            "query:icrc1_decimals".to_owned(),
            RefValue::Number(8_u8.into()),
        ),
        (
            "query:icrc1_symbol".to_owned(),
            RefValue::Text("TKA".to_owned()),
        ),
    ]);
    let id = Principal::from_text(ID).expect("a principal");
    Canister::new(id, Some("TKA"), refs)
}

fn plans_of(did: &str) -> Plans {
    let interface = Interface::parse(did).expect("an interface");
    build_plans(&Rc::new(resolve(&interface, &packs::all(), &[])))
}

/// Everything that is written as JSON has no hidden character, or it is harm.
pub(crate) fn plain_all_over(values: impl IntoIterator<Item = Value>) -> Result<(), Verdict> {
    fn look(value: &Value) -> Result<(), Verdict> {
        let text = |text: &str| match text.chars().find(|c| !is_plain(*c)) {
            Some(c) => Err(Verdict::Harm(format!("{c:?} in {text:?}"))),
            None => Ok(()),
        };
        match value {
            Value::String(value) => text(value),
            Value::Array(values) => values.iter().try_for_each(look),
            Value::Object(fields) => fields.iter().try_for_each(|(name, value)| {
                text(name)?;
                look(value)
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }
    values.into_iter().try_for_each(|value| look(&value))
}
