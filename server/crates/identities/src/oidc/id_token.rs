//! The code against tokens, and whether an ID token counts (OpenID Connect Core 1.0, 3.1.3).

use data_encoding::BASE64;
use http::StatusCode;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use jsonwebtoken::jwk::Jwk;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::call::{OidcClient, answered};
use super::config::OidcProviderConfig;
use super::discovery::ProviderMetadata;
use super::error::OidcError;
use super::signed_token::{SKEW, TokenFault, is_subject, signed_claims};
use tollgate_base::Secret;

const FORM: &str = "application/x-www-form-urlencoded";
/// Errors of a token endpoint about the service and not the code (RFC 6749, 5.2).
const CLIENT_REFUSED: [&str; 2] = ["invalid_client", "unauthorized_client"];

/// The tokens that a code was exchanged for.
pub(super) struct Tokens {
    pub(super) id_token: Secret,
    /// The token by which more is told of the person.
    pub(super) access_token: Option<Secret>,
}

/// The claims of an ID token.
#[derive(Debug, Deserialize)]
pub(super) struct IdClaims {
    iss: String,
    pub(super) sub: String,
    exp: i64,
    iat: i64,
    nbf: Option<i64>,
    nonce: Option<String>,
    azp: Option<String>,
    /// One service, or several.
    aud: Value,
    #[serde(flatten)]
    pub(super) others: Map<String, Value>,
}

#[derive(Deserialize)]
struct TokenReply {
    id_token: Option<Secret>,
    access_token: Option<Secret>,
}

#[derive(Deserialize)]
struct TokenRefusal {
    error: String,
}

/// Gives the code back for tokens. `return_url` is the address that the browser came back to.
pub(super) async fn exchange(
    client: &OidcClient,
    config: &OidcProviderConfig,
    metadata: &ProviderMetadata,
    (code, verifier, return_url): (&Secret, &Secret, &str),
) -> Result<Tokens, OidcError> {
    let mut form = Url::parse("form:").expect("it is written above");
    form.query_pairs_mut()
        .append_pair("grant_type", "authorization_code")
        .append_pair("code", code.reveal())
        .append_pair("redirect_uri", return_url)
        .append_pair("code_verifier", verifier.reveal());
    let mut request = client.post(metadata.token_endpoint.clone());
    match &config.client_secret {
        Some(secret) if metadata.takes_basic => {
            // RFC 6749, 2.3.1: both are written as in a form.
            let part = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
            let pair = format!("{}:{}", part(&config.client_id), part(secret.reveal()));
            request = request.header(AUTHORIZATION, format!("Basic {}", BASE64.encode(pair.as_bytes())));
        }
        Some(secret) => {
            form.query_pairs_mut()
                .append_pair("client_id", &config.client_id)
                .append_pair("client_secret", secret.reveal());
        }
        None => drop(form.query_pairs_mut().append_pair("client_id", &config.client_id)),
    }
    let body = form.query().unwrap_or_default().to_owned();
    let reply = answered(request.header(CONTENT_TYPE, FORM).body(body), "tokens").await?;
    if reply.status != StatusCode::OK {
        let refusal = reply.json::<TokenRefusal>("tokens").map(|refusal| refusal.error).unwrap_or_default();
        if reply.status.is_client_error() && refusal == "invalid_grant" {
            return Err(OidcError::Refused("the code was used before, is too old, or is another's"));
        }
        let told = refusal.chars().filter(char::is_ascii_graphic).take(64).collect::<String>();
        let told = format!("tokens: status {} {told}", reply.status.as_u16());
        // What it refuses of the service is no fault of whoever signs in.
        let is_ours = CLIENT_REFUSED.contains(&refusal.as_str()) || reply.status == StatusCode::TOO_MANY_REQUESTS;
        let is_of_code = reply.status.is_client_error() && !is_ours;
        return Err(if is_of_code { OidcError::NotExchanged(told) } else { OidcError::Unavailable(told) });
    }
    let TokenReply { id_token, access_token } = reply.json("tokens")?;
    let id_token = id_token.ok_or_else(|| OidcError::Unavailable("tokens: no ID token".to_owned()))?;
    Ok(Tokens { id_token, access_token })
}

/// The claims of an ID token, where one of the keys has signed it and it counts now, in unix milliseconds, for the sign-in with this nonce
/// that began then.
pub(super) fn verified(
    config: &OidcProviderConfig,
    (token, keys): (&Secret, &[Jwk]),
    nonce: &str,
    (begun_at_ms, now_ms): (i64, i64),
) -> Result<IdClaims, OidcError> {
    let claims: IdClaims = signed_claims(token, keys, &config.client_id).map_err(|fault| match fault {
        TokenFault::Unsigned => OidcError::Refused("the ID token is signed by no key of the provider"),
        TokenFault::OtherService => OidcError::Refused("the ID token was given to another service"),
        TokenFault::OtherClaims => OidcError::Refused("the ID token has other claims than it should have"),
    })?;
    let now = now_ms.div_euclid(1000);
    if claims.iss != config.issuer {
        return Err(OidcError::Refused("the ID token is of another issuer"));
    }
    let is_shared = claims.aud.as_array().is_some_and(|services| services.len() > 1);
    if claims.azp.as_ref().map_or(is_shared, |party| *party != config.client_id) {
        return Err(OidcError::Refused("the ID token was given to another service"));
    }
    if claims.nonce.as_deref() != Some(nonce) {
        return Err(OidcError::Refused("the ID token belongs to another sign-in"));
    }
    let is_early = claims.iat > now + SKEW || claims.nbf.is_some_and(|from| from > now + SKEW);
    // It was made for this sign-in, so not before.
    let is_late = now >= claims.exp.saturating_add(SKEW) || claims.iat < begun_at_ms.div_euclid(1000) - SKEW;
    if is_early || is_late {
        return Err(OidcError::Refused("the ID token is not of this time"));
    }
    if !is_subject(&claims.sub) {
        return Err(OidcError::Refused("the ID token names nobody"));
    }
    Ok(claims)
}
