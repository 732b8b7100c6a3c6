//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::tools::Dialect;

const CODES: &str = "\
Exit codes:
  0  done
  1  done, and the answer is no: a profile with errors, a refused input, bytes that do not decode
  2  the command line is wrong
  3  a file cannot be read, or is not what it should be

A file that is `-` is read from the standard input. The format of profiles: core/PROFILE.md.";

/// What a canister's interface and its profiles become: tools, calls, previews, outcomes.
#[derive(Debug, Parser)]
#[command(name = "candid-profile", version, after_help = CODES)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub(super) command: Command,

    /// Answer in JSON, errors too.
    #[arg(long, global = true)]
    pub(super) json: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Merge profiles over an interface: the resolved form (candid-profile-resolved, version 0).
    Resolve(Sources),
    /// Say what is wrong with profiles over an interface.
    Lint(Sources),
    /// The tools an interface gives, as a model reads them, and the methods that have none.
    Tools(ToolsArgs),
    /// Read a tool's input: the exact call it becomes, or everything that is wrong with it.
    Read(ReadArgs),
    /// Show the arguments in the bytes of a call as a person sees them.
    Show(ShowArgs),
    /// Say what a reply means for the call that asked for it.
    Classify(ClassifyArgs),
    /// Write a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// What is merged.
#[derive(Args, Debug)]
pub(super) struct Sources {
    /// The interface: one flat Candid file, or `-`.
    #[arg(value_name = "FILE.did")]
    pub(super) interface: String,

    /// Merge the built-in profiles first.
    #[arg(long)]
    pub(super) packs: bool,

    /// A profile, merged over the ones before it; may be given several times.
    #[arg(long = "profile", value_name = "P.json")]
    pub(super) profiles: Vec<String>,
}

/// The canisters that have the interface.
#[derive(Args, Debug)]
pub(super) struct Canisters {
    /// A canister with the interface, and what to call it; may be given several times. Without it
    /// `aaaaa-aa` stands for one.
    #[arg(long = "canister", value_name = "ID=LABEL")]
    pub(super) canisters: Vec<String>,

    /// Replies of queries that a profile refers to: `{"query:icrc1_decimals": 8, …}` for all
    /// canisters, or an object of such objects by canister id.
    #[arg(long, value_name = "R.json")]
    pub(super) refs: Option<String>,
}

#[derive(Args, Debug)]
pub(super) struct ToolsArgs {
    #[command(flatten)]
    pub(super) sources: Sources,

    #[command(flatten)]
    pub(super) canisters: Canisters,

    /// How definitions are written.
    #[arg(long, value_enum, default_value = "full")]
    pub(super) dialect: DialectWord,
}

#[derive(Args, Debug)]
pub(super) struct ReadArgs {
    #[command(flatten)]
    pub(super) sources: Sources,

    #[command(flatten)]
    pub(super) canisters: Canisters,

    /// The tool's name, in either dialect.
    #[arg(long, value_name = "NAME")]
    pub(super) tool: String,

    /// The tool's input, a JSON object. `canister_id` may be left out where there is one canister.
    #[arg(long, value_name = "JSON")]
    pub(super) input: String,

    /// Names that may stand for values: `{"account": [{"name": "Main", "value": "1"}, …], …}` by set.
    #[arg(long, value_name = "N.json")]
    pub(super) names: Option<String>,

    /// The canister's clock, in nanoseconds since 1970; the machine's own without it.
    #[arg(long, value_name = "NS")]
    pub(super) now: Option<u64>,
}

#[derive(Args, Debug)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    pub(super) sources: Sources,

    #[command(flatten)]
    pub(super) canisters: Canisters,

    /// The method that is called.
    #[arg(long, value_name = "NAME")]
    pub(super) method: String,

    /// The bytes of its arguments, in hexadecimal.
    #[arg(long, value_name = "HEX")]
    pub(super) arg_hex: String,
}

#[derive(Args, Debug)]
pub(super) struct ClassifyArgs {
    #[command(flatten)]
    pub(super) sources: Sources,

    #[command(flatten)]
    pub(super) canisters: Canisters,

    /// The method that was called.
    #[arg(long, value_name = "NAME")]
    pub(super) method: String,

    /// The case that it was called with, where each case has its own tool.
    #[arg(long, value_name = "CASE")]
    pub(super) case: Option<String>,

    /// The bytes of its reply, in hexadecimal.
    #[arg(long, value_name = "HEX")]
    pub(super) reply_hex: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum DialectWord {
    /// Patterns, closed objects, alternatives.
    Full,
    /// Only what every host takes.
    Portable,
}

impl From<DialectWord> for Dialect {
    fn from(word: DialectWord) -> Self {
        match word {
            DialectWord::Full => Self::Full,
            DialectWord::Portable => Self::Portable,
        }
    }
}
