//! `shots`: every state of every page of the artefact, as pictures in `target/shots` and as what a
//! screen reader says, which is compared with `tests/golden/shots`.

use crate::run::Outcome;
use crate::script;
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
    let mut script = script::ready(workspace, SCRIPT)?;
    if options.bless {
        script = script.arg("--bless");
    }
    script.shown()
}
