//! What one network is known by, and what that makes of a certificate.

use serde::{Deserialize, Serialize};

use super::{
    certificate::{self, CertificateError, Certified, KnownRanges},
    clocks::Clocks,
    root_key::RootKey,
};
use crate::ids::{NetworkId, Principal};
use crate::time::{Span, Timestamp};

/// One network: its root key, stored once and never read again, and what its certificates have
/// told. Stored with the network's settings after it changed; a lost copy only makes the next reads
/// ask again.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Trust {
    root_key: RootKey,
    /// Which canisters the root key's own subnet runs.
    root_ranges: Option<KnownRanges>,
    clocks: Clocks,
}

impl Trust {
    /// A network of which nothing but its root key is known.
    #[must_use]
    pub fn new(root_key: RootKey) -> Self {
        Self {
            root_key,
            root_ranges: None,
            clocks: Clocks::default(),
        }
    }

    /// The root key.
    #[must_use]
    pub const fn root_key(&self) -> &RootKey {
        &self.root_key
    }

    /// The network's id.
    #[must_use]
    pub fn network(&self) -> NetworkId {
        self.root_key.network()
    }

    /// The certified time of a subnet, carried for at most a minute of this worker's life.
    #[must_use]
    pub fn now(&self, subnet: Principal, uptime: Span) -> Option<Timestamp> {
        self.clocks.now(subnet, uptime)
    }

    /// The highest time that a subnet has certified.
    #[must_use]
    pub fn highest_time(&self, subnet: Principal) -> Option<Timestamp> {
        self.clocks.highest(subnet)
    }

    /// Whether this knows enough more than what was stored to be stored again.
    #[must_use]
    pub fn is_news_to(&self, stored: &Self) -> bool {
        self.root_ranges != stored.root_ranges || self.clocks.run_ahead_of(&stored.clocks)
    }

    /// Takes what another copy of the same network knows besides: its ranges, where they are
    /// newer, and its highest times, where they are later.
    pub fn take_up(&mut self, other: &Self) {
        self.clocks.raise_to(&other.clocks);
        if let Some(theirs) = &other.root_ranges {
            self.learn_ranges(theirs);
        }
    }

    fn learn_ranges(&mut self, stated: &KnownRanges) {
        let newer = |known: &KnownRanges| known.1 <= stated.1;
        if self.root_ranges.as_ref().is_none_or(newer) {
            self.root_ranges = Some(stated.clone());
        }
    }

    /// Checks a certificate that answers for `effective_canister`, and takes note of its time and
    /// of the root subnet's ranges where it states them.
    ///
    /// `uptime` is the time since this worker started, by a clock that never goes back.
    ///
    /// The range is checked for certificates without a delegation too. Otherwise any endpoint
    /// could answer with the root subnet's true certificate, in which a call to a canister of
    /// another subnet is absent, or certified as rejected, while it runs.
    ///
    /// # Errors
    ///
    /// Every way in which it proves nothing. Nothing is noted then. After
    /// [`CertificateError::RangesUnknown`], [`super::Path::subnet_and_ranges`] is to be read from
    /// the same canister's address, after which this certificate can be judged.
    pub fn admit(
        &mut self,
        bytes: &[u8],
        effective_canister: Principal,
        uptime: Span,
    ) -> Result<Certified, CertificateError> {
        let untimed = certificate::check(
            bytes,
            &self.root_key,
            self.root_ranges.as_ref(),
            effective_canister,
        )?;
        let (subnet, time) = (untimed.subnet(), untimed.time());
        self.clocks.judge(subnet, time, uptime)?;
        self.clocks.learn(subnet, time, uptime);
        if let Some(stated) = &untimed.root_ranges {
            self.learn_ranges(stated);
        }
        Ok(untimed.timed())
    }
}
