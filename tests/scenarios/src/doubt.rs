//! Calls of which nobody knows what became of them.

use crate::{Page, Person, Stage};
use countersign_core::ports::store::{Batch, Expect, Query, Store as _, Table, Write};
use countersign_core::testing::run_native;
use countersign_core::time::Span;
use countersign_localnet::faults::{Fault, Kind, Reply};
use serde_json::{Value, json};

/// Begins a commit and gives its id, once the worker rests.
pub fn commit(page: &mut Page, stage: &Stage, preview: &Value) -> u64 {
    let id = page.begin(stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    id
}

/// The id of a preview that an answer names.
#[must_use]
pub fn preview_of(told: &Value) -> Value {
    told["preview"]["preview_id"].clone()
}

/// Orders a named fault for the next call of a method.
///
/// # Panics
///
/// Where no fault has this name.
pub fn next_call(stage: &Stage, method: &str, name: &str) {
    stage.fault(Fault {
        method: Some(method.to_owned()),
        ..Fault::named(name).expect("the fault has this name")
    });
}

/// Says yes to what the window shows; the call runs, its answer and its status are lost, and no
/// status can be read until its absence proves nothing any more. No log can be read either.
///
/// # Panics
///
/// Where the call is never posted.
pub fn yes_and_nothing_more(stage: &Stage, preview: &Value, method: &str, person: &mut Person) {
    stage.hide_logs();
    next_call(stage, method, "prune_status");
    person.press(stage, person.yes());
    let preview = preview.as_str().expect("a preview id is a text");
    for turn in 0.. {
        assert!(turn < 10_000, "the call is posted");
        let intent = stage.intent(preview).expect("it is stored");
        if intent.envelopes().iter().any(|e| e.submitted.is_some()) {
            break;
        }
        stage.turns(1);
    }
    stage.fault(Fault {
        times: None,
        reply: Reply::Drop,
        ..Fault::on(Kind::ReadState)
    });
    stage.pass(Span::from_mins(7));
    stage.mend();
    stage.hide_logs();
}

/// Cuts off what is stored in every row of a table.
///
/// # Panics
///
/// Where the journal cannot be used.
pub fn damage(stage: &Stage, table: Table) {
    let store = stage.world.memory();
    let rows = run_native(store.list(table, Query::All)).expect("it can be read");
    let cut = rows.into_iter().map(|mut row| {
        let expect = Expect::Rev(row.rev);
        row.rev += 1;
        row.body.truncate(row.body.len() / 2);
        Write::Put { table, expect, row }
    });
    let batch = Batch {
        writes: cut.collect(),
        audit: Vec::new(),
    };
    run_native(store.commit(batch)).expect("it can be written");
}
