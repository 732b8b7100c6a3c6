//! What a certificate says about a call.

use thiserror::Error;

use super::{
    answer::{Reject, RejectCode},
    certificate::{Certified, Lookup, leb128},
    reads::Path,
};
use crate::ids::RequestId;
use crate::text::Untrusted;

/// The certified status of a call.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RequestStatus {
    /// Certified: the network has no entry for this call, at the certificate's time. That it
    /// never will have proves only a time between the envelope's expiry and the five minutes after
    /// its reading of time; later the network forgets.
    Absent,
    /// The certificate was cut so that it does not say: nothing is known.
    Unknown,
    /// It is in the network's state and will be processed or rejected.
    Received,
    /// It runs.
    Processing,
    /// It ran, and this is the canister's reply.
    Replied(Vec<u8>),
    /// It was rejected. Which codes prove that nothing ran is for the intent to judge.
    Rejected(Reject),
    /// It ended, and the network has forgotten how.
    Done,
}

/// Why a status cannot be read: it is there, but not in the shape that the specification gives it.
/// Nothing is known then.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("The network's answer about the call cannot be read: {0}. Ask again.")]
pub struct StatusError(&'static str);

impl StatusError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "E_STATUS_UNREADABLE"
    }
}

impl Certified {
    /// The status of the call with this request id.
    ///
    /// # Errors
    ///
    /// A status that is no word of the specification, or an end whose reply or reject is missing.
    pub fn request_status(&self, id: &RequestId) -> Result<RequestStatus, StatusError> {
        let path = Path::request_status(id);
        let status = match self.lookup(&path.then(b"status")) {
            Lookup::Found(status) => status,
            Lookup::Absent => return self.absent(&path),
            Lookup::Unknown => return Ok(RequestStatus::Unknown),
            Lookup::NotAValue => return Err(StatusError("its status is no value")),
        };
        match status {
            b"received" => Ok(RequestStatus::Received),
            b"processing" => Ok(RequestStatus::Processing),
            b"done" => Ok(RequestStatus::Done),
            b"replied" => match self.lookup(&path.then(b"reply")) {
                Lookup::Found(reply) => Ok(RequestStatus::Replied(reply.to_vec())),
                Lookup::Absent | Lookup::Unknown | Lookup::NotAValue => {
                    Err(StatusError("its reply is missing"))
                }
            },
            b"rejected" => self.reject(&path).map(RequestStatus::Rejected),
            _ => Err(StatusError("its status is an unknown word")),
        }
    }

    /// The status is absent: so must be every other part of the entry.
    fn absent(&self, path: &Path) -> Result<RequestStatus, StatusError> {
        for part in [b"reply".as_slice(), b"reject_code", b"reject_message"] {
            match self.lookup(&path.then(part)) {
                Lookup::Absent => {}
                Lookup::Found(_) | Lookup::Unknown | Lookup::NotAValue => {
                    return Err(StatusError("its status is missing"));
                }
            }
        }
        Ok(RequestStatus::Absent)
    }

    fn reject(&self, path: &Path) -> Result<Reject, StatusError> {
        let Lookup::Found(code) = self.lookup(&path.then(b"reject_code")) else {
            return Err(StatusError("its reject code is missing"));
        };
        let code = leb128(code).ok_or(StatusError("its reject code is no number"))?;
        let Lookup::Found(message) = self.lookup(&path.then(b"reject_message")) else {
            return Err(StatusError("its reject message is missing"));
        };
        let error_code = match self.lookup(&path.then(b"error_code")) {
            Lookup::Found(code) => Some(Untrusted::new(&String::from_utf8_lossy(code))),
            Lookup::Absent | Lookup::Unknown => None,
            Lookup::NotAValue => return Err(StatusError("its error code is no value")),
        };
        Ok(Reject {
            code: RejectCode::from_number(code),
            message: Untrusted::new(&String::from_utf8_lossy(message)),
            error_code,
        })
    }
}

#[cfg(test)]
mod tests;
