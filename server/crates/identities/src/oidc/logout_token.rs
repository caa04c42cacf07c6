//! Logout tokens, by which a provider says whom it has signed out (OpenID Connect Back-Channel Logout 1.0, 2.4 and 2.6).

use jsonwebtoken::jwk::Jwk;
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::config::OidcProviderConfig;
use super::error::OidcError;
use super::signed_token::{SKEW, TokenFault, header, is_subject, signed_claims};
use tollgate_base::Secret;

/// The event that a logout token tells.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// The types of a logout token (`typ`), where it tells one.
const TYPES: [&str; 2] = ["logout+jwt", "JWT"];
const TOKEN_BYTES_MAX: usize = 16_384;
const OTHER: OidcError = OidcError::Refused("the token is no logout token");

/// A person whom a provider has signed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OidcLogout {
    /// The name that the provider has given the person for ever (`sub`).
    pub(crate) subject: String,
    /// Unix time in milliseconds of the latest sign-in that has ended with it.
    pub(crate) upto_ms: i64,
}

#[derive(Deserialize)]
struct LogoutRequest {
    logout_token: Secret,
}

/// The claims of a logout token.
#[derive(Debug, Deserialize)]
struct LogoutClaims {
    iss: String,
    /// Absent where a session of the provider is named alone.
    sub: Option<String>,
    exp: i64,
    iat: i64,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The logout token of a request: in a form, or in JSON.
///
/// # Errors
/// [`OidcError::Refused`] where there is none, or more than one.
pub(crate) fn read(body: &[u8]) -> Result<Secret, OidcError> {
    const NONE: OidcError = OidcError::Refused("the request has no logout token, or more than one");
    let token = if body.trim_ascii_start().starts_with(b"{") {
        serde_json::from_slice(body).map(|LogoutRequest { logout_token }| logout_token).map_err(|_| NONE)?
    } else {
        let mut form = Url::parse("form:").expect("it is written above");
        form.set_query(Some(std::str::from_utf8(body).map_err(|_| NONE)?));
        let mut named = form.query_pairs().filter(|(name, _)| name == "logout_token");
        let token = named.next().ok_or(NONE)?.1.into_owned();
        named.next().is_none().then(|| Secret::new(token)).ok_or(NONE)?
    };
    if token.reveal().len() > TOKEN_BYTES_MAX { Err(NONE) } else { Ok(token) }
}

/// The name of the key that has signed a logout token, where it tells one.
pub(super) fn named_key(token: &Secret) -> Result<Option<String>, OidcError> {
    let header = header(token).map_err(refused)?;
    let is_logout = header.typ.is_none_or(|kind| TYPES.iter().any(|known| kind.eq_ignore_ascii_case(known)));
    if is_logout { Ok(header.kid) } else { Err(OTHER) }
}

/// The person whom a logout token names, where one of the keys has signed it and it counts now, in unix milliseconds.
pub(super) fn verified(
    config: &OidcProviderConfig,
    (token, keys): (&Secret, &[Jwk]),
    now_ms: i64,
) -> Result<OidcLogout, OidcError> {
    let claims: LogoutClaims = signed_claims(token, keys, &config.client_id).map_err(refused)?;
    let now = now_ms.div_euclid(1000);
    if claims.iss != config.issuer {
        return Err(OidcError::Refused("the logout token is of another issuer"));
    }
    if claims.iat > now + SKEW || now >= claims.exp.saturating_add(SKEW) {
        return Err(OidcError::Refused("the logout token is not of this time"));
    }
    // An ID token tells no event, and has a nonce.
    let is_logout = claims.others.get("events").is_some_and(|events| events.get(EVENT).is_some_and(Value::is_object));
    if !is_logout || claims.others.contains_key("nonce") {
        return Err(OTHER);
    }
    let subject = claims.sub.filter(|subject| is_subject(subject));
    let subject = subject.ok_or(OidcError::Refused("the logout token names nobody by `sub`"))?;
    let upto_ms = claims.iat.saturating_add(SKEW).saturating_mul(1000).saturating_add(999);
    Ok(OidcLogout { subject, upto_ms })
}

fn refused(fault: TokenFault) -> OidcError {
    OidcError::Refused(match fault {
        TokenFault::Unsigned => "the logout token is signed by no key of the provider",
        TokenFault::OtherService => "the logout token was given to another service",
        TokenFault::OtherClaims => "the logout token has other claims than it should have",
    })
}
