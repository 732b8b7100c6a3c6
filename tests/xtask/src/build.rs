//! `build`: the extension as it is shipped, in `dist/chrome`.
//!
//! Each shipped crate is compiled alone, since a build of the whole workspace unifies features.
//! Nothing about the machine that builds may reach a shipped file: paths are remapped, tools are of
//! locked versions, and what is left of a path fails the build.

mod files;
mod inspect;
mod sizes;
mod wasm;

use clap::ValueEnum;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

use crate::hash;
use crate::report::Steps;
use crate::run::{Outcome, Run, fail, files_below, fresh_folder, read, read_bytes, write};
use crate::setup;
use crate::workspace::Workspace;

pub use wasm::PIECES;

/// What lets the extension reach every network, in the policy of the manifest.
const EVERYWHERE: &str = " https:";

#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Options {
    /// Build in two folders and compare the artefacts byte by byte.
    #[arg(long)]
    twice: bool,
    /// What to build.
    #[arg(long, value_enum, default_value_t = Profile::Chrome)]
    profile: Profile,
}

/// An artefact.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum Profile {
    /// The extension as people install it.
    Chrome,
    /// The test build: the same code with the feature `test-build`.
    ChromeTest,
}

impl Profile {
    /// Its folder in `dist`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Chrome => "chrome",
            Self::ChromeTest => "chrome-test",
        }
    }

    /// The file in `dist` that says how it was built.
    const fn record(self) -> &'static str {
        match self {
            Self::Chrome => "BUILD.json",
            Self::ChromeTest => "BUILD-test.json",
        }
    }

    /// How hard wasm-opt tries. Nobody downloads the test build.
    const fn effort(self) -> &'static str {
        match self {
            Self::Chrome => "-Oz",
            Self::ChromeTest => "-O1",
        }
    }

    /// The feature of the shipped crates that makes it.
    const fn feature(self) -> Option<&'static str> {
        match self {
            Self::Chrome => None,
            Self::ChromeTest => Some("test-build"),
        }
    }
}

/// What was built.
pub struct Artefact {
    pub folder: PathBuf,
    /// SHA-256 over its files' names and contents.
    pub hash: String,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let mut steps = Steps::default();
    let done = setup::for_build(workspace, &mut steps)
        .and_then(|()| artefact(workspace, workspace, options.profile, &mut steps))
        .and_then(|first| {
            if options.twice {
                twice(workspace, options.profile, &first, &mut steps)?;
            }
            Ok(first)
        });
    match done {
        Ok(artefact) => {
            steps.finish()?;
            println!("{} {}", artefact.folder.display(), artefact.hash);
            Ok(())
        }
        Err(failure) => steps.stopped(failure),
    }
}

/// Builds the tree `source` with the tools of `workspace`.
pub fn artefact(
    workspace: &Workspace,
    source: &Workspace,
    profile: Profile,
    steps: &mut Steps,
) -> Outcome<Artefact> {
    let folder = source.path("dist").join(profile.folder());
    fresh_folder(&folder)?;
    for piece in PIECES {
        let compiled = steps.need(&format!("build: compile {}", piece.name), || {
            wasm::compile(source, piece, profile.feature())
        })?;
        steps.need(&format!("build: shrink {}", piece.name), || {
            let named = wasm::bind_and_shrink(
                workspace,
                source,
                piece,
                &compiled,
                profile.effort(),
                &folder,
            )?;
            println!("{}", sizes::by_crate(piece.name, &read_bytes(&named)?)?);
            Ok(())
        })?;
    }
    steps.need("build: assemble", || {
        files::copy(source, &folder)?;
        manifest(source, profile, &folder)?;
        inspect::files(source, &folder)?;
        let hash = hash::folder(&folder)?;
        println!("{}", sizes::of_files(&folder)?);
        println!("artefact {} {hash}", profile.folder());
        record(workspace, source, profile, &folder, &hash)?;
        if profile == Profile::Chrome {
            sizes::hold(&folder)?;
        }
        Ok(Artefact { folder, hash })
    })
}

/// The source manifest with the workspace's version. The test build's says what it is, and its
/// policy lets it reach this machine alone.
fn manifest(source: &Workspace, profile: Profile, folder: &Path) -> Outcome {
    let text = read(&source.path("manifest.json"))?;
    let mut manifest: serde_json::Map<String, Value> = serde_json::from_str(&text)
        .map_err(|e| crate::run::Failure::new(format!("manifest.json: {e}")))?;
    if manifest.contains_key("version") {
        return fail("manifest.json must have no version: the workspace's is filled in");
    }
    manifest.insert("version".to_owned(), json!(version(source)?));
    if profile == Profile::ChromeTest {
        manifest.insert("name".to_owned(), json!("Countersign (test build)"));
        let policy = &mut manifest["content_security_policy"]["extension_pages"];
        let narrowed = policy
            .as_str()
            .unwrap_or_default()
            .replacen(EVERYWHERE, "", 1);
        if policy.as_str() == Some(narrowed.as_str()) {
            return fail(format!(
                "the policy in manifest.json no longer has `{EVERYWHERE}`"
            ));
        }
        *policy = json!(narrowed);
    }
    let text = serde_json::to_string_pretty(&manifest)
        .map_err(|e| crate::run::Failure::new(format!("manifest.json: {e}")))?;
    write(&folder.join("manifest.json"), text + "\n")
}

/// The version that every shipped crate has from the workspace.
fn version(source: &Workspace) -> Outcome<String> {
    source.locked_version("countersign-extension")
}

/// Says how the artefact was made.
fn record(
    workspace: &Workspace,
    source: &Workspace,
    profile: Profile,
    folder: &Path,
    hash: &str,
) -> Outcome {
    let mut files = serde_json::Map::new();
    for name in files_below(folder)? {
        let content = read_bytes(&folder.join(&name))?;
        files.insert(
            name,
            json!({
                "bytes": content.len(),
                "gzip": sizes::gzip(&content)?,
                "sha256": hash::sha256(&content),
            }),
        );
    }
    let said = |program: &Path| -> Outcome<String> {
        Ok(Run::new(program)
            .arg("--version")
            .output()?
            .trim()
            .to_owned())
    };
    let record = json!({
        "artefact": profile.folder(),
        "version": version(source)?,
        "sha256": hash,
        "toolchain": Run::new("rustc").arg("-vV").folder(source.root()).output()?.trim(),
        "tools": {
            "wasm-bindgen": said(&workspace.tool("wasm-bindgen"))?,
            "wasm-opt": wasm::optimiser_version(workspace)?,
            "node, which runs wasm-opt": said(&crate::browser::node()?)?,
            "xtask": version(source)?,
        },
        "files": files,
    });
    let text = serde_json::to_string_pretty(&record)
        .map_err(|e| crate::run::Failure::new(format!("{}: {e}", profile.record())))?;
    write(&source.path("dist").join(profile.record()), text + "\n")
}

/// Builds a copy of the tree in another folder and compares.
fn twice(workspace: &Workspace, profile: Profile, first: &Artefact, steps: &mut Steps) -> Outcome {
    let copy = workspace.scratch("twice/another folder");
    fresh_folder(&copy)?;
    for name in workspace.files()? {
        write(&copy.join(&name), read_bytes(&workspace.path(&name))?)?;
    }
    let second = artefact(workspace, &Workspace::at(&copy), profile, steps)?;
    let names = files_below(&first.folder)?;
    if names != files_below(&second.folder)? {
        return fail("the two builds have different files");
    }
    for name in names {
        if read_bytes(&first.folder.join(&name))? != read_bytes(&second.folder.join(&name))? {
            return fail(format!("{name} differs between the two builds"));
        }
    }
    println!("both builds are equal: {}", second.hash);
    std::fs::remove_dir_all(&copy).ok();
    Ok(())
}
