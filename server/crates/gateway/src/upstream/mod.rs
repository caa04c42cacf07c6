//! HTTP clients for providers. The only place in the gateway that opens connections.
//!
//! The caller's credentials never reach a provider, nor ours a caller: request and response headers have an allow-list each.
//! Knows nothing of money, prices or events.

mod action;
mod address_guard;
mod answer;
mod credentials;
mod error;
mod fetch;
mod headers;
mod permit;
mod retry_after;
mod send;
mod service_uris;
mod signed_tokens;

pub use action::UpstreamAction;
pub use address_guard::ForbiddenAddress;
pub use answer::{AnswerBody, AnswerDeadlines, AnswerRoom, UpstreamAnswer, WholeAnswer};
pub use credentials::is_header_value;
pub use error::UpstreamError;
pub use fetch::{AddressFetcher, FetchError};
pub use headers::{downstream, kept, upstream};
pub use permit::UpstreamPermit;
pub use retry_after::retry_after_seconds;
pub use send::{ResourceRequest, UpstreamClient, UpstreamRequest, check_provider_address};
pub use service_uris::ServiceUris;
