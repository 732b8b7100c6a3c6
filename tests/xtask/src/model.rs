//! `model`: every history of bounded worlds, walked with the real kernel; and with `--mutants` the
//! same walk with one fault at a time in a copy of the kernel's source.
//!
//! A mutant is a file of `tests/mutants`: one sentence, the law that it must break, and one place
//! of one source file, old and new. It is applied to a copy of the tree and compiled there. The
//! kernel itself has no switch for it, so none can reach an artefact. Only the named law is a
//! catch: a panic, a compile error or another law is a failure of the check.

use std::path::PathBuf;
use std::time::Instant;

use crate::run::{Outcome, Run, fail, fresh_folder, read, write};
use crate::workspace::Workspace;

const PACKAGE: &str = "countersign-model";
const PROFILE: &str = "model";
const PROGRAM: &str = "model/model";
const MUTANTS: &str = "tests/mutants";
const MEMBERS: &[&str] = &["core", "tests/model"];
/// Where a mutant may be: the rules, nothing that drives or judges them.
const RULES: &str = "core/src/intent/";

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Seed the faults of tests/mutants one at a time; each must be caught.
    #[arg(long)]
    mutants: bool,
    /// One world only.
    #[arg(long)]
    world: Option<String>,
    /// One mutant only, by name; the kernel as it is is not walked.
    #[arg(long)]
    mutant: Option<String>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let mut last = "model".to_owned();
    if options.mutant.is_none() {
        last = walk(workspace, options.world.as_deref())?;
        if !options.mutants {
            println!("{last}");
            return Ok(());
        }
    }
    let mutants = mutants(workspace, options.mutant.as_deref())?;
    let mut missed = Vec::new();
    let copied = Copy::of(workspace)?;
    for mutant in &mutants {
        let since = Instant::now();
        let verdict = mutant.check(&copied)?;
        println!(
            "mutant {}: {verdict}, {} s",
            mutant.name,
            since.elapsed().as_secs()
        );
        if verdict != Verdict::Caught(mutant.law.clone()) {
            missed.push(mutant.name.as_str());
        }
    }
    let caught = mutants.len() - missed.len();
    println!("{last}, {caught}/{} mutants", mutants.len());
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

/// A copy of what the model is made of, with a manifest that names nothing else. It is built where
/// the workspace is, so that libraries are compiled once for all mutants.
struct Copy<'a> {
    workspace: &'a Workspace,
    tree: PathBuf,
}

impl<'a> Copy<'a> {
    fn of(workspace: &'a Workspace) -> Outcome<Self> {
        let tree = workspace.scratch("mutants");
        fresh_folder(&tree)?;
        let of_member = |file: &str| {
            MEMBERS
                .iter()
                .any(|member| file.starts_with(&format!("{member}/")))
        };
        let files = workspace.files()?;
        let beside = ["Cargo.lock", "rust-toolchain.toml"];
        for file in files
            .iter()
            .filter(|file| of_member(file) || beside.contains(&file.as_str()))
        {
            write(
                &tree.join(file),
                crate::run::read_bytes(&workspace.path(file))?,
            )?;
        }
        let manifest = read(&workspace.path("Cargo.toml"))?;
        let members = format!("members = {MEMBERS:?}");
        let line = |line: &str| {
            if line.starts_with("members = ") {
                members.clone()
            } else {
                line.to_owned()
            }
        };
        let manifest: Vec<String> = manifest.lines().map(line).collect();
        write(&tree.join("Cargo.toml"), manifest.join("\n"))?;
        Ok(Self { workspace, tree })
    }

    /// The copy has fewer members, so its lock file is shorter; nothing is fetched for it.
    fn build(&self) -> Outcome {
        let build = [
            "build",
            "--profile",
            PROFILE,
            "--package",
            PACKAGE,
            "--offline",
        ];
        let run = self.workspace.cargo(&build).folder(&self.tree);
        run.env("CARGO_TARGET_DIR", self.workspace.target())
            .output()
            .map(drop)
    }
}

/// One fault in one place of the rules.
struct Mutant {
    name: String,
    law: String,
    /// The worlds in which it is tried.
    worlds: Vec<String>,
    file: String,
    old: String,
    new: String,
}

/// What became of a mutant.
#[derive(Debug, Eq, PartialEq)]
enum Verdict {
    /// This law broke.
    Caught(String),
    /// Every law held.
    Alive,
    /// It does not compile.
    NoProgram(String),
    /// The walk ended in another way.
    Died,
}

impl core::fmt::Display for Verdict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Caught(law) => write!(f, "broke {law}"),
            Self::Alive => f.write_str("alive: every law holds"),
            Self::NoProgram(why) => write!(f, "does not compile: {why}"),
            Self::Died => f.write_str("the walk died without a law"),
        }
    }
}

fn mutants(workspace: &Workspace, only: Option<&str>) -> Outcome<Vec<Mutant>> {
    let mut mutants = Vec::new();
    for file in workspace.files()? {
        let name = file
            .strip_prefix(MUTANTS)
            .and_then(|name| name.strip_prefix('/')?.strip_suffix(".mutant"));
        let Some(name) = name else {
            continue;
        };
        if only.is_none_or(|only| only == name) {
            mutants.push(Mutant::read(name, &read(&workspace.path(&file))?)?);
        }
    }
    if mutants.is_empty() {
        return fail(format!("no such mutant in {MUTANTS}"));
    }
    Ok(mutants)
}

impl Mutant {
    fn read(name: &str, text: &str) -> Outcome<Self> {
        let field = |field: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(field));
            line.map(|value| value.trim().to_owned())
        };
        let parts = text
            .split_once("<<<<<<<\n")
            .and_then(|(_, rest)| rest.split_once("\n=======\n"))
            .and_then(|(old, rest)| Some((old, rest.strip_suffix("\n>>>>>>>\n")?)));
        let fields = (field("breaks:"), field("walk:"), field("in:"), parts);
        let (Some(law), Some(worlds), Some(file), Some((old, new))) = fields else {
            return fail(format!(
                "{name}: a mutant has breaks:, walk:, in:, and one place"
            ));
        };
        if !file.starts_with(RULES) {
            return fail(format!("{name}: a mutant is in {RULES}"));
        }
        Ok(Self {
            name: name.to_owned(),
            law,
            worlds: worlds.split(", ").map(str::to_owned).collect(),
            file,
            old: old.to_owned(),
            new: new.to_owned(),
        })
    }

    fn check(&self, copy: &Copy<'_>) -> Outcome<Verdict> {
        let file = copy.tree.join(&self.file);
        let source = read(&file)?;
        if source.matches(&self.old).count() != 1 {
            return fail(format!(
                "{}: its place is not once in {}",
                self.name, self.file
            ));
        }
        write(&file, source.replace(&self.old, &self.new))?;
        let verdict = match copy.build() {
            Err(why) => Verdict::NoProgram(why.to_string()),
            Ok(()) => {
                let walk = Run::new(copy.workspace.target().join(PROGRAM)).args(&self.worlds);
                let finished = walk.finished()?;
                let broke = finished.stdout.lines().find_map(|line| {
                    let (law, _) = line.strip_prefix("broken: ")?.split_once(':')?;
                    Some(law.to_owned())
                });
                match (broke, finished.status.success()) {
                    (Some(law), false) => Verdict::Caught(law),
                    (None, true) => Verdict::Alive,
                    (Some(_), true) | (None, false) => Verdict::Died,
                }
            }
        };
        write(&file, source)?;
        Ok(verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_has_its_place_in_the_rules_as_they_are() {
        let workspace = Workspace::find().unwrap();
        let mutants = mutants(&workspace, None).unwrap();
        assert!(mutants.len() >= 20, "{} mutants", mutants.len());
        for mutant in mutants {
            let source = read(&workspace.path(&mutant.file)).unwrap();
            let places = source.matches(&mutant.old).count();
            assert_eq!(places, 1, "{}: places in {}", mutant.name, mutant.file);
            assert_ne!(mutant.old, mutant.new, "{}", mutant.name);
        }
    }

    #[test]
    fn a_mutant_outside_the_rules_is_refused() {
        let text = "Why.\n\nbreaks: one_effect\nwalk: words\nin: tests/model/src/law.rs\n\
                    <<<<<<<\na\n=======\nb\n>>>>>>>\n";
        assert!(Mutant::read("judge", text).is_err());
    }
}
