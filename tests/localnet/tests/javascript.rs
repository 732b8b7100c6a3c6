//! `@icp-sdk/core`, unmodified, and the control interface: the suite of `tests/agents`, in Node.

#![allow(clippy::print_stdout, reason = "the suite's own report")]

use std::{path::Path, process::Command};

#[test]
fn the_suite_of_javascript_agents_passes() {
    let tests = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    assert!(
        tests.join("node_modules/@icp-sdk/core").is_dir(),
        "@icp-sdk/core is not installed: run `cargo xtask setup`, or `npm ci` in the folder tests"
    );
    let output = Command::new("node")
        .arg(tests.join("agents/run.mjs"))
        .arg(env!("CARGO_BIN_EXE_countersign-localnet"))
        .output()
        .expect("Node is not installed: run `cargo xtask setup`");
    let report = String::from_utf8_lossy(&output.stdout);
    println!("{report}");
    assert!(
        output.status.success(),
        "{report}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
