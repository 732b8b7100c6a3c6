//! Freezing: the wallet is locked, every ask is declined, and no site has any access, until the
//! passphrase. For a person who fears that something is wrong and has no time to find out what.
//!
//! The row comes first: whatever dies after it, the next worker goes on from there. What was sent
//! is followed as in a locked wallet, and waiting calls are answered: a site learns what became of
//! its own calls, and nothing else. What a site had is not taken back; it is closed.

use super::Wallet;
use super::asks::Queued;
use super::keys::KeyError;
use super::record::{self, Record as _, RecordError, Stored};
use super::records::Frozen;
use crate::policy::{Grant, SiteKey};
use crate::ports::store::{CommitError, Row, Store as _, Write};
use crate::ports::{Clock as _, Ports};

/// How often the row is tried to be stored.
const TRIES: usize = 8;

impl<P: Ports> Wallet<P> {
    /// Freezes. Locked it is in every case, from the first moment.
    ///
    /// # Errors
    ///
    /// There is no wallet; or the browser did not store it: this worker is locked, and sites still
    /// have what they had.
    pub async fn freeze(&self) -> Result<(), KeyError> {
        self.memory.borrow_mut().vault = None;
        self.sealed().await?.ok_or(KeyError::None)?;
        let stored = self.store_frozen().await;
        self.lock().await;
        stored?;
        self.close_asks().await;
        self.access_changed().await;
        self.count_asks().await;
        self.push_views().await;
        Ok(())
    }

    async fn store_frozen(&self) -> Result<(), KeyError> {
        let mut last = CommitError::OutcomeUnknown;
        for _ in 0..TRIES {
            if self.frozen().await?.is_some() {
                return Ok(());
            }
            let (writer, now) = (self.writer().await?, self.ports.clock().host());
            let row = record::add(writer, now, &Frozen {});
            match self.put(vec![row], "freeze").await {
                Ok(()) => return Ok(()),
                Err(error) => last = error,
            }
        }
        Err(last.into())
    }

    /// The row of a wallet that is frozen, written when it was. One that is damaged freezes as well.
    pub(super) async fn frozen(&self) -> Result<Option<Row>, RecordError> {
        let row = self.ports.store().get(Frozen::TABLE, Frozen::KEY).await;
        Ok(row?)
    }

    /// What a page of this site has the use of now: nothing while the wallet is frozen.
    pub(super) async fn access_of(
        &self,
        site: &SiteKey,
    ) -> Result<Option<Stored<Grant>>, RecordError> {
        if self.frozen().await?.is_some() {
            return Ok(None);
        }
        self.grant_of(site).await
    }

    /// Goes on with a freeze that an earlier worker began.
    pub(super) async fn keep_frozen(&self) {
        // Where it cannot be read, nothing is asked either.
        if matches!(self.frozen().await, Ok(Some(_))) {
            self.memory.borrow_mut().vault = None;
            self.lock().await;
            self.close_asks().await;
        }
    }

    /// The passphrase was given: what ends the freeze when it is stored. Whatever was asked
    /// meanwhile is declined with the rest.
    pub(super) async fn thaws(&self) -> Result<Option<Write>, RecordError> {
        let Some(frozen) = self.frozen().await? else {
            return Ok(None);
        };
        self.close_asks().await;
        Ok(Some(Write::Delete {
            table: Frozen::TABLE,
            key: frozen.key,
            rev: frozen.rev,
        }))
    }

    /// Declines every ask.
    async fn close_asks(&self) {
        let queue = self.queue().await.unwrap_or_default();
        for ask in queue.iter().filter_map(Queued::id) {
            // One that is gone meanwhile needs no answer. One whose no could not be stored is tried
            // again at the next wake, and if that fails too it is asked after the freeze.
            let _ = self.decline(ask).await;
        }
    }

    /// Tells every connected page that what it has has changed.
    pub(super) async fn access_changed(&self) {
        for grant in self.load_all::<Grant>().await.unwrap_or_default() {
            self.tools_changed(&grant.record.site);
        }
    }
}
