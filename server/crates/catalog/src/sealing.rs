//! The secrets of providers that operators add: sealed with AES-256-GCM under a key of the operator's, which is not in the
//! database, and bound to the provider's name and address: at another address, or for another provider, it opens nothing.

use std::fmt;

use data_encoding::{BASE64, HEXLOWER, HEXLOWER_PERMISSIVE};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use tollgate_base::{Secret, draw_bytes};

use crate::offer::UpstreamTable;

/// A key under which secrets are sealed.
#[derive(Clone)]
pub struct SealingKey {
    id: String,
    bytes: [u8; 32],
}

/// It is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 32 bytes, written as 64 hexadecimal digits or in base 64: `openssl rand -hex 32` draws one")]
pub struct SealingKeyUnfit;

/// The keys under which secrets are sealed: new ones under the first; while it takes the place of another, both open.
#[derive(Debug, Clone, Default)]
pub struct SealingKeys {
    /// The key of new seals; absent where secrets are refused.
    pub current: Option<SealingKey>,
    /// The key before it.
    pub former: Option<SealingKey>,
}

/// A secret as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SealedSecret {
    pub(crate) provider: String,
    /// The key under which it is sealed.
    pub(crate) key_id: String,
    pub(crate) sealed: Vec<u8>,
    pub(crate) set_at_ms: i64,
}

/// The credentials of a provider.
#[derive(Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct ProviderSecret {
    /// The key, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) api_key: Option<String>,
    /// The pair of keys, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) access_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) secret_key: Option<String>,
}

impl SealingKey {
    /// Reads a key.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &Secret) -> Result<Self, SealingKeyUnfit> {
        let text = text.reveal().trim().as_bytes();
        let bytes = HEXLOWER_PERMISSIVE.decode(text).or_else(|_| BASE64.decode(text)).map_err(|_| SealingKeyUnfit)?;
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| SealingKeyUnfit)?;
        let digest = Sha256::new().chain_update(b"tollgate key of secrets").chain_update(bytes).finalize();
        Ok(Self { id: HEXLOWER.encode(&digest[..8]), bytes })
    }

    /// Its name, which tells nothing of it: 16 hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    fn cipher(&self) -> LessSafeKey {
        LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &self.bytes).expect("32 bytes are a key"))
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealingKey({})", self.id)
    }
}

impl fmt::Debug for ProviderSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProviderSecret(…)")
    }
}

impl SealingKeys {
    /// The key of that id.
    pub(crate) fn find(&self, id: &str) -> Option<&SealingKey> {
        self.current.iter().chain(&self.former).find(|key| key.id == id)
    }

    /// The ids of the keys, the one of new seals first.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.current.iter().chain(&self.former).map(SealingKey::id)
    }

    /// Opens a secret for the provider as it is written; `None` where no key is the one, or it was sealed for another.
    pub(crate) fn open(&self, sealed: &SealedSecret, table: &UpstreamTable) -> Option<ProviderSecret> {
        let key = self.find(&sealed.key_id)?;
        let (nonce, bytes) = sealed.sealed.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut bytes = bytes.to_vec();
        let opened = key.cipher().open_in_place(nonce, bound_to(&sealed.provider, table), &mut bytes).ok()?;
        serde_json::from_slice(opened).ok()
    }
}

impl ProviderSecret {
    /// Seals it under a key for the provider as it is written.
    pub(crate) fn seal(&self, key: &SealingKey, provider: &str, table: &UpstreamTable, now_ms: i64) -> SealedSecret {
        let nonce: [u8; NONCE_LEN] = draw_bytes();
        let mut bytes = serde_json::to_vec(self).expect("texts are written");
        key.cipher()
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), bound_to(provider, table), &mut bytes)
            .expect("a few bytes are sealed");
        let sealed = [nonce.as_slice(), &bytes].concat();
        SealedSecret { provider: provider.to_owned(), key_id: key.id.clone(), sealed, set_at_ms: now_ms }
    }
}

/// The provider that a secret is for, and where it may be sent.
fn bound_to(provider: &str, table: &UpstreamTable) -> Aad<Vec<u8>> {
    // A line break is in no name.
    Aad::from(format!("{provider}\n{}", table.base_url).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> SealingKey {
        SealingKey::read(&Secret::new(text.repeat(32))).expect("a key")
    }

    fn provider(base_url: &str) -> UpstreamTable {
        toml::from_str(&format!("base_url = \"{base_url}\"")).expect("a provider")
    }

    #[test]
    fn a_key_is_32_bytes_and_its_id_tells_nothing_of_it() {
        for (text, is_one) in [
            ("ab".repeat(32), true),
            (format!(" {}\n", "AB".repeat(32)), true),
            (BASE64.encode(&[171; 32]), true),
            ("ab".repeat(31), false),
            ("ab".repeat(33), false),
            ("zz".repeat(32), false),
            (String::new(), false),
        ] {
            let read = SealingKey::read(&Secret::new(text.clone()));
            assert_eq!(read.is_ok(), is_one, "{text}");
            if let Ok(read) = read {
                assert_eq!(read.id(), key("ab").id());
                assert!(!text.contains(read.id()) && read.id().len() == 16);
            }
        }
    }

    #[test]
    fn a_secret_opens_under_its_key_for_its_provider_at_its_address() {
        let secret = ProviderSecret { api_key: Some("sk-planted".to_owned()), ..ProviderSecret::default() };
        let here = provider("https://a.example/v1");
        let sealed = secret.seal(&key("ab"), "alpha", &here, 7);
        let keys = |current, former| SealingKeys { current, former };
        assert!(
            !String::from_utf8_lossy(&sealed.sealed).contains("planted") && !format!("{secret:?}").contains("planted")
        );
        assert_eq!(keys(Some(key("ab")), None).open(&sealed, &here), Some(secret.clone()));
        assert_eq!(keys(Some(key("cd")), Some(key("ab"))).open(&sealed, &here), Some(secret.clone()));
        assert_eq!(keys(Some(key("cd")), None).open(&sealed, &here), None, "another key");
        assert_eq!(
            keys(Some(key("ab")), None).open(&sealed, &provider("https://b.example/v1")),
            None,
            "another address"
        );
        let moved = SealedSecret { provider: "beta".to_owned(), ..sealed.clone() };
        assert_eq!(keys(Some(key("ab")), None).open(&moved, &here), None, "another provider");
        let renamed = SealedSecret { key_id: key("cd").id().to_owned(), ..sealed.clone() };
        assert_eq!(keys(Some(key("cd")), Some(key("ab"))).open(&renamed, &here), None, "a key that it is not under");
        for cut in 0..sealed.sealed.len() {
            let cut = SealedSecret { sealed: sealed.sealed[..cut].to_vec(), ..sealed.clone() };
            assert_eq!(keys(Some(key("ab")), None).open(&cut, &here), None);
        }
        assert_ne!(secret.seal(&key("ab"), "alpha", &here, 7).sealed, sealed.sealed, "a nonce of its own");
    }
}
