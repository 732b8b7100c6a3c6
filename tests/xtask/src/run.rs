//! Starting other programs, and saying in one sentence what went wrong.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// Why a verb did not do what it was asked: a sentence for a person.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

impl Failure {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

pub type Outcome<T = ()> = Result<T, Failure>;

/// An error with this sentence.
pub fn fail<T>(sentence: impl Into<String>) -> Outcome<T> {
    Err(Failure::new(sentence))
}

/// What another program printed, and how it ended.
pub struct Finished {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

/// Another program, about to be started.
#[derive(Debug)]
pub struct Run {
    command: Command,
    name: String,
}

impl Run {
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let name = Path::new(program.as_ref())
            .file_name()
            .unwrap_or(program.as_ref())
            .to_string_lossy()
            .into_owned();
        let mut command = Command::new(program);
        command.stdin(Stdio::null());
        Self { command, name }
    }

    pub fn args<S: AsRef<OsStr>>(mut self, arguments: &[S]) -> Self {
        for argument in arguments {
            if self.name.len() < 120 {
                self.name.push(' ');
                self.name.push_str(&argument.as_ref().to_string_lossy());
            }
            self.command.arg(argument);
        }
        self
    }

    pub fn arg(self, argument: impl AsRef<OsStr>) -> Self {
        self.args(&[argument])
    }

    pub fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Runs it with its output shown. Anything but exit code 0 is a failure.
    pub fn shown(mut self) -> Outcome {
        let status = self.command.status().map_err(|e| self.not_started(&e))?;
        self.judge(status, "")
    }

    /// Runs it and gives what it printed to standard output. Anything but exit code 0 is a failure
    /// that carries the end of what it printed to standard error.
    pub fn output(self) -> Outcome<String> {
        let (name, finished) = (self.name.clone(), self.finished()?);
        if finished.status.success() {
            return Ok(finished.stdout);
        }
        let printed = if finished.stderr.trim().is_empty() {
            finished.stdout
        } else {
            finished.stderr
        };
        fail(format!("`{name}` failed:\n{}", tail(&printed, 60)))
    }

    /// Runs it and gives all it printed and how it ended.
    pub fn finished(mut self) -> Outcome<Finished> {
        let output = self.command.output().map_err(|e| self.not_started(&e))?;
        Ok(Finished {
            status: output.status,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Runs it with standard error shown, handing each line of standard output to `each`.
    pub fn lines(mut self, mut each: impl FnMut(&str)) -> Outcome<ExitStatus> {
        use std::io::BufRead as _;
        self.command.stdout(Stdio::piped());
        let mut child = self.command.spawn().map_err(|e| self.not_started(&e))?;
        if let Some(out) = child.stdout.take() {
            for line in std::io::BufReader::new(out).split(b'\n') {
                let line = line.map_err(|e| Failure::new(format!("`{}`: {e}", self.name)))?;
                each(String::from_utf8_lossy(&line).trim_end_matches('\r'));
            }
        }
        child
            .wait()
            .map_err(|e| Failure::new(format!("`{}`: {e}", self.name)))
    }

    /// Whether it starts and ends with exit code 0; its output is dropped.
    pub fn succeeds(mut self) -> bool {
        self.command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("`{}` could not be started: {error}", self.name))
    }

    fn judge(&self, status: ExitStatus, printed: &str) -> Outcome {
        if status.success() {
            return Ok(());
        }
        fail(format!("`{}` failed ({status}){printed}", self.name))
    }
}

/// The last lines of a text.
pub fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// Where a program of this name lies on the search path.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

pub fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).map_err(|e| about(path, &e))
}

pub fn read_bytes(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|e| about(path, &e))
}

/// Writes a file and the folders it lies in.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Outcome {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| about(folder, &e))?;
    }
    std::fs::write(path, content).map_err(|e| about(path, &e))
}

/// Makes a folder that is empty.
pub fn fresh_folder(path: &Path) -> Outcome {
    if path.exists() {
        std::fs::remove_dir_all(path).map_err(|e| about(path, &e))?;
    }
    std::fs::create_dir_all(path).map_err(|e| about(path, &e))
}

/// All files below a folder, relative to it with `/` between names, sorted.
pub fn files_below(folder: &Path) -> Outcome<Vec<String>> {
    fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) -> Outcome {
        for entry in std::fs::read_dir(folder).map_err(|e| about(folder, &e))? {
            let entry = entry.map_err(|e| about(folder, &e))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), found)?;
            } else {
                found.push(name);
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    walk(folder, "", &mut found)?;
    found.sort();
    Ok(found)
}

fn about(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}
