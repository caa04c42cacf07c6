//! What a person is told first who does not get a page.

use http::StatusCode;

/// The kind of a refusal, as far as its title tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// It is not there.
    Absent,
    /// The caller may not see it.
    Forbidden,
    /// It was asked for in a way that cannot be answered.
    Mistaken,
    /// It may be there in a while.
    Busy,
    /// The service has failed.
    Failed,
}

impl RefusalKind {
    /// The kind of a status.
    #[must_use]
    pub fn of(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Self::Absent,
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Self::Forbidden,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => Self::Busy,
            _ if status.is_client_error() => Self::Mistaken,
            _ => Self::Failed,
        }
    }
}
