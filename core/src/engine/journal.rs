//! Whether the journal is the newest that this installation had: compared at every start with what
//! is kept outside it.
//!
//! A journal that was restored, or came from elsewhere, does not know what was sent after it was
//! copied. Whatever is open in it is held then: it may have executed, it is not sent again, and only
//! the ledger or the person settles it. What the journal has lost and the mirror has not is taken
//! back into it, held as well, and what holds its wish there gives way. Where all that is missing is
//! that a signed envelope was handed over, it is followed as sent. What is kept outside is the mirror
//! ([`crate::ports::Mirror`]).
//!
//! Its scenarios: `the_journal_is_restored`.

use super::Wallet;
use super::drive::TellError;
use super::intents::{add_intent, audit_line, change_intent, read_intent};
use super::record::{self, RecordError, Writer};
use super::records::{HandOvers, Installation};
use crate::ids::{InstallationId, PreviewId, RequestId};
use crate::intent::{Envelope, Event, HandOver, Intent};
use crate::ports::store::{Batch, CommitError, Store as _, Table, Write};
use crate::ports::{Clock as _, Mirror as _, MirrorError, Ports};
use crate::time::Timestamp;
use crate::vault::SealedVault;

/// The mirror's file with the second copy of the vault.
pub(super) const VAULT_FILE: &str = "vault";

/// The mirror's file with the number of hand-overs.
const COUNT_FILE: &str = "hand-overs";

/// What the name of the mirror's file for a sent intent begins with.
pub(super) const SENT: &str = "sent-";

/// What the name of a file that was put aside begins with.
const KEPT: &str = "kept-";

impl<P: Ports> Wallet<P> {
    /// Whether the journal was compared in this life of the worker, which is done now where it was
    /// not. Nothing that was not sent may be driven before.
    pub(super) async fn is_compared(&self) -> bool {
        let begins = {
            let mut memory = self.memory.borrow_mut();
            !memory.compared && !std::mem::replace(&mut memory.comparing, true)
        };
        if begins {
            let compared = self.compare_journal().await.is_ok();
            let mut memory = self.memory.borrow_mut();
            memory.compared = compared;
            memory.comparing = false;
        }
        self.memory.borrow().compared
    }

    /// Holds what is open where the journal is not the newest one.
    ///
    /// # Errors
    ///
    /// Journal or mirror cannot be read, or the journal cannot be written: it is tried again.
    async fn compare_journal(&self) -> Result<(), CompareError> {
        let counted = self.mirrored().await?;
        let (mut behind, mut lost, mut unreadable) = (false, Vec::new(), Vec::new());
        let mut may_have_left = Vec::new();
        for name in self.ports.mirror().names().await? {
            if !name.starts_with(SENT) {
                continue;
            }
            // Made and never written, or removed meanwhile: of a hand-over that never was.
            let Some(bytes) = self.ports.mirror().read(&name).await? else {
                continue;
            };
            let Ok(line) = Intent::decode(&bytes) else {
                unreadable.push(name);
                continue;
            };
            match self.intent(&line.preview()).await {
                Ok(Some(stored)) => {
                    // It was written when its last envelope was about to be handed over.
                    let last = line.envelopes().last();
                    let ours = last.and_then(|last| stored.intent.envelope(last.signed.request_id));
                    match (ours, last.and_then(|last| last.handed_over)) {
                        (None, _) => behind = true,
                        (Some(ours), Some(hand_over)) if is_only_signed(ours) => {
                            may_have_left.push(MayHaveLeft {
                                preview: line.preview(),
                                request_id: ours.signed.request_id,
                                hand_over,
                            });
                        }
                        (Some(_), _) => {}
                    }
                }
                Ok(None) => lost.push(line),
                Err(error) => passed_over(error)?,
            }
        }
        let known = match self.load::<HandOvers>(HandOvers::KEY).await {
            Ok(stored) => stored.map_or(0, |stored| stored.record.count),
            // Nothing can be handed over by it.
            Err(error) => {
                passed_over(error)?;
                u64::MAX
            }
        };
        behind |= match &counted {
            Counted::Nothing => false,
            Counted::Unreadable => true,
            // The mirror is written first: it may be one ahead, if that one is known. A hand-over
            // that did not come to pass left its line, or was voided.
            Counted::Number { count, .. } if *count <= known => false,
            Counted::Number { count, of } => {
                let begun = may_have_left.iter().any(|left| left.is(of));
                count - known > 1 || !(begun || self.knows(of).await?)
            }
        };
        for left in may_have_left {
            // In an older journal it is held, and not handed over by this.
            self.may_have_left(left, !behind).await?;
        }
        let foreign = self.foreign_vault().await?;
        if behind || foreign.is_some() || !lost.is_empty() || !unreadable.is_empty() {
            let count = match counted {
                Counted::Number { count, .. } => count.max(known),
                Counted::Nothing | Counted::Unreadable => known,
            };
            let left = self.hold_all(&lost, count).await?;
            unreadable.extend(left);
            // Last, so that a worker that dies before leaves all of it to be done again.
            self.put_aside(unreadable, foreign).await?;
        }
        Ok(())
    }

    /// An envelope may have left when a worker died in its hand-over: it counts as handed over. Where
    /// this journal goes on, the hand-over is counted as any other is.
    async fn may_have_left(&self, left: MayHaveLeft, counts: bool) -> Result<(), CompareError> {
        let MayHaveLeft {
            preview,
            request_id,
            hand_over,
        } = left;
        let event = Event::MayHaveLeft {
            request_id,
            hand_over,
        };
        if !counts {
            return self.tell_or_pass(&preview, event).await;
        }
        let stored = match self.intent(&preview).await {
            Ok(stored) => stored,
            Err(error) => return passed_over(error),
        };
        let Some(stored) = stored else {
            return Ok(());
        };
        let now = self.now(&stored.intent);
        let Ok(next) = stored.intent.apply(&now, event.clone()) else {
            return Ok(());
        };
        let with = async {
            let mut with = self.raised_floor(&stored.intent).await?;
            with.push(self.count_hand_over(preview, request_id).await?);
            Ok(with)
        };
        let with = match with.await {
            Ok(with) => with,
            // Of a damaged count or floor nothing more can be handed over; this one is followed.
            Err(CompareError::Record(error)) => {
                passed_over(error)?;
                return self.tell_or_pass(&preview, event).await;
            }
            Err(error @ CompareError::Mirror(_)) => return Err(error),
        };
        let stored = self.store_intent(&stored, &next, "may_have_left", with);
        stored.await.map_err(|_| journal_gone())
    }

    /// Whether the journal has the envelope of a hand-over: preview and request id.
    async fn knows(&self, (preview, request_id): &(String, String)) -> Result<bool, CompareError> {
        let row = self.ports.store().get(Table::Intents, preview).await;
        let Some(row) = row.map_err(RecordError::from)? else {
            return Ok(false);
        };
        match read_intent(&row) {
            Ok(stored) => {
                let mut envelopes = stored.intent.envelopes().iter();
                let of = envelopes.find(|e| e.signed.request_id.to_string() == *request_id);
                Ok(of.is_some_and(|of| !is_only_signed(of) || stored.intent.end().is_some()))
            }
            Err(error) => passed_over(error).map(|()| true),
        }
    }

    /// The mirror's copy of a vault, where the journal has another installation's.
    async fn foreign_vault(&self) -> Result<Option<Vec<u8>>, CompareError> {
        let ours = match self.sealed().await {
            Ok(stored) => stored.and_then(|stored| installation_of(&stored.record.bytes)),
            Err(error) => {
                passed_over(error)?;
                None
            }
        };
        let copy = self.ports.mirror().read(VAULT_FILE).await?;
        let other = |copy: &Vec<u8>| matches!((ours, installation_of(copy)), (Some(ours), Some(copy)) if ours != copy);
        Ok(copy.filter(other))
    }

    /// The last hand-over that the mirror counts.
    async fn mirrored(&self) -> Result<Counted, CompareError> {
        let Some(file) = self.ports.mirror().read(COUNT_FILE).await? else {
            return Ok(Counted::Nothing);
        };
        let number = String::from_utf8(file).ok().and_then(|text| {
            let (count, of) = text.split_once(' ')?;
            let (preview, request_id) = of.split_once(' ')?;
            Some(Counted::Number {
                count: count.parse().ok()?,
                of: (preview.to_owned(), request_id.to_owned()),
            })
        });
        Ok(number.unwrap_or(Counted::Unreadable))
    }

    /// Puts aside what was dealt with and would be found again at the next start: lines of which
    /// nothing can be taken back, and another installation's vault, each kept under another name.
    async fn put_aside(
        &self,
        lines: Vec<String>,
        foreign: Option<Vec<u8>>,
    ) -> Result<(), CompareError> {
        let mirror = self.ports.mirror();
        for name in lines {
            if let Some(bytes) = mirror.read(&name).await? {
                mirror.write(&format!("{KEPT}{name}"), &bytes).await?;
            }
            mirror.remove(&name).await?;
        }
        if let Some(vault) = foreign
            && let Some(of) = installation_of(&vault)
        {
            let name = format!("{KEPT}{VAULT_FILE}-{of}");
            mirror.write(&name, &vault).await?;
            mirror.remove(VAULT_FILE).await?;
        }
        if matches!(self.mirrored().await?, Counted::Unreadable) {
            mirror.remove(COUNT_FILE).await?;
        }
        Ok(())
    }

    /// Counts one more hand-over: in the mirror now, and in the journal by the write that is given
    /// back, which belongs to the transaction of the hand-over.
    pub(super) async fn count_hand_over(
        &self,
        preview: PreviewId,
        request_id: RequestId,
    ) -> Result<Write, CompareError> {
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

    /// Tells an intent something, where it is there and takes it.
    async fn tell_or_pass(&self, preview: &PreviewId, event: Event) -> Result<(), CompareError> {
        match self.tell_intent(preview, event).await {
            // One that ended meanwhile needs it no more.
            Ok(_) | Err(TellError::Refused(_) | TellError::Gone) => Ok(()),
            Err(TellError::Record(error)) => passed_over(error),
            Err(TellError::Commit(_)) => Err(journal_gone()),
        }
    }

    /// The change by which the intent that holds the wish of a lost one gives it up. The lost one was
    /// prepared after it, so its end had been told in the newer journal.
    async fn gives_way_to(
        &self,
        lost: &Intent,
        now: Timestamp,
    ) -> Result<Vec<Write>, CompareError> {
        if !lost.holds_identity() {
            return Ok(Vec::new());
        }
        let holder = match self.holder(&lost.prepared().identity).await {
            Ok(holder) => holder,
            Err(error) => {
                passed_over(error)?;
                None
            }
        };
        let Some(holder) = holder else {
            return Ok(Vec::new());
        };
        let gave_way = holder
            .intent
            .apply(&self.now(&holder.intent), Event::GaveWay);
        Ok(gave_way
            .ok()
            .map(|next| change_intent(&next, holder.rev, now))
            .into_iter()
            .collect())
    }

    /// Holds everything that is open, takes back what was lost, and begins a new epoch. Gives the
    /// names of the lines that are not taken back.
    async fn hold_all(&self, lost: &[Intent], count: u64) -> Result<Vec<String>, CompareError> {
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
            self.tell_or_pass(&open.intent.preview(), restored.clone())
                .await?;
        }
        let now = self.ports.clock().host();
        let mut left = Vec::new();
        // Of equal wishes the last one holds it.
        let mut lost: Vec<&Intent> = lost.iter().collect();
        lost.sort_by_key(|intent| intent.prepared().prepared_at);
        for intent in lost {
            let name = mirror_name(&intent.preview());
            let Ok(held) = intent.apply(&self.now(intent), restored.clone()) else {
                left.push(name);
                continue;
            };
            let mut writes = self.gives_way_to(&held, now).await?;
            writes.push(add_intent(&held, now));
            let batch = Batch {
                writes,
                audit: audit_line(now, "taken_back", &held.preview().to_string()),
            };
            match self.ports.store().commit(batch).await {
                Ok(()) => {}
                // The very call is in the journal, under another name.
                Err(CommitError::Taken { .. }) => left.push(name),
                Err(_) => return Err(journal_gone()),
            }
        }
        let mut writes = Vec::new();
        let installation = Installation {
            id: writer.installation,
            epoch: writer.epoch,
        };
        let stored = self.load::<Installation>(Installation::KEY).await?;
        writes.extend(stored.map(|stored| record::change(writer, now, stored.rev, &installation)));
        let stored = self.load::<HandOvers>(HandOvers::KEY).await;
        writes.extend(match stored {
            Ok(None) => Some(record::add(writer, now, &HandOvers { count })),
            Ok(Some(stored)) => {
                // What was counted since it was compared counts, too.
                let count = HandOvers {
                    count: count.max(stored.record.count),
                };
                Some(record::change(writer, now, stored.rev, &count))
            }
            Err(error) => {
                passed_over(error)?;
                None
            }
        });
        let stored = self.put(writes, "restored").await;
        stored.map_err(|_| journal_gone())?;
        self.memory.borrow_mut().writer = Some(writer);
        Ok(left)
    }
}

/// An envelope that the journal has as signed, and a line outside it as about to be handed over.
struct MayHaveLeft {
    preview: PreviewId,
    request_id: RequestId,
    hand_over: HandOver,
}

impl MayHaveLeft {
    /// Whether it is this: preview and request id.
    fn is(&self, (preview, request_id): &(String, String)) -> bool {
        self.preview.to_string() == *preview && self.request_id.to_string() == *request_id
    }
}

/// Whether an envelope was signed, and neither handed over nor dropped since.
const fn is_only_signed(envelope: &Envelope) -> bool {
    envelope.handed_over.is_none() && !envelope.void
}

/// The last hand-over that the mirror counts.
enum Counted {
    /// None was.
    Nothing,
    /// There is a number that cannot be read.
    Unreadable,
    /// This.
    Number {
        /// Its number.
        count: u64,
        /// Its intent's preview id and its envelope's request id.
        of: (String, String),
    },
}

/// Why the journal cannot be compared with the mirror, or a hand-over counted in both.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum CompareError {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The mirror cannot be read or written.
    #[error(transparent)]
    Mirror(#[from] MirrorError),
}

/// A record that will be no better at the next try stops nothing else: it is shown, and nothing is
/// done with it. Gives back what may pass.
fn passed_over(error: RecordError) -> Result<(), CompareError> {
    match error {
        RecordError::Damaged { .. } | RecordError::Newer { .. } => Ok(()),
        error @ RecordError::Store(_) => Err(error.into()),
    }
}

pub(super) fn installation_of(vault: &[u8]) -> Option<InstallationId> {
    Some(SealedVault::from_bytes(vault).ok()?.installation())
}

/// The name of the mirror's file for an intent.
pub(super) fn mirror_name(preview: &PreviewId) -> String {
    format!("{SENT}{preview}")
}

fn journal_gone() -> CompareError {
    RecordError::Store(crate::ports::store::StoreError::Unavailable).into()
}
