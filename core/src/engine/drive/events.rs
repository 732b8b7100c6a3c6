//! An event applied to an intent and stored, with what follows from it.

use super::{Turn, site_of};
use crate::engine::Wallet;
use crate::engine::intents::StoredIntent;
use crate::engine::journal::mirror_name;
use crate::engine::record::{self, Record as _, RecordError};
use crate::engine::records::{Canister, DropsRepeats};
use crate::ids::PreviewId;
use crate::intent::{EndKind, Event, Intent, TransitionError};
use crate::ports::store::{CommitError, Write};
use crate::ports::{Clock as _, Mirror as _, Ports};

/// How often an event from outside is applied anew where somebody else stored first.
const TELL_TRIES: u32 = 16;

impl<P: Ports> Wallet<P> {
    /// Applies an event to what is stored and stores what comes of it.
    pub(in crate::engine) async fn happened(&self, stored: &StoredIntent, event: Event) -> Turn {
        self.happened_with(stored, event, Vec::new()).await
    }

    /// As [`Self::happened`], with other writes in the same transaction.
    pub(in crate::engine) async fn happened_with(
        &self,
        stored: &StoredIntent,
        event: Event,
        with: Vec<Write>,
    ) -> Turn {
        let name = event.name();
        let mut with = with;
        match stored.intent.apply(&self.now(&stored.intent), event) {
            Ok(next) => {
                match self.consequences(&stored.intent, &next).await {
                    Ok(writes) => with.extend(writes),
                    Err(_) => return Turn::Stuck,
                }
                match self.store_intent(stored, &next, name, with).await {
                    Ok(()) => {
                        self.withheld_by(&stored.intent, &next).await;
                        self.stored(&next).await
                    }
                    Err(error) => turn_of(&error),
                }
            }
            // The intent no longer waits for this: what is stored decides.
            Err(_) => Turn::Nothing,
        }
    }

    /// What else a change of an intent changes: what is known of its payee, its site's count of calls
    /// carried out, and whether its canister is still the one that the person accepted.
    pub(super) async fn consequences(
        &self,
        before: &Intent,
        next: &Intent,
    ) -> Result<Vec<Write>, RecordError> {
        let mut writes = self.dealing_writes(before, next).await?;
        let (writer, now) = (self.writer().await?, self.ports.clock().host());
        let done = next.end().is_some_and(|end| match end.kind {
            EndKind::Done(_) | EndKind::Found { .. } => true,
            EndKind::Absent(_)
            | EndKind::Refused(_)
            | EndKind::RetriesSpent(_)
            | EndKind::Declined
            | EndKind::Expired
            | EndKind::Superseded { .. }
            | EndKind::Differs
            | EndKind::RenewRefused(_)
            | EndKind::ByHand { .. } => false,
        });
        if let Some(site) = site_of(next)
            && done
            && before.end().is_none()
            && let Some(mut grant) = self.grant_of(&site).await?
        {
            grant.record.done = grant.record.done.saturating_add(1);
            writes.push(record::change(writer, now, grant.rev, &grant.record));
        }
        if next.shows_deduplication() && !before.shows_deduplication() {
            let prepared = next.prepared();
            if let Some(module) = prepared.module {
                let seen = DropsRepeats {
                    network: prepared.network,
                    id: prepared.canister,
                    module,
                };
                writes.push(match self.load::<DropsRepeats>(&seen.key()).await? {
                    None => record::add(writer, now, &seen),
                    Some(held) => record::change(writer, now, held.rev, &seen),
                });
            }
        }
        if next.is_found_to_differ() && !before.is_found_to_differ() {
            let prepared = next.prepared();
            let key = Canister::key_of(&prepared.network, &prepared.canister);
            if let Some(mut canister) = self.load::<Canister>(&key).await?
                && canister.record.module == prepared.module
                && !canister.record.withheld
            {
                canister.record.withheld = true;
                writes.push(record::change(writer, now, canister.rev, &canister.record));
            }
        }
        Ok(writes)
    }

    /// Tells the sites whose tools went with what an intent found of its canister.
    async fn withheld_by(&self, before: &Intent, next: &Intent) {
        if next.is_found_to_differ() && !before.is_found_to_differ() {
            let prepared = next.prepared();
            self.canister_changed(&prepared.network, &prepared.canister)
                .await;
        }
    }

    /// What follows every stored change of an intent.
    pub(super) async fn stored(&self, next: &Intent) -> Turn {
        if next.end().is_some() {
            // Nothing hangs on it: a line that stays is found to be of an ended intent.
            let _ = self
                .ports
                .mirror()
                .remove(&mirror_name(&next.preview()))
                .await;
        }
        self.views_changed();
        Turn::Stored
    }

    /// Applies an event that came from outside the loop, on the newest stored state, and drives.
    ///
    /// # Errors
    ///
    /// The intent does not take the event, or the journal refuses.
    pub(in crate::engine) async fn tell_intent(
        &self,
        preview: &PreviewId,
        event: Event,
    ) -> Result<Intent, TellError> {
        // What the last try stored, if it stored anything.
        let mut unsure: Option<Intent> = None;
        let mut last = CommitError::OutcomeUnknown;
        for _ in 0..TELL_TRIES {
            let stored = self.intent(preview).await?.ok_or(TellError::Gone)?;
            if unsure.as_ref() == Some(&stored.intent) {
                self.stored(&stored.intent).await;
                return Ok(stored.intent);
            }
            let now = self.now(&stored.intent);
            let next = stored.intent.apply(&now, event.clone())?;
            let with = self.consequences(&stored.intent, &next).await?;
            last = match self.store_intent(&stored, &next, event.name(), with).await {
                Ok(()) => {
                    self.withheld_by(&stored.intent, &next).await;
                    self.stored(&next).await;
                    return Ok(next);
                }
                Err(error @ CommitError::Conflict { .. }) => error,
                Err(error @ CommitError::OutcomeUnknown) => {
                    unsure = Some(next);
                    error
                }
                Err(error) => return Err(error.into()),
            };
        }
        Err(last.into())
    }
}

pub(super) fn turn_of(error: &CommitError) -> Turn {
    match error {
        CommitError::Conflict { .. } | CommitError::OutcomeUnknown => Turn::Lost,
        CommitError::Taken { .. } | CommitError::Full | CommitError::Store(_) => Turn::Stuck,
    }
}

/// Why an event from outside was not taken.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum TellError {
    /// There is no such intent.
    #[error("there is no such call")]
    Gone,
    /// The intent does not take it as it stands now.
    #[error(transparent)]
    Refused(#[from] TransitionError),
    /// The journal cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The journal cannot be written.
    #[error(transparent)]
    Commit(#[from] CommitError),
}
