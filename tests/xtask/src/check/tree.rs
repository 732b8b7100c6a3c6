//! The files that rules look at: the project's, or those of a fixture.

use std::path::{Path, PathBuf};

use super::source::Source;
use crate::run::{Failure, Outcome, files_below, read_bytes};
use crate::workspace::Workspace;

/// Trees that break rules on purpose.
pub const FIXTURES: &str = "tests/check/";

/// A folder and the names of the files in it that count, with `/` between folders.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    files: Vec<String>,
}

impl Tree {
    /// The project's own files, but for those that break rules on purpose.
    pub fn of(workspace: &Workspace) -> Outcome<Self> {
        let mut files = workspace.files()?;
        files.retain(|file| !file.starts_with(FIXTURES));
        Ok(Self {
            root: workspace.root().to_path_buf(),
            files,
        })
    }

    /// Every file below a folder.
    pub fn at(root: &Path) -> Outcome<Self> {
        Ok(Self {
            root: root.to_path_buf(),
            files: files_below(root)?,
        })
    }

    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    pub fn has(&self, file: &str) -> bool {
        self.files.iter().any(|have| have == file)
    }

    /// A file's text; `None` where it is not text.
    pub fn text(&self, file: &str) -> Outcome<Option<String>> {
        Ok(String::from_utf8(read_bytes(&self.root.join(file))?).ok())
    }

    /// Every Rust file, read as tokens.
    pub fn sources(&self) -> Outcome<Vec<Source>> {
        let rust = self.files().filter(|file| file.ends_with(".rs"));
        rust.map(|file| {
            let text = self
                .text(file)?
                .ok_or_else(|| Failure::new(format!("{file} is not text")))?;
            Source::read(file, &text)
        })
        .collect()
    }
}
