//! Failures of candidates: what each says of a provider's health, and which of several the client is told.

use std::cmp::Reverse;

use http::StatusCode;

use crate::error::GatewayError;
use crate::upstream::UpstreamError;
use tollgate_formats::{MalformedRequest, MalformedResponse, Unsupported};

use super::blame::ErrorBlame;

/// A failure of a candidate. Nothing of its answer has reached the client, so the next one can be asked.
#[derive(Debug, thiserror::Error)]
pub enum CandidateError {
    /// It was not reached, was too slow, or broke off.
    #[error("it gave no answer")]
    Upstream(#[from] UpstreamError),
    /// It answered with a status that is not about the request.
    #[error("it answered with status {status}")]
    Status {
        /// The status.
        status: StatusCode,
        /// The seconds for which it wants to be left alone.
        retry_after_seconds: Option<u32>,
    },
    /// It turned down our key, our account or our name for the model, and said so as if the request were at fault.
    #[error("it rejected our key, our account or our name for the model")]
    BlamesUs,
    /// A success that holds no answer of its format: an error, or nothing.
    #[error("its success holds no answer in its format")]
    NoAnswer,
    /// An answer that cannot be read well enough to be written in the client's format.
    #[error("its answer cannot be converted")]
    Garbled(#[from] MalformedResponse),
    /// The request asks for what its format has no word for; nothing was sent.
    #[error("the request cannot be converted")]
    NotCarried(#[from] Unsupported),
    /// The request is not what the client's format says; nothing was sent.
    #[error("the request cannot be read")]
    Unreadable(#[from] MalformedRequest),
    /// It is full, or its breaker or a rest that it asked for keeps requests back; nothing was sent.
    #[error("it is full, or keeps requests back for a while after failures")]
    Busy {
        /// The seconds until it takes requests again, where known.
        retry_after_seconds: Option<u32>,
    },
    /// A stream that ended, failed or said something else before its first event.
    #[error("its stream ended or failed before the answer began")]
    NoEvent,
    /// It reported a task as failed, with a reason that blames neither the request, the provider nor us.
    #[error("it reported its task as failed, without a reason that we know")]
    TaskFailed,
    /// It knows nothing, or nothing more, of a task that it had taken.
    #[error("it does not know the task that it had taken")]
    TaskLost,
    /// A task that it had taken could not be polled: too many polls in a row failed, the last like this.
    #[error("its task could not be polled")]
    NotTold(#[source] Box<Self>),
    /// It does not fit: the request was made for another model, or headers were sent that its answer would belie.
    #[error("the request does not fit this candidate")]
    Unfit,
}

/// The status of an overloaded provider that not every table of statuses has.
const SITE_OVERLOADED: u16 = 529;

/// The meaning of a failure for the provider's health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealthSignal {
    /// Nothing: a client can bring it about at will.
    None,
    /// It only wants to be left alone, for so many seconds where it told: that says nothing against it.
    Limited(Option<u32>),
    /// It fails, and wants to be left alone for so many seconds where it told.
    Failed(Option<u32>),
}

impl CandidateError {
    /// True if any other provider would fail as well: the answer is larger than we take, or can take now.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Upstream(UpstreamError::TooLarge | UpstreamError::NoRoom))
    }

    /// True if the operator has to mend it: our key, our account there, or its name for the model.
    #[must_use]
    pub fn is_ours_to_mend(&self) -> bool {
        const OURS: [StatusCode; 4] =
            [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::PAYMENT_REQUIRED, StatusCode::NOT_FOUND];
        match self {
            Self::Status { status, .. } => OURS.contains(status),
            Self::BlamesUs => true,
            _ => false,
        }
    }

    /// The meaning of this failure for the provider's health.
    #[must_use]
    pub fn health_signal(&self) -> HealthSignal {
        let (status, retry_after_seconds) = match self {
            Self::Status { status, retry_after_seconds } => (status, retry_after_seconds),
            Self::Upstream(UpstreamError::TooLarge | UpstreamError::NoRoom)
            | Self::BlamesUs
            | Self::TaskFailed
            | Self::Unfit => return HealthSignal::None,
            Self::NotTold(last) => return last.health_signal(),
            _ => return HealthSignal::Failed(None),
        };
        match *status {
            StatusCode::TOO_MANY_REQUESTS => HealthSignal::Limited(*retry_after_seconds),
            StatusCode::CONFLICT | StatusCode::TOO_EARLY => HealthSignal::None,
            status if ErrorBlame::of(status) == ErrorBlame::Unclear => HealthSignal::None,
            StatusCode::SERVICE_UNAVAILABLE => HealthSignal::Failed(*retry_after_seconds),
            status if status == SITE_OVERLOADED => HealthSignal::Failed(*retry_after_seconds),
            _ => HealthSignal::Failed(None),
        }
    }
}

impl From<CandidateError> for GatewayError {
    fn from(failed: CandidateError) -> Self {
        let (status, retry_after_seconds) = match failed {
            CandidateError::Upstream(UpstreamError::TooSlow) => return Self::TooSlow,
            CandidateError::Upstream(UpstreamError::NoRoom) => return Self::NoRoom,
            CandidateError::Upstream(
                UpstreamError::Build { .. }
                | UpstreamError::Unreachable(_)
                | UpstreamError::BrokeOff(_)
                | UpstreamError::TooLarge,
            )
            | CandidateError::BlamesUs
            | CandidateError::NoAnswer
            | CandidateError::Garbled(_)
            | CandidateError::NoEvent
            | CandidateError::TaskFailed
            | CandidateError::TaskLost
            | CandidateError::NotTold(_)
            | CandidateError::Unfit => return Self::Failed,
            CandidateError::NotCarried(not_carried) => return Self::NotCarried(not_carried),
            CandidateError::Unreadable(unreadable) => return Self::Unreadable(unreadable),
            CandidateError::Busy { retry_after_seconds } => return Self::Overloaded { retry_after_seconds },
            CandidateError::Status { status, retry_after_seconds } => (status, retry_after_seconds),
        };
        match status {
            StatusCode::TOO_MANY_REQUESTS => Self::RateLimited { retry_after_seconds },
            // Its credit is used up: ours to mend, and no other request will fare better there.
            StatusCode::PAYMENT_REQUIRED | StatusCode::SERVICE_UNAVAILABLE => Self::Overloaded { retry_after_seconds },
            status if status == SITE_OVERLOADED => Self::Overloaded { retry_after_seconds },
            StatusCode::GATEWAY_TIMEOUT | StatusCode::REQUEST_TIMEOUT => Self::TooSlow,
            // The model is gone there, or what the request names: nothing is gained by asking again. Its words may name the
            // model as only we do.
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                let message = Some("it has no such model, or not what the request names".to_owned());
                Self::Refused { status: StatusCode::NOT_FOUND, message }
            }
            _ => Self::Failed,
        }
    }
}

/// The one of two errors that helps the client more.
///
/// A provider that will take the request later goes first, the sooner the better; then one that was slow, one that failed,
/// and last one that cannot be asked in the client's words.
#[must_use]
pub fn more_useful(first: Option<GatewayError>, second: GatewayError) -> GatewayError {
    match first {
        Some(first) if usefulness(&second) <= usefulness(&first) => first,
        _ => second,
    }
}

fn usefulness(error: &GatewayError) -> (u8, Reverse<u32>) {
    let (class, wait) = match error {
        GatewayError::RateLimited { retry_after_seconds } | GatewayError::Overloaded { retry_after_seconds } => {
            (3, *retry_after_seconds)
        }
        GatewayError::TooSlow => (2, None),
        GatewayError::Failed => (1, None),
        GatewayError::NoModel
        | GatewayError::NotAllowed
        | GatewayError::Unpriceable
        | GatewayError::NotSold(_)
        | GatewayError::Member(_)
        | GatewayError::Insufficient(_)
        | GatewayError::TiedUp(_)
        | GatewayError::OverBudget(_)
        | GatewayError::BudgetTiedUp(_)
        | GatewayError::TooSoon(_)
        | GatewayError::KeyDisabled
        | GatewayError::KeyExpired
        | GatewayError::Ledger
        | GatewayError::NoRoom
        | GatewayError::NotCarried(_)
        | GatewayError::Unreadable(_)
        | GatewayError::Refused { .. } => (0, None),
    };
    (class, Reverse(wait.unwrap_or(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::GatewayError::{Failed, Overloaded, RateLimited, TooSlow};
    use super::*;

    fn reason(rank: usize) -> GatewayError {
        match rank {
            0 => Failed,
            1 => TooSlow,
            2 => RateLimited { retry_after_seconds: None },
            3 => Overloaded { retry_after_seconds: Some(50) },
            _ => RateLimited { retry_after_seconds: Some(3) },
        }
    }

    #[test]
    fn the_most_useful_reason_wins_in_either_order() {
        for better in 0..5 {
            let expected = format!("{:?}", reason(better));
            for worse in 0..=better {
                assert_eq!(format!("{:?}", more_useful(Some(reason(worse)), reason(better))), expected);
                assert_eq!(format!("{:?}", more_useful(Some(reason(better)), reason(worse))), expected);
            }
        }
    }

    #[test]
    fn what_a_status_means_for_the_client_and_the_breaker() {
        const GONE: &str =
            "Refused { status: 404, message: Some(\"it has no such model, or not what the request names\") }";
        for (status, ours, told, symptom) in [
            (401, true, "Failed", HealthSignal::Failed(None)),
            (403, true, "Failed", HealthSignal::None),
            (404, true, GONE, HealthSignal::None),
            (410, false, GONE, HealthSignal::None),
            (405, false, "Failed", HealthSignal::None),
            (409, false, "Failed", HealthSignal::None),
            (402, true, "Overloaded { retry_after_seconds: Some(5) }", HealthSignal::Failed(None)),
            (503, false, "Overloaded { retry_after_seconds: Some(5) }", HealthSignal::Failed(Some(5))),
            (529, false, "Overloaded { retry_after_seconds: Some(5) }", HealthSignal::Failed(Some(5))),
            (429, false, "RateLimited { retry_after_seconds: Some(5) }", HealthSignal::Limited(Some(5))),
            (504, false, "TooSlow", HealthSignal::Failed(None)),
            (408, false, "TooSlow", HealthSignal::Failed(None)),
            (302, false, "Failed", HealthSignal::Failed(None)),
            (500, false, "Failed", HealthSignal::Failed(None)),
        ] {
            let status = StatusCode::from_u16(status).expect("a status");
            let failed = CandidateError::Status { status, retry_after_seconds: Some(5) };
            assert_eq!((failed.is_ours_to_mend(), failed.health_signal()), (ours, symptom), "{status}");
            assert_eq!(format!("{:?}", GatewayError::from(failed)), told, "{status}");
        }
    }
}
