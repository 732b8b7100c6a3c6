//! The journal in IndexedDB: one object store a table, one transaction a batch.
//!
//! | file | what |
//! |---|---|
//! | `connection` | opening, and what ends it |
//! | `migrations` | from one version of the schema to the next, one file a step |
//! | `row` | a row as the object that is stored |
//! | `check` | whether a batch may be stored, given what was read in its transaction |
//!
//! Keys and index values are ordered as the browser orders texts, by UTF-16 code units.

mod check;
mod connection;
mod migrations;
mod row;

use check::{Found, Needs};
use connection::Connection;
use countersign_core::ports::store::{
    Batch, CommitError, Query, Row, Store, StoreError, Table, UniqueIndex, Write,
};
use countersign_core::time::Timestamp;
use indexed_db_futures::cursor::CursorDirection;
use indexed_db_futures::database::Database;
use indexed_db_futures::error::{DomException, Error};
use indexed_db_futures::internals::SystemRepr as _;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{
    Transaction, TransactionDurability, TransactionMode, TransactionOptions,
};
use std::collections::BTreeSet;
use wasm_bindgen::JsValue;

/// The journal in the database of this name.
pub struct IdbStore {
    connection: Connection,
}

impl IdbStore {
    /// The journal in the database of this name. It is opened, and made where it is not there, when
    /// it is first used.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            connection: Connection::new(name),
        }
    }
}

/// Whatever it is, nothing could be read.
fn unread(_: Error) -> StoreError {
    StoreError::Unavailable
}

const fn index_name(index: UniqueIndex) -> &'static str {
    match index {
        UniqueIndex::Identity => row::IDENTITY,
        UniqueIndex::StampKey => row::STAMP_KEY,
    }
}

fn read_rows(rows: impl Iterator<Item = Result<JsValue, Error>>) -> Result<Vec<Row>, StoreError> {
    rows.map(|found| row::read(&found.map_err(unread)?))
        .collect()
}

impl IdbStore {
    async fn get_row(&self, table: Table, key: &str) -> Result<Option<Row>, StoreError> {
        let database = self.connection.database().await?;
        let found: Option<JsValue> = async {
            let reading = database.transaction(table.name()).build()?;
            let store = reading.object_store(table.name())?;
            store.get(key).primitive()?.await
        }
        .await
        .map_err(unread)?;
        found.as_ref().map(row::read).transpose()
    }

    async fn find_row(
        &self,
        table: Table,
        index: UniqueIndex,
        value: &str,
    ) -> Result<Option<Row>, StoreError> {
        let database = self.connection.database().await?;
        let found: Option<JsValue> = async {
            let reading = database.transaction(table.name()).build()?;
            let store = reading.object_store(table.name())?;
            let index = store.index(index_name(index))?;
            index.get(value).primitive()?.await
        }
        .await
        .map_err(unread)?;
        found.as_ref().map(row::read).transpose()
    }

    async fn list_rows(&self, table: Table, query: Query) -> Result<Vec<Row>, StoreError> {
        let database = self.connection.database().await?;
        let reading = database.transaction(table.name()).build().map_err(unread)?;
        let store = reading.object_store(table.name()).map_err(unread)?;
        match query {
            Query::All => {
                let rows = async { store.get_all::<JsValue>().primitive()?.await };
                read_rows(rows.await.map_err(unread)?)
            }
            Query::Open => {
                let index = store.index(row::OPEN).map_err(unread)?;
                let all = index.get_all::<JsValue>().with_query(row::IS_OPEN);
                let rows = async { all.primitive()?.await };
                read_rows(rows.await.map_err(unread)?)
            }
            Query::Group(group) => {
                let index = store.index(row::GROUP).map_err(unread)?;
                let all = index.get_all::<JsValue>().with_query(group);
                let rows = async { all.primitive()?.await };
                read_rows(rows.await.map_err(unread)?)
            }
            Query::Newest(count) => {
                let index = store.index(row::UPDATED).map_err(unread)?;
                let newest = async {
                    let backwards = index.open_cursor().with_direction(CursorDirection::Prev);
                    let mut rows = Vec::new();
                    if count == 0 {
                        return Ok(rows);
                    }
                    let Some(mut cursor) = backwards.primitive()?.await? else {
                        return Ok(rows);
                    };
                    while let Some(found) = cursor.next_record::<JsValue>().await? {
                        rows.push(found);
                        if rows.len() == count {
                            break;
                        }
                    }
                    Ok(rows)
                };
                read_rows(newest.await.map_err(unread)?.into_iter().map(Ok))
            }
        }
    }

    async fn count_rows(&self, table: Table, group: &str) -> Result<usize, StoreError> {
        let database = self.connection.database().await?;
        let count: u32 = async {
            let reading = database.transaction(table.name()).build()?;
            let store = reading.object_store(table.name())?;
            let index = store.index(row::GROUP)?;
            index.count().with_query(group).primitive()?.await
        }
        .await
        .map_err(unread)?;
        usize::try_from(count).map_err(|_| StoreError::Unavailable)
    }

    async fn store_batch(&self, batch: Batch) -> Result<(), CommitError> {
        let database = self.connection.database().await?;
        let writing = begin(&database, &batch).map_err(unread)?;
        // Until here nothing is asked to be written, and `writing`, when dropped, is aborted.
        let needs = Needs::of(&batch.writes);
        let audited = !batch.audit.is_empty();
        let (found, last_line) = look(&writing, &needs, audited).await?;
        check::check(&batch.writes, found)?;
        ask_for(&writing, batch, last_line).map_err(unread)?;
        let ended = writing.as_sys().clone();
        match writing.commit().await {
            Ok(()) => Ok(()),
            Err(error) => Err(unwritten(&error, ended.error().as_ref())),
        }
    }
}

/// Opens the one transaction of a batch.
fn begin<'a>(database: &'a Database, batch: &Batch) -> Result<Transaction<'a>, Error> {
    let mut tables: BTreeSet<&str> = batch
        .writes
        .iter()
        .map(|write| match write {
            Write::Put { table, .. } | Write::Delete { table, .. } => table.name(),
        })
        .collect();
    if !batch.audit.is_empty() || tables.is_empty() {
        tables.insert(Table::Audit.name());
    }
    let tables: Vec<&str> = tables.into_iter().collect();
    database
        .transaction(tables)
        .with_mode(TransactionMode::Readwrite)
        .with_options(TransactionOptions::new().with_durability(TransactionDurability::Strict))
        .build()
}

/// Reads what a batch hangs on, and the number of the last audit line.
async fn look(
    writing: &Transaction<'_>,
    needs: &Needs,
    audited: bool,
) -> Result<(Found, u64), StoreError> {
    let mut found = Found::default();
    for (table, key) in &needs.rows {
        let held: Option<JsValue> = async {
            let store = writing.object_store(table.name())?;
            store.get(key.as_str()).primitive()?.await
        }
        .await
        .map_err(unread)?;
        if let Some(held) = held {
            found.add_row(*table, row::read(&held)?);
        }
    }
    for (table, index, value) in &needs.holders {
        let holder: Option<String> = async {
            let store = writing.object_store(table.name())?;
            let index = store.index(index_name(*index))?;
            let holder = index.get_key(value.as_str()).with_key_type::<String>();
            holder.primitive()?.await
        }
        .await
        .map_err(unread)?;
        if let Some(holder) = holder {
            found.add_holder(*table, *index, value.clone(), holder);
        }
    }
    let last_line = if audited {
        last_line(writing).await.map_err(unread)?
    } else {
        None
    };
    let number = match last_line {
        None => 0,
        Some(key) => key.parse().map_err(|_| StoreError::Unavailable)?,
    };
    Ok((found, number))
}

async fn last_line(writing: &Transaction<'_>) -> Result<Option<String>, Error> {
    let lines = writing.object_store(Table::Audit.name())?;
    let backwards = lines
        .open_key_cursor()
        .with_direction(CursorDirection::Prev);
    match backwards.primitive()?.await? {
        Some(cursor) => cursor.primary_key::<String>(),
        None => Ok(None),
    }
}

/// Asks for all that is to be written. An error is known before anything is committed.
fn ask_for(writing: &Transaction<'_>, batch: Batch, last_line: u64) -> Result<(), Error> {
    for write in batch.writes {
        match write {
            Write::Put { table, row, .. } => {
                let store = writing.object_store(table.name())?;
                store.put(row::write(&row)).primitive()?;
            }
            Write::Delete { table, key, .. } => {
                let store = writing.object_store(table.name())?;
                store.delete(key.as_str()).primitive()?;
            }
        }
    }
    if !batch.audit.is_empty() {
        let line = audit_row(last_line.saturating_add(1), batch.audit);
        let store = writing.object_store(Table::Audit.name())?;
        store.put(row::write(&line)).primitive()?;
    }
    Ok(())
}

fn audit_row(number: u64, line: Vec<u8>) -> Row {
    Row {
        key: format!("{number:016}"),
        rev: 1,
        open: false,
        group: None,
        identity: None,
        stamp_key: None,
        updated: Timestamp::default(),
        v: 1,
        body: line,
    }
}

/// What it means that a transaction that was told to commit did not say that it had.
///
/// Only two answers say that nothing was written: that there is no room, and that a rule of the
/// schema was broken. Any other end, such as a storage process that died, leaves open whether the
/// data had reached the disk.
fn unwritten(error: &Error, ended: Option<&web_sys::DomException>) -> CommitError {
    let name = match (error, ended) {
        (Error::DomException(DomException::ConstraintError(_)), _) => "ConstraintError".to_owned(),
        (Error::DomException(DomException::Other(error)), _) => error.name(),
        (_, Some(error)) => error.name(),
        (_, None) => String::new(),
    };
    match name.as_str() {
        "QuotaExceededError" => CommitError::Full,
        "ConstraintError" => CommitError::Store(StoreError::Unavailable),
        _ => CommitError::OutcomeUnknown,
    }
}

impl Store for IdbStore {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Row>, StoreError> {
        self.get_row(table, key).await
    }

    async fn find(
        &self,
        table: Table,
        index: UniqueIndex,
        value: &str,
    ) -> Result<Option<Row>, StoreError> {
        self.find_row(table, index, value).await
    }

    async fn list(&self, table: Table, query: Query) -> Result<Vec<Row>, StoreError> {
        self.list_rows(table, query).await
    }

    async fn count(&self, table: Table, group: &str) -> Result<usize, StoreError> {
        self.count_rows(table, group).await
    }

    async fn commit(&self, batch: Batch) -> Result<(), CommitError> {
        self.store_batch(batch).await
    }
}
