//! Submission, polling and deletion of video tasks at providers.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header};
use tokio::time::Instant;

use crate::Gateway;
use crate::error::GatewayError;
use crate::pipeline::attempts::{busy, candidates, log_failure, report_health};
use crate::routing::candidate_error::{CandidateError, more_useful};
use crate::routing::model::Candidate;
use crate::routing::model_offer::{AttemptTarget, ModelOffer};
use crate::upstream::{
    AnswerDeadlines, AnswerRoom, ResourceRequest, UpstreamAnswer, UpstreamClient, UpstreamError, UpstreamPermit, kept,
    retry_after_seconds,
};
use tollgate_base::RequestId;

use super::adapter::{AnsweredRequest, VideoAdapter, VideoProviderReply, VideoSubmission};
use super::{
    ANSWER_BYTES, SubmissionJournal, SubmittedVideo, VideoPollResult, VideoRequest, VideoSource, VideoTaskId,
    makes_no_videos, video_adapter,
};

/// The most time for a provider to answer a poll.
const REPORT_WAIT: Duration = Duration::from_secs(30);

/// The result of a submission to one candidate.
enum SubmissionResult {
    Taken(SubmittedVideo),
    /// The provider refuses the request itself.
    Refused(GatewayError),
}

impl Gateway {
    /// Submits a video to the first candidate that accepts it. `ours` is our id of the task; `notes` records each
    /// candidate before it is asked.
    ///
    /// # Errors
    /// The most useful error of all candidates where none accepted it, or the error of the request.
    pub async fn submit_video(
        &self,
        request_id: RequestId,
        script: &VideoRequest,
        ours: &str,
        headers: &HeaderMap,
        notes: &impl SubmissionJournal,
    ) -> Result<SubmittedVideo, GatewayError> {
        let model = self.catalog.load().find(&script.model).ok_or(GatewayError::NoModel)?;
        let whole = Instant::now() + self.patience.total;
        let mut failure = None;
        let offer = ModelOffer::free(model);
        for AttemptTarget { candidate, .. } in candidates(&offer, None) {
            if whole <= Instant::now() {
                break;
            }
            match self.submit_video_to(candidate, script, ours, headers, notes, whole).await? {
                Ok(SubmissionResult::Taken(filmed)) => return Ok(filmed),
                Ok(SubmissionResult::Refused(refused)) => return Err(refused),
                Err(failed) => {
                    log_failure(request_id, candidate, &failed);
                    if failed.is_final() {
                        return Err(failed.into());
                    }
                    failure = Some(more_useful(failure, failed.into()));
                }
            }
        }
        Err(failure.unwrap_or(GatewayError::Failed))
    }

    /// Tries one candidate. An outer error is the gateway's own and ends the search.
    async fn submit_video_to(
        &self,
        candidate: &Candidate,
        script: &VideoRequest,
        ours: &str,
        headers: &HeaderMap,
        notes: &impl SubmissionJournal,
        whole: Instant,
    ) -> Result<Result<SubmissionResult, CandidateError>, GatewayError> {
        let Some(studio) = video_adapter(candidate.upstream.kind()) else { return Ok(Err(makes_no_videos())) };
        let order = match studio.order(script, &candidate.model, ours) {
            Ok(order) => order,
            Err(failed) => return Ok(Err(failed)),
        };
        let asked = Instant::now();
        let Some(leave) = candidate.try_acquire(asked) else { return Ok(Err(busy(candidate, asked))) };
        // Before it is recorded as asked: a provider at its limit is not asked.
        let Ok(_place) = candidate.upstream.try_acquire() else {
            return Ok(Err(CandidateError::Busy { retry_after_seconds: None }));
        };
        let maker = VideoSource {
            upstream: candidate.upstream.name().to_owned(),
            model: candidate.model.clone(),
            path: order.path.to_owned(),
        };
        notes.note(&maker).await?;
        let said = self.order(&candidate.upstream, studio, &order, headers, whole, &candidate.model).await;
        let failed = match said {
            VideoProviderReply::Report(report) => {
                leave.answered(asked.elapsed());
                return Ok(Ok(SubmissionResult::Taken(SubmittedVideo {
                    maker,
                    report: Some(report),
                    dropped: order.dropped,
                })));
            }
            VideoProviderReply::Refused { status, message } => {
                leave.answered(asked.elapsed());
                return Ok(Ok(SubmissionResult::Refused(GatewayError::Refused { status, message })));
            }
            VideoProviderReply::Gone | VideoProviderReply::Stale => CandidateError::BlamesUs,
            VideoProviderReply::Failed(failed) => failed,
        };
        report_health(leave, failed.health_signal());
        if let (true, CandidateError::Upstream(_)) = (studio.finds_by_our_id(), &failed) {
            // The request may have arrived all the same, so that trying the next candidate could make the video twice.
            let report = match self.poll_video(&maker, VideoTaskId::Ours(ours)).await {
                VideoPollResult::Report(report) => Some(report),
                VideoPollResult::Later => None,
                VideoPollResult::Unknown | VideoPollResult::Unnamed => return Ok(Err(failed)),
            };
            return Ok(Ok(SubmissionResult::Taken(SubmittedVideo { maker, report, dropped: order.dropped })));
        }
        Ok(Err(failed))
    }

    async fn order(
        &self,
        upstream: &UpstreamClient,
        studio: &dyn VideoAdapter,
        order: &VideoSubmission,
        client: &HeaderMap,
        whole: Instant,
        model: &str,
    ) -> VideoProviderReply {
        let mut headers = kept(client);
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        let Ok(kind) = HeaderValue::try_from(&order.content_type) else {
            return VideoProviderReply::Failed(makes_no_videos());
        };
        headers.insert(header::CONTENT_TYPE, kind);
        let question = || ResourceRequest {
            method: Method::POST,
            path: order.path.split('/').collect(),
            query: None,
            headers: headers.clone(),
            body: order.body.clone(),
        };
        self.ask_renewing_token(upstream, studio, question, whole, &order.body, model).await
    }

    /// Polls a task.
    pub async fn poll_video(&self, maker: &VideoSource, name: VideoTaskId<'_>) -> VideoPollResult {
        // The upstream may be missing from the configuration for now.
        let Some(upstream) = self.catalog.load().upstream(&maker.upstream).cloned() else {
            return VideoPollResult::Later;
        };
        let Some(studio) = video_adapter(upstream.kind()) else { return VideoPollResult::Later };
        let id = match name {
            VideoTaskId::Theirs(id) => id,
            VideoTaskId::Ours(id) if studio.finds_by_our_id() => id,
            VideoTaskId::Ours(_) => return VideoPollResult::Unnamed,
        };
        let question = || ResourceRequest {
            method: Method::GET,
            path: maker.path.split('/').chain([id]).collect(),
            query: None,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        };
        match self
            .ask_renewing_token(&upstream, studio, question, Instant::now() + REPORT_WAIT, &[], &maker.model)
            .await
        {
            VideoProviderReply::Report(report) => VideoPollResult::Report(report),
            VideoProviderReply::Gone => VideoPollResult::Unknown,
            VideoProviderReply::Failed(failed) => {
                let (upstream, error) = (upstream.name(), &failed as &dyn std::error::Error);
                tracing::debug!(upstream, error, "polling a provider about a video failed");
                VideoPollResult::Later
            }
            VideoProviderReply::Refused { .. } | VideoProviderReply::Stale => VideoPollResult::Later,
        }
    }

    /// Deletes a task at its provider, where the provider can. A failure is logged and not returned.
    pub async fn delete_video_task(&self, maker: &VideoSource, id: &str) {
        let upstream = self.catalog.load().upstream(&maker.upstream).cloned();
        let Some(upstream) =
            upstream.filter(|upstream| video_adapter(upstream.kind()).is_some_and(VideoAdapter::can_delete))
        else {
            return;
        };
        let path = maker.path.split('/').chain([id]).collect();
        let (headers, body) = (HeaderMap::new(), Bytes::new());
        let question = ResourceRequest { method: Method::DELETE, path, query: None, headers, body };
        let whole = Instant::now() + REPORT_WAIT;
        let deadlines = AnswerDeadlines { begin: whole, whole };
        if let Err(error) = upstream.ask(question, UpstreamPermit::unbounded(), deadlines, self.clock.now_ms()).await {
            let (upstream, error) = (upstream.name(), &error as &dyn std::error::Error);
            tracing::debug!(upstream, error, "deleting a video at its provider failed");
        }
    }

    /// The provider's reply, asked once more with a new token where it finds ours outdated.
    async fn ask_renewing_token<'q>(
        &self,
        upstream: &UpstreamClient,
        studio: &dyn VideoAdapter,
        question: impl Fn() -> ResourceRequest<'q>,
        whole: Instant,
        request: &[u8],
        model: &str,
    ) -> VideoProviderReply {
        let mut said = self.ask_once(upstream, studio, question(), whole, request, model).await;
        if matches!(said, VideoProviderReply::Stale) {
            upstream.renew();
            said = self.ask_once(upstream, studio, question(), whole, request, model).await;
        }
        said
    }

    async fn ask_once(
        &self,
        upstream: &UpstreamClient,
        studio: &dyn VideoAdapter,
        question: ResourceRequest<'_>,
        whole: Instant,
        request: &[u8],
        model: &str,
    ) -> VideoProviderReply {
        let deadlines = AnswerDeadlines { begin: whole, whole };
        let now_ms = self.clock.now_ms();
        // Sent without a permit: it is small, and a task that could not be polled would make a video that nobody is charged for.
        match upstream.ask(question, UpstreamPermit::unbounded(), deadlines, now_ms).await {
            Ok(answer) => {
                let room = self.room(ANSWER_BYTES);
                read(studio, answer, room, (request, model), now_ms)
                    .await
                    .unwrap_or_else(|error| VideoProviderReply::Failed(error.into()))
            }
            Err(error) => VideoProviderReply::Failed(error.into()),
        }
    }
}

async fn read(
    studio: &dyn VideoAdapter,
    answer: UpstreamAnswer,
    room: AnswerRoom<'_>,
    (request, model): (&[u8], &str),
    now_ms: i64,
) -> Result<VideoProviderReply, UpstreamError> {
    let UpstreamAnswer { status, headers, mut body } = answer;
    let retry_after_seconds = retry_after_seconds(&headers, now_ms);
    let bytes = body.whole(room).await?.counted(|bytes| bytes);
    Ok(studio.read(status, &bytes, AnsweredRequest { request, model, retry_after_seconds }))
}
