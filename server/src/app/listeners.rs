//! The addresses that the gateway listens on: one for everybody, and one for operators where it is apart.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::cookies::cookies;
use super::workers::stop_signal;
use super::{Service, StartError};
use crate::settings::AdminAccess;
use tollgate_api::generated;
use tollgate_api::{BodyMemory, InFlightRequests, OperatorRoutes, RouterConfig};
use tollgate_http::{Config, HttpServer, ListenerRefusals};

/// Requests of operators in flight on an address of their own.
const OPERATOR_REQUESTS: usize = 64;
/// Bytes of all their bodies.
const OPERATOR_BODIES: usize = 16 << 20;

/// The addresses, taken and not yet answering.
#[derive(Debug)]
pub(super) struct Listeners {
    everybody: HttpServer,
    operators: Option<HttpServer>,
    /// True if operators are served where everybody is.
    shared: bool,
    /// The public address of the listener of operators.
    operators_url: Option<String>,
    /// The addresses.
    pub(super) addresses: ListenerAddresses,
}

/// The addresses that a gateway listens on.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListenerAddresses {
    /// The one for everybody.
    pub(super) everybody: SocketAddr,
    /// The one for operators, where it is one of their own.
    pub(super) operators: Option<SocketAddr>,
}

impl Listeners {
    /// Takes the addresses.
    ///
    /// # Errors
    /// When one is taken already, or not ours to take.
    pub(super) async fn bind(address: SocketAddr, admin: &AdminAccess, http: Config) -> Result<Self, StartError> {
        let everybody = bind(address, http.clone()).await?;
        let operators = match admin.listen {
            Some(address) => Some(bind(address, http).await?),
            None => None,
        };
        Ok(Self {
            addresses: ListenerAddresses {
                everybody: everybody.1,
                operators: operators.as_ref().map(|(_, address)| *address),
            },
            everybody: everybody.0,
            operators: operators.map(|(server, _)| server),
            shared: admin.public,
            operators_url: admin.public_url.clone(),
        })
    }

    /// Answers on them until `stopped` says so.
    pub(super) fn serve(
        self,
        service: &Arc<Service>,
        config: &RouterConfig,
        refusals: ListenerRefusals,
        stopped: watch::Receiver<bool>,
    ) -> JoinHandle<()> {
        let routes = if self.shared { OperatorRoutes::Served } else { OperatorRoutes::Absent };
        let everybody = RouterConfig { operators: routes, ..config.clone() };
        // A crowd of customers takes no place from who has to stop them.
        let apart = RouterConfig {
            operators: OperatorRoutes::Alone,
            cookies: Arc::new(cookies(self.operators_url.as_deref())),
            places: InFlightRequests::new(OPERATOR_REQUESTS, OPERATOR_REQUESTS),
            bodies: BodyMemory::new(OPERATOR_BODIES),
            pages: config.pages.iter().filter(|pages| pages.is_of_operators).cloned().collect(),
            ..config.clone()
        };
        let router = |config| generated::router(service.clone(), config);
        let everybody = self.everybody.serve(router(everybody), refusals.clone(), stop_signal(stopped.clone()));
        let apart = self.operators.map(|server| server.serve(router(apart), refusals, stop_signal(stopped)));
        let serving = async move {
            match apart {
                Some(apart) => drop(tokio::join!(everybody, apart)),
                None => everybody.await,
            }
        };
        #[expect(clippy::disallowed_methods, reason = "owned by `App`, which waits for it in `stop`")]
        tokio::spawn(serving)
    }
}

async fn bind(address: SocketAddr, http: Config) -> Result<(HttpServer, SocketAddr), StartError> {
    let listen = |source| StartError::Listen { address, source };
    let server = HttpServer::bind(address, http).await.map_err(listen)?;
    let own = server.address().map_err(listen)?;
    Ok((server, own))
}
