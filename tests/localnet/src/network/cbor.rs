//! CBOR as the interface specification wants it: the self-describing tag in front, accepted with
//! or without.

use serde::{Serialize, de::DeserializeOwned};

const SELF_DESCRIBED: [u8; 3] = [0xd9, 0xd9, 0xf7];

/// Encodes with the self-describing tag.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    let mut out = SELF_DESCRIBED.to_vec();
    ciborium::into_writer(value, &mut out).expect("writing to memory does not fail");
    out
}

/// Decodes one value, which must be all there is.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let mut rest = bytes;
    let value = ciborium::from_reader(&mut rest).map_err(|error| error.to_string())?;
    if rest.is_empty() {
        Ok(value)
    } else {
        Err(format!("{} bytes after the end of the value", rest.len()))
    }
}
