//! The calls to the provider, signed; and its answers, verified before anything of them is read.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, HeaderName, StatusCode};
use reqwest::redirect::Policy;
use serde::Serialize;
use serde::de::DeserializeOwned;

use tollgate_api::generated::limits;
use tollgate_base::{Clock, rfc3339};

use super::calls::ProviderCall;
use super::config::{Config, RequestTimeFormat};
use super::notice::{self, NoticeRefused, PaymentNotice, SignedMessage};
use super::sign::{CLIENT_ID, REQUEST_TIME, RESPONSE_TIME, SIGNATURE, SignatureInput};
use super::wire::{self, CreateSessionResponse, InquiryResponse, ResultEnvelope, ResultStatus};
use super::{
    CheckoutOrder, CheckoutPage, CheckoutProvider, OrderRef, ProviderError, ProviderStatus, RawRequest, RawResponse,
    UncertainAnswer, messages,
};

const CONNECT: Duration = Duration::from_secs(5);
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");
/// The body that the provider has to read to stop repeating a notice.
const TAKEN: &str = r#"{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":"success"}}"#;

/// The error of making the client.
pub type ClientError = reqwest::Error;

/// A provider that speaks as Antom does, with the wallets of Alipay+ behind it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Antom {
    config: Config,
    clock: Clock,
    http: reqwest::Client,
}

impl Antom {
    /// Makes the client; no connection is opened yet.
    ///
    /// # Errors
    /// When TLS has no roots.
    pub fn new(config: Config, clock: Clock) -> Result<Self, ClientError> {
        tollgate_net::install_tls();
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            .timeout(limits::CHECKOUT_CALL)
            .no_proxy()
            // What is signed is signed for one path of one host.
            .redirect(Policy::none())
            .referer(false)
            .build()?;
        Ok(Self { config, clock, http })
    }

    /// The configuration that it was made with.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Sends a call and verifies the answer's signature: `Ok` if the call was done, its result if it was not.
    async fn call<T: DeserializeOwned>(
        &self,
        action: ProviderCall,
        asked: &impl Serialize,
    ) -> Result<CallOutcome<T>, UncertainAnswer> {
        let path = action.path(&self.config.client_id);
        let body = serde_json::to_vec(asked).expect("texts are always JSON");
        let answer = self.send(&path, body).await?;
        self.prove(&path, &answer)?;
        let ResultEnvelope { result } = serde_json::from_slice(&answer.body).map_err(UncertainAnswer::Unreadable)?;
        Ok(match result.verdict() {
            ResultStatus::Done => Ok(serde_json::from_slice(&answer.body).map_err(UncertainAnswer::Unreadable)?),
            ResultStatus::Refused | ResultStatus::Open => Err(result),
        })
    }

    async fn send(&self, path: &str, body: Vec<u8>) -> Result<RawResponse, UncertainAnswer> {
        let headers = self.headers(REQUEST_TIME, path, &body);
        let url = format!("{}{path}", self.config.base_url);
        let mut response = self.http.post(url).headers(headers).body(body).send().await.map_err(unreachable)?;
        if response.status() != StatusCode::OK {
            return Err(UncertainAnswer::Status(response.status()));
        }
        let mut body = BytesMut::new();
        while let Some(piece) = response.chunk().await.map_err(unreachable)? {
            body.extend_from_slice(&piece);
            if body.len() > limits::CHECKOUT_ANSWER {
                return Err(UncertainAnswer::TooLarge);
            }
        }
        let headers = std::mem::take(response.headers_mut());
        Ok(RawResponse { status: response.status(), headers, body: body.freeze() })
    }

    /// The headers that sign a body of ours, with the time in the header `time`.
    fn headers(&self, time: &'static str, path: &str, body: &[u8]) -> HeaderMap {
        let Config { client_id, key_version, merchant_key, request_time, .. } = &self.config;
        let now_ms = self.clock.now_ms();
        let written = match request_time {
            RequestTimeFormat::Iso => rfc3339(now_ms),
            RequestTimeFormat::Milliseconds => now_ms.to_string(),
        };
        let signature = SignatureInput { path, client_id, time: &written, body }.header(merchant_key, key_version);
        let value = |text: &str| HeaderValue::from_str(text).expect("checked when the settings were read");
        let headers = [
            (CONTENT_TYPE, JSON),
            (HeaderName::from_static(CLIENT_ID), value(client_id)),
            (HeaderName::from_static(time), value(&written)),
            (HeaderName::from_static(SIGNATURE), value(&signature)),
        ];
        headers.into_iter().collect()
    }

    fn prove(&self, path: &str, answer: &RawResponse) -> Result<(), UncertainAnswer> {
        let proven = SignedMessage { headers: &answer.headers, time: RESPONSE_TIME, path, body: &answer.body };
        proven.check(&self.config, self.clock.now_ms()).map(drop).map_err(UncertainAnswer::from)
    }
}

/// The answer of a call that was done, or the result of one that was not.
type CallOutcome<T> = Result<T, wire::CallResult>;

impl CheckoutProvider for Antom {
    async fn create(&self, order: &CheckoutOrder<'_>) -> Result<CheckoutPage, ProviderError> {
        match self.call::<CreateSessionResponse>(ProviderCall::Create, &messages::create(order)).await? {
            Ok(created) => Ok(messages::session(created)?),
            Err(result) => Err(messages::refused(&result)),
        }
    }

    async fn inquire(&self, order: OrderRef<'_>) -> Result<ProviderStatus, ProviderError> {
        match self.call::<InquiryResponse>(ProviderCall::Inquire, &messages::payment(order)).await? {
            Ok(inquired) => Ok(messages::status(inquired, order)?),
            Err(result) => messages::not_found(&result),
        }
    }

    async fn cancel(&self, order: OrderRef<'_>) -> Result<ProviderStatus, ProviderError> {
        match self.call::<ResultEnvelope>(ProviderCall::Cancel, &messages::payment(order)).await? {
            Ok(_) => Ok(ProviderStatus::Cancelled),
            Err(result) => messages::not_found(&result),
        }
    }

    fn verify(&self, request: &RawRequest<'_>, now_ms: i64) -> Result<PaymentNotice, NoticeRefused> {
        let RawRequest { path, headers, body } = *request;
        let sent_at_ms = SignedMessage { headers, time: REQUEST_TIME, path, body }.check(&self.config, now_ms)?;
        Ok(notice::read(body, sent_at_ms)?)
    }

    fn acknowledge(&self, path: &str) -> RawResponse {
        let headers = self.headers(RESPONSE_TIME, path, TAKEN.as_bytes());
        RawResponse { status: StatusCode::OK, headers, body: Bytes::from_static(TAKEN.as_bytes()) }
    }
}

fn unreachable(error: reqwest::Error) -> UncertainAnswer {
    if error.is_timeout() { UncertainAnswer::TooSlow } else { UncertainAnswer::Unreachable(error.without_url()) }
}
