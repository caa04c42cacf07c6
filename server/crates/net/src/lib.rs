//! Floor 1: TLS for everything that calls others over HTTP.
//!
//! Imports nothing of the server. The HTTP clients are built where they are used, each with its own rules.

/// Makes ring the process's TLS provider; later calls change nothing.
pub fn install_tls() {
    // Fails when a TLS provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
