//! HTTP clients for providers. The only place in the gateway that uses reqwest.
//!
//! The caller's credentials never reach a provider, nor ours a caller: request and response headers have an allow-list each.
//! Knows nothing of money, prices or events.

mod action;
mod answer;
mod fetch;
mod guard;
mod headers;
mod send;
mod tokens;
mod wait;

pub use action::Action;
pub use answer::{Answer, AnswerBody, Deadlines, Room, WholeAnswer};
pub use fetch::{FetchError, Fetcher};
pub use headers::{downstream, kept, upstream};
pub use send::{Place, Question, Request, Upstream, UpstreamError, install_tls};
pub use wait::retry_after_seconds;
