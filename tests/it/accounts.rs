//! What an account is and who may use it: keys, sessions, scopes, limits, agents, and what it reads of itself.

mod account;
mod agents;
mod any_origin;
mod auth;
mod books;
mod limits;
mod scopes;
mod secrets;
mod sessions;
mod status_call;
