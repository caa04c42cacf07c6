//! Notices that are not the provider's: each differs from one that is believed in one thing.

use data_encoding::{BASE64, HEXLOWER};
use http::{HeaderMap, HeaderName, HeaderValue};
use ring::hmac;

use super::super::published::MERCHANT_PRIVATE;
use super::*;

/// A notice as it arrives, to be changed by a case.
struct Arrives {
    path: String,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Arrives {
    /// A notice as the provider sends it.
    fn proper() -> Self {
        let mut arrives = Self { path: PATH.to_owned(), headers: HeaderMap::new(), body: NOTICE.into() };
        arrives.set(sign::CLIENT_ID, CLIENT_ID);
        arrives.set(REQUEST_TIME, NOTICE_TIME);
        arrives.set(SIGNATURE, &format!("algorithm=RSA256, keyVersion=1, signature={NOTICE_SIGNATURE}"));
        arrives
    }

    fn set(&mut self, name: &'static str, value: &str) {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    }

    fn remove(&mut self, name: &'static str) {
        self.headers.remove(name);
    }

    fn twice(&mut self, name: &'static str) {
        let value = self.headers[name].clone();
        self.headers.append(HeaderName::from_static(name), value);
    }

    /// Signed with the key of this text, over what it claims.
    fn signed_by(&mut self, key: &str, time: &str) {
        self.signed_in_version(key, "1", time);
    }

    fn signed_in_version(&mut self, key: &str, version: &str, time: &str) {
        self.set(REQUEST_TIME, time);
        let client_id = self.headers[sign::CLIENT_ID].to_str().unwrap().to_owned();
        let signed = SignatureInput { path: &self.path, client_id: &client_id, time, body: &self.body };
        let header = signed.header(&merchant_key(key).unwrap(), version);
        self.set(SIGNATURE, &header);
    }

    fn verify(&self) -> Result<PaymentNotice, NoticeRefused> {
        self.verify_with(&ANTOM)
    }

    fn verify_with(&self, antom: &Antom) -> Result<PaymentNotice, NoticeRefused> {
        let request = RawRequest { path: &self.path, headers: &self.headers, body: &self.body };
        antom.verify(&request, NOW)
    }
}

/// A signature with a secret that everybody knows: the text of the public key, as though it were one for HMAC.
fn hmac_of_the_public_key(arrives: &mut Arrives) {
    let text = SignatureInput { path: PATH, client_id: CLIENT_ID, time: NOTICE_TIME, body: NOTICE.as_bytes() }.text();
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, PROVIDER_PUBLIC.as_bytes()), &text);
    let signature = BASE64.encode(tag.as_ref());
    arrives.set(SIGNATURE, &format!("algorithm=RSA256, keyVersion=1, signature={signature}"));
}

/// A name, what is changed, and why the notice is not believed then.
type Case = (&'static str, fn(&mut Arrives), AuthenticityError);

#[test]
fn a_header_that_proves_nothing_is_not_believed() {
    let (wrong, unreadable) = (BadSignature::Wrong, BadSignature::Header);
    let unknown = BadSignature::KeyVersion { version: "2".to_owned() };
    let endless = format!("algorithm=RSA256, keyVersion={}, ", "2".repeat(65));
    let hex = HEXLOWER.encode(&BASE64.decode(NOTICE_SIGNATURE.as_bytes()).unwrap());
    let (spaced, half) = (NOTICE_SIGNATURE.replace('+', " "), &NOTICE_SIGNATURE[..172]);
    for (attributes, signature, expected) in [
        ("algorithm=none, keyVersion=1, ", NOTICE_SIGNATURE, BadSignature::Algorithm),
        ("algorithm=rsa256, keyVersion=1, ", NOTICE_SIGNATURE, BadSignature::Algorithm),
        ("algorithm=HS256, keyVersion=1, ", NOTICE_SIGNATURE, BadSignature::Algorithm),
        ("keyVersion=1, ", NOTICE_SIGNATURE, BadSignature::Algorithm),
        ("algorithm=none, algorithm=RSA256, ", NOTICE_SIGNATURE, unreadable.clone()),
        ("algorithm=RSA256, keyVersion=2, ", NOTICE_SIGNATURE, unknown.clone()),
        ("algorithm=RSA256, keyVersion=1, keyVersion=2, ", NOTICE_SIGNATURE, unreadable.clone()),
        (&endless, NOTICE_SIGNATURE, unreadable.clone()),
        ("algorithm=RSA256, keyVersion=, ", NOTICE_SIGNATURE, unreadable.clone()),
        ("algorithm, keyVersion=1, ", NOTICE_SIGNATURE, unreadable.clone()),
        ("algorithm=RSA256, ", "", wrong.clone()),
        ("algorithm=RSA256, ", &hex, wrong.clone()),
        ("algorithm=RSA256, ", &spaced, unreadable.clone()),
        ("algorithm=RSA256, ", half, wrong.clone()),
    ] {
        let mut arrives = Arrives::proper();
        arrives.set(SIGNATURE, &format!("{attributes}signature={signature}"));
        assert_eq!(arrives.verify(), Err(NoticeRefused::Forged(expected.into())), "{attributes}{signature}");
    }
    let mut arrives = Arrives::proper();
    arrives.set(SIGNATURE, "algorithm=RSA256, keyVersion=1");
    assert_eq!(arrives.verify(), Err(NoticeRefused::Forged(unreadable.into())));
}

#[test]
fn what_the_provider_did_not_sign_so_is_not_believed() {
    assert!(Arrives::proper().verify().is_ok());
    let wrong = || AuthenticityError::Signature(BadSignature::Wrong);
    let cases: [Case; 17] = [
        ("other key", |it| it.signed_by(MERCHANT_PRIVATE, NOTICE_TIME), wrong()),
        ("HMAC with the public key", hmac_of_the_public_key, wrong()),
        ("other path", |it| it.path = "/api/topup/ewallet/notify/other".to_owned(), wrong()),
        ("path with a query", |it| it.path.push_str("?a=b"), wrong()),
        ("other client", |it| it.set(sign::CLIENT_ID, "SANDBOX_OTHER"), AuthenticityError::Client),
        ("other time", |it| it.set(REQUEST_TIME, "2026-11-21T08:30:01Z"), wrong()),
        ("the same time, written otherwise", |it| it.set(REQUEST_TIME, "1795249800000"), wrong()),
        ("part of the body in the time", |it| it.set(REQUEST_TIME, "2026-11-21T08:30:00Z.{}"), wrong()),
        ("a digit of the body", |it| it.body = NOTICE.replace("\"1234\"", "\"9234\"").into(), wrong()),
        ("a space behind the body", |it| it.body.push(b' '), wrong()),
        ("truncated", |it| it.body.truncate(100), wrong()),
        ("empty", |it| it.body.clear(), wrong()),
        ("a time that is none", |it| it.signed_by(PROVIDER_PRIVATE, "yesterday"), AuthenticityError::Time),
        ("a time without a zone", |it| it.signed_by(PROVIDER_PRIVATE, "2026-11-21T08:30:00"), AuthenticityError::Time),
        ("no client", |it| it.remove(sign::CLIENT_ID), AuthenticityError::Header(sign::CLIENT_ID)),
        ("no time", |it| it.remove(REQUEST_TIME), AuthenticityError::Header(REQUEST_TIME)),
        ("no signature", |it| it.remove(SIGNATURE), AuthenticityError::Header(SIGNATURE)),
    ];
    for (name, change, expected) in cases {
        let mut arrives = Arrives::proper();
        change(&mut arrives);
        assert_eq!(arrives.verify(), Err(NoticeRefused::Forged(expected)), "{name}");
    }
    for name in [sign::CLIENT_ID, REQUEST_TIME, SIGNATURE] {
        let mut arrives = Arrives::proper();
        arrives.twice(name);
        assert_eq!(arrives.verify(), Err(NoticeRefused::Forged(AuthenticityError::Header(name))), "{name} twice");
    }
}

#[test]
fn every_bit_of_what_is_signed_counts() {
    for place in 0..NOTICE.len() {
        let mut arrives = Arrives::proper();
        arrives.body[place] ^= 1;
        assert_eq!(
            arrives.verify(),
            Err(NoticeRefused::Forged(AuthenticityError::Signature(BadSignature::Wrong))),
            "{place}"
        );
    }
}

#[test]
fn a_notice_is_good_for_a_day_and_an_hour() {
    const MINUTE: i64 = 60_000;
    for (age, expected) in [
        (0, None),
        (1500 * MINUTE, None),
        (1500 * MINUTE + 1, Some(AuthenticityError::TooOld)),
        (-5 * MINUTE, None),
        (-5 * MINUTE - 1, Some(AuthenticityError::Future)),
        (i64::MAX / 2, Some(AuthenticityError::TooOld)),
    ] {
        let mut arrives = Arrives::proper();
        let at = (NOW - age).max(0);
        arrives.signed_by(PROVIDER_PRIVATE, &at.to_string());
        assert_eq!(arrives.verify().err(), expected.map(NoticeRefused::Forged), "{age}");
    }
}

/// While the provider rotates its key, what either key signed is believed, under its own version alone.
#[test]
fn each_signature_is_verified_by_the_key_of_its_version() {
    let key = |version: &str, text: &str| (version.to_owned(), VerifyingKey::read(text).unwrap());
    let provider_keys = [key("1", PROVIDER_PUBLIC), key("2", published::MERCHANT_PUBLIC)].into_iter().collect();
    let antom = Antom::new(Config { provider_keys, ..config() }, Clock::manual(NOW).0).unwrap();
    let (wrong, unknown) = (BadSignature::Wrong, BadSignature::KeyVersion { version: "3".to_owned() });
    for (signed_by, version, expected) in [
        (PROVIDER_PRIVATE, "1", None),
        (MERCHANT_PRIVATE, "2", None),
        (MERCHANT_PRIVATE, "1", Some(wrong.clone())),
        (PROVIDER_PRIVATE, "2", Some(wrong)),
        (PROVIDER_PRIVATE, "3", Some(unknown.clone())),
    ] {
        let mut arrives = Arrives::proper();
        arrives.signed_in_version(signed_by, version, NOTICE_TIME);
        let refused = arrives.verify_with(&antom).err();
        assert_eq!(refused, expected.map(|bad| NoticeRefused::Forged(bad.into())), "{version}");
    }
    let told = unknown.to_string();
    assert!(told.contains("version \"3\"") && told.contains("`topup.ewallet.provider_keys`"), "{told}");
}

#[test]
fn an_acknowledgement_is_signed_as_an_answer() {
    let answer = ANTOM.acknowledge(PATH);
    let time = answer.headers[RESPONSE_TIME].to_str().unwrap();
    let signed = SignatureInput { path: PATH, client_id: CLIENT_ID, time, body: &answer.body };
    let keys = VerifyingKeys::one("1", VerifyingKey::read(published::MERCHANT_PUBLIC).unwrap());
    assert_eq!(signed.verify(answer.headers[SIGNATURE].to_str().unwrap(), &keys), Ok(()));
    let body: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!((&body["result"]["resultStatus"], &body["result"]["resultCode"]), (&"S".into(), &"SUCCESS".into()));
}
