//! Floor 5: the listener. Accepts connections, bounds what a connection may take, and stops without cutting a reply.
//!
//! Hands every request within its bounds to the router it was given and knows nothing of operations. The accept loop is
//! our own because the router crate's builds its server without a timer, which leaves slow headers unbounded.
//!
//! Invariants: what a client may hold without having asked for anything is bounded in time and, per address, in number;
//! an answer that nobody takes is let go, whichever version of HTTP it waits in;
//! whatever is answered here has the shape of the request's family; a path has one spelling from here on.

mod activity;
mod addresses;
mod client;
mod config;
mod connection;
mod headers;
mod refusals;
mod socket;
mod stall;
mod stop;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use addresses::{AdmissionDecision, ConnectionCounts};
use connection::ConnectionHandler;
use stop::StopSender;

pub use config::Config;
pub use refusals::ListenerRefusals;

/// Pause after an accept that failed for want of descriptors or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A bound listener.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    config: Config,
}

impl HttpServer {
    /// Takes the address.
    ///
    /// # Errors
    /// When it is taken already, or not ours to take.
    pub async fn bind(address: SocketAddr, config: Config) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await?, config })
    }

    /// The address that it listens on, with the system's choice of port where 0 was asked for.
    ///
    /// # Errors
    /// When the socket was closed under it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` resolves, then lets what is under way end within the grace.
    pub async fn serve(self, router: Router, refusals: ListenerRefusals, stop: impl Future<Output = ()> + Send) {
        let Self { listener, config } = self;
        let places = Arc::new(Semaphore::new(config.connections));
        let mut door = OpenConnections {
            addresses: ConnectionCounts::new(config.connections_per_address, config.proxies.clone()),
            connections: ConnectionHandler::new(&config, router, refusals),
            stopper: StopSender::new(),
            tasks: JoinSet::new(),
        };
        let mut stop = std::pin::pin!(stop);
        loop {
            let place = places.clone().acquire_owned();
            let accepted = tokio::select! {
                () = &mut stop => break,
                accepted = async { (place.await, listener.accept().await) } => accepted,
            };
            match accepted {
                (Ok(place), Ok((stream, peer))) => door.receive(place, stream, peer),
                _ => sleep(ACCEPT_PAUSE).await,
            }
        }
        drop(listener);
        door.close(config.shutdown_grace).await;
    }
}

/// The connections that are open.
struct OpenConnections {
    addresses: Arc<ConnectionCounts>,
    connections: Arc<ConnectionHandler>,
    stopper: StopSender,
    tasks: JoinSet<()>,
}

impl OpenConnections {
    fn receive(&mut self, place: OwnedSemaphorePermit, stream: TcpStream, peer: SocketAddr) {
        // Those that ended are let go, so that the set does not grow.
        while self.tasks.try_join_next().is_some() {}
        let (connections, stop) = (self.connections.clone(), self.stopper.listener());
        match self.addresses.receive(peer.ip()) {
            AdmissionDecision::Served(seat) => {
                self.tasks.spawn(async move {
                    connections.serve(stream, peer, stop).await;
                    drop((seat, place));
                });
            }
            AdmissionDecision::Told(seat) => {
                tracing::debug!(address = %peer.ip(), "an address has too many connections");
                self.tasks.spawn(async move {
                    connections.refuse_connection(stream, stop).await;
                    drop((seat, place));
                });
            }
            AdmissionDecision::Closed => {}
        }
    }

    async fn close(mut self, grace: Duration) {
        self.stopper.send();
        let ended = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(grace, ended).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "some replies did not end within the grace and are cut");
        }
        self.tasks.shutdown().await;
    }
}
