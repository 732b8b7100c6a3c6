//! `bench`: the benches of the tool layer, by the worker's release profile on this machine, printed as ratios.

use crate::browser;
use crate::report::Steps;
use crate::run::{Outcome, Run};
use crate::setup;
use crate::workspace::Workspace;

pub fn run(workspace: &Workspace) -> Outcome {
    let mut steps = Steps::default();
    if let Err(failure) = setup::all(workspace, &mut steps) {
        return steps.stopped(failure);
    }
    steps.finish()?;
    workspace
        .cargo(&["build", "--locked", "--release"])
        .args(&["--package", "countersign-proof", "--bin", "bench"])
        .args(&["--features", "countersign-proof/native"])
        .shown()?;
    Run::new(workspace.target().join("release/bench"))
        .arg(workspace.npm_file(""))
        .arg(browser::node22(workspace)?)
        .shown()
}
