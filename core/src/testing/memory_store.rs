//! The journal in memory: the same rows and rules as in the browser, and it survives a "crash"
//! of the engine because clones share it.

use super::Turn;
use crate::ports::store::{
    Batch, CommitError, Expect, Query, Row, Store, StoreError, Table, UniqueIndex, Write,
};
use crate::time::Timestamp;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

type Tables = BTreeMap<Table, BTreeMap<String, Row>>;

/// What becomes of a batch, where a test wants more than the rules do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Meddling {
    /// It is refused: the disk is full.
    Full,
    /// It is refused: the journal is closed.
    Closed,
    /// It is stored, and nobody hears of it.
    StoredUnheard,
    /// It is lost, and nobody hears of it.
    LostUnheard,
}

/// Which batches are meddled with: `count` of them, after `skip` others.
#[derive(Clone, Copy, Debug)]
struct Order {
    skip: u64,
    count: u64,
    with: Meddling,
}

/// A [`Store`] in memory. A clone is another handle on the same tables.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    tables: Rc<RefCell<Tables>>,
    rows_read: Rc<RefCell<u64>>,
    commits: Rc<Cell<u64>>,
    order: Rc<Cell<Option<Order>>>,
    /// Whether every use takes a turn, as in a browser.
    takes_turns: bool,
}

impl MemoryStore {
    /// An empty journal.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty journal of which every use takes a turn, as in a browser: other tasks go on
    /// meanwhile, and a worker can be killed between what is stored and hearing of it.
    #[must_use]
    pub fn taking_turns() -> Self {
        Self {
            takes_turns: true,
            ..Self::default()
        }
    }

    /// A copy of the whole journal as it is now, for example to restore it later.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        Self {
            tables: Rc::new(RefCell::new(self.tables.borrow().clone())),
            takes_turns: self.takes_turns,
            ..Self::default()
        }
    }

    /// Goes back to a copy that was taken before.
    pub fn restore(&self, snapshot: &Self) {
        let tables = snapshot.tables.borrow().clone();
        *self.tables.borrow_mut() = tables;
    }

    /// Loses every row.
    pub(super) fn clear(&self) {
        self.tables.borrow_mut().clear();
    }

    /// Meddles with the next `count` batches after `skip` others; with none where `count` is 0.
    pub fn meddle(&self, skip: u64, count: u64, with: Meddling) {
        self.order.set(Some(Order { skip, count, with }));
    }

    /// How many batches were stored so far.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.commits.get()
    }

    async fn turn(&self) {
        if self.takes_turns {
            Turn::default().await;
        }
    }

    /// What is to become of this batch.
    fn meddling(&self) -> Option<Meddling> {
        let mut order = self.order.get()?;
        let with = if order.skip > 0 {
            order.skip -= 1;
            None
        } else if order.count > 0 {
            order.count -= 1;
            Some(order.with)
        } else {
            None
        };
        self.order.set(Some(order));
        with
    }

    fn listed(&self, table: Table, query: Query) -> Vec<Row> {
        let tables = self.tables.borrow();
        let rows = tables.get(&table).into_iter().flat_map(BTreeMap::values);
        match query {
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
        }
    }

    fn store(&self, batch: Batch) -> Result<(), CommitError> {
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
        self.commits.set(self.commits.get() + 1);
        Ok(())
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
        self.turn().await;
        Ok(self.read(row.iter().len(), row))
    }

    async fn find(
        &self,
        table: Table,
        index: UniqueIndex,
        value: &str,
    ) -> Result<Option<Row>, StoreError> {
        let row = {
            let tables = self.tables.borrow();
            let mut rows = tables.get(&table).into_iter().flat_map(BTreeMap::values);
            rows.find(|row| indexed(row, index).is_some_and(|held| held == value))
                .cloned()
        };
        self.turn().await;
        Ok(self.read(row.iter().len(), row))
    }

    async fn list(&self, table: Table, query: Query) -> Result<Vec<Row>, StoreError> {
        let rows = self.listed(table, query);
        self.turn().await;
        Ok(self.read(rows.len(), rows))
    }

    async fn count(&self, table: Table, group: &str) -> Result<usize, StoreError> {
        let count = self.listed(table, Query::Group(group.to_owned())).len();
        self.turn().await;
        Ok(count)
    }

    async fn commit(&self, batch: Batch) -> Result<(), CommitError> {
        self.turn().await;
        let done = match self.meddling() {
            None => self.store(batch),
            Some(Meddling::Full) => Err(CommitError::Full),
            Some(Meddling::Closed) => Err(StoreError::Unavailable.into()),
            Some(Meddling::StoredUnheard) => {
                self.store(batch).and(Err(CommitError::OutcomeUnknown))
            }
            Some(Meddling::LostUnheard) => Err(CommitError::OutcomeUnknown),
        };
        self.turn().await;
        done
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
