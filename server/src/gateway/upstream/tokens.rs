//! Tokens that we sign ourselves, for providers that take a pair of keys: JWT with HMAC-SHA-256.
//!
//! A crate for it would bring parsing, key formats and a second cryptography; what is needed is one signature of two
//! short texts.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use data_encoding::BASE64URL_NOPAD;
use ring::hmac;
use serde::Serialize;

use super::super::config::KeyPair;

/// How long a token is good for, in seconds.
const LASTS: i64 = 1800;
/// So long before its end a new one is made, so that none runs out on its way.
const RENEWED_BEFORE: i64 = 300;
/// The provider's clock may be so far behind ours.
const BEHIND: i64 = 5;
const HEADER: &str = r#"{"alg":"HS256","typ":"JWT"}"#;

/// Signs, and keeps the token until it is nearly over.
pub(super) struct Tokens {
    issuer: String,
    key: hmac::Key,
    kept: Mutex<Option<Token>>,
}

struct Token {
    text: String,
    /// Unix seconds.
    renewed_at: i64,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    exp: i64,
    nbf: i64,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens")
    }
}

impl Tokens {
    pub(super) fn new(pair: &KeyPair) -> Self {
        let key = hmac::Key::new(hmac::HMAC_SHA256, pair.secret_key.reveal().as_bytes());
        Self { issuer: pair.access_key.reveal().to_owned(), key, kept: Mutex::new(None) }
    }

    /// A token that is good for some minutes from `now_ms` on.
    pub(super) fn token(&self, now_ms: i64) -> String {
        let now = now_ms.div_euclid(1000);
        let mut kept = self.kept();
        match &*kept {
            // A clock that was set back has not made it any younger.
            Some(token) if (token.renewed_at - LASTS..token.renewed_at).contains(&now) => token.text.clone(),
            _ => {
                let text = self.sign(now);
                *kept = Some(Token { text: text.clone(), renewed_at: now + LASTS - RENEWED_BEFORE });
                text
            }
        }
    }

    /// The next token is a new one.
    pub(super) fn renew(&self) {
        *self.kept() = None;
    }

    fn sign(&self, now: i64) -> String {
        let claims = Claims { iss: &self.issuer, exp: now + LASTS, nbf: now - BEHIND };
        let claims = serde_json::to_vec(&claims).expect("a text and numbers are JSON");
        let signed = format!("{}.{}", BASE64URL_NOPAD.encode(HEADER.as_bytes()), BASE64URL_NOPAD.encode(&claims));
        let signature = hmac::sign(&self.key, signed.as_bytes());
        format!("{signed}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))
    }

    /// A token is whole after every step.
    fn kept(&self) -> MutexGuard<'_, Option<Token>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Secret;

    fn tokens() -> Tokens {
        let secret = |text: &str| Secret::new(text.to_owned());
        Tokens::new(&KeyPair { access_key: secret("who"), secret_key: secret("a-secret") })
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
