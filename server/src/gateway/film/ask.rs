//! Submission, polling and deletion of video tasks at providers.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header};
use tokio::time::Instant;

use crate::base::RequestId;

use super::super::Gateway;
use super::super::attempts::{AttemptTarget, busy, candidates, log_failure, report_health};
use super::super::candidate_error::{CandidateError, more_useful};
use super::super::catalog::Candidate;
use super::super::error::GatewayError;
use super::super::model_offer::ModelOffer;
use super::super::upstream::{
    Answer, Deadlines, Place, Question, Room, Upstream, UpstreamError, kept, retry_after_seconds,
};
use super::studio::{Asked, Order, Said, Studio};
use super::{ANSWER_BYTES, Filmed, Heard, Maker, Notes, Script, TaskName, films_nothing, studio};

/// The most time for a provider to answer a poll.
const REPORT_WAIT: Duration = Duration::from_secs(30);

/// The result of a submission to one candidate.
enum Tried {
    Taken(Filmed),
    /// The provider refuses the request itself.
    Refused(GatewayError),
}

impl Gateway {
    /// Submits a video to the first candidate that accepts it. `ours` is our id of the task; `notes` records each
    /// candidate before it is asked.
    ///
    /// # Errors
    /// The most useful error of all candidates where none accepted it, or the error of the request.
    pub async fn film(
        &self,
        request_id: RequestId,
        script: &Script,
        ours: &str,
        headers: &HeaderMap,
        notes: &impl Notes,
    ) -> Result<Filmed, GatewayError> {
        let model = self.catalog.load().find(&script.model).ok_or(GatewayError::NoModel)?;
        let whole = Instant::now() + self.patience.total;
        let mut failure = None;
        let offer = ModelOffer::free(model);
        for AttemptTarget { candidate, .. } in candidates(&offer, None) {
            if whole <= Instant::now() {
                break;
            }
            match self.film_at(candidate, script, ours, headers, notes, whole).await? {
                Ok(Tried::Taken(filmed)) => return Ok(filmed),
                Ok(Tried::Refused(refused)) => return Err(refused),
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
    async fn film_at(
        &self,
        candidate: &Candidate,
        script: &Script,
        ours: &str,
        headers: &HeaderMap,
        notes: &impl Notes,
        whole: Instant,
    ) -> Result<Result<Tried, CandidateError>, GatewayError> {
        let Some(studio) = studio(candidate.upstream.kind()) else { return Ok(Err(films_nothing())) };
        let order = match studio.order(script, &candidate.model, ours) {
            Ok(order) => order,
            Err(failed) => return Ok(Err(failed)),
        };
        let asked = Instant::now();
        let Some(leave) = candidate.health.try_acquire(asked) else { return Ok(Err(busy(candidate, asked))) };
        // Before it is recorded as asked: a provider at its limit is not asked.
        let Ok(_place) = candidate.upstream.place() else {
            return Ok(Err(CandidateError::Busy { retry_after_seconds: None }));
        };
        let maker = Maker {
            upstream: candidate.upstream.name().to_owned(),
            model: candidate.model.clone(),
            path: order.path.to_owned(),
        };
        notes.note(&maker).await?;
        let said = self.order(&candidate.upstream, studio, &order, headers, whole, &candidate.model).await;
        let failed = match said {
            Said::Report(report) => {
                leave.answered(asked.elapsed());
                return Ok(Ok(Tried::Taken(Filmed { maker, report: Some(report), dropped: order.dropped })));
            }
            Said::Refused { status, message } => {
                leave.answered(asked.elapsed());
                return Ok(Ok(Tried::Refused(GatewayError::Refused { status, message })));
            }
            Said::Gone | Said::Stale => CandidateError::BlamesUs,
            Said::Failed(failed) => failed,
        };
        report_health(leave, failed.health_signal());
        if let (true, CandidateError::Upstream(_)) = (studio.knows_ours(), &failed) {
            // The request may have arrived all the same, so that trying the next candidate could make the video twice.
            let report = match self.film_report(&maker, TaskName::Ours(ours)).await {
                Heard::Report(report) => Some(report),
                Heard::Later => None,
                Heard::Unknown | Heard::Unnamed => return Ok(Err(failed)),
            };
            return Ok(Ok(Tried::Taken(Filmed { maker, report, dropped: order.dropped })));
        }
        Ok(Err(failed))
    }

    async fn order(
        &self,
        upstream: &Upstream,
        studio: &dyn Studio,
        order: &Order,
        client: &HeaderMap,
        whole: Instant,
        model: &str,
    ) -> Said {
        let mut headers = kept(client);
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        let Ok(kind) = HeaderValue::try_from(&order.content_type) else {
            return Said::Failed(films_nothing());
        };
        headers.insert(header::CONTENT_TYPE, kind);
        let question = || Question {
            method: Method::POST,
            path: order.path.split('/').collect(),
            query: None,
            headers: headers.clone(),
            body: order.body.clone(),
        };
        self.heard(upstream, studio, question, whole, &order.body, model).await
    }

    /// Polls a task.
    pub async fn film_report(&self, maker: &Maker, name: TaskName<'_>) -> Heard {
        // The upstream may be missing from the configuration for now.
        let Some(upstream) = self.catalog.load().upstream(&maker.upstream).cloned() else { return Heard::Later };
        let Some(studio) = studio(upstream.kind()) else { return Heard::Later };
        let id = match name {
            TaskName::Theirs(id) => id,
            TaskName::Ours(id) if studio.knows_ours() => id,
            TaskName::Ours(_) => return Heard::Unnamed,
        };
        let question = || Question {
            method: Method::GET,
            path: maker.path.split('/').chain([id]).collect(),
            query: None,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        };
        match self.heard(&upstream, studio, question, Instant::now() + REPORT_WAIT, &[], &maker.model).await {
            Said::Report(report) => Heard::Report(report),
            Said::Gone => Heard::Unknown,
            Said::Failed(failed) => {
                let (upstream, error) = (upstream.name(), &failed as &dyn std::error::Error);
                tracing::debug!(upstream, error, "polling a provider about a video failed");
                Heard::Later
            }
            Said::Refused { .. } | Said::Stale => Heard::Later,
        }
    }

    /// Deletes a task at its provider, where the provider can. A failure is logged and not returned.
    pub async fn film_forget(&self, maker: &Maker, id: &str) {
        let upstream = self.catalog.load().upstream(&maker.upstream).cloned();
        let Some(upstream) = upstream.filter(|upstream| studio(upstream.kind()).is_some_and(Studio::forgets)) else {
            return;
        };
        let path = maker.path.split('/').chain([id]).collect();
        let (headers, body) = (HeaderMap::new(), Bytes::new());
        let question = Question { method: Method::DELETE, path, query: None, headers, body };
        let whole = Instant::now() + REPORT_WAIT;
        let deadlines = Deadlines { begin: whole, whole };
        if let Err(error) = upstream.ask(question, Place::unbounded(), deadlines, self.clock.now_ms()).await {
            let (upstream, error) = (upstream.name(), &error as &dyn std::error::Error);
            tracing::debug!(upstream, error, "deleting a video at its provider failed");
        }
    }

    /// The provider's reply, asked once more with a new token where it finds ours outdated.
    async fn heard<'q>(
        &self,
        upstream: &Upstream,
        studio: &dyn Studio,
        question: impl Fn() -> Question<'q>,
        whole: Instant,
        request: &[u8],
        model: &str,
    ) -> Said {
        let mut said = self.hear(upstream, studio, question(), whole, request, model).await;
        if matches!(said, Said::Stale) {
            upstream.renew();
            said = self.hear(upstream, studio, question(), whole, request, model).await;
        }
        said
    }

    async fn hear(
        &self,
        upstream: &Upstream,
        studio: &dyn Studio,
        question: Question<'_>,
        whole: Instant,
        request: &[u8],
        model: &str,
    ) -> Said {
        let deadlines = Deadlines { begin: whole, whole };
        let now_ms = self.clock.now_ms();
        // Sent without a permit: it is small, and a task that could not be polled would make a video that nobody is charged for.
        match upstream.ask(question, Place::unbounded(), deadlines, now_ms).await {
            Ok(answer) => {
                let room = self.room(ANSWER_BYTES);
                read(studio, answer, room, (request, model), now_ms)
                    .await
                    .unwrap_or_else(|error| Said::Failed(error.into()))
            }
            Err(error) => Said::Failed(error.into()),
        }
    }
}

async fn read(
    studio: &dyn Studio,
    answer: Answer,
    room: Room<'_>,
    (request, model): (&[u8], &str),
    now_ms: i64,
) -> Result<Said, UpstreamError> {
    let Answer { status, headers, mut body } = answer;
    let retry_after_seconds = retry_after_seconds(&headers, now_ms);
    let bytes = body.whole(room).await?.counted(|bytes| bytes);
    Ok(studio.read(status, &bytes, Asked { request, model, retry_after_seconds }))
}
