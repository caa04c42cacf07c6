//! Floor 5: the listener. Accepts connections, bounds what a connection may take, and stops without cutting a reply.
//!
//! Hands every request to the router it was given and knows nothing of operations. The accept loop is our own because
//! the router crate's builds its server without a timer, which leaves slow headers unbounded.

mod connection;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use connection::with_peer;

/// Bounds on connections.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// Open connections at the same time; further ones wait to be accepted.
    pub connections: usize,
    /// In which the headers of a request must arrive.
    pub header_read: Duration,
    /// Headers of one request.
    pub header_count: usize,
    /// Bytes of all headers of one request.
    pub header_bytes: usize,
    /// In which replies must end once the gateway was told to stop.
    pub shutdown_grace: Duration,
}

/// Requests of one HTTP/2 connection at the same time.
const STREAMS_PER_CONNECTION: u32 = 100;
/// After an accept failed for want of descriptors or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A bound listener.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    config: Config,
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// When it is taken already, or not ours to take.
    pub async fn bind(address: SocketAddr, config: Config) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await?, config })
    }

    /// Where it listens; tells the port where 0 was asked for.
    ///
    /// # Errors
    /// When the socket was closed under it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` resolves, then lets what is under way end within the grace.
    pub async fn serve(self, router: Router, stop: impl Future<Output = ()> + Send) {
        let Self { listener, config } = self;
        let builder = builder(config);
        let places = Arc::new(Semaphore::new(config.connections));
        let graceful = GracefulShutdown::new();
        let mut connections = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            let place = places.clone().acquire_owned();
            let accepted = tokio::select! {
                () = &mut stop => break,
                accepted = async { (place.await, listener.accept().await) } => accepted,
            };
            // Those that ended are let go, so that the set does not grow.
            while connections.try_join_next().is_some() {}
            let (Ok(place), Ok((stream, peer))) = accepted else {
                sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let (builder, service, watcher) = (builder.clone(), with_peer(router.clone(), peer), graceful.watcher());
            connections.spawn(async move {
                // The server tells the version by the first bytes, and has no clock of its own until it has them.
                if matches!(timeout(config.header_read, stream.readable()).await, Ok(Ok(()))) {
                    serve_one(&builder, stream, service, watcher).await;
                }
                drop(place);
            });
        }
        drop(listener);
        if timeout(config.shutdown_grace, graceful.shutdown()).await.is_err() {
            tracing::warn!(connections = connections.len(), "some replies did not end within the grace and are cut");
        }
        connections.shutdown().await;
    }
}

fn builder(config: Config) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(config.header_read)
        .max_headers(config.header_count)
        // hyper's read buffer also holds the start of a body, and may not be smaller than 8 KiB.
        .max_buf_size(config.header_bytes.max(8192) + 16 * 1024);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_PER_CONNECTION)
        .max_header_list_size(u32::try_from(config.header_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(Duration::from_secs(30));
    builder
}

async fn serve_one<S>(builder: &Builder<TokioExecutor>, stream: TcpStream, service: S, watcher: Watcher)
where
    S: connection::HttpService,
{
    // A reply is written whole: waiting for more to send would only delay it.
    let _ = stream.set_nodelay(true);
    let connection = builder.serve_connection(hyper_util::rt::TokioIo::new(stream), service);
    let connection = watcher.watch(connection.into_owned());
    // A client that breaks its connection is no event of ours; what it asked for is looked after elsewhere.
    if let Err(error) = connection.await {
        tracing::debug!(error = %error, "a connection ended early");
    }
}
