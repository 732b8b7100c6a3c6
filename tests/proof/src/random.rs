//! Random types and values from a seed, and how many cases a run has.
//!
//! `COUNTERSIGN_CASES` sets how many cases each random test runs, and `COUNTERSIGN_SEED` where it
//! begins: case `n` of a run has the seed `COUNTERSIGN_SEED + n`, so that a failing case is run again,
//! alone, by its own seed and one case.

pub mod forms;
pub mod meaning;
pub mod types;
pub mod values;
pub mod writer;

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher as _, Hasher as _},
};

/// A generator of random numbers (splitmix64): the same numbers from the same seed, everywhere.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Begins at a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xd129_42a3_6ab1_8d35) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    ///
    /// # Panics
    ///
    /// `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("a size has 64 bits");
        usize::try_from(self.bits() % end).expect("it is below a size")
    }

    /// Whether this is the one case of `cases`.
    pub fn one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Up to `most` bytes.
    pub fn bytes(&mut self, most: usize) -> Vec<u8> {
        let count = self.below(most + 1);
        self.bytes_of(count)
    }

    /// So many bytes.
    pub fn bytes_of(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.bits().to_le_bytes()[0]).collect()
    }
}

/// The cases of a run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    seed: u64,
    cases: u64,
}

impl Run {
    /// As many cases as the environment says, or `few`; from the seed that it says, or any. Says
    /// both.
    ///
    /// # Panics
    ///
    /// A variable is no number.
    #[must_use]
    #[expect(clippy::print_stdout, reason = "a test says what it ran")]
    pub fn of_environment(what: &str, few: u64) -> Self {
        let number = |name: &str| {
            let text = std::env::var(name).ok()?;
            Some(text.parse::<u64>().expect("a whole number"))
        };
        let run = Self {
            seed: number("COUNTERSIGN_SEED").unwrap_or_else(|| {
                let any = RandomState::new().build_hasher().finish();
                any >> 16
            }),
            cases: number("COUNTERSIGN_CASES").unwrap_or(few),
        };
        println!("{what}: {} cases from seed {}", run.cases, run.seed);
        run
    }

    /// How many cases there are.
    #[must_use]
    pub const fn cases(&self) -> u64 {
        self.cases
    }

    /// The seed of each case.
    pub fn seeds(self) -> impl Iterator<Item = u64> {
        (0..self.cases).map(move |n| self.seed.wrapping_add(n))
    }

    /// Runs each case; one that fails, by panicking too, is named by its seed.
    ///
    /// # Panics
    ///
    /// A case failed.
    pub fn each(self, mut case: impl FnMut(u64)) {
        for seed in self.seeds() {
            let named = Named(seed);
            case(seed);
            drop(named);
        }
    }
}

/// Says the seed of the case in which a test panicked.
struct Named(u64);

impl Drop for Named {
    #[expect(clippy::print_stderr, reason = "a failing case says its seed")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "the case of seed {0} failed: run it again by COUNTERSIGN_SEED={0} COUNTERSIGN_CASES=1",
                self.0
            );
        }
    }
}
