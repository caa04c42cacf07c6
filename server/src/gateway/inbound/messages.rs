//! Format A.

use crate::api::ProxyBody;
use crate::generated::ops::messages::CreateMessageHead;

use super::super::bound::Asked;
use super::super::exchange::Format;
use super::outgoing::flag;
use super::{Edits, Inbound, hosted, size, text_alone};

impl From<ProxyBody<CreateMessageHead>> for Inbound {
    fn from(body: ProxyBody<CreateMessageHead>) -> Self {
        let head = &body.head;
        let tools = head.tools.as_ref().map(|tools| &body.bytes[tools.span.clone()]);
        Self {
            format: Format::Messages,
            model: head.model.value.clone(),
            stream: flag(head.stream.as_ref()),
            as_list: false,
            asked: Asked {
                body_bytes: body.bytes.len(),
                output_tokens: u64::try_from(head.max_tokens.value).ok(),
                choices: 1,
                text_alone: text_alone(
                    &body.bytes[head.messages.span.clone()],
                    &["\"image\"", "\"document\"", "_id\""],
                ),
            },
            prompt_bytes: size(head.messages.span.len()),
            not_sold: tools.and_then(hosted::typed),
            edits: Edits::Messages(head.model.span.clone()),
            bytes: body.bytes,
        }
    }
}
