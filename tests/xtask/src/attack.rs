//! `attack`: a hostile page, frame, canister, profile, extension and disk, against the packed
//! extension in a real browser and the local network. `tests/SECURITY.md` maps what is known of
//! such attacks to the scenarios.

use crate::run::Outcome;
use crate::script;
use crate::workspace::Workspace;

/// The script, which runs as a suite of `test` too. Its last line is
/// `attack: N scenarios, 0 succeeded`; it fails where one succeeded or was not played to its end.
pub const SCRIPT: &str = "tests/attack/run.mjs";

pub fn run(workspace: &Workspace) -> Outcome {
    script::ready(workspace, SCRIPT)?.shown()
}
