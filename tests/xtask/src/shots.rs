//! `shots`: every state of every page of the artefact, as pictures in `target/shots` and as what a
//! screen reader says, which is compared with `tests/golden/shots`.

use crate::browser::{self, BROWSER_VARIABLE};
use crate::build::{self, Profile};
use crate::localnet;
use crate::report::Steps;
use crate::run::{Outcome, Run};
use crate::setup;
use crate::workspace::Workspace;

/// The script, which runs as a suite of `test` too.
pub const SCRIPT: &str = "tests/shots/run.mjs";

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Write what is said as the golden files, instead of comparing it with them.
    #[arg(long)]
    bless: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let mut steps = Steps::default();
    let ready = setup::all(workspace, &mut steps).and_then(|()| {
        let artefact = build::artefact(workspace, workspace, Profile::Chrome, &mut steps)?;
        Ok((artefact, localnet::compile(workspace, &mut steps)?))
    });
    let (artefact, network) = match ready {
        Ok(ready) => ready,
        Err(failure) => return steps.stopped(failure),
    };
    println!();
    let mut script = Run::new(browser::node22(workspace)?)
        .arg(workspace.path(SCRIPT))
        .folder(workspace.root())
        .env(BROWSER_VARIABLE, browser::chromium()?)
        .env(localnet::VARIABLE, network)
        .arg(&artefact.folder);
    if options.bless {
        script = script.arg("--bless");
    }
    script.shown()
}
