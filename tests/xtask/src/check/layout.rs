//! What lies at the top of the tree, and what no file may name.

use super::{Finding, Tree};
use crate::run::Outcome;

const TOP: &[&str] = &[
    ".cargo",
    ".ci",
    ".gitignore",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "clippy.toml",
    "core",
    "extension",
    "manifest.json",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "tests",
    "ui",
];

/// First folders of paths that exist on one machine only.
const MACHINE_FOLDERS: &[&str] = &["Users", "home", "root", "tmp", "work"];

/// Hosts that serve packages, in two parts so that this file does not name them either. Cargo's
/// lock is the one file that must.
const REGISTRIES: &[(&str, &str)] = &[
    ("crates", ".io/"),
    ("debian", ".org/debian"),
    ("npmjs", ".org"),
    ("npmjs", ".com"),
    ("pypi", ".org"),
    ("pythonhosted", ".org"),
    ("yarnpkg", ".com"),
];

pub fn findings(tree: &Tree) -> Outcome<Vec<Finding>> {
    let mut found = Vec::new();
    for file in tree.files() {
        let top = file.split('/').next().unwrap_or(file);
        if !TOP.contains(&top) {
            found.push(Finding {
                rule: "top-level",
                at: top.to_owned(),
                says: "nothing lies at the top but what `TOP` in this rule lists".to_owned(),
            });
        }
        let Some(text) = tree.text(file)? else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            let at = format!("{file}:{}", number + 1);
            if let Some(path) = machine_path(line) {
                found.push(Finding {
                    rule: "machine-path",
                    at: at.clone(),
                    says: format!("`{path}` exists on one machine only"),
                });
            }
            let named = REGISTRIES
                .iter()
                .map(|(name, end)| format!("{name}{end}"))
                .find(|host| line.contains(host.as_str()));
            if let (Some(host), true) = (named, file != "Cargo.lock") {
                found.push(Finding {
                    rule: "registry-host",
                    at,
                    says: format!("`{host}`: no file names a registry's host"),
                });
            }
        }
    }
    found.dedup();
    Ok(found)
}

/// An absolute path below a folder that only one machine has.
fn machine_path(line: &str) -> Option<&str> {
    let bytes = line.as_bytes();
    for (at, _) in line.match_indices('/') {
        let starts = at == 0 || {
            let before = bytes[at - 1];
            !(before.is_ascii_alphanumeric() || b"._-/*}>$".contains(&before))
        };
        let rest = line.get(at + 1..)?;
        let named = MACHINE_FOLDERS.iter().find_map(|folder| {
            let inside = rest.strip_prefix(folder)?.strip_prefix('/')?;
            inside
                .starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.')
                .then_some(inside)
        });
        if starts && named.is_some() {
            let path = line.get(at..)?;
            let end = path.find(|c: char| c.is_whitespace() || "\"'`<>)".contains(c));
            return path.get(..end.unwrap_or(path.len()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_machines_only_from_the_root_and_below_a_named_folder() {
        let home = format!("/{}/ann/x", "home");
        assert_eq!(
            machine_path(&format!("see `{home}` there")),
            Some(home.as_str())
        );
        assert_eq!(
            machine_path(&format!("path = \"{home}\"")),
            Some(home.as_str())
        );
        for fine in [
            "a/home/b",
            "https://site.example/home/b",
            "/home",
            "/usr/bin/env bash",
        ] {
            assert_eq!(machine_path(fine), None, "{fine}");
        }
    }
}
