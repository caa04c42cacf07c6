//! Notices of the provider, repeated until they are acknowledged.

use std::time::Duration;

use futures_util::future::join_all;
use http::{HeaderMap, Uri};
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use tokio::time::sleep;

use tollgate_topup::ewallet::{REQUEST_TIME, RESPONSE_TIME, SIGNATURE, SignatureInput, published};

use super::api::described;
use super::book::{Payment, State};
use super::desk::{FORGED, result};
use super::house::House;
use super::sent::Sent;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
/// Pauses before each sending of a notice, in seconds: eight within a little more than a day.
const PAUSES: [u64; 8] = [0, 2 * MINUTE, 10 * MINUTE, 10 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 15 * HOUR];
/// Timeout of an acknowledgement.
const PATIENCE: Duration = Duration::from_secs(10);
/// Sendings that are remembered.
const SENT_MAX: usize = 10_000;

/// A notice, signed once: a repetition is the same bytes.
struct Notice {
    url: String,
    path: String,
    payment_request_id: String,
    notify_type: &'static str,
    headers: HeaderMap,
    body: String,
}

/// The client that notices are sent with.
pub(super) fn client() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().timeout(PATIENCE).no_proxy().redirect(Policy::none()).build()
}

impl House {
    /// Sends the notices of a payment that has ended.
    pub(super) fn report(&self, payment: &Payment) {
        let faults = self.faults();
        if faults.drop {
            return;
        }
        let mut types = vec!["PAYMENT_RESULT"];
        if faults.pending_first {
            types.insert(0, "PAYMENT_PENDING");
        }
        if faults.reorder {
            types.reverse();
        }
        let notices: Vec<Notice> =
            types.into_iter().filter_map(|notify_type| self.notice(payment, notify_type)).collect();
        let house = self.clone();
        self.spawn(async move {
            sleep(Duration::from_millis(faults.delay_ms)).await;
            for notice in notices {
                let copies = (0..faults.duplicate).map(|_| house.send(&notice));
                join_all(copies).await;
                house.repeat(notice).await;
            }
        });
    }

    fn notice(&self, payment: &Payment, notify_type: &'static str) -> Option<Notice> {
        let faults = self.faults();
        let failed = payment.state == State::Failed && notify_type == "PAYMENT_RESULT";
        let mut body = described(payment);
        body["notifyType"] = notify_type.into();
        body["result"] = if failed { result("F", "USER_PAYMENT_FAILED") } else { result("S", "SUCCESS") };
        if faults.wrong_amount {
            body["paymentAmount"]["value"] = payment.asked.cents.saturating_mul(10).to_string().into();
        }
        if let Some(currency) = faults.currency {
            body["paymentAmount"]["currency"] = currency.into();
        }
        let url = payment.asked.notify_url.clone();
        let path = url.parse::<Uri>().ok()?.path_and_query()?.as_str().to_owned();
        let body = body.to_string();
        let signed = if faults.forged_signature { FORGED } else { body.as_bytes() };
        let headers = self.proof(&path, REQUEST_TIME, signed);
        Some(Notice { url, path, payment_request_id: payment.asked.request_id.clone(), notify_type, headers, body })
    }

    /// Sends a notice until it is acknowledged or the table is at its end; what follows it does not wait for repetitions.
    async fn repeat(&self, notice: Notice) {
        if self.send(&notice).await {
            return;
        }
        let house = self.clone();
        self.spawn(async move {
            for pause in &PAUSES[1..] {
                sleep(Duration::from_secs(*pause) / house.0.options.speed.max(1)).await;
                if house.send(&notice).await {
                    return;
                }
            }
            tracing::warn!(order = notice.payment_request_id, "the merchant acknowledged no sending of a notice");
        });
    }

    /// Sends a notice once; true if it was acknowledged.
    async fn send(&self, notice: &Notice) -> bool {
        let Notice { url, headers, body, .. } = notice;
        let answer = self.0.http.post(url).headers(headers.clone()).body(body.clone()).send().await;
        let (status, headers, body) = match answer {
            Ok(answer) => {
                let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
                (Some(status), headers, answer.bytes().await.unwrap_or_default())
            }
            Err(_) => (None, HeaderMap::new(), bytes::Bytes::new()),
        };
        let told: Value = serde_json::from_slice(&body).unwrap_or_default();
        let taken = json!({"resultStatus": "S", "resultCode": "SUCCESS"});
        let is_taken = ["resultStatus", "resultCode"].iter().all(|name| told["result"][name] == taken[name]);
        let sent = Sent {
            payment_request_id: notice.payment_request_id.clone(),
            notify_type: notice.notify_type.to_owned(),
            status,
            acknowledged: status == Some(200) && is_taken,
            signed: self.is_merchants(&notice.path, &headers, &body),
        };
        let acknowledged = sent.acknowledged;
        let mut all = self.sent();
        if all.len() < SENT_MAX {
            all.push(sent);
        }
        acknowledged
    }

    fn is_merchants(&self, path: &str, headers: &HeaderMap, body: &[u8]) -> bool {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let (Some(time), Some(signature)) = (header(RESPONSE_TIME), header(SIGNATURE)) else { return false };
        let signed = SignatureInput { path, client_id: published::CLIENT_ID, time, body };
        signed.verify(signature, &self.0.merchant).is_ok()
    }
}
