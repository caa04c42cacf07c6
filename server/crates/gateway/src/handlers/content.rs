//! `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`

use crate::Gateway;
use crate::error::GatewayError;
use crate::inbound::GenerateRequest;
use crate::pipeline::billing::BilledRequest;
use crate::pipeline::metered_stream::StreamFault;
use crate::streaming::client_error::ClientStreamError;
use tollgate_api::generated::errors::envelopes;
use tollgate_api::generated::ops::content::{
    GenerateContent, GenerateContentError, GenerateContentInput, StreamContent, StreamContentError, StreamContentInput,
};
use tollgate_api::{Cx, Principal, ProxyReply};

use super::turn::{self, TurnError};

turn::turn_error!(GenerateContentError);
turn::turn_error!(StreamContentError);

impl GenerateContent for Gateway {
    async fn generate_content(&self, cx: &Cx, input: GenerateContentInput) -> Result<ProxyReply, GenerateContentError> {
        let GenerateContentInput { caller, model, body } = input;
        let request = GenerateRequest {
            model: model.clone(),
            stream: false,
            as_list: false,
            tools: body.head.tools.is_some(),
            bytes: body.bytes,
        };
        self.content_turn(cx, caller, model, request).await
    }
}

impl StreamContent for Gateway {
    async fn stream_content(&self, cx: &Cx, input: StreamContentInput) -> Result<ProxyReply, StreamContentError> {
        let StreamContentInput { caller, model, alt, body } = input;
        let request = GenerateRequest {
            model: model.clone(),
            stream: true,
            as_list: alt.as_deref() != Some("sse"),
            tools: body.head.tools.is_some(),
            bytes: body.bytes,
        };
        self.content_turn(cx, caller, model, request).await
    }
}

impl Gateway {
    async fn content_turn<E: TurnError>(
        &self,
        cx: &Cx,
        caller: Principal,
        model: String,
        request: GenerateRequest,
    ) -> Result<ProxyReply, E> {
        let answered = match request.try_into() {
            Ok(inbound) => self.turn(cx, caller, inbound, stream_error).await,
            Err(unreadable) => Err(GatewayError::Unreadable(unreadable)),
        };
        turn::answer(cx, &envelopes::G, model, answered)
    }
}

fn stream_error(fault: StreamFault, tab: &BilledRequest) -> ClientStreamError {
    turn::render_stream_error(fault, tab, StreamContentInput::STREAM, &envelopes::G)
}
