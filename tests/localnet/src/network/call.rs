//! Calls: taken in once a request id, executed, and answered with a certificate (v4, v3) or with
//! nothing but a receipt (v2).

use super::{
    Counters, Network, Refusal, Reject, Response,
    certificate::RangesAt,
    envelope,
    history::{Admitted, Status},
    ingress, spoil,
};
use crate::{
    canisters::Call,
    faults::{Execution, Fault, Forget, Kind, Reply, Shown},
};
use candid::Principal;
use ic_transport_types::{EnvelopeContent, RejectCode, RejectResponse, RequestId};
use serde::Serialize;
use std::cell::RefCell;

/// The body of a 200 to a call.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
enum CallAnswer {
    Replied {
        #[serde(with = "serde_bytes")]
        certificate: Vec<u8>,
    },
    NonReplicatedRejection(RejectResponse),
}

impl From<Reject> for RejectResponse {
    fn from(reject: Reject) -> Self {
        Self {
            reject_code: reject.code,
            reject_message: reject.message,
            error_code: Some(reject.error_code.into()),
        }
    }
}

impl Network {
    pub(super) fn call(&mut self, version: &str, effective: Principal, body: &[u8]) -> Response {
        self.counters_mut(effective).calls_posted += 1;
        match self.try_call(version, effective, body) {
            Ok(response) => response,
            Err(refusal) => refusal.into(),
        }
    }

    fn try_call(
        &mut self,
        version: &str,
        effective: Principal,
        body: &[u8],
    ) -> Result<Response, Refusal> {
        let envelope = envelope::parse(body)?;
        let EnvelopeContent::Call {
            ingress_expiry,
            sender,
            canister_id,
            method_name,
            arg,
            ..
        } = envelope.content.as_ref()
        else {
            return Err(Refusal::bad_request("Could not parse body: not a call"));
        };
        let seen = self.seen(Kind::Call, *canister_id, Some(method_name));
        let fault = self
            .faults
            .meet(&seen)
            .unwrap_or_else(|| Fault::on(Kind::Call));
        if fault.execute == Execution::No {
            return Ok(self.answer_call(version, None, &fault));
        }
        ingress::check(&envelope, self.now)?;
        if *canister_id != effective {
            return Err(Refusal::bad_request(
                "The effective canister id does not match the canister id of the call",
            ));
        }
        if self.canister(*canister_id).is_none() {
            return Ok(Response::cbor(&CallAnswer::NonReplicatedRejection(
                Reject::no_canister(*canister_id).into(),
            )));
        }
        let id = envelope.content.to_request_id();
        let call = Admitted {
            caller: *sender,
            canister: *canister_id,
            method: method_name.clone(),
            arg: arg.clone(),
            expiry: *ingress_expiry,
        };
        if self.history.admit(&id, call, self.now) {
            self.counters_mut(effective).calls_admitted += 1;
            self.run(&id, &fault);
        }
        Ok(self.answer_call(version, Some(&id), &fault))
    }

    /// Executes an admitted call, as the fault has it.
    fn run(&mut self, id: &RequestId, fault: &Fault) {
        let Some(call) = self.history.call(id).cloned() else {
            return;
        };
        if let Some(change) = &fault.ledger
            && let Some(canister) = self.canister_mut(call.canister)
        {
            canister.change(change);
        }
        let status = match fault.execute {
            Execution::Yes | Execution::No => self.execute(&call, fault.shown),
            Execution::HoldReceived => return,
            Execution::HoldProcessing => Status::Processing,
            Execution::RejectBefore => Status::Rejected(ordered_reject(fault)),
            Execution::RejectAfter => {
                self.execute(&call, fault.shown);
                Status::Rejected(ordered_reject(fault))
            }
        };
        let over = status.is_over();
        self.history.set(id, status, self.now);
        match fault.forget {
            Some(Forget::Status) if over => self.history.forget(id, self.now),
            Some(Forget::Reply) if over => self.history.set(id, Status::Done, self.now),
            Some(Forget::Status | Forget::Reply) | None => {}
        }
    }

    fn execute(&mut self, call: &Admitted, shown: Shown) -> Status {
        let (now, shown) = (self.now, shown.to_a_call());
        let sent = Call {
            caller: call.caller,
            now,
            certificate: None,
            ask: None,
            shown,
        };
        let result = if let Some(mut canister) = self.canisters.remove(&call.canister) {
            // While it runs it may ask the others; what they did stays, whatever becomes of it.
            let others = RefCell::new(&mut self.canisters);
            let ask = |to: Principal, method: &str, arg: &[u8]| {
                let caller = call.canister;
                let mut others = others.borrow_mut();
                let other = others.get_mut(&to).ok_or_else(|| Reject::no_canister(to))?;
                other.update(&Call { caller, ..sent }, method, arg)
            };
            let sent = Call {
                ask: Some(&ask),
                ..sent
            };
            let result = canister.update(&sent, &call.method, &call.arg);
            self.canisters.insert(call.canister, canister);
            result
        } else if let Some(archive) = self.canister_mut(call.canister) {
            archive.update(&sent, &call.method, &call.arg)
        } else {
            return Status::Rejected(Reject::no_canister(call.canister));
        };
        // A method that is not there is rejected before anything runs.
        if !matches!(&result, Err(reject) if *reject == Reject::no_method("update", &call.method)) {
            self.counters_mut(call.canister).calls_executed += 1;
        }
        match result {
            Ok(reply) => Status::Replied(reply),
            Err(reject) => Status::Rejected(reject),
        }
    }

    /// Executes every call that a fault held back and that may still run. How many ran.
    pub fn release(&mut self) -> usize {
        let open = self.history.open();
        for id in &open {
            if let Some(call) = self.history.call(id).cloned() {
                let status = self.execute(&call, Shown::Whole);
                self.history.set(id, status, self.now);
            }
        }
        open.len()
    }

    fn answer_call(&self, version: &str, id: Option<&RequestId>, fault: &Fault) -> Response {
        let accepted = || Response::text(202, "");
        let normal = || {
            let Some(id) = id else { return accepted() };
            let over = self.history.status(id).is_some_and(Status::is_over);
            if version == "v2" || !over {
                return accepted();
            }
            let bad = match fault.reply {
                Reply::Bad(case) => Some(case),
                Reply::Normal
                | Reply::Drop
                | Reply::Accepted
                | Reply::UncertifiedReject
                | Reply::Http(_) => None,
            };
            let path = vec![b"request_status".to_vec(), id.to_vec()];
            let ranges_at = if version == "v4" {
                RangesAt::Shards
            } else {
                RangesAt::Subnet
            };
            Response::cbor(&CallAnswer::Replied {
                certificate: self.certify(vec![path], ranges_at, bad, self.now),
            })
        };
        match fault.reply {
            Reply::Accepted => Response {
                delay: fault.delay(),
                ..accepted()
            },
            Reply::UncertifiedReject => {
                let reject = ordered_reject(fault);
                Response {
                    delay: fault.delay(),
                    ..Response::cbor(&CallAnswer::NonReplicatedRejection(reject.into()))
                }
            }
            Reply::Normal | Reply::Drop | Reply::Http(_) | Reply::Bad(_) => {
                spoil(fault.reply, fault.delay(), normal)
            }
        }
    }

    /// Sets the counters of every canister back to zero.
    pub fn reset_counters(&mut self) {
        for counters in self.counters.values_mut() {
            *counters = Counters::default();
        }
    }
}

/// The reject that a fault orders.
fn ordered_reject(fault: &Fault) -> Reject {
    let code = fault.reject_code;
    let (message, error_code) = match code {
        RejectCode::SysFatal => ("The system failed.", "IC0101"),
        RejectCode::SysTransient => ("The ingress history is full.", "IC0204"),
        RejectCode::DestinationInvalid => ("The canister was not found.", "IC0301"),
        RejectCode::CanisterReject => ("The canister rejected the message.", "IC0406"),
        RejectCode::CanisterError => ("The canister trapped: archiving failed.", "IC0503"),
    };
    Reject {
        code,
        message: message.into(),
        error_code,
        stated: fault.reject_stated,
    }
}
