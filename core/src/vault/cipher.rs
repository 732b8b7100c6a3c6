//! Sealing bytes under a key: XChaCha20-Poly1305, with what the bytes belong to as associated data.

use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead as _, KeyInit as _, Payload},
};
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteArray, ByteBuf};
use zeroize::Zeroizing;

/// A key of 32 bytes. Wiped when dropped.
pub(super) type Key = Zeroizing<[u8; 32]>;

/// Sealed bytes with their nonce.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Sealed {
    nonce: ByteArray<24>,
    bytes: ByteBuf,
}

/// The key is wrong, or bytes or associated data were changed. Which of them cannot be told.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct NotOpened;

impl Sealed {
    /// Seals `plain`. A nonce is used once in the life of its key.
    pub(super) fn seal(key: &Key, nonce: [u8; 24], plain: &[u8], belongs_to: &[u8]) -> Self {
        let payload = Payload {
            msg: plain,
            aad: belongs_to,
        };
        let bytes = XChaCha20Poly1305::new((&**key).into())
            .encrypt(XNonce::from_slice(&nonce), payload)
            .expect("a few bytes are not more than the cipher takes");
        Self {
            nonce: ByteArray::new(nonce),
            bytes: ByteBuf::from(bytes),
        }
    }

    /// Opens what [`Self::seal`] sealed under the same key for the same thing.
    pub(super) fn open(
        &self,
        key: &Key,
        belongs_to: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, NotOpened> {
        let payload = Payload {
            msg: &self.bytes,
            aad: belongs_to,
        };
        XChaCha20Poly1305::new((&**key).into())
            .decrypt(XNonce::from_slice(&*self.nonce), payload)
            .map(Zeroizing::new)
            .map_err(|_| NotOpened)
    }
}

/// Joins parts so that no two lists of parts give the same bytes: each after its length.
pub(super) fn joined(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        let length = u32::try_from(part.len()).expect("parts are a few bytes long");
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(part);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> Key {
        Zeroizing::new([byte; 32])
    }

    #[test]
    fn sealed_bytes_open_with_their_key_for_what_they_belong_to() {
        let sealed = Sealed::seal(&key(1), [2; 24], b"secret", b"mine");
        assert_eq!(*sealed.open(&key(1), b"mine").unwrap(), b"secret");
        assert_eq!(sealed.open(&key(2), b"mine"), Err(NotOpened));
        assert_eq!(sealed.open(&key(1), b"yours"), Err(NotOpened));
    }

    #[test]
    fn a_changed_byte_opens_nothing() {
        let sealed = Sealed::seal(&key(1), [2; 24], b"secret", b"mine");
        for position in 0..sealed.bytes.len() {
            let mut changed = sealed.clone();
            changed.bytes[position] ^= 1;
            assert_eq!(changed.open(&key(1), b"mine"), Err(NotOpened));
        }
        let mut changed = sealed.clone();
        changed.nonce = ByteArray::new([3; 24]);
        assert_eq!(changed.open(&key(1), b"mine"), Err(NotOpened));
        let mut empty = sealed;
        empty.bytes.clear();
        assert_eq!(empty.open(&key(1), b"mine"), Err(NotOpened));
    }

    #[test]
    fn joined_parts_keep_their_borders() {
        assert_ne!(joined(&[b"ab", b"c"]), joined(&[b"a", b"bc"]));
        assert_ne!(joined(&[b"a"]), joined(&[b"a", b""]));
    }
}
