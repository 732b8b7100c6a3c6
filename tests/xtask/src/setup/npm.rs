//! The one npm project, installed by its lock and without running any package's script.

use std::path::Path;

use crate::browser;
use crate::hash::sha256;
use crate::run::{Outcome, Run, fail, on_path, read, read_bytes, write};
use crate::workspace::Workspace;

/// Holds the hash of the lock that `node_modules` was installed from.
const STAMP: &str = "tests/node_modules/.countersign-lock";

pub fn install(workspace: &Workspace) -> Outcome {
    browser::node()?;
    if on_path("npm").is_none() {
        return fail("no npm found: install Node.js with npm");
    }
    let lock = sha256(&read_bytes(&workspace.path("tests/package-lock.json"))?);
    if read(&workspace.path(STAMP)).is_ok_and(|stamp| stamp == lock) {
        return Ok(());
    }
    Run::new("npm")
        .args(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .folder(&workspace.path("tests"))
        .shown()?;
    starts(workspace, "binaryen/bin/wasm-opt")?;
    starts(workspace, "esbuild/bin/esbuild")?;
    write(&workspace.path(STAMP), lock)
}

/// A program that needed its install script would show it here.
fn starts(workspace: &Workspace, program: &str) -> Outcome {
    let file = workspace.npm_file(program);
    if node(&file)?.arg("--version").succeeds() {
        return Ok(());
    }
    fail(format!("{} does not start", file.display()))
}

/// Node, about to run this file.
pub fn node(file: &Path) -> Outcome<Run> {
    Ok(Run::new(browser::node()?).arg(file))
}
