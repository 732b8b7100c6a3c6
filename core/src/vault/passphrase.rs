//! What the person types to open the vault, in the form that is stretched.

use zeroize::Zeroizing;

/// A passphrase. Wiped when dropped.
pub struct Passphrase {
    typed: usize,
    normal: Zeroizing<String>,
}

impl Passphrase {
    /// A passphrase as typed. `nfkd` gives a text's Unicode Normalization Form KD (Unicode Standard
    /// Annex 15), in which every keyboard's form of it is the same: every host has the tables for
    /// it, and they are larger than the rest of this room.
    pub fn new(typed: &str, nfkd: impl FnOnce(&str) -> String) -> Self {
        Self {
            typed: typed.chars().count(),
            normal: Zeroizing::new(nfkd(typed)),
        }
    }

    /// How many code points were typed.
    pub(super) const fn typed(&self) -> usize {
        self.typed
    }

    /// The bytes to stretch.
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.normal.as_bytes()
    }
}
