//! The hash that names an artefact.

use sha2::{Digest as _, Sha256};
use std::path::Path;

use crate::run::{Outcome, files_below, read_bytes};

/// SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// SHA-256 over every file of a folder in the order of their names: for each, the length of its
/// name, its name, the length of its content, its content; lengths as eight bytes, big end first.
pub fn folder(folder: &Path) -> Outcome<String> {
    let mut hasher = Sha256::new();
    for name in files_below(folder)? {
        let content = read_bytes(&folder.join(&name))?;
        for part in [name.as_bytes(), &content] {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        }
    }
    Ok(hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}
