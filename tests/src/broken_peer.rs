//! Providers that fail below HTTP: with a certificate that nobody trusts, by resets, by answers that trickle.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

/// What the provider does with each connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeerFault {
    /// Speaks TLS with a certificate of its own making for 127.0.0.1.
    SelfSigned,
    /// Resets the connection before it reads anything.
    ResetAtOnce,
    /// Resets it when a request has come.
    ResetAfterRequest,
    /// Resets it in the middle of the answer's head.
    ResetInHead,
    /// Sends the answer's head byte by byte, without end.
    DripHead,
    /// Sends a head of this kind, then a space every few milliseconds, without end.
    DripBody(&'static str),
}

/// Between two bytes of an answer that trickles: far below every bound of ours, so that only the sum can exceed one.
const DRIP: Duration = Duration::from_millis(20);

/// The provider. It stops when it is dropped.
#[derive(Debug)]
pub struct BrokenPeer {
    address: SocketAddr,
    _serving: JoinSet<()>,
}

impl BrokenPeer {
    /// Starts one.
    ///
    /// # Panics
    /// When the machine has no free port.
    pub async fn start(manners: PeerFault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, manners));
                while connections.try_join_next().is_some() {}
            }
        });
        Self { address, _serving: serving }
    }

    /// Where it is, by `scheme`, up to and including the version segment.
    #[must_use]
    pub fn base_url(&self, scheme: &str) -> String {
        format!("{scheme}://{}/v1", self.address)
    }
}

async fn serve(mut stream: TcpStream, manners: PeerFault) {
    let mut request = [0; 1 << 16];
    match manners {
        PeerFault::SelfSigned => {
            // A client that trusts the certificate would be answered, so that the test would see it.
            if let Ok(mut stream) = acceptor().accept(stream).await {
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await;
                let _ = stream.shutdown().await;
            }
            return;
        }
        PeerFault::ResetAtOnce => {}
        PeerFault::ResetAfterRequest => drop(stream.read(&mut request).await),
        PeerFault::ResetInHead => {
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-ty").await;
        }
        PeerFault::DripHead => {
            let _ = stream.read(&mut request).await;
            return drip(stream, "HTTP/1.1 200 OK\r\nx-padding: ".to_owned(), b"x").await;
        }
        PeerFault::DripBody(kind) => {
            let _ = stream.read(&mut request).await;
            let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n");
            return drip(stream, head, b"1\r\n \r\n").await;
        }
    }
    // Closing sends a reset then, and no orderly end.
    stream.set_zero_linger().expect("an open socket takes options");
}

/// Sends `head` and then `drop` again and again, until nobody reads any more.
async fn drip(mut stream: TcpStream, head: String, drop: &[u8]) {
    let mut sent = stream.write_all(head.as_bytes()).await;
    while sent.is_ok() {
        tokio::time::sleep(DRIP).await;
        sent = stream.write_all(drop).await;
    }
}

/// A certificate that was made for these tests alone, for 127.0.0.1 until 2126, and its key: nobody trusts it.
const CERTIFICATE: &str = "\
    MIIBozCCAUigAwIBAgIURnocrhleiQCMuIOCH8T5r9/wVJcwCgYIKoZIzj0EAwIwHTEbMBkGA1UEAwwSbm9ib2R5IHRydXN0cyB0aGlzMCAXDT\
    I2MTEyMTE5MDIzN1oYDzIxMjYxMDI4MTkwMjM3WjAdMRswGQYDVQQDDBJub2JvZHkgdHJ1c3RzIHRoaXMwWTATBgcqhkjOPQIBBggqhkjOPQMB\
    BwNCAARWjXOPUM5M9NhqBaYg1OAyFT3XYLYTdlg5jdM38LEqoeGGP/yHsNV1gImu3/LZTh9qF9+p4ipB1XXzuKCYK4GMo2QwYjAdBgNVHQ4EFg\
    QUCmxaHzaV94ta/RpblY3uH94/gscwHwYDVR0jBBgwFoAUCmxaHzaV94ta/RpblY3uH94/gscwDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAG\
    hwR/AAABMAoGCCqGSM49BAMCA0kAMEYCIQDH6qK9M8WcQQlt8HKla03Bo+P+t7FpaQAiIU3QaM0YEAIhAJ4SUpjtPYrMZRxIb1UhgoAVYrQ/Ca\
    OQ7RqYhigCBoLr";
const KEY: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6IWaZkY6GDtWbyQcR5btWYV2zfCXEXij5ThQN5nBXqShRANCAARWjXOPUM5M9N\
    hqBaYg1OAyFT3XYLYTdlg5jdM38LEqoeGGP/yHsNV1gImu3/LZTh9qF9+p4ipB1XXzuKCYK4GM";

fn acceptor() -> TlsAcceptor {
    tollgate_net::install_tls();
    let decoded = |text: &str| BASE64.decode(text.as_bytes()).expect("it was written here");
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![decoded(CERTIFICATE).into()], PrivatePkcs8KeyDer::from(decoded(KEY)).into());
    TlsAcceptor::from(Arc::new(config.expect("a key and its certificate")))
}
