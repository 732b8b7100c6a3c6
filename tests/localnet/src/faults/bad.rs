//! Certificates and signed answers that nobody must believe.

use super::Kind;
use serde::{Deserialize, Serialize};

/// A certificate, or a signed answer, that nobody must believe. One named list, so that every
/// reader of certificates is judged on the same cases.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BadCertificate {
    /// A value of the tree was changed after it was signed.
    TamperedTree,
    /// The signature is the right key's, of another state.
    TamperedSignature,
    /// Signed by a key that is no root key and has no delegation.
    WrongRootKey,
    /// Signed by a subnet whose delegation does not cover the canister.
    WrongDelegationRange,
    /// Signed rightly, ten minutes ago.
    Stale,
    /// Signed rightly, ten minutes from now.
    Future,
    /// A query's answer whose node signature has one bit changed.
    TamperedQuerySignature,
}

impl BadCertificate {
    /// Every case.
    pub const ALL: [Self; 7] = [
        Self::TamperedTree,
        Self::TamperedSignature,
        Self::WrongRootKey,
        Self::WrongDelegationRange,
        Self::Stale,
        Self::Future,
        Self::TamperedQuerySignature,
    ];

    /// The name that a control request orders it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TamperedTree => "tampered_tree",
            Self::TamperedSignature => "tampered_signature",
            Self::WrongRootKey => "wrong_root_key",
            Self::WrongDelegationRange => "wrong_delegation_range",
            Self::Stale => "stale",
            Self::Future => "future",
            Self::TamperedQuerySignature => "tampered_query_signature",
        }
    }

    /// Which kind of message shows it.
    #[must_use]
    pub const fn shown_by(self) -> Kind {
        match self {
            Self::TamperedTree
            | Self::TamperedSignature
            | Self::WrongRootKey
            | Self::WrongDelegationRange
            | Self::Stale
            | Self::Future => Kind::Call,
            Self::TamperedQuerySignature => Kind::Query,
        }
    }
}
