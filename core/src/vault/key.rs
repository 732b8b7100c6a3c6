//! A secp256k1 key in use.

use k256::ecdsa::{Signature, SigningKey, signature::Signer as _};
use k256::pkcs8::EncodePublicKey as _;

use crate::ids::Principal;
use crate::ingress::envelope::SignRequest;

/// A key with its public parts. Wiped when dropped.
#[cfg_attr(feature = "testing", derive(Clone))]
pub(super) struct SecretKey {
    key: SigningKey,
    public_der: Vec<u8>,
}

impl SecretKey {
    pub(super) fn new(key: SigningKey) -> Self {
        let public_der = k256::PublicKey::from(key.verifying_key())
            .to_public_key_der()
            .expect("a point of the curve has a DER form")
            .into_vec();
        Self { key, public_der }
    }

    /// The self-authenticating principal of the key.
    pub(super) fn principal(&self) -> Principal {
        Principal::self_authenticating(&self.public_der)
    }
}

impl SignRequest for SecretKey {
    fn public_key_der(&self) -> &[u8] {
        &self.public_der
    }

    /// ECDSA over SHA-256: r ‖ s, 64 bytes, the lower s, with the nonce of RFC 6979.
    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let signature: Signature = self.key.sign(message);
        signature.normalize_s().unwrap_or(signature).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use k256::ecdsa::signature::Verifier as _;

    use super::*;
    use crate::ids::to_hex;

    fn key() -> SecretKey {
        SecretKey::new(SigningKey::from_slice(&[7; 32]).unwrap())
    }

    #[test]
    fn a_signature_is_deterministic_has_64_bytes_and_the_lower_s() {
        let key = key();
        for message in 0..64_u8 {
            let signature = key.sign(&[message]);
            assert_eq!(signature.len(), 64);
            assert_eq!(signature, key.sign(&[message]));
            let parsed = Signature::from_slice(&signature).unwrap();
            assert!(parsed.normalize_s().is_none(), "the s of {message} is high");
            assert!(key.key.verifying_key().verify(&[message], &parsed).is_ok());
        }
    }

    #[test]
    fn a_public_key_has_the_der_form_of_its_curve() {
        // RFC 5480: the algorithm id-ecPublicKey with the curve secp256k1, then an uncompressed
        // point.
        assert_eq!(
            to_hex(&key().public_der[..24]),
            "3056301006072a8648ce3d020106052b8104000a03420004"
        );
        assert_eq!(key().public_der.len(), 88);
    }
}
