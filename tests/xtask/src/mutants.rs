//! One fault at a time in a copy of the rules, and who catches it.
//!
//! A mutant is a file of `tests/mutants`: one sentence that says what the rule is, what must break
//! without it, and one place of one source file, old and new. It is applied to a copy of the tree
//! and compiled there. The product itself has no switch for it, so none can reach an artefact.
//!
//! What breaks is a law of the model (`breaks: LAW` and `walk: WORLD`), or, of what the model does
//! not drive, an assertion of a scenario (`breaks: scenario ROOM::TEST`). Only what is named is a
//! catch: a panic elsewhere, a compile error or another law is a failure of the check. A name that
//! there is not, a world that no mutant names and a place that is not there are refused at once.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::model::{PACKAGE, PROFILE, PROGRAM};
use crate::place::{Place, field};
use crate::run::{Failure, Finished, Outcome, Run, fail, fresh_folder, read, read_bytes, write};
use crate::workspace::Workspace;

const MUTANTS: &str = "tests/mutants";
const MEMBERS: &[&str] = &["core", "tests/localnet", "tests/model", "tests/scenarios"];
/// Where a mutant that the model must catch may be: what the model drives.
const KERNEL: &str = "core/src/intent/";
/// Where a mutant that a scenario must catch may be: the rules, nothing that drives or judges them.
const RULES: &[&str] = &["core/src/intent/", "core/src/engine/", "core/src/tools/"];
/// The version of what is compiled in the copy.
const VERSION: &str = "version = \"0.0.0-mutant\"";
/// What the tests of `tests/scenarios` are named below.
const ROOMS: &str = "scenario::";
const SCENARIOS: &[&str] = &[
    "test",
    "--package",
    "countersign-scenarios",
    "--test",
    "scenario",
    "--offline",
];

/// What must break.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Breaks {
    /// A law of the model, in this world.
    Law { law: String, world: String },
    /// An assertion of this scenario.
    Scenario(String),
}

/// One fault in one place of the rules.
#[derive(Debug)]
pub struct Mutant {
    pub name: String,
    breaks: Breaks,
    place: Place,
}

/// What became of a mutant.
#[derive(Debug, Eq, PartialEq)]
pub enum Verdict {
    /// This law broke.
    Law(String),
    /// An assertion of this scenario did not hold.
    Scenario(String),
    /// All that was asked held.
    Alive,
    /// It does not compile.
    NoProgram(String),
    /// It ended in another way.
    Died(String),
}

impl Verdict {
    /// Whether what the mutant names is what broke.
    pub fn catches(&self, mutant: &Mutant) -> bool {
        match (self, &mutant.breaks) {
            (Self::Law(broke), Breaks::Law { law, .. }) => broke == law,
            (Self::Scenario(broke), Breaks::Scenario(test)) => broke == test,
            _ => false,
        }
    }
}

impl core::fmt::Display for Verdict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Law(law) => write!(f, "broke {law}"),
            Self::Scenario(test) => write!(f, "broke scenario {test}"),
            Self::Alive => f.write_str("alive: all that was asked holds"),
            Self::NoProgram(why) => write!(f, "does not compile: {why}"),
            Self::Died(why) => write!(f, "nothing named broke, but it ended badly: {why}"),
        }
    }
}

impl Mutant {
    /// Every mutant, each with its one place in the rules as they are.
    pub fn all(workspace: &Workspace) -> Outcome<Vec<Self>> {
        let mut mutants = Vec::new();
        for file in workspace.files()? {
            let name = file
                .strip_prefix(MUTANTS)
                .and_then(|name| name.strip_prefix('/')?.strip_suffix(".mutant"));
            let Some(name) = name else {
                continue;
            };
            let mutant = Self::read(name, &read(&workspace.path(&file))?)?;
            mutant.mutated(&read(&workspace.path(&mutant.place.file))?)?;
            mutants.push(mutant);
        }
        Ok(mutants)
    }

    fn read(name: &str, text: &str) -> Outcome<Self> {
        let (Some(breaks), Some(place)) = (field(text, "breaks:"), Place::read(text)) else {
            return fail(format!("{name}: a mutant has breaks:, in:, and one place"));
        };
        let (breaks, rooms) = match (breaks.strip_prefix("scenario "), field(text, "walk:")) {
            (Some(test), None) => (Breaks::Scenario(test.to_owned()), RULES),
            (None, Some(world)) => (Breaks::Law { law: breaks, world }, &[KERNEL][..]),
            (Some(_), Some(_)) | (None, None) => {
                return fail(format!(
                    "{name}: a mutant breaks a law in the world that walk: names, or a scenario"
                ));
            }
        };
        if !rooms.iter().any(|room| place.file.starts_with(room)) {
            return fail(format!("{name}: such a mutant is in {}", rooms.join(", ")));
        }
        Ok(Self {
            name: name.to_owned(),
            breaks,
            place,
        })
    }

    fn mutated(&self, source: &str) -> Outcome<String> {
        self.place.changed(&self.name, source)
    }

    /// What becomes of it.
    pub fn check(&self, copy: &Copy<'_>) -> Outcome<Verdict> {
        let file = copy.tree.join(&self.place.file);
        let source = read(&file)?;
        write(&file, self.mutated(&source)?)?;
        let verdict = match &self.breaks {
            Breaks::Law { world, .. } => copy.walk(world),
            Breaks::Scenario(test) => copy.play(test),
        };
        write(&file, source)?;
        verdict
    }
}

/// What a mutant can name.
#[derive(Debug)]
pub struct Names {
    laws: BTreeSet<String>,
    worlds: BTreeSet<String>,
    scenarios: BTreeSet<String>,
}

impl Names {
    /// As the programs that judge tell them.
    pub fn of(copy: &Copy<'_>) -> Outcome<Self> {
        copy.build()?;
        let told = copy.program().arg("--names").output()?;
        let named = |what: &str| {
            let lines = told.lines().filter_map(|line| line.strip_prefix(what));
            lines.map(str::to_owned).collect()
        };
        let listed = copy.scenarios(&["--list"]).output()?;
        let tests = listed
            .lines()
            .filter_map(|line| line.strip_prefix(ROOMS)?.strip_suffix(": test"));
        Ok(Self {
            laws: named("law "),
            worlds: named("world "),
            scenarios: tests.map(str::to_owned).collect(),
        })
    }

    /// Refuses a mutant that names what there is not, and a world that no mutant names.
    pub fn admit(&self, mutants: &[Mutant]) -> Outcome {
        let mut worlds = self.worlds.clone();
        for mutant in mutants {
            let known = match &mutant.breaks {
                Breaks::Law { law, world } => {
                    worlds.remove(world);
                    self.laws.contains(law) && self.worlds.contains(world)
                }
                Breaks::Scenario(test) => self.scenarios.contains(test),
            };
            if !known {
                return fail(format!(
                    "{}: there is nothing of this name: {:?}",
                    mutant.name, mutant.breaks
                ));
            }
        }
        match worlds.first() {
            None => Ok(()),
            Some(world) => fail(format!("no mutant shows what world `{world}` is for")),
        }
    }
}

/// A copy of what the rules and their judges are made of, with a manifest that names nothing else.
/// It is built where the workspace is, so that other libraries are compiled once for both.
pub struct Copy<'a> {
    workspace: &'a Workspace,
    tree: PathBuf,
}

impl<'a> Copy<'a> {
    pub fn of(workspace: &'a Workspace) -> Outcome<Self> {
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
            write(&tree.join(file), read_bytes(&workspace.path(file))?)?;
        }
        let manifest = read(&workspace.path("Cargo.toml"))?;
        write(&tree.join("Cargo.toml"), manifest_of_copy(&manifest))?;
        Ok(Self { workspace, tree })
    }

    /// The copy has fewer members, so its lock file is shorter; nothing is fetched for it.
    fn cargo(&self, arguments: &[&str]) -> Run {
        let run = self.workspace.cargo(arguments).folder(&self.tree);
        run.env("CARGO_TARGET_DIR", self.workspace.target())
    }

    fn build(&self) -> Outcome {
        let model = ["build", "--profile", PROFILE, "--package", PACKAGE];
        let run = self.cargo(&model).arg("--offline");
        run.output().map(drop)
    }

    fn program(&self) -> Run {
        Run::new(self.workspace.target().join(PROGRAM))
    }

    fn scenarios(&self, arguments: &[&str]) -> Run {
        self.cargo(SCENARIOS).arg("--").args(arguments)
    }

    fn walk(&self, world: &str) -> Outcome<Verdict> {
        if let Err(why) = self.build() {
            return Ok(Verdict::NoProgram(why.to_string()));
        }
        let finished = self.program().arg(world).finished()?;
        let broke = finished.stdout.lines().find_map(|line| {
            let (law, _) = line.strip_prefix("broken: ")?.split_once(':')?;
            Some(law.to_owned())
        });
        Ok(match (broke, finished.status.success()) {
            (Some(law), false) => Verdict::Law(law),
            (None, true) => Verdict::Alive,
            (Some(_), true) | (None, false) => Verdict::Died(finished.stderr),
        })
    }

    fn play(&self, test: &str) -> Outcome<Verdict> {
        if let Err(why) = self.cargo(SCENARIOS).arg("--no-run").output() {
            return Ok(Verdict::NoProgram(why.to_string()));
        }
        let name = format!("{ROOMS}{test}");
        let finished = self.scenarios(&["--exact", &name]).finished()?;
        if finished.status.success() {
            return Ok(Verdict::Alive);
        }
        if self.is_assertion(&finished)? {
            return Ok(Verdict::Scenario(test.to_owned()));
        }
        Ok(Verdict::Died(finished.stdout))
    }

    /// Whether a test ended where its scenarios assert something, and not anywhere else.
    fn is_assertion(&self, finished: &Finished) -> Outcome<bool> {
        let Some((file, line)) = panicked_at(&finished.stdout) else {
            return Ok(false);
        };
        if !file.starts_with("tests/scenarios/") {
            return Ok(false);
        }
        let source = read(&self.tree.join(file))?;
        Ok(source.lines().nth(line - 1).is_some_and(asserts))
    }

    /// What the mutants must break holds without them.
    pub fn scenarios_hold(&self, mutants: &[&Mutant]) -> Outcome {
        let named = mutants.iter().filter_map(|mutant| match &mutant.breaks {
            Breaks::Law { .. } => None,
            Breaks::Scenario(test) => Some(format!("{ROOMS}{test}")),
        });
        let named: BTreeSet<String> = named.collect();
        if named.is_empty() {
            return Ok(());
        }
        let mut arguments = vec!["--exact"];
        arguments.extend(named.iter().map(String::as_str));
        let printed = self.scenarios(&arguments).output()?;
        if printed.contains(&format!("ok. {} passed;", named.len())) {
            return Ok(());
        }
        Err(Failure::new(printed))
    }
}

/// The manifest with fewer members, and of a version of its own: else cargo would take what a mutant
/// was compiled to for the workspace's own.
fn manifest_of_copy(manifest: &str) -> String {
    let members = format!("members = {MEMBERS:?}");
    let line = |line: &str| {
        if line.starts_with("members = ") {
            members.clone()
        } else if line.starts_with("version = ") {
            VERSION.to_owned()
        } else {
            line.to_owned()
        }
    };
    let lines: Vec<String> = manifest.lines().map(line).collect();
    lines.join("\n")
}

/// Where the first panic was: the file, and the number of the line.
fn panicked_at(printed: &str) -> Option<(&str, usize)> {
    let (_, rest) = printed.split_once(" panicked at ")?;
    let mut parts = rest.lines().next()?.split(':');
    let file = parts.next()?;
    let line: usize = parts.next()?.parse().ok()?;
    (line > 0).then_some((file, line))
}

fn asserts(line: &str) -> bool {
    ["assert!(", "assert_eq!(", "assert_ne!("]
        .iter()
        .any(|assertion| line.contains(assertion))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_has_its_place_in_the_rules_as_they_are() {
        let mutants = Mutant::all(&Workspace::find().unwrap()).unwrap();
        assert!(mutants.len() >= 20, "{} mutants", mutants.len());
    }

    fn mutant(fields: &str) -> Outcome<Mutant> {
        let place = "<<<<<<<\na\n=======\nb\n>>>>>>>\n";
        Mutant::read("it", &format!("Why.\n\n{fields}\n{place}"))
    }

    #[test]
    fn a_mutant_outside_the_rules_is_refused() {
        let law = "breaks: one_effect\nwalk: words\nin: ";
        let scenario = "breaks: scenario one::of_them\nin: ";
        for file in ["tests/model/src/law.rs", "core/src/engine/boot.rs"] {
            assert!(mutant(&format!("{law}{file}")).is_err());
        }
        for file in ["tests/model/src/law.rs", "core/src/testing/world.rs"] {
            assert!(mutant(&format!("{scenario}{file}")).is_err());
        }
        assert!(mutant(&format!("{law}core/src/intent/facts.rs")).is_ok());
        assert!(mutant(&format!("{scenario}core/src/engine/boot.rs")).is_ok());
    }

    #[test]
    fn a_mutant_breaks_a_law_in_a_world_or_a_scenario() {
        let file = "in: core/src/intent/facts.rs";
        assert!(mutant(&format!("breaks: one_effect\n{file}")).is_err());
        let both = format!("breaks: scenario one::of_them\nwalk: words\n{file}");
        assert!(mutant(&both).is_err());
    }

    #[test]
    fn a_place_that_is_not_there_once_is_refused() {
        let mutant = mutant("breaks: one_effect\nwalk: words\nin: core/src/intent/facts.rs");
        let mutant = mutant.unwrap();
        assert_eq!(mutant.mutated("x a x").unwrap(), "x b x");
        assert!(mutant.mutated("x").is_err());
        assert!(mutant.mutated("a a").is_err());
    }

    #[test]
    fn a_name_that_there_is_not_and_a_world_without_a_mutant_are_refused() {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let names = |worlds: &[&str]| Names {
            laws: set(&["one_effect"]),
            worlds: set(worlds),
            scenarios: set(&["one::of_them"]),
        };
        let file = "in: core/src/intent/facts.rs";
        let of = |breaks: &str| vec![mutant(&format!("breaks: {breaks}\n{file}")).unwrap()];
        let right = of("one_effect\nwalk: words");
        assert!(names(&["words"]).admit(&right).is_ok());
        assert!(names(&["words", "again"]).admit(&right).is_err());
        for wrong in [
            "no_effect\nwalk: words",
            "one_effect\nwalk: verbs",
            "scenario one::of_these",
        ] {
            assert!(names(&[]).admit(&of(wrong)).is_err(), "{wrong}");
        }
        assert!(names(&[]).admit(&of("scenario one::of_them")).is_ok());
    }

    #[test]
    fn only_what_is_named_is_a_catch() {
        let file = "in: core/src/intent/facts.rs";
        let law = mutant(&format!("breaks: one_effect\nwalk: words\n{file}")).unwrap();
        let scenario = mutant(&format!("breaks: scenario one::of_them\n{file}")).unwrap();
        let one_effect = Verdict::Law("one_effect".to_owned());
        assert!(one_effect.catches(&law));
        assert!(!one_effect.catches(&scenario));
        assert!(!Verdict::Law("one_live".to_owned()).catches(&law));
        assert!(!Verdict::Alive.catches(&law));
        assert!(!Verdict::Died(String::new()).catches(&scenario));
        assert!(Verdict::Scenario("one::of_them".to_owned()).catches(&scenario));
    }

    #[test]
    fn what_is_compiled_of_a_mutant_is_not_taken_for_the_workspaces_own() {
        let workspace = Workspace::find().unwrap();
        let manifest = read(&workspace.path("Cargo.toml")).unwrap();
        let copy = manifest_of_copy(&manifest);
        assert_eq!(copy.matches(VERSION).count(), 1);
        assert!(!manifest.contains(VERSION));
        assert_eq!(copy.lines().count(), manifest.lines().count());
    }

    #[test]
    fn the_place_of_a_panic_is_read() {
        let printed = "running 1 test\n\nthread 'scenario::a::b' (7) panicked at \
                       tests/scenarios/tests/scenario/a.rs:12:5:\nassertion failed: x\n";
        let place = ("tests/scenarios/tests/scenario/a.rs", 12);
        assert_eq!(panicked_at(printed), Some(place));
        assert_eq!(panicked_at("test result: FAILED"), None);
        assert!(asserts("    assert_eq!(paid, 1);"));
        assert!(!asserts("    let paid = log.last().unwrap();"));
    }
}
