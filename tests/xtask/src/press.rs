//! `press`: presses that nobody means and windows that change under the hand, on a real screen with a
//! window manager, against the packed extension and the local network.

use crate::run::Outcome;
use crate::script;
use crate::setup;
use crate::workspace::Workspace;

/// The script, which runs as a suite of `test` too. Its last line is
/// `press: N scenarios, P presses, 0 decisions by accident`.
pub const SCRIPT: &str = "tests/press/run.mjs";

pub fn run(workspace: &Workspace) -> Outcome {
    let script = script::ready(workspace, SCRIPT)?;
    setup::screen()?;
    script.shown()
}
