//! The keys of a side: its own, with which it signs, and those of the other side, by which it verifies.
//!
//! Both as a provider's console shows them: base64 on one line, or PEM. RSA of 2048 bits or more; ring holds the numbers,
//! because the pure implementation of RSA has had an advisory about its timing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use data_encoding::BASE64;
use ring::rand::SystemRandom;
use ring::rsa::KeyPair;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, UnparsedPublicKey};
use spki::der::{Decode, Document};
use spki::{ObjectIdentifier, SubjectPublicKeyInfoRef};

use tollgate_base::Secret;

/// `rsaEncryption`.
const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
/// A modulus of 2048 bits with the smallest exponent, and their lengths. With less, ring verifies nothing.
const PUBLIC_BYTES_LEAST: usize = 268;

/// The reason for which a text is no key that can be used. It says nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It is neither base64 nor PEM.
    #[error("it is neither base64 nor PEM")]
    Text,
    /// It is PEM of another kind.
    #[error(
        "it is a PEM file of another kind: a private key stands in \"PRIVATE KEY\" (PKCS #8), a public one in \"PUBLIC KEY\""
    )]
    Label,
    /// Of a private key: not one, of another algorithm, or too short.
    #[error("it is no private RSA key of 2048 to 4096 bits in PKCS #8 form")]
    Private,
    /// Of a public key: not one, of another algorithm, or too short.
    #[error("it is no public RSA key of at least 2048 bits in X.509 form")]
    Public,
}

/// A private key. Cheap to clone.
#[derive(Clone)]
pub struct SigningKey(Arc<KeyPair>);

/// A public key of the other side. Cheap to clone.
#[derive(Clone)]
pub struct VerifyingKey(Arc<UnparsedPublicKey<Vec<u8>>>);

/// The public keys of the other side by version: more than one while it rotates them.
#[derive(Debug, Clone)]
pub struct VerifyingKeys(BTreeMap<String, VerifyingKey>);

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey")
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VerifyingKey")
    }
}

impl SigningKey {
    /// Reads a private key in PKCS #8 form.
    ///
    /// # Errors
    /// When it is none, or too short.
    pub fn read(text: &Secret) -> Result<Self, KeyError> {
        let der = der(text.reveal(), "PRIVATE KEY")?;
        KeyPair::from_pkcs8(&der).map(|pair| Self(Arc::new(pair))).map_err(|_| KeyError::Private)
    }

    /// The signature of a text.
    pub(super) fn sign(&self, text: &[u8]) -> Vec<u8> {
        let mut signature = vec![0; self.0.public().modulus_len()];
        let signed = self.0.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text, &mut signature);
        signed.expect("the signature has the length of the modulus, and the system has randomness");
        signature
    }
}

impl VerifyingKey {
    /// Reads a public key in the form of X.509, `SubjectPublicKeyInfo`.
    ///
    /// # Errors
    /// When it is none, or too short.
    pub fn read(text: &str) -> Result<Self, KeyError> {
        let der = der(text, "PUBLIC KEY")?;
        let key = SubjectPublicKeyInfoRef::from_der(&der).map_err(|_| KeyError::Public)?;
        let is_long = |bits: &&[u8]| key.algorithm.oid == RSA && bits.len() >= PUBLIC_BYTES_LEAST;
        let bits = key.subject_public_key.as_bytes().filter(is_long).ok_or(KeyError::Public)?;
        Ok(Self(Arc::new(UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, bits.to_vec()))))
    }

    /// True if this signature of a text was made with the private half.
    pub(super) fn verifies(&self, text: &[u8], signature: &[u8]) -> bool {
        self.0.verify(text, signature).is_ok()
    }
}

impl VerifyingKeys {
    /// One key, under its version.
    #[must_use]
    pub fn one(version: &str, key: VerifyingKey) -> Self {
        Self(BTreeMap::from([(version.to_owned(), key)]))
    }

    /// The key of a version.
    pub(super) fn of_version(&self, version: &str) -> Option<&VerifyingKey> {
        self.0.get(version)
    }
}

impl FromIterator<(String, VerifyingKey)> for VerifyingKeys {
    /// The later one of two keys with the same version wins.
    fn from_iter<I: IntoIterator<Item = (String, VerifyingKey)>>(keys: I) -> Self {
        Self(keys.into_iter().collect())
    }
}

fn der(text: &str, label: &str) -> Result<Vec<u8>, KeyError> {
    let text = text.trim();
    if text.starts_with("-----BEGIN") {
        let (found, document) = Document::from_pem(text).map_err(|_| KeyError::Text)?;
        return if found == label { Ok(document.as_bytes().to_vec()) } else { Err(KeyError::Label) };
    }
    let bare: String = text.split_whitespace().collect();
    BASE64.decode(bare.as_bytes()).map_err(|_| KeyError::Text)
}
