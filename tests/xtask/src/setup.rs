//! `setup`: everything the other verbs need, installed once; a second run does nothing.

pub mod npm;
mod system;
mod wasm;

use crate::browser;
use crate::report::Steps;
use crate::run::Outcome;
use crate::workspace::Workspace;

pub fn run(workspace: &Workspace) -> Outcome {
    let mut steps = Steps::default();
    let done = all(workspace, &mut steps);
    match done {
        Ok(()) => steps.finish(),
        Err(failure) => steps.stopped(failure),
    }
}

/// A screen of its own for a browser that is not headless: without one, a line says what is missing.
pub fn screen() -> Outcome {
    system::screen()
}

/// All that tests and demo need.
pub fn all(workspace: &Workspace, steps: &mut Steps) -> Outcome {
    steps.need("setup: browser", || {
        system::packages()?;
        let chromium = browser::chromium()?;
        let driver = browser::chromedriver(&chromium)?;
        println!("{}\n{}", chromium.display(), driver.display());
        Ok(())
    })?;
    for_build(workspace, steps)?;
    steps.need("setup: node 22", || {
        println!("{}", browser::node22(workspace)?.display());
        Ok(())
    })
}

/// What `build` alone needs.
pub fn for_build(workspace: &Workspace, steps: &mut Steps) -> Outcome {
    steps.need("setup: wasm", || {
        wasm::target(workspace)?;
        wasm::bindgen(workspace)
    })?;
    steps.need("setup: npm", || npm::install(workspace))
}
