//! The payment provider of the e-wallet rail: the sandbox of the server itself, on a thread of its own, reached over HTTP
//! alone; and what it takes to speak in its name, or in nobody's.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tollgate_base::{Clock, Secret, rfc3339};
use tollgate_sandbox::{CheckoutSandbox, Options};
use tollgate_topup::RailConfig;
use tollgate_topup::ewallet::{
    self, CLIENT_ID, REQUEST_TIME, SIGNATURE, SignatureInput, SigningKey, VerifyingKey, VerifyingKeys, default_wallets,
    published,
};

use crate::gateway::client;

/// Its name in the configuration.
pub const NAME: &str = "antom";
/// Where it reports.
pub const NOTIFY: &str = "/api/topup/ewallet/notify/antom";

/// A running provider, stopped when it is dropped.
#[derive(Debug)]
pub struct Provider {
    /// Where it is reached.
    pub url: String,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
}

impl Provider {
    /// Starts one that repeats its notices so many times faster than a real one.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(clock: Clock, speed: u32) -> Self {
        let (tell, told) = channel();
        let (stop, stopped) = oneshot::channel();
        // A runtime of its own: the provider that tests share must not end with one of them.
        let serving = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
                let sandbox = CheckoutSandbox::bind(anywhere, Options { clock, speed }).await.expect("a free port");
                tell.send(format!("http://{}", sandbox.address())).expect("somebody waits for it");
                // An error means that whoever would have stopped it is gone.
                let stop = async move { drop(stopped.await) };
                sandbox.serve(stop).await.expect("it serves");
            });
        });
        let url = told.recv().expect("it says where it is");
        Self { url, stop: Some(stop), serving: Some(serving) }
    }

    /// The provider of this process, for whoever shares one, started at the first call.
    pub fn shared() -> &'static Self {
        static PROVIDER: OnceLock<Provider> = OnceLock::new();
        PROVIDER.get_or_init(|| Self::start(Clock::system(), 1))
    }

    /// What a gateway calls it with.
    ///
    /// # Panics
    /// Never: the keys are the published ones.
    #[must_use]
    pub fn config(&self) -> ewallet::Config {
        ewallet::Config {
            provider: NAME.to_owned(),
            base_url: self.url.clone(),
            client_id: published::CLIENT_ID.to_owned(),
            key_version: "1".to_owned(),
            merchant_key: key(published::MERCHANT_PRIVATE),
            provider_keys: VerifyingKeys::one("1", VerifyingKey::read(published::PROVIDER_PUBLIC).expect("a key")),
            request_time: ewallet::RequestTimeFormat::default(),
            wallets: default_wallets(),
            return_url: None,
        }
    }

    /// Rails of which this one is on.
    #[must_use]
    pub fn rails(&self) -> tollgate_topup::Config {
        let on = RailConfig { enabled: true, ..RailConfig::default() };
        tollgate_topup::Config { ewallet: on, checkout: Some(self.config()), ..tollgate_topup::Config::default() }
    }

    /// Has it misbehave from now on, in no other way than this.
    ///
    /// # Panics
    /// When there are no such faults.
    pub async fn faults(&self, faults: &Value) {
        let put = client().put(format!("{}/control/faults", self.url)).body(faults.to_string());
        assert_eq!(put.send().await.expect("an answer").status(), 200, "{faults}");
    }

    /// The notices that it has sent for an order, with what it was answered.
    ///
    /// # Panics
    /// When it does not tell.
    pub async fn sent(&self, trade_no: &str) -> Vec<Value> {
        let told = client().get(format!("{}/control/notices", self.url)).send().await.expect("an answer");
        let sent: Vec<Value> = told.json().await.expect("JSON");
        sent.into_iter().filter(|sent| sent["payment_request_id"] == trade_no).collect()
    }

    /// Presses a button of a page; where the person is sent then.
    ///
    /// # Panics
    /// When the page has none of that name.
    pub async fn press(&self, page: &str, button: &str) -> String {
        let pressed = client().post(format!("{page}/{button}")).send().await.expect("an answer");
        assert_eq!(pressed.status(), 303, "{page} {button}");
        pressed.headers()["location"].to_str().expect("text").to_owned()
    }

    /// Where a person is sent from a page, whose payment waits still.
    ///
    /// # Panics
    /// When there is no such page.
    pub async fn return_address(&self, page: &str) -> String {
        self.press(page, "pay-later").await
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(serving) = self.serving.take() {
            // A panic of its own has been told.
            drop(serving.join());
        }
    }
}

/// One of the published keys.
///
/// # Panics
/// When it is none.
#[must_use]
pub fn key(text: &str) -> SigningKey {
    SigningKey::read(&Secret::new(text.to_owned())).expect("a key")
}

/// The token in the address that the payer of an order returns to.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn token_in(address: &str) -> String {
    address.split_once("?token=").expect("the address of an order's page").1.to_owned()
}

/// The notice that an order was paid by a payment of that name, in cents.
#[must_use]
pub fn paid(trade_no: &str, payment_id: &str, cents: &str) -> Value {
    json!({
        "notifyType": "PAYMENT_RESULT",
        "result": {"resultCode": "SUCCESS", "resultStatus": "S", "resultMessage": "success"},
        "paymentRequestId": trade_no, "paymentId": payment_id,
        "paymentAmount": {"currency": "USD", "value": cents},
        "paymentCreateTime": "2026-11-21T08:30:00Z", "paymentTime": "2026-11-21T08:30:05Z",
        "paymentMethodType": "GCASH",
    })
}

/// A notice on its way: its bytes and what proves them. Each part can be made wrong.
#[derive(Debug, Clone)]
pub struct Posted {
    /// The body.
    pub body: Vec<u8>,
    /// All that proves it.
    pub headers: HeaderMap,
}

impl Posted {
    /// A notice of the provider's at this time.
    ///
    /// # Panics
    /// Never: what is written here is text.
    #[must_use]
    pub fn signed(body: impl Into<Vec<u8>>, at_ms: i64) -> Self {
        Self::by(&key(published::PROVIDER_PRIVATE), NOTIFY, body, at_ms)
    }

    /// One that is signed with some key, for some path.
    ///
    /// # Panics
    /// Never: what is written here is text.
    #[must_use]
    pub fn by(key: &SigningKey, path: &str, body: impl Into<Vec<u8>>, at_ms: i64) -> Self {
        Self::in_version(key, "1", path, body, at_ms)
    }

    /// One that names this version of the key.
    ///
    /// # Panics
    /// Never: what is written here is text.
    #[must_use]
    pub fn in_version(key: &SigningKey, version: &str, path: &str, body: impl Into<Vec<u8>>, at_ms: i64) -> Self {
        let (body, time) = (body.into(), rfc3339(at_ms));
        let signature =
            SignatureInput { path, client_id: published::CLIENT_ID, time: &time, body: &body }.header(key, version);
        let mut posted = Self { body, headers: HeaderMap::new() };
        for (name, value) in [(CLIENT_ID, published::CLIENT_ID), (REQUEST_TIME, &time), (SIGNATURE, &signature)] {
            posted = posted.with(name, value);
        }
        posted
    }

    /// The same with another header in the place of the one of that name.
    ///
    /// # Panics
    /// When it is no header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header"));
        self
    }

    /// The same without a header.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.remove(name);
        self
    }

    /// The same with another body.
    #[must_use]
    pub fn saying(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// To be sent to a gateway that is reached there.
    pub fn to(&self, url: &str) -> reqwest::RequestBuilder {
        let request = client().post(format!("{url}{NOTIFY}")).headers(self.headers.clone());
        request.header("content-type", "application/json; charset=UTF-8").body(self.body.clone())
    }
}
