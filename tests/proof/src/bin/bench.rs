//! The benches of the tool layer, as ratios: what is ours beside what it cannot be faster than, or
//! what others do of the same, by turns in one run.
//!
//!   bench <folder of the npm packages> <node>

#![allow(clippy::print_stdout, reason = "a program that prints a table")]

use candid::TypeEnv;
use countersign_core::{
    ids::{PreviewId, Principal, to_hex},
    interface::Interface,
    json::Json,
    profile::{Document, packs, resolve},
    time::Timestamp,
    tools::{Canister, Catalog, Dialect, NameBook, Plans, RefValue, build_plans},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    hint::black_box,
    path::{Path, PathBuf},
    process::Command,
    rc::Rc,
    time::{Duration, Instant},
};

const ID: &str = "ryjl3-tyaaa-aaaaa-aaaba-cai";
const PAYEE: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";
/// The clock of the specification's example.
const NOW: Timestamp = Timestamp::from_nanos(1_791_547_201_000_000_000);
/// How often each of a pair is measured, by turns.
const TURNS: usize = 11;
/// How long one measurement runs.
const BATCH: Duration = Duration::from_millis(100);

fn main() {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let packages = arguments
        .next()
        .expect("the first argument is the folder of the npm packages");
    let node = arguments.next().unwrap_or_else(|| "node".into());
    let published = packages.join("@icp-sdk/canisters/declarations");
    let text = |file: &str| {
        std::fs::read_to_string(published.join(file)).expect("the npm packages are installed")
    };
    println!("medians of {TURNS} turns, in microseconds\n");
    let ledger = text("ledger-icrc/icrc_ledger.did");
    building("ICRC ledger", &ledger);
    building("NNS governance", &text("nns/governance.did"));
    transfer(&ledger, &node);
}

/// From the text of an interface to the definitions that a model is told.
fn building(name: &str, text: &str) {
    let docs = packs::all();
    let interface = Interface::parse(text).expect("the interface is sound");
    let plans = plans_of(&interface, &docs);
    println!(
        "{name}: {} kB of text, {} methods, {} definitions",
        text.len() / 1_000,
        interface.methods.len(),
        definitions(&plans)
    );
    let floor = || {
        let prog = text.parse::<candid_parser::IDLProg>();
        let prog = prog.expect("the interface is sound");
        black_box(candid_parser::check_prog(&mut TypeEnv::new(), &prog).is_ok());
    };
    compare(
        ("the text, parsed and bounded", &mut || {
            black_box(Interface::parse(text).is_ok());
        }),
        ("candid_parser: parsed and checked", &mut { floor }),
    );
    compare(
        ("from the text to definitions", &mut || {
            let interface = Interface::parse(text).expect("the interface is sound");
            black_box(definitions(&plans_of(&interface, &docs)));
        }),
        ("candid_parser: parsed and checked", &mut { floor }),
    );
}

fn plans_of(interface: &Interface, docs: &[Document]) -> Plans {
    build_plans(&Rc::new(resolve(interface, docs, &[])))
}

fn definitions(plans: &Plans) -> usize {
    let catalog = Catalog::new(&[(canister(), plans)], &mut NameBook::default());
    black_box(catalog.definitions(Dialect::Full)).len()
}

fn canister() -> Canister {
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
    let id = Principal::from_text(ID).expect("it is a principal");
    Canister::new(id, Some("TKA"), refs)
}

/// `icrc1_transfer`: from the JSON of a call to its bytes, beside the encoder of `@icp-sdk/core`.
fn transfer(ledger: &str, node: &Path) {
    let interface = Interface::parse(ledger).expect("the interface is sound");
    let plans = plans_of(&interface, &packs::all());
    let canister = canister();
    let catalog = Catalog::new(&[(canister.clone(), &plans)], &mut NameBook::default());
    let tool = catalog.find("prepare_icrc1_transfer");
    let tool = tool.expect("a ledger has transfers");
    let input = json!({ "canister_id": ID, "to": PAYEE, "amount": "1.5 TKA", "memo": "lunch" });
    let input = input.to_string();
    let encoded = || {
        let json = Json::parse(&input).expect("the input is JSON");
        let call = tool.read(&json, NOW).expect("the input is sound");
        call.input.encode(Some(NOW)).expect("it has its stamp")
    };
    let plan = &plans.plans["icrc1_transfer"];
    let bytes = encoded();
    println!("icrc1_transfer: {} bytes", bytes.len());
    // A process of Node measures itself between our turns.
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench.mjs");
    let (mut reads, mut wholes, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS.div_ceil(2) {
        let output = Command::new(node)
            .arg(&script)
            .arg(to_hex(&bytes))
            .output()
            .expect("Node is installed");
        let said: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(said["same"], true, "the other encodes another value");
        theirs.push(said);
        reads.push(per_run(&mut || drop(black_box(encoded()))));
        wholes.push(per_run(&mut || {
            let bytes = encoded();
            let id = PreviewId::from_bytes([0; 16]);
            black_box(plan.preview(id, &canister, &bytes).is_ok());
        }));
    }
    let of = |key: &str| {
        let times = theirs.iter().filter_map(|said| said[key].as_f64());
        median(times.collect())
    };
    let (read, whole) = (median(reads), median(wholes));
    ratio(
        ("the JSON read and encoded", read),
        ("@icp-sdk/core: built values encoded", of("encode")),
    );
    ratio(
        ("the JSON read and encoded", read),
        ("@icp-sdk/core: texts to values, encoded", of("from_texts")),
    );
    ratio(
        ("read, encoded, decoded, shown", whole),
        ("@icp-sdk/core: encoded, decoded back", of("back")),
    );
}

type Timed<'a> = (&'a str, &'a mut dyn FnMut());

/// Measures two by turns and prints their medians and the ratio.
fn compare((ours, one): Timed<'_>, (theirs, other): Timed<'_>) {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        ones.push(per_run(one));
        others.push(per_run(other));
    }
    ratio((ours, median(ones)), (theirs, median(others)));
}

fn ratio((ours, one): (&str, f64), (theirs, other): (&str, f64)) {
    println!("  {ours:<42}{one:>10.1}");
    println!("  {theirs:<42}{other:>10.1}   ratio {:.2}\n", one / other);
}

/// Microseconds a run, over a batch of them.
fn per_run(run: &mut dyn FnMut()) -> f64 {
    let (start, mut runs) = (Instant::now(), 0_u32);
    while runs == 0 || start.elapsed() < BATCH {
        run();
        runs += 1;
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(runs)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
