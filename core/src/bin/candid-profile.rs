//! `candid-profile`: the author's command. The only file of core that touches the machine.

use std::fs;
use std::io::{Read as _, Write as _, stderr, stdin, stdout};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use countersign_core::cli::{World, run};
use countersign_core::time::Timestamp;

struct Machine;

impl World for Machine {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let read = if path == "-" {
            stdin().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        read.map_err(|error| error.to_string())
    }

    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = since.map_or(0, |since| since.as_nanos());
        Timestamp::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

fn main() -> ExitCode {
    let answer = run(std::env::args_os(), &mut Machine);
    // Where nobody reads any more, such as `head`, there is nobody to tell either.
    let _ = stderr().write_all(answer.err.as_bytes());
    let _ = stdout().write_all(answer.out.as_bytes());
    ExitCode::from(answer.code)
}
