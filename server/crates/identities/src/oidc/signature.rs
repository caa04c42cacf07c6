//! The signatures of tokens, checked by `ring`, which is linked for TLS in any case. What the library brings for it is either a
//! second library in C or the `rsa` crate, whose private keys leak by their timing (RUSTSEC-2023-0071).

use jsonwebtoken::crypto::{CryptoProvider, JwkUtils, JwtVerifier};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{Error as Mismatch, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
    RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(unfit()),
    verifier_factory: |algorithm, key| Ok(Box::new(KeyCheck { algorithm: *algorithm, key: key.clone() })),
    jwk_utils: JwkUtils::new_unimplemented(),
};

struct KeyCheck {
    algorithm: Algorithm,
    key: DecodingKey,
}

/// Lets the library check by this. Twice is the same as once.
pub(super) fn install() {
    // Fails when it is installed already, which is as good.
    let _ = PROVIDER.install_default();
}

fn unfit() -> Error {
    Error::from(ErrorKind::InvalidAlgorithm)
}

impl JwtVerifier for KeyCheck {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for KeyCheck {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), Mismatch> {
        // A key is of one family: what an algorithm of another would make of its bytes is nothing.
        let checked = match (self.algorithm, self.key.family(), self.key.kind()) {
            (Algorithm::RS256, AlgorithmFamily::Rsa, key) => {
                of_rsa(&RSA_PKCS1_2048_8192_SHA256, key, message, signature)
            }
            (Algorithm::PS256, AlgorithmFamily::Rsa, key) => of_rsa(&RSA_PSS_2048_8192_SHA256, key, message, signature),
            (Algorithm::ES256, AlgorithmFamily::Ec, key) => of_point(&ECDSA_P256_SHA256_FIXED, key, message, signature),
            (Algorithm::ES384, AlgorithmFamily::Ec, key) => of_point(&ECDSA_P384_SHA384_FIXED, key, message, signature),
            (Algorithm::EdDSA, AlgorithmFamily::Ed, key) => of_point(&ED25519, key, message, signature),
            _ => None,
        };
        checked.ok_or_else(Mismatch::new)
    }
}

fn of_rsa(by: &'static RsaParameters, key: &DecodingKeyKind, message: &[u8], signature: &[u8]) -> Option<()> {
    let DecodingKeyKind::RsaModulusExponent { n, e } = key else { return None };
    RsaPublicKeyComponents { n, e }.verify(by, message, signature).ok()
}

fn of_point(
    by: &'static dyn VerificationAlgorithm,
    key: &DecodingKeyKind,
    message: &[u8],
    signature: &[u8],
) -> Option<()> {
    let DecodingKeyKind::SecretOrDer(point) = key else { return None };
    UnparsedPublicKey::new(by, point).verify(message, signature).ok()
}
