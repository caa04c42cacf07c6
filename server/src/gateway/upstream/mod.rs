//! Providers, spoken to over HTTP. The only place in the gateway that knows reqwest.
//!
//! Keeps the caller's credentials out and ours in: what goes up is an allow-list of headers, what comes down is another.
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
