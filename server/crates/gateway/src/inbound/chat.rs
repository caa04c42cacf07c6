//! Requests of format O, `/chat/completions`.

use crate::members::StoredItems;
use crate::metering::cost::CostReporting;
use crate::routing::token_bounds::RequestExtent;
use tollgate_api::generated::ops::chat::CreateChatCompletionHead;
use tollgate_api::{ProxyBody, Spanned};
use tollgate_formats::Format;

use super::audio::AudioMentions;
use super::outgoing::{ChatEditPlaces, OutputBound, flag};
use super::prompt_size::prompt_bytes;
use super::words::text_alone;
use super::{BodyEdits, InboundRequest, size};

impl From<ProxyBody<CreateChatCompletionHead>> for InboundRequest {
    fn from(body: ProxyBody<CreateChatCompletionHead>) -> Self {
        let text_alone = only_texts(&body.bytes[body.head.messages.span.clone()]);
        let sound = AudioMentions::of(&body, text_alone);
        Self {
            format: Format::Chat,
            model: body.head.model.value.clone(),
            stream: flag(body.head.stream.as_ref()),
            as_list: false,
            bytes: body.bytes.clone(),
            asked: asked(&body, text_alone, sound),
            prompt_bytes: prompt_bytes(&body.bytes, text_alone),
            sound,
            keep: None,
            stored: StoredItems::default(),
            continues: None,
            cost: CostReporting::default(),
            edits: BodyEdits::Chat(ChatEditPlaces {
                model: body.head.model.span,
                stream: flag(body.head.stream.as_ref()),
                stream_options: body.head.stream_options.map(|options| options.span),
                max_completion_tokens: body.head.max_completion_tokens.map(OutputBound::from),
                max_tokens: body.head.max_tokens.map(OutputBound::from),
            }),
        }
    }
}

fn asked(body: &ProxyBody<CreateChatCompletionHead>, text_alone: bool, sound: AudioMentions) -> RequestExtent {
    let head = &body.head;
    let tokens = |member: &Option<Spanned<Option<i64>>>| {
        member.as_ref().and_then(|member| member.value).and_then(|value| u64::try_from(value).ok())
    };
    let bounds = [tokens(&head.max_completion_tokens), tokens(&head.max_tokens)];
    RequestExtent {
        body_bytes: body.bytes.len(),
        // A provider may read either of the two, so the worst case is the larger.
        output_tokens: bounds.into_iter().flatten().max(),
        choices: tokens(&head.n).unwrap_or(1),
        text_alone,
        tools: head.tools.is_some(),
        sound: sound.is_spoken(),
        predicted_bytes: head.prediction.as_ref().map_or(0, |prediction| size(prediction.span.len())),
    }
}

/// True if all parts of a conversation are texts and calls. Servers of this format have many more kinds of parts, and
/// some recognise a part without a kind by its members.
fn only_texts(messages: &[u8]) -> bool {
    const TEXTS: [&str; 7] = ["text", "refusal", "function", "custom", "ephemeral", "thinking", "redacted_thinking"];
    const MEDIA: [&str; 6] = ["_url", "\"input_audio", "\"audio", "\"video", "\"image", "\"file"];
    text_alone(messages, &MEDIA) && kinds(messages).all(|kind| TEXTS.iter().any(|text| text.as_bytes() == kind))
}

/// The value of each member `type` that is a text. Arguments of a call are JSON within a JSON text, so their members are
/// not found.
fn kinds(json: &[u8]) -> impl Iterator<Item = &[u8]> {
    const KEY: &[u8] = b"\"type\"";
    memchr::memmem::find_iter(json, KEY).filter_map(|at| {
        let value = json[at + KEY.len()..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let text = value.strip_prefix(b"\"")?;
        Some(&text[..memchr::memchr(b'"', text)?])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_and_calls_are_bounded_by_their_size() {
        for (messages, alone) in [
            (r#"[{"role":"user","content":"type"}]"#, true),
            (r#"[{"role":"user","content":[{"type":"text","text":"{\"type\":\"x\"}"}]}]"#, true),
            (r#"[{"tool_calls":[{"id":"a","type":"function","function":{"arguments":"{\"type\":\"x\"}"}}]}]"#, true),
            (r#"[{"role":"tool","tool_call_id":"a","content":"x"}]"#, true),
            (r#"[{"content":[{"type" : "video_url","video_url":{"url":"x"}}]}]"#, false),
            (r#"[{"content":[{"type":"input_audio"}]}]"#, false),
            (r#"[{"content":[{"type":"something_new","at":"x"}]}]"#, false),
            (r#"[{"content":[{"image_url":{"url":"x"}}]}]"#, false),
        ] {
            assert_eq!(only_texts(messages.as_bytes()), alone, "{messages}");
        }
    }

    #[test]
    fn no_word_for_audio_is_in_a_conversation_of_texts_alone() {
        for word in super::super::audio::WORDS {
            assert!(!only_texts(format!("[{{{word}\":1}}]").as_bytes()), "{word}");
        }
    }
}
