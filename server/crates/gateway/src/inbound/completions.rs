//! Requests of format O's older operation `/completions`: a text to continue.

use serde_json::value::RawValue;

use crate::members::StoredItems;
use crate::metering::cost::CostReporting;
use crate::routing::token_bounds::RequestExtent;
use tollgate_api::generated::ops::completions::CreateCompletionHead;
use tollgate_api::{ProxyBody, Spanned};
use tollgate_formats::Format;

use super::audio::AudioMentions;
use super::outgoing::{ChatEditPlaces, OutputBound, flag};
use super::prompt_size::prompt_bytes;
use super::{BodyEdits, InboundRequest, size};

impl From<ProxyBody<CreateCompletionHead>> for InboundRequest {
    fn from(body: ProxyBody<CreateCompletionHead>) -> Self {
        let ProxyBody { bytes, head, .. } = body;
        let CreateCompletionHead { model, prompt, stream, stream_options, max_tokens, n, best_of } = head;
        let number = |member: &Option<Spanned<Option<i64>>>| {
            member.as_ref().and_then(|member| member.value).and_then(|value| u64::try_from(value).ok())
        };
        // With `best_of` the provider chooses among several answers, and charges for all of them.
        let answers = number(&n).unwrap_or(1).max(number(&best_of).unwrap_or(1));
        let asked = RequestExtent {
            body_bytes: bytes.len(),
            output_tokens: number(&max_tokens),
            choices: answers.saturating_mul(prompts(&bytes[prompt.span.clone()])),
            text_alone: true,
            tools: false,
            sound: false,
            predicted_bytes: 0,
        };
        let places = ChatEditPlaces {
            model: model.span,
            stream: flag(stream.as_ref()),
            stream_options: stream_options.map(|options| options.span),
            max_completion_tokens: None,
            max_tokens: max_tokens.map(OutputBound::from),
        };
        Self {
            format: Format::Completions,
            model: model.value,
            stream: places.stream,
            as_list: false,
            asked,
            prompt_bytes: prompt_bytes(&bytes, true),
            sound: AudioMentions::default(),
            keep: None,
            stored: StoredItems::default(),
            continues: None,
            cost: CostReporting::default(),
            edits: BodyEdits::Completions(places),
            bytes,
        }
    }
}

/// The number of prompts: a list of texts or of token lists has several, a list of tokens is one.
fn prompts(prompt: &[u8]) -> u64 {
    let listed: Vec<&RawValue> = serde_json::from_slice(prompt).unwrap_or_default();
    let several = listed.first().is_some_and(|first| first.get().starts_with(['"', '[']));
    if several { size(listed.len()) } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_a_list_is_an_answer_of_its_own() {
        for (prompt, count) in [
            ("\"a\"", 1),
            ("[]", 1),
            ("[1,2,3]", 1),
            ("[\"a\"]", 1),
            ("[\"a\",\"b\"]", 2),
            ("[[1],[2],[3]]", 3),
            ("7", 1),
        ] {
            assert_eq!(prompts(prompt.as_bytes()), count, "{prompt}");
        }
    }
}
