//! The candidates of a model, asked in turn until one answers.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use tokio::time::Instant;

use crate::base::RequestId;

use super::Gateway;
use super::begin::Begun;
use super::catalog::{Candidate, Model};
use super::choice::{self, Standing};
use super::client::Client;
use super::config::Kind;
use super::convert::Conversion;
use super::error::GatewayError;
use super::exchange::Format;
use super::failed::{CandidateFailed, Symptom, more_useful};
use super::health::Leave;
use super::inbound::Inbound;
use super::run::Answered;
use super::stream::FaultEvent;
use super::tab::Tab;
use super::upstream::{Action, Deadlines, Request, upstream};

/// A request, read and paid for.
#[derive(Debug)]
pub struct Prepared {
    /// What the client asks.
    pub inbound: Inbound,
    /// The client's headers that some provider may be shown.
    pub headers: HeaderMap,
    /// What ids of the answer are made of, where we have to make one.
    pub answer_id: String,
    /// The model that was asked for.
    pub model: Arc<Model>,
    /// The output of one choice, in tokens, where the credit buys less than was wanted.
    pub output_bound: Option<u64>,
    /// How the client is told that a stream broke.
    pub fault_event: FaultEvent,
}

impl Gateway {
    /// The beginning of the first good answer. Whatever fails before that is the next candidate's turn, because the client
    /// has seen nothing yet; a request that a provider finds fault with is not asked again.
    ///
    /// # Errors
    /// When every candidate failed, the most useful reason of all; or the client went, and nobody is told.
    pub(super) async fn ask(
        &self,
        prepared: &Prepared,
        tab: &mut Tab,
        client: &mut Client<Answered>,
    ) -> Result<Begun, GatewayError> {
        let mut conversion = Conversion::new(&prepared.inbound);
        let whole = Instant::now() + self.patience.total;
        let mut failure = None;
        for candidate in in_order(&prepared.model.candidates) {
            if client.is_gone() || whole <= Instant::now() {
                break;
            }
            let tried = client.awaits(self.try_one(candidate, prepared, &mut conversion, whole, tab)).await;
            match tried {
                Some(Ok(begun)) => return Ok(begun),
                Some(Err(failed)) => {
                    log(tab.request_id, candidate, &failed);
                    if failed.is_final() {
                        return Err(failed.into());
                    }
                    failure = Some(more_useful(failure, failed.into()));
                }
                None => break,
            }
        }
        Err(failure.unwrap_or(GatewayError::Failed))
    }

    async fn try_one(
        &self,
        candidate: &Candidate,
        prepared: &Prepared,
        conversion: &mut Conversion<'_>,
        whole: Instant,
        tab: &mut Tab,
    ) -> Result<Begun, CandidateFailed> {
        // 1. Whether it can be asked: in its format, and now.
        let speaker = candidate.speaker(prepared.inbound.format)?;
        let encoded = conversion.body(speaker, &prepared.model, prepared.output_bound)?;
        let asked = Instant::now();
        let leave = candidate.health.leave(asked).ok_or_else(|| busy(candidate, asked))?;
        let place = candidate.upstream.place().map_err(|_| CandidateFailed::Busy { retry_after_seconds: None })?;
        // 2. It is asked.
        tab.sent_to(candidate.upstream.name(), &candidate.model);
        let stream = prepared.inbound.stream;
        let begin = if stream { asked + self.patience.first_event } else { whole };
        let headers = upstream(&prepared.headers, prepared.inbound.format, Kind::Speaks(speaker.format));
        let action = if speaker.format == Format::Completions { Action::Complete } else { Action::Turn { stream } };
        let request = Request { model: &candidate.model, action, headers, body: encoded.body };
        let begun = match candidate.upstream.send(request, place, Deadlines { begin, whole }).await {
            Ok(answer) => self.begin(answer, prepared, speaker, encoded.dropped).await,
            Err(error) => Err(error.into()),
        };
        // 3. What that tells of its health.
        match &begun {
            Ok(begun) => leave.answered(begun.first_read().unwrap_or(asked).duration_since(asked)),
            Err(failed) => tell(leave, failed.symptom()),
        }
        begun
    }
}

/// What a failure tells of a candidate's health.
pub(super) fn tell(leave: Leave<'_>, symptom: Symptom) {
    let wait = |seconds: Option<u32>| seconds.map(|seconds| Duration::from_secs(seconds.into()));
    match symptom {
        Symptom::None => drop(leave),
        Symptom::Limited(seconds) => leave.limited(Instant::now(), wait(seconds)),
        Symptom::Failed(seconds) => leave.failed(Instant::now(), wait(seconds)),
    }
}

/// The candidates in the order to ask them.
pub(super) fn in_order(candidates: &[Candidate]) -> impl Iterator<Item = &Candidate> {
    let standing = |candidate: &Candidate| Standing {
        priority: candidate.priority,
        weight: candidate.weight,
        latency: candidate.health.latency(),
    };
    let order = match candidates {
        // The common case draws nothing.
        [_] => vec![0],
        several => choice::order(&several.iter().map(standing).collect::<Vec<_>>(), random),
    };
    order.into_iter().map(|index| &candidates[index])
}

/// Spreads requests; without randomness they all go one way, which is no harm.
fn random() -> u64 {
    getrandom::u64().unwrap_or_default()
}

pub(super) fn busy(candidate: &Candidate, now: Instant) -> CandidateFailed {
    let wait = candidate.health.shut_until(now).map(|until| until.duration_since(now).as_secs() + 1);
    CandidateFailed::Busy { retry_after_seconds: wait.and_then(|seconds| u32::try_from(seconds).ok()) }
}

pub(super) fn log(request_id: RequestId, candidate: &Candidate, failed: &CandidateFailed) {
    let upstream = candidate.upstream.name();
    let error = failed as &dyn std::error::Error;
    if failed.is_ours_to_mend() {
        tracing::error!(%request_id, upstream, error, "a provider turned down our key, our account or our name for the model");
    } else {
        tracing::warn!(%request_id, upstream, error, "a provider could not be asked, or failed before its answer began");
    }
}
