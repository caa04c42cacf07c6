//! Floor 1: TLS for everything that calls others, the HTTP client for requests to providers, and the sender of mail.
//!
//! Imports `base`. Cannot: follow a redirect, use a proxy, decompress a body, or read a clock for a deadline
//! of a whole request; the caller sets those. reqwest, which can, costs each request 3 us more, and stays where requests are few.
//!
//! Invariants: each client has a pool of its own; certificates are checked against those of the system; a request is sent
//! again only where the provider certainly has not worked on it.
//!
//! Start reading at [`HttpClient`] and [`Mailer`].

mod client;
mod config;
mod connector;
mod error;
mod mail;
mod resolver;
mod tls;

pub use client::{HttpClient, ResponseBody};
pub use config::{HttpClientConfig, HttpProtocol};
pub use error::{HttpError, UnusableMailServer, UnusableTls};
pub use mail::{InvalidMailAddress, MailAddress, MailConfig, MailError, MailSender, MailTls, Mailer};
pub use resolver::{HostName, NameResolver, Resolution, SystemResolver};
pub use tls::install_tls;

#[cfg(test)]
mod tests;
