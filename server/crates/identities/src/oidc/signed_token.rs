//! Tokens that a provider has signed: by which keys and algorithms they count (OpenID Connect Core 1.0, 3.1.3.7).

use std::ops::RangeInclusive;

use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde::de::DeserializeOwned;

use super::signature;
use tollgate_base::Secret;

/// The algorithms that a token may be signed by. None goes by a secret, and `none` is none.
const ALGORITHMS: [Algorithm; 5] =
    [Algorithm::RS256, Algorithm::PS256, Algorithm::ES256, Algorithm::ES384, Algorithm::EdDSA];
/// The sizes of an RSA key that signatures are checked by, in bytes.
const RSA_BYTES: RangeInclusive<usize> = 256..=1024;
/// The seconds that the clock of a provider may be apart from ours.
pub(super) const SKEW: i64 = 60;
/// The longest name that a provider gives a person (OpenID Connect Core 1.0, 2).
const SUBJECT_CHARS_MAX: usize = 255;

/// The reasons why the claims of a token are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenFault {
    /// None of the keys has signed it, or by no algorithm that counts.
    Unsigned,
    /// It was made for another service.
    OtherService,
    /// Claims are missing, or are of another kind.
    OtherClaims,
}

/// The claims of a token that one of the keys has signed for this service. Their times are not looked at.
pub(super) fn signed_claims<T: DeserializeOwned>(
    token: &Secret,
    keys: &[Jwk],
    client_id: &str,
) -> Result<T, TokenFault> {
    signature::install();
    let header = header(token)?;
    let mut validation = Validation::new(header.alg);
    validation.set_audience(&[client_id]);
    validation.set_required_spec_claims(&["aud", "exp", "iss"]);
    // By our own clock, by whoever reads them.
    validation.validate_exp = false;
    let fitting = keys.iter().filter(|key| signs(key, header.kid.as_deref(), header.alg));
    let mut fault = TokenFault::Unsigned;
    for key in fitting {
        let Ok(key) = DecodingKey::from_jwk(key) else { continue };
        match decode(token.reveal(), &key, &validation) {
            Ok(decoded) => return Ok(decoded.claims),
            Err(error) => match error.kind() {
                ErrorKind::InvalidAudience => fault = TokenFault::OtherService,
                ErrorKind::Json(_) | ErrorKind::MissingRequiredClaim(_) => fault = TokenFault::OtherClaims,
                _ => {}
            },
        }
    }
    Err(fault)
}

/// The header of a token that may count. Nothing shows yet that anybody has signed it.
pub(super) fn header(token: &Secret) -> Result<Header, TokenFault> {
    // `none` is no algorithm of the library, and is not read.
    let header = decode_header(token.reveal()).map_err(|_| TokenFault::Unsigned)?;
    // What has to be understood is not (RFC 7515, 4.1.11).
    let is_known = ALGORITHMS.contains(&header.alg) && header.crit.is_none();
    is_known.then_some(header).ok_or(TokenFault::Unsigned)
}

/// True for what may be the name of a person.
pub(super) fn is_subject(text: &str) -> bool {
    (1..=SUBJECT_CHARS_MAX).contains(&text.chars().count())
}

/// True if a token may be signed by a key: it is for signatures, and one that they are checked by here.
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
    use serde_json::{Value, json};

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
