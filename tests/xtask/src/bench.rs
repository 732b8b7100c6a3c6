//! `bench`: by the worker's release profile on this machine, printed as ratios. The tool layer beside
//! others, the journal in a browser: with many calls stored beside few, and beside bare puts; and how
//! long the window that asks takes to come up, beside a bare one.

use crate::browser;
use crate::report::Steps;
use crate::run::{Outcome, Run, fail, write};
use crate::script;
use crate::setup;
use crate::test;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub struct Options {
    /// Only this one; else all.
    #[arg(value_enum)]
    only: Option<Bench>,
}

#[derive(Clone, Copy, Eq, PartialEq, clap::ValueEnum)]
enum Bench {
    /// Building tools and encoding calls.
    Tools,
    /// The journal in a browser.
    Journal,
    /// From a page's call to the window that asks, on a screen.
    Window,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let mut steps = Steps::default();
    if let Err(failure) = setup::all(workspace, &mut steps) {
        return steps.stopped(failure);
    }
    steps.finish()?;
    let wanted = |bench| options.only.is_none_or(|only| only == bench);
    if wanted(Bench::Tools) {
        tools(workspace)?;
    }
    if wanted(Bench::Journal) {
        journal(workspace)?;
    }
    if wanted(Bench::Window) {
        setup::screen()?;
        script::ready(workspace, "tests/press/bench.mjs")?.shown()?;
    }
    Ok(())
}

fn tools(workspace: &Workspace) -> Outcome {
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

fn journal(workspace: &Workspace) -> Outcome {
    let (folder, driver) = test::webdriver(workspace)?;
    let recorded = workspace
        .cargo(&["run", "--locked", "--quiet"])
        .args(&["--package", "countersign-scenarios", "--bin", "journal"])
        .output()?;
    // The runner serves it beside the bench.
    write(&folder.join("journal.json"), recorded)?;
    let (compiled, _) = test::programs(
        workspace
            .cargo(&["bench", "--locked", "--no-run"])
            .args(&["--package", "countersign-extension", "--bench", "journal"])
            .args(&["--target", "wasm32-unknown-unknown"]),
    )?;
    let [bench] = compiled.as_slice() else {
        return fail("the bench is not one program");
    };
    Run::new(workspace.tool("wasm-bindgen-test-runner"))
        .arg(&bench.file)
        .arg("--nocapture")
        .folder(&folder)
        .env("CHROMEDRIVER", &driver)
        .env("WASM_BINDGEN_TEST_TIMEOUT", "1800")
        .shown()
}
