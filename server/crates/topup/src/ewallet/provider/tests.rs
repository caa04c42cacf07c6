//! The signatures of another implementation, in both directions, and whatever claims to be a notice.
//!
//! The vectors were made by `openssl dgst -sha256 -sign` with the published keys over the texts that the tests name.

mod answers;
mod forged;
mod notices;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::published::{CLIENT_ID, MERCHANT_PRIVATE, PROVIDER_PRIVATE, PROVIDER_PUBLIC};
use super::*;
use tollgate_base::{Clock, Secret, Usd};

/// 2026-11-21T08:30:00Z
const NOW: i64 = 1_795_249_800_000;
const PATH: &str = "/api/topup/ewallet/notify/antom";
const NOTICE: &str = include_str!("tests/vectors/notice.json");
const NOTICE_SIGNATURE: &str = include_str!("tests/vectors/notice.signature.txt");
const NOTICE_TIME: &str = "2026-11-21T08:30:00Z";
const ASK: &str = include_str!("tests/vectors/ask.json");
const ASK_SIGNATURE: &str = include_str!("tests/vectors/ask.signature.txt");

fn merchant_key(text: &str) -> Result<SigningKey, KeyError> {
    SigningKey::read(&Secret::new(text.to_owned()))
}

fn config() -> Config {
    Config {
        provider: "antom".to_owned(),
        base_url: "http://127.0.0.1:1".to_owned(),
        client_id: CLIENT_ID.to_owned(),
        key_version: "1".to_owned(),
        merchant_key: merchant_key(MERCHANT_PRIVATE).unwrap(),
        provider_keys: VerifyingKeys::one("1", VerifyingKey::read(PROVIDER_PUBLIC).unwrap()),
        request_time: RequestTimeFormat::default(),
        wallets: default_wallets(),
        return_url: None,
    }
}

/// Made once: its client reads all certificates of the system.
static ANTOM: LazyLock<Antom> = LazyLock::new(|| Antom::new(config(), Clock::manual(NOW).0).unwrap());

fn asked() -> SignatureInput<'static> {
    let path = "/ams/sandbox/api/v1/payments/inquiryPayment";
    SignatureInput { path, client_id: CLIENT_ID, time: "2026-11-21T08:30:00.125Z", body: ASK.as_bytes() }
}

#[test]
fn what_we_sign_is_what_openssl_signs() {
    let key = merchant_key(MERCHANT_PRIVATE).unwrap();
    let escaped = ASK_SIGNATURE.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    assert_eq!(asked().header(&key, "1"), format!("algorithm=RSA256, keyVersion=1, signature={escaped}"));
}

#[test]
fn what_openssl_signed_is_believed_in_every_form_of_the_header() {
    let signed = SignatureInput { path: PATH, client_id: CLIENT_ID, time: NOTICE_TIME, body: NOTICE.as_bytes() };
    let key = VerifyingKeys::one("1", VerifyingKey::read(PROVIDER_PUBLIC).unwrap());
    assert!(NOTICE_SIGNATURE.contains('+') && NOTICE_SIGNATURE.contains('/'), "the letters that are at stake");
    let escaped = NOTICE_SIGNATURE.replace('+', "%2B").replace('/', "%2F").replace('=', "%3d");
    for header in [
        format!("algorithm=RSA256, keyVersion=1, signature={escaped}"),
        format!("algorithm=RSA256,keyVersion=1,signature={escaped}"),
        format!("keyVersion=1,algorithm=RSA256,signature={NOTICE_SIGNATURE}"),
        format!("algorithm=RSA256, signature={NOTICE_SIGNATURE}"),
        format!(" algorithm=RSA256 , keyVersion=1 , more=x, signature={escaped} "),
    ] {
        assert_eq!(signed.verify(&header, &key), Ok(()), "{header}");
    }
}

#[test]
fn keys_are_read_in_base64_and_pem_and_no_others() {
    let pem = |label: &str, text: &str| {
        let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap()).collect();
        format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
    };
    let signature = |key: &SigningKey| asked().header(key, "1");
    let expected = signature(&merchant_key(MERCHANT_PRIVATE).unwrap());
    let read = merchant_key(&pem("PRIVATE KEY", MERCHANT_PRIVATE)).unwrap();
    assert_eq!(signature(&read), expected);
    assert!(VerifyingKey::read(&pem("PUBLIC KEY", PROVIDER_PUBLIC)).is_ok());
    let (short, edwards) =
        (include_str!("tests/vectors/short.private.txt"), include_str!("tests/vectors/ed25519.private.txt"));
    for (text, expected) in [
        ("", KeyError::Private),
        ("no key!", KeyError::Text),
        (&pem("RSA PRIVATE KEY", MERCHANT_PRIVATE), KeyError::Label),
        (PROVIDER_PUBLIC, KeyError::Private),
        (short, KeyError::Private),
        (edwards, KeyError::Private),
    ] {
        assert_eq!(merchant_key(text).err(), Some(expected), "{text}");
    }
    let (short, edwards) =
        (include_str!("tests/vectors/short.public.txt"), include_str!("tests/vectors/ed25519.public.txt"));
    for (text, expected) in [
        ("", KeyError::Public),
        ("-----BEGIN", KeyError::Text),
        (&pem("PRIVATE KEY", PROVIDER_PRIVATE), KeyError::Label),
        (PROVIDER_PRIVATE, KeyError::Public),
        (short, KeyError::Public),
        (edwards, KeyError::Public),
    ] {
        assert_eq!(VerifyingKey::read(text).err(), Some(expected), "{text}");
    }
    assert!(!format!("{:?}", config()).contains(&MERCHANT_PRIVATE[..64]));
}

#[test]
fn an_amount_is_whole_cents_or_none() {
    for (usd, cents) in
        [("1", Some(100)), ("12.34", Some(1234)), ("0.01", Some(1)), ("0.001", None), ("1.005", None), ("0", None)]
    {
        let usd: Usd = usd.parse().unwrap();
        assert_eq!(Cents::try_from(usd).ok().map(Cents::number), cents, "{usd}");
        assert_eq!(Cents::try_from(usd).ok().and_then(Cents::usd), cents.map(|_| usd));
    }
    assert_eq!(Cents::try_from(Usd::from_nanos(-10_000_000)), Err(NotWholeCents));
    assert_eq!(Cents::new(i64::MAX).unwrap().usd(), None);
}

#[test]
fn there_are_fourteen_wallets() {
    let wallets = default_wallets();
    let codes: BTreeSet<_> = wallets.iter().map(|wallet| &wallet.code).collect();
    assert_eq!(codes.len(), 14);
    assert!(wallets.iter().all(|wallet| wallet.region.len() == 2 && !wallet.name.is_empty()));
}

#[test]
fn the_provider_is_told_addresses_under_the_public_one() {
    let mut config = config();
    let (plain, deep) = ("https://pay.example", "https://pay.example:8443/gate/way");
    assert_eq!(config.notify_url(deep), "https://pay.example:8443/gate/way/api/topup/ewallet/notify/antom");
    let token = Secret::new("t0ken".to_owned());
    assert_eq!(config.return_to(plain, "tg1", &token), "https://pay.example/topup/order/tg1?token=t0ken");
    assert_eq!(config.return_to(deep, "tg1", &token), format!("{deep}/topup/order/tg1?token=t0ken"));
    config.return_url = Some("https://shop.example/paid?order={trade_no}".to_owned());
    assert_eq!(config.return_to(plain, "tg1", &token), "https://shop.example/paid?order=tg1");
    for public_url in [plain, deep] {
        let called = format!("{public_url}{}", &config.notify_url(public_url)[public_url.len()..]);
        let path = &called[called.find(".example").unwrap()..];
        assert_eq!(called_path(public_url, PATH), path[path.find('/').unwrap()..]);
    }
}
