//! An envelope on its way: signed, handed over, submitted, its status read.

use super::Turn;
use crate::engine::Wallet;
use crate::engine::intents::StoredIntent;
use crate::engine::journal::{CompareError, mirror_name};
use crate::engine::record::{self, Record as _, RecordError};
use crate::engine::records::Floor;
use crate::ids::RequestId;
use crate::ingress::{CallAnswer, Path, ReadAnswer, RequestStatus};
use crate::intent::{
    CertifiedStatus, Event, Hitch, Intent, Lapse, Reject, Start, StatusRead, Submission, YES_SPAN,
};
use crate::ports::store::Write;
use crate::ports::{Clock as _, Exchange, Mirror as _, Ports, Replica as _};

impl<P: Ports> Wallet<P> {
    pub(super) async fn read_start(&self, stored: &StoredIntent) -> Turn {
        let prepared = stored.intent.prepared();
        let canister = prepared.effective_canister;
        let paths = vec![Path::time(), Path::module_hash(canister)];
        // Before S0, so that nothing which is sent after it stands below the mark.
        let log = self.log_mark(&stored.intent).await;
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
            log,
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
    pub(super) async fn hand_over(&self, stored: &StoredIntent, request_id: RequestId) -> Turn {
        let event = Event::HandedOver { request_id };
        let next = stored
            .intent
            .apply(&self.now(&stored.intent), event.clone());
        let is_handed_over = |next: &Intent| {
            let envelope = next.envelope(request_id);
            envelope.is_some_and(|envelope| envelope.handed_over.is_some())
        };
        let Some(next) = next.ok().filter(is_handed_over) else {
            return self.happened(stored, event).await;
        };
        let preview = next.preview();
        let kept = async {
            let name = mirror_name(&preview);
            self.ports.mirror().write(&name, &next.encode()).await?;
            self.count_hand_over(preview, request_id).await
        };
        let count = match kept.await {
            Ok(count) => count,
            Err(CompareError::Mirror(_)) => {
                return self
                    .happened(stored, Event::Stopped(Hitch::StoreRefused))
                    .await;
            }
            Err(CompareError::Record(_)) => return Turn::Stuck,
        };
        match self.raised_floor(&stored.intent).await {
            // Locked while this was got ready.
            Ok(_) if !self.is_unlocked() => Turn::Nothing,
            Ok(mut with) => {
                with.push(count);
                self.happened_with(stored, event, with).await
            }
            Err(_) => Turn::Stuck,
        }
    }

    /// The write by which later stamps of this sender on this canister are later than the one that
    /// is handed over now.
    pub(in crate::engine) async fn raised_floor(
        &self,
        intent: &Intent,
    ) -> Result<Vec<Write>, RecordError> {
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
    pub(super) async fn submit(&self, stored: &StoredIntent, request_id: RequestId) -> Turn {
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
    pub(super) async fn read_status(
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

    /// Reads the status of each envelope whose end is not known any more, until one says something
    /// new. What nobody can sign a read for is left as it is.
    pub(super) async fn read_statuses(&self, stored: &StoredIntent) -> Turn {
        let unresolved: Vec<RequestId> = stored
            .intent
            .unresolved()
            .map(|envelope| envelope.signed.request_id)
            .collect();
        for request_id in unresolved {
            match self
                .read_status(stored, request_id, StatusRead::Fresh)
                .await
            {
                Turn::Nothing => {}
                turn @ (Turn::Stored | Turn::Lost | Turn::Stuck) => return turn,
            }
        }
        Turn::Nothing
    }

    /// What a certificate says of an envelope; `None` where it proves nothing or does not cover
    /// the envelope's status.
    pub(super) async fn status_event(
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
