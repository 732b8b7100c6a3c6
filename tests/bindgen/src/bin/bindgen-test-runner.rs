//! wasm-bindgen's own test runner, of the version in the workspace's lock.

#![allow(clippy::print_stderr, reason = "a program for the command line")]

fn main() -> std::process::ExitCode {
    match wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wasm-bindgen-test-runner: {error:?}");
            std::process::ExitCode::FAILURE
        }
    }
}
