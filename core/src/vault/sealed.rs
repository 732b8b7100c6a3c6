//! The vault as it rests, and as it is open.
//!
//! The passphrase, stretched by Argon2id, opens the vault's key; the vault's key opens the phrase.
//! Both are sealed with XChaCha20-Poly1305. Algorithms and the least cost are compiled in; the cost
//! in use, the installation and the epoch are associated data, so that none can be changed without
//! the passphrase.

use core::cell::OnceCell;

use argon2::{Algorithm, Argon2, Params, Version};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteArray;
use thiserror::Error;
use zeroize::Zeroizing;

use super::{
    cipher::{Key, Sealed, joined},
    derive::{self, Account, DeriveError},
    passphrase::Passphrase,
    phrase::Phrase,
    signer::{SignError, Signer},
};
use crate::ids::{InstallationId, NetworkId};
use crate::stored;

/// The version of the stored form that is written.
const FORM: u16 = 1;

/// The shortest passphrase that is taken, in code points.
pub const MIN_PASSPHRASE: usize = 8;

/// The cost of stretching a passphrase with Argon2id, version 0x13.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Cost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Cost {
    /// The least cost that is written or read: 64 MiB, three passes, one lane.
    pub const FLOOR: Self = Self {
        memory_kib: 64 * 1024,
        passes: 3,
        lanes: 1,
    };

    /// The highest cost that is read: more would only keep the wallet from opening.
    const CEILING: Self = Self {
        memory_kib: 1024 * 1024,
        passes: 64,
        lanes: 16,
    };

    const fn is_allowed(self) -> bool {
        self.memory_kib >= Self::FLOOR.memory_kib
            && self.memory_kib <= Self::CEILING.memory_kib
            && self.passes >= Self::FLOOR.passes
            && self.passes <= Self::CEILING.passes
            && self.lanes >= Self::FLOOR.lanes
            && self.lanes <= Self::CEILING.lanes
    }

    fn to_bytes(self) -> Vec<u8> {
        [self.memory_kib, self.passes, self.lanes]
            .iter()
            .flat_map(|number| number.to_be_bytes())
            .collect()
    }
}

/// Why a passphrase is not taken.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum PassphraseError {
    /// Fewer than [`MIN_PASSPHRASE`] characters.
    #[error("A passphrase has at least {MIN_PASSPHRASE} characters.")]
    TooShort,
    /// The cost is below the floor or above the ceiling.
    #[error("This cost is not allowed.")]
    Cost,
}

impl PassphraseError {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooShort => "E_PASSPHRASE_SHORT",
            Self::Cost => "E_VAULT_COST",
        }
    }
}

/// Why the vault does not open.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum OpenError {
    /// The stored bytes are no vault.
    #[error("The stored vault cannot be read. Restore it from its second copy.")]
    Unreadable,
    /// Written by a newer version of the wallet.
    #[error("The vault was written by a newer version of Countersign. Update the extension.")]
    Newer,
    /// Its stated cost is outside what is allowed: it was changed.
    #[error("The stored vault was changed. Restore it from its second copy.")]
    Cost,
    /// The passphrase is wrong, or the stored bytes were changed: it cannot be told which.
    #[error("This is not the passphrase.")]
    Passphrase,
    /// The session's two halves do not belong together or not to this vault.
    #[error("The wallet is locked. Unlock it.")]
    Session,
}

impl OpenError {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unreadable => "E_VAULT_UNREADABLE",
            Self::Newer => "E_VAULT_NEWER",
            Self::Cost => "E_VAULT_COST",
            Self::Passphrase => "E_PASSPHRASE",
            Self::Session => "E_LOCKED",
        }
    }
}

/// What sealing uses up: fresh random bytes, each used once.
pub struct SealEntropy {
    /// Salt of the stretching.
    pub salt: [u8; 16],
    /// Nonce under the stretched passphrase.
    pub key_nonce: [u8; 24],
    /// Nonce under the vault's key.
    pub phrase_nonce: [u8; 24],
}

/// The sealed vault. Its bytes are what is stored, here and in the second copy.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct SealedVault {
    v: u16,
    installation: InstallationId,
    epoch: u64,
    cost: Cost,
    salt: ByteArray<16>,
    /// The vault's key, under the stretched passphrase.
    key: Sealed,
    /// The phrase, under the vault's key.
    phrase: Sealed,
}

impl SealedVault {
    /// Makes a new vault, sealed and open.
    ///
    /// `key` is its key: 32 random bytes. `installation` and `epoch` are those of the journal it
    /// belongs to.
    ///
    /// # Errors
    ///
    /// The passphrase is too short, or the cost is not allowed.
    pub fn create(
        phrase: Phrase,
        passphrase: &Passphrase,
        cost: Cost,
        installation: InstallationId,
        epoch: u64,
        key: [u8; 32],
        entropy: &SealEntropy,
    ) -> Result<(Self, OpenVault), PassphraseError> {
        let open = OpenVault {
            key: Zeroizing::new(key),
            phrase,
            seed: OnceCell::new(),
        };
        let sealed = open.seal(passphrase, cost, installation, epoch, entropy)?;
        Ok((sealed, open))
    }

    /// Opens it with its passphrase. Takes as long as its cost says.
    ///
    /// # Errors
    ///
    /// Another passphrase, or changed bytes.
    pub fn open(&self, passphrase: &Passphrase) -> Result<OpenVault, OpenError> {
        let stretched = stretch(passphrase, self.cost, &self.salt).map_err(|_| OpenError::Cost)?;
        let key = self
            .key
            .open(&stretched, &self.key_belongs_to())
            .map_err(|_| OpenError::Passphrase)?;
        let key: [u8; 32] = key
            .as_slice()
            .try_into()
            .map_err(|_| OpenError::Unreadable)?;
        self.open_with(Zeroizing::new(key))
            .map_err(|_| OpenError::Unreadable)
    }

    /// Opens it with its key.
    pub(super) fn open_with(&self, key: Key) -> Result<OpenVault, OpenError> {
        let entropy = self
            .phrase
            .open(&key, &self.phrase_belongs_to())
            .map_err(|_| OpenError::Session)?;
        Ok(OpenVault {
            key,
            phrase: Phrase::from_entropy(&entropy).map_err(|_| OpenError::Unreadable)?,
            seed: OnceCell::new(),
        })
    }

    /// The installation whose journal it belongs to.
    #[must_use]
    pub const fn installation(&self) -> InstallationId {
        self.installation
    }

    /// The epoch of that journal.
    #[must_use]
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The cost it is sealed with. Below the cost in use it is to be sealed anew when it opens.
    #[must_use]
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// The stored form, CBOR.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        stored::write(self)
    }

    /// Reads the stored form.
    ///
    /// # Errors
    ///
    /// Other bytes, a newer form, or a cost that is not allowed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OpenError> {
        let v = stored::version(bytes).map_err(|_| OpenError::Unreadable)?;
        if v > u64::from(FORM) {
            return Err(OpenError::Newer);
        }
        let sealed: Self = stored::read(bytes).map_err(|_| OpenError::Unreadable)?;
        if sealed.cost.is_allowed() {
            Ok(sealed)
        } else {
            Err(OpenError::Cost)
        }
    }

    fn key_belongs_to(&self) -> Vec<u8> {
        key_belongs_to(self.installation, self.epoch, self.cost, &self.salt)
    }

    fn phrase_belongs_to(&self) -> Vec<u8> {
        phrase_belongs_to(self.installation, self.epoch)
    }
}

fn key_belongs_to(
    installation: InstallationId,
    epoch: u64,
    cost: Cost,
    salt: &[u8; 16],
) -> Vec<u8> {
    joined(&[
        b"countersign-vault-key-1",
        b"argon2id-19",
        &cost.to_bytes(),
        salt,
        b"xchacha20poly1305",
        installation.as_bytes(),
        &epoch.to_be_bytes(),
    ])
}

fn phrase_belongs_to(installation: InstallationId, epoch: u64) -> Vec<u8> {
    joined(&[
        b"countersign-vault-phrase-1",
        b"bip39-english",
        b"xchacha20poly1305",
        installation.as_bytes(),
        &epoch.to_be_bytes(),
    ])
}

/// The open vault. Wiped when dropped.
pub struct OpenVault {
    key: Key,
    phrase: Phrase,
    /// The phrase's seed, once a key was needed.
    seed: OnceCell<Zeroizing<[u8; 64]>>,
}

impl OpenVault {
    /// Seals it, for a new passphrase, a higher cost or another journal. The vault's key stays.
    ///
    /// # Errors
    ///
    /// The passphrase is too short, or the cost is not allowed.
    pub fn seal(
        &self,
        passphrase: &Passphrase,
        cost: Cost,
        installation: InstallationId,
        epoch: u64,
        entropy: &SealEntropy,
    ) -> Result<SealedVault, PassphraseError> {
        if passphrase.typed() < MIN_PASSPHRASE {
            return Err(PassphraseError::TooShort);
        }
        let stretched = stretch(passphrase, cost, &entropy.salt)?;
        Ok(SealedVault {
            v: FORM,
            installation,
            epoch,
            cost,
            salt: ByteArray::new(entropy.salt),
            key: Sealed::seal(
                &stretched,
                entropy.key_nonce,
                &*self.key,
                &key_belongs_to(installation, epoch, cost, &entropy.salt),
            ),
            phrase: Sealed::seal(
                &self.key,
                entropy.phrase_nonce,
                self.phrase.entropy(),
                &phrase_belongs_to(installation, epoch),
            ),
        })
    }

    pub(super) const fn key(&self) -> &Key {
        &self.key
    }

    fn seed(&self) -> &[u8; 64] {
        self.seed.get_or_init(|| self.phrase.seed())
    }

    /// The account with this number on a network.
    ///
    /// # Errors
    ///
    /// There is none with this number.
    pub fn account(&self, network: NetworkId, index: u32) -> Result<Account, DeriveError> {
        let key = derive::key(self.seed(), network, index)?;
        Ok(Account {
            network,
            index,
            principal: key.principal(),
        })
    }

    /// Gives the key of an account, to sign on `network`.
    ///
    /// # Errors
    ///
    /// The account belongs to another network, or is not one of this vault's.
    pub fn signer(&self, account: Account, network: NetworkId) -> Result<Signer, SignError> {
        if account.network != network {
            return Err(SignError::OtherNetwork);
        }
        #[cfg(feature = "testing")]
        let key = derive::remembered(&self.phrase, network, account.index, || self.seed());
        #[cfg(not(feature = "testing"))]
        let key = derive::key(self.seed(), network, account.index);
        let key = key.map_err(|_| SignError::OtherVault)?;
        if key.principal() == account.principal {
            Ok(Signer::new(account, key))
        } else {
            Err(SignError::OtherVault)
        }
    }
}

/// Argon2id over the passphrase.
fn stretch(passphrase: &Passphrase, cost: Cost, salt: &[u8; 16]) -> Result<Key, PassphraseError> {
    if !cost.is_allowed() {
        return Err(PassphraseError::Cost);
    }
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32))
        .map_err(|_| PassphraseError::Cost)?;
    let mut key = Zeroizing::new([0; 32]);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.as_bytes(), salt, &mut *key)
        .map_err(|_| PassphraseError::Cost)?;
    Ok(key)
}

#[cfg(test)]
mod tests;
