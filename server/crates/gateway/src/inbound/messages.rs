//! Requests of format A.

use crate::members::StoredItems;
use crate::metering::cost::CostReporting;
use crate::routing::token_bounds::RequestExtent;
use tollgate_api::ProxyBody;
use tollgate_api::generated::ops::messages::CreateMessageHead;
use tollgate_formats::Format;

use super::audio::AudioMentions;
use super::outgoing::flag;
use super::prompt_size::prompt_bytes;
use super::words::text_alone;
use super::{BodyEdits, InboundRequest};

/// Kinds of parts whose tokens are not bounded by their size.
const MEDIA: [&str; 6] = ["\"image", "\"document", "\"audio", "\"video", "\"container_upload", "\"file_id"];

impl From<ProxyBody<CreateMessageHead>> for InboundRequest {
    fn from(body: ProxyBody<CreateMessageHead>) -> Self {
        let head = &body.head;
        let text_alone = text_alone(&body.bytes[head.messages.span.clone()], &MEDIA);
        Self {
            format: Format::Messages,
            model: head.model.value.clone(),
            stream: flag(head.stream.as_ref()),
            as_list: false,
            asked: RequestExtent {
                body_bytes: body.bytes.len(),
                output_tokens: u64::try_from(head.max_tokens.value).ok(),
                choices: 1,
                text_alone,
                tools: head.tools.is_some(),
                sound: false,
                predicted_bytes: 0,
            },
            prompt_bytes: prompt_bytes(&body.bytes, text_alone),
            sound: AudioMentions::default(),
            keep: None,
            stored: StoredItems::default(),
            continues: None,
            cost: CostReporting::default(),
            edits: BodyEdits::Messages(head.model.span.clone()),
            bytes: body.bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_result_is_text_and_a_picture_is_not() {
        let result = br#"[{"type":"tool_result","tool_use_id":"a","content":"an \"image\""}]"#;
        assert!(text_alone(result, &MEDIA));
        for part in [
            r#"{"type":"image","source":{"type":"url","url":"x"}}"#,
            r#"{"type":"document","source":{"type":"text","data":"x"}}"#,
            r#"{"type":"audio"}"#,
            r#"{"type":"video"}"#,
            r#"{"type":"container_upload"}"#,
            r#"{"type":"x","source":{"file_id":"x"}}"#,
        ] {
            assert!(!text_alone(part.as_bytes(), &MEDIA), "{part}");
        }
    }
}
