//! From a shipped crate to its wasm and the JavaScript that loads it.

use std::path::{Path, PathBuf};

use crate::run::{Failure, Outcome, Run, fail, files_below, fresh_folder, read, read_bytes, write};
use crate::setup::npm;
use crate::workspace::Workspace;

/// A crate that is shipped as a wasm module: `<name>.wasm`, loaded by `<name>_glue.js`.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub package: &'static str,
    pub name: &'static str,
}

pub const PIECES: &[Piece] = &[
    Piece {
        package: "countersign-extension",
        name: "worker",
    },
    Piece {
        package: "countersign-ui",
        name: "ui",
    },
];

/// What the compiler may emit; wasm-opt must know of it.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-extended-const",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// A function with one caller stays a function: built into its caller, which has others like it, it
/// is no longer like any of them, and gzip finds less that repeats (a tenth of the pages).
const APART: &str = "--one-caller-inline-max-function-size=0";

/// Compiles a piece for release, alone, and gives the path of the wasm. The worker must have the
/// feature; the pages need not differ.
pub fn compile(source: &Workspace, piece: &Piece, feature: Option<&str>) -> Outcome<PathBuf> {
    let mut cargo = source
        .cargo(&["build", "--release", "--locked", "--lib"])
        .args(&[
            "--target",
            "wasm32-unknown-unknown",
            "--package",
            piece.package,
        ]);
    if let Some(feature) = feature {
        let declared = features(source, piece)?.iter().any(|have| have == feature);
        if declared {
            cargo = cargo.args(&["--features", feature]);
        } else if piece.name == "worker" {
            return fail(format!("{} has no feature {feature}", piece.package));
        }
    }
    // Settings of the caller's shell would make other bytes.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PROFILE_") || name.contains("RUSTFLAGS") {
            cargo = cargo.without_env(&name);
        }
    }
    cargo
        .without_env("CARGO_BUILD_RUSTFLAGS")
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_ENCODED_RUSTFLAGS", flags(source)?.join("\u{1f}"))
        .shown()?;
    Ok(source
        .target()
        .join("wasm32-unknown-unknown/release")
        .join(format!("{}.wasm", piece.package.replace('-', "_"))))
}

/// The features that a piece's crate declares.
fn features(source: &Workspace, piece: &Piece) -> Outcome<Vec<String>> {
    let metadata: serde_json::Value = serde_json::from_str(
        &source
            .cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"])
            .output()?,
    )
    .map_err(|e| Failure::new(format!("cargo metadata: {e}")))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    Ok(packages
        .filter(|package| package["name"] == piece.package)
        .filter_map(|package| package["features"].as_object())
        .flat_map(|features| features.keys().cloned())
        .collect())
}

/// All compiler flags: the same for every piece, so that what they share is compiled once.
fn flags(source: &Workspace) -> Outcome<Vec<String>> {
    let mut flags = remap(source)?;
    // Leptos then makes one kind of view of each component, not a type of its own for each tree of
    // elements: the pages' module is a quarter smaller.
    flags.push("--cfg=erase_components".to_owned());
    Ok(flags)
}

/// Compiler flags that replace this machine's folders by names of ours. The last that matches
/// counts, so the narrower follow the wider.
fn remap(source: &Workspace) -> Outcome<Vec<String>> {
    Ok(machine_folders(source)?
        .into_iter()
        .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
        .collect())
}

/// The folders of this machine that a compiler may write into what it compiles.
pub fn machine_folders(source: &Workspace) -> Outcome<Vec<(PathBuf, &'static str)>> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let cargo = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| home.map(|home| home.join(".cargo")))
        .ok_or_else(|| Failure::new("neither CARGO_HOME nor HOME is set"))?;
    let sysroot = Run::new("rustc")
        .args(&["--print", "sysroot"])
        .folder(source.root())
        .output()?;
    Ok(vec![
        (cargo, "cargo"),
        (PathBuf::from(sysroot.trim()), "rust"),
        (source.root().to_path_buf(), "countersign"),
        (source.target().to_path_buf(), "target"),
    ])
}

/// Makes the JavaScript that loads a piece, shrinks the wasm, and puts both into `folder`. Gives
/// the path of the shrunk wasm that still names its functions.
pub fn bind_and_shrink(
    workspace: &Workspace,
    source: &Workspace,
    piece: &Piece,
    compiled: &Path,
    effort: &str,
    folder: &Path,
) -> Outcome<PathBuf> {
    let work = source.scratch("bindgen").join(piece.name);
    fresh_folder(&work)?;
    Run::new(workspace.tool("wasm-bindgen"))
        .arg(compiled)
        .args(&[
            "--target",
            "web",
            "--no-typescript",
            "--out-name",
            piece.name,
            "--out-dir",
        ])
        .arg(&work)
        .shown()?;
    let bound = work.join(format!("{}_bg.wasm", piece.name));
    let named = work.join(format!("{}_named.wasm", piece.name));
    npm::node(&workspace.npm_file("binaryen/bin/wasm-opt"))?
        .arg(&bound)
        .args(&[effort, "-g", APART])
        .args(FEATURES)
        .arg("-o")
        .arg(&named)
        .shown()?;
    let shrunk = super::inspect::without_custom_sections(&read_bytes(&named)?)?;
    super::inspect::imports(piece, &shrunk)?;
    write(&folder.join(format!("{}.wasm", piece.name)), shrunk)?;

    let glue = read(&work.join(format!("{}.js", piece.name)))?;
    let (ours, theirs) = (
        format!("{}.wasm", piece.name),
        format!("{}_bg.wasm", piece.name),
    );
    if !glue.contains(&format!("'{theirs}'")) {
        return fail(format!(
            "wasm-bindgen's JavaScript no longer names '{theirs}', so it would not find {ours}"
        ));
    }
    write(
        &folder.join(format!("{}_glue.js", piece.name)),
        glue.replace(&format!("'{theirs}'"), &format!("'{ours}'")),
    )?;
    let snippets = work.join("snippets");
    if snippets.is_dir() {
        for name in files_below(&snippets)? {
            write(
                &folder.join("snippets").join(&name),
                read_bytes(&snippets.join(&name))?,
            )?;
        }
    }
    Ok(named)
}

pub fn optimiser_version(workspace: &Workspace) -> Outcome<String> {
    npm::node(&workspace.npm_file("binaryen/bin/wasm-opt"))?
        .arg("--version")
        .output()
        .map(|version| version.trim().to_owned())
}
