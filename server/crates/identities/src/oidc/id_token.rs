//! The code against tokens, and whether an ID token counts (OpenID Connect Core 1.0, 3.1.3).

use std::ops::RangeInclusive;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use http::StatusCode;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::call::{OidcClient, answered};
use super::config::OidcProviderConfig;
use super::discovery::ProviderMetadata;
use super::error::OidcError;
use super::signature;
use tollgate_base::Secret;

/// The algorithms that an ID token may be signed by. None goes by a secret, and `none` is none.
const ALGORITHMS: [Algorithm; 5] =
    [Algorithm::RS256, Algorithm::PS256, Algorithm::ES256, Algorithm::ES384, Algorithm::EdDSA];
/// The sizes of an RSA key that signatures are checked by, in bytes.
const RSA_BYTES: RangeInclusive<usize> = 256..=1024;
/// The seconds that the clock of a provider may be apart from ours.
const SKEW: i64 = 60;
/// The longest name that a provider gives a person (OpenID Connect Core 1.0, 2).
const SUBJECT_CHARS_MAX: usize = 255;
const FORM: &str = "application/x-www-form-urlencoded";

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
        return Err(OidcError::Unavailable(format!("tokens: status {} {told}", reply.status.as_u16())));
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
    let claims = signed_claims(token.reveal(), keys, &config.client_id)?;
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
    if claims.sub.is_empty() || claims.sub.chars().count() > SUBJECT_CHARS_MAX {
        return Err(OidcError::Refused("the ID token names nobody"));
    }
    Ok(claims)
}

/// The claims of a token that one of the keys has signed for this service.
fn signed_claims(token: &str, keys: &[Jwk], client_id: &str) -> Result<IdClaims, OidcError> {
    const UNSIGNED: OidcError = OidcError::Refused("the ID token is signed by no key of the provider");
    signature::install();
    // `none` is no algorithm of the library, and is not read.
    let header = decode_header(token).map_err(|_| UNSIGNED)?;
    // What has to be understood is not (RFC 7515, 4.1.11).
    if !ALGORITHMS.contains(&header.alg) || header.crit.is_some() {
        return Err(UNSIGNED);
    }
    let mut validation = Validation::new(header.alg);
    validation.set_audience(&[client_id]);
    validation.set_required_spec_claims(&["aud", "exp", "iss", "sub"]);
    // By our own clock, below.
    validation.validate_exp = false;
    let fitting = keys.iter().filter(|key| signs(key, header.kid.as_deref(), header.alg));
    let mut refusal = UNSIGNED;
    for key in fitting {
        let Ok(key) = DecodingKey::from_jwk(key) else { continue };
        match decode(token, &key, &validation) {
            Ok(decoded) => return Ok(decoded.claims),
            Err(error) => match error.kind() {
                ErrorKind::InvalidAudience => {
                    refusal = OidcError::Refused("the ID token was given to another service");
                }
                ErrorKind::Json(_) => refusal = OidcError::Refused("the ID token has other claims than it should have"),
                _ => {}
            },
        }
    }
    Err(refusal)
}

/// True if an ID token may be signed by a key: it is for signatures, and one that they are checked by here.
pub(super) fn may_sign(key: &Jwk) -> bool {
    let is_of_size = match &key.algorithm {
        AlgorithmParameters::RSA(key) => {
            let modulus = BASE64URL_NOPAD.decode(key.n.as_bytes()).unwrap_or_default();
            RSA_BYTES.contains(&modulus.len())
        }
        AlgorithmParameters::EllipticCurve(_) | AlgorithmParameters::OctetKeyPair(_) => true,
        AlgorithmParameters::OctetKey(_) => false,
    };
    let fits = |algorithm: &Algorithm| match (&key.algorithm, algorithm) {
        (AlgorithmParameters::RSA(_), Algorithm::RS256 | Algorithm::PS256) => true,
        (AlgorithmParameters::EllipticCurve(key), Algorithm::ES256) => key.curve == EllipticCurve::P256,
        (AlgorithmParameters::EllipticCurve(key), Algorithm::ES384) => key.curve == EllipticCurve::P384,
        (AlgorithmParameters::OctetKeyPair(key), Algorithm::EdDSA) => key.curve == EllipticCurve::Ed25519,
        _ => false,
    };
    let can_be_read = DecodingKey::from_jwk(key).is_ok();
    is_of_size && can_be_read && ALGORITHMS.iter().any(|algorithm| fits(algorithm) && signs(key, None, *algorithm))
}

/// True if a key may have signed a token with this header. A token that names no key may be of any.
fn signs(key: &Jwk, named: Option<&str>, algorithm: Algorithm) -> bool {
    let common = &key.common;
    let is_named = named.is_none() || common.key_id.as_deref() == named;
    let is_to_sign = common.public_key_use.as_ref().is_none_or(|usage| *usage == PublicKeyUse::Signature)
        && common.key_operations.as_ref().is_none_or(|all| all.contains(&KeyOperations::Verify));
    let is_for_it = common.key_algorithm.is_none_or(|known| known.to_string() == format!("{algorithm:?}"));
    is_named && is_to_sign && is_for_it
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_that_sign_nothing_are_told_from_those_that_do() {
        let point = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
        let (n, short) = (BASE64URL_NOPAD.encode(&[0xc1; 256]), BASE64URL_NOPAD.encode(&[0xc1; 128]));
        let may = |key: Value| may_sign(&serde_json::from_value(key).expect("a key"));
        for signs in [
            json!({"kty": "RSA", "n": n, "e": "AQAB"}),
            json!({"kty": "RSA", "use": "sig", "alg": "PS256", "n": n, "e": "AQAB"}),
            json!({"kty": "EC", "crv": "P-256", "x": point, "y": point, "key_ops": ["verify"]}),
            json!({"kty": "OKP", "crv": "Ed25519", "x": point}),
        ] {
            assert!(may(signs.clone()), "{signs}");
        }
        for other in [
            json!({"kty": "oct", "k": "AQAB"}),
            json!({"kty": "RSA", "n": short, "e": "AQAB"}),
            json!({"kty": "RSA", "n": "no base64!", "e": "AQAB"}),
            json!({"kty": "RSA", "use": "enc", "n": n, "e": "AQAB"}),
            json!({"kty": "RSA", "alg": "RS512", "n": n, "e": "AQAB"}),
            json!({"kty": "EC", "crv": "P-256", "alg": "ECDH-ES", "x": point, "y": point}),
            json!({"kty": "EC", "crv": "P-521", "x": point, "y": point}),
        ] {
            assert!(!may(other.clone()), "{other}");
        }
    }
}
