//! Signatures of a network that costs nothing to check.
//!
//! A pairing takes longer than everything else a wallet does with a certificate, and a hundred
//! thousand histories have a million of them. Where a thread says so, a hash under a secret of its
//! own stands for the network's signature: what it was not made for (another key, another tree,
//! one bit of it) is refused as ever.

use sha2::{Digest as _, Sha256};
use std::cell::Cell;

/// The length of a signature of a network's state.
const LENGTH: usize = 48;

thread_local! {
    static SECRET: Cell<Option<[u8; 32]>> = const { Cell::new(None) };
}

/// From now on, this thread's networks may sign with a hash under this secret; with `None`, only
/// their own keys' signatures count.
pub fn simulate_signatures(secret: Option<[u8; 32]>) {
    SECRET.set(secret);
}

/// Whether signatures are simulated in this thread.
pub(crate) fn simulates_signatures() -> bool {
    SECRET.get().is_some()
}

/// What stands for this key's signature; `None` where real ones are asked for.
#[must_use]
pub fn simulated_signature(key: &[u8], message: &[u8]) -> Option<[u8; LENGTH]> {
    let secret = SECRET.get()?;
    let hash = Sha256::new()
        .chain_update(secret)
        .chain_update(key)
        .chain_update(message)
        .finalize();
    let mut signature = [0; LENGTH];
    signature[..hash.len()].copy_from_slice(&hash);
    Some(signature)
}

/// Whether this stands for this key's signature here.
pub(crate) fn is_simulated(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    simulated_signature(key, message).is_some_and(|own| own == signature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_signed_counts_and_only_while_it_is_simulated() {
        simulate_signatures(Some([7; 32]));
        let signature = simulated_signature(b"key", b"tree").expect("it is simulated");
        assert!(is_simulated(b"key", b"tree", &signature));
        assert!(!is_simulated(b"kez", b"tree", &signature));
        assert!(!is_simulated(b"key", b"tred", &signature));
        simulate_signatures(None);
        assert!(!is_simulated(b"key", b"tree", &signature));
    }
}
