//! The second factor of a person: codes of six digits that change every 30 seconds (TOTP, RFC 6238, SHA-1), and the sealing of
//! their secret by a key that only the password gives. It is a few lines on the HMAC that is here already; a crate for it would
//! bring a second one.

use data_encoding::BASE32_NOPAD;
use qrcode::render::svg::Color;
use qrcode::{EcLevel, QrCode};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, sign};

use tollgate_base::{OperatorId, Secret, draw_bytes};

/// The length that RFC 4226, section 4, recommends: 160 bits.
const SECRET_BYTES: usize = 20;
/// The least that RFC 4226 allows: 128 bits.
const SECRET_BYTES_MIN: usize = 16;
const STEP_MS: i64 = 30_000;
const DIGITS: usize = 6;
/// The steps before and after this one whose codes are taken too, for clocks that differ (RFC 6238, section 5.2).
const STEPS_AROUND: i64 = 1;
pub(super) const SALT_BYTES: usize = 16;
/// The first byte of what is sealed: how its key is made of the password.
const VERSION: u8 = 1;
/// The least width and height of a QR code, in pixels.
const QR_SIDE: u32 = 200;

/// The secret of a second factor.
#[derive(Clone)]
pub(super) struct TotpSecret(Vec<u8>);

impl TotpSecret {
    pub(super) fn draw() -> Self {
        Self(draw_bytes::<SECRET_BYTES>().to_vec())
    }

    /// Reads a secret in base 32, as [`shown`](Self::shown) writes it.
    pub(super) fn read(text: &str) -> Option<Self> {
        let bytes = BASE32_NOPAD.decode(text.as_bytes()).ok()?;
        (SECRET_BYTES_MIN..=64).contains(&bytes.len()).then_some(Self(bytes))
    }

    /// The secret in base 32.
    pub(super) fn shown(&self) -> Secret {
        Secret::new(BASE32_NOPAD.encode(&self.0))
    }

    /// The step whose code it is, where it is one of now and after `last`: each code is taken once.
    pub(super) fn step_of(&self, code: &str, now_ms: i64, last: i64) -> Option<i64> {
        let now = now_ms.div_euclid(STEP_MS);
        let fits = |step: &i64| {
            let shown = self.code(*step);
            // In as much time wherever they differ.
            let differ = shown.bytes().zip(code.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
            code.len() == DIGITS && differ == 0
        };
        (now - STEPS_AROUND..=now + STEPS_AROUND).filter(|step| *step > last).find(fits)
    }

    /// The code of a step (RFC 4226, section 5.3).
    pub(super) fn code(&self, step: i64) -> String {
        let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.0);
        let hash = sign(&key, &step.to_be_bytes());
        let hash = hash.as_ref();
        let start = usize::from(hash[hash.len() - 1] & 0xf);
        let bits = hash[start..start + 4].iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        format!("{:0DIGITS$}", (bits & 0x7fff_ffff) % 10_u32.pow(6))
    }

    /// Seals it for an operator: version, salt, nonce, and AES-256-GCM under `key`, which the password and the salt give.
    pub(super) fn seal(&self, operator: OperatorId, salt: &[u8; SALT_BYTES], key: &[u8; 32]) -> Vec<u8> {
        let nonce: [u8; NONCE_LEN] = draw_bytes();
        let mut sealed = self.0.clone();
        cipher(key)
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), bound_to(operator), &mut sealed)
            .expect("a few bytes are sealed");
        [[VERSION].as_slice(), salt, &nonce, &sealed].concat()
    }

    /// Opens what was sealed for an operator.
    pub(super) fn open(sealed: &[u8], operator: OperatorId, key: &[u8; 32]) -> Option<Self> {
        let (nonce, body) = sealed.get(1 + SALT_BYTES..)?.split_at_checked(NONCE_LEN)?;
        let mut body = body.to_vec();
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let opened = cipher(key).open_in_place(nonce, bound_to(operator), &mut body).ok()?;
        Some(Self(opened.to_vec()))
    }
}

/// The salt of what was sealed.
pub(super) fn salt(sealed: &[u8]) -> Option<[u8; SALT_BYTES]> {
    let (version, rest) = sealed.split_first()?;
    (*version == VERSION).then(|| rest.get(..SALT_BYTES)?.try_into().ok())?
}

/// The `otpauth:` URI of a secret, as authenticator apps read it.
pub(super) fn uri(issuer: &str, name: &str, secret: &TotpSecret) -> Secret {
    let escaped = |text: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        text.bytes()
            .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
            .collect()
    };
    let (issuer, name): (String, String) = (escaped(issuer), escaped(name));
    Secret::new(format!("otpauth://totp/{issuer}:{name}?secret={}&issuer={issuer}", secret.shown().reveal()))
}

/// A URI as a QR code, drawn as SVG: black on white, since phones read no other. `None` where it is longer than a code can be.
pub(super) fn qr_svg(uri: &Secret) -> Option<Secret> {
    let code = QrCode::with_error_correction_level(uri.reveal(), EcLevel::M).ok()?;
    let mut drawing = code.render::<Color<'_>>();
    Some(Secret::new(
        drawing.min_dimensions(QR_SIDE, QR_SIDE).dark_color(Color("#000")).light_color(Color("#fff")).build(),
    ))
}

fn cipher(key: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).expect("the key has the length of the cipher"))
}

fn bound_to(operator: OperatorId) -> Aad<[u8; 8]> {
    Aad::from(operator.0.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of RFC 6238, appendix B, and its codes, of which six digits are shown here.
    #[test]
    fn codes_are_those_of_the_standard() {
        let secret = TotpSecret(b"12345678901234567890".to_vec());
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(secret.code(seconds / 30), code, "{seconds}");
        }
    }

    #[test]
    fn a_code_is_taken_around_its_time_and_once() {
        let secret = TotpSecret::draw();
        let now_ms = 1_000 * STEP_MS;
        for (step, taken) in [(998, false), (999, true), (1_000, true), (1_001, true), (1_002, false)] {
            let found = secret.step_of(&secret.code(step), now_ms, 0);
            assert_eq!(found.is_some(), taken, "{step}");
        }
        let code = secret.code(1_000);
        assert!(secret.step_of(&code, now_ms, 1_000).is_none_or(|step| secret.code(step) == code && step > 1_000));
        for other in ["", "12345", "1234567", "abcdef", "12345é"] {
            assert_eq!(secret.step_of(other, now_ms, 0), None, "{other}");
        }
    }

    #[test]
    fn a_seal_opens_for_its_operator_and_key_alone() {
        let secret = TotpSecret::draw();
        let (salt_of, key) = ([7; SALT_BYTES], [8; 32]);
        let sealed = secret.seal(OperatorId(1), &salt_of, &key);
        assert_eq!(salt(&sealed), Some(salt_of));
        let opened = TotpSecret::open(&sealed, OperatorId(1), &key).expect("its own");
        assert_eq!(opened.shown(), secret.shown());
        assert!(TotpSecret::open(&sealed, OperatorId(2), &key).is_none());
        assert!(TotpSecret::open(&sealed, OperatorId(1), &[9; 32]).is_none());
        assert!(TotpSecret::open(&sealed[..20], OperatorId(1), &key).is_none());
        assert_eq!(TotpSecret::read(secret.shown().reveal()).expect("read back").shown(), secret.shown());
        assert!(TotpSecret::read("AAAA").is_none() && TotpSecret::read("not base 32").is_none());
    }

    #[test]
    fn the_uri_of_the_longest_name_fits_into_a_drawing() {
        let drawn = qr_svg(&uri("Tollgate", &"é".repeat(64), &TotpSecret::draw())).expect("it fits");
        assert!(drawn.reveal().contains("<svg") && !drawn.reveal().contains("script"));
        assert!(qr_svg(&Secret::new("x".repeat(3_000))).is_none());
    }

    #[test]
    fn the_uri_of_a_secret_is_escaped() {
        let secret = TotpSecret(b"12345678901234567890".to_vec());
        assert_eq!(
            uri("Gate & co", "ada@x", &secret).reveal(),
            "otpauth://totp/Gate%20%26%20co:ada%40x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Gate%20%26%20co"
        );
    }
}
