//! The compiler's wasm target, and wasm-bindgen's programs in exactly the locked version.

use crate::hash::sha256;
use crate::run::{Failure, Outcome, Run, fail, read, write};
use crate::workspace::Workspace;

const TARGET: &str = "wasm32-unknown-unknown";

/// Adds the wasm target to the toolchain in use where it is missing.
pub fn target(workspace: &Workspace) -> Outcome {
    let sysroot = Run::new("rustc")
        .args(&["--print", "sysroot"])
        .folder(workspace.root())
        .output()?;
    let library = std::path::Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(TARGET);
    if library.join("lib").is_dir() {
        return Ok(());
    }
    let added = Run::new("rustup")
        .args(&["target", "add", TARGET])
        .folder(workspace.root())
        .shown();
    if added.is_err() {
        return fail(format!(
            "the compiler lacks the target {TARGET}: install it, with rustup by `rustup target \
             add {TARGET}`"
        ));
    }
    Ok(())
}

/// The programs of the crate countersign-bindgen, and the names they have among the tools.
const PROGRAMS: &[(&str, &str)] = &[
    ("bindgen", "wasm-bindgen"),
    ("bindgen-test-runner", "wasm-bindgen-test-runner"),
];

/// Builds wasm-bindgen's programs, of the version and with the dependencies in `Cargo.lock`, never
/// taking those of the search path.
pub fn bindgen(workspace: &Workspace) -> Outcome {
    let version = workspace.locked_version("wasm-bindgen")?;
    let cli = workspace.locked_version("wasm-bindgen-cli")?;
    if version != cli {
        return fail(format!(
            "Cargo.lock has wasm-bindgen {version} but wasm-bindgen-cli {cli}: they must be of one \
             version, `cargo update -p wasm-bindgen-cli --precise {version}`"
        ));
    }
    let stamp = workspace.tools().join(".version");
    let wanted = format!("{version} {}", sha256(lock_of(workspace)?.as_bytes()));
    let there = PROGRAMS
        .iter()
        .all(|(_, tool)| workspace.tool(tool).is_file());
    if there && read(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    workspace
        .cargo(&["build", "--locked", "--package", "countersign-bindgen"])
        .shown()?;
    for (built, tool) in PROGRAMS {
        let built = workspace.target().join("debug").join(built);
        write(&workspace.tool(tool), [])?;
        std::fs::copy(&built, workspace.tool(tool))
            .map_err(|e| Failure::new(format!("{}: {e}", built.display())))?;
    }
    write(&stamp, wanted)
}

/// What decides about the programs: the locked packages they are made of.
fn lock_of(workspace: &Workspace) -> Outcome<String> {
    workspace
        .cargo(&[
            "tree",
            "--locked",
            "--package",
            "countersign-bindgen",
            "--prefix",
            "none",
        ])
        .args(&["--edges", "normal", "--format", "{p}"])
        .output()
        .map(|tree| {
            let mut packages: Vec<&str> = tree
                .lines()
                .filter(|line| !line.contains(" (") || line.contains("(proc-macro)"))
                .map(|line| line.trim_end_matches(" (*)"))
                .collect();
            packages.sort_unstable();
            packages.dedup();
            packages.join("\n")
        })
}
