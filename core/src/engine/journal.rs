//! Whether the journal is the newest that this installation had: compared at every start with what
//! is kept outside it.
//!
//! A journal that was restored, or came from elsewhere, does not know what was sent after it was
//! copied. Whatever is open in it is held then: it may have executed, it is not sent again, and only
//! the ledger or the person settles it. What the journal has lost and the mirror has not is taken
//! back into it, held as well.

use super::Wallet;
use super::drive::TellError;
use super::intents::{add_intent, audit_line, read_intent};
use super::record::{self, RecordError, Writer};
use super::records::{HandOvers, Installation};
use crate::ids::{InstallationId, PreviewId, RequestId};
use crate::intent::{Event, Intent};
use crate::ports::store::{Batch, CommitError, Store as _, Table, Write};
use crate::ports::{Clock as _, Mirror as _, MirrorError, Ports};
use crate::vault::SealedVault;

/// The mirror's file with the second copy of the vault.
pub(super) const VAULT_FILE: &str = "vault";

/// The mirror's file with the number of hand-overs.
const COUNT_FILE: &str = "hand-overs";

/// What the name of the mirror's file for a sent intent begins with.
pub(super) const SENT: &str = "sent-";

impl<P: Ports> Wallet<P> {
    /// Whether the journal was compared in this life of the worker, which is done now where it was
    /// not. Nothing may be driven before.
    pub(super) async fn is_compared(&self) -> bool {
        if !self.memory.borrow().compared {
            let compared = self.compare_journal().await.is_ok();
            self.memory.borrow_mut().compared = compared;
        }
        self.memory.borrow().compared
    }

    /// Holds what is open where the journal is not the newest one.
    ///
    /// # Errors
    ///
    /// The journal cannot be read or written.
    async fn compare_journal(&self) -> Result<(), RecordError> {
        let sent = self.sent_lines().await;
        let mut behind = self.is_foreign().await?;
        let mut lost = Vec::new();
        for line in sent {
            let Some(stored) = self.intent(&line.preview()).await? else {
                lost.push(line);
                continue;
            };
            // The line is written when its last envelope is about to be handed over.
            let last = line.envelopes().last().map(|e| e.signed.request_id);
            behind |= last.is_none_or(|last| stored.intent.envelope(last).is_none());
        }
        let known = self.hand_overs().await?;
        let counted = self.mirrored().await;
        behind |= match &counted {
            Some(counted) if counted.count > known => {
                // The mirror is written first: it may be one ahead, if that one is known as signed.
                counted.count - known > 1 || !self.knows(counted).await?
            }
            Some(_) | None => false,
        };
        if behind || !lost.is_empty() {
            let count = counted.map_or(known, |counted| counted.count.max(known));
            self.hold_all(&lost, count).await?;
        }
        Ok(())
    }

    /// Whether the journal has the envelope of a hand-over.
    async fn knows(&self, counted: &Counted) -> Result<bool, RecordError> {
        let row = self.ports.store().get(Table::Intents, &counted.preview);
        let Some(row) = row.await? else {
            return Ok(false);
        };
        let intent = read_intent(&row)?.intent;
        let mut envelopes = intent.envelopes().iter();
        Ok(envelopes.any(|e| e.signed.request_id.to_string() == counted.request_id))
    }

    /// The intents of which the mirror has a line.
    async fn sent_lines(&self) -> Vec<Intent> {
        let mut lines = Vec::new();
        for name in self.ports.mirror().names().await.unwrap_or_default() {
            if name.starts_with(SENT)
                && let Ok(Some(bytes)) = self.ports.mirror().read(&name).await
                && let Ok(intent) = Intent::decode(&bytes)
            {
                lines.push(intent);
            }
        }
        lines
    }

    /// Whether the journal has another installation's vault than the mirror.
    async fn is_foreign(&self) -> Result<bool, RecordError> {
        let ours = self.sealed().await?;
        let ours = ours.and_then(|stored| installation_of(&stored.record.bytes));
        let copy = self.ports.mirror().read(VAULT_FILE).await.ok().flatten();
        let copy = copy.and_then(|bytes| installation_of(&bytes));
        Ok(matches!((ours, copy), (Some(ours), Some(copy)) if ours != copy))
    }

    async fn hand_overs(&self) -> Result<u64, RecordError> {
        let stored = self.load::<HandOvers>(HandOvers::KEY).await?;
        Ok(stored.map_or(0, |stored| stored.record.count))
    }

    /// The last hand-over that the mirror counts.
    async fn mirrored(&self) -> Option<Counted> {
        let file = self.ports.mirror().read(COUNT_FILE).await.ok()??;
        let text = String::from_utf8(file).ok()?;
        let mut parts = text.split(' ').map(str::to_owned);
        Some(Counted {
            count: parts.next()?.parse().ok()?,
            preview: parts.next()?,
            request_id: parts.next()?,
        })
    }

    /// Counts one more hand-over: in the mirror now, and in the journal by the write that is given
    /// back, which belongs to the transaction of the hand-over.
    pub(super) async fn count_hand_over(
        &self,
        preview: PreviewId,
        request_id: RequestId,
    ) -> Result<Write, CountError> {
        let stored = self.load::<HandOvers>(HandOvers::KEY).await?;
        let count = stored.as_ref().map_or(0, |stored| stored.record.count) + 1;
        let text = format!("{count} {preview} {request_id}");
        let written = self.ports.mirror().write(COUNT_FILE, text.as_bytes());
        written.await?;
        let (writer, now) = (self.writer().await?, self.ports.clock().host());
        let record = HandOvers { count };
        Ok(match stored {
            None => record::add(writer, now, &record),
            Some(stored) => record::change(writer, now, stored.rev, &record),
        })
    }

    /// Holds everything that is open, takes back what was lost, and begins a new epoch.
    async fn hold_all(&self, lost: &[Intent], counted: u64) -> Result<(), RecordError> {
        let before = self.writer().await?;
        let writer = Writer {
            epoch: before.epoch.saturating_add(1),
            ..before
        };
        let restored = Event::Restored {
            installation: writer.installation,
            epoch: u64::from(writer.epoch),
        };
        for open in self.open_intents().await? {
            let preview = open.intent.preview();
            match self.tell_intent(&preview, restored.clone()).await {
                // One that ended meanwhile needs it no more.
                Ok(_) | Err(TellError::Refused(_) | TellError::Gone) => {}
                Err(TellError::Record(error)) => return Err(error),
                Err(TellError::Commit(_)) => return Err(unavailable()),
            }
        }
        let now = self.ports.clock().host();
        for intent in lost {
            let Ok(held) = intent.apply(&self.now(intent), restored.clone()) else {
                continue;
            };
            let batch = Batch {
                writes: vec![add_intent(&held, now)],
                audit: audit_line(now, "taken_back", &held.preview().to_string()),
            };
            match self.ports.store().commit(batch).await {
                // Its wish is held by an intent of the older journal already.
                Ok(()) | Err(CommitError::Taken { .. }) => {}
                Err(_) => return Err(unavailable()),
            }
        }
        let mut writes = Vec::new();
        let installation = Installation {
            id: writer.installation,
            epoch: writer.epoch,
        };
        let stored = self.load::<Installation>(Installation::KEY).await?;
        writes.extend(stored.map(|stored| record::change(writer, now, stored.rev, &installation)));
        let count = HandOvers { count: counted };
        writes.push(match self.load::<HandOvers>(HandOvers::KEY).await? {
            None => record::add(writer, now, &count),
            Some(stored) => record::change(writer, now, stored.rev, &count),
        });
        // Last: if the worker dies before, the next one does all of it again.
        let stored = self.put(writes, "restored").await;
        stored.map_err(|_| unavailable())?;
        self.memory.borrow_mut().writer = Some(writer);
        Ok(())
    }
}

/// A hand-over as the mirror counts it.
struct Counted {
    /// Its number.
    count: u64,
    /// Its intent.
    preview: String,
    /// Its envelope.
    request_id: String,
}

/// Why a hand-over cannot be counted.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum CountError {
    /// The journal cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The mirror cannot be written.
    #[error(transparent)]
    Mirror(#[from] MirrorError),
}

pub(super) fn installation_of(vault: &[u8]) -> Option<InstallationId> {
    Some(SealedVault::from_bytes(vault).ok()?.installation())
}

fn unavailable() -> RecordError {
    RecordError::Store(crate::ports::store::StoreError::Unavailable)
}
