//! Format G: the model and the kind of answer stand in the path, and names may be spelt in two ways.

use std::ops::Range;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::bound::Asked;
use super::super::exchange::Format;
use super::super::splice::{Splice, range_within};
use super::{Edits, Inbound, hosted, size, text_alone};

/// A request in format G, as its two operations see it.
#[derive(Debug)]
pub struct Generate {
    /// The model of the path.
    pub model: String,
    /// Whether a stream was asked for.
    pub stream: bool,
    /// Whether it is to be one JSON list.
    pub as_list: bool,
    /// The body.
    pub bytes: Bytes,
    /// The conversation in it.
    pub contents: Range<usize>,
    /// The tools in it.
    pub tools: Option<Bytes>,
}

/// Where a bound of ours would stand.
#[derive(Debug)]
pub(super) struct Places {
    config: Option<Range<usize>>,
    /// A bound that is null.
    null: Option<Range<usize>>,
}

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(alias = "generation_config", borrow)]
    #[serde(rename = "generationConfig")]
    config: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Config<'a> {
    /// Its place counts, so null is a value too.
    #[serde(alias = "max_output_tokens", borrow, default, deserialize_with = "raw")]
    max_output_tokens: Option<&'a RawValue>,
    #[serde(alias = "candidate_count")]
    candidate_count: Option<u64>,
}

/// `Option` alone would take a null for absent.
fn raw<'de: 'a, 'a, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl From<Generate> for Inbound {
    fn from(request: Generate) -> Self {
        let Generate { model, stream, as_list, bytes, contents, tools } = request;
        // A configuration in neither of its two shapes is the provider's to refuse; the model's own bounds are held for.
        let raw = serde_json::from_slice::<Body<'_>>(&bytes).ok().and_then(|body| body.config);
        let config = raw.and_then(|raw| serde_json::from_str::<Config<'_>>(raw.get()).ok()).unwrap_or_default();
        let output_tokens = config.max_output_tokens.and_then(|tokens| tokens.get().parse().ok());
        let place = |raw: &RawValue| range_within(&bytes, raw.get());
        let null = config.max_output_tokens.filter(|tokens| tokens.get() == "null").and_then(place);
        let places = Places { config: raw.and_then(place), null };
        let media = ["nlineData\"", "nline_data\"", "ileData\"", "ile_data\""];
        Self {
            format: Format::Generate,
            // Clients may write the model as a resource.
            model: model.strip_prefix("models/").unwrap_or(&model).to_owned(),
            stream,
            as_list,
            asked: Asked {
                body_bytes: bytes.len(),
                output_tokens,
                choices: config.candidate_count.unwrap_or(1).max(1),
                text_alone: text_alone(&bytes[contents.clone()], &media),
            },
            prompt_bytes: size(contents.len()),
            not_sold: tools.as_deref().and_then(hosted::named),
            edits: Edits::Generate(places),
            bytes,
        }
    }
}

impl Places {
    /// The body with our bound, where there is one: the client gave none of its own then.
    pub(super) fn body(&self, bytes: &Bytes, output_bound: Option<u64>) -> Bytes {
        let mut splice = Splice::default();
        if let Some(bound) = output_bound {
            match (&self.config, &self.null) {
                (_, Some(null)) => splice.replace(null.clone(), bound.to_string()),
                (Some(config), None) => {
                    let empty = bytes[config.start + 1..config.end].trim_ascii_start().starts_with(b"}");
                    let comma = if empty { "" } else { "," };
                    let at = config.start + 1;
                    splice.replace(at..at, format!("\"maxOutputTokens\":{bound}{comma}"));
                }
                (None, None) => {
                    let brace = bytes.iter().position(|byte| *byte == b'{').expect("a proxied body is a JSON object");
                    let at = brace + 1;
                    splice.replace(at..at, format!("\"generationConfig\":{{\"maxOutputTokens\":{bound}}},"));
                }
            }
        }
        splice.apply(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(body: &'static str) -> (Option<u64>, u64, String) {
        let bytes = Bytes::from_static(body.as_bytes());
        let contents = 0..body.len();
        let request =
            Generate { model: "models/m".into(), stream: false, as_list: false, bytes, contents, tools: None };
        let inbound = Inbound::from(request);
        assert_eq!(inbound.model, "m");
        let Edits::Generate(places) = &inbound.edits else { panic!("format G") };
        let body = places.body(&inbound.bytes, Some(7));
        (inbound.asked.output_tokens, inbound.asked.choices, String::from_utf8(body.to_vec()).expect("text"))
    }

    #[test]
    fn the_bound_is_found_in_both_spellings_and_written_where_there_is_none() {
        for (body, tokens, choices, written) in [
            (r#"{"contents":[]}"#, None, 1, r#"{"generationConfig":{"maxOutputTokens":7},"contents":[]}"#),
            (r#"{"generationConfig":{ },"c":1}"#, None, 1, r#"{"generationConfig":{"maxOutputTokens":7 },"c":1}"#),
            (
                r#"{"generation_config":{"candidate_count":2}}"#,
                None,
                2,
                r#"{"generation_config":{"maxOutputTokens":7,"candidate_count":2}}"#,
            ),
            (
                r#"{"generationConfig":{"maxOutputTokens": null }}"#,
                None,
                1,
                r#"{"generationConfig":{"maxOutputTokens": 7 }}"#,
            ),
        ] {
            assert_eq!(bound(body), (tokens, choices, written.to_owned()), "{body}");
        }
    }
}
