//! Keys: the phrase they come from, how they are derived and sealed, and what they sign.
//!
//! Pure: entropy comes in as an argument, sealed bytes go out. Secrets are wiped when dropped, have
//! no `Debug` and leave only sealed or as signatures.
//!
//! One key, one network: a signature of the Internet Computer does not name a network, so what is
//! signed for one is valid on every other where the key and the canister id exist. An account
//! belongs to exactly one network, [`mod@derive`] gives each network other keys, and a [`Signer`]
//! signs for its account's network only.
//!
//! - [`passphrase`]: what the person types to open it;
//! - [`phrase`]: the entropy of a BIP-39 phrase;
//! - [`mod@derive`]: accounts and keys of a phrase;
//! - [`sealed`]: the vault as it rests, opened by a passphrase;
//! - [`session`]: what keeps it open while workers come and go, in two halves;
//! - [`signer`]: one account's key, in use.
//!
//! Never in here: a source of randomness, storage, a key that outlives its use.

mod cipher;
pub mod derive;
mod key;
pub mod passphrase;
pub mod phrase;
pub mod sealed;
pub mod session;
pub mod signer;

pub use derive::Account;
pub use passphrase::Passphrase;
pub use phrase::Phrase;
pub use sealed::{OpenError, OpenVault, PassphraseError, SealEntropy, SealedVault};
pub use session::{SessionEntropy, SessionHalf, SessionSeal};
pub use signer::{SignError, Signer};
