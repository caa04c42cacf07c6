//! A unary request from end to end, as numbered steps: those of a turn, for an answer that comes whole.

use http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::Gateway;
use crate::config::ProviderKind;
use crate::error::GatewayError;
use crate::members::RequestAdmission;
use crate::metering::cost::{CostReporting, UnchargedReply};
use crate::pipeline::attempts::{AttemptOutput, CandidateRequest, OutboundRequest, SentRequest};
use crate::pipeline::billing::BilledRequest;
use crate::pipeline::deliver;
use crate::pipeline::disconnect::{DisconnectGrace, WaitingClient};
use crate::pipeline::rate_limit_headers;
use crate::pipeline::reply::ReplyResult;
use crate::pipeline::reserve::{CostQuote, HoldPurpose, quoted};
use crate::pipeline::settlement_policy::{CallEnding, settlement_for_whole};
use crate::routing::candidate_error::CandidateError;
use crate::routing::model_offer::{AttemptTarget, ModelOffer};
use crate::routing::refusal::{ProviderRefusal, RefusedRequest};
use crate::upstream::{UpstreamAnswer, downstream, kept, retry_after_seconds, upstream};
use tollgate_api::{BodyMemoryPermit, Cx, Principal};
use tollgate_base::RequestId;
use tollgate_formats::Format;

use super::task_polling::ImageTaskOutcome;
use super::{UnaryContent, UnaryOutcome, UnaryProviderRequest, UnaryRequest, not_carried};

/// A unary request with its hold taken.
struct PreparedUnary<E> {
    errand: E,
    headers: HeaderMap,
    offers: Vec<ModelOffer>,
}

/// A unary request that is tried at one candidate after the other.
struct UnaryAttempt<'a, E> {
    gateway: &'a Gateway,
    prepared: &'a PreparedUnary<E>,
    tab: &'a mut BilledRequest,
}

/// A candidate's answer that is for the client.
enum UnaryAnswer {
    Outcome(Box<UnaryDelivery>),
    /// The candidate refuses the request itself.
    Refusal {
        headers: HeaderMap,
        refusal: ProviderRefusal,
    },
}

/// A successful answer of a candidate.
struct UnaryDelivery {
    outcome: UnaryOutcome,
    headers: HeaderMap,
    dropped: Vec<String>,
    fallback: Option<String>,
    first_read: Option<Instant>,
}

impl Gateway {
    /// Carries out a unary request. In every case its hold is charged or released.
    pub(in super::super) async fn unary(&self, cx: &Cx, caller: Principal, errand: impl UnaryRequest) -> ReplyResult {
        // 1. The models that may do it, and their prices, of what is on offer now.
        let catalog = self.catalog.load_full();
        let models = catalog.line(&caller, errand.model())?;
        let ratio = catalog.ratio_for(&caller)?;
        let quoted = quoted(models, |model, _| {
            let tariff = errand.tariff(model).ok_or_else(|| GatewayError::misfit(errand.model(), "makes pictures"))?;
            let tariff = tariff.shared_at(ratio);
            let most = errand.most(model);
            let most = tariff
                .ceiling(most.prompt, most.kinds, &[])
                .and_then(|ceiling| ceiling.worst_case(most.prompt, most.output))
                .map_err(|_| GatewayError::Unpriceable)?;
            // The output cannot be bounded further, so the least hold is the worst case.
            Ok(CostQuote { tariff, most, least: most })
        })?;
        // 2. The worst case is held, durably, before anything is sent.
        let purpose = HoldPurpose { model: errand.model(), stream: false, tokens: 0 };
        let include_cost = caller.include_cost;
        let hold = self.hold_for(cx, caller, purpose, quoted.iter().map(|(_, quote)| quote)).await?;
        let paid = quoted.into_iter().filter(|(_, quote)| quote.least <= hold.amount());
        let offers: Vec<_> = paid
            .enumerate()
            .map(|(place, (model, quote))| ModelOffer {
                model,
                tariff: quote.tariff,
                output_bound: None,
                fallback: place > 0,
                admission: RequestAdmission::default(),
            })
            .collect();
        let mut tab = BilledRequest::new(cx, errand.model().to_owned(), self, catalog, hold, offers[0].tariff.clone());
        if CostReporting::of(include_cost, &cx.headers, errand.format(), &[]).in_usage {
            tab.show_cost_in(errand.format());
        }
        // 3. The rest goes on when the client leaves: a provider that was asked has to be paid.
        let prepared = PreparedUnary { errand, headers: kept(&cx.headers), offers };
        let (reply, waiting) = oneshot::channel();
        let gateway = self.clone();
        self.tasks.spawn(Box::pin(async move {
            let absence = DisconnectGrace::new(gateway.patience.abandoned, gateway.cut.clone());
            let mut client = WaitingClient::new(reply, absence);
            let answered = gateway.run_unary(&prepared, tab, &mut client).await;
            client.answer(answered);
        }));
        // The sender is dropped unsent only when the task panicked; its hold was released then.
        waiting.await.unwrap_or(Err(GatewayError::Failed))
    }

    async fn run_unary<E: UnaryRequest>(
        &self,
        prepared: &PreparedUnary<E>,
        mut tab: Box<BilledRequest>,
        client: &mut WaitingClient<ReplyResult>,
    ) -> ReplyResult {
        // 4. The first candidate that gives an answer.
        let whole = Instant::now() + self.patience.total;
        let mut asking = UnaryAttempt { gateway: self, prepared, tab: &mut tab };
        match self.try_candidates(&mut asking, &prepared.offers, client, whole).await {
            // 5. The charge, and only then the answer.
            Ok(UnaryAnswer::Outcome(delivered)) => {
                let UnaryDelivery { outcome, mut headers, mut dropped, fallback, first_read } = *delivered;
                let UnaryOutcome { content, reported, counted } = outcome;
                tab.note_first_byte(first_read);
                let body = match content {
                    UnaryContent::Whole(body) => body,
                    UnaryContent::ToFetch { mut pictures, wanted } => {
                        // The images are made, and charged whether or not the client waits for their download.
                        if client.run_while_connected(self.fetch_images(&mut pictures, wanted, whole)).await
                            != Some(true)
                        {
                            dropped.push("response_format".to_owned());
                        }
                        // They are charged, so they are delivered even where the memory budget is used up.
                        let (body, mut spent) = (pictures.written(), BodyMemoryPermit::default());
                        let _ = self.answers.try_acquire(body.len(), &mut spent);
                        spent.on(body)
                    }
                };
                let ending = if client.is_gone() { CallEnding::ClientGone } else { CallEnding::Complete };
                let verdict = settlement_for_whole(ending, reported.as_ref(), counted);
                let standing = tab.standing();
                headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
                rate_limit_headers::insert_headers(
                    &mut headers,
                    prepared.errand.format() == Format::Messages,
                    &standing,
                );
                deliver::add_fallback_header(&mut headers, fallback.as_deref());
                deliver::add_dropped_header(&mut headers, &dropped);
                let answer = UnchargedReply { status: StatusCode::OK, headers, body, cost_in: tab.cost_in() };
                tab.set_reply(&answer);
                let charged = tab.charge(verdict).await.map_err(|_| GatewayError::Ledger)?;
                Ok(answer.charged(charged))
            }
            Ok(UnaryAnswer::Refusal { headers, refusal }) => {
                tab.abandon().await;
                deliver::refusal_reply(headers, refusal)
            }
            Err(error) => {
                tab.abandon().await;
                Err(error)
            }
        }
    }
}

impl<E: UnaryRequest> CandidateRequest for UnaryAttempt<'_, E> {
    type CandidateAnswer = UnaryAnswer;

    fn request_id(&self) -> RequestId {
        self.tab.request_id
    }

    fn outbound(&mut self, at: AttemptTarget<'_>) -> Result<OutboundRequest, CandidateError> {
        let PreparedUnary { errand, headers, .. } = self.prepared;
        let UnaryProviderRequest { action, body, boundary, dropped } = errand.order(at.candidate)?;
        let mut headers = upstream(headers, errand.format(), at.candidate.upstream.kind());
        if let Some(boundary) = &boundary {
            headers.insert(header::CONTENT_TYPE, form_type(boundary)?);
        }
        Ok(OutboundRequest { action, headers, body, dropped, begins_within: None })
    }

    fn sent(&mut self, at: AttemptTarget<'_>) {
        self.tab.sent_to(at);
    }

    async fn read(
        &mut self,
        answer: UpstreamAnswer,
        at: AttemptTarget<'_>,
        sent: SentRequest,
    ) -> Result<UnaryAnswer, CandidateError> {
        let Self { gateway, prepared: PreparedUnary { errand, .. }, tab } = self;
        let (AttemptTarget { offer, candidate }, patience) = (at, gateway.patience);
        let UpstreamAnswer { status, headers, mut body } = answer;
        let kind = candidate.upstream.kind();
        let converted = kind != ProviderKind::Speaks(errand.format());
        let wait = retry_after_seconds(&headers, gateway.clock.now_ms());
        let headers = if converted { HeaderMap::new() } else { downstream(&headers) };
        if !status.is_success() {
            let failed = CandidateError::Status { status, retry_after_seconds: wait };
            let asked = RefusedRequest { kind, converted, request: &sent.body, model: &candidate.model };
            let refusal =
                ProviderRefusal::read(status, body, asked, gateway.room(patience.answer_bytes), failed).await?;
            return Ok(UnaryAnswer::Refusal { headers, refusal });
        }
        let (mut read, mut first_read) = (body.whole(gateway.room(patience.whole_bytes)).await?, body.first_read());
        if kind.answers_with_task() {
            // The body, though read to its end, holds the permit of the upstream until the task is over.
            match gateway.await_task(tab.request_id, &candidate.upstream, read, body.deadline()).await? {
                // A task that was over at once has its result in the first answer.
                ImageTaskOutcome::Made { answer, first_read: first } => {
                    (read, first_read) = (answer, first.or(first_read));
                }
                ImageTaskOutcome::Refused(refusal) => return Ok(UnaryAnswer::Refusal { headers, refusal }),
            }
        }
        let outcome = errand.outcome(candidate, &offer.model, &read.bytes)?.counted(read);
        let fallback = offer.fallback.then(|| offer.model.id.clone());
        let dropped = sent.dropped;
        Ok(UnaryAnswer::Outcome(Box::new(UnaryDelivery { outcome, headers, dropped, fallback, first_read })))
    }
}

impl AttemptOutput for UnaryAnswer {
    fn first_read(&self) -> Option<Instant> {
        match self {
            Self::Outcome(delivered) => delivered.first_read,
            Self::Refusal { .. } => None,
        }
    }

    fn is_refusal(&self) -> bool {
        matches!(self, Self::Refusal { .. })
    }
}

/// The content type of a form, with its boundary in quotes, so that it may have any character.
fn form_type(boundary: &str) -> Result<HeaderValue, CandidateError> {
    let boundary = boundary.replace('\\', "\\\\").replace('"', "\\\"");
    let kind = HeaderValue::try_from(format!("multipart/form-data; boundary=\"{boundary}\""));
    kind.map_err(|_| not_carried("body", "its boundary fits no header"))
}
