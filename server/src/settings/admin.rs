//! The address on which operators are served.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::file::{AdminTable, ConfigFile, ServerMode};
use super::listener;
use super::secrets::SecretReference;
use tollgate_catalog::{CatalogTerms, SealingKey, SealingKeys, UnplacedComplaint};

/// The addresses on which the operations of operators are served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminAccess {
    /// An address of their own.
    pub listen: Option<SocketAddr>,
    /// True if the address of everybody else serves them too.
    pub public: bool,
    /// The public address of their own listener, up to the path; absent where it goes by what browsers ask for.
    pub public_url: Option<String>,
}

impl AdminAccess {
    /// True if operators are served anywhere.
    pub(super) const fn is_served(&self) -> bool {
        self.listen.is_some() || self.public
    }
}

/// The terms on which operators put things on offer.
pub(super) fn catalog(
    file: &AdminTable,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> CatalogTerms {
    let mut key = |name: &str, variable: &Option<String>, path: &Option<PathBuf>| {
        let reference = SecretReference { table: &["admin"], name, variable: variable.as_ref(), file: path.as_ref() };
        let read = reference.read(env, found).map(|text| SealingKey::read(&text));
        if let Some(Err(error)) = &read {
            reference.complain(error.to_string(), found);
        }
        read.and_then(Result::ok)
    };
    let current = key("secrets_key", &file.secrets_key_env, &file.secrets_key_file);
    let former = key("secrets_key_former", &file.secrets_key_former_env, &file.secrets_key_former_file);
    if current.is_none() && (file.secrets_key_former_env.is_some() || file.secrets_key_former_file.is_some()) {
        let message = "is the key before admin.secrets_key, which is missing";
        found.push(UnplacedComplaint::new(&["admin", "secrets_key_former_env"], message));
    }
    let networks = listener::networks(&file.provider_networks, &["admin", "provider_networks"], found);
    CatalogTerms { keys: SealingKeys { current, former }, networks, sandbox: false }
}

/// In production nobody reaches them by an oversight: an address of their own or `public = true` has to be written, and whoever
/// signs in from elsewhere than this machine does so by https.
pub(super) fn access(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) -> AdminAccess {
    let listen = file.admin.listen;
    if listen.is_some_and(|own| own == file.listen && own.port() != 0) {
        let message = "is the address of everybody else: give operators another one, or write public = true instead";
        found.push(UnplacedComplaint::new(&["admin", "listen"], message));
    }
    let is_https = |url: &Option<String>| url.as_ref().is_some_and(|url| url.starts_with("https://"));
    if file.admin.public_url.is_some() && listen.is_none() {
        let message = "is for an address of their own: write admin.listen, or leave it out";
        found.push(UnplacedComplaint::new(&["admin", "public_url"], message));
    }
    if file.mode == ServerMode::Production {
        if listen.is_some_and(|own| !own.ip().is_loopback()) && !is_https(&file.admin.public_url) {
            let message = "others than this machine reach it: write admin.public_url = \"https://…\", or operators would sign in in clear";
            found.push(UnplacedComplaint::new(&["admin", "listen"], message));
        }
        if file.admin.public == Some(true) && !is_https(&file.public_url) {
            let message = "operators would sign in in clear: write public_url = \"https://…\"";
            found.push(UnplacedComplaint::new(&["admin", "public"], message));
        }
    }
    let url = file.admin.public_url.as_ref().map(|url| url.trim_end_matches('/').to_owned());
    let public = file.admin.public.unwrap_or(file.mode == ServerMode::Sandbox && listen.is_none());
    AdminAccess { listen, public, public_url: url }
}
