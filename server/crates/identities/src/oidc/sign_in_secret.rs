//! The secret of one sign-in, and what is derived from it.
//!
//! State, nonce and verifier of PKCE are hashes of it, for one provider and purpose: whoever gives the secret back has begun that
//! sign-in, and the service keeps nothing meanwhile. Of what stands in addresses, none tells the secret or the verifier.

use data_encoding::BASE64URL_NOPAD;
use ring::digest::{SHA256, digest};

use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Secret, draw_bytes};

const RANDOM_BYTES: usize = 32;

/// The purpose of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OidcPurpose {
    /// A session.
    SignIn,
    /// Another way to sign in to this account.
    Link(AccountId),
}

/// The secret of one sign-in: when it began in unix seconds, a dot and 256 random bits.
#[derive(Debug)]
pub(crate) struct SignInSecret {
    text: Secret,
    begun_at_ms: i64,
}

/// The values that the provider is told of a secret.
pub(super) struct DerivedValues {
    pub(super) state: String,
    pub(super) nonce: String,
    /// The verifier of PKCE, which is told with the code alone.
    pub(super) verifier: Secret,
}

impl SignInSecret {
    pub(super) fn draw(now_ms: i64) -> Self {
        let begun = now_ms.div_euclid(1000);
        let random = BASE64URL_NOPAD.encode(&draw_bytes::<RANDOM_BYTES>());
        Self { text: Secret::new(format!("{begun}.{random}")), begun_at_ms: begun.saturating_mul(1000) }
    }

    /// Reads a secret as it was drawn. One that somebody made up is as good, for the sign-in that they make up with it.
    pub(super) fn read(text: &Secret) -> Option<Self> {
        let (begun, random) = text.reveal().split_once('.')?;
        let is_whole = BASE64URL_NOPAD.decode(random.as_bytes()).is_ok_and(|bytes| bytes.len() == RANDOM_BYTES);
        let begun: i64 = begun.parse().ok().filter(|_| is_whole)?;
        Some(Self { text: text.clone(), begun_at_ms: begun.saturating_mul(1000) })
    }

    pub(super) fn begun_at_ms(&self) -> i64 {
        self.begun_at_ms
    }

    pub(super) fn ends_at_ms(&self) -> i64 {
        self.begun_at_ms.saturating_add(i64::try_from(limits::OIDC_SIGN_IN_AGE.as_millis()).expect("some minutes"))
    }

    pub(super) fn is_in_time(&self, now_ms: i64) -> bool {
        now_ms < self.ends_at_ms()
    }

    pub(super) fn into_secret(self) -> Secret {
        self.text
    }

    pub(super) fn derive(&self, provider: &str, purpose: OidcPurpose) -> DerivedValues {
        let purpose = match purpose {
            OidcPurpose::SignIn => "sign in".to_owned(),
            OidcPurpose::Link(account) => format!("link {account}"),
        };
        let hash = |of: &str| {
            let text = format!("tollgate oidc {of}\n{provider}\n{purpose}\n{}", self.text.reveal());
            BASE64URL_NOPAD.encode(digest(&SHA256, text.as_bytes()).as_ref())
        };
        DerivedValues { state: hash("state"), nonce: hash("nonce"), verifier: Secret::new(hash("verifier")) }
    }
}

impl DerivedValues {
    /// The challenge of PKCE (RFC 7636, 4.2).
    pub(super) fn challenge(&self) -> String {
        BASE64URL_NOPAD.encode(digest(&SHA256, self.verifier.reveal().as_bytes()).as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_795_230_000_500;

    #[test]
    fn a_secret_is_good_for_its_provider_purpose_and_time() {
        let secret = SignInSecret::draw(NOW_MS);
        let here = secret.derive("a", OidcPurpose::SignIn);
        let again = SignInSecret::read(&secret.text).unwrap();
        assert_eq!(again.derive("a", OidcPurpose::SignIn).state, here.state);
        assert_eq!(again.begun_at_ms(), 1_795_230_000_000);
        assert!(again.is_in_time(1_795_230_599_999) && !again.is_in_time(1_795_230_600_000));
        for (provider, purpose) in
            [("b", OidcPurpose::SignIn), ("a", OidcPurpose::Link(AccountId(1))), ("a", OidcPurpose::Link(AccountId(2)))]
        {
            let there = secret.derive(provider, purpose);
            assert!(there.state != here.state && there.nonce != here.nonce && there.verifier != here.verifier);
        }
        assert!(here.state != here.nonce && here.nonce != here.verifier.reveal());
        // RFC 7636, appendix B.
        let verifier = Secret::new("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned());
        let known = DerivedValues { verifier, ..here };
        assert_eq!(known.challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn what_is_no_secret_is_not_read() {
        let random = BASE64URL_NOPAD.encode(&[7; RANDOM_BYTES]);
        for text in ["", ".", "1795230000", &random, &format!("x.{random}"), "1795230000.AAAA", &format!("1.{random}A")]
        {
            assert!(SignInSecret::read(&Secret::new(text.to_owned())).is_none(), "{text}");
        }
        let ahead = SignInSecret::read(&Secret::new(format!("{}.{random}", i64::MAX))).unwrap();
        assert!(ahead.is_in_time(NOW_MS));
    }
}
