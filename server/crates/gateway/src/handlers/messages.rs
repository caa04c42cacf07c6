//! `POST /v1/messages`

use crate::Gateway;
use crate::pipeline::billing::BilledRequest;
use crate::pipeline::body::StreamFault;
use crate::streaming::client_error::ClientStreamError;
use tollgate_api::generated::errors::envelopes;
use tollgate_api::generated::ops::messages::{CreateMessage, CreateMessageError, CreateMessageInput};
use tollgate_api::{Cx, ProxyReply};

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
