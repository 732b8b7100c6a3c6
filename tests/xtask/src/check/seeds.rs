//! `tests/SEEDS.md`: every rule of the seeds, its place, and the test that shows it.
//!
//! A row is `| rule | place | test or word |`. The third column is one or more test paths in
//! backticks (`tools::plan::tests::name`, or as much of its end as tells it apart; for a suite
//! outside cargo the name it prints after `ok`), or *stricter*, *not ours* or *later* followed by
//! the reason.

use std::collections::BTreeSet;

use super::rows::{is_end_of, of_three, quoted, scripts};
use super::source::Source;
use super::{Finding, Tree};
use crate::run::Outcome;

const FILE: &str = "tests/SEEDS.md";
const WORDS: &[&str] = &["*stricter*", "*not ours*", "*later*"];

struct Row {
    line: usize,
    /// The tests it names; none where a word and a reason stand instead.
    tests: Vec<String>,
}

pub fn findings(tree: &Tree, sources: &[Source]) -> Outcome<Vec<Finding>> {
    let Some(text) = text(tree)? else {
        return Ok(Vec::new());
    };
    let (rows, mut found) = rows(&text);
    let known: Vec<&str> = sources
        .iter()
        .flat_map(|source| source.tests.iter().map(String::as_str))
        .collect();
    let scripts = scripts(tree)?;
    for row in rows {
        for test in row.tests {
            let is_known = known.iter().any(|path| is_end_of(&test, path))
                || scripts.iter().any(|script| script.contains(&test));
            if !is_known {
                found.push(finding(row.line, format!("there is no test `{test}`")));
            }
        }
    }
    Ok(found)
}

/// The tests that rows name and that are not among those that ran.
pub fn missing(tree: &Tree, ran: &BTreeSet<String>) -> Outcome<Vec<String>> {
    let Some(text) = text(tree)? else {
        return Ok(Vec::new());
    };
    let (rows, _) = rows(&text);
    Ok(rows
        .into_iter()
        .flat_map(|row| row.tests)
        .filter(|test| !ran.iter().any(|path| is_end_of(test, path)))
        .collect())
}

fn text(tree: &Tree) -> Outcome<Option<String>> {
    if tree.has(FILE) {
        tree.text(FILE)
    } else {
        Ok(None)
    }
}

fn rows(text: &str) -> (Vec<Row>, Vec<Finding>) {
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    for (line_number, row) in of_three(text, "rule") {
        let Some([_, _, shown]) = &row else {
            found.push(finding(line_number, "a row has three columns".to_owned()));
            continue;
        };
        let tests = quoted(shown);
        let word = WORDS.iter().find_map(|word| shown.strip_prefix(word));
        match (word, tests.is_empty()) {
            (Some(reason), _) if reason.trim_matches([' ', ':', ',']).len() < 8 => {
                found.push(finding(line_number, "the word needs its reason".to_owned()));
            }
            (Some(_), _) => {}
            (None, false) => rows.push(Row {
                line: line_number,
                tests,
            }),
            (None, true) => found.push(finding(
                line_number,
                format!(
                    "the third column names a test, or begins with {}",
                    WORDS.join(", ")
                ),
            )),
        }
    }
    (rows, found)
}

fn finding(line: usize, says: String) -> Finding {
    Finding {
        rule: "seeds",
        at: format!("{FILE}:{line}"),
        says,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_names_tests_or_gives_a_word_with_its_reason() {
        let (rows, found) = rows(
            "| rule | place | test |\n|---|---|---|\n\
             | a | T 1 | `x::y`, `z` |\n| b | T 2 | *later*: with the packs |\n\
             | c | T 3 | *later* |\n| d | T 4 | yes |\n| e | T 5 |",
        );
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].tests, ["x::y", "z"]);
        let lines: Vec<&str> = found.iter().map(|finding| finding.at.as_str()).collect();
        assert_eq!(
            lines,
            ["tests/SEEDS.md:5", "tests/SEEDS.md:6", "tests/SEEDS.md:7"]
        );
    }
}
