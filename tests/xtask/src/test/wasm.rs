//! Rust's tests in a real browser, in the kind of page or worker that each names.

use serde_json::json;
use std::path::PathBuf;

use super::Kind;
use super::counts::Counts;
use super::native::{judge, listen, programs};
use crate::browser;
use crate::report::Steps;
use crate::run::{Failure, Outcome, Run, write};
use crate::workspace::Workspace;

const PACKAGES: &[&str] = &[
    "countersign-extension",
    "countersign-proof",
    "countersign-ui",
];

pub fn run(workspace: &Workspace, steps: &mut Steps, counts: &mut Counts) -> Outcome {
    let (folder, driver) = webdriver(workspace)?;
    for package in PACKAGES {
        let (compiled, _) =
            steps.need(&format!("test: compile for the browser, {package}"), || {
                programs(
                    workspace
                        .cargo(&["test", "--locked", "--no-run", "--package", package])
                        .args(&["--target", "wasm32-unknown-unknown"]),
                )
            })?;
        for program in compiled {
            let kind = Kind::of_browser(package, &program.target);
            let name = format!("test: in the browser, {package}, {}", program.target);
            steps.step(&name, || {
                let before = counts.failures();
                let tests = Run::new(workspace.tool("wasm-bindgen-test-runner"))
                    .arg(&program.file)
                    .folder(&folder)
                    .env("CHROMEDRIVER", &driver)
                    .env("WASM_BINDGEN_TEST_TIMEOUT", "300");
                listen(tests, |_| kind, counts)
                    .map_err(|failure| Failure::new(format!("{}: {failure}", program.target)))?;
                judge(before, counts)
            });
        }
    }
    Ok(())
}

/// The folder in which the runner finds how to start the browser, and the browser's driver.
pub fn webdriver(workspace: &Workspace) -> Outcome<(PathBuf, PathBuf)> {
    let chromium = browser::chromium()?;
    let driver = browser::chromedriver(&chromium)?;
    // The runner reads this file from the folder it is started in.
    let folder = workspace.scratch("webdriver");
    let options = json!({
        "goog:chromeOptions": {
            "binary": chromium,
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu"],
        },
    });
    write(&folder.join("webdriver.json"), options.to_string())?;
    Ok((folder, driver))
}
