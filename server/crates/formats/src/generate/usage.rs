//! `usageMetadata`, both ways. Here the prompt includes what came from a cache, and the candidates exclude thoughts.

use super::super::json::{JsonObject, ObjectWriter};
use super::super::{MalformedRequest, TokenUsage};

/// Reads it.
///
/// # Errors
/// When a count is no count.
pub fn read(metadata: &mut JsonObject<'_>) -> Result<TokenUsage, MalformedRequest> {
    let prompt = metadata.whole(&["promptTokenCount", "prompt_token_count"])?.unwrap_or(0);
    let tools = metadata.whole(&["toolUsePromptTokenCount", "tool_use_prompt_token_count"])?.unwrap_or(0);
    let cache_read = metadata.whole(&["cachedContentTokenCount", "cached_content_token_count"])?.unwrap_or(0);
    let thoughts = metadata.whole(&["thoughtsTokenCount", "thoughts_token_count"])?.unwrap_or(0);
    let total = metadata.whole(&["totalTokenCount", "total_token_count"])?;
    let candidates = metadata.whole(&["candidatesTokenCount", "candidates_token_count"])?;
    let prompt = prompt.saturating_add(tools);
    // Some leave the candidates out; the total still tells.
    let left = || total.map_or(0, |total| total.saturating_sub(prompt).saturating_sub(thoughts));
    let by_kind = ModalityCounts::read(metadata);
    let parts = TokenUsage {
        cache_read,
        output: candidates.unwrap_or_else(left).saturating_add(thoughts),
        reasoning: thoughts,
        audio_input: by_kind.input("AUDIO"),
        image_input: by_kind.input("IMAGE"),
        audio_output: by_kind.output("AUDIO"),
        image_output: by_kind.output("IMAGE"),
        ..TokenUsage::default()
    };
    Ok(TokenUsage::of_report(prompt, parts))
}

/// Writes it as the member `usageMetadata`: always the three figures of the format, others where they say something.
pub fn write(usage: &TokenUsage, object: &mut ObjectWriter<'_>) {
    let some = |figure: u64| (figure > 0).then_some(figure);
    let mut metadata = object.object("usageMetadata");
    metadata.member("promptTokenCount", &usage.prompt());
    metadata.member("candidatesTokenCount", &usage.output.saturating_sub(usage.reasoning));
    metadata.member("totalTokenCount", &usage.total());
    metadata.maybe("cachedContentTokenCount", some(usage.cache_read).as_ref());
    metadata.maybe("thoughtsTokenCount", some(usage.reasoning).as_ref());
    details(&mut metadata, "promptTokensDetails", usage.prompt(), usage.audio_input, usage.image_input);
    let candidates = usage.output.saturating_sub(usage.reasoning);
    details(&mut metadata, "candidatesTokensDetails", candidates, usage.audio_output, usage.image_output);
    metadata.end();
}

fn details(metadata: &mut ObjectWriter<'_>, name: &str, all: u64, audio: u64, image: u64) {
    if audio == 0 && image == 0 {
        return;
    }
    let text = all.saturating_sub(audio).saturating_sub(image);
    let mut list = metadata.array(name);
    for (modality, count) in [("TEXT", text), ("AUDIO", audio), ("IMAGE", image)] {
        if count > 0 {
            let mut detail = list.object();
            detail.member("modality", modality).member("tokenCount", &count);
            detail.end();
        }
    }
    list.end();
}

/// Figures by kind of medium: of the prompt, of its tools' part, of its cached part, of the answer.
struct ModalityCounts([Vec<(String, u64)>; 4]);

impl ModalityCounts {
    fn read(metadata: &mut JsonObject<'_>) -> Self {
        let mut list = |names: &[&str]| metadata.list(names).unwrap_or_default().iter().filter_map(detail).collect();
        Self([
            list(&["promptTokensDetails", "prompt_tokens_details"]),
            list(&["toolUsePromptTokensDetails", "tool_use_prompt_tokens_details"]),
            list(&["cacheTokensDetails", "cache_tokens_details"]),
            list(&["candidatesTokensDetails", "candidates_tokens_details"]),
        ])
    }

    fn input(&self, modality: &str) -> u64 {
        let [prompt, tools, cached, _] = self.of(modality);
        prompt.saturating_add(tools).saturating_sub(cached)
    }

    fn output(&self, modality: &str) -> u64 {
        self.of(modality)[3]
    }

    fn of(&self, modality: &str) -> [u64; 4] {
        self.0.each_ref().map(|list| {
            let counts = list.iter().filter(|(name, _)| name == modality).map(|(_, count)| *count);
            counts.fold(0, u64::saturating_add)
        })
    }
}

fn detail(value: &super::super::json::JsonValue<'_>) -> Option<(String, u64)> {
    let mut detail = value.object().ok()?;
    let modality = detail.text(&["modality"]).ok()??;
    Some((modality, detail.whole(&["tokenCount", "token_count"]).ok()??))
}
