//! Programs and fonts that come with the operating system.

use std::path::Path;

use crate::browser;
use crate::run::{Outcome, Run, fail, on_path, read};

const PACKAGES: &[&str] = &[
    "chromium",
    "chromium-driver",
    "xvfb",
    "openbox",
    "fonts-noto-cjk",
    "fonts-noto-color-emoji",
];

/// As root on Debian or Ubuntu, installs what is missing by apt; elsewhere says in one line what to
/// install. What is needed without exception is judged by the caller.
pub fn packages() -> Outcome {
    let missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    if !(is_debian() && is_root()) {
        println!(
            "install if you can: {} (Debian's names; without a browser and its driver nothing is \
             tested)",
            missing.join(" ")
        );
        return Ok(());
    }
    let apt = |arguments: &[&str]| {
        Run::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .shown()
    };
    apt(&["update", "--quiet"])?;
    let mut install = vec!["install", "--yes", "--quiet", "--no-install-recommends"];
    install.extend(&missing);
    apt(&install)
}

/// What a browser that is not headless needs, where nobody sits before it.
const SCREEN: &[(&str, &str)] = &[("Xvfb", "xvfb"), ("openbox", "openbox")];

/// Whether there is a screen for such a browser, with a window manager.
pub fn screen() -> Outcome {
    let missing: Vec<&str> = SCREEN
        .iter()
        .filter(|(program, _)| on_path(program).is_none())
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    fail(format!(
        "on a real screen nothing can be tested without {} (Debian's names): install it",
        missing.join(" and ")
    ))
}

fn missing() -> Vec<&'static str> {
    PACKAGES
        .iter()
        .copied()
        .filter(|package| match *package {
            "chromium" => browser::chromium().is_err(),
            "chromium-driver" => {
                on_path("chromedriver").is_none() && std::env::var_os("CHROMEDRIVER").is_none()
            }
            "xvfb" => cfg!(target_os = "linux") && on_path("Xvfb").is_none(),
            "openbox" => cfg!(target_os = "linux") && on_path("openbox").is_none(),
            font => is_debian() && !installed(font),
        })
        .collect()
}

fn installed(package: &str) -> bool {
    Run::new("dpkg-query")
        .args(&["--show", "--showformat=${db:Status-Status}", package])
        .output()
        .is_ok_and(|status| status.trim() == "installed")
}

fn is_debian() -> bool {
    read(Path::new("/etc/os-release")).is_ok_and(|text| {
        text.lines().any(|line| {
            let line = line.replace('"', "");
            line == "ID=debian" || line == "ID=ubuntu" || line.starts_with("ID_LIKE=debian")
        })
    })
}

fn is_root() -> bool {
    Run::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|id| id.trim() == "0")
}
