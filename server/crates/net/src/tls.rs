//! TLS: its provider, and the settings of clients.

use std::sync::Arc;

use rustls::ClientConfig;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls_platform_verifier::Verifier;

use super::config::HttpProtocol;
use super::error::UnusableTls;

/// Makes ring the process's TLS provider; later calls change nothing.
pub fn install_tls() {
    // Fails when a TLS provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// The check of certificates against those of the system, which are read now.
pub(crate) fn system_verifier() -> Result<Arc<dyn ServerCertVerifier>, UnusableTls> {
    install_tls();
    let provider = CryptoProvider::get_default().expect("it was installed above").clone();
    Ok(Arc::new(Verifier::new(provider)?))
}

/// The settings of a client: TLS 1.2 and 1.3, and the HTTP versions that it offers.
pub(crate) fn client_config(protocol: HttpProtocol, verifier: Arc<dyn ServerCertVerifier>) -> ClientConfig {
    let builder = ClientConfig::builder().dangerous().with_custom_certificate_verifier(verifier);
    let mut config = builder.with_no_client_auth();
    config.alpn_protocols = match protocol {
        HttpProtocol::Negotiated => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        HttpProtocol::Http1 => vec![b"http/1.1".to_vec()],
        HttpProtocol::Http2 => vec![b"h2".to_vec()],
    };
    config
}
