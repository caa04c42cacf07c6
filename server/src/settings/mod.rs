//! Floor 6: the configuration, read once and validated whole.
//!
//! One TOML file, overridden by `TOLLGATE_*` variables; secrets only by reference to the environment or a file. What
//! leaves this room is each other room's own `Config`, resolved and valid. Start reading at [`file`]: its structs are
//! the keys of `config.default.toml`.

mod admin;
mod agent;
mod chain_access;
mod chains;
mod command_line;
mod complaints;
mod console;
mod database;
mod ewallet;
mod file;
mod in_force;
mod listener;
mod locate;
mod mail;
mod oidc;
mod overrides;
mod price_list;
mod resolve;
mod resolved;
mod secrets;
mod solana;
mod traces;
mod wallet_network;

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use tollgate_catalog::FileOffer;

pub use admin::AdminAccess;
pub use command_line::CommandLine;
pub use complaints::ConfigComplaint;
pub use file::{LogFormat, MetricsAccess, ServerMode};
pub use listener::InFlightBounds;
pub use resolved::Settings;

use price_list::PriceListOutcome;

/// The configuration cannot be read or used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsLoadError {
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
    Refused(Vec<ConfigComplaint>),
}

impl Settings {
    /// Reads the file (or the built-in defaults), the environment and the command line, in rising order of weight.
    ///
    /// # Errors
    /// When the file cannot be read, or anything in it cannot be used.
    pub fn load(line: &CommandLine, env: &dyn Fn(&str) -> Option<String>) -> Result<Self, SettingsLoadError> {
        let (name, text) = match &line.config {
            Some(path) => (path.as_path(), read(path)?),
            None => (Path::new("the built-in defaults"), String::new()),
        };
        let mut file = overrides::read(name, &text, env).map_err(SettingsLoadError::Refused)?;
        let beside = |path: &PathBuf| name.with_file_name("").join(path);
        file.console.logo_file = file.console.logo_file.as_ref().map(beside);
        let mut offer = file.offer();
        let mut list = match file.price_list.as_ref().map(beside) {
            Some(list) => price_list::fill(&mut offer, &list, &read(&list)?),
            None => PriceListOutcome::default(),
        };
        let offer = FileOffer { offer, list: std::mem::take(&mut list.list), credentials: IndexMap::new() };
        let resolved = resolve::resolve(file, offer, line.config.is_none(), env);
        let found = resolved.as_ref().err().into_iter().flatten().filter(|found| !list.explains(found));
        let complaints = [list.complaints.clone(), complaints::placed(name, found.cloned().collect(), &text)].concat();
        let mut settings =
            resolved.ok().filter(|_| complaints.is_empty()).ok_or(SettingsLoadError::Refused(complaints))?;
        settings.listen = line.listen.unwrap_or(settings.listen);
        settings.data_dir = line.data_dir.clone().unwrap_or(settings.data_dir);
        settings.in_force = in_force::settings(&text, env, line);
        Ok(settings)
    }
}

fn read(path: &Path) -> Result<String, SettingsLoadError> {
    std::fs::read_to_string(path).map_err(|source| SettingsLoadError::Unreadable { path: path.to_owned(), source })
}
