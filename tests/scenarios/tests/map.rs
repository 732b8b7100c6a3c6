//! The tables of the README name every scenario, and nothing that is none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

fn here(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of scenarios, without their ending.
fn files() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenario");
    let listed = fs::read_dir(folder).expect("the folder can be listed");
    let names = listed.map(|entry| entry.expect("it can be listed").file_name());
    names
        .map(|name| {
            let name = name.into_string().expect("the name is a text");
            let name = name.strip_suffix(".rs").expect("it is a file of Rust");
            name.to_owned()
        })
        .collect()
}

/// The rows of the table under a heading: first cell, second cell.
fn table(readme: &str, heading: &str) -> Vec<(String, String)> {
    let (_, section) = readme
        .split_once(&format!("\n## {heading}\n"))
        .unwrap_or_else(|| panic!("there is a section {heading:?}"));
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.map(|row| {
        let mut cells = row.trim_end_matches(" |").split(" | ");
        let mut cell = || cells.next().unwrap_or_default().to_owned();
        (cell(), cell())
    });
    // The heading's row and the rule.
    cells.skip(2).collect()
}

/// The words in a text that stand as code.
fn named(text: &str) -> BTreeSet<String> {
    let parts = text.split('`').enumerate();
    let code = parts.filter(|(at, _)| at % 2 == 1);
    code.map(|(_, name)| name.to_owned()).collect()
}

/// The scenarios that a text names.
fn scenarios_in(text: &str) -> BTreeSet<String> {
    let is_name = |name: &String| !name.contains('/');
    named(text).into_iter().filter(is_name).collect()
}

const TABLES: [&str; 5] = [
    "What a call goes through",
    "What is known of ledgers",
    "Histories",
    "What else is shown",
    "Not swept",
];

#[test]
fn every_file_stands_in_a_table_and_every_name_is_a_file() {
    let (readme, files) = (here("README.md"), files());
    let mut in_tables = BTreeSet::new();
    for heading in &TABLES[..4] {
        let rows = table(&readme, heading);
        assert!(!rows.is_empty(), "{heading}");
        for (what, shown) in rows {
            let names = scenarios_in(&shown);
            let excused = shown.starts_with("none to show");
            assert!(!names.is_empty() || excused, "{what}: {shown}");
            in_tables.extend(names);
        }
    }
    assert_eq!(in_tables, files);
    let modules = here("tests/scenario.rs");
    for name in &files {
        assert!(
            modules.contains(&format!("    mod {name};\n")),
            "{name} is run"
        );
    }
}

#[test]
fn every_row_of_the_kernels_table_is_shown() {
    let kernel = here("../../core/src/intent/mod.rs");
    let rows = kernel
        .lines()
        .filter_map(|line| line.strip_prefix("//! | "));
    let events: Vec<&str> = rows
        .filter_map(|row| row.split(" | ").next())
        .filter(|event| *event != "event")
        .collect();
    let shown = table(&here("README.md"), TABLES[0]);
    let shown: Vec<&str> = shown.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(shown, events);
}

/// Ten findings; eleven critical and twenty major histories.
#[test]
fn every_finding_and_history_is_there() {
    let readme = here("README.md");
    let ids = |heading| {
        let rows = table(&readme, heading);
        let ids = rows.iter().map(|(what, _)| {
            let (id, _) = what.split_once(':').expect("a row begins with its number");
            id.to_owned()
        });
        ids.collect::<Vec<_>>()
    };
    let numbers: Vec<_> = (1..=10).map(|n: u8| n.to_string()).collect();
    assert_eq!(ids(TABLES[1]), numbers);
    let critical = (1..=11).map(|n: u8| format!("C{n}"));
    let major = (1..=20).map(|n: u8| format!("M{n}"));
    assert_eq!(ids(TABLES[2]), critical.chain(major).collect::<Vec<_>>());
}

#[test]
fn every_file_is_swept_or_says_why_not() {
    let readme = here("README.md");
    let excused: BTreeMap<String, String> = table(&readme, TABLES[4])
        .into_iter()
        .map(|(file, why)| (file.trim_matches('`').to_owned(), why))
        .collect();
    let files = files();
    for (file, why) in &excused {
        assert!(files.contains(file), "{file} is a scenario");
        assert!(why.len() > 10, "{file} is not swept for a reason");
    }
    for file in &files {
        let text = here(&format!("tests/scenario/{file}.rs"));
        let swept = text.contains("fn wherever_the_worker_dies()") && text.contains(".sweep()");
        assert_ne!(
            swept,
            excused.contains_key(file),
            "{file} is swept, or says in the README why it is not"
        );
    }
}
