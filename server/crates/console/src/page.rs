//! Any page as it is sent, and what its policy lets it do.

use bytes::Bytes;
use data_encoding::BASE64;
use http::HeaderValue;
use http::header::InvalidHeaderValue;
use sha2::{Digest, Sha256};

pub(super) const STYLE: &str = include_str!("../templates/console.css");

/// A page could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// Its template.
    #[error("filling in the template of a page failed")]
    Template(#[from] askama::Error),
    /// Its policy.
    #[error("writing the policy of a page failed")]
    Policy(#[from] InvalidHeaderValue),
}

/// A page as it is sent.
#[derive(Debug)]
pub(super) struct RenderedPage {
    pub(super) html: Bytes,
    /// Content security policy of the page.
    pub(super) policy: HeaderValue,
}

/// Content security policy of a page with this script: its own parts, the service's operations, and pictures that wallets bring
/// along.
pub(super) fn policy(script: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)));
    let (script, style) = (hash(script), hash(STYLE));
    HeaderValue::try_from(format!(
        "default-src 'none'; script-src {script}; style-src {style}; img-src 'self' data:; connect-src 'self'; \
         form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ))
}
