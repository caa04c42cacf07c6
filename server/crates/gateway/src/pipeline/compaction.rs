//! Compaction of a conversation: the model summarises it, and the summary is encrypted for the account.
//!
//! The model gets the conversation as one text and not as turns, because a conversation that was cut anywhere could break a
//! rule of the format (a call without its result, tools that are not declared).

use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;

use crate::Gateway;
use crate::error::GatewayError;
use crate::inbound::InboundRequest;
use crate::members::StoredItems;
use tollgate_api::{ClaimReply, Cx, Principal, ProxyReply, ProxyReplyBody};
use tollgate_formats::responses::{compaction_response, is_of_user, read_context, read_reply, summary_request};
use tollgate_formats::{BlockKind, ResponseContext, StopReason, TokenUsage, transcript};

use super::metered_stream::StreamErrorRenderer;
use super::reply::{ReplyResult, answer_id};
use super::resolve::ResolvedRequest;

/// The instruction to the model that summarises.
const SUMMARISE: &str = "You are given the record of a conversation between a user and an assistant. Write down all that \
    is needed to go on with it as if nothing had been left out: what the user wants, facts and names, decisions and \
    their reasons, results of calls, what is done and what is open. Keep identifiers, numbers, paths and code exactly \
    as they stand. Do not answer the conversation and do not add anything to it. Write the summary alone.";

impl Gateway {
    /// Compacts a conversation of `model`; charged like any turn.
    pub(crate) async fn compact(
        &self,
        cx: &Cx,
        caller: Principal,
        model: String,
        recalled: ResolvedRequest,
        fault_event: StreamErrorRenderer,
    ) -> ReplyResult {
        // 1. The conversation as the model is to read it.
        let ask = read_context(&recalled.bytes).map_err(GatewayError::Unreadable)?;
        let body = summary_request(&recalled.bytes, SUMMARISE, &transcript(&ask));
        let inbound = InboundRequest::responses(
            model.clone(),
            body.map_err(GatewayError::Unreadable)?.into(),
            None,
            StoredItems::default(),
        );
        // 2. An ordinary turn, except that its reply is written below, and kept for the Idempotency-Key after the charge.
        cx.claim.iter().for_each(|claim| claim.set_reply(ClaimReply::Afterwards));
        let account = caller.account;
        let reply = self.turn(cx, caller, inbound.map_err(GatewayError::Unreadable)?, fault_event).await?;
        let ProxyReply { status, headers, body } = reply;
        let bytes = match body {
            ProxyReplyBody::Whole(bytes) => bytes,
            error @ ProxyReplyBody::Error(..) => return Ok(ProxyReply { status, headers, body: error }),
            // The request asked for no stream.
            ProxyReplyBody::Stream(_) => return Err(GatewayError::Failed),
        };
        // 3. The items of the user, and behind them the encrypted summary. The turn is paid for by now, whatever came of it.
        let (summary, used) = summary(&bytes)?;
        let closed = self.memory.seal().close(account, &model, &summary);
        let kept: Vec<_> = recalled.input.into_iter().filter(|item| is_of_user(item)).collect();
        let created = self.clock.now_ms() / 1000;
        let id = answer_id(&cx.request_id);
        let (functions, stop) = (Arc::default(), Arc::default());
        let echo = ResponseContext {
            id,
            model,
            created,
            include_usage: false,
            request: Bytes::new(),
            functions,
            stop,
            thinks: false,
            counted: None,
        };
        let body = compaction_response(&echo, &kept, &closed, &used).into();
        Ok(ProxyReply { status, headers, body: ProxyReplyBody::Whole(body) })
    }
}

/// The summary in a response, and its usage.
///
/// # Errors
/// When there is no text, or the text was cut: a conversation whose rest is lost could not be gone on with. The same request
/// would end so again and be charged again, so the error is one that clients do not send it again after.
fn summary(response: &[u8]) -> Result<(String, TokenUsage), GatewayError> {
    let reply = read_reply(response, "").map_err(|_| unusable("the model's answer is no summary"))?;
    let texts = reply.choices.iter().flat_map(|choice| &choice.blocks).filter_map(|block| match &block.kind {
        BlockKind::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let summary = texts.collect::<Vec<_>>().join("\n");
    if let Some(reason) = reply.choices.iter().find_map(|choice| not_whole(&choice.stop)) {
        return Err(unusable(reason));
    }
    if summary.trim().is_empty() {
        return Err(unusable("the model answered without a text"));
    }
    Ok((summary, reply.usage.unwrap_or_default()))
}

/// The reason for which an answer that ended so is no whole summary.
fn not_whole(stop: &StopReason) -> Option<&'static str> {
    match stop {
        StopReason::Natural | StopReason::Sequence(_) => None,
        StopReason::Length => Some("the summary was cut at the longest output of the model, or of the credit"),
        StopReason::ContextFull => Some("the summary was cut where the context of the model was full"),
        StopReason::Refused => Some("the model or its provider withheld the summary"),
        StopReason::Pause => Some("the provider paused before the summary was complete"),
        StopReason::Calls | StopReason::BrokenCall => Some("the model called a tool in the place of a summary"),
    }
}

fn unusable(reason: &str) -> GatewayError {
    let message = format!(
        "{reason}: nothing was compacted, and what the model did was charged; compact a shorter part of the conversation, or \
         with another model"
    );
    GatewayError::Refused { status: StatusCode::UNPROCESSABLE_ENTITY, message: Some(message) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn response(status: &str, reason: Option<&str>, content: &Value) -> Vec<u8> {
        let message = json!({"id": "m", "type": "message", "role": "assistant", "content": content});
        let details = reason.map(|reason| json!({"reason": reason}));
        let usage = json!({"input_tokens": 9, "output_tokens": 3});
        json!({"id": "r", "object": "response", "status": status, "incomplete_details": details, "output": [message],
            "usage": usage})
        .to_string()
        .into_bytes()
    }

    #[test]
    fn a_whole_summary_alone_is_sealed() {
        let text = json!([{"type": "output_text", "text": "Ada", "annotations": []}]);
        let (found, used) = summary(&response("completed", None, &text)).expect("a summary");
        assert_eq!((found.as_str(), used.prompt(), used.output), ("Ada", 9, 3));
        let refusal = json!([{"type": "refusal", "refusal": "no"}]);
        let blank = json!([{"type": "output_text", "text": " ", "annotations": []}]);
        for (status, reason, content, said) in [
            ("incomplete", Some("max_output_tokens"), &text, "cut at the longest output"),
            ("incomplete", Some("content_filter"), &text, "withheld"),
            ("incomplete", None, &text, "paused"),
            ("completed", None, &refusal, "withheld"),
            ("completed", None, &blank, "without a text"),
            ("completed", None, &json!([]), "without a text"),
            ("failed", None, &text, "no summary"),
        ] {
            let refused = summary(&response(status, reason, content)).expect_err(status);
            let GatewayError::Refused { status: told, message: Some(message) } = refused else { panic!("{refused:?}") };
            assert_eq!(told, StatusCode::UNPROCESSABLE_ENTITY);
            assert!(message.contains(said) && message.contains("was charged"), "{status} {reason:?}: {message}");
        }
    }
}
