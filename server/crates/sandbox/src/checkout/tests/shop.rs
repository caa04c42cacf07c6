//! A merchant with its adapter, the provider beside it, and a person who presses the buttons of the page.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::Bytes;
use http::{HeaderMap, StatusCode, Uri};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::super::{CheckoutSandbox, Options};
use super::*;
use tollgate_base::{Clock, Secret};

/// 2026-11-21T08:30:00Z
pub(super) const NOW: i64 = 1_795_249_800_000;
/// Longest wait for anything here; each takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);
const NOTIFY: &str = "/api/topup/ewallet/notify/antom";

/// A notice that arrived: as the adapter reads it, and its bytes with the headers.
pub(super) struct Arrived {
    pub(super) read: Result<PaymentNotice, NoticeRefused>,
    pub(super) bytes: (Bytes, HeaderMap),
}

pub(super) struct Shop {
    pub(super) antom: Antom,
    pub(super) provider: String,
    pub(super) http: reqwest::Client,
    notify_url: String,
    arrived: UnboundedReceiver<Arrived>,
    /// So many notices are not acknowledged, however right they are.
    declines: Arc<AtomicU32>,
    _tasks: [AbortOnDropHandle<()>; 2],
}

/// An order for 12.34 USD, to be paid within the second.
pub(super) fn order<'a>(trade_no: &'a str, shop: &'a Shop) -> CheckoutOrder<'a> {
    CheckoutOrder {
        trade_no,
        wallet: "GCASH",
        amount: Cents::new(1234).unwrap(),
        expires_at_ms: NOW + 1_000,
        notify_url: &shop.notify_url,
        return_url: "https://shop.example/paid?order=1&x=%22",
    }
}

impl Shop {
    pub(super) async fn open() -> Self {
        let clock = Clock::manual(NOW).0;
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let options = Options { clock: clock.clone(), speed: 1_000_000 };
        let sandbox = CheckoutSandbox::bind(anywhere, options).await.unwrap();
        let provider = format!("http://{}", sandbox.address());
        let antom = Antom::new(config(&provider), clock.clone()).unwrap();
        let (send, arrived) = unbounded_channel();
        let declines = Arc::new(AtomicU32::new(0));
        let merchant = {
            let (antom, declines) = (antom.clone(), declines.clone());
            async move |uri: Uri, headers: HeaderMap, body: Bytes| -> Response {
                let request = RawRequest { path: uri.path(), headers: &headers, body: &body };
                let read = antom.verify(&request, NOW);
                let is_right = read.is_ok();
                send.send(Arrived { read, bytes: (body, headers.clone()) }).unwrap();
                let declined = declines.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
                match (declined, is_right) {
                    (Ok(_), _) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
                    (Err(_), false) => StatusCode::FORBIDDEN.into_response(),
                    (Err(_), true) => {
                        let RawResponse { status, headers, body } = antom.acknowledge(uri.path());
                        (status, headers, body).into_response()
                    }
                }
            }
        };
        let listener = TcpListener::bind(anywhere).await.unwrap();
        let notify_url = format!("http://{}{NOTIFY}", listener.local_addr().unwrap());
        let router = Router::new().route(NOTIFY, post(merchant));
        let tasks = [
            spawn(async move { axum::serve(listener, router).await.unwrap() }),
            spawn(async move { sandbox.serve(std::future::pending()).await.unwrap() }),
        ];
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { antom, provider, http, notify_url, arrived, declines, _tasks: tasks }
    }

    pub(super) fn decline(&self, notices: u32) {
        self.declines.store(notices, Ordering::SeqCst);
    }

    pub(super) async fn faults(&self, faults: &str) {
        let put = self.http.put(format!("{}/control/faults", self.provider)).body(faults.to_owned());
        assert_eq!(put.send().await.unwrap().status(), 200, "{faults}");
    }

    /// Opens the page of an order and presses a button; where the browser is sent.
    pub(super) async fn press(&self, order: &CheckoutOrder<'_>, button: &str) -> String {
        let session = self.antom.create(order).await.unwrap();
        let pressed = self.http.post(format!("{}/{button}", session.url)).send().await.unwrap();
        assert_eq!(pressed.status(), 303, "{button}");
        pressed.headers()["location"].to_str().unwrap().to_owned()
    }

    /// The next notice.
    pub(super) async fn arrived(&mut self) -> Arrived {
        timeout(PATIENCE, self.arrived.recv()).await.expect("a notice in time").expect("the merchant listens")
    }

    /// The outcome that the next notice tells.
    pub(super) async fn outcome(&mut self) -> Result<NoticeOutcome, NoticeRefused> {
        self.arrived().await.read.map(|notice| notice.outcome)
    }

    /// True if every notice that came has been read here.
    pub(super) fn is_quiet(&self) -> bool {
        self.arrived.is_empty()
    }

    /// The sendings that the provider lists.
    pub(super) async fn sent(&self) -> Vec<Value> {
        let told = self.http.get(format!("{}/control/notices", self.provider)).send().await.unwrap();
        serde_json::from_slice(&told.bytes().await.unwrap()).unwrap()
    }

    pub(super) async fn status(&self, trade_no: &str) -> Result<ProviderStatus, ProviderError> {
        self.antom.inquire(OrderRef { trade_no }).await
    }
}

#[expect(clippy::disallowed_methods, reason = "it ends with its owner")]
fn spawn(work: impl Future<Output = ()> + Send + 'static) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(work))
}

pub(super) fn config(provider: &str) -> Config {
    Config {
        provider: "antom".to_owned(),
        base_url: provider.to_owned(),
        client_id: published::CLIENT_ID.to_owned(),
        key_version: "1".to_owned(),
        merchant_key: SigningKey::read(&Secret::new(published::MERCHANT_PRIVATE.to_owned())).unwrap(),
        provider_keys: VerifyingKeys::one("1", VerifyingKey::read(published::PROVIDER_PUBLIC).unwrap()),
        request_time: RequestTimeFormat::default(),
        wallets: default_wallets(),
        return_url: None,
    }
}
