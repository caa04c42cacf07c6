//! The servers that are measured, each prepared once and started as often as a row wants a fresh one.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use crate::gateway::Gateway;
use crate::measure::Measured;
use crate::process::Server;
use crate::report::Figure;
use crate::scenario::SERVER_CORE;
use crate::{Failed, accounts, key_proxy, nginx};

/// A kind of server; a gateway is of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject<'a> {
    Provider,
    Proxy,
    Nginx,
    KeyProxy,
    Gateway(&'a Path),
    OtherGateway(&'a Path),
}

impl<'a> Subject<'a> {
    /// All of them, in the order of the table; nginx where it is installed.
    pub(crate) fn all(gateway: &'a Path, other: Option<&'a Path>) -> Vec<Self> {
        let nginx = nginx::path().map(|_| Self::Nginx);
        let known = [Some(Self::Provider), Some(Self::Proxy), nginx, Some(Self::KeyProxy)];
        let gateways = [Some(Self::Gateway(gateway)), other.map(Self::OtherGateway)];
        known.into_iter().chain(gateways).flatten().collect()
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider itself",
            Self::Proxy => "bare proxy",
            Self::Nginx => "nginx",
            Self::KeyProxy => "proxy with key and model",
            Self::Gateway(_) => "gateway, money on",
            Self::OtherGateway(_) => "other build",
        }
    }

    /// The build of a gateway.
    pub(crate) const fn build(self) -> Option<&'a Path> {
        match self {
            Self::Gateway(build) | Self::OtherGateway(build) => Some(build),
            Self::Provider | Self::Proxy | Self::Nginx | Self::KeyProxy => None,
        }
    }

    /// Writes down all that a start needs, with a key of each account.
    pub(crate) async fn prepare(self, provider: &str, count: usize) -> Result<Prepared<'a>, Failed> {
        let folder = tempfile::tempdir()?;
        let keys = match self.build() {
            Some(build) => {
                let gateway = Gateway::of(build);
                let config = gateway.write_config(folder.path(), provider)?;
                // A build makes its ledger itself: an older one rightly refuses a newer schema.
                if count == 1 {
                    vec![gateway.account(&config, "bench")?]
                } else {
                    accounts::open(folder.path(), count).await?
                }
            }
            None => key_proxy::keys(count),
        };
        Ok(Prepared { subject: self, provider: provider.to_owned(), keys: keys.into(), folder: Arc::new(folder) })
    }
}

/// A server that can be started.
pub(crate) struct Prepared<'a> {
    subject: Subject<'a>,
    provider: String,
    keys: Arc<[String]>,
    folder: Arc<TempDir>,
}

impl Prepared<'_> {
    pub(crate) fn start(&self) -> Result<Running, Failed> {
        let bench = std::env::current_exe()?;
        let accounts = self.keys.len().to_string();
        let greeted = |args: &[&str]| {
            let server = Server::start(SERVER_CORE, &bench, args)?;
            let address = server.greeting.clone();
            Ok::<_, Failed>((server, address))
        };
        let (server, address) = match self.subject {
            Subject::Provider => greeted(&["provider"])?,
            Subject::Proxy => greeted(&["proxy", &self.provider])?,
            Subject::KeyProxy => greeted(&["key_proxy", &self.provider, &accounts])?,
            Subject::Nginx => nginx::start(self.folder.path(), &self.provider)?,
            Subject::Gateway(build) | Subject::OtherGateway(build) => Gateway::of(build).serve(self.folder.path())?,
        };
        Ok(Running { server, address, keys: self.keys.clone(), _folder: self.folder.clone() })
    }
}

/// A server that runs until it is dropped.
pub(crate) struct Running {
    server: Server,
    address: String,
    keys: Arc<[String]>,
    _folder: Arc<TempDir>,
}

impl Running {
    pub(crate) fn measured<'m>(&'m self, lasts: Duration, taken: &'m mut Vec<Figure>) -> Measured<'m> {
        Measured { server: &self.server, address: self.address.clone(), keys: self.keys.clone(), lasts, taken }
    }
}
