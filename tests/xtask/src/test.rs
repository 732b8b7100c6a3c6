//! `test`: everything that must hold, with the time each step took and counts a kind.
//!
//! What kind a test is of is known by where it stands:
//!
//! | kind | where |
//! |---|---|
//! | unit | every test that is no other kind |
//! | scenario | files in `<crate>/tests` whose name begins with `scenario` |
//! | store-memory | the store suite in the module `testing::memory_store` of core |
//! | store-idb | browser tests in files whose name begins with `store_idb` |
//! | ui | browser tests of the crate `ui` |
//! | e2e, clients, conformance, shots, kills, attack, press | the scripts of `suites` |
//!
//! Browser tests are those of `#[wasm_bindgen_test]`; a script prints a line `ok NAME` or
//! `not ok NAME` for each of its tests.

mod counts;
mod native;
mod suites;
mod wasm;

use clap::ValueEnum;

use crate::build::{self, Profile};
use crate::check;
use crate::report::Steps;
use crate::run::{Outcome, fail};
use crate::setup;
use crate::workspace::Workspace;
use counts::Counts;
pub use native::programs;
pub use wasm::webdriver;

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Run the tests of these kinds only, and no check.
    #[arg(long, value_enum)]
    only: Vec<Kind>,
}

/// A kind of tests.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, ValueEnum)]
pub enum Kind {
    Unit,
    Scenario,
    StoreMemory,
    StoreIdb,
    Ui,
    E2e,
    Clients,
    Conformance,
    Shots,
    Kills,
    Attack,
    Press,
}

/// The kinds that the project has: one of them without a test that ran is a failure.
const PRESENT: &[Kind] = &[
    Kind::Unit,
    Kind::Scenario,
    Kind::StoreMemory,
    Kind::StoreIdb,
    Kind::Ui,
    Kind::E2e,
    Kind::Clients,
    Kind::Conformance,
    Kind::Shots,
    Kind::Kills,
    Kind::Attack,
    Kind::Press,
];

impl Kind {
    const fn label(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Scenario => "scenario",
            Self::StoreMemory => "store-memory",
            Self::StoreIdb => "store-idb",
            Self::Ui => "ui",
            Self::E2e => "e2e",
            Self::Clients => "clients",
            Self::Conformance => "conformance",
            Self::Shots => "shots",
            Self::Kills => "kills",
            Self::Attack => "attack",
            Self::Press => "press",
        }
    }

    /// The kind of a test on this machine, by the program it is in and its path there.
    fn of_native(target: &str, test: &str) -> Self {
        if target.starts_with("scenario") {
            Self::Scenario
        } else if test.starts_with("testing::memory_store::") {
            Self::StoreMemory
        } else {
            Self::Unit
        }
    }

    /// The kind of the tests of a program that runs in a browser.
    fn of_browser(package: &str, target: &str) -> Self {
        if target.starts_with("store_idb") {
            Self::StoreIdb
        } else if package == "countersign-ui" {
            Self::Ui
        } else {
            Self::Unit
        }
    }
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let mut steps = Steps::default();
    let mut counts = Counts::default();
    let done = all(workspace, options, &mut steps, &mut counts);
    println!("\n{}", steps.table());
    if options.only.is_empty() && done.is_ok() {
        for kind in PRESENT {
            if counts.ran(*kind) == 0 {
                counts.failed(*kind, "no test ran");
            }
        }
        match unshown(workspace, &counts) {
            Ok(missing) => {
                for row in missing {
                    counts.failed(Kind::Unit, &row);
                }
            }
            Err(failure) => counts.failed(Kind::Unit, &failure.to_string()),
        }
    }
    if let Err(failure) = &done {
        counts.failed(Kind::Unit, &failure.to_string());
    }
    print!("{}", counts.table());
    println!("{}", counts.closing_line());
    if steps.failed() == 0 && counts.all_passed() {
        return Ok(());
    }
    fail("something failed: see above")
}

/// What the tables of rules and of attacks name, and did not run or did not pass.
fn unshown(workspace: &Workspace, counts: &Counts) -> Outcome<Vec<String>> {
    let tree = check::Tree::of(workspace)?;
    let seeds = check::seeds_that_did_not_run(&tree, counts.names())?;
    let defences = check::defences_that_did_not_run(&tree, counts.names())?;
    let says = |file: &'static str| {
        move |test: String| format!("tests/{file} names `{test}`: it did not run and pass")
    };
    Ok(seeds
        .into_iter()
        .map(says("SEEDS.md"))
        .chain(defences.into_iter().map(says("SECURITY.md")))
        .collect())
}

fn all(
    workspace: &Workspace,
    options: &Options,
    steps: &mut Steps,
    counts: &mut Counts,
) -> Outcome {
    let wanted = |kinds: &[Kind]| {
        options.only.is_empty() || kinds.iter().any(|kind| options.only.contains(kind))
    };
    setup::all(workspace, steps)?;
    if options.only.is_empty() {
        check::all(workspace, steps);
    }
    let localnet = if wanted(&[Kind::Unit, Kind::Scenario, Kind::StoreMemory]) {
        native::run(workspace, steps, counts)?
    } else {
        None
    };
    if wanted(&[Kind::Unit, Kind::StoreIdb, Kind::Ui]) {
        wasm::run(workspace, steps, counts)?;
    }
    let suites: Vec<&suites::Suite> = suites::SUITES
        .iter()
        .filter(|suite| wanted(&[suite.kind]))
        .collect();
    for profile in [Profile::Chrome, Profile::ChromeTest] {
        let needed = suites.iter().any(|suite| suite.artefact == Some(profile));
        if needed || (profile == Profile::Chrome && options.only.is_empty()) {
            build::artefact(workspace, workspace, profile, steps)?;
        }
    }
    suites::run(workspace, &suites, localnet, steps, counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_test_is_known_by_where_it_stands() {
        let native = Kind::of_native;
        assert_eq!(native("countersign_core", "text::tests::a"), Kind::Unit);
        assert_eq!(native("scenario", "pay::once"), Kind::Scenario);
        assert_eq!(
            native("countersign_core", "testing::memory_store::tests::a"),
            Kind::StoreMemory
        );
        assert_eq!(
            Kind::of_browser("countersign-extension", "store_idb"),
            Kind::StoreIdb
        );
        assert_eq!(Kind::of_browser("countersign-ui", "pages"), Kind::Ui);
        assert_eq!(
            Kind::of_browser("countersign-extension", "clock"),
            Kind::Unit
        );
    }
}
