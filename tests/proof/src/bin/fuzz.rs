//! A fuzzer of one target, which `COUNTERSIGN_FUZZ` names.
//!
//! With feature `libfuzzer` (and a nightly compiler, for its coverage) it is LLVM's; without, a plain
//! driver that mutates what the corpus has, for as many seconds as its first argument says.

#![cfg_attr(feature = "libfuzzer", no_main)]

use countersign_proof::fuzz::Target;

/// The target that the environment names.
fn target() -> Target {
    let name = std::env::var("COUNTERSIGN_FUZZ").unwrap_or_default();
    Target::of_name(&name).expect("COUNTERSIGN_FUZZ is did, profile, input or reply")
}

#[cfg(feature = "libfuzzer")]
#[allow(unsafe_code, missing_docs, reason = "what the macro writes")]
mod libfuzzer {
    use countersign_proof::fuzz::Target;
    use std::sync::LazyLock;

    static TARGET: LazyLock<Target> = LazyLock::new(super::target);

    libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET.run(bytes));
}

#[cfg(not(feature = "libfuzzer"))]
#[expect(clippy::print_stdout, reason = "a program that says what it did")]
fn main() {
    use countersign_proof::{fuzz::corpus, random::Rng};
    use std::time::{Duration, Instant};

    let target = target();
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok());
    let seconds: u64 = seconds.expect("the first argument is how many seconds to run");
    let seed = arguments.next().and_then(|text| text.parse().ok());
    let seed: u64 = seed.unwrap_or_else(|| u64::from(std::process::id()));
    let files = std::fs::read_dir(corpus(target)).expect("the corpus is there");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let known: Vec<Vec<u8>> = files
        .iter()
        .map(|file| std::fs::read(file).expect("a file is read"))
        .collect();
    println!("{}: {} inputs, seed {seed}", target.name(), known.len());
    let (start, mut runs, mut slowest) = (Instant::now(), 0_u64, Duration::ZERO);
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut rng = Rng::new(seed.wrapping_add(runs));
        let input = mutated(&known, &mut rng);
        let before = Instant::now();
        if std::panic::catch_unwind(|| target.run(&input)).is_err() {
            let file = std::env::temp_dir().join(format!("countersign-{}-crash", target.name()));
            std::fs::write(&file, &input).expect("the input is kept");
            println!(
                "run {runs} of seed {seed} broke a promise: {}",
                file.display()
            );
            std::process::exit(1);
        }
        slowest = slowest.max(before.elapsed());
        runs += 1;
    }
    println!("{}: {runs} runs, the slowest in {slowest:?}", target.name());
}

/// One of the known inputs, changed at a few places.
#[cfg(not(feature = "libfuzzer"))]
fn mutated(known: &[Vec<u8>], rng: &mut countersign_proof::random::Rng) -> Vec<u8> {
    let mut input = known[rng.below(known.len())].clone();
    for _ in 0..=rng.below(6) {
        let at = rng.below(input.len() + 1);
        let other = &known[rng.below(known.len())];
        match rng.below(6) {
            0 => input.truncate(at),
            1 if at < input.len() => input[at] = rng.bits().to_le_bytes()[0],
            2 if at < input.len() => input[at] ^= 1 << rng.below(8),
            3 => drop(input.splice(at..at, rng.bytes(8))),
            4 => {
                let from = rng.below(other.len() + 1);
                let to = from + rng.below(other.len() - from + 1).min(200);
                input.splice(at..at, other[from..to].iter().copied());
            }
            _ => {
                let end = (at + rng.below(30)).min(input.len());
                input.drain(at..end);
            }
        }
    }
    input
}
