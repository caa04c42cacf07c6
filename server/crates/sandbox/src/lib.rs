//! A stand-in for a provider, so that the gateway works on a fresh machine: a deterministic model that speaks format O
//! over real HTTP on loopback, and judges, embeds, draws and films beside it. Floor 5, beside the other listeners.
//!
//! It is a peer, not a shortcut: the gateway reaches it through its ordinary upstream client, and it knows nothing of
//! the gateway. Answers are marked by their text and by `system_fingerprint: "sandbox"`;
//! a gateway in production mode refuses to start it. A stand-in for a payment provider is in [`checkout`].

mod chat;
pub mod checkout;
mod model;
mod tools;
mod unary;
mod videos;

use std::net::SocketAddr;

use axum::Router;
use axum::routing::{get, post};
use tokio::net::TcpListener;

pub use checkout::{CheckoutError, CheckoutSandbox, Options};

/// The name under which the sandbox offers its model.
pub const MODEL: &str = "sandbox-1";

/// A bound sandbox that does not answer yet.
#[derive(Debug)]
pub struct SandboxProvider {
    listener: TcpListener,
}

impl SandboxProvider {
    /// Takes a free port on the loopback interface.
    ///
    /// # Errors
    /// When the machine has none to give.
    pub async fn bind() -> std::io::Result<Self> {
        Ok(Self { listener: TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await? })
    }

    /// The address that it listens on.
    ///
    /// # Errors
    /// When the socket was closed under it.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until `stop` resolves.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
        let router = Router::new()
            .route("/v1/chat/completions", post(chat::create))
            .route("/v1/embeddings", post(unary::embed))
            .route("/v1/moderations", post(unary::moderate))
            .route("/v1/images/generations", post(unary::generate_images))
            .route("/v1/images/edits", post(unary::generate_images))
            .route("/v1/videos", post(videos::order))
            .route("/v1/videos/{id}", get(videos::report))
            .route("/v1/videos/{id}/content", get(videos::content))
            .with_state(videos::SandboxVideos::default());
        axum::serve(self.listener, router).with_graceful_shutdown(stop).await
    }
}
