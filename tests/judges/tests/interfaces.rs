//! The interfaces that others publish, as tools: what each gives, and which methods are left out for
//! which reason. Kept here are the table, and Internet Identity's methods in our words.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use countersign_core::interface::Interface;
use countersign_core::profile::{FindingCode, Resolved, Source, packs, resolve};
use countersign_core::tools::{Dialect, Plans, build_plans};

/// Where the package has its interfaces, a folder a kind of canister.
fn published() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../node_modules/@icp-sdk/canisters/declarations");
    assert!(
        folder.is_dir(),
        "@icp-sdk/canisters is not installed: run `cargo xtask setup`"
    );
    folder
}

/// The names and texts, in order.
fn interfaces() -> Vec<(String, String)> {
    let mut found = vec![(
        "internet-identity, in our words".to_owned(),
        include_str!("../interfaces/internet-identity.did").to_owned(),
    )];
    let entries = |folder: &Path| {
        let mut paths: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        paths
    };
    for folder in entries(&published()).iter().filter(|path| path.is_dir()) {
        for file in entries(folder) {
            if file.extension().is_some_and(|end| end == "did") {
                let name = format!(
                    "{}/{}",
                    folder.file_name().unwrap().to_string_lossy(),
                    file.file_stem().unwrap().to_string_lossy()
                );
                found.push((name, fs::read_to_string(&file).unwrap()));
            }
        }
    }
    found
}

fn tools_of(text: &str) -> (Rc<Resolved>, Plans) {
    let interface = Interface::parse(text).unwrap();
    let resolved = Rc::new(resolve(&interface, &packs::all(), &[]));
    let plans = build_plans(&resolved);
    (resolved, plans)
}

/// How many methods have a tool.
fn with_tools(plans: &Plans) -> usize {
    let methods: BTreeSet<&str> = plans.iter().map(|plan| plan.method()).collect();
    methods.len()
}

fn table() -> String {
    let mut out = String::new();
    let (mut methods, mut reached, mut tools) = (0, 0, 0);
    for (name, text) in interfaces() {
        let (resolved, plans) = tools_of(&text);
        let all = resolved.methods.len();
        let with = with_tools(&plans);
        let count = plans.iter().count();
        methods += all;
        reached += with;
        tools += count;
        writeln!(
            out,
            "{name}: {all} methods, {count} tools, {with} methods with a tool ({} %)",
            (with * 100).checked_div(all).unwrap_or(100)
        )
        .unwrap();
        for skipped in &plans.skipped {
            writeln!(out, "  {}: {}", skipped.told(), skipped.reason).unwrap();
        }
    }
    let share = reached * 100 / methods;
    writeln!(
        out,
        "all: {methods} methods, {tools} tools, {reached} methods with a tool ({share} %)"
    )
    .unwrap();
    out
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is for people, too")]
fn what_published_interfaces_become_is_the_golden_table() {
    let table = table();
    println!("{table}");
    let golden = include_str!("../interfaces/table.txt");
    let differs: Vec<_> = table
        .lines()
        .zip(golden.lines())
        .filter(|(now, then)| now != then)
        .take(5)
        .collect();
    assert!(
        table == golden,
        "interfaces/table.txt says otherwise, first here (now, then): {differs:#?}"
    );
}

#[test]
fn a_reason_is_never_that_something_is_unsupported() {
    for (name, text) in interfaces() {
        let (_, plans) = tools_of(&text);
        for skipped in &plans.skipped {
            let reason = skipped.reason.to_string();
            assert!(!reason.contains("support"), "{name}: {reason}");
            assert!(!skipped.reason.advice().is_empty(), "{name}: {reason}");
        }
    }
}

#[test]
fn governance_has_a_tool_for_each_thing_that_a_neuron_can_do() {
    let told = |name: &str| -> BTreeSet<String> {
        let interfaces = interfaces();
        let (_, text) = interfaces.iter().find(|(known, _)| known == name).unwrap();
        let (_, plans) = tools_of(text);
        let names = plans
            .iter()
            .map(|plan| plan.names().get(Dialect::Full).to_owned());
        names
            .filter(|name| name.starts_with("prepare_manage_neuron"))
            .collect()
    };
    let nns = told("nns/governance");
    for case in [
        "RegisterVote",
        "Follow",
        "SetFollowing",
        "Configure",
        "Split",
        "Merge",
        "Spawn",
        "StakeMaturity",
        "Disburse",
        "DisburseMaturity",
        "ClaimOrRefresh",
        "RefreshVotingPower",
    ] {
        assert!(
            nns.contains(&format!("prepare_manage_neuron_{case}")),
            "{case}"
        );
    }
    assert_eq!(nns.len(), 12);
    let sns = told("sns/governance");
    assert!(sns.contains("prepare_manage_neuron_AddNeuronPermissions"));
    assert_eq!(sns.len(), 10);
}

/// Each pack on the interface that it is for: every method and position of it is there.
#[test]
fn each_pack_fits_the_interface_it_is_for() {
    let interfaces = interfaces();
    for (pack, name) in [
        ("icrc-1", "ledger-icrc/icrc_ledger"),
        ("icrc-2", "ledger-icrc/icrc_ledger"),
        ("icrc-3", "ledger-icrc/icrc_ledger"),
        ("icrc-10", "ledger-icrc/icrc_ledger"),
        ("icrc-21", "ledger-icrc/icrc_ledger"),
        ("icrc-103", "ledger-icrc/icrc_ledger"),
        ("icrc-106", "ledger-icrc/icrc_ledger"),
        ("icrc-7", "ledger-icrc/icrc_nft-ledger"),
        ("icp-ledger", "ledger-icp/ledger"),
        ("cycles-ledger", "cycles-ledger/cycles-ledger"),
        ("ckbtc-minter", "ckbtc/minter"),
        ("cketh-minter", "cketh/minter"),
        ("nns-governance", "nns/governance"),
        ("sns-governance", "sns/governance"),
        ("management", "ic-management/ic-management"),
    ] {
        let (_, text) = interfaces.iter().find(|(known, _)| known == name).unwrap();
        let interface = Interface::parse(text).unwrap();
        let document = packs::all()
            .into_iter()
            .find(|known| known.name == pack)
            .unwrap();
        for (method, _) in &document.methods {
            assert!(interface.methods.contains_key(method), "{pack}: {method}");
        }
        let resolved = resolve(&interface, std::slice::from_ref(&document), &[]);
        assert_eq!(resolved.findings, [], "{pack}");
        assert_eq!(resolved.documents[0].source, Source::Pack);
    }
}

/// A pack speaks of methods by name; on another canister's method of that name it says nothing.
#[test]
fn a_pack_says_nothing_of_another_method_of_its_name() {
    for (name, text) in interfaces() {
        let (resolved, _) = tools_of(&text);
        for finding in &resolved.findings {
            assert_eq!(finding.code, FindingCode::Unused, "{name}: {finding:?}");
        }
    }
}
