//! A network in memory: the Internet Computer's public HTTP interface as a function of bytes and
//! time. No sockets and no clock are here; `server` has both.

mod call;
mod cbor;
mod certificate;
mod envelope;
mod history;
mod ingress;
mod keys;
mod query;
mod read_state;
mod tree;

pub use certificate::Topology;
pub use ingress::{MAX_INGRESS_TTL, PERMITTED_DRIFT};
pub use keys::Simulated;
pub use tree::{State, leb128};

use crate::{
    Nanos,
    canisters::{Canister, Past, icp::Icp, ledger::Ledger},
    faults::{BadCertificate, Faults, Kind, Reply, Seen},
};
use candid::Principal;
pub(crate) use certificate::canister_id;
use certificate::{Authority, RangesAt, controllers_cbor, stated_time};
use history::History;
use ic_transport_types::RejectCode;
use serde::Serialize;
use std::{any::Any, collections::BTreeMap, sync::Arc, time::Duration};

/// A reject, as a canister or the system gives it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reject {
    /// The reject code, 1 to 5.
    pub code: RejectCode,
    /// The text with it.
    pub message: String,
    /// The replica's error code, `IC0…`.
    pub error_code: &'static str,
    /// What a certificate states in the place of the code: 6, or one that no agent knows.
    pub stated: Option<u8>,
}

impl Reject {
    /// A trap of the canister.
    #[must_use]
    pub fn trap(message: impl Into<String>) -> Self {
        Self {
            code: RejectCode::CanisterError,
            message: message.into(),
            error_code: "IC0503",
            stated: None,
        }
    }

    /// The canister has no such method.
    #[must_use]
    pub fn no_method(kind: &str, name: &str) -> Self {
        Self {
            code: RejectCode::CanisterError,
            message: format!("Canister has no {kind} method '{name}'."),
            error_code: "IC0536",
            stated: None,
        }
    }

    /// There is no such canister.
    #[must_use]
    pub fn no_canister(id: Principal) -> Self {
        Self {
            code: RejectCode::DestinationInvalid,
            message: format!("Canister {id} not found"),
            error_code: "IC0301",
            stated: None,
        }
    }
}

/// Why a message was not taken: an HTTP status and a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) text: String,
}

impl Refusal {
    pub(crate) fn bad_request(text: impl Into<String>) -> Self {
        Self {
            status: 400,
            text: text.into(),
        }
    }

    pub(crate) fn forbidden(text: impl Into<String>) -> Self {
        Self {
            status: 403,
            text: text.into(),
        }
    }

    pub(crate) fn not_found(text: impl Into<String>) -> Self {
        Self {
            status: 404,
            text: text.into(),
        }
    }
}

/// What a message is answered with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Answer {
    /// An HTTP response.
    Http {
        /// Its status.
        status: u16,
        /// Its content type.
        content_type: &'static str,
        /// Its body.
        body: Vec<u8>,
    },
    /// None: the connection is closed.
    Dropped,
}

/// An answer, and how long it is held back.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Response {
    /// How long the answer is held back.
    pub delay: Duration,
    /// The answer.
    pub answer: Answer,
}

impl Response {
    const fn now(answer: Answer) -> Self {
        Self {
            delay: Duration::ZERO,
            answer,
        }
    }

    fn cbor<T: Serialize>(value: &T) -> Self {
        Self::now(Answer::Http {
            status: 200,
            content_type: "application/cbor",
            body: cbor::encode(value),
        })
    }

    fn text(status: u16, text: impl Into<String>) -> Self {
        Self::now(Answer::Http {
            status,
            content_type: "text/plain; charset=utf-8",
            body: text.into().into_bytes(),
        })
    }

    /// The status and body, where there is an answer.
    #[must_use]
    pub fn http(&self) -> Option<(u16, &[u8])> {
        match &self.answer {
            Answer::Http { status, body, .. } => Some((*status, body)),
            Answer::Dropped => None,
        }
    }
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Self {
        Self::text(refusal.status, refusal.text)
    }
}

/// What the network saw of one canister.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Counters {
    /// Calls that arrived, repeated ones and refused ones among them.
    pub calls_posted: u64,
    /// Calls taken in: one a request id.
    pub calls_admitted: u64,
    /// Calls that the canister executed.
    pub calls_executed: u64,
    /// Queries that arrived.
    pub queries: u64,
    /// Reads of state that arrived.
    pub reads: u64,
}

/// A network: one subnet, its keys, its canisters, its ingress history.
pub struct Network {
    authority: Arc<Authority>,
    canisters: BTreeMap<Principal, Box<dyn Canister>>,
    history: History,
    counters: BTreeMap<Principal, Counters>,
    /// The faults that are ordered.
    pub faults: Faults,
    now: Nanos,
}

impl Network {
    /// A network without canisters. The seed decides its keys.
    #[must_use]
    pub fn new(seed: &str, topology: Topology) -> Self {
        Self::under(Authority::from_seed(seed, topology))
    }

    /// The same, whose state `simulated` signs wherever it can.
    #[must_use]
    pub fn simulated(seed: &str, topology: Topology, simulated: Simulated) -> Self {
        Self::under(Authority::from_seed(seed, topology).simulated_by(simulated))
    }

    /// A network without canisters under the keys of this one.
    #[must_use]
    pub fn sibling(&self) -> Self {
        Self::under(Arc::clone(&self.authority))
    }

    fn under(authority: impl Into<Arc<Authority>>) -> Self {
        Self {
            authority: authority.into(),
            canisters: BTreeMap::new(),
            history: History::default(),
            counters: BTreeMap::new(),
            faults: Faults::default(),
            now: 0,
        }
    }

    /// From now on, `simulated` signs its state wherever it can.
    #[must_use]
    pub fn simulated_by(mut self, simulated: Simulated) -> Self {
        let authority = Authority::clone(&self.authority);
        self.authority = Arc::new(authority.simulated_by(simulated));
        self
    }

    /// Another network that is as this one is now, with the same keys, and goes its own way from here.
    #[must_use]
    pub fn fork(&self) -> Self {
        let canisters = self.canisters.iter();
        Self {
            authority: self.authority.clone(),
            canisters: canisters.map(|(id, one)| (*id, one.fork())).collect(),
            history: self.history.clone(),
            counters: self.counters.clone(),
            faults: self.faults.clone(),
            now: self.now,
        }
    }

    /// The root key in DER.
    #[must_use]
    pub fn root_key(&self) -> &[u8] {
        self.authority.root_key()
    }

    /// The subnet that the canisters live on.
    #[must_use]
    pub fn subnet_id(&self) -> Principal {
        self.authority.subnet_id()
    }

    /// Puts a canister on the network.
    pub fn install(&mut self, canister: impl Canister + 'static) {
        self.canisters.insert(canister.id(), Box::new(canister));
    }

    /// The canister with this id, whoever made it.
    fn canister(&self, id: Principal) -> Option<&dyn Canister> {
        if let Some(found) = self.canisters.get(&id) {
            return Some(found.as_ref());
        }
        let made = self.canisters.values().flat_map(|maker| maker.made());
        made.into_iter().find(|canister| canister.id() == id)
    }

    fn canister_mut(&mut self, id: Principal) -> Option<&mut dyn Canister> {
        if self.canisters.contains_key(&id) {
            let found = self.canisters.get_mut(&id)?;
            return Some(found.as_mut());
        }
        let mut makers = self.canisters.values_mut();
        makers.find_map(|maker| maker.made_mut(id))
    }

    /// The kind of a message with what an order can ask of it.
    fn seen<'a>(&self, kind: Kind, canister: Principal, method: Option<&'a str>) -> Seen<'a> {
        let installed = self.canisters.contains_key(&canister);
        Seen {
            kind,
            canister: Some(canister),
            method,
            archive: !installed && self.canister(canister).is_some(),
        }
    }

    /// The canister with this id, where it is of this type.
    #[must_use]
    pub fn installed<C: Canister>(&self, id: Principal) -> Option<&C> {
        let found: &dyn Any = self.canisters.get(&id)?.as_ref();
        found.downcast_ref()
    }

    /// The canister with this id, where it is of this type, to be changed from outside.
    #[must_use]
    pub fn installed_mut<C: Canister>(&mut self, id: Principal) -> Option<&mut C> {
        let found: &mut dyn Any = self.canisters.get_mut(&id)?.as_mut();
        found.downcast_mut()
    }

    /// The ledger with this id.
    #[must_use]
    pub fn ledger(&self, id: Principal) -> Option<&Ledger> {
        self.canisters.get(&id)?.as_ledger()
    }

    /// The ledger with this id, to be changed from outside.
    #[must_use]
    pub fn ledger_mut(&mut self, id: Principal) -> Option<&mut Ledger> {
        self.canisters.get_mut(&id)?.as_ledger_mut()
    }

    /// The ICP ledger with this id, to be looked at and changed from outside.
    #[must_use]
    pub fn icp_mut(&mut self, id: Principal) -> Option<&mut Icp> {
        self.canisters.get_mut(&id)?.as_icp_mut()
    }

    /// The ids of the ledgers.
    #[must_use]
    pub fn ledgers(&self) -> Vec<Principal> {
        self.canisters
            .values()
            .filter(|canister| canister.as_ledger().is_some())
            .map(|canister| canister.id())
            .collect()
    }

    /// What was seen of a canister.
    #[must_use]
    pub fn counters(&self, id: Principal) -> Counters {
        self.counters.get(&id).copied().unwrap_or_default()
    }

    /// The network's time: the latest it was given. It never goes back.
    #[must_use]
    pub const fn now(&self) -> Nanos {
        self.now
    }

    /// Lets time pass.
    pub fn pass_time(&mut self, now: Nanos) {
        self.now = self.now.max(now);
        self.history.pass_time(self.now);
    }

    /// Answers one HTTP request at a point of time.
    ///
    /// `path` is the path of the URL, without query; `now` is nanoseconds since 1970. The same
    /// requests at the same times give the same bytes.
    pub fn handle(&mut self, method: &str, path: &str, body: &[u8], now: Nanos) -> Response {
        self.pass_time(now);
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        match (method, parts.as_slice()) {
            ("GET", ["api", "v2", "status"]) => self.status(),
            ("POST", ["api", version, "canister", id, "call"]) => match (*version, id.parse()) {
                ("v2" | "v3" | "v4", Ok(id)) => self.call(version, id, body),
                (_, Ok(_)) => Refusal::not_found("no such version of call").into(),
                (_, Err(_)) => bad_id(id),
            },
            ("POST", ["api", version, "canister", id, "query"]) => match (*version, id.parse()) {
                ("v2" | "v3", Ok(id)) => self.query(version, id, body),
                (_, Ok(_)) => Refusal::not_found("no such version of query").into(),
                (_, Err(_)) => bad_id(id),
            },
            (
                "POST",
                [
                    "api",
                    version,
                    scope @ ("canister" | "subnet"),
                    id,
                    "read_state",
                ],
            ) => match (*version, id.parse()) {
                ("v2" | "v3", Ok(id)) => self.read_state(version, scope, id, body),
                (_, Ok(_)) => Refusal::not_found("no such version of read_state").into(),
                (_, Err(_)) => bad_id(id),
            },
            _ => Refusal::not_found(format!("no such endpoint: {method} {path}")).into(),
        }
    }

    fn status(&mut self) -> Response {
        #[derive(Serialize)]
        struct Status<'a> {
            #[serde(with = "serde_bytes")]
            root_key: &'a [u8],
            impl_version: &'static str,
            replica_health_status: &'static str,
        }
        let met = self.faults.meet(&Seen::of(Kind::Status));
        let normal = Response::cbor(&Status {
            root_key: self.authority.root_key(),
            impl_version: concat!("countersign-localnet ", env!("CARGO_PKG_VERSION")),
            replica_health_status: "healthy",
        });
        met.map_or(normal.clone(), |fault| {
            spoil(fault.reply, fault.delay(), || normal)
        })
    }

    fn counters_mut(&mut self, id: Principal) -> &mut Counters {
        self.counters.entry(id).or_default()
    }

    /// The state with the statuses of a time, and the time that a certificate will state.
    fn state(&self, at: Nanos, time: Nanos) -> State {
        let mut state = State::default();
        state.set(&[b"time"], leb128(time));
        self.authority.describe(&mut state);
        self.history.describe(&mut state, at);
        state.node(&[b"canister"]);
        let installed = self.canisters.values().map(AsRef::as_ref);
        let made = self.canisters.values().flat_map(|maker| maker.made());
        for canister in installed.chain(made) {
            let id = canister.id();
            let id = id.as_slice();
            state.set(
                &[b"canister", id, b"certified_data"],
                canister.certified_data(),
            );
            state.set(&[b"canister", id, b"controllers"], controllers_cbor(&[]));
            state.set(&[b"canister", id, b"module_hash"], canister.module_hash());
            let sections: [(&[u8], Option<String>); 2] = [
                (b"candid:service", canister.candid()),
                (b"candid:profile", canister.profile()),
            ];
            for (name, text) in sections {
                if let Some(text) = text {
                    state.set(&[b"canister", id, b"metadata", name], text);
                }
            }
        }
        state
    }

    /// A certificate over the certified data of a canister, as it is or as it once was.
    fn certify_data(
        &self,
        canister: Principal,
        past: Option<&Past>,
        ranges_at: RangesAt,
        bad: Option<BadCertificate>,
    ) -> Vec<u8> {
        let path: [&[u8]; 3] = [b"canister", canister.as_slice(), b"certified_data"];
        let time = stated_time(past.map_or(self.now, |past| past.time), bad);
        let mut state = self.state(self.now, time);
        if let Some(past) = past {
            state.set(&path, past.certified_data.clone());
        }
        let paths = [path.map(<[u8]>::to_vec).to_vec(), vec![b"time".to_vec()]];
        let witness = state.witness(&paths);
        self.authority.certify(witness, time, ranges_at, bad)
    }

    /// A certificate that shows `paths`, and the time: of now, or of an earlier moment.
    fn certify(
        &self,
        mut paths: Vec<Vec<Vec<u8>>>,
        ranges_at: RangesAt,
        bad: Option<BadCertificate>,
        at: Nanos,
    ) -> Vec<u8> {
        let time = stated_time(at, bad);
        paths.push(vec![b"time".to_vec()]);
        let witness = self.state(at, time).witness(&paths);
        self.authority.certify(witness, time, ranges_at, bad)
    }
}

fn bad_id(text: &str) -> Response {
    Refusal::bad_request(format!("not a principal: {text}")).into()
}

/// The answer under a fault of reply; `normal` makes the answer without one.
fn spoil(reply: Reply, delay: Duration, normal: impl FnOnce() -> Response) -> Response {
    let answer = match reply {
        Reply::Normal | Reply::Bad(_) | Reply::Accepted | Reply::UncertifiedReject => {
            normal().answer
        }
        Reply::Drop => Answer::Dropped,
        Reply::Http(status) => Response::text(status, http_text(status)).answer,
    };
    Response { delay, answer }
}

/// A body as a replica or boundary node sends with this status. The one of 400 is the one that
/// makes agents sign again.
const fn http_text(status: u16) -> &'static str {
    match status {
        400 => "Invalid request expiry: Specified ingress_expiry not within expected range",
        404 => "Not found",
        429 => "Too many requests",
        503 => "Service is temporarily unavailable",
        _ => "The request failed",
    }
}

/// `2023-11-14T22:13:20Z`, to the second.
fn rfc3339(at: Nanos) -> String {
    // Days since 0000-03-01, in eras of 400 years (the proleptic Gregorian calendar).
    let secs = at / 1_000_000_000;
    let days = secs / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (secs / 3_600 % 24, secs / 60 % 60, secs % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_rfc_3339() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_400_000_000_000), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(1_798_761_599_999_999_999), "2026-12-31T23:59:59Z");
        assert_eq!(rfc3339(u64::MAX), "2554-07-21T23:34:33Z");
    }

    #[test]
    fn time_never_goes_back() {
        let mut network = Network::new("t", Topology::Root);
        network.pass_time(10);
        network.pass_time(5);
        assert_eq!(network.now(), 10);
    }

    #[test]
    fn what_is_not_an_endpoint_is_not_found() {
        let mut network = Network::new("t", Topology::Root);
        for (method, path) in [
            ("POST", "/api/v2/status"),
            ("GET", "/"),
            ("POST", "/api/v5/canister/aaaaa-aa/call"),
            ("POST", "/api/v1/canister/aaaaa-aa/query"),
        ] {
            let response = network.handle(method, path, b"", 1);
            assert_eq!(
                response.http().map(|(status, _)| status),
                Some(404),
                "{path}"
            );
        }
        let response = network.handle("POST", "/api/v3/canister/not-an-id/query", b"", 1);
        assert_eq!(response.http().map(|(status, _)| status), Some(400));
    }
}
