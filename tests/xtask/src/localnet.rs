//! `localnet`: starts the local network with the arguments given; its program, for scripts.

use std::path::PathBuf;

use crate::report::Steps;
use crate::run::Outcome;
use crate::workspace::Workspace;

/// The package and program.
pub const PACKAGE: &str = "countersign-localnet";

/// Tells scripts which program it is.
pub const VARIABLE: &str = "COUNTERSIGN_LOCALNET";

#[derive(clap::Args, Debug)]
pub struct Options {
    /// What to pass on; `-- --help` lists it.
    #[arg(last = true)]
    arguments: Vec<String>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    workspace
        .cargo(&["run", "--quiet", "--locked", "--package", PACKAGE, "--"])
        .args(&options.arguments)
        .shown()
}

/// Compiles it and gives the program.
pub fn compile(workspace: &Workspace, steps: &mut Steps) -> Outcome<PathBuf> {
    steps.need("build: local network", || {
        workspace
            .cargo(&["build", "--locked", "--package", PACKAGE])
            .shown()?;
        Ok(workspace.target().join("debug").join(PACKAGE))
    })
}
