//! `conformance`: the official MCP conformance suite against the test build.

use crate::browser::{self, BROWSER_VARIABLE};
use crate::build::{self, Profile};
use crate::report::Steps;
use crate::run::{Outcome, Run};
use crate::setup;
use crate::workspace::Workspace;

/// The script; its last line is `conformance: ok …` when all passed.
pub const SCRIPT: &str = "tests/conformance/run.mjs";

pub fn run(workspace: &Workspace) -> Outcome {
    let mut steps = Steps::default();
    let built = setup::all(workspace, &mut steps)
        .and_then(|()| build::artefact(workspace, workspace, Profile::ChromeTest, &mut steps));
    let artefact = match built {
        Ok(artefact) => artefact,
        Err(failure) => return steps.stopped(failure),
    };
    steps.finish()?;
    Run::new(browser::node22(workspace)?)
        .arg(workspace.path(SCRIPT))
        .arg(artefact.folder)
        .folder(workspace.root())
        .env(BROWSER_VARIABLE, browser::chromium()?)
        .shown()
}
