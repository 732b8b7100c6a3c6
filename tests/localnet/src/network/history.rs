//! The ingress history: every request id is admitted once, and its status is kept for a while.

use super::{
    Reject,
    ingress::MAX_INGRESS_TTL,
    tree::{State, leb128},
};
use crate::Nanos;
use candid::Principal;
use ic_transport_types::{RejectCode, RequestId};
use std::{collections::BTreeMap, time::Duration};

/// A call that was admitted.
#[derive(Clone, Debug)]
pub(super) struct Admitted {
    pub(super) caller: Principal,
    pub(super) canister: Principal,
    pub(super) method: String,
    pub(super) arg: Vec<u8>,
    pub(super) expiry: Nanos,
}

/// Where a call stands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Status {
    /// In the state, not begun.
    Received,
    /// Begun.
    Processing,
    /// Answered by the canister.
    Replied(Vec<u8>),
    /// Rejected by the system or the canister.
    Rejected(Reject),
    /// Over, and the answer forgotten.
    Done,
}

impl Status {
    const fn word(&self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Processing => "processing",
            Self::Replied(_) => "replied",
            Self::Rejected(_) => "rejected",
            Self::Done => "done",
        }
    }

    pub(super) const fn is_over(&self) -> bool {
        match self {
            Self::Received | Self::Processing => false,
            Self::Replied(_) | Self::Rejected(_) | Self::Done => true,
        }
    }
}

/// How long the past is kept for a node that lags.
pub(super) const KEPT: Nanos = Duration::from_secs(10 * 60).as_nanos() as Nanos;

#[derive(Clone)]
struct Entry {
    call: Admitted,
    admitted: Nanos,
    status: Status,
    /// What it was before it became terminal.
    open: Status,
    /// When it became terminal.
    over_since: Option<Nanos>,
    /// When it was lost before its time.
    lost: Option<Nanos>,
}

impl Entry {
    /// From when on it is not there any more.
    fn gone(&self) -> Nanos {
        let pruned = self
            .over_since
            .map(|since| since.saturating_add(MAX_INGRESS_TTL));
        let never = Nanos::MAX;
        pruned.unwrap_or(never).min(self.lost.unwrap_or(never))
    }

    /// What it was at a time, where it was there.
    fn at(&self, time: Nanos) -> Option<&Status> {
        if !(self.admitted..self.gone()).contains(&time) {
            return None;
        }
        let over = self.over_since.is_none_or(|since| since <= time);
        Some(if over { &self.status } else { &self.open })
    }
}

/// Statuses by request id, and which ids were ever admitted and could still arrive again.
#[derive(Clone, Default)]
pub(super) struct History {
    now: Nanos,
    entries: BTreeMap<[u8; 32], Entry>,
    seen: BTreeMap<[u8; 32], Nanos>,
}

impl History {
    /// Forgets what a replica forgets by now: a status five minutes after it became terminal, and
    /// rejects what was not begun before its expiry.
    pub(super) fn pass_time(&mut self, now: Nanos) {
        self.now = now;
        for entry in self.entries.values_mut() {
            if entry.status == Status::Received && entry.call.expiry < now {
                entry.over_since = Some(entry.call.expiry);
                entry.open = Status::Received;
                entry.status = Status::Rejected(Reject {
                    code: RejectCode::SysTransient,
                    message: "Ingress message timed out waiting to start executing.".into(),
                    error_code: "IC0202",
                    stated: None,
                });
            }
        }
        self.entries
            .retain(|_, entry| now < entry.gone().saturating_add(KEPT));
        self.seen.retain(|_, expiry| now <= *expiry);
    }

    /// Takes a call in. False if this request id was here before.
    pub(super) fn admit(&mut self, id: &RequestId, call: Admitted, now: Nanos) -> bool {
        self.now = now;
        if self.seen.insert(**id, call.expiry).is_some() {
            return false;
        }
        self.entries.insert(
            **id,
            Entry {
                call,
                admitted: now,
                status: Status::Received,
                open: Status::Received,
                over_since: None,
                lost: None,
            },
        );
        true
    }

    pub(super) fn call(&self, id: &RequestId) -> Option<&Admitted> {
        let entry = self.entries.get(&**id)?;
        entry.at(self.now).map(|_| &entry.call)
    }

    pub(super) fn status(&self, id: &RequestId) -> Option<&Status> {
        self.entries.get(&**id)?.at(self.now)
    }

    pub(super) fn set(&mut self, id: &RequestId, status: Status, now: Nanos) {
        if let Some(entry) = self.entries.get_mut(&**id) {
            if status.is_over() {
                entry.over_since = Some(now);
            } else {
                entry.open = status.clone();
            }
            entry.status = status;
        }
    }

    /// Loses a status before its time.
    pub(super) fn forget(&mut self, id: &RequestId, now: Nanos) {
        if let Some(entry) = self.entries.get_mut(&**id) {
            entry.lost = Some(now);
        }
    }

    /// The calls that were admitted and have not ended.
    pub(super) fn open(&self) -> Vec<RequestId> {
        self.entries
            .iter()
            .filter(|(_, entry)| !entry.status.is_over())
            .map(|(id, _)| RequestId::new(id))
            .collect()
    }

    /// Writes the statuses of a time into a state.
    pub(super) fn describe(&self, state: &mut State, at: Nanos) {
        state.node(&[b"request_status"]);
        for (id, entry) in &self.entries {
            let Some(status) = entry.at(at) else { continue };
            let mut set = |label: &[u8], value: Vec<u8>| {
                state.set(&[b"request_status", id, label], value);
            };
            set(b"status", status.word().into());
            match status {
                Status::Received | Status::Processing | Status::Done => {}
                Status::Replied(reply) => set(b"reply", reply.clone()),
                Status::Rejected(reject) => {
                    set(b"reject_code", leb128(stated_code(reject)));
                    set(b"reject_message", reject.message.clone().into());
                    set(b"error_code", reject.error_code.into());
                }
            }
        }
    }
}

/// The code that a certificate states.
fn stated_code(reject: &Reject) -> u64 {
    reject.stated.unwrap_or(reject.code as u8).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Nanos = 60_000_000_000;

    fn call(expiry: Nanos) -> Admitted {
        Admitted {
            caller: Principal::anonymous(),
            canister: Principal::management_canister(),
            method: "m".into(),
            arg: vec![],
            expiry,
        }
    }

    #[test]
    fn a_request_id_is_admitted_once() {
        let mut history = History::default();
        let id = RequestId::new(&[1; 32]);
        assert!(history.admit(&id, call(MINUTE), 0));
        assert!(!history.admit(&id, call(MINUTE), 0));
        history.forget(&id, 0);
        assert!(
            !history.admit(&id, call(MINUTE), 0),
            "also after its status is lost"
        );
    }

    #[test]
    fn a_status_is_kept_five_minutes_from_its_end_not_from_its_expiry() {
        let mut history = History::default();
        let id = RequestId::new(&[1; 32]);
        history.admit(&id, call(3 * MINUTE), 0);
        history.set(&id, Status::Replied(vec![]), 1);
        history.pass_time(5 * MINUTE);
        assert!(history.status(&id).is_some());
        history.pass_time(5 * MINUTE + 1);
        assert!(history.status(&id).is_none());
    }

    #[test]
    fn what_was_not_begun_before_its_expiry_is_rejected_as_transient() {
        let mut history = History::default();
        let id = RequestId::new(&[1; 32]);
        history.admit(&id, call(MINUTE), 0);
        history.pass_time(MINUTE);
        assert_eq!(history.status(&id), Some(&Status::Received));
        history.pass_time(MINUTE + 1);
        let Some(Status::Rejected(reject)) = history.status(&id) else {
            panic!("must be rejected");
        };
        assert_eq!(reject.code, RejectCode::SysTransient);
    }

    #[test]
    fn processing_has_no_time_limit() {
        let mut history = History::default();
        let id = RequestId::new(&[1; 32]);
        history.admit(&id, call(MINUTE), 0);
        history.set(&id, Status::Processing, 1);
        history.pass_time(100 * MINUTE);
        assert_eq!(history.status(&id), Some(&Status::Processing));
    }
}
