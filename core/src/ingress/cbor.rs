//! CBOR as the HTTPS interface uses it: one item, with the self-describing tag when written, with
//! or without it when read, and nothing after it.

use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

/// Tag 55799 (RFC 8949, section 3.4.6) as it stands before an item.
const SELF_DESCRIBED: [u8; 3] = [0xd9, 0xd9, 0xf7];

/// The largest body that is read. A canister's reply is at most 3 MiB on the network.
pub(super) const MAX_BODY: usize = 8 * 1024 * 1024;

/// How deep items may nest. A hash tree is a few dozen deep.
const MAX_DEPTH: usize = 200;

/// Why bytes are not the one item that was expected.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum CborError {
    /// More bytes than any answer of the network has.
    #[error("it is larger than {MAX_BODY} bytes")]
    TooLarge,
    /// Not CBOR, or not of the expected shape.
    #[error("it does not have the shape the protocol gives it")]
    Malformed,
    /// Bytes follow the item.
    #[error("bytes follow its end")]
    TrailingBytes,
}

/// The item's bytes with the self-describing tag. Equal values give equal bytes.
pub(super) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = SELF_DESCRIBED.to_vec();
    ciborium::into_writer(value, &mut bytes).expect("a Vec takes any bytes, and our types encode");
    bytes
}

/// Reads one item.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CborError> {
    if bytes.len() > MAX_BODY {
        return Err(CborError::TooLarge);
    }
    let mut rest = bytes.strip_prefix(&SELF_DESCRIBED).unwrap_or(bytes);
    let value = ciborium::de::from_reader_with_recursion_limit(&mut rest, MAX_DEPTH)
        .map_err(|_| CborError::Malformed)?;
    if rest.is_empty() {
        Ok(value)
    } else {
        Err(CborError::TrailingBytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_reads_back_with_and_without_the_tag() {
        let bytes = encode(&("a", 1_u8));
        assert_eq!(bytes, [0xd9, 0xd9, 0xf7, 0x82, 0x61, b'a', 1]);
        assert_eq!(decode(&bytes), Ok(("a".to_owned(), 1_u8)));
        assert_eq!(decode(&bytes[3..]), Ok(("a".to_owned(), 1_u8)));
    }

    #[test]
    fn bytes_after_the_item_are_refused() {
        assert_eq!(decode::<u8>(&[1, 2]), Err(CborError::TrailingBytes));
    }

    #[test]
    fn hostile_bytes_end_in_an_error() {
        assert_eq!(decode::<u8>(&[]), Err(CborError::Malformed));
        let deep = vec![0x81; 100_000];
        assert_eq!(decode::<ciborium::Value>(&deep), Err(CborError::Malformed));
        // A byte string that claims to be 2^63 bytes long.
        let long = [0x5b, 0x80, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(decode::<ciborium::Value>(&long), Err(CborError::Malformed));
        assert_eq!(
            decode::<u8>(&vec![0; MAX_BODY + 1]),
            Err(CborError::TooLarge)
        );
    }
}
