//! What keeps the vault open while workers come and go: its key, in two halves.
//!
//! One half is kept in the browser's session memory, which ends with the browser; the other is
//! stored, and erased at lock. Neither says anything without the other, and the phrase is in
//! neither.

use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{
    cipher::{Sealed, joined},
    sealed::{OpenError, OpenVault, SealedVault},
};
use crate::stored;

/// The version of the stored form that is written.
const FORM: u16 = 1;

/// What opening a session uses up: fresh random bytes, each used once.
pub struct SessionEntropy {
    /// Becomes the half in the session memory.
    pub half: [u8; 32],
    /// Nonce of the seal.
    pub nonce: [u8; 24],
}

/// The half for the browser's session memory. Wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct SessionHalf([u8; 32]);

impl SessionHalf {
    /// The bytes to keep.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads what was kept.
    ///
    /// # Errors
    ///
    /// Other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OpenError> {
        bytes.try_into().map(Self).map_err(|_| OpenError::Session)
    }
}

/// The half to store: the vault's key, sealed under the other half.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct SessionSeal {
    v: u16,
    key: Sealed,
}

impl SessionSeal {
    /// The stored form, CBOR.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        stored::write(self)
    }

    /// Reads the stored form.
    ///
    /// # Errors
    ///
    /// Other bytes, or a newer form.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OpenError> {
        let v = stored::version(bytes).map_err(|_| OpenError::Session)?;
        if v > u64::from(FORM) {
            return Err(OpenError::Newer);
        }
        stored::read(bytes).map_err(|_| OpenError::Session)
    }
}

impl OpenVault {
    /// Splits the key of the open vault in two halves. `sealed` is the vault at rest.
    #[must_use]
    pub fn begin_session(
        &self,
        sealed: &SealedVault,
        entropy: SessionEntropy,
    ) -> (SessionHalf, SessionSeal) {
        let half = SessionHalf(entropy.half);
        let seal = SessionSeal {
            v: FORM,
            key: Sealed::seal(
                &Zeroizing::new(half.0),
                entropy.nonce,
                &**self.key(),
                &belongs_to(sealed),
            ),
        };
        (half, seal)
    }
}

impl SealedVault {
    /// Opens the vault with the two halves.
    ///
    /// # Errors
    ///
    /// They do not belong together, or to another vault.
    pub fn resume_session(
        &self,
        half: &SessionHalf,
        seal: &SessionSeal,
    ) -> Result<OpenVault, OpenError> {
        let key = seal
            .key
            .open(&Zeroizing::new(half.0), &belongs_to(self))
            .map_err(|_| OpenError::Session)?;
        let key: [u8; 32] = key.as_slice().try_into().map_err(|_| OpenError::Session)?;
        self.open_with(Zeroizing::new(key))
    }
}

fn belongs_to(vault: &SealedVault) -> Vec<u8> {
    joined(&[
        b"countersign-session-1",
        b"xchacha20poly1305",
        vault.installation().as_bytes(),
        &vault.epoch().to_be_bytes(),
    ])
}
