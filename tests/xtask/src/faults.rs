//! `faults`: random histories over the whole engine, beside two naive peers, judged by the ledgers'
//! logs; and with `--breaks` the same with one thing broken at a time in a copy of the engine.
//!
//! A break is a file of `tests/faults/breaks`: one sentence, which count must rise, and one place of
//! one source file, old and new. It is applied to a copy of the tree and compiled there.

use std::path::Path;

use crate::place::{Place, field};
use crate::run::{Outcome, Run, fail, fresh_folder, read, read_bytes, write};
use crate::workspace::Workspace;

const PACKAGE: &str = "countersign-faults";
const PROFILE: &str = "faults";
const PROGRAM: &str = "faults/faults";
const BREAKS: &str = "tests/faults/breaks/";

/// How many histories a break has to be caught in.
const CAUGHT_IN: &str = "1500";

#[derive(clap::Args, Debug)]
pub struct Options {
    /// How many histories.
    #[arg(long, default_value_t = 100_000)]
    histories: u64,
    /// The seed of the first; the next has the next number. Any, where none is given.
    #[arg(long)]
    seed: Option<u64>,
    /// Tell the history of the seed, line by line.
    #[arg(long, requires = "seed")]
    tell: bool,
    /// Break the engine as the files of tests/faults/breaks say, one at a time; each must be caught.
    #[arg(long, conflicts_with = "tell")]
    breaks: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    if options.breaks {
        return breaks(workspace);
    }
    let build = [
        "build",
        "--locked",
        "--profile",
        PROFILE,
        "--package",
        PACKAGE,
    ];
    workspace.cargo(&build).shown()?;
    let program = Run::new(workspace.target().join(PROGRAM));
    let seed = options.seed.map(|seed| seed.to_string());
    if options.tell {
        return program.arg("--tell").args(seed.as_slice()).shown();
    }
    let histories = options.histories.to_string();
    program.arg(histories).args(seed.as_slice()).shown()
}

fn breaks(workspace: &Workspace) -> Outcome {
    let (tree, target) = (
        workspace.scratch("breaks"),
        workspace.scratch("breaks-target"),
    );
    fresh_folder(&tree)?;
    let files = workspace.files()?;
    for file in &files {
        write(&tree.join(file), read_bytes(&workspace.path(file))?)?;
    }
    let (mut count, mut missed) = (0, Vec::new());
    for file in files.iter().filter(|file| file.starts_with(BREAKS)) {
        let broken = Break::read(file, &read(&workspace.path(file))?)?;
        let last = broken.play(workspace, &tree, &target)?;
        let caught = rises(&last, &broken.count);
        println!("{}: {last}", broken.name);
        count += 1;
        if !caught {
            missed.push(broken.name);
        }
    }
    if count == 0 || !missed.is_empty() {
        return fail(format!(
            "not caught as they should be: {}",
            missed.join(", ")
        ));
    }
    println!("faults: {count}/{count} breaks caught");
    Ok(())
}

/// Whether the last line has more than none of this: `3 duplicated`.
fn rises(line: &str, count: &str) -> bool {
    let ours = line.split(';').next().unwrap_or_default();
    let part = ours.split(", ").find_map(|part| part.strip_suffix(count));
    part.and_then(|number| number.trim().parse::<u64>().ok())
        .is_some_and(|number| number > 0)
}

/// One place of the engine, broken.
struct Break {
    name: String,
    count: String,
    place: Place,
}

impl Break {
    fn read(path: &str, text: &str) -> Outcome<Self> {
        let (Some(count), Some(place)) = (field(text, "breaks:"), Place::read(text)) else {
            return fail(format!("{path}: a break has breaks:, in:, and one place"));
        };
        Ok(Self {
            name: path.trim_start_matches(BREAKS).to_owned(),
            count,
            place,
        })
    }

    /// The last line of a run with it.
    fn play(&self, workspace: &Workspace, tree: &Path, target: &Path) -> Outcome<String> {
        let file = tree.join(&self.place.file);
        let source = read(&file)?;
        write(&file, self.place.changed(&self.name, &source)?)?;
        let build = [
            "build",
            "--locked",
            "--profile",
            PROFILE,
            "--package",
            PACKAGE,
        ];
        let built = workspace.cargo(&build).folder(tree);
        built.env("CARGO_TARGET_DIR", target).output()?;
        let played = Run::new(target.join(PROGRAM)).args(&[CAUGHT_IN, "1"]);
        let finished = played.finished()?;
        write(&file, source)?;
        let last = finished
            .stdout
            .lines()
            .find(|line| line.starts_with("faults: "));
        match (last, finished.status.success()) {
            (Some(last), false) => Ok(last.to_owned()),
            (Some(last), true) => fail(format!("{} is not noticed: {last}", self.name)),
            (None, _) => fail(format!("{}: the histories died without a word", self.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_break_has_its_place_in_the_engine_as_it_is() {
        let workspace = Workspace::find().unwrap();
        let files = workspace.files().unwrap();
        let mut breaks = 0;
        for file in files.iter().filter(|file| file.starts_with(BREAKS)) {
            let broken = Break::read(file, &read(&workspace.path(file)).unwrap()).unwrap();
            let source = read(&workspace.path(&broken.place.file)).unwrap();
            broken.place.changed(&broken.name, &source).unwrap();
            breaks += 1;
        }
        assert!(breaks >= 3, "{breaks} breaks");
    }

    #[test]
    fn only_the_wallets_own_counts_are_read_from_the_last_line() {
        let line = "faults: 9 histories, 1 duplicated, 0 lost, 12 false failed, 0 stuck; naive loop 7 \
                    duplicated, key only 3 duplicated";
        assert!(rises(line, "duplicated"));
        assert!(!rises(line, "lost"));
        assert!(rises(line, "false failed"));
        assert!(!rises(line, "stuck"));
    }
}
