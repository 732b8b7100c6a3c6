//! How this crate's records become rows of the journal and come back.
//!
//! Every body is CBOR of one frame: the installation and epoch it was written under, a MAC (empty
//! until records are MACed), and the record, CBOR in its turn. A record of a newer form is refused, never guessed.

use crate::ids::InstallationId;
use crate::ports::store::{Expect, Row, StoreError, Table, Write};
use crate::stored;
use crate::time::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A record that has a table of its own.
pub trait Record: Serialize + DeserializeOwned {
    /// Where it is stored.
    const TABLE: Table;
    /// The version of its stored form.
    const V: u16;

    /// Its primary key.
    fn key(&self) -> String;

    /// Whether there is still something to do about it.
    fn open(&self) -> bool {
        false
    }

    /// What it is listed by.
    fn group(&self) -> Option<String> {
        None
    }

    /// What no two rows may share.
    fn identity(&self) -> Option<String> {
        None
    }

    /// The other thing that no two rows may share.
    fn stamp_key(&self) -> Option<String> {
        None
    }
}

/// Which installation writes, and which life of its journal this is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Writer {
    /// The installation.
    pub installation: InstallationId,
    /// Rises when a journal is restored or begun anew beside a vault.
    pub epoch: u32,
}

#[derive(Deserialize, Serialize)]
struct Frame {
    writer: Writer,
    #[serde(with = "serde_bytes")]
    mac: Vec<u8>,
    #[serde(with = "serde_bytes")]
    record: Vec<u8>,
}

/// A record as it is stored, with the revision to expect when it is changed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Stored<T> {
    /// The record.
    pub record: T,
    /// Its revision.
    pub rev: u64,
    /// Who wrote it.
    pub writer: Writer,
}

/// Why a row cannot be read as the record it should be.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum RecordError {
    /// The journal cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The row is of a newer form than this version knows.
    #[error("{} {key} was written by a newer version of Countersign: update it", .table.name())]
    Newer {
        /// Where.
        table: Table,
        /// Which row.
        key: String,
    },
    /// The row's body is not what its version says.
    #[error("{} {key} is damaged", .table.name())]
    Damaged {
        /// Where.
        table: Table,
        /// Which row.
        key: String,
    },
}

/// Reads a row.
///
/// # Errors
///
/// The row is of a newer form, or damaged.
pub fn read<T: Record>(row: &Row) -> Result<Stored<T>, RecordError> {
    if row.v > T::V {
        return Err(RecordError::Newer {
            table: T::TABLE,
            key: row.key.clone(),
        });
    }
    let record = stored::read(&row.body)
        .and_then(|frame: Frame| Ok((frame.writer, stored::read::<T>(&frame.record)?)));
    match record {
        Ok((writer, record)) if record.key() == row.key => Ok(Stored {
            record,
            rev: row.rev,
            writer,
        }),
        Ok(_) | Err(_) => Err(RecordError::Damaged {
            table: T::TABLE,
            key: row.key.clone(),
        }),
    }
}

fn row<T: Record>(writer: Writer, updated: Timestamp, rev: u64, record: &T) -> Row {
    let body = stored::write(&Frame {
        writer,
        mac: Vec::new(),
        record: stored::write(record),
    });
    Row {
        key: record.key(),
        rev,
        open: record.open(),
        group: record.group(),
        identity: record.identity(),
        stamp_key: record.stamp_key(),
        updated,
        v: T::V,
        body,
    }
}

/// The write that stores a new record.
#[must_use]
pub fn add<T: Record>(writer: Writer, updated: Timestamp, record: &T) -> Write {
    Write::Put {
        table: T::TABLE,
        expect: Expect::Absent,
        row: row(writer, updated, 1, record),
    }
}

/// The write that replaces the record stored at revision `rev`.
#[must_use]
pub fn change<T: Record>(writer: Writer, updated: Timestamp, rev: u64, record: &T) -> Write {
    let row = row(writer, updated, rev + 1, record);
    Write::Put {
        table: T::TABLE,
        expect: Expect::Rev(rev),
        row,
    }
}

/// The write that removes the record stored at revision `rev`.
#[must_use]
pub fn remove<T: Record>(record: &T, rev: u64) -> Write {
    Write::Delete {
        table: T::TABLE,
        key: record.key(),
        rev,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
    struct Note {
        name: String,
        text: String,
    }

    impl Record for Note {
        const TABLE: Table = Table::Settings;
        const V: u16 = 3;

        fn key(&self) -> String {
            self.name.clone()
        }
    }

    const WRITER: Writer = Writer {
        installation: InstallationId::from_bytes([7; 16]),
        epoch: 1,
    };

    fn note() -> Note {
        Note {
            name: "n".to_owned(),
            text: "t".to_owned(),
        }
    }

    fn stored() -> Row {
        match add(WRITER, Timestamp::from_nanos(5), &note()) {
            Write::Put { row, .. } => row,
            Write::Delete { .. } => unreachable!("adding is a put"),
        }
    }

    #[test]
    fn a_record_comes_back_from_its_row() {
        let read: Stored<Note> = read(&stored()).unwrap();
        assert_eq!(
            read,
            Stored {
                record: note(),
                rev: 1,
                writer: WRITER
            }
        );
    }

    #[test]
    fn a_newer_form_is_refused() {
        let newer = Row { v: 4, ..stored() };
        assert!(matches!(
            read::<Note>(&newer),
            Err(RecordError::Newer { .. })
        ));
    }

    #[test]
    fn a_damaged_body_is_refused() {
        let mut cut = stored();
        cut.body.pop();
        assert!(matches!(
            read::<Note>(&cut),
            Err(RecordError::Damaged { .. })
        ));
        let elsewhere = Row {
            key: "other".to_owned(),
            ..stored()
        };
        assert!(matches!(
            read::<Note>(&elsewhere),
            Err(RecordError::Damaged { .. })
        ));
    }
}
