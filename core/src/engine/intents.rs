//! Intents in the journal: loading, storing, and what else one transaction must hold.

use super::Wallet;
use super::record::RecordError;
use crate::ids::{IdentityHash, PreviewId};
use crate::intent::{Intent, RECORD_VERSION};
use crate::policy::SiteKey;
use crate::ports::store::{
    Batch, CommitError, Expect, Query, Row, Store as _, Table, UniqueIndex, Write,
};
use crate::ports::{Clock as _, Ports};
use crate::time::Timestamp;

/// An intent as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredIntent {
    /// The intent.
    pub intent: Intent,
    /// Its revision.
    pub rev: u64,
}

/// Reads an intent's row.
///
/// # Errors
///
/// The row is of a newer form, or damaged.
pub fn read_intent(row: &Row) -> Result<StoredIntent, RecordError> {
    let (table, key) = (Table::Intents, row.key.clone());
    if row.v > RECORD_VERSION {
        return Err(RecordError::Newer { table, key });
    }
    match Intent::decode(&row.body) {
        Ok(intent) if intent.preview().to_string() == row.key => Ok(StoredIntent {
            intent,
            rev: row.rev,
        }),
        Ok(_) | Err(_) => Err(RecordError::Damaged { table, key }),
    }
}

/// The row of an intent at a revision, with every index derived from it.
fn intent_row(intent: &Intent, rev: u64, updated: Timestamp) -> Row {
    let prepared = intent.prepared();
    let counted = intent.end().is_none() && !intent.was_committed();
    Row {
        key: prepared.preview.to_string(),
        rev,
        open: intent.end().is_none(),
        group: if counted {
            Some(group_of(&prepared.origin, &prepared.top_origin))
        } else if intent.end().is_some() && intent.holds_identity() && !prepared.names.is_empty() {
            Some(names_group(&prepared.origin))
        } else {
            None
        },
        identity: intent
            .holds_identity()
            .then(|| prepared.identity.to_string()),
        stamp_key: intent.stamp_key().map(|key| key.hash().to_string()),
        updated,
        v: RECORD_VERSION,
        body: intent.encode(),
    }
}

/// What a site's previews that were never committed are counted by.
pub(super) fn preview_group(site: &SiteKey) -> String {
    group_of(site.origin.as_str(), site.top_origin.as_str())
}

fn group_of(origin: &str, top_origin: &str) -> String {
    format!("{origin} {top_origin}")
}

/// What the ended intents of a site are listed by whose wish somebody may say by a name again.
fn names_group(origin: &str) -> String {
    format!("names {origin}")
}

/// The write that stores a new intent.
#[must_use]
pub fn add_intent(intent: &Intent, updated: Timestamp) -> Write {
    let row = intent_row(intent, 1, updated);
    Write::Put {
        table: Table::Intents,
        expect: Expect::Absent,
        row,
    }
}

/// The write that replaces the intent stored at revision `rev`.
#[must_use]
pub fn change_intent(intent: &Intent, rev: u64, updated: Timestamp) -> Write {
    let row = intent_row(intent, rev + 1, updated);
    Write::Put {
        table: Table::Intents,
        expect: Expect::Rev(rev),
        row,
    }
}

impl<P: Ports> Wallet<P> {
    /// The intent with this preview id.
    ///
    /// # Errors
    ///
    /// The journal cannot be read, or the row is damaged or newer.
    pub async fn intent(&self, preview: &PreviewId) -> Result<Option<StoredIntent>, RecordError> {
        let row = self
            .ports
            .store()
            .get(Table::Intents, &preview.to_string())
            .await?;
        row.as_ref().map(read_intent).transpose()
    }

    /// The intent with this preview id, if it is this site's. Another site's and none are one.
    pub(super) async fn intent_of(
        &self,
        site: &SiteKey,
        preview: &PreviewId,
    ) -> Result<Option<StoredIntent>, RecordError> {
        let stored = self.intent(preview).await?;
        Ok(stored.filter(|stored| {
            let prepared = stored.intent.prepared();
            prepared.origin == site.origin.as_str()
                && prepared.top_origin == site.top_origin.as_str()
        }))
    }

    /// The intent that holds this identity.
    pub(super) async fn holder(
        &self,
        identity: &IdentityHash,
    ) -> Result<Option<StoredIntent>, RecordError> {
        let value = identity.to_string();
        let row = self
            .ports
            .store()
            .find(Table::Intents, UniqueIndex::Identity, &value)
            .await?;
        row.as_ref().map(read_intent).transpose()
    }

    /// All intents that have not ended. A damaged row is left out: it is counted on the home page,
    /// never driven.
    pub(super) async fn open_intents(&self) -> Result<Vec<StoredIntent>, RecordError> {
        Ok(self.open_and_damaged().await?.0)
    }

    /// All intents that have not ended, and how many more there are that cannot be read.
    pub(super) async fn open_and_damaged(&self) -> Result<(Vec<StoredIntent>, usize), RecordError> {
        let rows = self.ports.store().list(Table::Intents, Query::Open).await?;
        let open: Vec<_> = rows
            .iter()
            .filter_map(|row| read_intent(row).ok())
            .collect();
        let damaged = rows.len() - open.len();
        Ok((open, damaged))
    }

    /// A site's intents that hold their identity, of values that have names.
    pub(super) async fn held_by_name(&self, site: &SiteKey) -> Result<Vec<Intent>, RecordError> {
        let origin = site.origin.as_str();
        let mut held = Vec::new();
        for query in [Query::Open, Query::Group(names_group(origin))] {
            let rows = self.ports.store().list(Table::Intents, query).await?;
            let intents = rows.iter().filter_map(|row| read_intent(row).ok());
            held.extend(intents.map(|stored| stored.intent).filter(|intent| {
                let prepared = intent.prepared();
                prepared.origin == origin && !prepared.names.is_empty()
            }));
        }
        Ok(held)
    }

    /// Stores the next state of an intent with its audit line, and whatever belongs to the same
    /// transaction.
    pub(super) async fn store_intent(
        &self,
        stored: &StoredIntent,
        next: &Intent,
        event: &'static str,
        with: Vec<Write>,
    ) -> Result<(), CommitError> {
        let updated = self.ports.clock().host();
        let mut writes = vec![change_intent(next, stored.rev, updated)];
        writes.extend(with);
        let audit = audit_line(updated, event, &next.preview().to_string());
        self.ports.store().commit(Batch { writes, audit }).await?;
        #[cfg(feature = "testing")]
        crate::testing::note_edge(event, stored.intent.may_have_executed());
        Ok(())
    }
}

/// A line of the audit log: host's time, what happened, to what.
pub(super) fn audit_line(at: Timestamp, event: &str, subject: &str) -> Vec<u8> {
    format!("{at} {event} {subject}").into_bytes()
}
