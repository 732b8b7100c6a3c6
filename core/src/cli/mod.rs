//! `candid-profile`, the author's command: what a canister's interface and a profile become, before a
//! wallet meets them.
//!
//! It uses the same rooms as the wallet and leaves out some of the wallet's rules: trust, units that a
//! document states by itself, and which classes act. The words of the command line,
//! files and messages are all it adds; the machine is behind [`World`], so that every answer is a
//! function of what it was given.

mod args;
mod commands;
mod diagnostic;
mod load;
mod locate;
mod pages;

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser as _};
use serde_json::json;

use crate::time::Timestamp;
use args::{Command, CommandLine};
use diagnostic::Failure;

/// What the command needs of the machine it runs on.
pub trait World {
    /// The bytes of a file; `-` is the standard input.
    ///
    /// # Errors
    ///
    /// Why there are none, in the system's words.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String>;

    /// The time now, where no `--now` says another.
    fn now(&self) -> Timestamp;
}

/// What the command answers.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Answer {
    /// For the standard output.
    pub out: String,
    /// For the standard error.
    pub err: String,
    /// The exit code.
    pub code: u8,
}

/// The exit codes.
pub mod exit {
    /// Done, and nothing is wrong.
    pub const DONE: u8 = 0;
    /// Done, and the answer is no: errors in a profile, an input that is refused, bytes that are no
    /// value of the method.
    pub const NO: u8 = 1;
    /// The command line is wrong.
    pub const USAGE: u8 = 2;
    /// A file cannot be read, or is not what it should be.
    pub const FILE: u8 = 3;
}

/// Runs the command. The first of `args` is the program's own name.
pub fn run(args: impl IntoIterator<Item = OsString>, world: &mut dyn World) -> Answer {
    let args: Vec<_> = args.into_iter().collect();
    let json = args.iter().any(|arg| arg == "--json");
    let line = match CommandLine::try_parse_from(&args) {
        Ok(line) => line,
        Err(error) => return usage(&error, json),
    };
    let answer = match &line.command {
        Command::Resolve(args) => commands::resolve(args, line.json, world),
        Command::Lint(args) => commands::lint(args, line.json, world),
        Command::Tools(args) => commands::tools(args, line.json, world),
        Command::Read(args) => commands::read(args, line.json, world),
        Command::Show(args) => commands::show(args, line.json, world),
        Command::Classify(args) => commands::classify(args, line.json, world),
        Command::Completions { shell } => {
            let mut out = Vec::new();
            let mut command = CommandLine::command();
            clap_complete::generate(*shell, &mut command, "candid-profile", &mut out);
            Ok(Answer {
                out: String::from_utf8_lossy(&out).into_owned(),
                ..Answer::default()
            })
        }
    };
    answer.unwrap_or_else(|failure| failed(&failure, line.json))
}

/// Help and version, or what is wrong with the command line.
fn usage(error: &clap::Error, json: bool) -> Answer {
    let text = error.render().to_string();
    if !error.use_stderr() {
        return Answer {
            out: text,
            ..Answer::default()
        };
    }
    if !json {
        return Answer {
            err: text,
            code: exit::USAGE,
            ..Answer::default()
        };
    }
    let message = text.lines().next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let error = json!({ "errors": [{ "code": "E_USAGE", "message": message }] });
    Answer {
        out: pages::json_text(&error),
        code: exit::USAGE,
        ..Answer::default()
    }
}

fn failed(failure: &Failure, json: bool) -> Answer {
    let mut answer = Answer {
        code: failure.code,
        ..Answer::default()
    };
    if json {
        let errors: Vec<_> = failure.diagnostics.iter().map(|d| d.to_json()).collect();
        answer.out = pages::json_text(&json!({ "errors": errors }));
    } else {
        answer.err = diagnostic::page(&failure.diagnostics);
    }
    answer
}
