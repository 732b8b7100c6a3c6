//! Finding a browser that loads an unpacked extension, its driver, and Node.

use std::path::{Path, PathBuf};

use crate::run::{Outcome, Run, fail, on_path};
use crate::workspace::Workspace;

/// Set to the path of a browser to use that one.
pub const BROWSER_VARIABLE: &str = "COUNTERSIGN_CHROMIUM";

const BROWSERS: &[&str] = &["chromium", "chromium-browser", "chrome-for-testing"];
const MAC_BROWSERS: &[&str] = &[
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
];

/// Chromium or Chrome for Testing. Branded Chrome and snap packages are refused, with the reason.
pub fn chromium() -> Outcome<PathBuf> {
    if let Some(named) = std::env::var_os(BROWSER_VARIABLE) {
        let named = PathBuf::from(named);
        judge(&named)?;
        return Ok(named);
    }
    let found = BROWSERS
        .iter()
        .filter_map(|name| on_path(name))
        .chain(MAC_BROWSERS.iter().map(PathBuf::from))
        .find(|path| path.is_file());
    match found {
        Some(path) => {
            judge(&path)?;
            Ok(path)
        }
        None if on_path("google-chrome").is_some() => fail(BRANDED),
        None => fail(format!(
            "no Chromium found: install chromium or Chrome for Testing, or name one in \
             {BROWSER_VARIABLE}"
        )),
    }
}

const BRANDED: &str = "Google Chrome does not load an unpacked extension from its command line: \
                       install Chromium or Chrome for Testing";

fn judge(browser: &Path) -> Outcome {
    let version = version(browser)?;
    if version.contains("Google Chrome") && !version.contains("for Testing") {
        return fail(BRANDED);
    }
    let real = browser.canonicalize().unwrap_or_else(|_| browser.into());
    if version.contains("snap") || real.starts_with("/snap") {
        return fail(format!(
            "{} is a snap, which sees neither hidden folders nor the machine's temporary files: \
             install Chrome for Testing and name it in {BROWSER_VARIABLE}",
            browser.display()
        ));
    }
    Ok(())
}

/// The driver of this browser; its major version must be the browser's.
pub fn chromedriver(browser: &Path) -> Outcome<PathBuf> {
    let driver = std::env::var_os("CHROMEDRIVER")
        .map(PathBuf::from)
        .or_else(|| on_path("chromedriver"));
    let Some(driver) = driver else {
        return fail("no chromedriver found: install chromium-driver, or name one in CHROMEDRIVER");
    };
    let (theirs, ours) = (version(&driver)?, version(browser)?);
    if major(&theirs) != major(&ours) || major(&ours).is_none() {
        return fail(format!(
            "chromedriver and browser must be of one major version, but they are `{}` and `{}`",
            theirs.trim(),
            ours.trim()
        ));
    }
    Ok(driver)
}

/// The Node on the search path, 20 or newer.
pub fn node() -> Outcome<PathBuf> {
    at_least(on_path("node"), 20).map_or_else(
        || fail("no Node 20 or newer found: install Node.js with npm"),
        Ok,
    )
}

/// A Node 22 or newer: npm's package where there is one for this machine, else the one on the path.
pub fn node22(workspace: &Workspace) -> Outcome<PathBuf> {
    let packaged = workspace.npm_file(".bin/node");
    at_least(Some(packaged).filter(|node| node.is_file()), 22)
        .or_else(|| at_least(on_path("node"), 22))
        .map_or_else(
            || {
                fail(
                    "no Node 22 or newer found, and npm has none for this machine: install Node.js \
                     22 (the MCP conformance suite needs it)",
                )
            },
            Ok,
        )
}

fn at_least(node: Option<PathBuf>, wanted: u32) -> Option<PathBuf> {
    let node = node?;
    let version = Run::new(&node).arg("--version").output().ok()?;
    (major(version.trim().trim_start_matches('v'))? >= wanted).then_some(node)
}

fn version(program: &Path) -> Outcome<String> {
    Run::new(program).arg("--version").output()
}

/// The first number of a line like `Chromium 156.0.8078.108 built on Debian`.
fn major(version: &str) -> Option<u32> {
    version
        .split(|c: char| !c.is_ascii_digit())
        .find(|digits| !digits.is_empty())?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_the_first_number() {
        assert_eq!(major("Chromium 156.0.8078.108 built on Debian"), Some(156));
        assert_eq!(major("ChromeDriver 7.1 (abc)"), Some(7));
        assert_eq!(major("no number"), None);
    }
}
