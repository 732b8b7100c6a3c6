//! From one version of the schema to the next, one file a step.
//!
//! A step runs inside the upgrade's transaction: it happens whole or not at all. A step that was
//! released is never changed; what a later version needs is a new step.

mod v1;
mod v2;

use indexed_db_futures::database::{Database, VersionChangeEvent};
use indexed_db_futures::error::Error;

/// The schema that this build reads and writes. A database of a later one is refused.
pub(super) const VERSION: u32 = 2;

type Step = fn(&Database) -> Result<(), Error>;

/// The step to each version, from 1 on.
const STEPS: [Step; VERSION as usize] = [v1::step, v2::step];

/// Brings a database to [`VERSION`].
#[allow(
    clippy::needless_pass_by_value,
    reason = "the shape that the opening of a database asks for"
)]
pub(super) fn run(event: VersionChangeEvent, database: Database) -> Result<(), Error> {
    let before = event.old_version();
    let versions = 1..=VERSION;
    for (version, step) in versions.zip(STEPS) {
        if f64::from(version) > before {
            step(&database)?;
        }
    }
    Ok(())
}
