//! The title of a page that tells an error.

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

    /// Its word among those for each, in the order above.
    #[must_use]
    pub const fn word(self, words: [&'static str; 5]) -> &'static str {
        let [absent, forbidden, mistaken, busy, failed] = words;
        match self {
            Self::Absent => absent,
            Self::Forbidden => forbidden,
            Self::Mistaken => mistaken,
            Self::Busy => busy,
            Self::Failed => failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_has_its_kind() {
        for (status, word) in [
            (404, "absent"),
            (410, "absent"),
            (401, "forbidden"),
            (403, "forbidden"),
            (400, "mistaken"),
            (405, "mistaken"),
            (422, "mistaken"),
            (429, "busy"),
            (503, "busy"),
            (504, "busy"),
            (500, "failed"),
            (502, "failed"),
        ] {
            let kind = RefusalKind::of(StatusCode::from_u16(status).unwrap());
            assert_eq!(kind.word(["absent", "forbidden", "mistaken", "busy", "failed"]), word, "{status}");
        }
    }
}
