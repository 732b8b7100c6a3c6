//! `demo`: an agent in a page pays through the extension, on a local network.

use clap::ValueEnum;

use crate::browser::{self, BROWSER_VARIABLE};
use crate::build::{self, Profile};
use crate::localnet;
use crate::report::Steps;
use crate::run::{Outcome, Run};
use crate::setup;
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
    let mut steps = Steps::default();
    let ready = setup::all(workspace, &mut steps).and_then(|()| {
        let artefact = build::artefact(workspace, workspace, Profile::Chrome, &mut steps)?;
        Ok((artefact, localnet::compile(workspace, &mut steps)?))
    });
    let (artefact, network) = match ready {
        Ok(ready) => ready,
        Err(failure) => return steps.stopped(failure),
    };
    println!();
    let mut script = Run::new(browser::node22(workspace)?)
        .arg(workspace.path("tests/demo/run.mjs"))
        .folder(workspace.root())
        .env(BROWSER_VARIABLE, browser::chromium()?)
        .env(localnet::VARIABLE, network);
    if options.headless {
        script = script.arg("--headless");
    }
    if let Some(broken) = options.broken {
        script = script.args(&["--break", broken.name()]);
    }
    script.arg(&artefact.folder).shown()
}
