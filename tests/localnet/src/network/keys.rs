//! The network's keys: BLS for its state, Ed25519 for its node. Made from a seed, so that a test
//! can have network A and network B, and have them again tomorrow. Never for anything of value.

use candid::Principal;
use ed25519_dalek::{Signer as _, SigningKey};
use ic_verify_bls_signature::PrivateKey;
use sha2::{Digest as _, Sha256};

/// DER prefix of a BLS12-381 public key (96 bytes follow), as the interface specification fixes it.
const BLS_DER_PREFIX: [u8; 37] = [
    0x30, 0x81, 0x82, 0x30, 0x1d, 0x06, 0x0d, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0xdc, 0x7c, 0x05,
    0x03, 0x01, 0x02, 0x01, 0x06, 0x0c, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0xdc, 0x7c, 0x05, 0x03,
    0x02, 0x01, 0x03, 0x61, 0x00,
];

/// DER prefix of an Ed25519 public key (32 bytes follow; RFC 8410).
pub(super) const ED25519_DER_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

fn derive(seed: &str, purpose: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(b"countersign-localnet/");
    hasher.update(purpose.as_bytes());
    hasher.update(b"/");
    hasher.update(seed.as_bytes());
    hasher.finalize().into()
}

/// What stands for a signature of the network's state by a key (DER) over a message, where that is
/// simulated now.
pub type Simulated = fn(&[u8], &[u8]) -> Option<[u8; 48]>;

/// The key that signs the state of a subnet.
#[derive(Clone)]
pub(super) struct StateKey {
    secret: PrivateKey,
    der: Vec<u8>,
    simulated: Option<Simulated>,
}

impl StateKey {
    pub(super) fn from_seed(seed: &str, purpose: &str) -> Self {
        let mut scalar = derive(seed, purpose);
        // The group order begins with 0x73: with the two top bits cleared any value is below it.
        scalar[0] &= 0x3f;
        let secret = PrivateKey::deserialize(&scalar).expect("the scalar is below the order");
        let mut der = BLS_DER_PREFIX.to_vec();
        der.extend_from_slice(&secret.public_key().serialize());
        Self {
            secret,
            der,
            simulated: None,
        }
    }

    /// The same key, for which something else may sign.
    pub(super) fn simulated_by(mut self, simulated: Simulated) -> Self {
        self.simulated = Some(simulated);
        self
    }

    /// The public key in DER, 133 bytes.
    pub(super) fn der(&self) -> &[u8] {
        &self.der
    }

    /// The principal of the subnet that this key speaks for.
    pub(super) fn subnet_id(&self) -> Principal {
        Principal::self_authenticating(&self.der)
    }

    /// Signs a root hash, under the domain of state roots.
    pub(super) fn sign_root(&self, root_hash: &[u8; 32]) -> [u8; 48] {
        let mut message = b"\x0Dic-state-root".to_vec();
        message.extend_from_slice(root_hash);
        if let Some(signature) = self.simulated.and_then(|sign| sign(&self.der, &message)) {
            return signature;
        }
        self.secret.sign(&message).serialize()
    }
}

/// The key with which the network's node signs what it answers to queries.
#[derive(Clone)]
pub(super) struct NodeKey {
    secret: SigningKey,
    der: Vec<u8>,
}

impl NodeKey {
    pub(super) fn from_seed(seed: &str) -> Self {
        let secret = SigningKey::from_bytes(&derive(seed, "node"));
        let mut der = ED25519_DER_PREFIX.to_vec();
        der.extend_from_slice(secret.verifying_key().as_bytes());
        Self { secret, der }
    }

    /// The public key in DER, 44 bytes.
    pub(super) fn der(&self) -> &[u8] {
        &self.der
    }

    pub(super) fn id(&self) -> Principal {
        Principal::self_authenticating(&self.der)
    }

    pub(super) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.secret.sign(message).to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_keys_again_and_another_seed_gives_others() {
        let a = StateKey::from_seed("a", "root");
        assert_eq!(a.der(), StateKey::from_seed("a", "root").der());
        assert_ne!(a.der(), StateKey::from_seed("b", "root").der());
        assert_ne!(a.der(), StateKey::from_seed("a", "subnet").der());
        assert_eq!(a.der().len(), 133);
        assert_eq!(NodeKey::from_seed("a").der().len(), 44);
    }

    #[test]
    fn every_seed_gives_a_valid_scalar() {
        for seed in 0..200 {
            let _ = StateKey::from_seed(&seed.to_string(), "root");
        }
    }
}
