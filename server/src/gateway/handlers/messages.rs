//! `POST /v1/messages`

use crate::api::{Cx, ProxyReply};
use crate::gateway::Gateway;
use crate::gateway::pipeline::billing::BilledRequest;
use crate::gateway::pipeline::body::StreamFault;
use crate::gateway::streaming::client_error::ClientStreamError;
use crate::generated::errors::envelopes;
use crate::generated::ops::messages::{CreateMessage, CreateMessageError, CreateMessageInput};

use super::turn;

turn::turn_error!(CreateMessageError);

impl CreateMessage for Gateway {
    async fn create_message(&self, cx: &Cx, input: CreateMessageInput) -> Result<ProxyReply, CreateMessageError> {
        let model = input.body.head.model.value.clone();
        let answered = self.turn(cx, input.caller, input.body.into(), stream_error).await;
        turn::answer(cx, &envelopes::A, model, answered)
    }
}

fn stream_error(fault: StreamFault, tab: &BilledRequest) -> ClientStreamError {
    turn::render_stream_error(fault, tab, CreateMessageInput::STREAM, &envelopes::A)
}
