//! `POST /v1/chat/completions`

use bytes::Bytes;

use crate::api::{Code, Cx, Failure, ProxyReply};
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
        self.chat(cx, input.caller, input.body, fault_event).await.map_err(|error| told(error, model))
    }
}

fn told(error: GatewayError, model: String) -> CreateChatCompletionError {
    use CreateChatCompletionError as Told;
    match error {
        GatewayError::NoModel(model) => Told::ModelNotFound { model },
        GatewayError::Unpriceable(model) => Told::UnknownPrice { model },
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

/// The event that ends a broken stream; after it there is no `[DONE]`, so that no client takes the answer for whole.
fn fault_event(fault: Fault, exchange: &Exchange) -> Bytes {
    let failure: Failure = match fault {
        Fault::BrokeOff => code::UpstreamBrokeOff { model: exchange.model.clone() }.failure(),
        Fault::NotRecorded => code::LedgerUnavailable {}.failure(),
    };
    let (_, _, body) = failure.render(&envelopes::O, &exchange.request_id);
    [b"data: ", &body[..], b"\n\n"].concat().into()
}
