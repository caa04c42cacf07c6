//! Format O.

use crate::api::{ProxyBody, Spanned};
use crate::generated::ops::chat::CreateChatCompletionHead;

use super::super::bound::Asked;
use super::super::exchange::Format;
use super::outgoing::{Places, flag};
use super::{Edits, Inbound, size, text_alone};

impl From<ProxyBody<CreateChatCompletionHead>> for Inbound {
    fn from(body: ProxyBody<CreateChatCompletionHead>) -> Self {
        Self {
            format: Format::Chat,
            model: body.head.model.value.clone(),
            stream: flag(body.head.stream.as_ref()),
            as_list: false,
            bytes: body.bytes.clone(),
            asked: asked(&body),
            prompt_bytes: size(body.head.messages.span.len()),
            not_sold: not_sold(&body.head).map(str::to_owned),
            edits: Edits::Chat(Places {
                model: body.head.model.span,
                stream: flag(body.head.stream.as_ref()),
                stream_options: body.head.stream_options.map(|options| options.span),
                max_completion_tokens: body.head.max_completion_tokens.map(|tokens| tokens.span),
                max_tokens: body.head.max_tokens.map(|tokens| tokens.span),
            }),
        }
    }
}

fn asked(body: &ProxyBody<CreateChatCompletionHead>) -> Asked {
    let head = &body.head;
    let tokens = |member: &Option<Spanned<Option<i64>>>| {
        member.as_ref().and_then(|member| member.value).and_then(|value| u64::try_from(value).ok())
    };
    let bounds = [tokens(&head.max_completion_tokens), tokens(&head.max_tokens)];
    Asked {
        body_bytes: body.bytes.len(),
        // Which of the two a provider goes by is its own affair: the worst case is the larger.
        output_tokens: bounds.into_iter().flatten().max(),
        choices: tokens(&head.n).unwrap_or(1),
        text_alone: text_alone(
            &body.bytes[head.messages.span.clone()],
            &["\"image_url\"", "\"input_audio\"", "\"file\""],
        ),
    }
}

/// What a provider charges extra for and our prices do not know: it would be sold below its cost.
fn not_sold(head: &CreateChatCompletionHead) -> Option<&'static str> {
    let tier = head.service_tier.as_ref().and_then(|tier| tier.value.as_deref());
    if tier.is_some_and(|tier| !matches!(tier, "auto" | "default")) {
        return Some("service_tier");
    }
    if head.web_search_options.is_some() {
        return Some("web_search_options");
    }
    head.audio.is_some().then_some("audio")
}
