//! Signed tokens for providers with key pairs: JWT with HMAC-SHA-256.
//!
//! A crate for JWT would bring parsing, key formats and a second cryptography library; one signature over two short texts is
//! all that is needed.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use data_encoding::BASE64URL_NOPAD;
use ring::hmac;
use serde::Serialize;

use crate::config::KeyPair;

/// The lifetime of a token, in seconds.
const LASTS: i64 = 1800;
/// The seconds before its end at which a new token is made, so that none expires on its way.
const RENEWED_BEFORE: i64 = 300;
/// The seconds by which the provider's clock may be behind ours.
const BEHIND: i64 = 5;
const HEADER: &str = r#"{"alg":"HS256","typ":"JWT"}"#;

/// The signer, which keeps a token until it is nearly expired.
pub(super) struct TokenSigner {
    issuer: String,
    key: hmac::Key,
    kept: Mutex<Option<SignedToken>>,
}

struct SignedToken {
    text: String,
    /// The time of its renewal, in Unix seconds.
    renewed_at: i64,
}

#[derive(Serialize)]
struct JwtClaims<'a> {
    iss: &'a str,
    exp: i64,
    nbf: i64,
}

impl fmt::Debug for TokenSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens")
    }
}

impl TokenSigner {
    pub(super) fn new(pair: &KeyPair) -> Self {
        let key = hmac::Key::new(hmac::HMAC_SHA256, pair.secret_key.reveal().as_bytes());
        Self { issuer: pair.access_key.reveal().to_owned(), key, kept: Mutex::new(None) }
    }

    /// A token that is valid for some minutes from `now_ms` on.
    pub(super) fn token(&self, now_ms: i64) -> String {
        let now = now_ms.div_euclid(1000);
        let mut kept = self.kept();
        match &*kept {
            // After the clock was set back, the token is not valid yet.
            Some(token) if (token.renewed_at - LASTS..token.renewed_at).contains(&now) => token.text.clone(),
            _ => {
                let text = self.sign(now);
                *kept = Some(SignedToken { text: text.clone(), renewed_at: now + LASTS - RENEWED_BEFORE });
                text
            }
        }
    }

    /// Drops the kept token, so that the next one is new.
    pub(super) fn renew(&self) {
        *self.kept() = None;
    }

    fn sign(&self, now: i64) -> String {
        let claims = JwtClaims { iss: &self.issuer, exp: now + LASTS, nbf: now - BEHIND };
        let claims = serde_json::to_vec(&claims).expect("a text and numbers are JSON");
        let signed = format!("{}.{}", BASE64URL_NOPAD.encode(HEADER.as_bytes()), BASE64URL_NOPAD.encode(&claims));
        let signature = hmac::sign(&self.key, signed.as_bytes());
        format!("{signed}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))
    }

    /// The kept token. A poisoned lock is fine, because the token is replaced as a whole.
    fn kept(&self) -> MutexGuard<'_, Option<SignedToken>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_base::Secret;

    fn tokens() -> TokenSigner {
        let secret = |text: &str| Secret::new(text.to_owned());
        TokenSigner::new(&KeyPair { access_key: secret("who"), secret_key: secret("a-secret") })
    }

    #[test]
    fn a_token_is_the_one_that_the_standard_makes() {
        // Made by another implementation, of the same header, claims and key.
        let expected = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJ3aG8iLCJleHAiOjE4MDAwMDE4MDAsIm5iZiI6MTc5OTk5OTk5NX0.Q-nT7cVVI9Y0slvBVZUU-P8CCo0gSL95Ay00nkrimr0";
        assert_eq!(tokens().token(1_800_000_000_000), expected);
    }

    #[test]
    fn a_token_is_kept_until_it_is_nearly_over() {
        let tokens = tokens();
        let first = tokens.token(1_000_000_000);
        assert_eq!(tokens.token(1_000_000_000 + 1_499_000), first);
        let second = tokens.token(1_000_000_000 + 1_500_000);
        assert_ne!(second, first);
        tokens.renew();
        assert_ne!(tokens.token(1_000_000_000 + 1_600_000), second);
        assert_ne!(tokens.token(500_000_000), second, "a clock that was set back");
        assert!(!format!("{tokens:?}").contains("secret"));
    }
}
