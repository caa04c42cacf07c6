//! Images that a provider makes as a task, which is polled until it is over. The images are ordered once and never again.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use tokio::time::{Instant, sleep_until};

use crate::Gateway;
use crate::config::ProviderKind;
use crate::routing::blame::ProviderErrorBody;
use crate::routing::candidate_error::CandidateError;
use crate::routing::refusal::ProviderRefusal;
use crate::upstream::{
    AnswerDeadlines, ResourceRequest, UpstreamAnswer, UpstreamClient, UpstreamError, UpstreamPermit, WholeAnswer,
    retry_after_seconds,
};
use tollgate_api::generated::limits;
use tollgate_base::RequestId;

use super::image_task::{ImageTaskId, ImageTaskReport, ImageTaskState};
use super::poll_schedule::TaskPollSchedule;

/// The outcome of a task.
#[derive(Debug)]
pub(super) enum ImageTaskOutcome {
    /// The images were made.
    Made {
        /// The provider's answer that holds them.
        answer: WholeAnswer,
        /// The time of its first bytes, where it answered a poll.
        first_read: Option<Instant>,
    },
    /// The provider refused the client's request.
    Refused(ProviderRefusal),
}

/// The result of one poll.
#[derive(Debug)]
enum TaskPollResult {
    /// The task is not over.
    Open,
    /// The task is over.
    Ended(ImageTaskOutcome),
    /// We poll too often, and should wait at least so long.
    Limited(Duration),
    /// The poll failed, which is no evidence about the task. The next poll is due after so long at the earliest.
    Failed(CandidateError, Duration),
}

/// A task and the provider that is polled about it.
struct TaskPoller<'a> {
    gateway: &'a Gateway,
    request_id: RequestId,
    upstream: &'a UpstreamClient,
    task: ImageTaskId,
}

impl Gateway {
    /// The outcome of the task that a provider announced in `answer`, polled until the deadline `whole`.
    ///
    /// # Errors
    /// When the task failed or did not end in time, or too many polls in a row failed.
    pub(super) async fn await_task(
        &self,
        request_id: RequestId,
        upstream: &UpstreamClient,
        answer: WholeAnswer,
        whole: Instant,
    ) -> Result<ImageTaskOutcome, CandidateError> {
        let ImageTaskReport { task, stage } = ImageTaskReport::read(&answer.bytes).ok_or(CandidateError::NoAnswer)?;
        let inquiry = TaskPoller { gateway: self, request_id, upstream, task };
        if let TaskPollResult::Ended(ended) = inquiry.poll_result(stage, answer, None)? {
            return Ok(ended);
        }
        let pace = TaskPollSchedule::new(Instant::now(), whole, self.patience.poll_first, self.patience.poll_most);
        poll_until_over(pace, whole, |until| inquiry.ask(until)).await
    }
}

/// Polls until the task is over, or until `whole`. Each poll gets its own deadline.
async fn poll_until_over<F: Future<Output = Result<TaskPollResult, CandidateError>>>(
    mut pace: TaskPollSchedule,
    whole: Instant,
    ask: impl Fn(Instant) -> F,
) -> Result<ImageTaskOutcome, CandidateError> {
    let (mut wish, mut failures, mut limited) = (Duration::ZERO, 0, false);
    while let Some(at) = pace.next(Instant::now(), wish) {
        sleep_until(at).await;
        let heard = ask(whole.min(Instant::now() + limits::PICTURE_POLL)).await?;
        limited = matches!(heard, TaskPollResult::Limited(_));
        (wish, failures) = match heard {
            TaskPollResult::Ended(ended) => return Ok(ended),
            TaskPollResult::Open => (Duration::ZERO, 0),
            TaskPollResult::Limited(wish) => (wish, 0),
            TaskPollResult::Failed(failed, _) if failures + 1 == limits::PICTURE_POLL_FAILURES => {
                return Err(CandidateError::NotTold(Box::new(failed)));
            }
            TaskPollResult::Failed(_, wish) => (wish, failures + 1),
        };
    }
    // Wait for the deadline instead of trying another provider, which might charge and could not finish in the time left.
    sleep_until(whole).await;
    // A provider that limited our polls could not report the task, so it is not blamed for being slow.
    let limit = CandidateError::Status { status: StatusCode::TOO_MANY_REQUESTS, retry_after_seconds: None };
    Err(if limited { limit } else { UpstreamError::TooSlow.into() })
}

impl TaskPoller<'_> {
    /// Polls once. Only errors that another poll would not mend are returned as such.
    async fn ask(&self, until: Instant) -> Result<TaskPollResult, CandidateError> {
        let heard = self.answered(until).await?;
        if let TaskPollResult::Failed(failed, _) = &heard {
            let (request_id, upstream, task) = (self.request_id, self.upstream.name(), self.task.as_str());
            let error = failed as &dyn std::error::Error;
            tracing::debug!(%request_id, upstream, task, error, "a question about a provider's task failed");
        }
        Ok(heard)
    }

    async fn answered(&self, until: Instant) -> Result<TaskPollResult, CandidateError> {
        let Self { gateway, upstream, task, .. } = self;
        let (method, path) = (Method::GET, vec!["tasks", task.as_str()]);
        let question = ResourceRequest { method, path, query: None, headers: HeaderMap::new(), body: Bytes::new() };
        let (deadlines, now_ms) = (AnswerDeadlines { begin: until, whole: until }, gateway.clock.now_ms());
        // The permit of the request is held for the task. Polls need none, or a provider at its limit could not be polled.
        let UpstreamAnswer { status, headers, mut body } =
            match upstream.ask(question, UpstreamPermit::unbounded(), deadlines, now_ms).await {
                Ok(answer) => answer,
                Err(error) => return Ok(TaskPollResult::Failed(error.into(), Duration::ZERO)),
            };
        let answer = match body.whole(gateway.room(gateway.patience.whole_bytes)).await {
            Ok(answer) => answer,
            Err(UpstreamError::TooLarge) => return Err(UpstreamError::TooLarge.into()),
            Err(error) => return Ok(TaskPollResult::Failed(error.into(), Duration::ZERO)),
        };
        if !status.is_success() {
            return turned_down(status, answer.counted(|bytes| bytes), retry_after_seconds(&headers, now_ms));
        }
        match ImageTaskReport::read(&answer.bytes).filter(|report| report.task == *task) {
            Some(report) => self.poll_result(report.stage, answer, body.first_read()),
            None => Ok(TaskPollResult::Failed(CandidateError::NoAnswer, Duration::ZERO)),
        }
    }

    /// The poll result for a stage of the task.
    fn poll_result(
        &self,
        stage: ImageTaskState,
        answer: WholeAnswer,
        first_read: Option<Instant>,
    ) -> Result<TaskPollResult, CandidateError> {
        match stage {
            ImageTaskState::Open => Ok(TaskPollResult::Open),
            ImageTaskState::Made => Ok(TaskPollResult::Ended(ImageTaskOutcome::Made { answer, first_read })),
            ImageTaskState::Failed(words) => {
                let (request_id, upstream, task) = (self.request_id, self.upstream.name(), self.task.as_str());
                tracing::warn!(%request_id, upstream, task, code = words.code_word(), "a provider's task failed");
                let refusal = ProviderRefusal::of_task(words, self.gateway.patience.answer_bytes)?;
                Ok(TaskPollResult::Ended(ImageTaskOutcome::Refused(refusal)))
            }
            // Another server of the provider may know the task, or this one soon.
            ImageTaskState::Gone => Ok(TaskPollResult::Failed(CandidateError::TaskLost, Duration::ZERO)),
        }
    }
}

/// The poll result for an unsuccessful status. The poll is ours, so the client's request is never at fault.
fn turned_down(
    status: StatusCode,
    said: Bytes,
    retry_after_seconds: Option<u32>,
) -> Result<TaskPollResult, CandidateError> {
    let failed = CandidateError::Status { status, retry_after_seconds };
    let wish = Duration::from_secs(retry_after_seconds.unwrap_or_default().into());
    match status {
        StatusCode::TOO_MANY_REQUESTS => Ok(TaskPollResult::Limited(wish)),
        _ if ProviderErrorBody::read(ProviderKind::PicturesLater, said).is_throttling() => {
            Ok(TaskPollResult::Limited(wish))
        }
        StatusCode::NOT_FOUND => Ok(TaskPollResult::Failed(CandidateError::TaskLost, wish)),
        StatusCode::GONE => Err(CandidateError::TaskLost),
        StatusCode::REQUEST_TIMEOUT => Ok(TaskPollResult::Failed(failed, wish)),
        status if status.is_server_error() => Ok(TaskPollResult::Failed(failed, wish)),
        _ => Err(failed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOTAL: Duration = Duration::from_secs(600);
    const PAUSE: Duration = Duration::from_secs(1);

    /// A provider that never answers, ended by the HTTP client's deadline.
    async fn hangs(until: Instant) -> Result<TaskPollResult, CandidateError> {
        sleep_until(until).await;
        Ok(TaskPollResult::Failed(UpstreamError::TooSlow.into(), Duration::ZERO))
    }

    async fn asked<F: Future<Output = Result<TaskPollResult, CandidateError>>>(
        ask: impl Fn(Instant) -> F,
    ) -> (Result<ImageTaskOutcome, CandidateError>, Duration) {
        let began = Instant::now();
        let ended =
            poll_until_over(TaskPollSchedule::new(began, began + TOTAL, PAUSE, PAUSE), began + TOTAL, ask).await;
        (ended, began.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_that_hangs_is_cut_and_asked_again() {
        let (ended, took) = asked(hangs).await;
        assert!(matches!(ended, Err(CandidateError::NotTold(_))), "{ended:?}");
        assert_eq!(took, (PAUSE + limits::PICTURE_POLL) * limits::PICTURE_POLL_FAILURES);
    }

    #[tokio::test(start_paused = true)]
    async fn no_question_lasts_longer_than_the_task_may() {
        let began = Instant::now();
        let (ended, took) = asked(|until| async move {
            if until < began + TOTAL { Ok(TaskPollResult::Open) } else { hangs(until).await }
        })
        .await;
        assert!(matches!(ended, Err(CandidateError::Upstream(UpstreamError::TooSlow))), "{ended:?}");
        assert_eq!(took, TOTAL);
    }
}
