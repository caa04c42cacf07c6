//! Signatures of thoughts: the provider gives them out, and they must come back as they were, to the same provider.

use data_encoding::BASE64;

use super::check::{Checked, ensure};

/// The signature that a maker puts under a text.
pub(super) fn sign(maker: &str, text: &str) -> String {
    // Turned bits make base64 use its whole alphabet, so that a change of alphabet on the way shows.
    let bytes: Vec<u8> = format!("{maker}:{text}").bytes().map(|byte| byte ^ 0xff).collect();
    BASE64.encode(&bytes)
}

/// Refuses what the maker did not sign.
pub(super) fn verify(maker: &str, text: &str, signature: &str) -> Checked {
    ensure(signature == sign(maker, text), format!("Invalid `signature` in `thinking` block: {signature}"))
}
