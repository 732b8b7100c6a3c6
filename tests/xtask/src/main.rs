//! The workshop of Countersign: one program that sets up, builds, checks and tests it.
//!
//! Each verb is a module of its own. A verb installs what it needs by itself, so that on a fresh
//! clone any of them may be the first (`localnet` needs nothing but cargo). Nothing of the product
//! itself is in here.

mod attack;
mod bench;
mod browser;
mod build;
mod check;
mod conformance;
mod demo;
mod faults;
mod fuzz;
mod hash;
mod kills;
mod localnet;
mod model;
mod mutants;
mod place;
mod press;
mod report;
mod run;
mod script;
mod setup;
mod shots;
mod test;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

use crate::workspace::Workspace;

/// Set up, build, check and test Countersign.
#[derive(Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Install what is missing, or say in one line what to install.
    Setup,
    /// Build the extension into dist/.
    Build(build::Options),
    /// Format, lints, documentation, the project's own rules, licences and sources.
    Check,
    /// Everything that must hold: setup, build, check, and every test.
    Test(test::Options),
    /// Attacks on the extension in a real browser: last line `attack: N scenarios, 0 succeeded`.
    Attack,
    /// Presses by accident on a real screen: last line `press: N scenarios, …, 0 decisions by accident`.
    Press,
    /// The official MCP conformance suite, against the test build.
    Conformance,
    /// The main job, in a browser with the extension and a local network.
    Demo(demo::Options),
    /// Pictures of every state of every page to target/shots, and what is said in each.
    Shots(shots::Options),
    /// Feed what parses text and bytes from outside: by LLVM's fuzzer with a nightly compiler.
    Fuzz(fuzz::Options),
    /// Every history of bounded worlds with the real kernel; with faults seeded into its rules.
    Model(model::Options),
    /// Random histories over the whole engine: nothing paid twice, lost, called failed, stuck.
    Faults(faults::Options),
    /// How fast tools are built, calls encoded, the journal is read and written and a window comes up,
    /// beside others.
    Bench(bench::Options),
    /// Payments whose worker is killed again and again: nothing is paid twice, lost or stuck.
    Kills(kills::Options),
    /// Start the local network.
    Localnet(localnet::Options),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = Workspace::find().and_then(|workspace| match arguments.verb {
        Verb::Setup => setup::run(&workspace),
        Verb::Build(options) => build::run(&workspace, &options),
        Verb::Check => check::run(&workspace),
        Verb::Test(options) => test::run(&workspace, &options),
        Verb::Attack => attack::run(&workspace),
        Verb::Press => press::run(&workspace),
        Verb::Conformance => conformance::run(&workspace),
        Verb::Demo(options) => demo::run(&workspace, &options),
        Verb::Shots(options) => shots::run(&workspace, &options),
        Verb::Bench(options) => bench::run(&workspace, &options),
        Verb::Fuzz(options) => fuzz::run(&workspace, &options),
        Verb::Kills(options) => kills::run(&workspace, &options),
        Verb::Model(options) => model::run(&workspace, &options),
        Verb::Faults(options) => faults::run(&workspace, &options),
        Verb::Localnet(options) => localnet::run(&workspace, &options),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
