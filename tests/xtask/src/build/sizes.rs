//! How large the artefact is, and which crates make it so.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use wasmparser::{KnownCustom, Name, Parser, Payload};

use super::inspect::unreadable;
use crate::run::{Failure, Outcome, fail, files_below, read_bytes};

/// How many crates the table names.
const ROWS: usize = 20;

/// What a file may weigh, in bytes after gzip.
struct Budget {
    file: &'static str,
    /// What the design aims at.
    target: usize,
    /// What was reached: a build above it fails. It goes down with the file, and up only with a
    /// reason in the commit.
    limit: usize,
}

const BUDGETS: &[Budget] = &[
    Budget {
        file: "worker.wasm",
        target: 600_000,
        limit: 1_100_000,
    },
    Budget {
        file: "ui.wasm",
        target: 200_000,
        limit: 300_000,
    },
    Budget {
        file: "content.js",
        target: 6_000,
        limit: 6_000,
    },
];

impl Budget {
    fn note(&self, packed: usize) -> String {
        let Self { target, limit, .. } = self;
        match packed.saturating_sub(*target) {
            0 => format!("  (target {target})"),
            over => format!("  (target {target}, {over} over it; limit {limit})"),
        }
    }
}

/// The length of some bytes after gzip at its highest level.
pub fn gzip(bytes: &[u8]) -> Outcome<usize> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .map(|packed| packed.len())
        .map_err(|e| Failure::new(format!("gzip: {e}")))
}

/// A table of an artefact's files.
pub fn of_files(folder: &Path) -> Outcome<String> {
    let mut table = format!("{:<28} {:>10} {:>10}\n", "file", "bytes", "gzip");
    for name in files_below(folder)? {
        let content = read_bytes(&folder.join(&name))?;
        let packed = gzip(&content)?;
        let note = BUDGETS
            .iter()
            .find(|budget| budget.file == name)
            .map_or(String::new(), |budget| budget.note(packed));
        table.push_str(&format!(
            "{name:<28} {:>10} {packed:>10}{note}\n",
            content.len()
        ));
    }
    Ok(table)
}

/// Fails where a file of an artefact is above its limit.
pub fn hold(folder: &Path) -> Outcome {
    let mut above = Vec::new();
    for Budget { file, limit, .. } in BUDGETS {
        let packed = gzip(&read_bytes(&folder.join(file))?)?;
        if packed > *limit {
            above.push(format!(
                "{file} has {packed} bytes after gzip, limit {limit}"
            ));
        }
    }
    if above.is_empty() {
        Ok(())
    } else {
        fail(above.join("; "))
    }
}

/// A table of the crates whose functions make up a module that names them.
pub fn by_crate(module: &str, wasm: &[u8]) -> Outcome<String> {
    let (mut imported, mut bodies, mut names, mut data) = (0, Vec::new(), BTreeMap::new(), 0);
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.map_err(unreadable)? {
            Payload::ImportSection(section) => imported = section.into_imports().count(),
            Payload::CodeSectionEntry(body) => bodies.push(body.range().len()),
            Payload::DataSection(section) => data = section.range().len(),
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(section) = section.as_known() {
                    for name in section {
                        if let Name::Function(map) = name.map_err(unreadable)? {
                            for naming in map {
                                let naming = naming.map_err(unreadable)?;
                                names.insert(naming.index as usize, naming.name);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let mut crates: BTreeMap<String, usize> = BTreeMap::new();
    for (index, length) in bodies.iter().enumerate() {
        let owner = names
            .get(&(imported + index))
            .map_or("(unnamed)".to_owned(), |name| owner(name));
        *crates.entry(owner).or_default() += length;
    }
    crates.insert("(data)".to_owned(), data);
    let total: usize = crates.values().sum();
    let mut rows: Vec<(String, usize)> = crates.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let rest: usize = rows.iter().skip(ROWS).map(|row| row.1).sum();
    rows.truncate(ROWS);
    if rest > 0 {
        rows.push(("(others)".to_owned(), rest));
    }
    let mut table = format!("{module}.wasm by crate{:>24}\n", "bytes");
    for (name, length) in rows {
        let share = length as f64 * 100.0 / total.max(1) as f64;
        table.push_str(&format!("{name:<32} {length:>10} {share:>5.1} %\n"));
    }
    Ok(table)
}

/// The crate that a function belongs to, by its name. A trait's method belongs to the type's crate,
/// or to the trait's where the type is a built-in one.
fn owner(name: &str) -> String {
    let name = format!("{:#}", rustc_demangle::demangle(name));
    let (of, by) = match name
        .strip_prefix('<')
        .and_then(|rest| rest.split_once(" as "))
    {
        Some((of, by)) => (of.to_owned(), Some(by.to_owned())),
        None => (name.trim_start_matches('<').to_owned(), None),
    };
    let first = |path: &str| -> Option<String> {
        let path = path
            .trim_start_matches(|c: char| "&*([<".contains(c))
            .trim_start_matches("mut ")
            .trim_start_matches("const ")
            .trim_start_matches("dyn ");
        let (head, _) = path.split_once("::")?;
        let plain = !head.is_empty() && head.chars().all(|c| c.is_alphanumeric() || c == '_');
        plain.then(|| head.to_owned())
    };
    first(&of)
        .or_else(|| by.as_deref().and_then(first))
        .unwrap_or_else(|| "(no crate)".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_above_its_target_says_by_how_much_and_what_its_limit_is() {
        let budget = Budget {
            file: "a",
            target: 10,
            limit: 20,
        };
        assert_eq!(budget.note(10), "  (target 10)");
        assert_eq!(budget.note(13), "  (target 10, 3 over it; limit 20)");
    }

    #[test]
    fn a_function_belongs_to_its_types_crate_and_else_to_the_traits() {
        for (name, crate_name) in [
            ("candid::de::IDLDeserialize::new", "candid"),
            (
                "<alloc::vec::Vec<T> as serde::Serialize>::serialize",
                "alloc",
            ),
            ("<u8 as serde::Serialize>::serialize", "serde"),
            (
                "<&mut dyn core::fmt::Write as core::fmt::Write>::write_str",
                "core",
            ),
            ("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core"),
            ("memcpy", "(no crate)"),
        ] {
            assert_eq!(owner(name), crate_name, "{name}");
        }
    }
}
