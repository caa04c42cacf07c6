//! Compaction of a conversation: the model summarises it, and the summary is encrypted for the account.
//!
//! The model gets the conversation as one text and not as turns, because a conversation that was cut anywhere could break a
//! rule of the format (a call without its result, tools that are not declared).

use std::sync::Arc;

use bytes::Bytes;

use crate::Gateway;
use crate::error::GatewayError;
use crate::inbound::InboundRequest;
use crate::members::StoredItems;
use tollgate_api::{ClaimReply, Cx, Principal, ProxyReply, ProxyReplyBody};
use tollgate_formats::responses::{compaction_response, is_of_user, read_context, read_reply, summary_request};
use tollgate_formats::{BlockKind, ResponseContext, TokenUsage, transcript};

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
        // 3. The items of the user, and behind them the encrypted summary.
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

/// The text of an answer, and its usage; an error where there is no text.
fn summary(response: &[u8]) -> Result<(String, TokenUsage), GatewayError> {
    let reply = read_reply(response, "").map_err(|_| GatewayError::Failed)?;
    let texts = reply.choices.iter().flat_map(|choice| &choice.blocks).filter_map(|block| match &block.kind {
        BlockKind::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let summary = texts.collect::<Vec<_>>().join("\n");
    if summary.trim().is_empty() {
        return Err(GatewayError::Failed);
    }
    Ok((summary, reply.usage.unwrap_or_default()))
}
