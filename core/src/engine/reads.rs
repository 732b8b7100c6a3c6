//! Certified reads: nothing is signed with the person's key, nothing asks for an effect.
//!
//! Requests are the anonymous sender's. Their expiry needs the network's time before any is
//! certified; a guess from the host's clock, mended by what a refusal says, is good enough for
//! that and for nothing else.

use super::Wallet;
use super::memory::LiveNetwork;
use super::questions::anonymous;
use super::record::{self, RecordError};
use super::records::Network;
use crate::ids::{NetworkId, Principal};
use crate::ingress::answer::{NoFact, read_status};
use crate::ingress::reads::ReadError;
use crate::ingress::{
    CertificateError, Certified, Endpoint, Path, QueryError, ReadAnswer, ReadStateRequest, Reject,
    RootKey,
};
use crate::ports::store::{Batch, Store as _, Table};
use crate::ports::{Clock as _, Exchange, Ports, Replica as _};
use crate::time::{Civil, Span, Timestamp};
use thiserror::Error;

/// How long after the time of asking an anonymous request is valid.
pub(super) const READ_VALID: Span = Span::from_mins(3);

/// Why something could not be read. Nothing was changed anywhere; reading again is safe.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ReadFailure {
    /// The wallet does not know this network.
    #[error("The wallet does not know this network. Add it on the Networks page.")]
    NoNetwork,
    /// The journal cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Nobody answered at any of the network's addresses.
    #[error("The network did not answer. Check the connection and try again.")]
    NoAnswer,
    /// There is nothing to check in the answer.
    #[error(transparent)]
    NoFact(#[from] NoFact),
    /// The answer's certificate proves nothing.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The certified tree does not hold what was asked for.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The answer's node signatures do not hold.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The canister or the system refused to answer.
    #[error("The canister refused to answer.")]
    Rejected(Reject),
    /// A replicated read was accepted, but its answer did not come in time.
    #[error("The network did not answer in time. Try again.")]
    Slow,
}

impl ReadFailure {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoNetwork => "E_NO_NETWORK",
            Self::Record(_) => "E_STORE",
            Self::NoAnswer => "E_NO_ANSWER",
            Self::NoFact(_) => "E_NETWORK_REFUSED",
            Self::Certificate(error) => error.code(),
            Self::Read(_) => "E_NOT_CERTIFIED",
            Self::Query(error) => error.code(),
            Self::Rejected(_) => "E_REJECTED",
            Self::Slow => "E_SLOW",
        }
    }
}

impl<P: Ports> Wallet<P> {
    /// Makes sure that the network is in memory.
    pub(super) async fn live(&self, id: &NetworkId) -> Result<(), ReadFailure> {
        if self.memory.borrow().networks.contains_key(id) {
            return Ok(());
        }
        let key = id.to_string();
        let row = self.ports.store().get(Table::Networks, &key).await;
        let row = row
            .map_err(RecordError::from)?
            .ok_or(ReadFailure::NoNetwork)?;
        let stored = record::read::<Network>(&row)?;
        let live = LiveNetwork::new(stored.record.trust, stored.record.endpoints);
        self.memory.borrow_mut().networks.entry(*id).or_insert(live);
        Ok(())
    }

    /// Forgets what memory holds of a network, after its record changed.
    pub(super) fn forget_network(&self, id: &NetworkId) {
        self.memory.borrow_mut().networks.remove(id);
    }

    /// Does `f` with the network's memory, which [`Self::live`] put there.
    pub(super) fn with_network<T>(
        &self,
        id: &NetworkId,
        f: impl FnOnce(&mut LiveNetwork) -> T,
    ) -> Result<T, ReadFailure> {
        let mut memory = self.memory.borrow_mut();
        memory
            .networks
            .get_mut(id)
            .map(f)
            .ok_or(ReadFailure::NoNetwork)
    }

    /// Where the network is reached, in the order to be tried.
    pub(super) async fn endpoints(&self, id: &NetworkId) -> Result<Vec<Endpoint>, ReadFailure> {
        self.live(id).await?;
        self.with_network(id, |network| network.endpoints.clone())
    }

    /// An expiry that the network should accept for an anonymous request.
    pub(super) fn read_expiry(
        &self,
        id: &NetworkId,
        canister: Principal,
    ) -> Result<Timestamp, ReadFailure> {
        let (host, uptime) = (self.ports.clock().host(), self.ports.clock().monotonic());
        self.with_network(id, |network| {
            let carried = network
                .homes
                .get(&canister)
                .and_then(|subnet| network.trust.now(*subnet, uptime));
            let guess = i128::from(host.as_nanos()) + network.skew;
            let guess = u64::try_from(guess.max(0)).unwrap_or(u64::MAX);
            carried
                .unwrap_or(Timestamp::from_nanos(guess))
                .plus(READ_VALID)
        })
    }

    /// Learns from a refusal how far the network's clock is from the host's. Whether the same
    /// request, with another expiry, is worth one more try.
    fn learn_skew(&self, id: &NetworkId, refused: &NoFact) -> bool {
        let NoFact::Refused { text, .. } = refused else {
            return false;
        };
        let Some(lowest) = lowest_expiry(text.as_str()) else {
            return false;
        };
        let host = self.ports.clock().host();
        let skew = i128::from(lowest.as_nanos()) - i128::from(host.as_nanos());
        self.with_network(id, |network| {
            std::mem::replace(&mut network.skew, skew) != skew
        })
        .unwrap_or(false)
    }

    /// Checks a certificate that answers for a canister. Reads the root subnet's ranges first
    /// where they are not known yet.
    pub(super) async fn admit(
        &self,
        id: &NetworkId,
        canister: Principal,
        certificate: &[u8],
    ) -> Result<Certified, ReadFailure> {
        self.live(id).await?;
        let judged = self.judge(id, canister, certificate).await;
        if judged.is_ok() {
            self.keep_trust(id).await;
        }
        judged
    }

    async fn judge(
        &self,
        id: &NetworkId,
        canister: Principal,
        certificate: &[u8],
    ) -> Result<Certified, ReadFailure> {
        match self.admit_once(id, canister, certificate) {
            Err(ReadFailure::Certificate(CertificateError::RangesUnknown)) => {
                let expiry = self.read_expiry(id, canister)?;
                let ranges = self
                    .ask_state(id, canister, Path::subnet_and_ranges(), expiry)
                    .await?;
                self.admit_once(id, canister, &ranges)?;
                self.admit_once(id, canister, certificate)
            }
            judged => judged,
        }
    }

    /// Stores what certificates have told of a network, so that after this worker's death none from
    /// long before is believed. Where it cannot be stored, the next certificate tries again.
    async fn keep_trust(&self, id: &NetworkId) {
        let news = self.with_network(id, |network| {
            let news = network.trust.is_news_to(&network.stored);
            news.then(|| network.trust.clone())
        });
        let Ok(Some(trust)) = news else { return };
        // A network that is only being added has no record yet.
        let (Ok(Some(mut stored)), Ok(writer)) = (self.network(id).await, self.writer().await)
        else {
            return;
        };
        stored.record.trust.take_up(&trust);
        let now = self.ports.clock().host();
        let write = record::change(writer, now, stored.rev, &stored.record);
        let batch = Batch {
            writes: vec![write],
            audit: Vec::new(),
        };
        if self.ports.store().commit(batch).await.is_ok() {
            let _ = self.with_network(id, |network| network.stored = stored.record.trust);
        }
    }

    fn admit_once(
        &self,
        id: &NetworkId,
        canister: Principal,
        certificate: &[u8],
    ) -> Result<Certified, ReadFailure> {
        let uptime = self.ports.clock().monotonic();
        self.with_network(id, |network| {
            let certified = network.trust.admit(certificate, canister, uptime)?;
            network.homes.insert(canister, certified.subnet());
            Ok(certified)
        })?
    }

    /// Posts an anonymous read of the state tree and gives the certificate's bytes.
    async fn ask_state(
        &self,
        id: &NetworkId,
        canister: Principal,
        paths: Vec<Path>,
        expiry: Timestamp,
    ) -> Result<Vec<u8>, ReadFailure> {
        let sender = Principal::anonymous();
        let request = ReadStateRequest {
            paths,
            sender,
            ingress_expiry: expiry,
        };
        let envelope = anonymous(&request);
        self.post_each(
            id,
            |endpoint| endpoint.read_state(canister),
            &envelope.bytes,
            |status, body| Ok(ReadAnswer::read(status, body)?.certificate),
        )
        .await
    }

    /// Posts bytes to the network's addresses in order until one answers, and reads the answer.
    pub(super) async fn post_each<T>(
        &self,
        id: &NetworkId,
        url: impl Fn(&Endpoint) -> String,
        bytes: &[u8],
        read: impl Fn(u16, &[u8]) -> Result<T, NoFact>,
    ) -> Result<T, ReadFailure> {
        for endpoint in self.endpoints(id).await? {
            match self.ports.replica().post(&url(&endpoint), bytes).await {
                Exchange::Answer { status, body } => return Ok(read(status, &body)?),
                Exchange::NoAnswer => {}
            }
        }
        Err(ReadFailure::NoAnswer)
    }

    /// Reads paths of the state tree, certified.
    ///
    /// # Errors
    ///
    /// See [`ReadFailure`].
    pub async fn read_state(
        &self,
        id: &NetworkId,
        canister: Principal,
        paths: Vec<Path>,
    ) -> Result<Certified, ReadFailure> {
        self.live(id).await?;
        let expiry = self.read_expiry(id, canister)?;
        let answer = match self.ask_state(id, canister, paths.clone(), expiry).await {
            Err(ReadFailure::NoFact(refused)) if self.learn_skew(id, &refused) => {
                let expiry = self.read_expiry(id, canister)?;
                self.ask_state(id, canister, paths, expiry).await?
            }
            answer => answer?,
        };
        self.admit(id, canister, &answer).await
    }

    /// The certified time of the subnet that runs the canister, read now.
    ///
    /// # Errors
    ///
    /// See [`ReadFailure`].
    pub async fn certified_time(
        &self,
        id: &NetworkId,
        canister: Principal,
    ) -> Result<Timestamp, ReadFailure> {
        Ok(self
            .read_state(id, canister, vec![Path::time()])
            .await?
            .time())
    }

    /// The certified time of the canister's subnet, where it was read within the last minute of
    /// this worker's life, carried on by its monotonic clock.
    pub(super) fn carried_time(&self, id: &NetworkId, canister: Principal) -> Option<Timestamp> {
        let uptime = self.ports.clock().monotonic();
        self.with_network(id, |network| {
            let subnet = network.homes.get(&canister)?;
            network.trust.now(*subnet, uptime)
        })
        .ok()
        .flatten()
    }

    /// The certified time of the canister's subnet: carried where it can be, else read.
    ///
    /// # Errors
    ///
    /// See [`ReadFailure`].
    pub async fn canister_time(
        &self,
        id: &NetworkId,
        canister: Principal,
    ) -> Result<Timestamp, ReadFailure> {
        self.live(id).await?;
        match self.carried_time(id, canister) {
            Some(time) => Ok(time),
            None => self.certified_time(id, canister).await,
        }
    }

    /// Asks an address for the root key of its network, to be shown to the person who adds it.
    ///
    /// # Errors
    ///
    /// See [`ReadFailure`].
    pub async fn read_root_key(&self, endpoint: &Endpoint) -> Result<RootKey, ReadFailure> {
        match self.ports.replica().get(&endpoint.status()).await {
            Exchange::Answer { status, body } => Ok(read_status(status, &body)?),
            Exchange::NoAnswer => Err(ReadFailure::NoAnswer),
        }
    }
}

/// The lowest expiry that a network says it accepts, from the text of its refusal: its time now.
/// Uncertified, so good only for choosing the expiry of the next request.
fn lowest_expiry(text: &str) -> Option<Timestamp> {
    let (_, rest) = text.split_once("Minimum allowed expiry: ")?;
    let (first, _) = rest.split_once(',')?;
    let mut numbers = first
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty() && digits.len() <= 9);
    let mut next = || numbers.next()?.parse::<u64>().ok();
    let (year, month, day) = (next()?, next()?, next()?);
    let (hour, minute, second) = (next()?, next()?, next()?);
    Timestamp::from_civil(Civil {
        year,
        month,
        day,
        hour,
        minute,
        second,
        nanos: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_tells_the_networks_time() {
        let text = "Invalid request expiry: Specified ingress_expiry not within expected range: \
            Minimum allowed expiry: 2026-10-09 12:00:01.000000007 UTC, Maximum allowed expiry: \
            2026-10-09 12:05:31 UTC, Provided expiry: 2026-10-09 11:00:00 UTC";
        assert_eq!(
            lowest_expiry(text).map(|t| t.to_string()).as_deref(),
            Some("2026-10-09T12:00:01Z")
        );
        assert_eq!(lowest_expiry("Minimum allowed expiry: soon, "), None);
        assert_eq!(lowest_expiry("no"), None);
    }
}
