//! Reads of state: which paths may be read, by whom, and the certificate that shows them.

use super::{Network, Refusal, Response, certificate::RangesAt, envelope, history, ingress, spoil};
use crate::faults::{Fault, Kind, Reply, Seen};
use candid::Principal;
use ic_transport_types::{EnvelopeContent, ReadStateResponse, RequestId};

impl Network {
    pub(super) fn read_state(
        &mut self,
        version: &str,
        scope: &str,
        effective: Principal,
        body: &[u8],
    ) -> Response {
        if scope == "canister" {
            self.counters_mut(effective).reads += 1;
        }
        match self.try_read_state(version, scope, effective, body) {
            Ok(response) => response,
            Err(refusal) => refusal.into(),
        }
    }

    fn try_read_state(
        &mut self,
        version: &str,
        scope: &str,
        effective: Principal,
        body: &[u8],
    ) -> Result<Response, Refusal> {
        let envelope = envelope::parse(body)?;
        let EnvelopeContent::ReadState { sender, paths, .. } = envelope.content.as_ref() else {
            return Err(Refusal::bad_request(
                "Could not parse body: not a read_state",
            ));
        };
        ingress::check(&envelope, self.now)?;
        let paths: Vec<Vec<Vec<u8>>> = paths
            .iter()
            .map(|path| path.iter().map(|label| label.as_bytes().to_vec()).collect())
            .collect();
        if scope == "subnet" && effective != self.subnet_id() {
            return Err(Refusal::not_found("no such subnet"));
        }
        self.check_paths(&paths, scope, effective, *sender)?;

        let seen = if scope == "canister" {
            self.seen(Kind::ReadState, effective, None)
        } else {
            Seen::of(Kind::ReadState)
        };
        let fault = self
            .faults
            .meet(&seen)
            .unwrap_or_else(|| Fault::on(Kind::ReadState));
        let bad = match fault.reply {
            Reply::Bad(case) => Some(case),
            Reply::Normal
            | Reply::Drop
            | Reply::Accepted
            | Reply::UncertifiedReject
            | Reply::Http(_) => None,
        };
        let ranges_at = if version == "v3" {
            RangesAt::Shards
        } else {
            RangesAt::Subnet
        };
        let behind = fault.behind_ms.saturating_mul(1_000_000);
        let at = self.now.saturating_sub(behind.min(history::KEPT));
        Ok(spoil(fault.reply, fault.delay(), || {
            Response::cbor(&ReadStateResponse {
                certificate: self.certify(paths, ranges_at, bad, at),
            })
        }))
    }

    fn check_paths(
        &self,
        paths: &[Vec<Vec<u8>>],
        scope: &str,
        effective: Principal,
        sender: Principal,
    ) -> Result<(), Refusal> {
        let mut request: Option<&[u8]> = None;
        for path in paths {
            let labels: Vec<&[u8]> = path.iter().map(Vec::as_slice).collect();
            match labels.as_slice() {
                [b"time"] | [b"subnet"] | [b"subnet", _] | [b"canister_ranges", _] => {}
                [b"subnet", _, b"public_key" | b"canister_ranges" | b"node"] => {}
                [b"subnet", _, b"node", _] | [b"subnet", _, b"node", _, b"public_key"] => {}
                [b"canister", id, b"module_hash" | b"controllers"]
                | [b"canister", id, b"metadata", _]
                    if scope == "canister" =>
                {
                    if *id != effective.as_slice() {
                        return Err(Refusal::bad_request(
                            "Effective principal id in URL does not match requested principal id",
                        ));
                    }
                }
                [b"request_status", id] | [b"request_status", id, _] if scope == "canister" => {
                    if request.is_some_and(|other| other != *id) {
                        return Err(Refusal::bad_request(
                            "Can only request a single request id in request_status paths",
                        ));
                    }
                    request = Some(id);
                    self.check_request(id, effective, sender)?;
                }
                _ => return Err(Refusal::not_found("Invalid path requested.")),
            }
        }
        Ok(())
    }

    /// Only who sent a call may read its status, and only where the call went.
    fn check_request(
        &self,
        id: &[u8],
        effective: Principal,
        sender: Principal,
    ) -> Result<(), Refusal> {
        let id = <&[u8; 32]>::try_from(id)
            .map_err(|_| Refusal::bad_request("Invalid request id: 32 bytes are expected"))?;
        match self.history.call(&RequestId::new(id)) {
            Some(call) if call.caller != sender => Err(Refusal::forbidden(
                "The user tries to access a request id that it did not make",
            )),
            Some(call) if call.canister != effective => Err(Refusal::forbidden(
                "The request id does not belong to this canister",
            )),
            Some(_) | None => Ok(()),
        }
    }
}
