//! The journal: rows in tables, changed by batches that happen whole or not at all.
//!
//! A row's `body` is CBOR that only this crate reads; the other fields are indexes derived from it
//! on every write. The store knows nothing of what a row means.

use crate::time::Timestamp;
use thiserror::Error;

/// A table of the journal. The name is the object store's name in the browser.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Table {
    /// Intents, by preview id.
    Intents,
    /// Calls of pages that have not been answered and acknowledged, by document, channel and id.
    Calls,
    /// Stamp floors, by network, canister and sender.
    Floors,
    /// Grants, by origin and top-level origin.
    Sites,
    /// Asks to connect, by origin and top-level origin.
    Connects,
    /// Accepted canisters, by network and canister id.
    Canisters,
    /// Texts of interfaces, by fingerprint.
    Interfaces,
    /// Networks, by network id.
    Networks,
    /// Accounts, by number.
    Accounts,
    /// Our own windows, by token.
    Windows,
    /// The vault, its session seal, the freeze, settings and the installation: one row each.
    Settings,
    /// What was done before with whom: dealings by payee, usual amounts and addresses heard by site.
    Dealings,
    /// What happened, in order. Written only by [`Batch::audit`].
    Audit,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 13] = [
        Self::Intents,
        Self::Calls,
        Self::Floors,
        Self::Sites,
        Self::Connects,
        Self::Canisters,
        Self::Interfaces,
        Self::Networks,
        Self::Accounts,
        Self::Windows,
        Self::Settings,
        Self::Dealings,
        Self::Audit,
    ];

    /// The table's name in storage.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intents => "intents",
            Self::Calls => "calls",
            Self::Floors => "floors",
            Self::Sites => "sites",
            Self::Connects => "connects",
            Self::Canisters => "canisters",
            Self::Interfaces => "interfaces",
            Self::Networks => "networks",
            Self::Accounts => "accounts",
            Self::Windows => "windows",
            Self::Settings => "settings",
            Self::Dealings => "dealings",
            Self::Audit => "audit",
        }
    }
}

/// One stored record with its indexes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Row {
    /// Primary key.
    pub key: String,
    /// 1 when first stored, one more with each write.
    pub rev: u64,
    /// Whether there is still something to do about it.
    pub open: bool,
    /// What rows are listed by besides: a site, a document, a network.
    pub group: Option<String>,
    /// Unique in the table among rows that have one.
    pub identity: Option<String>,
    /// Unique in the table among rows that have one.
    pub stamp_key: Option<String>,
    /// When it was last written, by the host's clock. For display and order only.
    pub updated: Timestamp,
    /// Version of the body's form.
    pub v: u16,
    /// The record, CBOR.
    pub body: Vec<u8>,
}

/// What a write expects to find.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Expect {
    /// No row with this key. The row written has `rev` 1.
    Absent,
    /// The row with this revision. The row written has the next.
    Rev(u64),
}

/// One change of a batch.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Write {
    /// Stores the row.
    Put {
        /// Where.
        table: Table,
        /// What must be there before.
        expect: Expect,
        /// What is there after. Its `rev` must be the one `expect` leads to.
        row: Row,
    },
    /// Removes the row.
    Delete {
        /// Where.
        table: Table,
        /// Its key.
        key: String,
        /// Its revision.
        rev: u64,
    },
}

/// Changes that happen together, with one line for the audit log.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Batch {
    /// The changes, in order.
    pub writes: Vec<Write>,
    /// What is added to the audit table, under the next key in order; nothing where empty.
    pub audit: Vec<u8>,
}

/// Which rows a list holds. Every list is answered from an index: its cost follows the number of
/// rows in the answer, not in the table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Query {
    /// Rows with `open` set, by key.
    Open,
    /// Rows of this group, by key.
    Group(String),
    /// All rows, by key.
    All,
    /// The rows written last, by [`Row::updated`], newest first.
    Newest(usize),
}

/// Why the journal cannot be read. Nothing may be signed or sent while it cannot.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum StoreError {
    /// Closed under us, lost, or blocked by another instance.
    #[error("the journal cannot be opened: close other windows of this browser and start it again")]
    Unavailable,
    /// Written by a newer version of the wallet.
    #[error("the journal was written by a newer version of Countersign: update the extension")]
    Newer,
}

/// Why a batch was not stored, or is not known to be.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum CommitError {
    /// Somebody else stored first: load and decide again. Nothing was written.
    #[error("{} {key} was changed meanwhile", .table.name())]
    Conflict {
        /// Where.
        table: Table,
        /// Which row.
        key: String,
    },
    /// Another row holds this identity or stamp: load it instead. Nothing was written.
    #[error("{} already holds this {index:?}", .table.name())]
    Taken {
        /// Where.
        table: Table,
        /// Which index.
        index: UniqueIndex,
    },
    /// No room. Nothing was written.
    #[error("the disk is full: free some space, then try again")]
    Full,
    /// The batch may or may not have been stored: load before doing anything else.
    #[error("it is not known whether the journal was written")]
    OutcomeUnknown,
    /// The journal cannot be used. Nothing was written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An index in which no two rows of a table meet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UniqueIndex {
    /// [`Row::identity`].
    Identity,
    /// [`Row::stamp_key`].
    StampKey,
}

/// The journal.
///
/// An implementation must pass the suite `testing::store_suite`.
pub trait Store {
    /// The row with this key.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    async fn get(&self, table: Table, key: &str) -> Result<Option<Row>, StoreError>;

    /// The one row that holds this value in a unique index.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    async fn find(
        &self,
        table: Table,
        index: UniqueIndex,
        value: &str,
    ) -> Result<Option<Row>, StoreError>;

    /// Rows from an index.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    async fn list(&self, table: Table, query: Query) -> Result<Vec<Row>, StoreError>;

    /// How many rows of this group there are.
    ///
    /// # Errors
    ///
    /// See [`StoreError`].
    async fn count(&self, table: Table, group: &str) -> Result<usize, StoreError>;

    /// Stores a batch, if everything it expects is there and no unique index is broken.
    ///
    /// An implementation must guarantee that
    ///
    /// - all writes and the audit line are stored or none is, even if the worker is stopped;
    /// - once this returns `Ok`, later reads see them, also after a restart and a loss of power;
    /// - of two batches that expect the same revision, at most one is stored.
    ///
    /// # Errors
    ///
    /// See [`CommitError`]. Every error but [`CommitError::OutcomeUnknown`] means that nothing was
    /// written.
    async fn commit(&self, batch: Batch) -> Result<(), CommitError>;
}
