//! `tests/SECURITY.md`: what is known of attacks, and what becomes of each here.
//!
//! A row is `| attack | result | shown by |`. The result is one of four. *holds* is followed by the
//! exact names of tests in backticks (for a Rust test its path, or as much of its end as tells it
//! apart; for a script the name it prints after `ok`). *not promised* is followed by a sentence of
//! the README in “quotes”, word for word. *not yet* says what is missing, *n/a* why it has no
//! ground. The file ends with a line that counts the four.

use std::collections::BTreeSet;

use super::rows::{is_end_of, of_three, quoted, scripts};
use super::source::Source;
use super::{Finding, Tree};
use crate::run::Outcome;

const FILE: &str = "tests/SECURITY.md";
const README: &str = "README.md";

/// A word that is shorter than this is no reason.
const REASON: usize = 12;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Word {
    Holds,
    NotPromised,
    NotYet,
    NotOurs,
}

impl Word {
    fn of(cell: &str) -> Option<Self> {
        match cell {
            "holds" => Some(Self::Holds),
            "not promised" => Some(Self::NotPromised),
            "not yet" => Some(Self::NotYet),
            "n/a" => Some(Self::NotOurs),
            _ => None,
        }
    }
}

#[derive(Debug)]
struct Row {
    line: usize,
    word: Word,
    shown: String,
}

pub fn findings(tree: &Tree, sources: &[Source]) -> Outcome<Vec<Finding>> {
    let Some(text) = text(tree, FILE)? else {
        return Ok(Vec::new());
    };
    let readme = plain(&text_or_nothing(tree, README)?);
    let (rows, mut found) = rows(&text);
    let known: Vec<&str> = sources
        .iter()
        .flat_map(|source| source.tests.iter().map(String::as_str))
        .collect();
    let scripts = scripts(tree)?;
    for row in &rows {
        let wrong = match row.word {
            Word::Holds => quoted(&row.shown)
                .into_iter()
                .find(|test| {
                    !known.iter().any(|path| is_end_of(test, path))
                        && !scripts.iter().any(|script| has_test(script, test))
                })
                .map(|test| format!("there is no test `{test}`")),
            Word::NotPromised => said(&row.shown)
                .into_iter()
                .find(|sentence| !readme.contains(&plain(sentence)))
                .map(|sentence| format!("the README does not say “{sentence}”")),
            Word::NotYet | Word::NotOurs => None,
        };
        found.extend(wrong.map(|says| finding(row.line, says)));
    }
    let counted = counted(&rows);
    if text.lines().last() != Some(&counted) {
        found.push(finding(
            text.lines().count(),
            format!("the last line must be: {counted}"),
        ));
    }
    Ok(found)
}

/// The tests that rows name and that are not among those that ran and passed.
pub fn missing(tree: &Tree, ran: &BTreeSet<String>) -> Outcome<Vec<String>> {
    let (rows, _) = rows(&text_or_nothing(tree, FILE)?);
    Ok(rows
        .iter()
        .filter(|row| row.word == Word::Holds)
        .flat_map(|row| quoted(&row.shown))
        .filter(|test| !ran.iter().any(|path| is_end_of(test, path)))
        .collect())
}

fn text(tree: &Tree, file: &str) -> Outcome<Option<String>> {
    if tree.has(file) {
        tree.text(file)
    } else {
        Ok(None)
    }
}

fn text_or_nothing(tree: &Tree, file: &str) -> Outcome<String> {
    Ok(text(tree, file)?.unwrap_or_default())
}

/// A text without its line breaks and emphasis.
fn plain(text: &str) -> String {
    let text = text.replace('*', "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands between “quotation marks”.
fn said(cell: &str) -> Vec<&str> {
    cell.split('“')
        .skip(1)
        .filter_map(|rest| rest.split_once('”'))
        .map(|(sentence, _)| sentence)
        .collect()
}

/// Whether a script has a test of exactly this name.
fn has_test(script: &str, name: &str) -> bool {
    let escaped = name.replace('\'', "\\'");
    script.contains(&format!("'{escaped}'"))
}

fn counted(rows: &[Row]) -> String {
    let count = |word| rows.iter().filter(|row| row.word == word).count();
    format!(
        "In all: {} hold, {} not promised, {} not yet, {} n/a.",
        count(Word::Holds),
        count(Word::NotPromised),
        count(Word::NotYet),
        count(Word::NotOurs)
    )
}

fn rows(text: &str) -> (Vec<Row>, Vec<Finding>) {
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    for (line_number, row) in of_three(text, "attack") {
        let Some([_, result, shown]) = &row else {
            found.push(finding(line_number, "a row has three columns".to_owned()));
            continue;
        };
        let Some(word) = Word::of(result) else {
            let says = "the result is holds, not promised, not yet or n/a";
            found.push(finding(line_number, says.to_owned()));
            continue;
        };
        let lacks = match word {
            Word::Holds => quoted(shown)
                .is_empty()
                .then_some("what holds names its test in backticks"),
            Word::NotPromised => said(shown)
                .is_empty()
                .then_some("what is not promised quotes the README, “like this”"),
            Word::NotYet => {
                (shown.len() < REASON).then_some("what does not hold yet says what is missing")
            }
            Word::NotOurs => (shown.len() < REASON).then_some("n/a needs its reason"),
        };
        match lacks {
            Some(says) => found.push(finding(line_number, says.to_owned())),
            None => rows.push(Row {
                line: line_number,
                word,
                shown: shown.clone(),
            }),
        }
    }
    (rows, found)
}

fn finding(line: usize, says: String) -> Finding {
    Finding {
        rule: "security",
        at: format!("{FILE}:{line}"),
        says,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
| attack | result | shown by |
|---|---|---|
| a lie | holds | `x::y`, `a lie is told` |
| a key press | not promised | “Such a program can press Approve.” |
| a search | not yet | there is no list of them |
| another chain | n/a | the wallet knows no other chain |
";

    #[test]
    fn a_row_has_one_of_four_results_with_what_it_needs() {
        let (rows, found) = rows(TABLE);
        assert_eq!(found, []);
        let words: Vec<Word> = rows.iter().map(|row| row.word).collect();
        assert_eq!(
            words,
            [Word::Holds, Word::NotPromised, Word::NotYet, Word::NotOurs]
        );
        assert_eq!(rows[0].line, 3);
        assert_eq!(quoted(&rows[0].shown), ["x::y", "a lie is told"]);
        assert_eq!(said(&rows[1].shown), ["Such a program can press Approve."]);
    }

    #[test]
    fn a_result_without_its_test_quotation_or_reason_is_refused() {
        for row in [
            "| a | holds | it surely does |",
            "| a | holds | |",
            "| a | not promised | the README says so |",
            "| a | not yet | later |",
            "| a | n/a | no |",
            "| a | fine | `x` |",
            "| a | Holds | `x` |",
            "| a | holds |",
            "| a | holds | `x` | y |",
        ] {
            let (rows, found) = rows(row);
            assert!(rows.is_empty(), "{row}");
            assert_eq!(found.len(), 1, "{row}");
        }
    }

    #[test]
    fn every_result_is_counted() {
        let (rows, _) = rows(TABLE);
        assert_eq!(
            counted(&rows),
            "In all: 1 hold, 1 not promised, 1 not yet, 1 n/a."
        );
    }

    #[test]
    fn a_test_of_a_script_is_known_by_its_whole_name() {
        let script = "attack('a page\\'s lie', async () => {});";
        assert!(has_test(script, "a page's lie"));
        assert!(!has_test(script, "page's lie"));
        assert!(!has_test(script, "a page's"));
    }

    #[test]
    fn a_sentence_is_found_over_line_breaks_and_emphasis() {
        let readme = plain("They do **not** hold\nagainst a program");
        assert!(readme.contains(&plain("They do not hold against")));
    }
}
