//! Random types and values: what the wallet encodes, others read as what it was made from; what it
//! shows, it reads as what it was shown from.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use std::{collections::BTreeMap, rc::Rc};

use candid::IDLArgs;
use countersign_core::{
    ids::{PreviewId, Principal, to_hex},
    interface::Interface,
    json::Json,
    profile::{Document, resolve},
    time::Timestamp,
    tools::{Canister, Catalog, NameBook, build_plans},
};
use countersign_proof::random::{Rng, Run, forms::Arguments, meaning, types::Model, writer};
use serde_json::json;

const ID: &str = "ryjl3-tyaaa-aaaaa-aaaba-cai";
const NOW: Timestamp = Timestamp::from_nanos(1_791_547_201_000_000_000);

#[test]
fn what_is_encoded_decodes_in_candid_to_the_value_it_was_made_from() {
    let run = Run::of_environment("encoding random values", 4_000);
    run.each(|seed| {
        let mut rng = Rng::new(seed);
        let model = Model::random(&mut rng);
        let text = model.text(&mut rng);
        let values = model.values(&mut rng);
        let interface = Interface::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let tuple = interface.args("m").unwrap();
        let given = meaning::to_candid(&model, &values);
        let bytes = tuple
            .encode(&given)
            .unwrap_or_else(|error| panic!("{error}\n{given:?}\n{text}"));
        let meant = meaning::of_values(&model, &values);
        // By types that were not read from the text, in the library alone.
        let (env, types) = meaning::types_of(&model);
        let read = IDLArgs::from_bytes_with_types(&bytes, &env, &types)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{text}", to_hex(&bytes)));
        assert_eq!(meaning::of_candid(&read.args), meant, "{text}");
        // And by the types that the message itself carries.
        let read = IDLArgs::from_bytes(&bytes).unwrap();
        assert_eq!(read.args.len(), values.len());
        // What another encoder wrote, the wallet reads as the same value.
        let theirs = writer::message(&model, &values);
        let read = tuple
            .decode(&theirs)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{text}", to_hex(&theirs)));
        assert_eq!(meaning::of_candid(&read), meant, "{text}");
        let read = tuple.decode_exact(&bytes).unwrap();
        assert_eq!(meaning::of_candid(&read), meant, "{text}");
    });
}

#[test]
fn what_is_shown_reads_back_to_the_bytes_it_was_shown_from() {
    let run = Run::of_environment("showing and reading random values", 3_000);
    let canister = Canister::new(Principal::from_text(ID).unwrap(), None, BTreeMap::new());
    run.each(|seed| {
        let mut rng = Rng::new(seed);
        let arguments = Arguments::random(&mut rng);
        let model = arguments.model();
        let behind = rng.pick(&["-> (variant { Ok : nat; Err })", "-> (text) query"]);
        let text = model.text_with(behind, &mut rng);
        let values = arguments.values(&mut rng);
        let interface = Interface::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let profile = Document::parse(&arguments.profile().to_string()).unwrap();
        let plans = build_plans(&Rc::new(resolve(&interface, &[], &[profile])));
        let plan = plans.plans.get("m").unwrap_or_else(|| {
            panic!("{}\n{text}", plans.skipped[0].reason);
        });
        let given = meaning::to_candid(&model, &values);
        let bytes = interface.args("m").unwrap().encode(&given).unwrap();
        let preview = plan
            .preview(PreviewId::from_bytes([0; 16]), &canister, &bytes)
            .unwrap();
        let shown = &preview.arguments;
        let mut inputs = arguments.inputs(shown, &mut rng);
        inputs.insert("canister_id".to_owned(), json!(ID));
        let catalog = Catalog::new(&[(canister.clone(), &plans)], &mut NameBook::default());
        let input = Json::parse(&serde_json::Value::Object(inputs).to_string()).unwrap();
        let call = catalog.tools()[0]
            .read(&input, NOW)
            .unwrap_or_else(|issues| panic!("{issues:?}\n{shown}\n{input}\n{text}"));
        let again = call.input.encode(None).unwrap();
        assert_eq!(to_hex(&again), to_hex(&bytes), "{shown}\n{input}\n{text}");
    });
}
