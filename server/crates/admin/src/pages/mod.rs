//! The operator's console: pages that are written for each request, with what the caller may see.
//!
//! Data comes by the operations of the API, called in the process; changes go by the same operations over HTTP, which the script of
//! the pages asks for. Invariants: a page loads its style, its script and the logo, and its policy lets no text become
//! markup or script; what the role of the caller may not do is no form on it. The words for people are in [`texts`].

mod account;
mod accounts;
mod alarms;
mod changes;
mod files;
mod frame;
mod ledger;
mod live;
mod models;
mod on_offer;
mod operators;
mod overview;
mod payments;
mod powers;
mod price_members;
mod prices;
mod provider_hour;
mod providers;
mod public;
mod public_frame;
mod receipt;
mod refused;
mod settings;
mod texts;

pub use refused::signed_in_pages;
use tollgate_pages::{chart, link, reply};
