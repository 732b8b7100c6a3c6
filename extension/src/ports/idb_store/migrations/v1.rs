//! Version 1: a table for everything that is stored, each with the same indexes.

use indexed_db_futures::KeyPath;
use indexed_db_futures::database::Database;
use indexed_db_futures::error::Error;
use indexed_db_futures::prelude::*;

const TABLES: [&str; 12] = [
    "intents",
    "calls",
    "floors",
    "sites",
    "connects",
    "canisters",
    "interfaces",
    "networks",
    "accounts",
    "windows",
    "settings",
    "audit",
];

/// An index's name, which is the property it is over, and whether it is unique.
const INDEXES: [(&str, bool); 5] = [
    ("open", false),
    ("group", false),
    ("identity", true),
    ("stamp_key", true),
    ("updated", false),
];

pub(super) fn step(database: &Database) -> Result<(), Error> {
    for name in TABLES {
        table(database, name)?;
    }
    Ok(())
}

/// Makes a table with the indexes that every table has.
pub(super) fn table(database: &Database, name: &str) -> Result<(), Error> {
    let store = database
        .create_object_store(name)
        .with_key_path(KeyPath::One("key"))
        .build()?;
    for (name, unique) in INDEXES {
        store
            .create_index(name, KeyPath::One(name))
            .with_unique(unique)
            .build()?;
    }
    Ok(())
}
