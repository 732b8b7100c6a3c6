//! What a shipped file must not contain: a path of a machine, or an import of an unknown kind.

use std::path::Path;
use wasmparser::{Parser, Payload};

use super::wasm::{Piece, machine_folders};
use crate::run::{Failure, Outcome, fail, files_below, read_bytes};
use crate::workspace::Workspace;

/// Folders at the root of common machines, where a path begins.
const ROOTS: &[&str] = &[
    "build", "builds", "mnt", "nix", "opt", "private", "tmp", "usr", "var", "work",
];

/// Those that are told anywhere: texts in a module follow each other without a mark between them.
const HOMES: &[&str] = &["Users", "home", "root"];

/// What the compiler's makers put in place of their paths: no path of a machine.
const COMPILERS: &[&str] = &["/rust/deps/", "/rustc/"];

/// Refuses an artefact that has an absolute path in one of its files.
pub fn files(source: &Workspace, folder: &Path) -> Outcome {
    let machine: Vec<String> = machine_folders(source)?
        .into_iter()
        .map(|(folder, _)| folder.display().to_string())
        .collect();
    let mut found = Vec::new();
    for name in files_below(folder)? {
        for path in paths(&read_bytes(&folder.join(&name))?, &machine) {
            found.push(format!("{name}: {path}"));
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    fail(format!(
        "absolute paths in shipped files:\n{}",
        found.join("\n")
    ))
}

/// The absolute paths in some bytes: those below the given folders or a person's home, those that
/// begin in a common root, and those that end in `.rs`.
fn paths(bytes: &[u8], machine: &[String]) -> Vec<String> {
    let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+@".contains(byte);
    let rooted = |name: &&str| format!("/{name}/");
    let roots: Vec<String> = ROOTS.iter().map(rooted).collect();
    let homes: Vec<String> = HOMES.iter().map(rooted).collect();
    let mut found = Vec::new();
    for run in bytes.split(|byte| !is_path(byte)) {
        let text = String::from_utf8_lossy(run);
        let anywhere = machine.iter().chain(&homes).map(String::as_str);
        let begins = roots.iter().any(|root| text.starts_with(root.as_str()))
            || (text.starts_with('/')
                && text.ends_with(".rs")
                && !COMPILERS.iter().any(|start| text.starts_with(start)));
        let at = anywhere
            .filter_map(|start| text.find(start))
            .chain(begins.then_some(0))
            .min();
        if let Some(path) = at.and_then(|at| text.get(at..)) {
            found.push(path.chars().take(200).collect());
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Refuses wasm that imports anything but wasm-bindgen's functions.
pub fn imports(piece: &Piece, wasm: &[u8]) -> Outcome {
    let modules = [format!("./{}_bg.js", piece.name), "wbg".to_owned()];
    let mut foreign = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ImportSection(section) = payload.map_err(unreadable)? {
            for import in section.into_imports() {
                let import = import.map_err(unreadable)?;
                let known = modules.iter().any(|module| module == import.module)
                    && (import.name.starts_with("__wbg_")
                        || import.name.starts_with("__wbindgen_"));
                if !known {
                    foreign.push(format!("{} {}", import.module, import.name));
                }
            }
        }
    }
    if foreign.is_empty() {
        return Ok(());
    }
    fail(format!(
        "{}.wasm imports what is not wasm-bindgen's: {}",
        piece.name,
        foreign.join(", ")
    ))
}

/// The same module without names, producers and the like.
pub fn without_custom_sections(wasm: &[u8]) -> Outcome<Vec<u8>> {
    let mut kept = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload.map_err(unreadable)?;
        if let Payload::Version { range, .. } = &payload {
            kept.extend_from_slice(slice(wasm, range)?);
        }
        if matches!(payload, Payload::CustomSection(_)) {
            continue;
        }
        if let Some((id, range)) = payload.as_section() {
            kept.push(id);
            let mut length = range.len();
            loop {
                let low = u8::try_from(length & 0x7f).unwrap_or(0);
                length >>= 7;
                kept.push(if length == 0 { low } else { low | 0x80 });
                if length == 0 {
                    break;
                }
            }
            kept.extend_from_slice(slice(wasm, &range)?);
        }
    }
    Ok(kept)
}

fn slice<'a>(wasm: &'a [u8], range: &std::ops::Range<usize>) -> Outcome<&'a [u8]> {
    wasm.get(range.clone())
        .ok_or_else(|| Failure::new("a section of the wasm ends outside it"))
}

pub fn unreadable(error: wasmparser::BinaryReaderError) -> Failure {
    Failure::new(format!("the wasm cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_the_builder_is_found_inside_other_bytes() {
        let path = format!("/{}/ann/x/src/a.rs", "home");
        let mut bytes = b"\x00\x01src/lib.rs\x00".to_vec();
        bytes.extend(path.bytes());
        bytes.extend(b"\xffgood");
        assert_eq!(paths(&bytes, &[]), [path]);
    }

    #[test]
    fn a_path_below_a_folder_of_this_machine_is_found_whatever_it_is_called() {
        let machine = ["/elsewhere".to_owned()];
        assert_eq!(paths(b"x=/elsewhere/cargo", &machine), ["/elsewhere/cargo"]);
    }

    #[test]
    fn relative_paths_addresses_and_the_compilers_own_paths_are_let_be() {
        for text in [
            "cargo/registry/src/a-1.0/src/private/de.rs",
            "target/wasm32-unknown-unknown/release/build/a-0be5/out/grammar.rs",
            "/rust/deps/dlmalloc-0.2.11/src/dlmalloc.rs",
            "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/fmt/mod.rs",
            "/api/v4/canister/x/call",
        ] {
            assert!(paths(text.as_bytes(), &[]).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_home_is_found_in_the_middle_of_other_text() {
        let path = format!("/{}/ann/x", "home");
        assert_eq!(paths(format!("src/lib.rs{path}").as_bytes(), &[]), [path]);
    }

    #[test]
    fn any_absolute_path_of_a_source_file_is_found() {
        assert_eq!(paths(b"/strange/a.rs", &[]), ["/strange/a.rs"]);
    }

    /// A module with one import of a function without arguments.
    fn importing(module: &str, name: &str) -> Vec<u8> {
        let mut wasm = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02".to_vec();
        let length = |text: &str| u8::try_from(text.len()).unwrap();
        wasm.push(length(module) + length(name) + 5);
        wasm.push(1);
        wasm.push(length(module));
        wasm.extend(module.bytes());
        wasm.push(length(name));
        wasm.extend(name.bytes());
        wasm.extend([0, 0]);
        wasm
    }

    const WORKER: Piece = Piece {
        package: "p",
        name: "worker",
    };

    #[test]
    fn an_import_of_another_module_is_refused_and_named() {
        assert!(imports(&WORKER, &importing("./worker_bg.js", "__wbg_a_1")).is_ok());
        let refused = imports(&WORKER, &importing("env", "now")).unwrap_err();
        assert!(refused.to_string().contains("env now"));
        assert!(imports(&WORKER, &importing("./worker_bg.js", "fetch")).is_err());
    }

    #[test]
    fn custom_sections_are_dropped_and_nothing_else() {
        let plain = importing("wbg", "__wbg_a_1");
        let mut with_names = plain.clone();
        with_names.extend(b"\x00\x05\x04name");
        assert_eq!(without_custom_sections(&with_names).unwrap(), plain);
    }
}
