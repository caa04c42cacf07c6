//! Pictures that a provider makes as a task: it is asked what came of it until it is over, and never again to make them.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use tokio::time::{Instant, sleep_until};

use crate::generated::limits;

use super::super::Gateway;
use super::super::config::Kind;
use super::super::failed::CandidateFailed;
use super::super::refusal::Refusal;
use super::super::upstream::{Answer, Deadlines, Place, Question, Upstream, UpstreamError, retry_after_seconds};
use super::super::verdict::Words;
use super::task::{Report, Stage, TaskId};

/// What came of a task.
#[derive(Debug)]
pub(super) enum Ended {
    /// Pictures.
    Made {
        /// The answer that they stand in.
        answer: Bytes,
        /// When its first piece came.
        first_read: Option<Instant>,
    },
    /// A no that is about the request.
    Refused(Refusal),
}

/// What came of one question.
enum Heard {
    /// It is not over.
    Open,
    /// It is.
    Ended(Ended),
    /// We ask too often, and should wait for so long at the least.
    Limited(Duration),
    /// The question failed, which says nothing of the task; it is asked again, and not before so long.
    Failed(CandidateFailed, Duration),
}

impl Gateway {
    /// What came of the task that a provider began with `answer`; it has until `whole`.
    ///
    /// # Errors
    /// When nothing did, or not in time, or too many questions in a row failed.
    pub(super) async fn awaited(
        &self,
        upstream: &Upstream,
        answer: Bytes,
        whole: Instant,
    ) -> Result<Ended, CandidateFailed> {
        let Report { task, stage } = Report::read(&answer).ok_or(CandidateFailed::NoAnswer)?;
        if let Some(ended) = ended(stage, answer, None)? {
            return Ok(ended);
        }
        let (mut pause, mut wish, mut failures) = (self.patience.poll_first, Duration::ZERO, 0);
        let mut limited = false;
        loop {
            sleep_until(whole.min(Instant::now() + pause.max(wish))).await;
            if whole <= Instant::now() {
                // What it was not asked it could not tell: that says nothing against it.
                let (status, retry_after_seconds) = (StatusCode::TOO_MANY_REQUESTS, None);
                let limit = CandidateFailed::Status { status, retry_after_seconds };
                return Err(if limited { limit } else { UpstreamError::TooSlow.into() });
            }
            pause = (pause * 3 / 2).min(self.patience.poll_most);
            let heard = self.asked_about(upstream, &task, whole).await?;
            limited = matches!(heard, Heard::Limited(_));
            (wish, failures) = match heard {
                Heard::Ended(ended) => return Ok(ended),
                Heard::Open => (Duration::ZERO, 0),
                Heard::Limited(wish) => (wish, 0),
                Heard::Failed(failed, _) if failures + 1 == limits::PICTURE_POLL_FAILURES => return Err(failed),
                Heard::Failed(_, wish) => (wish, failures + 1),
            };
        }
    }

    /// The errors are those that asking again would not mend.
    async fn asked_about(&self, upstream: &Upstream, task: &TaskId, whole: Instant) -> Result<Heard, CandidateFailed> {
        let (method, path) = (Method::GET, vec!["tasks", task.as_str()]);
        let question = Question { method, path, query: None, headers: HeaderMap::new(), body: Bytes::new() };
        let whole = whole.min(Instant::now() + limits::PICTURE_POLL);
        let (deadlines, now_ms) = (Deadlines { begin: whole, whole }, self.clock.now_ms());
        // The place of the request is kept for the task; its questions need none, or a full provider could not be asked.
        let Answer { status, headers, mut body } =
            match upstream.ask(question, Place::unbounded(), deadlines, now_ms).await {
                Ok(answer) => answer,
                Err(error) => return Ok(Heard::Failed(error.into(), Duration::ZERO)),
            };
        let bytes = match body.whole(self.patience.whole_bytes).await {
            Ok(bytes) => bytes,
            Err(UpstreamError::TooLarge) => return Err(UpstreamError::TooLarge.into()),
            Err(error) => return Ok(Heard::Failed(error.into(), Duration::ZERO)),
        };
        if !status.is_success() {
            return turned_down(status, bytes, retry_after_seconds(&headers, now_ms));
        }
        match Report::read(&bytes).filter(|report| report.task == *task) {
            Some(report) => Ok(ended(report.stage, bytes, body.first_read())?.map_or(Heard::Open, Heard::Ended)),
            None => Ok(Heard::Failed(CandidateFailed::NoAnswer, Duration::ZERO)),
        }
    }
}

/// What a stage is for the client; `None` while the task is not over.
fn ended(stage: Stage, answer: Bytes, first_read: Option<Instant>) -> Result<Option<Ended>, CandidateFailed> {
    match stage {
        Stage::Open => Ok(None),
        Stage::Made => Ok(Some(Ended::Made { answer, first_read })),
        Stage::Failed(words) => Refusal::of_task(words).map(|refusal| Some(Ended::Refused(refusal))),
        Stage::Gone => Err(CandidateFailed::TaskLost),
    }
}

/// What a status means that is no success. The question is ours alone, so it is never about the request of the client.
fn turned_down(status: StatusCode, said: Bytes, retry_after_seconds: Option<u32>) -> Result<Heard, CandidateFailed> {
    let failed = CandidateFailed::Status { status, retry_after_seconds };
    let wish = Duration::from_secs(retry_after_seconds.unwrap_or_default().into());
    match status {
        StatusCode::TOO_MANY_REQUESTS => Ok(Heard::Limited(wish)),
        _ if Words::read(Kind::PicturesLater, said).throttle() => Ok(Heard::Limited(wish)),
        StatusCode::NOT_FOUND | StatusCode::GONE => Err(CandidateFailed::TaskLost),
        StatusCode::REQUEST_TIMEOUT => Ok(Heard::Failed(failed, wish)),
        status if status.is_server_error() => Ok(Heard::Failed(failed, wish)),
        _ => Err(failed),
    }
}
