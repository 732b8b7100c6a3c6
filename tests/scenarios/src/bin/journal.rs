//! Prints, as JSON, a journal in which one payment was made, and every use that the wallet makes of
//! it in the next: what `cargo xtask bench` repeats in a browser's journal.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use countersign_core::ids::to_hex;
use countersign_core::ports::store::{Batch, Query, Row, Store as _, Table, Write};
use countersign_core::testing::{Use, run_native};
use countersign_scenarios::grown::{GROWN, payment};
use serde_json::{Value, json};

fn main() {
    let (mut rows, mut parts) = (Value::Null, Vec::new());
    payment(0, |stage, part| {
        let memory = stage.world.memory();
        let uses = memory.take_uses();
        if part == GROWN {
            let tables = Table::ALL.map(|table| {
                let all = run_native(memory.list(table, Query::All));
                let all = all.expect("it can be read");
                (table.name().to_owned(), all.iter().map(row).collect())
            });
            rows = Value::Object(tables.into_iter().collect());
            // The listing is no use of the wallet's.
            let _ = memory.take_uses();
        } else {
            let uses: Vec<Value> = uses.iter().map(used).collect();
            parts.push(json!({ "name": part, "uses": uses }));
        }
    });
    println!("{}", json!({ "rows": rows, "parts": parts }));
}

fn row(row: &Row) -> Value {
    json!({
        "key": row.key,
        "rev": row.rev,
        "open": row.open,
        "group": row.group,
        "identity": row.identity,
        "stamp_key": row.stamp_key,
        "updated": row.updated.as_nanos().to_string(),
        "v": row.v,
        "body": to_hex(&row.body),
    })
}

fn used(used: &Use) -> Value {
    match used {
        Use::Get(table, key) => json!(["get", table.name(), key]),
        Use::Find(table, index, value) => {
            json!(["find", table.name(), format!("{index:?}"), value])
        }
        Use::List(table, Query::All) => json!(["all", table.name()]),
        Use::List(table, Query::Open) => json!(["open", table.name()]),
        Use::List(table, Query::Group(group)) => json!(["group", table.name(), group]),
        Use::List(table, Query::Newest(count)) => json!(["newest", table.name(), count]),
        Use::Count(table, group) => json!(["count", table.name(), group]),
        Use::Commit(Batch { writes, audit }) => {
            let writes: Vec<Value> = writes.iter().map(write).collect();
            json!(["commit", writes, to_hex(audit)])
        }
    }
}

fn write(write: &Write) -> Value {
    match write {
        Write::Put {
            table, row: put, ..
        } => json!(["put", table.name(), row(put)]),
        Write::Delete { table, key, .. } => json!(["delete", table.name(), key]),
    }
}
