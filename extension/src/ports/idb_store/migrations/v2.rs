//! Version 2: a table for what was done before with whom. It begins empty: of dealings before it the
//! wallet says once more that they are new.

use super::v1;
use indexed_db_futures::database::Database;
use indexed_db_futures::error::Error;

pub(super) fn step(database: &Database) -> Result<(), Error> {
    v1::table(database, "dealings")
}
