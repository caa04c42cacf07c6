//! Requests of format R, whose references (an earlier response, a compacted conversation) are resolved by now.
//!
//! A provider of this format is told to store nothing, because what a later turn needs is stored here. Thinking without its
//! encrypted content is therefore removed from the input: no provider has it stored.

use bytes::Bytes;

use crate::members::StoredItems;
use crate::metering::cost::CostReporting;
use crate::routing::token_bounds::RequestExtent;
use crate::stored_responses::PendingStorage;
use tollgate_formats::{Format, MalformedRequest};

use super::audio::AudioMentions;
use super::prompt_size::prompt_bytes;
use super::responses_places::{ResponsesEditPlaces, ResponsesMembers};
use super::words::text_alone;
use super::{BodyEdits, InboundRequest, OriginalRequest};

/// Kinds of items and parts whose tokens are not bounded by their size, up to their last quote. Encrypted content is
/// among them.
const MEDIA: [&str; 8] = [
    "\"input_image",
    "\"input_file",
    "\"input_audio",
    "\"item_reference",
    "\"image_generation_call",
    "\"computer_call",
    "\"computer_call_output",
    "\"compaction",
];

impl InboundRequest {
    /// A request of format R, whose response `keep` stores. The body names `model`; `stored` are items of the input that
    /// come from stored responses.
    ///
    /// # Errors
    /// When a member that decides is there twice.
    pub fn responses(
        model: String,
        bytes: Bytes,
        keep: Option<PendingStorage>,
        stored: StoredItems,
    ) -> Result<Self, MalformedRequest> {
        let members: ResponsesMembers<'_> = serde_json::from_slice(&bytes).map_err(|_| twice())?;
        let input = members.input.map_or(&b""[..], |input| input.get().as_bytes());
        let asked = RequestExtent {
            body_bytes: bytes.len(),
            output_tokens: members.max_output_tokens.and_then(|bound| bound.get().parse().ok()),
            choices: 1,
            tools: members.tools.is_some(),
            sound: false,
            predicted_bytes: 0,
            text_alone: text_alone(input, &MEDIA),
        };
        let stream = members.stream.is_some_and(|stream| stream.get() == "true");
        let prompt_bytes = prompt_bytes(&bytes, asked.text_alone);
        let edits = BodyEdits::Responses(ResponsesEditPlaces::of(&members, &bytes, keep.is_some()));
        let format = Format::Responses;
        let sound = AudioMentions::within(input);
        Ok(Self {
            format,
            model,
            stream,
            as_list: false,
            asked,
            prompt_bytes,
            sound,
            edits,
            keep,
            stored,
            continues: None,
            cost: CostReporting::default(),
            bytes,
        })
    }

    /// Sets the original request, whose previous response the answer has to name.
    #[must_use]
    pub fn continuing(self, continues: Option<OriginalRequest>) -> Self {
        Self { continues, ..self }
    }
}

fn twice() -> MalformedRequest {
    MalformedRequest {
        at: "body".into(),
        expected: "an object with each member once".into(),
        found: "one twice".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::size;
    use super::*;

    #[test]
    fn only_texts_and_calls_are_bounded_by_their_size() {
        let text_alone = |item: &str| {
            let body = format!(r#"{{"model":"m","input":[{item}]}}"#);
            InboundRequest::responses("m".to_owned(), body.into(), None, StoredItems::default())
                .expect("a request")
                .asked
                .text_alone
        };
        for item in [
            r#"{"role":"user","content":"an \"input_image\", in words"}"#,
            r#"{"role":"user","content":[{"type":"input_text","text":"x"}]}"#,
            r#"{"type":"function_call","call_id":"c","name":"f","arguments":"{\"type\":\"computer_call\"}"}"#,
            r#"{"type":"function_call_output","call_id":"c","output":"x"}"#,
        ] {
            assert!(text_alone(item), "{item}");
        }
        for item in [
            r#"{"role":"user","content":[{"type":"input_image","image_url":"x"}]}"#,
            r#"{"role":"user","content":[{"type":"input_file","file_id":"x"}]}"#,
            r#"{"role":"user","content":[{"type":"input_audio","input_audio":{}}]}"#,
            r#"{"type":"item_reference","id":"x"}"#,
            r#"{"type":"image_generation_call","id":"x","result":"AAAA"}"#,
            r#"{"type":"computer_call","call_id":"c","action":{}}"#,
            r#"{"type" : "computer_call_output","call_id":"c","output":{"type":"computer_screenshot"}}"#,
            r#"{"type":"compaction","encrypted_content":"x"}"#,
        ] {
            assert!(!text_alone(item), "{item}");
        }
    }

    #[test]
    fn what_decides_the_price_is_found() {
        let read = |body: &'static str| {
            InboundRequest::responses("m".into(), Bytes::from_static(body.as_bytes()), None, StoredItems::default())
                .expect("readable")
        };
        let plain = read(r#"{"model":"m","input":"hi","stream":true,"max_output_tokens":9,"service_tier":null}"#);
        assert!(plain.stream && plain.asked.text_alone);
        assert_eq!((plain.asked.output_tokens, plain.prompt_bytes), (Some(9), size(plain.bytes.len())));
        let picture = read(r#"{"model":"m","input":[{"role":"user","content":[{"type":"input_image"}]}]}"#);
        assert!(!picture.asked.text_alone);
        let twice = Bytes::from_static(br#"{"model":"m","input":"a","input":"b"}"#);
        assert!(InboundRequest::responses("m".into(), twice, None, StoredItems::default()).is_err());
    }
}
