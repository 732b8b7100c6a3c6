//! `fuzz`: feeds what parses text and bytes from outside, a target after the other, for so many
//! minutes each. With a nightly compiler LLVM's fuzzer does it, guided by coverage; without one a
//! plain driver mutates the corpus.

use std::path::{Path, PathBuf};

use crate::run::{Outcome, Run, fail, fresh_folder};
use crate::workspace::Workspace;

const PACKAGE: &str = "countersign-proof";
const TARGETS: &[&str] = &["did", "profile", "input", "reply"];
/// The longest input that is tried, in bytes.
const LONGEST: &str = "-max_len=8192";

/// What makes the compiler count the branches that an input takes.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                        -Cllvm-args=-sanitizer-coverage-pc-table \
                        -Cllvm-args=-sanitizer-coverage-trace-compares \
                        -Cllvm-args=-simplifycfg-branch-fold-threshold=0";

#[derive(clap::Args, Debug)]
pub struct Options {
    /// How long each target runs.
    #[arg(long, default_value_t = 1)]
    minutes: u64,
    /// One target only.
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(TARGETS))]
    target: Option<String>,
    /// The plain driver, whatever compilers there are.
    #[arg(long)]
    plain: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let nightly = if options.plain { None } else { nightly() };
    let program = match &nightly {
        Some(host) => guided(workspace, host)?,
        None => plain(workspace)?,
    };
    let wanted = |target: &&&str| {
        options
            .target
            .as_deref()
            .is_none_or(|only| only == **target)
    };
    let mut broken = Vec::new();
    for target in TARGETS.iter().filter(wanted) {
        let seconds = options.minutes * 60;
        let fuzzer = Run::new(&program).env("COUNTERSIGN_FUZZ", target);
        let done = match &nightly {
            Some(_) => with_llvm(workspace, fuzzer, target, seconds),
            None => fuzzer.arg(seconds.to_string()).shown(),
        };
        if let Err(failure) = done {
            eprintln!("{target}: {failure}");
            broken.push(*target);
        }
    }
    if broken.is_empty() {
        return Ok(());
    }
    fail(format!(
        "a promise is broken: {}. Mend it, and keep its input in tests/proof/corpus",
        broken.join(", ")
    ))
}

/// The machine that the nightly compiler makes programs for, where there is one.
fn nightly() -> Option<String> {
    let said = Run::new("rustup")
        .args(&["run", "nightly", "rustc", "--version", "--verbose"])
        .output();
    match said {
        Ok(said) => said
            .lines()
            .find_map(|line| line.strip_prefix("host: ").map(str::to_owned)),
        Err(_) => {
            println!("no nightly compiler: the corpus is mutated without looking at coverage");
            None
        }
    }
}

/// A folder of its own, so that other builds keep theirs.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("fuzz")
}

fn guided(workspace: &Workspace, host: &str) -> Outcome<PathBuf> {
    let folder = folder(workspace);
    Run::new("rustup")
        .args(&["run", "nightly", "cargo", "build", "--locked", "--release"])
        .args(&[
            "--package",
            PACKAGE,
            "--bin",
            "fuzz",
            "--features",
            "libfuzzer",
        ])
        .args(&["--target", host])
        .folder(workspace.root())
        .env("CARGO_TARGET_DIR", &folder)
        .env("RUSTFLAGS", COVERAGE)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "2")
        .env("CARGO_PROFILE_RELEASE_LTO", "false")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true")
        .env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true")
        .without_env("CARGO")
        .shown()?;
    Ok(folder.join(host).join("release/fuzz"))
}

fn plain(workspace: &Workspace) -> Outcome<PathBuf> {
    workspace
        .cargo(&["build", "--locked", "--package", PACKAGE, "--bin", "fuzz"])
        .args(&["--features", "native"])
        .shown()?;
    Ok(workspace.target().join("debug/fuzz"))
}

fn with_llvm(workspace: &Workspace, fuzzer: Run, target: &str, seconds: u64) -> Outcome {
    let folder = folder(workspace).join("found").join(target);
    // What is found stays beside the corpus that was begun with.
    fresh_folder(&folder.join("new"))?;
    let artifacts = format!("-artifact_prefix={}/", folder.display());
    let corpus = workspace.path("tests/proof/corpus").join(target);
    let paths: [&Path; 2] = [&folder.join("new"), &corpus];
    fuzzer
        .args(&paths)
        .args(&[LONGEST, "-timeout=5", "-rss_limit_mb=2048"])
        .args(&["-print_final_stats=1", "-verbosity=1"])
        .arg(format!("-max_total_time={seconds}"))
        .arg(artifacts)
        .shown()
}
