//! `POST /v1/responses`, `/v1/responses/compact` and `/v1/responses/input_tokens`

use bytes::Bytes;

use crate::Gateway;
use crate::count::TokenCountRequest;
use crate::error::GatewayError;
use crate::inbound::{InboundRequest, OriginalRequest};
use crate::pipeline::billing::BilledRequest;
use crate::pipeline::metered_stream::StreamFault;
use crate::pipeline::reply::answer_id;
use crate::pipeline::resolve::{ResolvedRequest, UnresolvedReference};
use crate::stored_responses::PendingStorage;
use crate::streaming::client_error::ClientStreamError;
use tollgate_api::generated::errors::{code, envelopes};
use tollgate_api::generated::ops::responses::{
    CompactResponse, CompactResponseError, CompactResponseInput, CountResponseTokens, CountResponseTokensError,
    CountResponseTokensInput, CreateResponse, CreateResponseError, CreateResponseHead, CreateResponseInput,
};
use tollgate_api::{Cx, Declares, Principal, ProxyBody, ProxyReply, raise};
use tollgate_formats::{Format, MalformedRequest};

use super::turn::{self, TurnError};

turn::turn_error!(CreateResponseError);
turn::turn_error!(CompactResponseError);
turn::turn_error!(CountResponseTokensError);

impl CreateResponse for Gateway {
    async fn create_response(&self, cx: &Cx, input: CreateResponseInput) -> Result<ProxyReply, CreateResponseError> {
        let CreateResponseInput { caller, body } = input;
        let model = body.head.model.value.clone();
        if let Some(unserved) = unserved(&body) {
            return turn::answer(cx, &envelopes::O, model, Err(GatewayError::Unreadable(unserved)));
        }
        let previous = body.head.previous_response_id.and_then(|id| id.value);
        let ResolvedRequest { bytes, input, parent, stored } =
            match self.resolve(cx, &caller, body.bytes.clone(), previous.clone()).await {
                Ok(recalled) => recalled,
                Err(error) => return not_recalled(cx, model, error),
            };
        // Absent and null mean that the response is stored.
        let kept = body.head.store.and_then(|store| store.value).unwrap_or(true);
        let keep = kept.then(|| PendingStorage::new(self.memory.clone(), caller.account, model.clone(), input, parent));
        let continues = previous.map(|previous| OriginalRequest { previous, request: body.bytes });
        let answered = match InboundRequest::responses(model.clone(), bytes, keep, stored) {
            Ok(inbound) => self.turn(cx, caller, inbound.continuing(continues), stream_error).await,
            Err(unreadable) => Err(GatewayError::Unreadable(unreadable)),
        };
        turn::answer(cx, &envelopes::O, model, answered)
    }
}

impl CompactResponse for Gateway {
    async fn compact_response(&self, cx: &Cx, input: CompactResponseInput) -> Result<ProxyReply, CompactResponseError> {
        let CompactResponseInput { caller, body } = input;
        let model = body.head.model.value;
        let previous = body.head.previous_response_id.and_then(|id| id.value);
        match self.resolve(cx, &caller, body.bytes, previous).await {
            Ok(recalled) => {
                let answered = self.compact(cx, caller, model.clone(), recalled, stream_error).await;
                turn::answer(cx, &envelopes::O, model, answered)
            }
            Err(error) => not_recalled(cx, model, error),
        }
    }
}

impl CountResponseTokens for Gateway {
    async fn count_response_tokens(
        &self,
        cx: &Cx,
        input: CountResponseTokensInput,
    ) -> Result<ProxyReply, CountResponseTokensError> {
        let CountResponseTokensInput { caller, body } = input;
        let model = body.head.model.value;
        let previous = body.head.previous_response_id.and_then(|id| id.value);
        match self.resolve(cx, &caller, body.bytes, previous).await {
            Ok(recalled) => {
                let ResolvedRequest { bytes, stored, .. } = recalled;
                let counting = TokenCountRequest { format: Format::Responses, model: model.clone(), bytes, stored };
                let answered = self.count(cx, &caller, &counting).await;
                turn::answer(cx, &envelopes::O, model, answered)
            }
            Err(error) => not_recalled(cx, model, error),
        }
    }
}

impl Gateway {
    async fn resolve(
        &self,
        cx: &Cx,
        caller: &Principal,
        bytes: Bytes,
        previous: Option<String>,
    ) -> Result<ResolvedRequest, UnresolvedReference> {
        self.resolve_references(caller.account, bytes, previous.as_deref(), &answer_id(&cx.request_id)).await
    }
}

/// An error for a member that asks for something that is not served.
fn unserved(body: &ProxyBody<CreateResponseHead>) -> Option<MalformedRequest> {
    let head = &body.head;
    let wrong = |at: &str, expected: &str, found: &str| MalformedRequest {
        at: at.to_owned(),
        expected: expected.to_owned(),
        found: found.to_owned(),
    };
    if head.background.as_ref().and_then(|background| background.value) == Some(true) {
        return Some(wrong("background", "false: no response runs in the background here", "true"));
    }
    if head.conversation.is_some() {
        return Some(wrong("conversation", "absent: go on with `previous_response_id`", "a conversation"));
    }
    head.prompt.is_some().then(|| wrong("prompt", "absent: send what it stands for", "a prompt"))
}

/// The operation's error for references that could not be resolved.
fn not_recalled<E>(cx: &Cx, model: String, error: UnresolvedReference) -> Result<ProxyReply, E>
where
    E: TurnError
        + Declares<code::PreviousResponseNotFound>
        + Declares<code::ItemNotFound>
        + Declares<code::BadCompaction>
        + Declares<code::LedgerUnavailable>,
{
    match error {
        UnresolvedReference::Unreadable(unreadable) => {
            turn::answer(cx, &envelopes::O, model, Err(GatewayError::Unreadable(unreadable)))
        }
        UnresolvedReference::NoResponse(response_id) => Err(raise(code::PreviousResponseNotFound { response_id })),
        UnresolvedReference::NoItem(item_id) => Err(raise(code::ItemNotFound { item_id, field: "input".to_owned() })),
        UnresolvedReference::BadCompaction(_) => Err(raise(code::BadCompaction {})),
        UnresolvedReference::Memory(error) => {
            let (request_id, error) = (cx.request_id, &error as &dyn std::error::Error);
            tracing::error!(%request_id, error, "the stored conversation of a request could not be read");
            Err(raise(code::LedgerUnavailable {}))
        }
    }
}

fn stream_error(fault: StreamFault, tab: &BilledRequest) -> ClientStreamError {
    turn::render_stream_error(fault, tab, CreateResponseInput::STREAM, &envelopes::O)
}
