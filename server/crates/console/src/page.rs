//! Any page as it is sent, and what its policy lets it do.

use bytes::Bytes;
use data_encoding::BASE64;
use http::HeaderValue;
use http::header::InvalidHeaderValue;
use sha2::{Digest, Sha256};

use tollgate_base::{Accent, Branding, Logo};

const STYLE: &str = include_str!("../templates/console.css");

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

/// What all pages bear: the style in the accent of the service, its name, and its logo within the page.
#[derive(Debug)]
pub(super) struct PageBranding {
    pub(super) style: String,
    pub(super) name: String,
    /// Address of the logo with the picture in it; empty where there is none.
    pub(super) logo: String,
}

impl PageBranding {
    pub(super) fn of(branding: &Branding) -> Self {
        let logo = |logo: &Logo| format!("data:{};base64,{}", logo.content_type(), BASE64.encode(logo.bytes()));
        Self {
            style: format!("{STYLE}{}", branding.accent.map(Accent::style).unwrap_or_default()),
            name: branding.name.to_string(),
            logo: branding.logo.as_ref().map(logo).unwrap_or_default(),
        }
    }
}

/// Content security policy of a page with this style and script: its own parts, the service's operations, and pictures that
/// wallets bring along.
pub(super) fn policy(style: &str, script: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)));
    let (script, style) = (hash(script), hash(style));
    HeaderValue::try_from(format!(
        "default-src 'none'; script-src {script}; style-src {style}; img-src 'self' data:; connect-src 'self'; \
         form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ))
}

#[cfg(test)]
mod tests {
    use super::STYLE;

    /// An accent is made readable on these grounds.
    #[test]
    fn the_style_has_the_grounds_and_variables_of_an_accent() {
        for variables in [
            "--ground: #f3f4f6; --card: #fff;",
            "--ground: #101216; --card: #1a1d23;",
            "--act: #1456d9; --fill: var(--act); --on-fill: #fff;",
        ] {
            assert!(STYLE.contains(variables), "{variables}");
        }
    }
}
