//! What goes to the Internet Computer and what comes back, as bytes: requests and their ids,
//! signed envelopes, certificates, query signatures, HTTP bodies and addresses.
//!
//! Nothing here sends, waits or reads a clock. Bytes come in, facts and proofs go out:
//!
//! - [`request`] and [`envelope`] say what is asked, give its request id and seal it;
//! - [`endpoint`] gives the addresses, [`answer`] reads HTTP answers into facts, of which only a
//!   certificate proves anything about a call;
//! - [`trust`] holds what one network is known by, and turns certificate bytes into a
//!   [`Certified`] tree or a typed refusal ([`certificate`], [`ranges`], [`clocks`]);
//! - [`status`], [`reads`], [`tip`] and [`query`] read certified trees and node-signed replies.
//!
//! The rule of the room: unclear means unknown. An answer that cannot be read, is not signed, or
//! speaks of another canister says nothing at all about what happened to a call.
//!
//! Never in here: a root key learned from whoever answers a call, a host clock, a retry.
//!
//! Source of the formats: IC interface specification, "HTTPS interface" and "Certification".

pub mod answer;
mod cbor;
pub mod certificate;
pub mod clocks;
pub mod endpoint;
pub mod envelope;
pub mod query;
pub mod ranges;
pub mod reads;
pub mod request;
pub mod root_key;
pub mod status;
pub mod tip;
pub mod trust;
mod wire;

#[cfg(test)]
mod testnet;

pub use answer::{CallAnswer, QueryAnswer, ReadAnswer, Reject, RejectCode};
pub use certificate::{CertificateError, Certified};
pub use clocks::{Clocks, TimeError};
pub use endpoint::Endpoint;
pub use envelope::{Envelope, SignedCall};
pub use query::{QueryError, QueryReply};
pub use reads::{Path, Subnet};
pub use request::{CallRequest, Nonce, QueryRequest, ReadStateRequest, Request};
pub use root_key::RootKey;
pub use status::{RequestStatus, StatusError};
pub use tip::{Tip, TipError};
pub use trust::Trust;
