//! The hash that names an artefact.

use sha2::{Digest as _, Sha256};
use std::path::Path;

use crate::run::{Outcome, files_below, read_bytes};

/// SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    digits(&Sha256::digest(bytes))
}

/// SHA-256 over every file of a folder in the order of their names: for each, the length of its
/// name, its name, the length of its content, its content; lengths as eight bytes, big end first.
pub fn folder(folder: &Path) -> Outcome<String> {
    let mut hasher = Sha256::new();
    for name in files_below(folder)? {
        file(&mut hasher, &name, &read_bytes(&folder.join(&name))?);
    }
    Ok(digits(&hasher.finalize()))
}

fn file(hasher: &mut Sha256, name: &str, content: &[u8]) {
    for part in [name.as_bytes(), content] {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
}

fn digits(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_a_byte_from_a_name_to_a_content_is_another_artefact() {
        let of = |name: &str, content: &[u8]| {
            let mut hasher = Sha256::new();
            file(&mut hasher, name, content);
            digits(&hasher.finalize())
        };
        assert_ne!(of("ab", b"c"), of("a", b"bc"));
        assert_eq!(of("a", b"b"), of("a", b"b"));
    }
}
