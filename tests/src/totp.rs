//! What an app that shows codes does (TOTP, RFC 6238: SHA-1, six digits, 30 seconds).

use data_encoding::BASE32_NOPAD;
use ring::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, sign};

/// The code that the secret, in base 32, shows at a time in unix milliseconds.
#[must_use]
pub fn code(secret: &str, now_ms: i64) -> String {
    let secret = BASE32_NOPAD.decode(secret.as_bytes()).expect("base 32");
    let counter = now_ms.div_euclid(30_000).to_be_bytes();
    let hash = sign(&Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &secret), &counter);
    let hash = hash.as_ref();
    let at = usize::from(hash[19] & 15);
    let word = u32::from_be_bytes(hash[at..at + 4].try_into().expect("four bytes")) & 0x7fff_ffff;
    format!("{:06}", word % 1_000_000)
}
