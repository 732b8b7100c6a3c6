//! Queries: answered by one node, which signs what it answers.

use super::{
    Network, Refusal, Response,
    certificate::{RangesAt, stated_time},
    envelope, ingress, spoil,
};
use crate::{
    canisters::Call,
    faults::{BadCertificate, Fault, Kind, Reply, Shown},
};
use candid::Principal;
use ic_transport_types::{EnvelopeContent, NodeSignature, QueryResponse, ReplyResponse, RequestId};

impl Network {
    pub(super) fn query(&mut self, version: &str, effective: Principal, body: &[u8]) -> Response {
        self.counters_mut(effective).queries += 1;
        match self.try_query(version, effective, body) {
            Ok(response) => response,
            Err(refusal) => refusal.into(),
        }
    }

    fn try_query(
        &mut self,
        version: &str,
        effective: Principal,
        body: &[u8],
    ) -> Result<Response, Refusal> {
        let envelope = envelope::parse(body)?;
        let EnvelopeContent::Query {
            sender,
            canister_id,
            method_name,
            arg,
            ..
        } = envelope.content.as_ref()
        else {
            return Err(Refusal::bad_request("Could not parse body: not a query"));
        };
        ingress::check(&envelope, self.now)?;
        if *canister_id != effective {
            return Err(Refusal::bad_request(
                "The effective canister id does not match the canister id of the query",
            ));
        }
        let seen = self.seen(Kind::Query, *canister_id, Some(method_name));
        let fault = self
            .faults
            .meet(&seen)
            .unwrap_or_else(|| Fault::on(Kind::Query));
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
        let response =
            self.answer_query(*sender, *canister_id, method_name, arg, ranges_at, &fault);
        let signed = self.sign(response, envelope.content.to_request_id(), bad);
        Ok(spoil(fault.reply, fault.delay(), || {
            Response::cbor(&signed)
        }))
    }

    fn answer_query(
        &self,
        caller: Principal,
        canister: Principal,
        method: &str,
        arg: &[u8],
        ranges_at: RangesAt,
        fault: &Fault,
    ) -> QueryResponse {
        let found = self.canister(canister);
        let past = match fault.shown {
            Shown::Behind(blocks) => found.and_then(|found| found.past(blocks)),
            Shown::Whole
            | Shown::Short(_)
            | Shown::Altered(_)
            | Shown::Resent(_)
            | Shown::LeftOut(_)
            | Shown::Elsewhere(_) => None,
        };
        let certificate =
            || self.certify_data(canister, past.as_ref(), ranges_at, fault.certificate);
        let result = match found {
            None => Err(super::Reject::no_canister(canister)),
            Some(found) => found.query(
                &Call {
                    caller,
                    now: self.now,
                    certificate: Some(&certificate),
                    ask: None,
                    shown: fault.shown,
                },
                method,
                arg,
            ),
        };
        match result {
            Ok(arg) => QueryResponse::Replied {
                reply: ReplyResponse { arg },
                signatures: vec![],
            },
            Err(reject) => QueryResponse::Rejected {
                reject: reject.into(),
                signatures: vec![],
            },
        }
    }

    fn sign(
        &self,
        mut response: QueryResponse,
        id: RequestId,
        bad: Option<BadCertificate>,
    ) -> QueryResponse {
        let timestamp = stated_time(self.now, bad);
        let node = self.authority.node();
        let mut signature = node.sign(&response.signable(id, timestamp)).to_vec();
        if bad == Some(BadCertificate::TamperedQuerySignature) {
            signature[0] ^= 1;
        }
        let (QueryResponse::Replied { signatures, .. }
        | QueryResponse::Rejected { signatures, .. }) = &mut response;
        signatures.push(NodeSignature {
            timestamp,
            signature,
            identity: node.id(),
        });
        response
    }
}
