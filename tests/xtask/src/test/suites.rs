//! Scripts that drive a real browser with the built extension, and other people's clients in it.
//!
//! A script gets the folder of the artefact as its argument, and in its environment
//! `COUNTERSIGN_CHROMIUM` (the browser) and `COUNTERSIGN_LOCALNET` (the program of the local
//! network). It prints `ok NAME` or `not ok NAME` for each test, and ends with 0 only if all passed.

use std::path::PathBuf;

use super::Kind;
use super::counts::{Counts, Said, of_script};
use super::native::judge;
use crate::attack;
use crate::browser::{self, BROWSER_VARIABLE};
use crate::build::Profile;
use crate::conformance;
use crate::kills;
use crate::localnet;
use crate::press;
use crate::report::Steps;
use crate::run::{Outcome, Run, fail};
use crate::setup;
use crate::shots;
use crate::workspace::Workspace;

#[derive(Debug)]
pub struct Suite {
    pub kind: Kind,
    pub script: &'static str,
    /// What it drives; `None` for a script that needs no artefact.
    pub artefact: Option<Profile>,
}

pub const SUITES: &[Suite] = &[
    Suite {
        kind: Kind::E2e,
        script: "tests/e2e/content.mjs",
        artefact: None,
    },
    Suite {
        kind: Kind::E2e,
        script: "tests/e2e/pay.mjs",
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::E2e,
        script: "tests/e2e/faults.mjs",
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::E2e,
        script: "tests/e2e/gates.mjs",
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::E2e,
        script: "tests/e2e/life.mjs",
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::E2e,
        script: "tests/demo/test.mjs",
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::Ui,
        script: "tests/e2e/pages.mjs",
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::Ui,
        script: "tests/e2e/press.mjs",
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::Clients,
        script: "tests/clients/run.mjs",
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::Conformance,
        script: conformance::SCRIPT,
        artefact: Some(Profile::ChromeTest),
    },
    Suite {
        kind: Kind::Shots,
        script: shots::SCRIPT,
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::Kills,
        script: "tests/kills/test.mjs",
        artefact: None,
    },
    Suite {
        kind: Kind::Kills,
        script: kills::SCRIPT,
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::Attack,
        script: attack::SCRIPT,
        artefact: Some(Profile::Chrome),
    },
    Suite {
        kind: Kind::Press,
        script: press::SCRIPT,
        artefact: Some(Profile::Chrome),
    },
];

pub fn run(
    workspace: &Workspace,
    suites: &[&Suite],
    localnet: Option<PathBuf>,
    steps: &mut Steps,
    counts: &mut Counts,
) -> Outcome {
    if suites.is_empty() {
        return Ok(());
    }
    let chromium = browser::chromium()?;
    let node = browser::node22(workspace)?;
    let localnet = match localnet {
        Some(compiled) => compiled,
        None => localnet::compile(workspace, steps)?,
    };
    for suite in suites {
        steps.step(&format!("test: {}", suite.script), || {
            let before = counts.failures();
            if suite.kind == Kind::Press {
                setup::screen()?;
            }
            let mut script = Run::new(&node)
                .arg(workspace.path(suite.script))
                .folder(workspace.root())
                .env(BROWSER_VARIABLE, &chromium)
                .env(localnet::VARIABLE, &localnet);
            if let Some(profile) = suite.artefact {
                script = script.arg(workspace.path("dist").join(profile.folder()));
            }
            let mut heard = 0;
            let status = script.lines(|line| {
                println!("{line}");
                match of_script(line) {
                    Some(Said::Passed(name)) => {
                        counts.passed(suite.kind, name);
                        heard += 1;
                    }
                    Some(Said::Failed(name)) => {
                        counts.failed(suite.kind, name);
                        heard += 1;
                    }
                    Some(Said::Ignored(_)) | None => {}
                }
            })?;
            judge(before, counts)?;
            if heard == 0 || !status.success() {
                counts.failed(suite.kind, suite.script);
                return fail(format!("it ended with {status} after {heard} tests"));
            }
            Ok(())
        });
    }
    Ok(())
}
