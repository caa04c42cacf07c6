//! The digest by which a request with an Idempotency-Key is known again.

use http::{HeaderMap, HeaderName, Method};
use sha2::{Digest as _, Sha256};

use super::Operation;

/// The header that carries the key.
pub(super) const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// True if a request is to be carried out once.
pub(super) fn is_keyed(operation: &Operation, headers: &HeaderMap) -> bool {
    operation.once && headers.contains_key(KEY)
}

/// The digest by which a request is known again: method, path, query and body.
/// Of a form it is the same whatever its client chose for a boundary this time.
#[derive(Debug)]
pub(super) struct RequestDigest(Sha256);

impl RequestDigest {
    pub(super) fn of(method: &Method, path: &str, query: Option<&str>) -> Self {
        let mut digest = Sha256::new();
        // None of them has a line break in it.
        digest.update(format!("{method}\n{path}\n{}\n", query.unwrap_or_default()));
        Self(digest)
    }

    pub(super) fn add(&mut self, body: &[u8], boundary: Option<&str>) {
        let Some(boundary) = boundary.filter(|boundary| !boundary.is_empty()) else { return self.0.update(body) };
        let mut rest = 0;
        for at in memchr::memmem::find_iter(body, boundary.as_bytes()) {
            self.0.update(&body[rest..at]);
            rest = at + boundary.len();
        }
        self.0.update(&body[rest..]);
    }

    pub(super) fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
