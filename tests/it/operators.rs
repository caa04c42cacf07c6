//! Operators and the admin API: who may do what, on which address, and by which credential.

pub(crate) mod admin_client;
mod command_line;
mod first_steps;
pub(crate) mod forged_requests;
mod group_bounds;
mod margin;
mod offer;
mod offer_on_two;
mod oversight;
pub(crate) mod page_headers;
mod planted;
mod provider_health;
mod provider_secrets;
mod roles;
mod signing_in;
