//! No test sleeps: it waits for what it wants to see. Found by the usual names of a sleep; the waits
//! on purpose, of `tests/e2e/life.mjs` and of the rhythm in `tests/press/pressing.mjs`, say why.

use super::source::Source;
use super::{Finding, Tree};
use crate::run::Outcome;

pub fn findings(tree: &Tree, sources: &[Source]) -> Outcome<Vec<Finding>> {
    let mut found = Vec::new();
    let mut broken = |at: String| {
        found.push(Finding {
            rule: "no-sleep",
            at,
            says: "a test waits for what it wants to see, never for time to pass".to_owned(),
        });
    };
    for source in sources {
        for word in &source.words {
            if word.test && word.what == "sleep" {
                broken(format!("{}:{}", source.file, word.line));
            }
        }
    }
    for file in tree.files() {
        if !(file.starts_with("tests/") && (file.ends_with(".mjs") || file.ends_with(".js"))) {
            continue;
        }
        let text = tree.text(file)?.unwrap_or_default();
        for (number, line) in text.lines().enumerate() {
            if line.contains("sleep(") || line.contains("waitForTimeout") {
                broken(format!("{file}:{}", number + 1));
            }
        }
    }
    Ok(found)
}
