//! How the person wants the pages to look: one small row. A row that cannot be read stands for the
//! defaults and stops nothing. Of the rest of the engine only `views` reads it, also for the language
//! in which a canister is asked to describe a call: no digest, no record and no word to an agent can
//! depend on it.
//!
//! Its scenarios: `a_persons_settings`.

use super::Wallet;
use super::record::{self, Record as _, RecordError};
use crate::ports::store::{CommitError, Store as _};
use crate::ports::{Clock as _, Ports};
use crate::wire::ui::{Failure, Settings};

/// How often a change is tried, where another task stores one at the same time.
const TRIES: usize = 4;

impl<P: Ports> Wallet<P> {
    /// How the pages look.
    pub(super) async fn settings(&self) -> Settings {
        let stored = self.load::<Settings>(Settings::KEY).await;
        stored
            .ok()
            .flatten()
            .map(|stored| stored.record)
            .unwrap_or_default()
    }

    /// Changes how the pages look. What cannot be read is replaced, unless a newer version wrote it.
    ///
    /// # Errors
    ///
    /// It was not stored.
    pub(super) async fn change_settings(
        &self,
        change: impl Fn(&mut Settings),
    ) -> Result<(), Failure> {
        for _ in 0..TRIES {
            let row = self.ports.store().get(Settings::TABLE, Settings::KEY).await;
            let row = row.map_err(|_| Failure::NotStored)?;
            let before = match row.as_ref().map(record::read::<Settings>).transpose() {
                Ok(stored) => stored.map(|stored| stored.record),
                Err(RecordError::Damaged { .. }) => None,
                Err(RecordError::Newer { .. }) => return Err(Failure::NotNow),
                Err(RecordError::Store(_)) => return Err(Failure::NotStored),
            };
            let mut next = before.unwrap_or_default();
            change(&mut next);
            if before == Some(next) {
                return Ok(());
            }
            let writer = self.writer().await.map_err(|_| Failure::NotStored)?;
            let now = self.ports.clock().host();
            let write = match row {
                None => record::add(writer, now, &next),
                Some(row) => record::change(writer, now, row.rev, &next),
            };
            match self.put(vec![write], "settings").await {
                Ok(()) => return Ok(()),
                // Of an outcome that is not known, the row itself tells.
                Err(
                    CommitError::Conflict { .. }
                    | CommitError::Taken { .. }
                    | CommitError::OutcomeUnknown,
                ) => {}
                Err(CommitError::Full | CommitError::Store(_)) => break,
            }
        }
        Err(Failure::NotStored)
    }
}
