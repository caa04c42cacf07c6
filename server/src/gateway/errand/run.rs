//! An errand from end to end, as numbered steps: those of a turn, for an answer that comes whole.

use std::sync::Arc;

use http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::api::{Cx, Principal, ProxyReply, ProxyReplyBody};
use crate::credit::{Hold, HoldAsk, Price};

use super::super::Gateway;
use super::super::ask::{busy, in_order, log, tell};
use super::super::catalog::{Candidate, Model};
use super::super::client::{Absence, Client};
use super::super::config::Kind;
use super::super::deliver;
use super::super::ending::{Ending, judge_whole};
use super::super::error::GatewayError;
use super::super::failed::{CandidateFailed, more_useful};
use super::super::refusal::{Asked, Refusal};
use super::super::run::Answered;
use super::super::tab::Tab;
use super::super::upstream::{Answer, Deadlines, Request, downstream, kept, retry_after_seconds, upstream};
use super::{Content, Errand, Most, Outcome, not_carried};

/// An errand that is paid for.
struct Prepared<E> {
    errand: E,
    headers: HeaderMap,
    model: Arc<Model>,
}

/// What a candidate gave that is for the client.
enum Given {
    Outcome {
        outcome: Outcome,
        headers: HeaderMap,
        dropped: Vec<String>,
        first_read: Option<Instant>,
    },
    /// It finds fault with the request itself.
    Refusal {
        headers: HeaderMap,
        refusal: Refusal,
    },
}

impl Gateway {
    /// Does an errand, or says why not. Whatever happens, what was held is charged or given back.
    pub(in super::super) async fn errand(&self, cx: &Cx, caller: Principal, errand: impl Errand) -> Answered {
        // 1. Which model, at what price.
        let model = self.catalog.load().find(errand.model()).ok_or(GatewayError::NoModel)?.clone();
        // 2. The most that it can cost is held, durably, before anything is sent.
        let price = errand.price(&model).ok_or(GatewayError::Unpriceable)?;
        let hold = self.hold_for(cx, caller, &errand, errand.most(&model), price.clone()).await?;
        let tab = Tab::new(cx, errand.model().to_owned(), self.credit.clone(), hold, price);
        // 3. The rest goes on when the client leaves: a provider that was asked has to be paid.
        let prepared = Prepared { errand, headers: kept(&cx.headers), model };
        let (reply, waiting) = oneshot::channel();
        let gateway = self.clone();
        self.tasks.spawn(async move {
            let absence = Absence::new(gateway.patience.abandoned, gateway.cut.clone());
            let mut client = Client::new(reply, absence);
            let answered = gateway.do_errand(&prepared, tab, &mut client).await;
            client.answer(answered);
        });
        // The sender is dropped unsent only when the task panicked; its hold was released then.
        waiting.await.unwrap_or(Err(GatewayError::Failed))
    }

    async fn hold_for(
        &self,
        cx: &Cx,
        caller: Principal,
        errand: &impl Errand,
        most: Most,
        price: Price,
    ) -> Result<Hold, GatewayError> {
        let most = price.worst_case(most.prompt, most.output).map_err(|_| GatewayError::Unpriceable)?;
        let ask = HoldAsk {
            account: caller.account,
            key: caller.key,
            request: cx.request_id,
            want: most,
            // No bound of the output could make it cheaper.
            least: most,
            expires_at_ms: self.hold_expiry_ms(),
            model: errand.model().to_owned(),
            stream: false,
            price,
        };
        Ok(self.credit.hold(ask).await?)
    }

    async fn do_errand<E: Errand>(
        &self,
        prepared: &Prepared<E>,
        mut tab: Tab,
        client: &mut Client<Answered>,
    ) -> Answered {
        // 4. The first candidate whose answer is one.
        let whole = Instant::now() + self.patience.total;
        match self.ask_for(prepared, whole, &mut tab, client).await {
            // 5. Charged, and only then given.
            Ok(Given::Outcome { outcome: Outcome { content, reported }, headers, mut dropped, first_read }) => {
                tab.began(first_read);
                let body = match content {
                    Content::Whole(body) => body,
                    Content::ToFetch(mut pictures) => {
                        // They are drawn, and paid for whether or not the client waits for them.
                        if client.awaits(self.fetched(&mut pictures, whole)).await != Some(true) {
                            dropped.push("response_format".to_owned());
                        }
                        pictures.written()
                    }
                };
                let ending = if client.is_gone() { Ending::ClientGone } else { Ending::Complete };
                let verdict = judge_whole(ending, reported.as_ref(), prepared.errand.counted());
                tab.charge(verdict).await.map_err(|_| GatewayError::Ledger)?;
                let mut headers = headers;
                headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
                deliver::tell_dropped(&mut headers, &dropped);
                Ok(ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(body) })
            }
            Ok(Given::Refusal { headers, refusal }) => {
                tab.abandon().await;
                deliver::refuse(headers, refusal)
            }
            Err(error) => {
                tab.abandon().await;
                Err(error)
            }
        }
    }

    async fn ask_for<E: Errand>(
        &self,
        prepared: &Prepared<E>,
        whole: Instant,
        tab: &mut Tab,
        client: &mut Client<Answered>,
    ) -> Result<Given, GatewayError> {
        let mut failure = None;
        for candidate in in_order(&prepared.model.candidates) {
            if client.is_gone() || whole <= Instant::now() {
                break;
            }
            match client.awaits(self.ask_one(candidate, prepared, whole, tab)).await {
                Some(Ok(given)) => return Ok(given),
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

    async fn ask_one<E: Errand>(
        &self,
        candidate: &Candidate,
        prepared: &Prepared<E>,
        whole: Instant,
        tab: &mut Tab,
    ) -> Result<Given, CandidateFailed> {
        let order = prepared.errand.order(candidate)?;
        let asked = Instant::now();
        let leave = candidate.health.leave(asked).ok_or_else(|| busy(candidate, asked))?;
        let place = candidate.upstream.place().map_err(|_| CandidateFailed::Busy { retry_after_seconds: None })?;
        tab.sent_to(candidate.upstream.name(), &candidate.model);
        let mut headers = upstream(&prepared.headers, prepared.errand.format(), candidate.upstream.kind());
        if let Some(boundary) = &order.boundary {
            headers.insert(header::CONTENT_TYPE, form_type(boundary)?);
        }
        let sent = order.body.clone();
        let request = Request { model: &candidate.model, action: order.action, headers, body: order.body };
        let given = match candidate.upstream.send(request, place, Deadlines { begin: whole, whole }).await {
            Ok(answer) => self.read_given(answer, prepared, candidate, &sent, order.dropped).await,
            Err(error) => Err(error.into()),
        };
        match &given {
            Ok(_) => leave.answered(asked.elapsed()),
            Err(failed) => tell(leave, failed.symptom()),
        }
        given
    }

    async fn read_given<E: Errand>(
        &self,
        answer: Answer,
        prepared: &Prepared<E>,
        candidate: &Candidate,
        sent: &[u8],
        dropped: Vec<String>,
    ) -> Result<Given, CandidateFailed> {
        let Answer { status, headers, mut body } = answer;
        let kind = candidate.upstream.kind();
        let converted = kind != Kind::Speaks(prepared.errand.format());
        let wait = retry_after_seconds(&headers, self.clock.now_ms());
        let headers = if converted { HeaderMap::new() } else { downstream(&headers) };
        if !status.is_success() {
            let failed = CandidateFailed::Status { status, retry_after_seconds: wait };
            let asked = Asked { kind, converted, request: sent, model: &candidate.model };
            let refusal = Refusal::read(status, body, asked, self.patience.answer_bytes, failed).await?;
            return Ok(Given::Refusal { headers, refusal });
        }
        let bytes = body.whole(self.patience.whole_bytes).await?;
        let outcome = prepared.errand.outcome(candidate, &prepared.model, &bytes)?;
        Ok(Given::Outcome { outcome, headers, dropped, first_read: body.first_read() })
    }
}

/// The content type of a form, with its boundary in quotes, where any letter of it may stand.
fn form_type(boundary: &str) -> Result<HeaderValue, CandidateFailed> {
    let boundary = boundary.replace('\\', "\\\\").replace('"', "\\\"");
    let kind = HeaderValue::try_from(format!("multipart/form-data; boundary=\"{boundary}\""));
    kind.map_err(|_| not_carried("body", "its boundary fits no header"))
}
