//! The stored form of a record: CBOR with a version before everything else.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::record::Intent;
use crate::stored;

/// The version of the stored form that this code writes.
pub const RECORD_VERSION: u16 = 1;

impl Intent {
    /// Writes the stored form: CBOR of `{v, intent}`.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        stored::write(&StoredRef {
            v: RECORD_VERSION,
            intent: self,
        })
    }

    /// Reads the stored form.
    ///
    /// # Errors
    ///
    /// [`DecodeError::Newer`] for a version this code does not know, before anything else of it is
    /// looked at; [`DecodeError::Corrupt`] for anything that this code did not write.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let version = stored::version(bytes).map_err(|_| DecodeError::Corrupt)?;
        if version > u64::from(RECORD_VERSION) {
            return Err(DecodeError::Newer { version });
        }
        let stored: Stored = stored::read(bytes).map_err(|_| DecodeError::Corrupt)?;
        Ok(stored.intent)
    }
}

#[derive(Serialize)]
struct StoredRef<'a> {
    v: u16,
    intent: &'a Intent,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    #[serde(rename = "v")]
    _v: u16,
    intent: Intent,
}

/// Why a stored record cannot be read.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum DecodeError {
    /// A later version of the wallet wrote it.
    #[error("a newer Countersign (record version {version}) wrote this; update before going on")]
    Newer {
        /// The version found.
        version: u64,
    },
    /// It is damaged, or not a record.
    #[error("the stored record is damaged; restore it or settle its call by hand")]
    Corrupt,
}

impl DecodeError {
    /// Its stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Newer { .. } => "E_RECORD_NEWER",
            Self::Corrupt => "E_RECORD_CORRUPT",
        }
    }
}
