//! `demo`: an agent in a page pays through the extension, on a local network.

use clap::ValueEnum;

use crate::run::Outcome;
use crate::script;
use crate::workspace::Workspace;

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Do all of it without a display, print each step, and take screenshots to target/demo.
    #[arg(long)]
    headless: bool,
    /// Let something go wrong, so that the demo must fail.
    #[arg(long = "break", value_enum, requires = "headless")]
    broken: Option<Broken>,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Broken {
    /// The person declines.
    Decline,
    /// The network takes no call and answers no read.
    Drop,
    /// The network's answers are signed wrongly.
    Badsig,
}

impl Broken {
    const fn name(self) -> &'static str {
        match self {
            Self::Decline => "decline",
            Self::Drop => "drop",
            Self::Badsig => "badsig",
        }
    }
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let mut script = script::ready(workspace, "tests/demo/run.mjs")?;
    if options.headless {
        script = script.arg("--headless");
    }
    if let Some(broken) = options.broken {
        script = script.args(&["--break", broken.name()]);
    }
    script.shown()
}
