//! `POST /v1/chat/completions`

use crate::Gateway;
use crate::pipeline::billing::BilledRequest;
use crate::pipeline::body::StreamFault;
use crate::streaming::client_error::ClientStreamError;
use tollgate_api::generated::errors::envelopes;
use tollgate_api::generated::ops::chat::{CreateChatCompletion, CreateChatCompletionError, CreateChatCompletionInput};
use tollgate_api::{Cx, ProxyReply};

use super::turn;

turn::turn_error!(CreateChatCompletionError);

impl CreateChatCompletion for Gateway {
    async fn create_chat_completion(
        &self,
        cx: &Cx,
        input: CreateChatCompletionInput,
    ) -> Result<ProxyReply, CreateChatCompletionError> {
        let model = input.body.head.model.value.clone();
        let answered = self.turn(cx, input.caller, input.body.into(), stream_error).await;
        turn::answer(cx, &envelopes::O, model, answered)
    }
}

fn stream_error(fault: StreamFault, tab: &BilledRequest) -> ClientStreamError {
    turn::render_stream_error(fault, tab, CreateChatCompletionInput::STREAM, &envelopes::O)
}
