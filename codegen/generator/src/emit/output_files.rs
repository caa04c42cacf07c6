//! Files on their way out of the generator.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

/// Paths from the root of the project, with what belongs there.
pub type OutputFiles = BTreeMap<String, Vec<u8>>;

/// SHA-256 in hexadecimal.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).expect("four bits are one digit"));
        }
    }
    text
}
