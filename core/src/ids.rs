//! Identifiers as types, so that one kind can never stand where another is meant.
//!
//! Everything here is parsed once, at the border, and carried as proof from then on. Nothing here
//! makes up an identifier: random ones are built from entropy that comes in as an argument.

use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

pub use ic_principal::Principal;

/// Why a text is not the identifier it should be.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{what} must be {wanted}")]
pub struct ParseIdError {
    what: &'static str,
    wanted: &'static str,
}

/// Writes bytes as lower-case hexadecimal digits, two a byte.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
    out
}

/// Reads hexadecimal digits, two a byte, of either case. `None` for anything else.
#[must_use]
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let mut bytes = Vec::with_capacity(pairs.len());
    for [high, low] in pairs {
        bytes.push(digit(*high)? << 4 | digit(*low)?);
    }
    Some(bytes)
}

const fn digit(of: u8) -> Option<u8> {
    Some(match of {
        b'0'..=b'9' => of - b'0',
        b'a'..=b'f' => of - b'a' + 10,
        b'A'..=b'F' => of - b'A' + 10,
        _ => return None,
    })
}

/// Defines a newtype over fixed-length bytes whose text form is lower-case hexadecimal.
macro_rules! hex_id {
    ($(#[$doc:meta])* $name:ident, $len:literal, $what:literal, $wanted:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub struct $name([u8; $len]);

        impl $name {
            /// Takes the bytes as they are.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; $len]) -> Self {
                Self(bytes)
            }

            /// The bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; $len] {
                &self.0
            }

            /// Reads the text form.
            ///
            /// # Errors
            ///
            /// Any text but the exact number of lower-case hexadecimal digits: an identifier has
            /// one text form, so that texts can be compared.
            pub fn parse(text: &str) -> Result<Self, ParseIdError> {
                let error = ParseIdError { what: $what, wanted: $wanted };
                if text.bytes().any(|b| b.is_ascii_uppercase()) {
                    return Err(error);
                }
                from_hex(text)
                    .and_then(|bytes| <[u8; $len]>::try_from(bytes).ok())
                    .map(Self)
                    .ok_or(error)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&to_hex(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::parse(&text).map_err(de::Error::custom)
            }
        }
    };
}

hex_id!(
    /// Names one prepared call. 128 random bits, bound to the origin that prepared it.
    PreviewId,
    16,
    "a preview id",
    "32 lower-case hexadecimal digits"
);
hex_id!(
    /// Names one request for a person's decision. 128 random bits, used once.
    AskId,
    16,
    "an ask id",
    "32 lower-case hexadecimal digits"
);
hex_id!(
    /// Names one installation of the wallet: the journal and the vault must carry the same.
    InstallationId,
    16,
    "an installation id",
    "32 lower-case hexadecimal digits"
);
hex_id!(
    /// A network, known by SHA-256 of its root key (DER), never by its URL or name.
    NetworkId,
    32,
    "a network id",
    "64 lower-case hexadecimal digits"
);
hex_id!(
    /// A request id: the representation-independent hash of an ingress message's content
    /// (IC interface specification, "Request ids").
    RequestId,
    32,
    "a request id",
    "64 lower-case hexadecimal digits"
);
hex_id!(
    /// SHA-256 of what a person says yes to.
    AskDigest,
    32,
    "a digest",
    "64 lower-case hexadecimal digits"
);
hex_id!(
    /// SHA-256 of an intent's identity: origin, door, network, canister, method, given inputs.
    IdentityHash,
    32,
    "an identity",
    "64 lower-case hexadecimal digits"
);
hex_id!(
    /// SHA-256 of an interface, a resolved form, a module or a list of definitions.
    ContentHash,
    32,
    "a hash",
    "64 lower-case hexadecimal digits"
);

impl NetworkId {
    /// The id of the network with this root key.
    #[must_use]
    pub fn of_root_key(root_key_der: &[u8]) -> Self {
        Self(Sha256::digest(root_key_der).into())
    }
}

impl ContentHash {
    /// SHA-256 of the bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_what_it_shows() {
        let id = PreviewId::from_bytes([0xab; 16]);
        assert_eq!(PreviewId::parse(&id.to_string()), Ok(id));
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
    }

    #[test]
    fn an_id_has_one_text_form() {
        assert!(PreviewId::parse("ABABABABABABABABABABABABABABABAB").is_err());
        assert!(PreviewId::parse("abab").is_err());
        assert!(PreviewId::parse("").is_err());
        assert!(PreviewId::parse("+bababababababababababababababab").is_err());
    }

    #[test]
    fn hex_reads_either_case_and_nothing_else() {
        assert_eq!(from_hex("00fF"), Some(vec![0, 255]));
        assert_eq!(from_hex("0"), None);
        assert_eq!(from_hex("0x"), None);
        assert_eq!(from_hex("é"), None);
    }
}
