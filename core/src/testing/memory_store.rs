//! The journal in memory: the same rows and rules as in the browser, and it survives a "crash"
//! of the engine because clones share it.

use crate::ports::store::{
    Batch, CommitError, Expect, Query, Row, Store, StoreError, Table, UniqueIndex, Write,
};
use crate::time::Timestamp;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

type Tables = BTreeMap<Table, BTreeMap<String, Row>>;

/// A [`Store`] in memory. A clone is another handle on the same tables.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    tables: Rc<RefCell<Tables>>,
    rows_read: Rc<RefCell<u64>>,
}

impl MemoryStore {
    /// An empty journal.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A copy of the whole journal as it is now, for example to restore it later.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        Self {
            tables: Rc::new(RefCell::new(self.tables.borrow().clone())),
            rows_read: Rc::default(),
        }
    }

    /// How many rows were read so far, by any method.
    #[must_use]
    pub fn rows_read(&self) -> u64 {
        *self.rows_read.borrow()
    }

    fn read<T>(&self, rows: usize, answer: T) -> T {
        *self.rows_read.borrow_mut() += rows as u64;
        answer
    }
}

/// What a unique index holds of a row.
fn indexed(row: &Row, index: UniqueIndex) -> Option<&String> {
    match index {
        UniqueIndex::Identity => row.identity.as_ref(),
        UniqueIndex::StampKey => row.stamp_key.as_ref(),
    }
}

fn apply(tables: &mut Tables, write: Write) -> Result<(), CommitError> {
    match write {
        Write::Put { table, expect, row } => {
            let rows = tables.entry(table).or_default();
            let found = rows.get(&row.key).map(|row| row.rev);
            let (holds, next) = match expect {
                Expect::Absent => (found.is_none(), 1),
                Expect::Rev(rev) => (found == Some(rev), rev + 1),
            };
            if !holds || row.rev != next {
                return Err(CommitError::Conflict {
                    table,
                    key: row.key,
                });
            }
            for index in [UniqueIndex::Identity, UniqueIndex::StampKey] {
                let value = indexed(&row, index);
                let taken = value.is_some()
                    && rows
                        .values()
                        .any(|o| o.key != row.key && indexed(o, index) == value);
                if taken {
                    return Err(CommitError::Taken { table, index });
                }
            }
            rows.insert(row.key.clone(), row);
            Ok(())
        }
        Write::Delete { table, key, rev } => {
            let rows = tables.entry(table).or_default();
            if rows.get(&key).map(|row| row.rev) != Some(rev) {
                return Err(CommitError::Conflict { table, key });
            }
            rows.remove(&key);
            Ok(())
        }
    }
}

impl Store for MemoryStore {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Row>, StoreError> {
        let row = self
            .tables
            .borrow()
            .get(&table)
            .and_then(|rows| rows.get(key))
            .cloned();
        Ok(self.read(row.iter().len(), row))
    }

    async fn find(
        &self,
        table: Table,
        index: UniqueIndex,
        value: &str,
    ) -> Result<Option<Row>, StoreError> {
        let tables = self.tables.borrow();
        let mut rows = tables.get(&table).into_iter().flat_map(BTreeMap::values);
        let row = rows
            .find(|row| indexed(row, index).is_some_and(|held| held == value))
            .cloned();
        Ok(self.read(row.iter().len(), row))
    }

    async fn list(&self, table: Table, query: Query) -> Result<Vec<Row>, StoreError> {
        let tables = self.tables.borrow();
        let rows = tables.get(&table).into_iter().flat_map(BTreeMap::values);
        let rows: Vec<Row> = match query {
            Query::All => rows.cloned().collect(),
            Query::Open => rows.filter(|row| row.open).cloned().collect(),
            Query::Group(group) => rows
                .filter(|row| row.group.as_ref() == Some(&group))
                .cloned()
                .collect(),
            Query::Newest(count) => {
                let mut rows: Vec<Row> = rows.cloned().collect();
                rows.sort_by(|a, b| (b.updated, &b.key).cmp(&(a.updated, &a.key)));
                rows.truncate(count);
                rows
            }
        };
        Ok(self.read(rows.len(), rows))
    }

    async fn count(&self, table: Table, group: &str) -> Result<usize, StoreError> {
        let tables = self.tables.borrow();
        let rows = tables.get(&table).into_iter().flat_map(BTreeMap::values);
        Ok(rows
            .filter(|row| row.group.as_deref() == Some(group))
            .count())
    }

    async fn commit(&self, batch: Batch) -> Result<(), CommitError> {
        let mut next = self.tables.borrow().clone();
        for write in batch.writes {
            apply(&mut next, write)?;
        }
        if !batch.audit.is_empty() {
            let lines = next.entry(Table::Audit).or_default();
            let number = lines
                .keys()
                .next_back()
                .and_then(|key| key.parse::<u64>().ok());
            let key = format!("{:016}", number.map_or(1, |last| last + 1));
            let row = Row {
                key: key.clone(),
                rev: 1,
                open: false,
                group: None,
                identity: None,
                stamp_key: None,
                updated: Timestamp::default(),
                v: 1,
                body: batch.audit,
            };
            lines.insert(key, row);
        }
        *self.tables.borrow_mut() = next;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn fresh() -> MemoryStore {
        MemoryStore::new()
    }

    crate::store_suite!(fresh, crate::testing::run_native);
}
