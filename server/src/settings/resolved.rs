//! The configuration as the rooms take it.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use tollgate_api::generated::types::Setting;
use tollgate_base::Branding;
use tollgate_store::ServerAddress;

use super::{AdminAccess, InFlightBounds, LogFormat, MetricsAccess, ServerMode};

/// Everything the binary is told, resolved.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The mode, by which sandbox parts are allowed or refused.
    pub mode: ServerMode,
    /// The address that the gateway listens on.
    pub listen: SocketAddr,
    /// The public address of the service, up to the path; absent where it goes by what clients ask for.
    pub public_url: Option<String>,
    /// The folder of the ledger; or, where the ledger is in a database, of what else this server keeps.
    pub data_dir: PathBuf,
    /// The database of the ledger; absent where it is a file.
    pub database: Option<Box<ServerAddress>>,
    /// The filter of the log, in the syntax of `tracing`.
    pub log_filter: String,
    /// The form of the log.
    pub log_format: LogFormat,
    /// True if the sandbox provider is started.
    pub sandbox: bool,
    /// Configuration of the listener.
    pub http: tollgate_http::Config,
    /// The bounds on requests in flight.
    pub in_flight: InFlightBounds,
    /// The addresses on which operators are served.
    pub admin: AdminAccess,
    /// Name, logo and colour of the pages for people.
    pub branding: Arc<Branding>,
    /// The folder of backups and archives that operators ask for; absent: in the folder of the ledger.
    pub backup_dir: Option<PathBuf>,
    /// The most backups that stay there.
    pub backups_kept: NonZeroU32,
    /// The settings as they are told to operators.
    pub in_force: Vec<Setting>,
    /// True if people may open accounts by themselves.
    pub registration: bool,
    /// Configuration of agents.
    pub agents: tollgate_agents::Config,
    /// The providers of OpenID Connect that people sign in by.
    pub oidc: Vec<tollgate_identities::OidcProviderConfig>,
    /// The mail server that invitations are sent through; absent where none are mailed.
    pub mail: Option<tollgate_net::MailConfig>,
    /// The callers that may read the metrics.
    pub metrics: MetricsAccess,
    /// The collector of traces; absent where nothing is traced.
    pub traces: Option<tollgate_telemetry::TracesConfig>,
    /// The timeouts of videos.
    pub videos: tollgate_video::VideoTimeouts,
    /// Configuration of rails: their bounds, chains and payment provider.
    pub topup: tollgate_topup::Config,
    /// The terms on which operators put things on offer.
    pub catalog: tollgate_catalog::CatalogTerms,
    /// What the configuration has on offer, as it is written.
    pub offer: tollgate_catalog::FileOffer,
    /// Configuration of the gateway.
    pub gateway: tollgate_gateway::Config,
}
