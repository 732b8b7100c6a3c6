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

/// One use of the journal, as it was asked for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Use {
    /// [`Store::get`].
    Get(Table, String),
    /// [`Store::find`].
    Find(Table, UniqueIndex, String),
    /// [`Store::list`].
    List(Table, Query),
    /// [`Store::count`].
    Count(Table, String),
    /// [`Store::commit`], where it was stored.
    Commit(Batch),
}

/// A [`Store`] in memory. A clone is another handle on the same tables.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    tables: Rc<RefCell<Tables>>,
    /// What was asked of it, since somebody wants to know.
    uses: Rc<RefCell<Option<Vec<Use>>>>,
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
                let mut rows: Vec<&Row> = rows.collect();
                rows.sort_by(|a, b| (b.updated, &b.key).cmp(&(a.updated, &a.key)));
                rows.into_iter().take(count).cloned().collect()
            }
        }
    }

    fn store(&self, batch: Batch) -> Result<(), CommitError> {
        let used = self.uses.borrow().is_some().then(|| batch.clone());
        let mut tables = self.tables.borrow_mut();
        // In place, with the way back: a journal of many rows is not copied for one.
        let mut before = Vec::new();
        for write in batch.writes {
            match apply(&mut tables, write) {
                Ok(undo) => before.push(undo),
                Err(error) => {
                    for undo in before.into_iter().rev() {
                        undo.apply(&mut tables);
                    }
                    return Err(error);
                }
            }
        }
        if !batch.audit.is_empty() {
            let lines = tables.entry(Table::Audit).or_default();
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
        self.commits.set(self.commits.get() + 1);
        if let Some(batch) = used {
            self.note(|| Use::Commit(batch));
        }
        Ok(())
    }

    /// Adds rows as they are, for a journal that has grown for years. Nothing is checked: their
    /// keys and unique values must be new.
    pub fn fill(&self, table: Table, rows: impl IntoIterator<Item = Row>) {
        let mut tables = self.tables.borrow_mut();
        let held = tables.entry(table).or_default();
        held.extend(rows.into_iter().map(|row| (row.key.clone(), row)));
    }

    /// How many rows were read so far, by any method.
    #[must_use]
    pub fn rows_read(&self) -> u64 {
        *self.rows_read.borrow()
    }

    /// Begins to note every use, in order, and gives those noted so far.
    #[must_use]
    pub fn take_uses(&self) -> Vec<Use> {
        self.uses
            .borrow_mut()
            .replace(Vec::new())
            .unwrap_or_default()
    }

    fn note(&self, used: impl FnOnce() -> Use) {
        if let Some(uses) = self.uses.borrow_mut().as_mut() {
            uses.push(used());
        }
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

/// What was under a key before a write.
struct Undo {
    table: Table,
    key: String,
    row: Option<Row>,
}

impl Undo {
    fn apply(self, tables: &mut Tables) {
        let rows = tables.entry(self.table).or_default();
        match self.row {
            Some(row) => rows.insert(self.key, row),
            None => rows.remove(&self.key),
        };
    }
}

fn apply(tables: &mut Tables, write: Write) -> Result<Undo, CommitError> {
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
            let key = row.key.clone();
            let row = rows.insert(key.clone(), row);
            Ok(Undo { table, key, row })
        }
        Write::Delete { table, key, rev } => {
            let rows = tables.entry(table).or_default();
            if rows.get(&key).map(|row| row.rev) != Some(rev) {
                return Err(CommitError::Conflict { table, key });
            }
            let row = rows.remove(&key);
            Ok(Undo { table, key, row })
        }
    }
}

impl Store for MemoryStore {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Row>, StoreError> {
        self.note(|| Use::Get(table, key.to_owned()));
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
        self.note(|| Use::Find(table, index, value.to_owned()));
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
        self.note(|| Use::List(table, query.clone()));
        let rows = self.listed(table, query);
        self.turn().await;
        Ok(self.read(rows.len(), rows))
    }

    async fn count(&self, table: Table, group: &str) -> Result<usize, StoreError> {
        self.note(|| Use::Count(table, group.to_owned()));
        let count = {
            let tables = self.tables.borrow();
            let rows = tables.get(&table).into_iter().flat_map(BTreeMap::values);
            let group = Some(group);
            rows.filter(|row| row.group.as_deref() == group).count()
        };
        self.turn().await;
        // An index is counted by going through it.
        Ok(self.read(count, count))
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
