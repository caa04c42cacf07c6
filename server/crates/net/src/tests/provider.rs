//! A provider on this machine, over TCP or TLS, with a certificate that tests alone trust.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use data_encoding::BASE64;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::install_tls;

/// A connection to the provider.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// The provider. It stops when it is dropped.
pub(super) struct Provider {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    _serving: JoinSet<()>,
}

impl Provider {
    /// Starts one that serves each TCP connection by `serve`, which is told its number.
    pub(super) async fn start<S>(serve: impl Fn(TcpStream, usize) -> S + Send + 'static) -> Self
    where
        S: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = connections.clone();
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                open.spawn(serve(stream, counter.fetch_add(1, Ordering::SeqCst)));
            }
        });
        Self { address, connections, _serving: serving }
    }

    /// The URL of `path` there.
    pub(super) fn url(&self, scheme: &str, path: &str) -> String {
        format!("{scheme}://{}{path}", self.address)
    }

    /// The number of connections that it has had.
    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Speaks TLS on a connection, and agrees to one of these protocols.
pub(super) async fn over_tls(stream: TcpStream, protocols: &[&str]) -> Option<impl Stream> {
    install_tls();
    let (chain, key) = (vec![der(CERTIFICATE)], PrivatePkcs8KeyDer::from(decoded(KEY)));
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key.into());
    let mut config = config.expect("a key and its certificate");
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    TlsAcceptor::from(Arc::new(config)).accept(stream).await.ok()
}

/// The check of certificates against the issuer of the provider's.
pub(super) fn trusting() -> Arc<dyn ServerCertVerifier> {
    install_tls();
    let mut roots = RootCertStore::empty();
    roots.add(der(ISSUER)).expect("an issuer");
    WebPkiServerVerifier::builder(Arc::new(roots)).build().expect("there is an issuer")
}

fn der(text: &str) -> CertificateDer<'static> {
    decoded(text).into()
}

fn decoded(text: &str) -> Vec<u8> {
    BASE64.decode(text.as_bytes()).expect("it was written here")
}

/// A certificate that was made for these tests alone, for 127.0.0.1 from 2020 until 2120, with its issuer and its key.
const CERTIFICATE: &str = "\
    MIIBmjCCAUGgAwIBAgIBAjAKBggqhkjOPQQDAjAnMSUwIwYDVQQDDBx0cnVzdGVkIGJ5IHRoZXNlIHRlc3RzIGFsb25lMCAXDTIwMDEwMTAwMD\
    AwMFoYDzIxMjAwMTAxMDAwMDAwWjAiMSAwHgYDVQQDDBdwcm92aWRlciBvZiB0aGVzZSB0ZXN0czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA\
    BEdK0e8xWYFTD5g/8/GjtusvbP/aidkGMp+FqxPhLoo7jFpF3XQT8gnUvv10dej60SQrvYuPWbW+tWkCBIsm83SjYTBfMAwGA1UdEwEB/wQCMA\
    AwDwYDVR0RBAgwBocEfwAAATAdBgNVHQ4EFgQUJGREwe1GMoEAiZkriJgUdBHgXiwwHwYDVR0jBBgwFoAUdYNT6+wfUJRsoPObzliXestPNxEw\
    CgYIKoZIzj0EAwIDRwAwRAIgd0cVm5lRXPQ0/psjugcTZlP1l5cOkJQ17R2iI6T69rQCIGJVGgnHO+KIkWr4mVJvkdDpb6AtTLW/awYMEIX7Q7\
    KI";
const ISSUER: &str = "\
    MIIBgTCCASegAwIBAgIBATAKBggqhkjOPQQDAjAnMSUwIwYDVQQDDBx0cnVzdGVkIGJ5IHRoZXNlIHRlc3RzIGFsb25lMCAXDTIwMDEwMTAwMD\
    AwMFoYDzIxMjAwMTAxMDAwMDAwWjAnMSUwIwYDVQQDDBx0cnVzdGVkIGJ5IHRoZXNlIHRlc3RzIGFsb25lMFkwEwYHKoZIzj0CAQYIKoZIzj0D\
    AQcDQgAEeu8EqmgaIU0w4k+UTImOzRcE3B41n5me19h0fFlPMT23WgDSojIZ76jVmzFSZkI82naoEwKEEv98aXRNRCF5/6NCMEAwDwYDVR0TAQ\
    H/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwHQYDVR0OBBYEFHWDU+vsH1CUbKDzm85Yl3rLTzcRMAoGCCqGSM49BAMCA0gAMEUCIEv9sK4sv6mS\
    L+auOx2Bos9AS78O4FlDv+Thq1tPnGlcAiEAppEVXkTJLHfT5fgatQbNfp/6u3w8q///AQJDfwhVrfY=";
const KEY: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgljZV5StbgVzDhRQNG7EuAoBS6eYvRkmiRhVH+BcRnHuhRANCAARHStHvMVmBUw\
    +YP/Pxo7brL2z/2onZBjKfhasT4S6KO4xaRd10E/IJ1L79dHXo+tEkK72Lj1m1vrVpAgSLJvN0";
