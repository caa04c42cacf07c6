//! A provider's no that is about the request: what the client is told of it.

use bytes::Bytes;
use http::StatusCode;

use super::config::Kind;
use super::failed::CandidateFailed;
use super::upstream::{AnswerBody, Room};
use super::verdict::{Verdict, Words, told};

/// What a provider says of a request that it finds fault with.
#[derive(Debug)]
pub struct Refusal {
    /// The status that the client is told.
    pub status: StatusCode,
    /// The provider's error object, where the client can read it as it is.
    pub own: Option<Bytes>,
    /// Its message, where it gave one.
    pub message: Option<String>,
}

/// What was asked, and of whom.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// What the provider does.
    pub kind: Kind,
    /// Whether the client speaks another.
    pub converted: bool,
    /// The client's body.
    pub request: &'a [u8],
    /// The model's name at the provider.
    pub model: &'a str,
}

impl Refusal {
    /// Reads a no, and as many of its words as there is room for; one whose words broke off is a no all the same.
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

    /// Reads why a task failed that a provider had taken, which it says without a status; a message of more than `bytes_max`
    /// is none.
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
