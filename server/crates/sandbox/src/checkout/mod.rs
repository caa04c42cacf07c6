//! A stand-in for the payment provider of the e-wallet rail: the same wire over real HTTP, with keys of its own, a checkout
//! page, and signed notices that are repeated until they are acknowledged.
//!
//! It is a peer, not a shortcut. With the gateway it shares the signature of the wire, which is checked against another
//! implementation, the catalogue of wallets and the clock; it reads and writes the bodies in its own way, so that a mistake
//! in those is seen. What it knows it keeps in memory. Its keys are published: it moves no money, and neither can they.
//!
//! Start reading at [`book`], then [`api`] for what the merchant asks, [`page`] for what people do, [`notices`] for what it
//! reports, and [`faults`] for how it can be made to misbehave.

mod api;
mod book;
mod control;
mod desk;
mod faults;
mod house;
mod notices;
mod page;
mod sent;
#[cfg(test)]
mod tests;

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use tollgate_base::Secret;
use tollgate_topup::ewallet::{KeyError, SigningKey, VerifyingKey, VerifyingKeys, published};

pub use house::Options;

use desk::KEY_VERSION;
use house::{House, Inner};

/// The provider did not start.
#[derive(Debug, thiserror::Error)]
pub enum CheckoutError {
    /// The address.
    #[error("listening failed")]
    Listen(#[from] io::Error),
    /// The published keys.
    #[error("the published keys cannot be used")]
    Keys(#[from] KeyError),
    /// The client for its notices.
    #[error("building the client for notices failed")]
    Client(#[from] reqwest::Error),
}

/// A bound provider that does not answer yet.
#[derive(Debug)]
pub struct CheckoutSandbox {
    listener: TcpListener,
    house: House,
}

impl CheckoutSandbox {
    /// Takes an address.
    ///
    /// # Errors
    /// When it is taken, or TLS has no roots.
    pub async fn bind(address: SocketAddr, options: Options) -> Result<Self, CheckoutError> {
        tollgate_net::install_tls();
        let listener = TcpListener::bind(address).await?;
        let inner = Inner {
            address: listener.local_addr()?,
            signing: SigningKey::read(&Secret::new(published::PROVIDER_PRIVATE.to_owned()))?,
            merchant: VerifyingKeys::one(KEY_VERSION, VerifyingKey::read(published::MERCHANT_PUBLIC)?),
            http: notices::client()?,
            options,
            book: Mutex::default(),
            faults: watch::Sender::default(),
            sent: Mutex::default(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
        };
        Ok(Self { listener, house: House(Arc::new(inner)) })
    }

    /// The address that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.house.0.address
    }

    /// Answers until `stop` resolves; notices that are not acknowledged by then are not repeated any more.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Self { listener, house } = self;
        let stopping = house.0.stopping.clone();
        let stop = async move {
            stop.await;
            stopping.cancel();
        };
        let router = Router::new()
            .route("/ams/sandbox/api/v1/payments/{call}", post(api::call))
            .route("/checkout/{session}", get(page::show))
            .route("/checkout/{session}/{act}", post(page::act))
            .route("/control/faults", get(control::show_faults).put(control::set_faults))
            .route("/control/notices", get(control::show_notices))
            .with_state(house.clone());
        let served = axum::serve(listener, router).with_graceful_shutdown(stop).await;
        house.0.tasks.close();
        house.0.tasks.wait().await;
        served
    }
}
