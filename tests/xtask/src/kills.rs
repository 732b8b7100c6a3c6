//! `kills`: payments whose worker is killed, at named points and at random, in the packed extension
//! in a real browser, against the local network.

use crate::run::Outcome;
use crate::script;
use crate::workspace::Workspace;

/// The script, which runs as a suite of `test` too.
pub const SCRIPT: &str = "tests/kills/run.mjs";

#[derive(clap::Args, Debug)]
pub struct Options {
    /// How many kills.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// What draws the points and what else happens; another one each time where it is not given.
    #[arg(long)]
    seed: Option<u32>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let mut script =
        script::ready(workspace, SCRIPT)?.args(&["--count", &options.count.to_string()]);
    if let Some(seed) = options.seed {
        script = script.args(&["--seed", &seed.to_string()]);
    }
    script.shown()
}
