//! Accounts and who may use them: keys, sessions, scopes, limits, agents, and what an account reads of itself.

mod account;
mod agents;
mod any_origin;
mod auth;
mod books;
mod branding;
pub(crate) mod console;
mod limits;
mod member_roles;
mod members;
mod oidc;
mod scopes;
mod secrets;
mod sessions;
mod status_call;
mod teams;
mod wallets;
