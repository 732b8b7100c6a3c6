//! `model`: every history of bounded worlds, walked with the real kernel; and with `--mutants` what
//! becomes of one fault at a time ([`crate::mutants`]).

use std::time::Instant;

use crate::mutants::{Copy, Mutant, Names};
use crate::run::{Outcome, Run, fail};
use crate::workspace::Workspace;

pub const PACKAGE: &str = "countersign-model";
pub const PROFILE: &str = "model";
pub const PROGRAM: &str = "model/model";

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Seed the faults of tests/mutants one at a time; each must be caught.
    #[arg(long)]
    mutants: bool,
    /// One world only.
    #[arg(long)]
    world: Option<String>,
    /// This mutant only, by name, and others that are named so; the kernel as it is is not walked.
    #[arg(long)]
    mutant: Vec<String>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let mut last = "model".to_owned();
    let only = &options.mutant;
    if only.is_empty() {
        last = walk(workspace, options.world.as_deref())?;
        if !options.mutants {
            println!("{last}");
            return Ok(());
        }
    }
    let mutants = Mutant::all(workspace)?;
    let copied = Copy::of(workspace)?;
    let names = Names::of(&copied)?;
    names.admit(&mutants)?;
    let chosen: Vec<&Mutant> = mutants
        .iter()
        .filter(|mutant| only.is_empty() || only.contains(&mutant.name))
        .collect();
    if chosen.is_empty() || (!only.is_empty() && chosen.len() != only.len()) {
        return fail("there is no such mutant");
    }
    copied.scenarios_hold(&chosen)?;
    let mut missed = Vec::new();
    for mutant in &chosen {
        let since = Instant::now();
        let verdict = mutant.check(&copied)?;
        println!(
            "mutant {}: {verdict}, {} s",
            mutant.name,
            since.elapsed().as_secs()
        );
        if !verdict.catches(mutant) {
            missed.push(mutant.name.as_str());
        }
    }
    let caught = chosen.len() - missed.len();
    println!("{last}, {caught}/{} mutants", chosen.len());
    if missed.is_empty() {
        return Ok(());
    }
    fail(format!(
        "not caught as they should be: {}",
        missed.join(", ")
    ))
}

/// Walks the kernel as it is, and returns the last line.
fn walk(workspace: &Workspace, world: Option<&str>) -> Outcome<String> {
    let build = ["build", "--profile", PROFILE, "--package", PACKAGE];
    workspace.cargo(&build).arg("--locked").shown()?;
    let mut walk = Run::new(workspace.target().join(PROGRAM));
    if let Some(world) = world {
        walk = walk.arg(world);
    }
    let mut last = String::new();
    let status = walk.lines(|line| {
        if !last.is_empty() {
            println!("{last}");
        }
        line.clone_into(&mut last);
    })?;
    if status.success() {
        return Ok(last);
    }
    println!("{last}");
    fail("the walk of the kernel as it is ended badly; why is told above")
}
