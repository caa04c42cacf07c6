//! A provider's refusal of the request itself, as the client is told it.

use bytes::Bytes;
use http::StatusCode;

use super::config::Kind;
use super::failed::CandidateFailed;
use super::upstream::{AnswerBody, Room};
use super::verdict::{Verdict, Words, told};

/// A provider's refusal of a request, as it goes to the client.
#[derive(Debug)]
pub struct Refusal {
    /// The status that the client is told.
    pub status: StatusCode,
    /// The provider's error object, where the client can read it as it is.
    pub own: Option<Bytes>,
    /// Its message, where it gave one.
    pub message: Option<String>,
}

/// The request that was refused, and the provider that refused it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The kind of the provider.
    pub kind: Kind,
    /// True if the client's format is another than the provider's.
    pub converted: bool,
    /// The client's body.
    pub request: &'a [u8],
    /// The model's name at the provider.
    pub model: &'a str,
}

impl Refusal {
    /// Reads a refusal, and as much of its text as there is room for.
    ///
    /// One whose text broke off is a refusal all the same.
    ///
    /// # Errors
    /// `failed` where it is not about the request, so that another provider may like it better.
    pub async fn read(
        status: StatusCode,
        mut body: AnswerBody,
        asked: Asked<'_>,
        room: Room<'_>,
        failed: CandidateFailed,
    ) -> Result<Self, CandidateFailed> {
        let verdict = Verdict::of(status);
        if matches!(verdict, Verdict::Answer | Verdict::Provider) {
            return Err(failed);
        }
        body.flow();
        let said = body.whole(room).await.ok().map(|answer| Words::read(asked.kind, answer.counted(|bytes| bytes)));
        if said.as_ref().is_some_and(Words::throttle) {
            return Err(CandidateFailed::Status { status: StatusCode::TOO_MANY_REQUESTS, retry_after_seconds: None });
        }
        let own = match verdict {
            Verdict::Request if said.as_ref().is_some_and(Words::blame_us) => return Err(CandidateFailed::BlamesUs),
            Verdict::Request => told(status) == status && !asked.converted,
            Verdict::Unclear if said.as_ref().is_some_and(|words| words.quote(asked.request, asked.model)) => false,
            Verdict::Unclear | Verdict::Answer | Verdict::Provider => return Err(failed),
        };
        let status = told(status);
        Ok(match said {
            Some(Words { bytes, message, is_error, .. }) => {
                Self { status, own: (own && is_error).then_some(bytes), message }
            }
            None => Self { status, own: None, message: None },
        })
    }

    /// Reads the refusal in a failed task, which has no status. A message of more than `bytes_max` is none.
    ///
    /// # Errors
    /// Where it is not about the request.
    pub fn of_task(words: Words, bytes_max: usize) -> Result<Self, CandidateFailed> {
        let failed = |status| CandidateFailed::Status { status, retry_after_seconds: None };
        if words.throttle() {
            return Err(failed(StatusCode::TOO_MANY_REQUESTS));
        }
        if words.miss_model() {
            return Err(failed(StatusCode::NOT_FOUND));
        }
        if words.blame_us() {
            return Err(CandidateFailed::BlamesUs);
        }
        match words.verdict() {
            Verdict::Request => {
                let message = words.message.filter(|message| message.len() <= bytes_max);
                Ok(Self { status: StatusCode::BAD_REQUEST, own: None, message })
            }
            Verdict::Provider => Err(failed(StatusCode::INTERNAL_SERVER_ERROR)),
            Verdict::Answer | Verdict::Unclear => Err(CandidateFailed::TaskFailed),
        }
    }
}
