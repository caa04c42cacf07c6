//! The candidates of a model, asked in turn until one answers.

use std::sync::Arc;

use http::HeaderMap;
use tokio::time::Instant;

use crate::api::ProxyBody;
use crate::base::RequestId;
use crate::generated::ops::chat::CreateChatCompletionHead;

use super::Gateway;
use super::begin::Begun;
use super::catalog::{Candidate, Model};
use super::client::Client;
use super::error::GatewayError;
use super::exchange::Exchange;
use super::failed::{CandidateFailed, more_useful};
use super::outgoing::Outgoing;
use super::run::Answered;
use super::stream::FaultEvent;
use super::upstream::Deadlines;

/// A request, read and paid for.
#[derive(Debug)]
pub struct Prepared {
    /// The client's body, and the members that decide.
    pub body: ProxyBody<CreateChatCompletionHead>,
    /// The client's headers that the provider is shown.
    pub headers: HeaderMap,
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
        exchange: &mut Exchange,
        client: &mut Client<Answered>,
    ) -> Result<Begun, GatewayError> {
        let outgoing = Outgoing::new(&prepared.body, prepared.output_bound);
        let whole = Instant::now() + self.patience.total;
        // What is told when nobody could be asked; every other reason is as useful or more.
        let mut failure = GatewayError::Failed;
        for candidate in &prepared.model.candidates {
            if client.is_gone() || whole <= Instant::now() {
                break;
            }
            exchange.sent_to(candidate.upstream.name(), &candidate.model);
            let tried = client.awaits(self.try_one(candidate, prepared, &outgoing, whole)).await;
            match tried {
                Some(Ok(begun)) => return Ok(begun),
                Some(Err(failed)) => {
                    log(exchange.request_id, candidate, &failed);
                    failure = more_useful(failure, failed.into());
                }
                None => break,
            }
        }
        Err(failure)
    }

    async fn try_one(
        &self,
        candidate: &Candidate,
        prepared: &Prepared,
        outgoing: &Outgoing<'_>,
        whole: Instant,
    ) -> Result<Begun, CandidateFailed> {
        let begin = if outgoing.stream() { Instant::now() + self.patience.first_event } else { whole };
        let body = outgoing.body(&candidate.model, candidate.upstream.output_bound_field());
        let answer = candidate.upstream.send_chat(prepared.headers.clone(), body, Deadlines { begin, whole }).await?;
        self.begin(answer, prepared, outgoing).await
    }
}

fn log(request_id: RequestId, candidate: &Candidate, failed: &CandidateFailed) {
    let upstream = candidate.upstream.name();
    let error = failed as &dyn std::error::Error;
    if failed.is_ours_to_mend() {
        tracing::error!(%request_id, upstream, error, "a provider turned down our key, our account or our name for the model");
    } else {
        tracing::warn!(%request_id, upstream, error, "a provider failed before its answer began");
    }
}
