//! Requests of format G: the model and the kind of answer are in the path, and member names may be in camel or snake case.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::members::StoredItems;
use crate::metering::cost::CostReporting;
use crate::routing::token_bounds::RequestExtent;
use tollgate_formats::wire::splice::{range_within, raw};
use tollgate_formats::{Format, MalformedRequest};

use super::audio::AudioMentions;
use super::generate_places::GenerateEditPlaces;
use super::prompt_size::prompt_bytes;
use super::words::text_alone;
use super::{BodyEdits, InboundRequest};

/// A request of format G, from either of its two operations.
#[derive(Debug)]
pub struct GenerateRequest {
    /// The model in the path.
    pub model: String,
    /// True if a stream was asked for.
    pub stream: bool,
    /// True if the stream is to be one JSON list.
    pub as_list: bool,
    /// The body.
    pub bytes: Bytes,
    /// True if it has tools.
    pub tools: bool,
}

/// The member of the body that can bound the output.
/// Does not parse where the member is there twice, in one spelling or in both: the provider may read either, and the hold
/// must not depend on it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfigMember<'a> {
    /// Null counts as present, because its place is needed.
    #[serde(alias = "generation_config", borrow, default, deserialize_with = "raw")]
    generation_config: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct GenerationSettings<'a> {
    /// Null counts as present, because its place is needed.
    #[serde(alias = "max_output_tokens", borrow, default, deserialize_with = "raw")]
    max_output_tokens: Option<&'a RawValue>,
    #[serde(alias = "candidate_count", borrow)]
    candidate_count: Option<&'a RawValue>,
}

impl TryFrom<GenerateRequest> for InboundRequest {
    type Error = MalformedRequest;

    /// Refuses members that decide the cost where parsers could read them differently.
    fn try_from(request: GenerateRequest) -> Result<Self, MalformedRequest> {
        let GenerateRequest { model, stream, as_list, bytes, tools } = request;
        let body: GenerationConfigMember<'_> = serde_json::from_slice(&bytes).map_err(|_| once("body"))?;
        let raw = body.generation_config.filter(|config| config.get() != "null");
        let config = raw.map(|raw| serde_json::from_str::<GenerationSettings<'_>>(raw.get()).map_err(|_| once(CONFIG)));
        let config = config.transpose()?.unwrap_or_default();
        let output_tokens =
            config.max_output_tokens.map(|tokens| whole("maxOutputTokens", tokens)).transpose()?.flatten();
        let choices = config.candidate_count.map(|count| whole("candidateCount", count)).transpose()?.flatten();
        let place = |raw: &RawValue| range_within(&bytes, raw.get());
        let is_null = |value: &&RawValue| value.get() == "null";
        let null = config.max_output_tokens.filter(is_null).and_then(place);
        let null_config = body.generation_config.filter(is_null).and_then(place);
        // The whole body is checked, because instructions may hold images too.
        let text_alone = holds_no_media(&bytes);
        let places = GenerateEditPlaces { config: raw.and_then(place), null_config, null };
        Ok(Self {
            format: Format::Generate,
            // Clients may write the model as a resource.
            model: model.strip_prefix("models/").unwrap_or(&model).to_owned(),
            stream,
            as_list,
            asked: RequestExtent {
                body_bytes: bytes.len(),
                output_tokens,
                choices: choices.unwrap_or(1),
                text_alone,
                tools,
                // The model itself may decide to answer with audio.
                sound: true,
                predicted_bytes: 0,
            },
            prompt_bytes: prompt_bytes(&bytes, text_alone),
            sound: AudioMentions::default(),
            keep: None,
            stored: StoredItems::default(),
            continues: None,
            cost: CostReporting::default(),
            edits: BodyEdits::Generate(places),
            bytes,
        })
    }
}

/// True if a body of format G has no media, so that its size bounds its tokens.
#[must_use]
pub fn holds_no_media(body: &[u8]) -> bool {
    text_alone(body, &MEDIA)
}

/// Ends of the names of members that hold media, in both spellings.
const MEDIA: [&str; 4] = ["nlineData", "nline_data", "ileData", "ile_data"];
const CONFIG: &str = "generationConfig";
/// The most answers that a request may ask for.
const CHOICES_MAX: u64 = 128;

fn once(at: &str) -> MalformedRequest {
    let expected = "an object with each member once, in one spelling".to_owned();
    MalformedRequest { at: at.to_owned(), expected, found: "something else".to_owned() }
}

/// A whole number that every parser reads alike. Numbers in JSON texts, and fractions that some take for whole, are
/// refused.
fn whole(member: &str, raw: &RawValue) -> Result<Option<u64>, MalformedRequest> {
    let most = if member == "candidateCount" { CHOICES_MAX } else { u64::MAX };
    match raw.get() {
        "null" => Ok(None),
        text => match text.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
            _ => Err(MalformedRequest {
                at: format!("{CONFIG}.{member}"),
                expected: "a whole number of at least 1, in digits alone".to_owned(),
                found: text.chars().take(32).collect(),
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_formats::wire::splice::JsonSplice;

    fn bound(body: &'static str) -> (Option<u64>, u64, String) {
        let bytes = Bytes::from_static(body.as_bytes());
        let request = GenerateRequest { model: "models/m".into(), stream: false, as_list: false, bytes, tools: false };
        let inbound = InboundRequest::try_from(request).expect("a readable request");
        assert_eq!(inbound.model, "m");
        let BodyEdits::Generate(places) = &inbound.edits else { panic!("format G") };
        let mut splice = JsonSplice::default();
        places.edit(&inbound.bytes, Some(7), &mut splice);
        let body = splice.apply(&inbound.bytes);
        (inbound.asked.output_tokens, inbound.asked.choices, String::from_utf8(body.to_vec()).expect("text"))
    }

    #[test]
    fn the_bound_is_found_in_both_spellings_and_written_where_there_is_none() {
        for (body, tokens, choices, written) in [
            (r#"{"contents":[]}"#, None, 1, r#"{"generationConfig":{"maxOutputTokens":7},"contents":[]}"#),
            (r#"{"generationConfig": null,"c":1}"#, None, 1, r#"{"generationConfig": {"maxOutputTokens":7},"c":1}"#),
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

    /// Bodies that some parsers read as several answers, or as another bound.
    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        let read = |body: &str| {
            let bytes = Bytes::copy_from_slice(body.as_bytes());
            InboundRequest::try_from(GenerateRequest {
                model: "m".into(),
                stream: false,
                as_list: false,
                bytes,
                tools: false,
            })
        };
        for (body, at) in [
            (r#"{"generation_config":{"candidate_count":"8"}}"#, "generationConfig.candidateCount"),
            (r#"{"generation_config":{"candidate_count":8.0}}"#, "generationConfig.candidateCount"),
            (r#"{"generation_config":{"candidate_count":0}}"#, "generationConfig.candidateCount"),
            (r#"{"generation_config":{"candidate_count":129}}"#, "generationConfig.candidateCount"),
            (r#"{"generationConfig":{"candidateCount":1,"candidate_count":8}}"#, "generationConfig"),
            (r#"{"generationConfig":{},"generation_config":{"candidate_count":8}}"#, "body"),
            (r#"{"generation_config":{"max_output_tokens":"65536"}}"#, "generationConfig.maxOutputTokens"),
            (r#"{"generation_config":[]}"#, "generationConfig"),
        ] {
            assert_eq!(read(body).expect_err(body).at, at);
        }
        let picture = read(r#"{"contents":[],"system_instruction":{"parts":[{"inline_data":{}}]}}"#);
        assert!(!picture.expect("readable").asked.text_alone);
    }
}
