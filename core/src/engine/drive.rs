//! Driving one intent: from its stored state to the next thing that is not ours to do.
//!
//! The loop is load → `pending_effect` → act through a port → `apply` → store. It ends where the
//! intent waits for a person, an agent or a far time; whoever changes it drives it again. The
//! worker may die anywhere: every effect may run twice, and what must not is stored first.

use super::Wallet;
use super::intents::StoredIntent;
use super::memory::Attempt;
use super::record::{self, Record as _, RecordError};
use super::records::{Canister, Floor};
use crate::ids::{PreviewId, RequestId};
use crate::ingress::{CallAnswer, Path, ReadAnswer, RequestStatus};
use crate::intent::{
    CertifiedStatus, Effect, EndKind, Event, Hitch, Intent, Lapse, Now, Pace, Reject, Start,
    StatusRead, Submission, TransitionError, WaitFor, YES_SPAN,
};
use crate::policy::{Origin, SiteKey};
use crate::ports::store::{CommitError, Write};
use crate::ports::{Alarms as _, Clock as _, Exchange, Mirror as _, Ports, Replica as _};
use crate::time::{Span, Timestamp};

/// Longer than this the driver does not wait itself: an alarm wakes it.
const LONGEST_PAUSE: Span = Span::from_secs(2);

/// How often in a row somebody else may store first before the driver leaves it for later.
const MOST_LOST: u32 = 16;

/// How often an event from outside is applied anew where somebody else stored first.
const TELL_TRIES: u32 = 16;

/// While an envelope is on its way, the worker is woken at least this often.
pub(super) const WATCH: Span = Span::from_secs(30);

/// A far time that cannot be told exactly is looked at no more often than this.
const LOOK_LATER: Span = Span::from_mins(5);

/// What one turn of the loop came to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Turn {
    /// Something was stored: look again.
    Stored,
    /// Nothing came of it: try again after a pause.
    Nothing,
    /// Somebody else stored meanwhile: look again.
    Lost,
    /// The journal cannot be used now.
    Stuck,
}

impl<P: Ports> Wallet<P> {
    /// Time as an intent is judged by it.
    pub(super) fn now(&self, intent: &Intent) -> Now {
        let prepared = intent.prepared();
        Now {
            certified: self.carried_time(&prepared.network, prepared.effective_canister),
            life: self.life(),
        }
    }

    /// Drives an intent until it waits for something that is not the wallet's to do.
    ///
    /// Only one driver of an intent runs at a time; a second call makes the first look again.
    pub async fn drive(&self, preview: PreviewId) {
        if !self.memory.borrow_mut().driving.begin(preview) {
            return;
        }
        loop {
            self.drive_to_rest(&preview).await;
            if self.memory.borrow_mut().driving.end(&preview) {
                return;
            }
        }
    }

    async fn drive_to_rest(&self, preview: &PreviewId) {
        let mut lost = 0;
        loop {
            let Ok(Some(stored)) = self.intent(preview).await else {
                self.ports.alarms().wake_after(WATCH);
                return;
            };
            let Some(effect) = stored.intent.pending_effect(&self.now(&stored.intent)) else {
                self.memory.borrow_mut().attempts.remove(preview);
                self.answer_waiters(preview).await;
                return;
            };
            if let Effect::Wait { until, on } = effect {
                self.memory.borrow_mut().attempts.remove(preview);
                if self.rest(&stored.intent, until, on).await {
                    continue;
                }
                return;
            }
            self.ports.alarms().wake_after(WATCH);
            let left = self.until_next_try(preview, &effect);
            if left > LONGEST_PAUSE {
                self.answer_waiters(preview).await;
                self.ports.alarms().wake_after(left);
                return;
            }
            if left > Span::ZERO {
                self.ports.clock().pause(left).await;
            }
            let pace = effect.pace();
            match self.turn(&stored, effect).await {
                Turn::Stored => {
                    lost = 0;
                    self.memory.borrow_mut().attempts.remove(preview);
                }
                Turn::Nothing => self.failed_try(preview, pace),
                // A journal that never says what it did is as good as none.
                Turn::Lost if lost < MOST_LOST => lost += 1,
                Turn::Lost | Turn::Stuck => {
                    self.ports.alarms().wake_after(WATCH);
                    return;
                }
            }
            self.answer_waiters(preview).await;
            self.push_views().await;
        }
    }

    /// How long to wait before an effect is tried: nothing before its first try. However often the
    /// intent is driven meanwhile, tries that bring nothing grow rarer.
    fn until_next_try(&self, preview: &PreviewId, effect: &Effect) -> Span {
        let now = self.ports.clock().monotonic();
        let mut memory = self.memory.borrow_mut();
        let attempt = memory.attempts.entry(*preview).or_default();
        if attempt.effect != effect.name() {
            *attempt = Attempt {
                effect: effect.name(),
                tries: 0,
                not_before: now,
            };
        }
        Span::from_nanos(attempt.not_before.as_nanos().saturating_sub(now.as_nanos()))
    }

    fn failed_try(&self, preview: &PreviewId, pace: Pace) {
        let now = self.ports.clock().monotonic();
        let mut memory = self.memory.borrow_mut();
        let attempt = memory.attempts.entry(*preview).or_default();
        attempt.tries = attempt.tries.saturating_add(1);
        let delay = pace.delay(attempt.tries).max(Span::from_millis(1));
        attempt.not_before = Span::from_nanos(now.as_nanos().saturating_add(delay.as_nanos()));
    }

    /// The intent waits: say so to whoever has to know, and be woken when its time comes. Gives
    /// whether to look again at once, since time was read.
    async fn rest(&self, intent: &Intent, until: Option<Timestamp>, on: WaitFor) -> bool {
        let mut again = false;
        if let Some(until) = until {
            let prepared = intent.prepared();
            let (network, canister) = (&prepared.network, prepared.effective_canister);
            let left = match self.carried_time(network, canister) {
                Some(now) => until.since(now),
                // Without certified time the host's clock says when to look, and decides nothing.
                None => {
                    let left = until.since(self.ports.clock().host());
                    if left == Span::ZERO {
                        again = self.certified_time(network, canister).await.is_ok();
                    }
                    left.max(LOOK_LATER)
                }
            };
            self.ports.alarms().wake_after(left.max(Span::from_secs(1)));
        }
        match on {
            WaitFor::Decision(_) => self.show_asks().await,
            WaitFor::Agent | WaitFor::Reconciliation | WaitFor::PersonSettles => {}
        }
        self.answer_waiters(&intent.preview()).await;
        again
    }

    /// Runs one effect.
    async fn turn(&self, stored: &StoredIntent, effect: Effect) -> Turn {
        let prepared = stored.intent.prepared();
        match effect {
            Effect::Look => self.happened(stored, Event::Look).await,
            Effect::ReadTime => {
                let read = self.certified_time(&prepared.network, prepared.effective_canister);
                match read.await {
                    Ok(_) => Turn::Lost,
                    Err(_) => Turn::Nothing,
                }
            }
            Effect::ReadStart { .. } => self.read_start(stored).await,
            Effect::Sign { ask, s0, .. } => {
                let evidence = stored.intent.evidence();
                let event = match self.sign_call(&stored.intent, evidence, s0).await {
                    Ok((digest, envelope)) => Event::Signed {
                        ask,
                        digest,
                        envelope: Box::new(envelope),
                    },
                    Err(hitch) => Event::Stopped(hitch),
                };
                self.happened(stored, event).await
            }
            // What was signed and did not leave goes with the lock, whoever locked.
            Effect::HandOver { .. } if !self.is_unlocked() => {
                self.happened(stored, Event::Lapse(Lapse::Locked)).await
            }
            Effect::HandOver { request_id } => self.hand_over(stored, request_id).await,
            Effect::Submit { request_id } => self.submit(stored, request_id).await,
            Effect::ReadStatus { request_id, with } => {
                self.read_status(stored, request_id, with).await
            }
            Effect::ReadBlock { request_id, block } => {
                let event = self.read_block(&stored.intent, request_id, &block).await;
                self.happened(stored, event).await
            }
            Effect::Renew { cap, .. } => self.renew(stored, cap).await,
            Effect::Reconcile => {
                let finding = Self::look_for(&stored.intent);
                self.happened(stored, Event::Reconciled(finding)).await
            }
            Effect::Wait { .. } => Turn::Nothing,
        }
    }

    /// Applies an event to what is stored and stores what comes of it.
    pub(super) async fn happened(&self, stored: &StoredIntent, event: Event) -> Turn {
        self.happened_with(stored, event, Vec::new()).await
    }

    /// As [`Self::happened`], with other writes in the same transaction.
    pub(super) async fn happened_with(
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
                    Ok(()) => self.stored(&next).await,
                    Err(error) => turn_of(&error),
                }
            }
            // The intent no longer waits for this: what is stored decides.
            Err(_) => Turn::Nothing,
        }
    }

    /// What else a change of an intent changes: its site's count of calls carried out, and whether
    /// its canister is still the one that the person accepted.
    async fn consequences(
        &self,
        before: &Intent,
        next: &Intent,
    ) -> Result<Vec<Write>, RecordError> {
        let mut writes = Vec::new();
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

    /// What follows every stored change of an intent.
    async fn stored(&self, next: &Intent) -> Turn {
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
    pub(super) async fn tell_intent(
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

    async fn read_start(&self, stored: &StoredIntent) -> Turn {
        let prepared = stored.intent.prepared();
        let canister = prepared.effective_canister;
        let paths = vec![Path::time(), Path::module_hash(canister)];
        let read = self.read_state(&prepared.network, canister, paths).await;
        let module = match &read {
            Ok(certified) => certified.module_hash(canister).ok(),
            Err(_) => None,
        };
        let (Ok(certified), Some(module)) = (read, module) else {
            // Without certified time nobody can say how old the yes is but the worker's clock.
            let began = self
                .memory
                .borrow_mut()
                .yeses
                .since(&stored.intent.preview(), self.ports.clock().monotonic());
            if self.ports.clock().monotonic().as_nanos() >= began.as_nanos() + YES_SPAN.as_nanos() {
                return self.happened(stored, Event::Lapse(Lapse::Late)).await;
            }
            return Turn::Nothing;
        };
        self.memory
            .borrow_mut()
            .yeses
            .forget(&stored.intent.preview());
        let start = Start {
            s0: certified.time(),
            log: None,
        };
        let evidence = self
            .evidence(&prepared.network, &prepared.canister, &stored.intent)
            .await;
        self.happened(
            stored,
            Event::StartRead {
                start,
                module,
                evidence,
            },
        )
        .await
    }

    /// Marks the envelope as handed over: outside the journal first, then in a transaction of its
    /// own. Nothing is sent here.
    async fn hand_over(&self, stored: &StoredIntent, request_id: RequestId) -> Turn {
        let name = mirror_name(&stored.intent.preview());
        let line = stored.intent.encode();
        if self.ports.mirror().write(&name, &line).await.is_err() {
            return self
                .happened(stored, Event::Stopped(Hitch::StoreRefused))
                .await;
        }
        match self.raised_floor(&stored.intent).await {
            // Locked while this was got ready.
            Ok(_) if !self.is_unlocked() => Turn::Nothing,
            Ok(with) => {
                self.happened_with(stored, Event::HandedOver { request_id }, with)
                    .await
            }
            Err(_) => Turn::Stuck,
        }
    }

    /// The write by which later stamps of this sender on this canister are later than the one that
    /// is handed over now.
    async fn raised_floor(&self, intent: &Intent) -> Result<Vec<Write>, RecordError> {
        let prepared = intent.prepared();
        let Some(stamp) = prepared.stamp else {
            return Ok(Vec::new());
        };
        let floor = Floor {
            network: prepared.network,
            canister: prepared.canister,
            sender: prepared.sender,
            latest: stamp.at,
        };
        let (writer, now) = (self.writer().await?, self.ports.clock().host());
        Ok(match self.load::<Floor>(&floor.key()).await? {
            None => vec![record::add(writer, now, &floor)],
            Some(held) if held.record.latest < stamp.at => {
                vec![record::change(writer, now, held.rev, &floor)]
            }
            Some(_) => Vec::new(),
        })
    }

    /// Posts the stored call as it is.
    async fn submit(&self, stored: &StoredIntent, request_id: RequestId) -> Turn {
        let prepared = stored.intent.prepared();
        let Some(envelope) = stored.intent.envelope(request_id) else {
            return Turn::Nothing;
        };
        let call = envelope.signed.call.clone();
        let Ok(endpoints) = self.endpoints(&prepared.network).await else {
            return Turn::Nothing;
        };
        let mut result = Submission::NoAnswer;
        for endpoint in endpoints {
            let url = endpoint.call(prepared.effective_canister);
            let Exchange::Answer { status, body } = self.ports.replica().post(&url, &call).await
            else {
                continue;
            };
            match CallAnswer::read(status, &body) {
                CallAnswer::Certificate(certificate) => {
                    if let Some(event) = self.status_event(stored, request_id, &certificate).await {
                        return self.happened(stored, event).await;
                    }
                    result = Submission::Refused { status };
                }
                CallAnswer::Accepted => result = Submission::Accepted,
                CallAnswer::Uncertified(reject) => {
                    result = Submission::UncertifiedReject {
                        code: reject.code.number(),
                        message: reject.message.to_string(),
                    };
                }
                CallAnswer::Nothing(_) => result = Submission::Refused { status },
            }
            break;
        }
        self.happened(stored, Event::Submitted { request_id, result })
            .await
    }

    /// Reads the status of an envelope with its stored signature, or with a new one.
    async fn read_status(
        &self,
        stored: &StoredIntent,
        request_id: RequestId,
        with: StatusRead,
    ) -> Turn {
        let prepared = stored.intent.prepared();
        let Some(envelope) = stored.intent.envelope(request_id) else {
            return Turn::Nothing;
        };
        let read_state = match with {
            StatusRead::Stored => envelope.signed.read_state.clone(),
            StatusRead::Fresh => match self.sign_status_read(&stored.intent, request_id).await {
                Some(bytes) => bytes,
                None => return Turn::Nothing,
            },
        };
        let Ok(endpoints) = self.endpoints(&prepared.network).await else {
            return Turn::Nothing;
        };
        for endpoint in endpoints {
            let url = endpoint.read_state(prepared.effective_canister);
            let Exchange::Answer { status, body } =
                self.ports.replica().post(&url, &read_state).await
            else {
                continue;
            };
            let Ok(answer) = ReadAnswer::read(status, &body) else {
                return Turn::Nothing;
            };
            return match self
                .status_event(stored, request_id, &answer.certificate)
                .await
            {
                Some(event) => self.happened(stored, event).await,
                None => Turn::Nothing,
            };
        }
        Turn::Nothing
    }

    /// What a certificate says of an envelope; `None` where it proves nothing or does not cover
    /// the envelope's status.
    async fn status_event(
        &self,
        stored: &StoredIntent,
        request_id: RequestId,
        certificate: &[u8],
    ) -> Option<Event> {
        let prepared = stored.intent.prepared();
        let canister = prepared.effective_canister;
        let certified = self
            .admit(&prepared.network, canister, certificate)
            .await
            .ok()?;
        let status = match certified.request_status(&request_id).ok()? {
            RequestStatus::Absent => CertifiedStatus::Absent,
            RequestStatus::Unknown => return None,
            RequestStatus::Received => CertifiedStatus::Received,
            RequestStatus::Processing => CertifiedStatus::Processing,
            RequestStatus::Done => CertifiedStatus::Done,
            RequestStatus::Rejected(reject) => CertifiedStatus::Rejected(Reject {
                code: reject.code.number(),
                message: reject.message.to_string(),
                error_code: reject.error_code.map(|code| code.to_string()),
            }),
            RequestStatus::Replied(reply) => self.classify(&stored.intent, reply).await?,
        };
        let (at, certificate) = (certified.time(), certificate.to_vec());
        Some(Event::Status {
            request_id,
            status,
            at,
            certificate,
        })
    }
}

/// The site whose wish an intent is.
pub(super) fn site_of(intent: &Intent) -> Option<SiteKey> {
    let origin = Origin::parse(&intent.prepared().origin).ok()?;
    Some(SiteKey::top_level(&origin))
}

/// The name of the mirror's file for an intent.
fn mirror_name(preview: &PreviewId) -> String {
    format!("sent-{preview}")
}

fn turn_of(error: &CommitError) -> Turn {
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
