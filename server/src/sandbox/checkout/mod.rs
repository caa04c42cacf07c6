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
mod desk;
mod faults;
mod notices;
mod page;
#[cfg(test)]
mod tests;

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::base::{Clock, Secret};
use crate::topup::ewallet::{KeyError, SigningKey, VerifyingKey, VerifyingKeys, published};

use book::Book;
use desk::KEY_VERSION;
use faults::Faults;
use notices::Sent;

/// The options of the provider at its start.
#[derive(Debug, Clone)]
pub struct Options {
    /// Its time of day.
    pub clock: Clock,
    /// Divisor of the pauses between two repetitions of a notice.
    pub speed: u32,
}

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

/// The state that all parts of the provider share. Cheap to clone.
#[derive(Debug, Clone)]
struct House(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    address: SocketAddr,
    options: Options,
    signing: SigningKey,
    merchant: VerifyingKeys,
    http: reqwest::Client,
    book: Mutex<Book>,
    faults: watch::Sender<Faults>,
    sent: Mutex<Vec<Sent>>,
    /// Notices on their way, and payments that are made later.
    tasks: TaskTracker,
    stopping: CancellationToken,
}

impl CheckoutSandbox {
    /// Takes an address.
    ///
    /// # Errors
    /// When it is taken, or TLS has no roots.
    pub async fn bind(address: SocketAddr, options: Options) -> Result<Self, CheckoutError> {
        crate::gateway::install_tls();
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
            .route("/control/faults", get(faults::show).put(faults::set))
            .route("/control/notices", get(notices::show))
            .with_state(house.clone());
        let served = axum::serve(listener, router).with_graceful_shutdown(stop).await;
        house.0.tasks.close();
        house.0.tasks.wait().await;
        served
    }
}

impl House {
    /// Every change of these is one step.
    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn faults(&self) -> Faults {
        self.0.faults.borrow().clone()
    }

    fn sent(&self) -> MutexGuard<'_, Vec<Sent>> {
        self.0.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now_ms(&self) -> i64 {
        self.0.options.clock.now_ms()
    }

    /// Does `work` unless the provider stops before it is done.
    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let stopping = self.0.stopping.clone();
        self.0.tasks.spawn(async move {
            tokio::select! {
                () = work => {}
                () = stopping.cancelled() => {}
            }
        });
    }
}
