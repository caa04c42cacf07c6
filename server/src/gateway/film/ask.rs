//! Orders and questions on their way to a provider.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header};
use tokio::time::Instant;

use crate::base::RequestId;

use super::super::Gateway;
use super::super::ask::{At, busy, candidates, log, tell};
use super::super::catalog::Candidate;
use super::super::error::GatewayError;
use super::super::failed::{CandidateFailed, more_useful};
use super::super::offer::Offer;
use super::super::upstream::{
    Answer, Deadlines, Place, Question, Room, Upstream, UpstreamError, kept, retry_after_seconds,
};
use super::studio::{Asked, Order, Said, Studio};
use super::{ANSWER_BYTES, Filmed, Heard, Maker, Notes, Script, TaskName, films_nothing, studio};

/// How long a provider may take to say how a task does.
const REPORT_WAIT: Duration = Duration::from_secs(30);

/// What becomes of one candidate.
enum Tried {
    Taken(Filmed),
    /// It finds fault with the request itself.
    Refused(GatewayError),
}

impl Gateway {
    /// Orders a video from the first candidate that takes the order. `ours` is our name for the task; `notes` keeps each
    /// candidate before it is asked.
    ///
    /// # Errors
    /// When none took it, the most useful reason of all; or what is wrong with the order.
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
        let offer = Offer::free(model);
        for At { candidate, .. } in candidates(&offer, None) {
            if whole <= Instant::now() {
                break;
            }
            match self.film_at(candidate, script, ours, headers, notes, whole).await? {
                Ok(Tried::Taken(filmed)) => return Ok(filmed),
                Ok(Tried::Refused(refused)) => return Err(refused),
                Err(failed) => {
                    log(request_id, candidate, &failed);
                    if failed.is_final() {
                        return Err(failed.into());
                    }
                    failure = Some(more_useful(failure, failed.into()));
                }
            }
        }
        Err(failure.unwrap_or(GatewayError::Failed))
    }

    /// The outer error is ours and ends the search.
    async fn film_at(
        &self,
        candidate: &Candidate,
        script: &Script,
        ours: &str,
        headers: &HeaderMap,
        notes: &impl Notes,
        whole: Instant,
    ) -> Result<Result<Tried, CandidateFailed>, GatewayError> {
        let Some(studio) = studio(candidate.upstream.kind()) else { return Ok(Err(films_nothing())) };
        let order = match studio.order(script, &candidate.model, ours) {
            Ok(order) => order,
            Err(failed) => return Ok(Err(failed)),
        };
        let asked = Instant::now();
        let Some(leave) = candidate.health.leave(asked) else { return Ok(Err(busy(candidate, asked))) };
        // Before it is written down as asked: one that is full is not.
        let Ok(_place) = candidate.upstream.place() else {
            return Ok(Err(CandidateFailed::Busy { retry_after_seconds: None }));
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
            Said::Gone | Said::Stale => CandidateFailed::BlamesUs,
            Said::Failed(failed) => failed,
        };
        tell(leave, failed.symptom());
        if let (true, CandidateFailed::Upstream(_)) = (studio.knows_ours(), &failed) {
            // It may have heard us all the same, and would film twice what the next one films.
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

    /// How a task does.
    pub async fn film_report(&self, maker: &Maker, name: TaskName<'_>) -> Heard {
        // Out of the configuration for now, perhaps.
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
                tracing::debug!(upstream, error, "a provider could not say how a video does");
                Heard::Later
            }
            Said::Refused { .. } | Said::Stale => Heard::Later,
        }
    }

    /// Has a maker forget a task; whether it does is not waited for beyond a while, nor told.
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
            tracing::debug!(upstream, error, "a provider was not told that a video was deleted");
        }
    }

    /// What a provider says to a question; one that finds our signature stale is asked once more with a new one.
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
        // A question is small, and a video that nobody could ask about would be given away.
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
