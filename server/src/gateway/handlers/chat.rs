//! `POST /v1/chat/completions`

use bytes::Bytes;

use crate::api::{Code, Cx, Failure, OperationError, ProxyReply, ProxyReplyBody};
use crate::generated::errors::{code, envelopes};
use crate::generated::ops::chat::{CreateChatCompletion, CreateChatCompletionError, CreateChatCompletionInput};

use super::super::Gateway;
use super::super::error::{GatewayError, Shortage};
use super::super::exchange::Exchange;
use super::super::stream::Fault;

impl CreateChatCompletion for Gateway {
    async fn create_chat_completion(
        &self,
        cx: &Cx,
        input: CreateChatCompletionInput,
    ) -> Result<ProxyReply, CreateChatCompletionError> {
        let model = input.body.head.model.value.clone();
        match self.chat(cx, input.caller, input.body, fault_event).await {
            Ok(reply) => Ok(reply),
            Err(GatewayError::NotSold(field)) => {
                let (expected, found) = ("absent: it has no price here".to_owned(), "asked for".to_owned());
                Ok(rendered(cx, &code::BadField { field: field.to_owned(), expected, found }.failure()))
            }
            Err(GatewayError::Refused(status)) => {
                let reason = format!("it answered with status {}", status.as_u16());
                Ok(rendered(cx, &code::UpstreamRefused { reason }.failure().with_http(status)))
            }
            Err(error) => match error.retry_after_seconds() {
                Some(seconds) => Ok(rendered(cx, &told(&error, model).failure().with_retry_after(seconds))),
                None => Err(told(&error, model)),
            },
        }
    }
}

fn told(error: &GatewayError, model: String) -> CreateChatCompletionError {
    use CreateChatCompletionError as Told;
    match *error {
        GatewayError::NoModel => Told::ModelNotFound { model },
        GatewayError::Unpriceable | GatewayError::NotSold(_) => Told::UnknownPrice { model },
        GatewayError::Insufficient(Shortage { needed, available, held }) => {
            Told::InsufficientCredit { needed_usd: needed, available_usd: available, held_usd: held }
        }
        GatewayError::TiedUp(Shortage { needed, available, held }) => {
            Told::CreditInFlight { needed_usd: needed, available_usd: available, held_usd: held }
        }
        GatewayError::Ledger => Told::LedgerUnavailable,
        GatewayError::Failed => Told::UpstreamFailed { model },
        GatewayError::TooSlow => Told::UpstreamTimeout { model },
        GatewayError::Overloaded { .. } => Told::UpstreamOverloaded { model },
        GatewayError::RateLimited { .. } => Told::UpstreamRateLimited { model },
        GatewayError::Refused(status) => Told::UpstreamRefused { reason: format!("it answered with {status}") },
    }
}

/// A failure with what the closed set of codes has no room for: the provider's own wait or status.
fn rendered(cx: &Cx, failure: &Failure) -> ProxyReply {
    let (status, headers, body) = failure.render(&envelopes::O, &cx.request_id);
    ProxyReply { status, headers, body: ProxyReplyBody::Whole(body) }
}

/// The event that ends a broken stream.
fn fault_event(fault: Fault, exchange: &Exchange) -> Bytes {
    let failure = match fault {
        Fault::BrokeOff => code::UpstreamBrokeOff { model: exchange.model.clone() }.failure(),
        Fault::NotRecorded => code::LedgerUnavailable {}.failure(),
    };
    CreateChatCompletionInput::STREAM.failure(&failure, &envelopes::O, &exchange.request_id)
}
