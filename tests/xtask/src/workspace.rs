//! Where things are: the source tree, cargo's target folder, the tools kept in it, and `dist`.

use std::path::{Path, PathBuf};

use crate::run::{Failure, Outcome, Run, fail};

/// A source tree and the folder that cargo builds it in.
#[derive(Clone, Debug)]
pub struct Workspace {
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// The workspace that this program was started in by `cargo xtask`.
    pub fn find() -> Outcome<Self> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .map(PathBuf::from)
            .ok_or_else(|| Failure::new("start this with `cargo xtask`"))?;
        let Some(root) = manifest.ancestors().nth(2) else {
            return fail("the crate xtask must lie in tests/xtask");
        };
        let root = root.to_path_buf();
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |folder| root.join(folder));
        Ok(Self { root, target })
    }

    /// Another tree with a target folder of its own inside it.
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            target: root.join("target"),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The path of a file of the tree.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A program of the npm project in `tests`.
    pub fn npm_file(&self, relative: &str) -> PathBuf {
        self.root.join("tests/node_modules").join(relative)
    }

    /// A folder for what a step makes and nobody keeps: in the tree, even where the target folder
    /// is one that several trees share.
    pub fn scratch(&self, name: &str) -> PathBuf {
        self.root.join("target").join(name)
    }

    /// Where `setup` installs programs made by cargo.
    pub fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    pub fn tool(&self, name: &str) -> PathBuf {
        self.tools().join("bin").join(name)
    }

    /// Cargo, in this tree and its target folder.
    pub fn cargo(&self, arguments: &[&str]) -> Run {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut run = Run::new(cargo)
            .args(arguments)
            .folder(&self.root)
            .env("CARGO_TARGET_DIR", &self.target);
        // What `cargo run` sets about the crate xtask must not reach other crates' builds.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                run = run.without_env(&text);
            }
        }
        run
    }

    /// The version of a package in `Cargo.lock`; refused when there is none or more than one.
    pub fn locked_version(&self, package: &str) -> Outcome<String> {
        let lock = crate::run::read(&self.path("Cargo.lock"))?;
        let mut found = Vec::new();
        let mut lines = lock.lines();
        while let Some(line) = lines.next() {
            if line == format!("name = \"{package}\"") {
                let version = lines
                    .next()
                    .and_then(|next| next.strip_prefix("version = \""))
                    .and_then(|rest| rest.strip_suffix('"'));
                found.extend(version.map(str::to_owned));
            }
        }
        match found.as_slice() {
            [one] => Ok(one.clone()),
            [] => fail(format!("{package} is not in Cargo.lock")),
            more => fail(format!(
                "Cargo.lock has {package} more than once: {}",
                more.join(", ")
            )),
        }
    }

    /// The files that belong to the project, relative to its root, sorted: what git tracks or
    /// would track.
    pub fn files(&self) -> Outcome<Vec<String>> {
        let listed = Run::new("git")
            .args(&[
                "ls-files",
                "--cached",
                "--others",
                "--exclude-standard",
                "-z",
            ])
            .folder(&self.root)
            .output()?;
        let mut files: Vec<String> = listed
            .split('\0')
            .filter(|file| !file.is_empty() && self.root.join(file).is_file())
            .map(str::to_owned)
            .collect();
        files.sort();
        files.dedup();
        Ok(files)
    }
}
