//! The wire of the merchant's calls: requests are verified, answers are signed.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use tollgate_base::rfc3339;
use tollgate_topup::ewallet::{CLIENT_ID, REQUEST_TIME, RESPONSE_TIME, SIGNATURE, SignatureInput, published};

use super::faults::Answers;
use super::house::House;

/// The version of both sides' keys.
pub(super) const KEY_VERSION: &str = "1";
/// Signed in the place of what is sent, for a proof that proves nothing.
pub(super) const FORGED: &[u8] = b"{}";

/// The result that every answer has.
pub(super) fn result(status: &str, code: &str) -> Value {
    json!({"resultStatus": status, "resultCode": code, "resultMessage": code.to_lowercase()})
}

/// An answer without anything but its result.
pub(super) fn refuse(code: &str) -> Value {
    json!({"result": result("F", code)})
}

impl House {
    /// Reads a call that is the merchant's.
    pub(super) fn admit(&self, path: &str, headers: &HeaderMap, body: &[u8]) -> Result<Value, &'static str> {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if header(CLIENT_ID) != Some(published::CLIENT_ID) {
            return Err("INVALID_CLIENT");
        }
        let (time, signature) = header(REQUEST_TIME).zip(header(SIGNATURE)).ok_or("INVALID_SIGNATURE")?;
        let signed = SignatureInput { path, client_id: published::CLIENT_ID, time, body };
        signed.verify(signature, &self.0.merchant).map_err(|_| "INVALID_SIGNATURE")?;
        serde_json::from_slice(body).map_err(|_| "PARAM_ILLEGAL")
    }

    /// The answer to a call, as the faults will have it.
    pub(super) async fn answer(&self, path: &str, body: &Value) -> Response {
        let answers = self.faults().answers;
        let body = match &answers {
            Answers::Proper | Answers::Forged | Answers::Unsigned => body.to_string(),
            Answers::Undecided => json!({"result": result("U", "UNKNOWN_EXCEPTION")}).to_string(),
            Answers::Refused(code) => refuse(code).to_string(),
            Answers::Oversized => json!({"result": result("S", "SUCCESS"), "more": "x".repeat(100_000)}).to_string(),
            Answers::Error => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            Answers::Hang => {
                self.0.stopping.cancelled().await;
                return StatusCode::SERVICE_UNAVAILABLE.into_response();
            }
        };
        let signed = if answers == Answers::Forged { FORGED } else { body.as_bytes() };
        let mut headers = self.proof(path, RESPONSE_TIME, signed);
        if answers == Answers::Unsigned {
            headers.remove(SIGNATURE);
        }
        (headers, body).into_response()
    }

    /// The headers that prove a body of the provider, with the time in the header `time`.
    pub(super) fn proof(&self, path: &str, time: &'static str, body: &[u8]) -> HeaderMap {
        let faults = self.faults();
        let at = rfc3339(self.now_ms().saturating_add(faults.clock_ahead_ms));
        let version = faults.key_version.unwrap_or_else(|| KEY_VERSION.to_owned());
        let signed = SignatureInput { path, client_id: published::CLIENT_ID, time: &at, body };
        let signature = signed.header(&self.0.signing, &version);
        let headers = [
            ("content-type", "application/json; charset=UTF-8"),
            (CLIENT_ID, published::CLIENT_ID),
            (time, &at),
            (SIGNATURE, &signature),
        ];
        headers.into_iter().filter_map(|(name, value)| Some((name.parse().ok()?, value.parse().ok()?))).collect()
    }
}
