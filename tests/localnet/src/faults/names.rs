//! The faults that have a name.

use super::{BadCertificate, Execution, Fault, Forget, Kind, Reply, Shown};
use thiserror::Error;

/// No fault has this name.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("no fault is named {0:?}")]
pub struct UnknownFaultError(pub String);

impl Fault {
    /// The faults that have a name, besides those of [`BadCertificate`].
    pub const NAMES: [&'static str; 18] = [
        "drop_before",
        "drop_after",
        "drop_reads",
        "delay",
        "http_503_after",
        "http_404_after",
        "http_400_after",
        "reject_after_write",
        "reject_uncertified",
        "prune_status",
        "wrong_signature",
        "change_fee",
        "accept_only",
        "archive_missing",
        "archive_altered",
        "archive_resent",
        "old_node",
        "tip_stale",
    ];

    /// The fault with this name.
    ///
    /// # Errors
    ///
    /// A name that is neither in [`Self::NAMES`] nor one of [`BadCertificate`].
    pub fn named(name: &str) -> Result<Self, UnknownFaultError> {
        let call = Self::on(Kind::Call);
        let after = |reply| Self {
            reply,
            ..Self::on(Kind::Call)
        };
        let query = Self::on(Kind::Query);
        let archives = Self {
            archive: true,
            times: None,
            ..Self::on(Kind::Query)
        };
        Ok(match name {
            "drop_before" => Self {
                execute: Execution::No,
                reply: Reply::Drop,
                ..call
            },
            "drop_after" => after(Reply::Drop),
            "drop_reads" => Self {
                times: None,
                reply: Reply::Drop,
                ..Self::on(Kind::ReadState)
            },
            "delay" => Self {
                delay_ms: 2_000,
                ..call
            },
            "http_503_after" => after(Reply::Http(503)),
            "http_404_after" => after(Reply::Http(404)),
            "http_400_after" => after(Reply::Http(400)),
            "reject_after_write" => Self {
                execute: Execution::RejectAfter,
                ..call
            },
            "reject_uncertified" => after(Reply::UncertifiedReject),
            "prune_status" => Self {
                forget: Some(Forget::Status),
                reply: Reply::Drop,
                ..call
            },
            "wrong_signature" => after(Reply::Bad(BadCertificate::TamperedSignature)),
            "change_fee" => Self {
                fee: Some(20_000),
                ..call
            },
            "accept_only" => after(Reply::Accepted),
            "archive_missing" => Self {
                reply: Reply::Drop,
                ..archives
            },
            "archive_altered" => Self {
                shown: Shown::Altered(1),
                ..archives
            },
            "archive_resent" => Self {
                shown: Shown::Resent(1),
                ..archives
            },
            "old_node" => Self {
                shown: Shown::Behind(1),
                times: None,
                ..query
            },
            "tip_stale" => Self {
                certificate: Some(BadCertificate::Stale),
                times: None,
                ..query
            },
            other => BadCertificate::ALL
                .into_iter()
                .find(|case| case.name() == other)
                .map(Self::bad)
                .ok_or_else(|| UnknownFaultError(other.into()))?,
        })
    }
}
