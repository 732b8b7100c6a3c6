//! Whether a batch may be stored, given what was read in its transaction.
//!
//! Pure: what is needed is named first, read then, and judged last, write by write, as if each had
//! been stored before the next is looked at.

use countersign_core::ports::store::{CommitError, Expect, Row, Table, UniqueIndex, Write};
use litemap::LiteMap;
use std::collections::BTreeSet;

const INDEXES: [UniqueIndex; 2] = [UniqueIndex::Identity, UniqueIndex::StampKey];

/// What must be read before a batch can be judged.
pub(super) struct Needs {
    /// Rows by key.
    pub(super) rows: BTreeSet<(Table, String)>,
    /// Whose value in a unique index is whose.
    pub(super) holders: Vec<(Table, UniqueIndex, String)>,
}

impl Needs {
    /// What these writes need.
    pub(super) fn of(writes: &[Write]) -> Self {
        let mut needs = Self {
            rows: BTreeSet::new(),
            holders: Vec::new(),
        };
        for write in writes {
            match write {
                Write::Put { table, row, .. } => {
                    needs.rows.insert((*table, row.key.clone()));
                    for index in INDEXES {
                        let value = value(row, index);
                        needs
                            .holders
                            .extend(value.map(|value| (*table, index, value.clone())));
                    }
                }
                Write::Delete { table, key, .. } => {
                    needs.rows.insert((*table, key.clone()));
                }
            }
        }
        needs
    }
}

fn value(row: &Row, index: UniqueIndex) -> Option<&String> {
    match index {
        UniqueIndex::Identity => row.identity.as_ref(),
        UniqueIndex::StampKey => row.stamp_key.as_ref(),
    }
}

const fn number(index: UniqueIndex) -> u8 {
    match index {
        UniqueIndex::Identity => 0,
        UniqueIndex::StampKey => 1,
    }
}

/// What matters of a stored row.
#[derive(Clone, Debug, Default)]
struct Held {
    rev: u64,
    values: Vec<(UniqueIndex, String)>,
}

impl Held {
    fn of(row: &Row) -> Self {
        let values = INDEXES.into_iter();
        let values = values.filter_map(|index| Some((index, value(row, index)?.clone())));
        Self {
            rev: row.rev,
            values: values.collect(),
        }
    }
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Found {
    rows: LiteMap<(Table, String), Held>,
    holders: LiteMap<(Table, u8, String), String>,
}

impl Found {
    /// A row that is there.
    pub(super) fn add_row(&mut self, table: Table, row: Row) {
        let held = Held::of(&row);
        self.rows.insert((table, row.key), held);
    }

    /// The key of the row that holds a value of a unique index.
    pub(super) fn add_holder(
        &mut self,
        table: Table,
        index: UniqueIndex,
        value: String,
        key: String,
    ) {
        self.holders.insert((table, number(index), value), key);
    }

    fn release(&mut self, table: Table, held: Held) {
        for (index, value) in held.values {
            self.holders.remove(&(table, number(index), value));
        }
    }
}

/// Judges a batch.
///
/// # Errors
///
/// [`CommitError::Conflict`] and [`CommitError::Taken`], for the first write that may not be.
pub(super) fn check(writes: &[Write], mut found: Found) -> Result<(), CommitError> {
    for write in writes {
        match write {
            Write::Put { table, expect, row } => put(*table, *expect, row, &mut found)?,
            Write::Delete { table, key, rev } => {
                let (table, at) = (*table, (*table, key.clone()));
                match found.rows.remove(&at) {
                    Some(held) if held.rev == *rev => found.release(table, held),
                    Some(_) | None => return Err(CommitError::Conflict { table, key: at.1 }),
                }
            }
        }
    }
    Ok(())
}

fn put(table: Table, expect: Expect, row: &Row, found: &mut Found) -> Result<(), CommitError> {
    let at = (table, row.key.clone());
    let before = found.rows.remove(&at);
    let rev = before.as_ref().map(|held| held.rev);
    let (holds, next) = match expect {
        Expect::Absent => (rev.is_none(), 1),
        Expect::Rev(expected) => (rev == Some(expected), expected.saturating_add(1)),
    };
    if !holds || row.rev != next {
        return Err(CommitError::Conflict { table, key: at.1 });
    }
    if let Some(before) = before {
        found.release(table, before);
    }
    let held = Held::of(row);
    for (index, value) in &held.values {
        let place = (table, number(*index), value.clone());
        if let Some(holder) = found.holders.insert(place, row.key.clone())
            && holder != row.key
        {
            return Err(CommitError::Taken {
                table,
                index: *index,
            });
        }
    }
    found.rows.insert(at, held);
    Ok(())
}
