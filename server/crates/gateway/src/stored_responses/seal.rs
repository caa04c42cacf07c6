//! Authenticated encryption of compacted conversations, which clients send back without reading or changing them.
//!
//! `tgc1.` and then, in base64url, a nonce and AES-256-GCM over the model and its summary. The version and the account
//! are authenticated with it, so that a part made for one account is invalid for another.

use std::fmt;
use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};

use tollgate_base::AccountId;

/// The prefix of a sealed text; the digit is the version of the sealing.
const PREFIX: &str = "tgc1.";

/// The key that seals and opens. Cheap to clone.
#[derive(Clone)]
pub struct CompactionSeal(Arc<LessSafeKey>);

/// The error for a text that was not sealed here for this account, or was altered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a compacted conversation was not sealed here for this account, or was altered")]
pub struct ForeignSeal;

#[derive(Serialize, Deserialize)]
struct SealedSummary<'a> {
    model: std::borrow::Cow<'a, str>,
    summary: std::borrow::Cow<'a, str>,
}

impl fmt::Debug for CompactionSeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

impl CompactionSeal {
    /// A seal with this key.
    #[must_use]
    pub fn new(secret: &[u8; 32]) -> Self {
        let key = UnboundKey::new(&AES_256_GCM, secret).expect("the key has the length of the cipher");
        Self(Arc::new(LessSafeKey::new(key)))
    }

    /// True if a text has the form of one that was sealed here.
    #[must_use]
    pub fn is_one(closed: &str) -> bool {
        closed.starts_with(PREFIX)
    }

    /// Seals a summary that `model` made for `account`.
    #[must_use]
    pub fn close(&self, account: AccountId, model: &str, summary: &str) -> String {
        let mut nonce = [0; NONCE_LEN];
        // Random nonces of 96 bits are safe for some four billion seals under one key.
        getrandom::fill(&mut nonce).expect("the operating system has randomness");
        let mut bytes = serde_json::to_vec(&SealedSummary { model: model.into(), summary: summary.into() })
            .expect("two texts are always JSON");
        let sealed = self.0.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad(account), &mut bytes);
        sealed.expect("a summary is far below the cipher's 64 GiB");
        format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&[&nonce[..], &bytes].concat()))
    }

    /// The summary in a text that was sealed here for `account`.
    ///
    /// # Errors
    /// [`ForeignSeal`] for anything else.
    pub fn open(&self, account: AccountId, closed: &str) -> Result<String, ForeignSeal> {
        let text = closed.strip_prefix(PREFIX).ok_or(ForeignSeal)?;
        let mut bytes = BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| ForeignSeal)?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN).ok_or(ForeignSeal)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| ForeignSeal)?;
        let opened = self.0.open_in_place(nonce, aad(account), sealed).map_err(|_| ForeignSeal)?;
        let content: SealedSummary<'_> = serde_json::from_slice(opened).map_err(|_| ForeignSeal)?;
        Ok(content.summary.into_owned())
    }
}

fn aad(account: AccountId) -> Aad<Vec<u8>> {
    Aad::from([PREFIX.as_bytes(), &account.0.to_be_bytes()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNT: AccountId = AccountId(4_294_967_296);

    #[test]
    fn what_was_sealed_is_opened_for_its_account_alone() {
        let seal = CompactionSeal::new(&[7; 32]);
        let closed = seal.close(ACCOUNT, "m", "we spoke of \"x\" \u{e9}");
        assert!(CompactionSeal::is_one(&closed) && !closed.contains("spoke"));
        assert_ne!(closed, seal.close(ACCOUNT, "m", "we spoke of \"x\" \u{e9}"), "a nonce of its own");
        assert_eq!(seal.open(ACCOUNT, &closed).as_deref(), Ok("we spoke of \"x\" \u{e9}"));
        assert_eq!(seal.open(AccountId(ACCOUNT.0 + 1), &closed), Err(ForeignSeal));
        assert_eq!(CompactionSeal::new(&[8; 32]).open(ACCOUNT, &closed), Err(ForeignSeal));
    }

    #[test]
    fn no_byte_can_be_changed_or_left_out() {
        let seal = CompactionSeal::new(&[7; 32]);
        let closed = seal.close(ACCOUNT, "m", "short");
        for place in 0..closed.len() {
            let mut forged = closed.clone().into_bytes();
            forged[place] = if forged[place] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).expect("letters");
            assert_eq!(seal.open(ACCOUNT, &forged), Err(ForeignSeal), "changed at {place}");
            assert_eq!(seal.open(ACCOUNT, &closed[..place]), Err(ForeignSeal), "cut at {place}");
        }
    }
}
