//! Root keys: what a network is known by.

use core::fmt;
use std::sync::OnceLock;

use ic_verify_bls_signature::{PublicKey, Signature};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::ids::{NetworkId, Principal, from_hex, to_hex};

/// What stands before the 96 key bytes: the algorithm's object identifiers in DER (IC interface
/// specification, "Certification").
const DER_PREFIX: [u8; 37] = [
    0x30, 0x81, 0x82, 0x30, 0x1d, 0x06, 0x0d, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0xdc, 0x7c, 0x05,
    0x03, 0x01, 0x02, 0x01, 0x06, 0x0c, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0xdc, 0x7c, 0x05, 0x03,
    0x02, 0x01, 0x03, 0x61, 0x00,
];

const MAINNET: [u8; PublicKey::BYTES] = [
    0x81, 0x4c, 0x0e, 0x6e, 0xc7, 0x1f, 0xab, 0x58, 0x3b, 0x08, 0xbd, 0x81, 0x37, 0x3c, 0x25, 0x5c,
    0x3c, 0x37, 0x1b, 0x2e, 0x84, 0x86, 0x3c, 0x98, 0xa4, 0xf1, 0xe0, 0x8b, 0x74, 0x23, 0x5d, 0x14,
    0xfb, 0x5d, 0x9c, 0x0c, 0xd5, 0x46, 0xd9, 0x68, 0x5f, 0x91, 0x3a, 0x0c, 0x0b, 0x2c, 0xc5, 0x34,
    0x15, 0x83, 0xbf, 0x4b, 0x43, 0x92, 0xe4, 0x67, 0xdb, 0x96, 0xd6, 0x5b, 0x9b, 0xb4, 0xcb, 0x71,
    0x71, 0x12, 0xf8, 0x47, 0x2e, 0x0d, 0x5a, 0x4d, 0x14, 0x50, 0x5f, 0xfd, 0x74, 0x84, 0xb0, 0x12,
    0x91, 0x09, 0x1c, 0x5f, 0x87, 0xb9, 0x88, 0x83, 0x46, 0x3f, 0x98, 0x09, 0x1a, 0x0b, 0xaa, 0xae,
];

/// Why bytes are not a root key.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum RootKeyError {
    /// Not 133 bytes of DER with the algorithm of the Internet Computer's keys.
    #[error("a root key is 133 bytes of DER; this is something else")]
    NotDer,
    /// The key bytes are no point of the curve.
    #[error("the root key's bytes are no key of its algorithm")]
    NotAKey,
}

/// A network's root key, or a subnet's key: a BLS12-381 public key, checked to be one.
///
/// One that is read back from the journal was checked when it came there. That its bytes are a
/// point of the curve is checked again where a signature is, and not with every look at a network:
/// it takes about as long as the rest of a call.
#[derive(Clone)]
pub struct RootKey {
    key: OnceLock<PublicKey>,
    der: [u8; DER_LENGTH],
}

impl PartialEq for RootKey {
    fn eq(&self, other: &Self) -> bool {
        self.der == other.der
    }
}

impl Eq for RootKey {}

/// The length of a root key in DER.
const DER_LENGTH: usize = DER_PREFIX.len() + PublicKey::BYTES;

impl RootKey {
    /// The root key of the Internet Computer's main network, compiled in.
    #[must_use]
    pub fn mainnet() -> Self {
        Self::from_der(&mainnet_der()).expect("the compiled-in key is a key")
    }

    /// The id of the main network, without the cost of checking its key.
    #[must_use]
    pub fn mainnet_network() -> NetworkId {
        NetworkId::of_root_key(&mainnet_der())
    }

    /// Reads the DER form, 133 bytes.
    ///
    /// # Errors
    ///
    /// Another length, another algorithm, or bytes that are no point of the curve.
    pub fn from_der(der: &[u8]) -> Result<Self, RootKeyError> {
        let key = Self::kept(der)?;
        key.point().ok_or(RootKeyError::NotAKey)?;
        Ok(key)
    }

    /// One that was checked before, and was kept since.
    fn kept(der: &[u8]) -> Result<Self, RootKeyError> {
        let der: [u8; DER_LENGTH] = der.try_into().map_err(|_| RootKeyError::NotDer)?;
        if !der.starts_with(&DER_PREFIX) {
            return Err(RootKeyError::NotDer);
        }
        let key = OnceLock::new();
        Ok(Self { key, der })
    }

    /// The point of the curve.
    fn point(&self) -> Option<&PublicKey> {
        if self.key.get().is_none() {
            let key = PublicKey::deserialize(self.der.strip_prefix(&DER_PREFIX)?).ok()?;
            return Some(self.key.get_or_init(|| key));
        }
        self.key.get()
    }

    /// The DER form, 133 bytes.
    #[must_use]
    pub const fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// The id of the network this is the root key of.
    #[must_use]
    pub fn network(&self) -> NetworkId {
        NetworkId::of_root_key(&self.der)
    }

    /// The id of the subnet that signs with this key itself.
    #[must_use]
    pub fn subnet(&self) -> Principal {
        Principal::self_authenticating(self.der)
    }

    /// Whether `signature` (48 bytes, a compressed point) is this key's over `message`.
    pub(super) fn signed(&self, message: &[u8], signature: &[u8]) -> bool {
        #[cfg(feature = "testing")]
        if crate::testing::is_simulated(&self.der, message, signature) {
            return true;
        }
        let (Ok(signature), Some(key)) = (Signature::deserialize(signature), self.point()) else {
            return false;
        };
        key.verify(message, &signature).is_ok()
    }
}

fn mainnet_der() -> [u8; DER_LENGTH] {
    let mut der = [0; DER_LENGTH];
    let (prefix, key) = der.split_at_mut(DER_PREFIX.len());
    prefix.copy_from_slice(&DER_PREFIX);
    key.copy_from_slice(&MAINNET);
    der
}

impl fmt::Debug for RootKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RootKey({})", to_hex(&self.der))
    }
}

/// As text: the DER form in hexadecimal digits.
impl Serialize for RootKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_hex(&self.der))
    }
}

impl<'de> Deserialize<'de> for RootKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let der = from_hex(&text).ok_or_else(|| de::Error::custom(RootKeyError::NotDer))?;
        Self::kept(&der).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_networks_key_is_compiled_in() {
        let key = RootKey::mainnet();
        assert_eq!(key.as_der().len(), 133);
        // The root subnet's id, as the network's registry shows it.
        assert_eq!(
            key.subnet().to_text(),
            "tdb26-jop6k-aogll-7ltgs-eruif-6kk7m-qpktf-gdiqx-mxtrf-vb5e6-eqe"
        );
        assert_eq!(key.network(), RootKey::mainnet_network());
        assert_eq!(RootKey::from_der(key.as_der()), Ok(key));
    }

    #[test]
    fn a_root_key_reads_back_from_its_text() {
        let key = RootKey::mainnet();
        let text = serde_json::to_string(&key).unwrap();
        assert_eq!(serde_json::from_str::<RootKey>(&text).unwrap(), key);
    }

    #[test]
    fn what_is_no_root_key_is_refused() {
        let der = RootKey::mainnet().as_der().to_vec();
        assert_eq!(RootKey::from_der(&der[1..]), Err(RootKeyError::NotDer));
        assert_eq!(RootKey::from_der(&der[..132]), Err(RootKeyError::NotDer));
        let mut longer = der.clone();
        longer.push(0);
        assert_eq!(RootKey::from_der(&longer), Err(RootKeyError::NotDer));
        let mut other_algorithm = der.clone();
        other_algorithm[10] ^= 1;
        assert_eq!(
            RootKey::from_der(&other_algorithm),
            Err(RootKeyError::NotDer)
        );
        let mut no_point = der;
        no_point[37..].fill(0x11);
        assert_eq!(RootKey::from_der(&no_point), Err(RootKeyError::NotAKey));
    }
}
