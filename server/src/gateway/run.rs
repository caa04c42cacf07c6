//! A chat request from end to end, as numbered steps.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};

use crate::api::{BoxBody, Cx, Principal, ProxyBody, ProxyReply, ProxyReplyBody};
use crate::credit::{Hold, HoldAsk, HoldRefused};
use crate::generated::ops::chat::CreateChatCompletionHead;

use super::Gateway;
use super::bound::{Asked, Bound};
use super::catalog::{Candidate, Model};
use super::ending::Ending;
use super::error::{GatewayError, Shortage};
use super::exchange::Exchange;
use super::meter::{Seen, Tally};
use super::outgoing::{Outgoing, flag};
use super::relay::{Relay, Taken, Then};
use super::stream::{FaultEvent, MeteredStream};
use super::upstream::{self, Answer, AnswerBody, UpstreamError};

/// Tells the client that less output was bought than the model's maximum, in tokens for each choice.
const OUTPUT_BOUND: HeaderName = HeaderName::from_static("x-tollgate-output-bound");

/// A request, read and priced.
struct Prepared {
    body: ProxyBody<CreateChatCompletionHead>,
    headers: HeaderMap,
    model: Arc<Model>,
    output_bound: Option<u64>,
    fault_event: FaultEvent,
}

impl Gateway {
    /// Answers a chat request, or says why not. Whatever happens, what was held is charged or given back.
    pub(super) async fn chat(
        &self,
        cx: &Cx,
        caller: Principal,
        body: ProxyBody<CreateChatCompletionHead>,
        fault_event: FaultEvent,
    ) -> Result<ProxyReply, GatewayError> {
        // 1. Which model, at what price.
        let catalog = self.catalog.load();
        let named = &body.head.model.value;
        let model = catalog.find(named).ok_or(GatewayError::NoModel)?.clone();
        // 2. The most that it can cost is held, durably, before anything is sent.
        unpriced(&body.head)?;
        let bound = Bound::of(asked(&body), &model);
        let hold = self.hold(cx, caller, &body, &model, bound).await?;
        let output_bound = bought(&hold, &model, bound);
        let exchange = Exchange::new(cx.request_id, named.clone(), self.credit.clone(), hold, model.price.clone());
        // 3. The rest goes on when the client leaves: a provider that was asked has to be paid.
        let headers = upstream::upstream(&cx.headers);
        let prepared = Prepared { body, headers, model, output_bound, fault_event };
        let (reply, client) = oneshot::channel();
        let gateway = self.clone();
        self.tasks.spawn(async move {
            let mut reply = reply;
            let answered = gateway.exchange(prepared, exchange, &mut reply).await;
            // A stream that nobody takes is drained when it is dropped here.
            let _ = reply.send(answered);
        });
        // The sender is dropped unsent only when the task panicked; its hold was released then.
        client.await.unwrap_or(Err(GatewayError::Failed))
    }

    async fn hold(
        &self,
        cx: &Cx,
        caller: Principal,
        body: &ProxyBody<CreateChatCompletionHead>,
        model: &Model,
        bound: Bound,
    ) -> Result<Hold, GatewayError> {
        let unpriceable = |_| GatewayError::Unpriceable;
        let want = model.price.worst_case(bound.prompt, bound.output).map_err(unpriceable)?;
        let least = model.price.worst_case(bound.prompt, bound.output_least).map_err(unpriceable)?;
        let lasts = self.patience.total + self.patience.abandoned + self.patience.hold_margin;
        let ask = HoldAsk {
            account: caller.account,
            key: caller.key,
            request: cx.request_id,
            want,
            least,
            expires_at_ms: self.clock.now_ms() + i64::try_from(lasts.as_millis()).unwrap_or(i64::MAX / 2),
            model: body.head.model.value.clone(),
            stream: flag(body.head.stream.as_ref()),
            price: model.price.clone(),
        };
        self.credit.hold(ask).await.map_err(|refused| match refused {
            HoldRefused::Insufficient { needed, available, held } => {
                GatewayError::Insufficient(Shortage { needed, available, held })
            }
            HoldRefused::TiedUp { needed, available, held } => {
                GatewayError::TiedUp(Shortage { needed, available, held })
            }
            HoldRefused::QueueFull
            | HoldRefused::Duplicate
            | HoldRefused::NoSuchAccount
            | HoldRefused::Invalid(_)
            | HoldRefused::Unavailable => GatewayError::Ledger,
        })
    }

    /// Asks the candidates in turn and settles with what comes back.
    async fn exchange(
        &self,
        prepared: Prepared,
        mut exchange: Exchange,
        client: &mut oneshot::Sender<Result<ProxyReply, GatewayError>>,
    ) -> Result<ProxyReply, GatewayError> {
        let deadline = Instant::now() + self.patience.total;
        // 4. The first candidate that takes the request; none after the first byte of an answer.
        let outgoing = Outgoing::new(&prepared.body, prepared.output_bound);
        let mut failure = GatewayError::Failed;
        for candidate in &prepared.model.candidates {
            if client.is_closed() {
                break;
            }
            exchange.sent_to(candidate.upstream.name(), &candidate.model);
            let sent = self.send(candidate, &outgoing, &prepared, deadline);
            let Some(sent) = self.while_awaited(client, sent).await else { break };
            match sent.map_err(|error| log_failed(&exchange, candidate, error)).and_then(taken) {
                Ok(answer) if answer.status.is_success() => {
                    return self.answer(answer, &prepared, &outgoing, exchange, client).await;
                }
                Ok(refusal) => {
                    let passed = self.pass_on(refusal).await;
                    exchange.abandon().await;
                    return passed;
                }
                Err(error) => failure = error,
            }
        }
        exchange.abandon().await;
        Err(failure)
    }

    async fn send(
        &self,
        candidate: &Candidate,
        outgoing: &Outgoing<'_>,
        prepared: &Prepared,
        deadline: Instant,
    ) -> Result<Answer, UpstreamError> {
        let body = outgoing.body(&candidate.model, candidate.upstream.output_bound_field());
        candidate.upstream.send_chat(prepared.headers.clone(), body, deadline).await
    }

    /// 5. An answer that began: metered, settled, and only then complete.
    async fn answer(
        &self,
        answer: Answer,
        prepared: &Prepared,
        outgoing: &Outgoing<'_>,
        exchange: Exchange,
        client: &mut oneshot::Sender<Result<ProxyReply, GatewayError>>,
    ) -> Result<ProxyReply, GatewayError> {
        let prompt_bytes = u64::try_from(prepared.body.head.messages.span.len()).unwrap_or(u64::MAX);
        let tally = Tally::new(prepared.model.context_tokens, prompt_bytes);
        let mut headers = upstream::downstream(&answer.headers);
        if let Some(bound) = prepared.output_bound {
            headers.insert(OUTPUT_BOUND, HeaderValue::from(bound));
        }
        let events = answer.headers.get(http::header::CONTENT_TYPE).is_some_and(is_event_stream);
        let body = if events && outgoing.stream() {
            headers.insert(http::header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
            let relay = Relay::new(tally, outgoing.hides_usage(), self.patience.answer_bytes);
            ProxyReplyBody::Stream(self.stream(answer.body, relay, exchange, prepared.fault_event, client).await?)
        } else {
            ProxyReplyBody::Whole(self.whole(answer.body, tally, exchange, client).await?)
        };
        Ok(ProxyReply { status: answer.status, headers, body })
    }

    /// A stream is handed over with its first event, so that a failure before it still has a status of its own.
    async fn stream(
        &self,
        mut body: AnswerBody,
        mut relay: Relay,
        exchange: Exchange,
        fault_event: FaultEvent,
        client: &mut oneshot::Sender<Result<ProxyReply, GatewayError>>,
    ) -> Result<BoxBody, GatewayError> {
        let first = loop {
            let Some(read) = self.while_awaited(client, body.data()).await else { break Err(GatewayError::Failed) };
            let taken = match read {
                Some(Ok(read)) => relay.take(&read),
                Some(Err(error)) => break Err(error.into()),
                // What a provider forgot to end with a blank line is an event all the same.
                None => match relay.end() {
                    Taken { then: Then::Goes, forward } if forward.is_empty() => break Err(GatewayError::Failed),
                    taken => taken,
                },
            };
            match taken.then {
                Then::Failed(_) | Then::Broken if !relay.tally.delivered() => break Err(GatewayError::Failed),
                Then::Goes if taken.forward.is_empty() => {}
                _ => break Ok(taken),
            }
        };
        match first {
            Ok(first) => {
                let (tasks, patience) = (self.tasks.clone(), self.patience.abandoned);
                let stream = MeteredStream::new(exchange, relay, body, first, tasks, patience, fault_event);
                Ok(BoxBody::new(stream))
            }
            Err(error) => {
                exchange.abandon().await;
                Err(error)
            }
        }
    }

    async fn whole(
        &self,
        mut body: AnswerBody,
        mut tally: Tally,
        exchange: Exchange,
        client: &mut oneshot::Sender<Result<ProxyReply, GatewayError>>,
    ) -> Result<Bytes, GatewayError> {
        let bytes = match self.while_awaited(client, body.whole(self.patience.whole_bytes)).await {
            Some(Ok(bytes)) => bytes,
            Some(Err((_, error))) => {
                tracing::warn!(request_id = %exchange.request_id, error = &error as &dyn std::error::Error, "an answer broke off");
                exchange.abandon().await;
                return Err(error.into());
            }
            None => {
                exchange.abandon().await;
                return Err(GatewayError::Failed);
            }
        };
        match Seen::look(&bytes) {
            Ok(seen) if !seen.error => tally.add(&seen),
            Ok(_) | Err(_) => {
                tracing::warn!(request_id = %exchange.request_id, "a provider answered with no chat completion");
                exchange.abandon().await;
                return Err(GatewayError::Failed);
            }
        }
        let ending = if client.is_closed() { Ending::ClientGone } else { Ending::Complete };
        exchange.close(ending, &tally).await.map_err(|_| GatewayError::Ledger)?;
        Ok(bytes)
    }

    /// A refusal that is about the request goes to the client in the provider's own words: both speak format O.
    async fn pass_on(&self, mut refusal: Answer) -> Result<ProxyReply, GatewayError> {
        let bytes = refusal.body.whole(self.patience.answer_bytes).await.map_err(|(_, error)| error)?;
        if !Seen::look(&bytes).is_ok_and(|seen| seen.error) {
            return Err(GatewayError::Refused(refusal.status));
        }
        let mut headers = upstream::downstream(&refusal.headers);
        headers.insert("x-should-retry", HeaderValue::from_static("false"));
        Ok(ProxyReply { status: refusal.status, headers, body: ProxyReplyBody::Whole(bytes) })
    }

    /// Waits for `work` as long as the client does, and for a bounded time after it has gone.
    async fn while_awaited<T, R>(&self, client: &mut oneshot::Sender<T>, work: impl Future<Output = R>) -> Option<R> {
        let gone = async {
            client.closed().await;
            sleep(self.patience.abandoned).await;
        };
        tokio::select! {
            biased;
            done = work => Some(done),
            () = gone => None,
        }
    }
}

fn asked(body: &ProxyBody<CreateChatCompletionHead>) -> Asked {
    let head = &body.head;
    let tokens = |member: &Option<crate::api::Spanned<Option<i64>>>| {
        member.as_ref().and_then(|member| member.value).and_then(|value| u64::try_from(value).ok())
    };
    let bounds = [tokens(&head.max_completion_tokens), tokens(&head.max_tokens)];
    Asked {
        body_bytes: body.bytes.len(),
        // Which of the two a provider goes by is its own affair: the worst case is the larger.
        output_tokens: bounds.into_iter().flatten().max(),
        choices: tokens(&head.n).unwrap_or(1),
        text_alone: text_alone(&body.bytes[head.messages.span.clone()]),
    }
}

/// Whether the conversation carries nothing but text. A picture or a file may stand for any number of tokens, however
/// short its address is.
fn text_alone(messages: &[u8]) -> bool {
    let parts: [&[u8]; 3] = [b"\"image_url\"", b"\"input_audio\"", b"\"file\""];
    parts.iter().all(|part| memchr::memmem::find(messages, part).is_none())
}

/// Refuses what a provider charges extra for and our prices do not know: it would be sold below its cost.
fn unpriced(head: &CreateChatCompletionHead) -> Result<(), GatewayError> {
    let tier = head.service_tier.as_ref().and_then(|tier| tier.value.as_deref());
    if tier.is_some_and(|tier| !matches!(tier, "auto" | "default")) {
        return Err(GatewayError::NotSold("service_tier"));
    }
    if head.web_search_options.is_some() {
        return Err(GatewayError::NotSold("web_search_options"));
    }
    if head.audio.is_some() {
        return Err(GatewayError::NotSold("audio"));
    }
    Ok(())
}

/// The output of one choice that the hold buys, where that is less than was wanted.
fn bought(hold: &Hold, model: &Model, bound: Bound) -> Option<u64> {
    let output = model.price.output_bought(hold.amount(), bound.prompt);
    (output < bound.output).then(|| output / bound.choices)
}

/// Sorts a provider's answer: one for the client, or a reason to ask the next provider.
fn taken(answer: Answer) -> Result<Answer, GatewayError> {
    let retry_after_seconds =
        || answer.headers.get(http::header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    match answer.status {
        status if status.is_success() => Ok(answer),
        StatusCode::BAD_REQUEST
        | StatusCode::NOT_FOUND
        | StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::UNPROCESSABLE_ENTITY => Ok(answer),
        StatusCode::TOO_MANY_REQUESTS => Err(GatewayError::RateLimited { retry_after_seconds: retry_after_seconds() }),
        // Its credit is used up: ours to mend, and no other request will fare better.
        StatusCode::PAYMENT_REQUIRED | StatusCode::SERVICE_UNAVAILABLE => Err(GatewayError::Overloaded),
        StatusCode::GATEWAY_TIMEOUT | StatusCode::REQUEST_TIMEOUT => Err(GatewayError::TooSlow),
        _ => Err(GatewayError::Failed),
    }
}

fn is_event_stream(content_type: &HeaderValue) -> bool {
    content_type.as_bytes().starts_with(b"text/event-stream")
}

fn log_failed(exchange: &Exchange, candidate: &Candidate, error: UpstreamError) -> GatewayError {
    let request_id = exchange.request_id;
    let upstream = candidate.upstream.name();
    tracing::warn!(%request_id, upstream, error = &error as &dyn std::error::Error, "a provider could not be asked");
    error.into()
}
