//! The person, key or part of the service that changes something, as the log of changes names it.

use std::net::IpAddr;

/// The one who changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor<'a> {
    /// The name: `operator` for the command line, `operator ada`, an account, a key, a part of the server.
    pub name: &'a str,
    /// The address that the change was asked for from, where it came over HTTP.
    pub address: Option<IpAddr>,
    /// The reason that was given; may be empty.
    pub reason: &'a str,
}

impl<'a> From<&'a str> for Actor<'a> {
    fn from(name: &'a str) -> Self {
        Self { name, address: None, reason: "" }
    }
}

impl<'a> From<&'a String> for Actor<'a> {
    fn from(name: &'a String) -> Self {
        name.as_str().into()
    }
}
