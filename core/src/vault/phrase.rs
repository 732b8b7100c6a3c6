//! The phrase that all derived keys come from.

use bip39::Mnemonic;
use thiserror::Error;
use zeroize::Zeroizing;

/// Why bytes are not the entropy of a phrase.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("a phrase has 16 bytes of entropy (12 words) or 32 (24 words)")]
pub struct PhraseError;

/// The entropy of a BIP-39 phrase of 12 or 24 English words, without a BIP-39 passphrase.
pub struct Phrase(Zeroizing<Vec<u8>>);

impl Phrase {
    /// The phrase with this entropy.
    ///
    /// # Errors
    ///
    /// Neither 16 nor 32 bytes.
    pub fn from_entropy(entropy: &[u8]) -> Result<Self, PhraseError> {
        match entropy.len() {
            16 | 32 => Ok(Self(Zeroizing::new(entropy.to_vec()))),
            _ => Err(PhraseError),
        }
    }

    pub(super) fn entropy(&self) -> &[u8] {
        &self.0
    }

    /// The BIP-39 seed. Slow by design (2,048 rounds of PBKDF2).
    pub(super) fn seed(&self) -> Zeroizing<[u8; 64]> {
        let mnemonic = Mnemonic::from_entropy(&self.0).expect("16 or 32 bytes make a phrase");
        Zeroizing::new(mnemonic.to_seed_normalized(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::to_hex;

    #[test]
    fn a_phrase_has_12_or_24_words() {
        for bytes in 0..=40 {
            let made = Phrase::from_entropy(&vec![7; bytes]);
            assert_eq!(made.is_ok(), bytes == 16 || bytes == 32, "{bytes}");
        }
    }

    #[test]
    fn a_seed_is_bip_39s() {
        // BIP-39 gives this phrase ("abandon … about") for entropy of zeros; the seed without a
        // passphrase is in the test data of its implementations.
        let phrase = Phrase::from_entropy(&[0; 16]).unwrap();
        assert_eq!(
            to_hex(&*phrase.seed()),
            concat!(
                "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1",
                "9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4",
            )
        );
    }
}
