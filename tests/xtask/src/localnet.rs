//! `localnet`: starts the local network with the arguments given.

use crate::run::Outcome;
use crate::workspace::Workspace;

#[derive(clap::Args, Debug)]
pub struct Options {
    /// What to pass on; `-- --help` lists it.
    #[arg(last = true)]
    arguments: Vec<String>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    workspace
        .cargo(&[
            "run",
            "--quiet",
            "--locked",
            "--package",
            "countersign-localnet",
            "--",
        ])
        .args(&options.arguments)
        .shown()
}
