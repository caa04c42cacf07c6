//! `POST /v1/chat/completions`

use bytes::Bytes;

use crate::api::{Code, Cx, ProxyReply, ProxyReplyBody};
use crate::generated::errors::{code, envelopes};
use crate::generated::ops::chat::{CreateChatCompletion, CreateChatCompletionError, CreateChatCompletionInput};

use super::super::error::{GatewayError, Shortage};
use super::super::exchange::Exchange;
use super::super::stream::Fault;
use super::super::Gateway;

impl CreateChatCompletion for Gateway {
    async fn create_chat_completion(
        &self,
        cx: &Cx,
        input: CreateChatCompletionInput,
    ) -> Result<ProxyReply, CreateChatCompletionError> {
        let model = input.body.head.model.value.clone();
        match self.chat(cx, input.caller, input.body, fault_event).await {
            Ok(reply) => Ok(reply),
            Err(GatewayError::RateLimited { retry_after_seconds: Some(seconds) }) => Ok(later(cx, model, seconds)),
            Err(error) => Err(told(error, model)),
        }
    }
}

fn told(error: GatewayError, model: String) -> CreateChatCompletionError {
    use CreateChatCompletionError as Told;
    let model = model.into();
    match error {
        GatewayError::NoModel => Told::ModelNotFound { model },
        GatewayError::Unpriceable => Told::UnknownPrice { model },
        GatewayError::Insufficient(Shortage { needed, available, held }) => {
            Told::InsufficientCredit { needed_usd: needed, available_usd: available, held_usd: held }
        }
        GatewayError::TiedUp(Shortage { needed, available, held }) => {
            Told::CreditInFlight { needed_usd: needed, available_usd: available, held_usd: held }
        }
        GatewayError::Ledger => Told::LedgerUnavailable,
        GatewayError::Failed => Told::UpstreamFailed { model },
        GatewayError::TooSlow => Told::UpstreamTimeout { model },
        GatewayError::Overloaded => Told::UpstreamOverloaded { model },
        GatewayError::RateLimited { .. } => Told::UpstreamRateLimited { model },
    }
}

/// The same refusal with the provider's own wait, which the closed set of codes has no room for.
fn later(cx: &Cx, model: String, seconds: u32) -> ProxyReply {
    let failure = code::UpstreamRateLimited { model: model.into() }.failure().with_retry_after(seconds);
    let (status, headers, body) = failure.render(&envelopes::O, &cx.request_id);
    ProxyReply { status, headers, body: ProxyReplyBody::Whole(body) }
}

/// The event that ends a broken stream; after it there is no `[DONE]`, so that no client takes the answer for whole.
fn fault_event(fault: Fault, exchange: &Exchange) -> Bytes {
    let failure = match fault {
        Fault::BrokeOff => code::UpstreamBrokeOff { model: exchange.model.clone().into() }.failure(),
        Fault::NotRecorded => code::LedgerUnavailable {}.failure(),
    };
    let (_, _, body) = failure.render(&envelopes::O, &exchange.request_id);
    [b"data: ", &body[..], b"\n\n"].concat().into()
}
