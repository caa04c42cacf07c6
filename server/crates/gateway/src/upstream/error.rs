//! The errors of requests to providers.

use tollgate_net::HttpError;

/// An error of a request to an upstream. Never carries a URL or a key.
#[derive(Debug, thiserror::Error)]
pub enum UpstreamError {
    /// The HTTP client could not be built.
    #[error("upstream `{name}`: building its HTTP client failed")]
    Build {
        /// The upstream.
        name: String,
        /// The cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// No connection was made, or it broke before an answer began.
    #[error("reaching the upstream failed")]
    Unreachable(#[source] HttpError),
    /// The answer did not begin, or did not go on, in time.
    #[error("the upstream took too long")]
    TooSlow,
    /// The connection broke within the answer.
    #[error("the upstream broke off its answer")]
    BrokeOff(#[source] HttpError),
    /// The answer, or an event of it, is too large.
    #[error("the upstream's answer is too large")]
    TooLarge,
    /// Answers of providers use all the memory that they may.
    #[error("there was no room for the upstream's answer")]
    NoRoom,
}
