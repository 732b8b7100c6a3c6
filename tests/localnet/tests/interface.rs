//! The ledger's exported interface is the production ledger's, judged by `candid_parser` and by
//! the wallet's own fingerprint. The production text comes from the npm package that `cargo xtask
//! setup` installs.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

use candid_parser::utils::{CandidSource, service_equal};
use countersign_core::interface::Interface;
use countersign_localnet::{canisters::ledger::Ledger, config};
use std::{collections::BTreeSet, fs, path::Path};

const PRODUCTION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../node_modules/@icp-sdk/canisters/declarations/ledger-icrc/icrc_ledger.did"
);

fn production() -> String {
    fs::read_to_string(Path::new(PRODUCTION)).unwrap_or_else(|error| {
        panic!(
            "the production ledger's interface is not there ({error}): run `cargo xtask setup`, \
             or `npm ci` in the folder tests"
        )
    })
}

fn methods(text: &str) -> BTreeSet<String> {
    let (env, service) = CandidSource::Text(text).load().unwrap();
    let service = service.unwrap();
    env.as_service(&service)
        .unwrap()
        .iter()
        .map(|(name, _)| name.clone())
        .collect()
}

#[test]
fn the_ledger_exports_the_production_ledgers_interface() {
    let ledger = Ledger::new(config::tka());
    let ours = ledger.interface();
    let theirs = production();
    service_equal(CandidSource::Text(ours), CandidSource::Text(&theirs)).unwrap();
    assert_eq!(methods(ours), methods(&theirs));
    assert_eq!(methods(ours).len(), 26);
    assert_eq!(
        Interface::parse(ours).unwrap().fingerprint(),
        Interface::parse(&theirs).unwrap().fingerprint()
    );
}

#[test]
fn the_second_ledger_has_one_method_more() {
    let first = methods(Ledger::new(config::tka()).interface());
    let gem = Ledger::new(config::gem());
    let text = gem.interface();
    let second = methods(text);
    let more: Vec<&String> = second.difference(&first).collect();
    assert_eq!(more, ["holder_count"]);
    assert!(first.is_subset(&second));
    assert_ne!(
        Interface::parse(text).unwrap().fingerprint(),
        Interface::parse(&production()).unwrap().fingerprint()
    );
}
