//! Reads of a canister's methods: queries, and queries sent as updates so that they are certified.

use super::Wallet;
use super::reads::{READ_VALID, ReadFailure};
use crate::ids::{NetworkId, Principal, RequestId};
use crate::ingress::reads::ReadError;
use crate::ingress::{
    CallAnswer, CallRequest, Certified, Envelope, Nonce, Path, QueryAnswer, QueryError, QueryReply,
    QueryRequest, Request, RequestStatus, Subnet,
};
use crate::ports::{Clock as _, Ports};
use crate::time::Span;

/// How long the wallet waits between two looks at a replicated read.
pub(super) const POLL_EVERY: Span = Span::from_millis(500);

/// How often it looks.
const POLLS: u32 = 60;

impl<P: Ports> Wallet<P> {
    /// Sends a query method as an update call of the anonymous sender, so that its answer is
    /// certified, and waits for the reply's bytes.
    ///
    /// # Errors
    ///
    /// See [`ReadFailure`].
    pub async fn replicated_read(
        &self,
        id: &NetworkId,
        canister: Principal,
        method: &str,
        arg: &[u8],
    ) -> Result<Vec<u8>, ReadFailure> {
        let s0 = self.canister_time(id, canister).await?;
        let request = CallRequest {
            canister,
            method: method.to_owned(),
            arg: arg.to_vec(),
            sender: Principal::anonymous(),
            ingress_expiry: s0.plus(READ_VALID),
            nonce: Some(Nonce::from_entropy(self.random())),
        };
        let envelope = anonymous(&request);
        let posted = self
            .post_question(id, canister, &envelope.bytes, &envelope.request_id)
            .await?;
        if let Some(reply) = posted {
            return Ok(reply);
        }
        for _ in 0..POLLS {
            self.ports.clock().pause(POLL_EVERY).await;
            let path = Path::request_status(&envelope.request_id);
            let certified = self.read_state(id, canister, vec![path]).await?;
            if let Some(reply) = reply_of(&certified, &envelope.request_id)? {
                return Ok(reply);
            }
        }
        Err(ReadFailure::Slow)
    }

    /// Sends an update that has no effect. Gives its reply, certified, where that comes at once.
    pub(super) async fn post_question(
        &self,
        id: &NetworkId,
        canister: Principal,
        envelope: &[u8],
        request_id: &RequestId,
    ) -> Result<Option<Vec<u8>>, ReadFailure> {
        let posted = self
            .post_each(
                id,
                |endpoint| endpoint.call(canister),
                envelope,
                |status, body| Ok(CallAnswer::read(status, body)),
            )
            .await?;
        match posted {
            CallAnswer::Certificate(certificate) => {
                let certified = self.admit(id, canister, &certificate).await?;
                reply_of(&certified, request_id)
            }
            CallAnswer::Accepted => Ok(None),
            CallAnswer::Uncertified(reject) => Err(ReadFailure::Rejected(reject)),
            CallAnswer::Nothing(no_fact) => Err(no_fact.into()),
        }
    }

    /// Sends a query of the anonymous sender and checks the node's signature.
    ///
    /// # Errors
    ///
    /// See [`ReadFailure`].
    pub async fn query(
        &self,
        id: &NetworkId,
        canister: Principal,
        method: &str,
        arg: &[u8],
    ) -> Result<Vec<u8>, ReadFailure> {
        let now = self.canister_time(id, canister).await?;
        let request = QueryRequest {
            canister,
            method: method.to_owned(),
            arg: arg.to_vec(),
            sender: Principal::anonymous(),
            ingress_expiry: now.plus(READ_VALID),
            nonce: Some(Nonce::from_entropy(self.random())),
        };
        let envelope = anonymous(&request);
        let answer = self
            .post_each(
                id,
                |endpoint| endpoint.query(canister),
                &envelope.bytes,
                QueryAnswer::read,
            )
            .await?;
        let known = self.subnet(id, canister, false).await?;
        let verified = match answer.verify(&envelope.request_id, &known, now) {
            // The node may be newer than the keys we hold.
            Err(QueryError::UnknownNode(_)) => {
                let renewed = self.subnet(id, canister, true).await?;
                answer.verify(&envelope.request_id, &renewed, now)
            }
            verified => verified,
        };
        match verified? {
            QueryReply::Replied(reply) => Ok(reply),
            QueryReply::Rejected(reject) => Err(ReadFailure::Rejected(reject)),
        }
    }

    /// The nodes of the subnet that runs the canister.
    async fn subnet(
        &self,
        id: &NetworkId,
        canister: Principal,
        renew: bool,
    ) -> Result<Subnet, ReadFailure> {
        let held = self.with_network(id, |network| {
            let home = network.homes.get(&canister)?;
            network.subnets.get(home).cloned()
        })?;
        if let (Some(subnet), false) = (held, renew) {
            return Ok(subnet);
        }
        let certified = self
            .read_state(id, canister, Path::subnet_and_ranges())
            .await?;
        let subnet = Subnet::read(&certified)?;
        self.with_network(id, |network| {
            network.subnets.insert(subnet.id(), subnet.clone())
        })?;
        Ok(subnet)
    }
}

pub(super) fn anonymous(request: &impl Request) -> Envelope {
    Envelope::anonymous(request).expect("the request's sender is the anonymous one")
}

/// The reply that a certified tree holds of the call; `None` while it runs.
pub(super) fn reply_of(
    certified: &Certified,
    call: &RequestId,
) -> Result<Option<Vec<u8>>, ReadFailure> {
    let status = certified.request_status(call);
    match status.map_err(|_| ReadFailure::Read(ReadError::Malformed))? {
        RequestStatus::Replied(reply) => Ok(Some(reply)),
        RequestStatus::Rejected(reject) => Err(ReadFailure::Rejected(reject)),
        RequestStatus::Done => Err(ReadFailure::Slow),
        RequestStatus::Absent
        | RequestStatus::Unknown
        | RequestStatus::Received
        | RequestStatus::Processing => Ok(None),
    }
}
