//! Certificates: from bytes to a tree that a network's root key vouches for, or a refusal.
//!
//! Checked are the signature, the delegation and the range of canisters, in that order. The time is
//! judged by [`super::clocks`]; [`super::trust`] does both.

use ic_certification::{Certificate, Delegation, HashTree, LookupResult};
use thiserror::Error;

use super::{
    cbor::CborError,
    clocks::TimeError,
    ranges::{CanisterRanges, Shown},
    reads::Path,
    root_key::RootKey,
    wire,
};
use crate::ids::Principal;
use crate::time::{Span, Timestamp};

/// What goes before the tree's digest to be signed (IC interface specification, "Certification").
const DOMAIN: &[u8; 14] = b"\x0Dic-state-root";

/// How much older than the certificate its proof of range may be. Subnets renew their delegation
/// many times an hour.
pub const MAX_DELEGATION_AGE: Span = Span::from_hours(30 * 24);

/// Why a certificate proves nothing. Whatever the reason, nothing is known and reading again is
/// safe.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum CertificateError {
    /// Not a certificate's bytes.
    #[error("The answer is no certificate: {0}. Try again, or check the network's address.")]
    Unreadable(CborError),
    /// The signature is not the network's over this tree.
    #[error("The answer is not signed by this network. Check the network's address.")]
    Signature,
    /// There is no readable time in it.
    #[error("The answer does not say when it was made. Try again.")]
    NoTime,
    /// Its time is out of bounds.
    #[error("The answer's time is wrong: {0}. Try again.")]
    Time(#[from] TimeError),
    /// The subnet's delegation is not a certificate's bytes.
    #[error("The subnet's delegation is no certificate: {0}. Try again.")]
    DelegationUnreadable(CborError),
    /// The subnet's delegation has a delegation itself.
    #[error("The subnet's delegation rests on another one. Check the network's address.")]
    DelegationNested,
    /// The delegation is not signed by the root key.
    #[error("The subnet's delegation is not signed by this network. Check the network's address.")]
    DelegationSignature,
    /// The delegation states no subnet, no key or no time.
    #[error("The subnet's delegation does not name the subnet, its key and its time. Try again.")]
    DelegationIncomplete,
    /// The delegation is much older than the certificate.
    #[error("The subnet's delegation is more than 30 days older than the answer. Try again.")]
    DelegationTooOld,
    /// The delegation states no readable ranges.
    #[error("The subnet's delegation does not say which canisters it covers. Try again.")]
    RangesUnreadable,
    /// Another subnet's answer.
    #[error("The answer is of a subnet that does not run canister {0}. Check the address.")]
    OutOfRange(Principal),
    /// Signed by the root key itself, whose ranges are not known yet: read
    /// [`Path::subnet_and_ranges`] first.
    #[error("It is not known yet which canisters the answer's subnet runs. Read that first.")]
    RangesUnknown,
}

impl CertificateError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "E_CERTIFICATE_UNREADABLE",
            Self::Signature => "E_CERTIFICATE_SIGNATURE",
            Self::NoTime => "E_CERTIFICATE_NO_TIME",
            Self::Time(TimeError::Stale { .. }) => "E_CERTIFICATE_STALE",
            Self::Time(TimeError::Future { .. }) => "E_CERTIFICATE_FUTURE",
            Self::DelegationUnreadable(_) => "E_DELEGATION_UNREADABLE",
            Self::DelegationNested => "E_DELEGATION_NESTED",
            Self::DelegationSignature => "E_DELEGATION_SIGNATURE",
            Self::DelegationIncomplete => "E_DELEGATION_INCOMPLETE",
            Self::DelegationTooOld => "E_DELEGATION_TOO_OLD",
            Self::RangesUnreadable => "E_RANGES_UNREADABLE",
            Self::OutOfRange(_) => "E_CERTIFICATE_OUT_OF_RANGE",
            Self::RangesUnknown => "E_RANGES_UNKNOWN",
        }
    }
}

/// What a certified tree says about a path.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Lookup<'tree> {
    /// This is there.
    Found(&'tree [u8]),
    /// Nothing is there, and that is certified.
    Absent,
    /// The tree was cut so that it does not say.
    Unknown,
    /// There is something, but no value.
    NotAValue,
}

/// Part of the state tree of one subnet, certified: proof that the signature, the delegation, the
/// range and the time were checked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Certified {
    tree: HashTree,
    time: Timestamp,
    subnet: Principal,
    effective_canister: Principal,
}

impl Certified {
    /// The subnet's time when it certified this.
    #[must_use]
    pub const fn time(&self) -> Timestamp {
        self.time
    }

    /// The subnet that certified this.
    #[must_use]
    pub const fn subnet(&self) -> Principal {
        self.subnet
    }

    /// The canister whose subnet this is proved to be.
    #[must_use]
    pub const fn effective_canister(&self) -> Principal {
        self.effective_canister
    }

    /// What is at the path.
    #[must_use]
    pub fn lookup(&self, path: &Path) -> Lookup<'_> {
        match self.tree.lookup_path(path.segments()) {
            LookupResult::Found(value) => Lookup::Found(value),
            LookupResult::Absent => Lookup::Absent,
            LookupResult::Unknown => Lookup::Unknown,
            LookupResult::Error => Lookup::NotAValue,
        }
    }

    pub(super) const fn tree(&self) -> &HashTree {
        &self.tree
    }
}

/// Ranges of the root subnet that were certified at a time.
pub(super) type KnownRanges = (CanisterRanges, Timestamp);

/// A certificate whose signature and range were checked, and whose time was not yet judged.
pub(super) struct Untimed {
    certified: Certified,
    /// The root subnet's ranges, where this certificate states them itself.
    pub(super) root_ranges: Option<KnownRanges>,
}

impl Untimed {
    pub(super) const fn time(&self) -> Timestamp {
        self.certified.time
    }

    pub(super) const fn subnet(&self) -> Principal {
        self.certified.subnet
    }

    /// The caller has judged the time.
    pub(super) fn timed(self) -> Certified {
        self.certified
    }
}

/// Checks all of a certificate but its time.
pub(super) fn check(
    bytes: &[u8],
    root: &RootKey,
    known: Option<&KnownRanges>,
    effective_canister: Principal,
) -> Result<Untimed, CertificateError> {
    let certificate = wire::certificate(bytes).map_err(CertificateError::Unreadable)?;
    let delegated = match &certificate.delegation {
        Some(delegation) => Some(Delegated::check(delegation, root)?),
        None => None,
    };
    let key = delegated.as_ref().map_or(root, |delegated| &delegated.key);
    if !is_signed(&certificate, key) {
        return Err(CertificateError::Signature);
    }
    let time = time_in(&certificate.tree).ok_or(CertificateError::NoTime)?;

    let (subnet, root_ranges, covering) = match delegated {
        Some(delegated) => (
            delegated.subnet,
            None,
            Some((delegated.ranges, delegated.time)),
        ),
        None => {
            let subnet = root.subnet();
            let stated = match CanisterRanges::of_subnet(&certificate.tree, subnet) {
                Shown::Ranges(ranges) => Some((ranges, time)),
                Shown::Nothing => None,
                Shown::Unreadable => return Err(CertificateError::RangesUnreadable),
            };
            // Ranges that are too old are as good as unknown: they can be read anew.
            let known = known.filter(|known| time.since(known.1) <= MAX_DELEGATION_AGE);
            let covering = stated.clone().or_else(|| known.cloned());
            (subnet, stated, covering)
        }
    };
    let (ranges, ranges_time) = covering.ok_or(CertificateError::RangesUnknown)?;
    if time.since(ranges_time) > MAX_DELEGATION_AGE {
        return Err(CertificateError::DelegationTooOld);
    }
    if !ranges.contains(effective_canister) {
        return Err(CertificateError::OutOfRange(effective_canister));
    }
    Ok(Untimed {
        certified: Certified {
            tree: certificate.tree,
            time,
            subnet,
            effective_canister,
        },
        root_ranges,
    })
}

/// What a checked delegation says.
struct Delegated {
    subnet: Principal,
    key: RootKey,
    ranges: CanisterRanges,
    time: Timestamp,
}

impl Delegated {
    fn check(delegation: &Delegation, root: &RootKey) -> Result<Self, CertificateError> {
        let certificate = wire::certificate(&delegation.certificate)
            .map_err(CertificateError::DelegationUnreadable)?;
        if certificate.delegation.is_some() {
            return Err(CertificateError::DelegationNested);
        }
        if !is_signed(&certificate, root) {
            return Err(CertificateError::DelegationSignature);
        }
        let subnet = Principal::try_from_slice(&delegation.subnet_id)
            .map_err(|_| CertificateError::DelegationIncomplete)?;
        let tree = &certificate.tree;
        let LookupResult::Found(der) =
            tree.lookup_path([b"subnet".as_slice(), subnet.as_slice(), b"public_key"])
        else {
            return Err(CertificateError::DelegationIncomplete);
        };
        Ok(Self {
            subnet,
            key: RootKey::from_der(der).map_err(|_| CertificateError::DelegationIncomplete)?,
            ranges: match CanisterRanges::of_subnet(tree, subnet) {
                Shown::Ranges(ranges) => ranges,
                Shown::Nothing | Shown::Unreadable => {
                    return Err(CertificateError::RangesUnreadable);
                }
            },
            time: time_in(tree).ok_or(CertificateError::DelegationIncomplete)?,
        })
    }
}

fn is_signed(certificate: &Certificate, key: &RootKey) -> bool {
    let mut message = DOMAIN.to_vec();
    message.extend_from_slice(&certificate.tree.digest());
    key.signed(&message, &certificate.signature)
}

fn time_in(tree: &HashTree) -> Option<Timestamp> {
    match tree.lookup_path([b"time"]) {
        LookupResult::Found(leaf) => leb128(leaf).map(Timestamp::from_nanos),
        LookupResult::Absent | LookupResult::Unknown | LookupResult::Error => None,
    }
}

/// Reads an unsigned LEB128 number that fills the bytes and 64 bits at most.
pub(super) fn leb128(bytes: &[u8]) -> Option<u64> {
    let (&last, rest) = bytes.split_last()?;
    if last & 0x80 != 0 || rest.iter().any(|byte| byte & 0x80 == 0) {
        return None;
    }
    let mut value: u64 = 0;
    for &byte in bytes.iter().rev() {
        if value.leading_zeros() < 7 {
            return None;
        }
        value = value << 7 | u64::from(byte & 0x7f);
    }
    Some(value)
}

#[cfg(test)]
mod tests;
