//! The signature of the wire: RSA with PKCS #1 v1.5 padding over SHA-256, of the path, the client, the time and the body.
//!
//! All four messages are signed as a POST to the path of the request, answers with their own time: what we ask, what we are
//! answered, what we are notified of, and how we acknowledge it.

use std::fmt;

use data_encoding::BASE64;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::keys::{SigningKey, VerifyingKeys};
use super::payment_id::is_name;

/// The header with the merchant's id at the provider.
pub const CLIENT_ID: &str = "client-id";
/// The header with the time of a request.
pub const REQUEST_TIME: &str = "request-time";
/// The header with the time of an answer.
pub const RESPONSE_TIME: &str = "response-time";
/// The header with the signature.
pub const SIGNATURE: &str = "signature";
const ALGORITHM: &str = "RSA256";
/// The version of the key where the header names none.
const FIRST_VERSION: &str = "1";
/// The start of the last attribute, the signature.
const LAST: &str = "signature=";

/// The parts that a signature covers.
#[derive(Debug, Clone, Copy)]
pub struct SignatureInput<'a> {
    /// The path that was called, with its query.
    pub path: &'a str,
    /// The merchant's id at the provider.
    pub client_id: &'a str,
    /// The time, as the header has it.
    pub time: &'a str,
    /// The raw body.
    pub body: &'a [u8],
}

/// The reason for which a signature is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    /// The header has not the form of a signature header.
    #[error("the signature header has no readable signature")]
    Header,
    /// The header names another algorithm, or none.
    #[error("the signature is of another algorithm than RSA256")]
    Algorithm,
    /// It names a version of which no key is configured.
    #[error(
        "the signature names version {version:?} of the key, which is not configured: where the provider's console shows a key \
        of that version, add it to `topup.ewallet.provider_keys`"
    )]
    KeyVersion {
        /// The version, of at most 64 visible ASCII characters.
        version: String,
    },
    /// The signature was not made with that key over these bytes.
    #[error("the signature does not verify")]
    Wrong,
}

/// A signature header, taken apart.
#[derive(PartialEq, Eq)]
pub struct SignatureHeader<'a> {
    algorithm: &'a str,
    key_version: &'a str,
    signature: Vec<u8>,
}

impl fmt::Debug for SignatureHeader<'_> {
    /// Without the signature, which has no place in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignatureHeader({}, {})", self.algorithm, self.key_version)
    }
}

impl SignatureInput<'_> {
    /// The text that is signed.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let Self { path, client_id, time, body } = self;
        [format!("POST {path}\n{client_id}.{time}.").as_bytes(), body].concat()
    }

    /// The signature header for these parts.
    #[must_use]
    pub fn header(&self, key: &SigningKey, key_version: &str) -> String {
        let signature = BASE64.encode(&key.sign(&self.text()));
        let signature = utf8_percent_encode(&signature, NON_ALPHANUMERIC);
        format!("algorithm={ALGORITHM}, keyVersion={key_version}, {LAST}{signature}")
    }

    /// Verifies that `header` signs these parts, by the key of the version that it names.
    ///
    /// # Errors
    /// When it does not, or no key of that version is known.
    pub fn verify(&self, header: &str, keys: &VerifyingKeys) -> Result<(), BadSignature> {
        let header = SignatureHeader::read(header)?;
        if header.algorithm != ALGORITHM {
            return Err(BadSignature::Algorithm);
        }
        let version = header.key_version;
        let key = keys.of_version(version).ok_or_else(|| BadSignature::KeyVersion { version: version.to_owned() })?;
        if key.verifies(&self.text(), &header.signature) { Ok(()) } else { Err(BadSignature::Wrong) }
    }
}

impl<'a> SignatureHeader<'a> {
    /// Reads `algorithm=RSA256, keyVersion=1, signature=…`, with spaces behind the commas or without.
    ///
    /// # Errors
    /// When a part is missing, twice, too long or no base64.
    pub fn read(header: &'a str) -> Result<Self, BadSignature> {
        let (attributes, signature) = header.split_once(LAST).ok_or(BadSignature::Header)?;
        let (mut algorithm, mut key_version) = (None, None);
        for attribute in attributes.split(',').map(str::trim).filter(|attribute| !attribute.is_empty()) {
            let (name, value) = attribute.split_once('=').ok_or(BadSignature::Header)?;
            let twice = match name {
                "algorithm" => algorithm.replace(value).is_some(),
                "keyVersion" => key_version.replace(value).is_some(),
                // Says nothing that we go by.
                _ => false,
            };
            if twice {
                return Err(BadSignature::Header);
            }
        }
        let key_version = key_version.unwrap_or(FIRST_VERSION);
        if !is_name(key_version) {
            return Err(BadSignature::Header);
        }
        // Decoded as a path is and not as a form is: a `+` is a letter of base64, and stays one.
        let signature: Vec<u8> = percent_decode_str(signature.trim()).collect();
        Ok(Self {
            algorithm: algorithm.ok_or(BadSignature::Algorithm)?,
            key_version,
            signature: BASE64.decode(&signature).map_err(|_| BadSignature::Header)?,
        })
    }
}
