//! DNS resolvers, by which a client finds the addresses of a host.

use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper_util::client::legacy::connect::dns::GaiResolver;
use tower_service::Service;

pub use hyper_util::client::legacy::connect::dns::Name as HostName;

/// The addresses of a host, as they are found. Their ports mean nothing.
pub type Resolution = Pin<Box<dyn Future<Output = Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>>> + Send>>;

/// A DNS resolver. It is asked for names only, never for IP addresses.
pub trait NameResolver: fmt::Debug + Send + Sync {
    /// Resolves the name of a host.
    fn resolve(&self, name: HostName) -> Resolution;
}

/// The resolver of the operating system.
#[derive(Debug, Clone, Copy)]
pub struct SystemResolver;

impl NameResolver for SystemResolver {
    fn resolve(&self, name: HostName) -> Resolution {
        let resolving = GaiResolver::new().call(name);
        Box::pin(async move { Ok(resolving.await?.collect()) })
    }
}

/// A resolver as the connector calls it.
#[derive(Debug, Clone)]
pub(crate) struct ResolverService(pub(crate) Arc<dyn NameResolver>);

impl Service<HostName> for ResolverService {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: HostName) -> Self::Future {
        let resolving = self.0.resolve(name);
        Box::pin(async move { Ok(resolving.await?.into_iter()) })
    }
}
