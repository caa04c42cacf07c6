//! Floor 6: the configuration, read once and validated whole.
//!
//! One TOML file, overridden by `TOLLGATE_*` variables; secrets only by reference to the environment or a file. What
//! leaves this room is each other room's own `Config`, resolved and valid. Start reading at [`file`]: its structs are
//! the keys of `config.default.toml`.

mod agent;
mod capabilities;
mod chains;
mod check;
mod database;
mod ewallet;
mod file;
mod groups;
mod listed;
mod listener;
mod locate;
mod overrides;
mod patterns;
mod price;
mod resolve;
mod secrets;
mod services;
mod solana;
mod tiers;
mod traces;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

pub use check::Complaint;
pub use file::{LogFormat, Mode, OpenTo};
pub use listener::InFlight;

use crate::store::ServerAddress;
use crate::{agents, gateway, http, telemetry, topup, video};

use listed::Listed;

/// Everything the binary is told, resolved.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether sandbox parts are allowed.
    pub mode: Mode,
    /// Where the gateway listens.
    pub listen: SocketAddr,
    /// Where clients reach the service, up to the path; absent where it goes by what they ask for.
    pub public_url: Option<String>,
    /// Where the ledger lives; or, where it lives in a database, what else this server keeps.
    pub data_dir: PathBuf,
    /// The database that the ledger lives in.
    pub database: Option<Box<ServerAddress>>,
    /// What the log says: a filter in `tracing`'s words.
    pub log_filter: String,
    /// How the log looks.
    pub log_format: LogFormat,
    /// Whether the sandbox provider is started.
    pub sandbox: bool,
    /// The listener's own.
    pub http: http::Config,
    /// What may be in flight at the same time.
    pub in_flight: InFlight,
    /// Whether people may open accounts by themselves.
    pub registration: bool,
    /// Agents.
    pub agents: agents::Config,
    /// Who may read the metrics.
    pub metrics: OpenTo,
    /// Where traces go; absent: nowhere.
    pub traces: Option<telemetry::TracesConfig>,
    /// How long videos are waited for.
    pub videos: video::VideoPatience,
    /// Rails, their bounds, and what they are reached by.
    pub topup: topup::Config,
    /// The gateway's own.
    pub gateway: gateway::Config,
}

/// Why there are no settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("reading {path}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The configuration cannot be used; every reason is listed.
    #[error("the configuration cannot be used:\n{}", .0.iter().map(|complaint| format!("  {complaint}\n")).collect::<String>())]
    Refused(Vec<Complaint>),
}

/// What the command line says over the file and the environment.
#[derive(Debug, Clone, Default)]
pub struct CommandLine {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// `--listen`.
    pub listen: Option<SocketAddr>,
    /// `--data`.
    pub data_dir: Option<PathBuf>,
}

impl Settings {
    /// Reads the file (or the built-in defaults), the environment and the command line, in rising order of weight.
    ///
    /// # Errors
    /// When the file cannot be read, or anything in it cannot be used.
    pub fn load(line: &CommandLine, env: &dyn Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let (name, text) = match &line.config {
            Some(path) => (path.as_path(), read(path)?),
            None => (Path::new("the built-in defaults"), String::new()),
        };
        let mut file = overrides::read(name, &text, env).map_err(SettingsError::Refused)?;
        let list = match file.price_list.as_ref().map(|list| name.with_file_name("").join(list)) {
            Some(list) => listed::fill(&mut file, &list, &read(&list)?),
            None => Listed::default(),
        };
        let resolved = resolve::resolve(file, line.config.is_none(), env);
        let found = resolved.as_ref().err().into_iter().flatten().filter(|found| !list.explains(found));
        let complaints = [list.complaints.clone(), check::placed(name, found.cloned().collect(), &text)].concat();
        let mut settings = resolved.ok().filter(|_| complaints.is_empty()).ok_or(SettingsError::Refused(complaints))?;
        settings.listen = line.listen.unwrap_or(settings.listen);
        settings.data_dir = line.data_dir.clone().unwrap_or(settings.data_dir);
        Ok(settings)
    }
}

fn read(path: &Path) -> Result<String, SettingsError> {
    std::fs::read_to_string(path).map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })
}
