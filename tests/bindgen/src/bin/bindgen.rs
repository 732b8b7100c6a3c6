//! wasm-bindgen's own program, of the version and with the dependencies in the workspace's lock:
//! it touches shipped bytes, so nothing about it may depend on the day it was installed.
//!
//! It has another name here because the compiler judges a crate called `wasm_bindgen` by its version.

#![allow(clippy::print_stderr, reason = "a program for the command line")]

fn main() -> std::process::ExitCode {
    match wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(std::env::args_os()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wasm-bindgen: {error:?}");
            std::process::ExitCode::FAILURE
        }
    }
}
