//! What ran, what failed, and the lines that say so at the end.

use std::collections::{BTreeMap, BTreeSet};

use super::Kind;

#[derive(Debug, Default)]
pub struct Counts {
    kinds: BTreeMap<Kind, (usize, usize)>,
    names: BTreeSet<String>,
    failures: Vec<String>,
}

impl Counts {
    pub fn passed(&mut self, kind: Kind, name: &str) {
        self.kinds.entry(kind).or_default().0 += 1;
        self.names.insert(name.to_owned());
    }

    /// A test that failed, or something that kept tests from running.
    pub fn failed(&mut self, kind: Kind, name: &str) {
        self.kinds.entry(kind).or_default().1 += 1;
        self.failures.push(format!("{}: {name}", kind.label()));
    }

    /// How many tests of a kind ran.
    pub fn ran(&self, kind: Kind) -> usize {
        self.kinds
            .get(&kind)
            .map_or(0, |(passed, failed)| passed + failed)
    }

    pub fn failures(&self) -> usize {
        self.failures.len()
    }

    /// The names of the tests that passed.
    pub const fn names(&self) -> &BTreeSet<String> {
        &self.names
    }

    pub fn all_passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// What failed, and a line a kind.
    pub fn table(&self) -> String {
        let mut table = String::new();
        for failure in &self.failures {
            table.push_str(&format!("FAILED {failure}\n"));
        }
        for (kind, (passed, failed)) in &self.kinds {
            table.push_str(&format!(
                "{:<14} {passed:>6} passed {failed:>4} failed\n",
                kind.label()
            ));
        }
        table
    }

    /// The last line of the run.
    pub fn closing_line(&self) -> String {
        let (passed, failed) = self
            .kinds
            .values()
            .fold((0, 0), |sum, kind| (sum.0 + kind.0, sum.1 + kind.1));
        format!("tests: {passed} passed, {failed} failed")
    }
}

/// What a line of a test runner says about one test.
#[derive(Debug, Eq, PartialEq)]
pub enum Said<'a> {
    Passed(&'a str),
    Failed(&'a str),
    Ignored(&'a str),
}

/// Reads `test NAME ... ok`, as Rust's runners print it.
pub fn of_rust(line: &str) -> Option<Said<'_>> {
    let (name, end) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let name = name.trim_end_matches(" - should panic");
    match end.split([' ', ',']).next()? {
        "ok" => Some(Said::Passed(name)),
        "FAILED" | "FAIL" => Some(Said::Failed(name)),
        "ignored" => Some(Said::Ignored(name)),
        _ => None,
    }
}

/// Reads `ok NAME` or `not ok NAME`, as our scripts print it.
pub fn of_script(line: &str) -> Option<Said<'_>> {
    line.strip_prefix("not ok ")
        .map(Said::Failed)
        .or_else(|| line.strip_prefix("ok ").map(Said::Passed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_kinds_of_runners_are_read() {
        assert_eq!(of_rust("test a::b ... ok"), Some(Said::Passed("a::b")));
        assert_eq!(
            of_rust("test a - should panic ... ok"),
            Some(Said::Passed("a"))
        );
        assert_eq!(of_rust("test a ... FAILED"), Some(Said::Failed("a")));
        assert_eq!(
            of_rust("test a ... ignored, slow"),
            Some(Said::Ignored("a"))
        );
        assert_eq!(of_rust("test result: ok. 3 passed; 0 failed"), None);
        assert_eq!(of_script("ok pays once"), Some(Said::Passed("pays once")));
        assert_eq!(
            of_script("not ok pays once"),
            Some(Said::Failed("pays once"))
        );
        assert_eq!(of_script("  at file.mjs"), None);
    }

    #[test]
    fn the_closing_line_counts_every_kind() {
        let mut counts = Counts::default();
        counts.passed(Kind::Unit, "a");
        counts.passed(Kind::E2e, "b");
        counts.failed(Kind::Ui, "c");
        assert_eq!(counts.closing_line(), "tests: 2 passed, 1 failed");
        assert!(!counts.all_passed());
    }
}
