//! The scripts that drive the packed extension in a real browser, on the local network.

use crate::browser::{self, BROWSER_VARIABLE};
use crate::build::{self, Profile};
use crate::localnet;
use crate::report::Steps;
use crate::run::{Outcome, Run};
use crate::setup;
use crate::workspace::Workspace;

/// Makes ready what such a script needs, and the script with the folder of the extension as its
/// first argument.
pub fn ready(workspace: &Workspace, script: &str) -> Outcome<Run> {
    let mut steps = Steps::default();
    let made = setup::all(workspace, &mut steps).and_then(|()| {
        let artefact = build::artefact(workspace, workspace, Profile::Chrome, &mut steps)?;
        Ok((artefact, localnet::compile(workspace, &mut steps)?))
    });
    let (artefact, network) = match made {
        Ok(made) => made,
        Err(failure) => return steps.stopped(failure),
    };
    println!();
    Ok(Run::new(browser::node22(workspace)?)
        .arg(workspace.path(script))
        .folder(workspace.root())
        .env(BROWSER_VARIABLE, browser::chromium()?)
        .env(localnet::VARIABLE, network)
        .arg(&artefact.folder))
}
