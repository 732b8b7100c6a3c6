//! Tables whose rows name tests: how a row is cut into cells, and whether a test of a name is there.

use super::Tree;
use crate::run::Outcome;

/// The rows below the heads of a text's tables, each with the number of its line; a head begins with
/// this word. `None` where a row has not three columns.
pub fn of_three(text: &str, head: &str) -> Vec<(usize, Option<[String; 3]>)> {
    let lines = text.lines().enumerate();
    lines
        .filter_map(|(number, line)| Some((number + 1, cells(line)?)))
        .filter(|(_, cells)| cells.first().is_none_or(|first| first != head))
        .map(|(number, cells)| (number, cells.try_into().ok()))
        .collect()
}

/// The cells of a table's row; `None` for a line that is none, or that parts head from body.
fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?;
    let cells: Vec<String> = inner
        .trim_end_matches('|')
        .replace("\\|", "\u{0}")
        .split('|')
        .map(|cell| cell.replace('\u{0}', "|").trim().to_owned())
        .collect();
    let is_rule = cells
        .iter()
        .all(|cell| cell.chars().all(|c| "-: ".contains(c)));
    (!is_rule).then_some(cells)
}

/// What stands between backticks in a cell.
pub fn quoted(cell: &str) -> Vec<String> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// The texts of all scripts.
pub fn scripts(tree: &Tree) -> Outcome<Vec<String>> {
    let suites = tree.files().filter(|file| file.ends_with(".mjs"));
    suites
        .map(|file| Ok(tree.text(file)?.unwrap_or_default()))
        .collect()
}

/// Whether a name is a path or its end, whole segments only.
pub fn is_end_of(name: &str, path: &str) -> bool {
    path == name || path.ends_with(&format!("::{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_matches_whole_segments_from_the_end() {
        assert!(is_end_of("tests::a", "tools::tests::a"));
        assert!(!is_end_of("a", "tools::tests::ba"));
    }

    #[test]
    fn a_row_is_cut_at_its_bars_but_for_escaped_ones() {
        assert_eq!(cells("| a | b \\| c |").unwrap(), ["a", "b | c"]);
        assert_eq!(cells("|---|:-:|"), None);
        assert_eq!(cells("no row"), None);
        let three = of_three("| word |\n|---|\n| a | b | c |\n| d |", "word");
        let row = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(three, [(3, Some(row)), (4, None)]);
        assert_eq!(quoted("`a::b`, and `c d`"), ["a::b", "c d"]);
    }
}
