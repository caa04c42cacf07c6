//! The upstream's own figures, believed only where they can be true.

use serde::Deserialize;

use tollgate_credit::{BilledUsage, MediaTokens};
use tollgate_formats::{Format, MessagesUsage, TokenUsage};

/// The usage that the upstream reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UsageReport {
    /// Figures that can be true.
    Figures(BilledUsage),
    /// Figures that cannot: negative, contradictory, or beyond any context.
    Absurd,
}

/// The usage object of the formats O, R and G; everything else in it is passed over. What a format lacks is absent.
#[derive(Deserialize)]
struct WireUsage {
    // Formats O and R.
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    total_tokens: Option<u64>,
    /// Another name for the tokens that were read from a cache, as `cached_tokens` is.
    prompt_cache_hit_tokens: Option<u64>,
    cached_tokens: Option<u64>,
    #[serde(alias = "input_tokens_details")]
    prompt_tokens_details: Option<PromptDetails>,
    #[serde(alias = "output_tokens_details")]
    completion_tokens_details: Option<CompletionDetails>,
    // Format R.
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    // Format G.
    #[serde(rename = "promptTokenCount")]
    g_prompt: Option<u64>,
    #[serde(rename = "toolUsePromptTokenCount")]
    g_tools: Option<u64>,
    #[serde(rename = "candidatesTokenCount")]
    g_candidates: Option<u64>,
    #[serde(rename = "thoughtsTokenCount")]
    g_thoughts: Option<u64>,
    #[serde(rename = "cachedContentTokenCount")]
    g_cached: Option<u64>,
    #[serde(rename = "totalTokenCount")]
    g_total: Option<u64>,
    #[serde(rename = "promptTokensDetails")]
    g_prompt_kinds: Option<Vec<ModalityTokens>>,
    #[serde(rename = "toolUsePromptTokensDetails")]
    g_tools_kinds: Option<Vec<ModalityTokens>>,
    #[serde(rename = "cacheTokensDetails")]
    g_cached_kinds: Option<Vec<ModalityTokens>>,
    #[serde(rename = "candidatesTokensDetails")]
    g_candidates_kinds: Option<Vec<ModalityTokens>>,
}

/// One kind of tokens, in format G.
#[derive(Deserialize)]
struct ModalityTokens {
    modality: Option<String>,
    #[serde(rename = "tokenCount")]
    count: Option<u64>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
    audio_tokens: Option<u64>,
    image_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct CompletionDetails {
    reasoning_tokens: Option<u64>,
    audio_tokens: Option<u64>,
    image_tokens: Option<u64>,
}

/// The contexts up to which a figure is believed: contexts are configured too small at times.
const CONTEXTS_MAX: u64 = 4;

impl UsageReport {
    /// Reads a usage object.
    ///
    /// `possible` is the model's context for each of the answers, in tokens.
    #[must_use]
    pub fn read(format: Format, json: &str, possible: u64) -> Self {
        // What is negative, broken or no number at all does not parse as what it should be.
        let wire = || serde_json::from_str::<WireUsage>(json).ok();
        let read = match format {
            Format::Chat | Format::Completions => wire().and_then(|wire| Some((wire.chat()?, wire.media()))),
            Format::Responses => wire().and_then(|wire| Some((wire.responses()?, wire.media()))),
            Format::Generate => wire().and_then(|wire| Some((wire.generate()?, wire.media_of_generate()))),
            Format::Messages => {
                let mut told = MessagesUsage::default();
                told.take_json(json);
                return Self::of_messages(&told, possible);
            }
        };
        let usage = read.and_then(|(usage, media)| parted(usage, media));
        usage.map_or(Self::Absurd, |usage| Self::believed(usage, possible))
    }

    /// The figures that an answer of format A has reported so far.
    #[must_use]
    pub fn of_messages(told: &MessagesUsage, possible: u64) -> Self {
        Self::converted(told.usage().unwrap_or_default(), possible)
    }

    /// Figures that were read elsewhere, if they can be true.
    #[must_use]
    pub fn converted(usage: TokenUsage, possible: u64) -> Self {
        match usage.impossible {
            true => Self::Absurd,
            false => Self::believed(billed(&usage), possible),
        }
    }

    /// Our own figures as answers tell them: the opposite of [`converted`](Self::converted).
    #[must_use]
    pub fn to_exchange(usage: &BilledUsage) -> TokenUsage {
        let of_caches = [usage.cached, usage.cache_write, usage.cache_write_long];
        TokenUsage {
            input: of_caches.into_iter().fold(usage.prompt, u64::saturating_sub),
            cache_read: usage.cached,
            cache_write: usage.cache_write,
            cache_write_hour: usage.cache_write_long,
            output: usage.completion,
            reasoning: usage.reasoning,
            audio_input: usage.media.audio_prompt,
            audio_output: usage.media.audio_completion,
            image_input: usage.media.image_prompt,
            image_output: usage.media.image_completion,
            impossible: false,
        }
    }

    /// Figures, if they can be true.
    pub(super) fn believed(usage: BilledUsage, possible: u64) -> Self {
        let most = possible.saturating_mul(CONTEXTS_MAX);
        let possible = usage.is_plausible() && usage.prompt <= most && usage.completion <= most;
        if possible { Self::Figures(usage) } else { Self::Absurd }
    }
}

/// The figures of one step of an answer of format A; `None` where they cannot be read.
#[must_use]
pub fn figures_of_messages(json: &str) -> Option<BilledUsage> {
    let mut told = MessagesUsage::default();
    told.take_json(json);
    told.usage().filter(|usage| told.is_whole() && !usage.impossible).map(|usage| billed(&usage))
}

/// Usage of the inner language, as it is charged.
fn billed(usage: &TokenUsage) -> BilledUsage {
    BilledUsage {
        prompt: usage.prompt(),
        cached: usage.cache_read,
        cache_write: usage.cache_write,
        cache_write_long: usage.cache_write_hour,
        completion: usage.output,
        reasoning: usage.reasoning,
        media: MediaTokens {
            audio_prompt: usage.audio_input,
            image_prompt: usage.image_input,
            audio_completion: usage.audio_output,
            image_completion: usage.image_output,
        },
        estimated: false,
    }
}

/// Usage with its sound and picture tokens, of the prompt only those that no cache had to do with.
///
/// What came from a cache may be sound too, and is charged as what it is. `None` where they are more than their whole.
fn parted(usage: BilledUsage, media: MediaTokens<u64>) -> Option<BilledUsage> {
    let heard = media.audio_prompt.checked_add(media.image_prompt)?;
    let made = media.audio_completion.checked_add(media.image_completion)?;
    if heard > usage.prompt || made > usage.completion {
        return None;
    }
    let cache = [usage.cached, usage.cache_write, usage.cache_write_long];
    let fresh = cache.into_iter().fold(usage.prompt, u64::saturating_sub);
    let audio_prompt = media.audio_prompt.min(fresh);
    let image_prompt = media.image_prompt.min(fresh - audio_prompt);
    Some(BilledUsage { media: MediaTokens { audio_prompt, image_prompt, ..media }, ..usage })
}

impl WireUsage {
    /// Sound and pictures in formats O and R.
    fn media(&self) -> MediaTokens<u64> {
        let prompt = |kind: fn(&PromptDetails) -> Option<u64>| self.prompt_tokens_details.as_ref().and_then(kind);
        let completion =
            |kind: fn(&CompletionDetails) -> Option<u64>| self.completion_tokens_details.as_ref().and_then(kind);
        MediaTokens {
            audio_prompt: prompt(|details| details.audio_tokens).unwrap_or(0),
            image_prompt: prompt(|details| details.image_tokens).unwrap_or(0),
            audio_completion: completion(|details| details.audio_tokens).unwrap_or(0),
            image_completion: completion(|details| details.image_tokens).unwrap_or(0),
        }
    }

    /// Sound and pictures in format G, which says what of them came from a cache.
    fn media_of_generate(&self) -> MediaTokens<u64> {
        let sum = |list: &Option<Vec<ModalityTokens>>, wanted: &str| {
            let kinds = list.iter().flatten().filter(|kind| kind.modality.as_deref() == Some(wanted));
            kinds.filter_map(|kind| kind.count).fold(0, u64::saturating_add)
        };
        let prompt = |wanted: &str| {
            let read = sum(&self.g_prompt_kinds, wanted).saturating_add(sum(&self.g_tools_kinds, wanted));
            read.saturating_sub(sum(&self.g_cached_kinds, wanted))
        };
        MediaTokens {
            audio_prompt: prompt("AUDIO"),
            image_prompt: prompt("IMAGE"),
            audio_completion: sum(&self.g_candidates_kinds, "AUDIO"),
            image_completion: sum(&self.g_candidates_kinds, "IMAGE"),
        }
    }

    fn cached(&self) -> u64 {
        self.prompt_tokens_details.as_ref().and_then(|details| details.cached_tokens).unwrap_or(0)
    }

    fn written(&self) -> u64 {
        self.prompt_tokens_details.as_ref().and_then(|details| details.cache_write_tokens).unwrap_or(0)
    }

    fn reasoning(&self) -> Option<u64> {
        self.completion_tokens_details.as_ref().and_then(|details| details.reasoning_tokens)
    }

    fn chat(&self) -> Option<BilledUsage> {
        let (prompt, said) = (self.prompt_tokens?, self.completion_tokens.unwrap_or(0));
        let reasoning = self.reasoning().unwrap_or(0);
        let both = said.saturating_add(reasoning);
        // Some providers count thinking beside the answer, not in it; their total gives them away.
        let beside = reasoning > 0 && self.total_tokens == Some(prompt.saturating_add(both));
        let hit = self.prompt_cache_hit_tokens.or(self.cached_tokens).unwrap_or(0);
        Some(BilledUsage {
            prompt,
            cached: self.cached().max(hit),
            cache_write: self.written(),
            cache_write_long: 0,
            completion: if beside { both } else { said },
            reasoning,
            media: MediaTokens::default(),
            estimated: false,
        })
    }

    fn responses(&self) -> Option<BilledUsage> {
        Some(BilledUsage {
            prompt: self.input_tokens?,
            cached: self.cached(),
            cache_write: self.written(),
            cache_write_long: 0,
            completion: self.output_tokens.unwrap_or(0),
            reasoning: self.reasoning().unwrap_or(0),
            media: MediaTokens::default(),
            estimated: false,
        })
    }

    /// Format G counts thinking beside `candidatesTokenCount`, not in it.
    fn generate(&self) -> Option<BilledUsage> {
        let thoughts = self.g_thoughts.unwrap_or(0);
        let prompt = self.g_prompt?.saturating_add(self.g_tools.unwrap_or(0));
        // Some leave the candidates out; the total still tells.
        let left = || self.g_total.unwrap_or(0).saturating_sub(prompt).saturating_sub(thoughts);
        Some(BilledUsage {
            prompt,
            cached: self.g_cached.unwrap_or(0),
            cache_write: 0,
            cache_write_long: 0,
            completion: self.g_candidates.unwrap_or_else(left).saturating_add(thoughts),
            reasoning: thoughts,
            media: MediaTokens::default(),
            estimated: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn usage(
        prompt: u64,
        [cached, cache_write, cache_write_long]: [u64; 3],
        completion: u64,
        reasoning: u64,
    ) -> BilledUsage {
        let media = MediaTokens { audio_prompt: 0, image_prompt: 0, audio_completion: 0, image_completion: 0 };
        BilledUsage { prompt, cached, cache_write, cache_write_long, completion, reasoning, media, estimated: false }
    }

    #[test]
    fn each_format_counts_in_its_own_way() {
        for (format, text, expected) in [
            (
                Format::Chat,
                r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"x":1.5,
                "prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":3},"completion_tokens_details":null}"#,
                usage(10, [4, 3, 0], 5, 0),
            ),
            (
                Format::Responses,
                r#"{"input_tokens":10,"input_tokens_details":{"cached_tokens":4,"cache_write_tokens":6},"output_tokens":5,
                "output_tokens_details":{"reasoning_tokens":2},"total_tokens":15}"#,
                usage(10, [4, 6, 0], 5, 2),
            ),
            (
                Format::Messages,
                r#"{"input_tokens":3,"cache_read_input_tokens":4,"cache_creation_input_tokens":5,"output_tokens":6,
                "cache_creation":{"ephemeral_5m_input_tokens":5},"output_tokens_details":{"thinking_tokens":1}}"#,
                usage(12, [4, 5, 0], 6, 1),
            ),
            (
                Format::Generate,
                r#"{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":5,"thoughtsTokenCount":2,
                "toolUsePromptTokenCount":1,"totalTokenCount":18}"#,
                usage(11, [4, 0, 0], 7, 2),
            ),
            // What some providers say in their own way.
            (
                Format::Chat,
                r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":35,
                "completion_tokens_details":{"reasoning_tokens":20}}"#,
                usage(10, [0; 3], 25, 20),
            ),
            (
                Format::Chat,
                r#"{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":4}"#,
                usage(10, [4, 0, 0], 5, 0),
            ),
            (
                Format::Chat,
                r#"{"prompt_tokens":10,"completion_tokens":5,"cached_tokens":4}"#,
                usage(10, [4, 0, 0], 5, 0),
            ),
            (
                Format::Generate,
                r#"{"promptTokenCount":10,"thoughtsTokenCount":3,"totalTokenCount":20}"#,
                usage(10, [0; 3], 10, 3),
            ),
        ] {
            assert_eq!(UsageReport::read(format, text, 100), UsageReport::Figures(expected), "{format:?}");
        }
    }

    #[test]
    fn sound_and_pictures_are_parts_that_no_cache_had_to_do_with() {
        let media = |[audio_prompt, image_prompt, audio_completion, image_completion]: [u64; 4]| MediaTokens {
            audio_prompt,
            image_prompt,
            audio_completion,
            image_completion,
        };
        for (format, text, expected) in [
            (
                Format::Chat,
                r#"{"prompt_tokens":20,"completion_tokens":9,"prompt_tokens_details":{"audio_tokens":7,"image_tokens":5},
                "completion_tokens_details":{"audio_tokens":6,"reasoning_tokens":2}}"#,
                Some([7, 5, 6, 0]),
            ),
            // What of them came from the cache is not told.
            (
                Format::Chat,
                r#"{"prompt_tokens":20,"completion_tokens":9,
                "prompt_tokens_details":{"audio_tokens":10,"image_tokens":5,"cached_tokens":8}}"#,
                Some([10, 2, 0, 0]),
            ),
            (
                Format::Responses,
                r#"{"input_tokens":20,"output_tokens":9,"input_tokens_details":{"image_tokens":5,"text_tokens":15},
                "output_tokens_details":{"image_tokens":9}}"#,
                Some([0, 5, 0, 9]),
            ),
            (
                Format::Generate,
                r#"{"promptTokenCount":20,"candidatesTokenCount":9,"cachedContentTokenCount":6,
                "promptTokensDetails":[{"modality":"TEXT","tokenCount":4},{"modality":"AUDIO","tokenCount":16}],
                "cacheTokensDetails":[{"modality":"AUDIO","tokenCount":6}],
                "candidatesTokensDetails":[{"modality":"IMAGE","tokenCount":8},{"modality":"TEXT","tokenCount":1}]}"#,
                Some([10, 0, 0, 8]),
            ),
            (
                Format::Chat,
                r#"{"prompt_tokens":20,"completion_tokens":9,"prompt_tokens_details":{"audio_tokens":16,"image_tokens":5}}"#,
                None,
            ),
            (
                Format::Chat,
                r#"{"prompt_tokens":20,"completion_tokens":9,"completion_tokens_details":{"audio_tokens":10}}"#,
                None,
            ),
            (
                Format::Generate,
                r#"{"promptTokenCount":20,"candidatesTokenCount":9,
                "candidatesTokensDetails":[{"modality":"AUDIO","tokenCount":-1}]}"#,
                None,
            ),
        ] {
            let found = match UsageReport::read(format, text, 100) {
                UsageReport::Figures(usage) => Some(usage.media),
                UsageReport::Absurd => None,
            };
            assert_eq!(found, expected.map(media), "{text}");
        }
    }

    /// The figures of a stream of format A that reports twice.
    fn twice(start: &str, end: &str) -> UsageReport {
        let mut told = MessagesUsage::default();
        told.take_json(start);
        told.take_json(end);
        UsageReport::of_messages(&told, 100)
    }

    #[test]
    fn what_a_later_report_leaves_out_still_holds() {
        let start = r#"{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":1}"#;
        for (end, expected) in [
            (r#"{"output_tokens":9}"#, usage(7, [4, 0, 0], 9, 0)),
            (r#"{"input_tokens":5,"output_tokens":9}"#, usage(9, [4, 0, 0], 9, 0)),
            (r#"{"input_tokens":5,"cache_read_input_tokens":0,"output_tokens":9}"#, usage(5, [0; 3], 9, 0)),
            (r#"{"input_tokens":5,"cache_read_input_tokens":null,"output_tokens":9}"#, usage(9, [4, 0, 0], 9, 0)),
        ] {
            assert_eq!(twice(start, end), UsageReport::Figures(expected), "{end}");
        }
        assert_eq!(twice(start, r#"{"output_tokens":-9}"#), UsageReport::Absurd);
        // Some providers repeat what they do not know as 0. With a cache, a 0 is a figure.
        for (start, end, expected) in [
            (r#"{"input_tokens":7}"#, r#"{"input_tokens":0,"output_tokens":9}"#, usage(7, [0; 3], 9, 0)),
            (
                r#"{"input_tokens":7}"#,
                r#"{"input_tokens":0,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens":9}"#,
                usage(7, [0; 3], 9, 0),
            ),
            (
                r#"{"input_tokens":7}"#,
                r#"{"input_tokens":0,"cache_read_input_tokens":7,"output_tokens":9}"#,
                usage(7, [7, 0, 0], 9, 0),
            ),
            (r#"{"input_tokens":0}"#, r#"{"input_tokens":0,"output_tokens":9}"#, usage(0, [0; 3], 9, 0)),
        ] {
            assert_eq!(twice(start, end), UsageReport::Figures(expected), "{end}");
        }
    }

    #[test]
    fn what_was_written_is_told_by_how_long_it_lasts() {
        for (text, expected) in [
            (r#"{"input_tokens":3,"cache_creation_input_tokens":7}"#, usage(10, [0, 7, 0], 0, 0)),
            (
                r#"{"input_tokens":3,"cache_creation_input_tokens":7,"cache_creation":{"ephemeral_1h_input_tokens":5}}"#,
                usage(10, [0, 2, 5], 0, 0),
            ),
            (
                r#"{"input_tokens":3,"cache_creation":{"ephemeral_5m_input_tokens":1,"ephemeral_1h_input_tokens":5}}"#,
                usage(9, [0, 1, 5], 0, 0),
            ),
            (r#"{"input_tokens":3,"cache_creation_input_tokens":7,"cache_creation":null}"#, usage(10, [0, 7, 0], 0, 0)),
        ] {
            assert_eq!(UsageReport::read(Format::Messages, text, 100), UsageReport::Figures(expected), "{text}");
        }
        for text in [
            r#"{"input_tokens":3,"cache_creation":{"ephemeral_5m_input_tokens":-1}}"#,
            r#"{"input_tokens":3,"cache_creation":{"ephemeral_1h_input_tokens":401}}"#,
            r#"{"input_tokens":3,"cache_creation_input_tokens":401}"#,
        ] {
            assert_eq!(UsageReport::read(Format::Messages, text, 100), UsageReport::Absurd, "{text}");
        }
    }

    #[test]
    fn the_last_report_of_a_stream_leaves_out_how_long_it_lasts() {
        let start = r#"{"input_tokens":3,"cache_creation_input_tokens":7,"cache_creation":{"ephemeral_5m_input_tokens":2,
            "ephemeral_1h_input_tokens":5},"output_tokens":1}"#;
        for (end, expected) in [
            (r#"{"output_tokens":9}"#, usage(10, [0, 2, 5], 9, 0)),
            (r#"{"input_tokens":3,"cache_creation_input_tokens":7,"output_tokens":9}"#, usage(10, [0, 2, 5], 9, 0)),
            (r#"{"input_tokens":3,"cache_creation_input_tokens":8,"output_tokens":9}"#, usage(11, [0, 3, 5], 9, 0)),
            (r#"{"input_tokens":3,"cache_creation_input_tokens":4,"output_tokens":9}"#, usage(7, [0, 0, 4], 9, 0)),
            (r#"{"input_tokens":3,"output_tokens":9}"#, usage(10, [0, 2, 5], 9, 0)),
        ] {
            assert_eq!(twice(start, end), UsageReport::Figures(expected), "{end}");
        }
    }

    #[test]
    fn figures_that_cannot_be_true_are_not() {
        for text in [
            "{}",
            "[]",
            r#"{"prompt_tokens":-1,"completion_tokens":5}"#,
            r#"{"prompt_tokens":1,"completion_tokens":-5}"#,
            r#"{"prompt_tokens":1e99,"completion_tokens":5}"#,
            r#"{"prompt_tokens":12801,"completion_tokens":0}"#,
            r#"{"prompt_tokens":1,"completion_tokens":99999999999999}"#,
            r#"{"prompt_tokens":1,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":2}}"#,
            r#"{"prompt_tokens":9,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":5,"cache_write_tokens":5}}"#,
            r#"{"prompt_tokens":1,"completion_tokens":1,"completion_tokens_details":{"reasoning_tokens":2}}"#,
        ] {
            assert_eq!(UsageReport::read(Format::Chat, text, 100), UsageReport::Absurd, "{text}");
        }
    }
}
