//! The steps of a verb, with the time each took, as a table at the end.

use std::time::Instant;

use crate::run::{Failure, Outcome, fail};

/// A verb's steps so far. A failed step does not stop those that do not need it.
#[derive(Debug, Default)]
pub struct Steps {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    name: String,
    seconds: f64,
    failed: bool,
}

impl Steps {
    /// Does a step that everything after it needs: its failure is the verb's.
    pub fn need<T>(&mut self, name: &str, step: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        println!("\n== {name}");
        let start = Instant::now();
        let done = step();
        self.rows.push(Row {
            name: name.to_owned(),
            seconds: start.elapsed().as_secs_f64(),
            failed: done.is_err(),
        });
        done
    }

    /// Does a step whose failure is kept for the end. `None` when it failed.
    pub fn step<T>(&mut self, name: &str, step: impl FnOnce() -> Outcome<T>) -> Option<T> {
        match self.need(name, step) {
            Ok(value) => Some(value),
            Err(failure) => {
                println!("{failure}");
                println!("== {name}: FAILED");
                None
            }
        }
    }

    pub fn failed(&self) -> usize {
        self.rows.iter().filter(|row| row.failed).count()
    }

    /// The table, a line a step.
    pub fn table(&self) -> String {
        let width = self
            .rows
            .iter()
            .map(|row| row.name.len())
            .max()
            .unwrap_or(0);
        let mut table = String::new();
        for row in &self.rows {
            let state = if row.failed { "  FAILED" } else { "" };
            table.push_str(&format!(
                "{:<width$} {:>8.1} s{state}\n",
                row.name, row.seconds
            ));
        }
        let total: f64 = self.rows.iter().map(|row| row.seconds).sum();
        table.push_str(&format!("{:<width$} {total:>8.1} s\n", "all"));
        table
    }

    /// Prints the table; a failure that names the failed steps, if there are any.
    pub fn finish(&self) -> Outcome {
        println!("\n{}", self.table());
        let failed: Vec<&str> = self
            .rows
            .iter()
            .filter(|row| row.failed)
            .map(|row| row.name.as_str())
            .collect();
        if failed.is_empty() {
            return Ok(());
        }
        fail(format!("failed: {}", failed.join(", ")))
    }

    /// The same for a verb that stopped early.
    pub fn stopped<T>(&self, failure: Failure) -> Outcome<T> {
        println!("\n{}", self.table());
        Err(failure)
    }
}
