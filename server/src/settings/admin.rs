//! The address on which operators are served.

use std::net::SocketAddr;

use super::complaints::UnplacedComplaint;
use super::file::{ConfigFile, ServerMode};

/// The addresses on which the operations of operators are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdminAccess {
    /// An address of their own.
    pub listen: Option<SocketAddr>,
    /// True if the address of everybody else serves them too.
    pub public: bool,
}

/// In production nobody reaches them by an oversight: an address of their own or `public = true` has to be written.
pub(super) fn access(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) -> AdminAccess {
    let listen = file.admin.listen;
    if listen.is_some_and(|own| own == file.listen && own.port() != 0) {
        let message = "is the address of everybody else: give operators another one, or write public = true instead";
        found.push(UnplacedComplaint::new(&["admin", "listen"], message));
    }
    AdminAccess { listen, public: file.admin.public.unwrap_or(file.mode == ServerMode::Sandbox && listen.is_none()) }
}
