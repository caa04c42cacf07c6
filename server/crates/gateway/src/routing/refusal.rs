//! A provider's refusal of the request itself, as the client is told it.

use bytes::Bytes;
use http::StatusCode;

use crate::config::ProviderKind;
use crate::upstream::{AnswerBody, AnswerRoom};

use super::blame::{ErrorBlame, ProviderErrorBody, client_status};
use super::candidate_error::CandidateError;

/// A provider's refusal of a request, as it goes to the client.
#[derive(Debug)]
pub struct ProviderRefusal {
    /// The status that the client is told.
    pub status: StatusCode,
    /// The provider's error object, where the client can read it as it is.
    pub own: Option<Bytes>,
    /// Its message, where it gave one.
    pub message: Option<String>,
}

/// The request that was refused, and the provider that refused it.
#[derive(Debug, Clone, Copy)]
pub struct RefusedRequest<'a> {
    /// The kind of the provider.
    pub kind: ProviderKind,
    /// True if the client's format is another than the provider's.
    pub converted: bool,
    /// The client's body.
    pub request: &'a [u8],
    /// The model's name at the provider.
    pub model: &'a str,
}

impl ProviderRefusal {
    /// Reads a refusal, and as much of its text as there is room for.
    ///
    /// One whose text broke off is a refusal all the same.
    ///
    /// # Errors
    /// `failed` where it is not about the request, so that another provider may like it better.
    pub async fn read(
        status: StatusCode,
        mut body: AnswerBody,
        asked: RefusedRequest<'_>,
        room: AnswerRoom<'_>,
        failed: CandidateError,
    ) -> Result<Self, CandidateError> {
        let verdict = ErrorBlame::of(status);
        if matches!(verdict, ErrorBlame::Answer | ErrorBlame::Provider) {
            return Err(failed);
        }
        body.flow();
        let said = body
            .whole(room)
            .await
            .ok()
            .map(|answer| ProviderErrorBody::read(asked.kind, answer.counted(|bytes| bytes)));
        if said.as_ref().is_some_and(ProviderErrorBody::is_throttling) {
            return Err(CandidateError::Status { status: StatusCode::TOO_MANY_REQUESTS, retry_after_seconds: None });
        }
        let own = match verdict {
            ErrorBlame::Request if said.as_ref().is_some_and(ProviderErrorBody::blames_us) => {
                return Err(CandidateError::BlamesUs);
            }
            ErrorBlame::Request => client_status(status) == status && !asked.converted,
            ErrorBlame::Unclear
                if said.as_ref().is_some_and(|words| words.quotes_request(asked.request, asked.model)) =>
            {
                false
            }
            ErrorBlame::Unclear | ErrorBlame::Answer | ErrorBlame::Provider => return Err(failed),
        };
        let status = client_status(status);
        Ok(match said {
            Some(ProviderErrorBody { bytes, message, is_error, .. }) => {
                Self { status, own: (own && is_error).then_some(bytes), message }
            }
            None => Self { status, own: None, message: None },
        })
    }

    /// Reads the refusal in a failed task, which has no status. A message of more than `bytes_max` is none.
    ///
    /// # Errors
    /// Where it is not about the request.
    pub fn of_task(words: ProviderErrorBody, bytes_max: usize) -> Result<Self, CandidateError> {
        let failed = |status| CandidateError::Status { status, retry_after_seconds: None };
        if words.is_throttling() {
            return Err(failed(StatusCode::TOO_MANY_REQUESTS));
        }
        if words.lacks_model() {
            return Err(failed(StatusCode::NOT_FOUND));
        }
        if words.blames_us() {
            return Err(CandidateError::BlamesUs);
        }
        match words.blame() {
            ErrorBlame::Request => {
                let message = words.message.filter(|message| message.len() <= bytes_max);
                Ok(Self { status: StatusCode::BAD_REQUEST, own: None, message })
            }
            ErrorBlame::Provider => Err(failed(StatusCode::INTERNAL_SERVER_ERROR)),
            ErrorBlame::Answer | ErrorBlame::Unclear => Err(CandidateError::TaskFailed),
        }
    }
}
