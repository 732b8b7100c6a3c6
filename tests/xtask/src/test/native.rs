//! Rust's own tests on this machine: each test program is started by itself, so that its tests are
//! counted under the kind it is of.

use serde_json::Value;
use std::path::{Path, PathBuf};

use super::Kind;
use super::counts::{Counts, Said, of_rust};
use crate::localnet;
use crate::report::Steps;
use crate::run::{Failure, Outcome, Run, fail};
use crate::workspace::Workspace;

/// Packages whose tests print a table that a person is to see.
const SHOWN: &[&str] = &["countersign-judges", "countersign-proof"];

/// A program of tests.
pub struct Program {
    pub package: String,
    pub target: String,
    pub file: PathBuf,
    /// The folder of its package.
    pub folder: PathBuf,
}

/// Runs the tests. Gives the program of the local network, which is compiled beside them.
pub fn run(
    workspace: &Workspace,
    steps: &mut Steps,
    counts: &mut Counts,
) -> Outcome<Option<PathBuf>> {
    let (programs, localnet) = steps.need("test: compile", || {
        let tests = workspace
            .cargo(&[
                "test",
                "--locked",
                "--no-run",
                "--workspace",
                "--all-targets",
            ])
            .args(&[
                "--features",
                "countersign-core/cli,countersign-core/testing",
            ]);
        programs(tests)
    })?;
    for program in programs {
        let kind = |test: &str| Kind::of_native(&program.target, test);
        let name = format!("test: {}, {}", program.package, program.target);
        steps.step(&name, || one(&program, kind, counts));
    }
    steps.step("test: examples in the documentation", || {
        let before = counts.failures();
        let tests = workspace
            .cargo(&["test", "--locked", "--doc", "--workspace"])
            .args(&[
                "--features",
                "countersign-core/cli,countersign-core/testing",
            ]);
        listen(tests, |_| Kind::Unit, counts)?;
        judge(before, counts)
    });
    Ok(localnet)
}

/// Compiles tests and gives the programs, in the order of their packages and names; and the
/// program of the local network, if it was compiled too.
pub fn programs(tests: Run) -> Outcome<(Vec<Program>, Option<PathBuf>)> {
    let mut programs = Vec::new();
    let mut localnet = None;
    let status = tests
        .arg("--message-format=json-render-diagnostics")
        .lines(|line| {
            let message: Value = serde_json::from_str(line).unwrap_or_default();
            programs.extend(program(&message));
            if message["target"]["name"] == localnet::PACKAGE && message["profile"]["test"] == false
            {
                localnet = message["executable"]
                    .as_str()
                    .map(PathBuf::from)
                    .or(localnet.take());
            }
        })?;
    if !status.success() {
        return fail("the tests do not compile");
    }
    programs.sort_by(|a, b| (&a.package, &a.target).cmp(&(&b.package, &b.target)));
    Ok((programs, localnet))
}

fn program(message: &Value) -> Option<Program> {
    let is_test = message["profile"]["test"] == true;
    let file = message["executable"].as_str().filter(|_| is_test)?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let folder = manifest.parent()?;
    let text = crate::run::read(manifest).ok()?;
    let package = text
        .lines()
        .find_map(|line| line.strip_prefix("name = \""))?
        .trim_end_matches('"');
    Some(Program {
        package: package.to_owned(),
        target: message["target"]["name"].as_str()?.to_owned(),
        file: file.into(),
        folder: folder.into(),
    })
}

fn one(program: &Program, kind: impl Fn(&str) -> Kind, counts: &mut Counts) -> Outcome {
    let before = counts.failures();
    let mut tests = Run::new(&program.file)
        .folder(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder);
    if SHOWN.contains(&program.package.as_str()) {
        tests = tests.arg("--show-output");
    }
    listen(tests, kind, counts)?;
    judge(before, counts)
}

/// Runs tests, counts them, and prints all but the lines of those that passed. A program that fails
/// without naming a test counts as one that failed.
pub fn listen(tests: Run, kind: impl Fn(&str) -> Kind, counts: &mut Counts) -> Outcome {
    let before = counts.failures();
    let status = tests.lines(|line| match of_rust(line) {
        Some(Said::Passed(name)) => counts.passed(kind(name), name),
        Some(Said::Failed(name)) => {
            println!("{line}");
            counts.failed(kind(name), name);
        }
        None if line.is_empty() || line.starts_with("running ") => {}
        Some(Said::Ignored(_)) | None => println!("{line}"),
    })?;
    if !status.success() && counts.failures() == before {
        return Err(Failure::new(format!("the tests ended with {status}")));
    }
    Ok(())
}

/// A failure if anything failed since.
pub fn judge(before: usize, counts: &Counts) -> Outcome {
    match counts.failures() - before {
        0 => Ok(()),
        failed => fail(format!("{failed} failed")),
    }
}
