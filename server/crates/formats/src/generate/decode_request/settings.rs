//! `generationConfig`: settings of the answer.

use serde_json::value::RawValue;

use super::super::schema;
use super::tools::extras;
use crate::json::{JsonObject, JsonValue, ObjectWriter};
use crate::{
    ChatRequest, LocatedValue, MalformedRequest, OutputShape, ReasoningEffort, ReasoningSettings, UnknownMember,
};

/// Reads it into the request.
///
/// # Errors
/// When something is of the wrong type.
pub fn read(mut config: JsonObject<'_>, ask: &mut ChatRequest) -> Result<(), MalformedRequest> {
    ask.temperature = config.at_with(&["temperature"], JsonValue::number)?;
    ask.top_p = config.at_with(&["topP", "top_p"], JsonValue::number)?;
    ask.top_k = config.at_with(&["topK", "top_k"], JsonValue::number)?;
    ask.choices = config.at_with(&["candidateCount", "candidate_count"], JsonValue::whole)?;
    ask.output_max = config.at_with(&["maxOutputTokens", "max_output_tokens"], JsonValue::whole)?;
    ask.stop = config.at_with(&["stopSequences", "stop_sequences"], texts)?;
    ask.seed = config.at_with(&["seed"], JsonValue::number)?;
    ask.presence_penalty = config.at_with(&["presencePenalty", "presence_penalty"], JsonValue::number)?;
    ask.frequency_penalty = config.at_with(&["frequencyPenalty", "frequency_penalty"], JsonValue::number)?;
    ask.logprobs = config.at_with(&["responseLogprobs", "response_logprobs"], JsonValue::flag)?;
    ask.top_logprobs = config.at_with(&["logprobs"], JsonValue::whole)?;
    ask.reasoning = config.at_with(&["thinkingConfig", "thinking_config"], reasoning)?;
    ask.shape = shape(&mut config, &mut ask.extra)?;
    extras("generationConfig", config, &mut ask.extra);
    Ok(())
}

fn texts(value: &JsonValue<'_>) -> Result<Vec<String>, MalformedRequest> {
    value.list()?.iter().map(JsonValue::text).collect()
}

fn reasoning(value: &JsonValue<'_>) -> Result<ReasoningSettings, MalformedRequest> {
    let mut config = value.object()?;
    let mut reasoning = ReasoningSettings {
        shown: config.flag(&["includeThoughts", "include_thoughts"])?,
        ..ReasoningSettings::default()
    };
    if let Some(budget) = config.value(&["thinkingBudget", "thinking_budget"]) {
        // -1 leaves it to the provider.
        reasoning.adaptive = budget.number()?.get() == "-1";
        reasoning.budget = if reasoning.adaptive { None } else { Some(budget.whole()?) };
    }
    if let Some(level) = config.value(&["thinkingLevel", "thinking_level"]) {
        let word = level.text()?.to_ascii_lowercase();
        reasoning.effort = ReasoningEffort::from_word(&word);
        if reasoning.effort.is_none() && word != "thinking_level_unspecified" {
            let name = "thinkingLevel".to_owned();
            reasoning.extra.push(UnknownMember { at: level.at, name, value: level.raw.to_owned() });
        }
    }
    reasoning.extra.extend(config.rest());
    Ok(reasoning)
}

/// Members that say together what the answer looks like.
struct OutputShapeMembers<'a> {
    mime: Option<JsonValue<'a>>,
    schema: Option<JsonValue<'a>>,
    json_schema: Option<JsonValue<'a>>,
    modalities: Option<JsonValue<'a>>,
}

/// The required form of the output. Pictures, sound and other types of text are shapes that only this format has.
fn shape(
    config: &mut JsonObject<'_>,
    extra: &mut Vec<UnknownMember>,
) -> Result<Option<LocatedValue<OutputShape>>, MalformedRequest> {
    let members = OutputShapeMembers {
        mime: config.value(&["responseMimeType", "response_mime_type"]),
        schema: config.value(&["responseSchema", "response_schema"]),
        json_schema: config.value(&["responseJsonSchema", "response_json_schema", "_responseJsonSchema"]),
        modalities: config.value(&["responseModalities", "response_modalities"]),
    };
    let mime = members.mime.as_ref().map(JsonValue::text).transpose()?.map(|mime| mime.to_ascii_lowercase());
    if let Some(at) = members.own_shape(mime.as_deref())? {
        return Ok(Some(LocatedValue { at, value: OutputShape::Other(members.as_they_stand()) }));
    }
    let OutputShapeMembers { mime: mime_value, schema, json_schema, modalities } = members;
    if let Some(JsonValue { at, raw }) = modalities {
        extra.push(UnknownMember { at, name: "generationConfig.responseModalities".to_owned(), value: raw.to_owned() });
    }
    let by_schema = |schema| OutputShape::JsonSchema { name: None, description: None, schema, strict: None };
    Ok(match (schema, json_schema, mime_value) {
        (Some(schema), ..) => Some(LocatedValue { value: by_schema(schema::json_schema(&schema)?), at: schema.at }),
        (_, Some(schema), _) if schema.starts_with('{') => {
            Some(LocatedValue { value: by_schema(schema.raw.to_owned()), at: schema.at })
        }
        (_, Some(schema), _) => return Err(schema.wrong("an object")),
        (.., Some(value)) if mime.as_deref() == Some("application/json") => {
            Some(LocatedValue { at: value.at, value: OutputShape::JsonObject })
        }
        (.., Some(value)) => Some(LocatedValue { at: value.at, value: OutputShape::Text }),
        (None, None, None) => None,
    })
}

impl OutputShapeMembers<'_> {
    /// The place of what no other format can say, or of what contradicts itself: that is the provider's to judge.
    fn own_shape(&self, mime: Option<&str>) -> Result<Option<String>, MalformedRequest> {
        if let Some(value) = &self.modalities {
            let modalities = texts(value)?;
            if modalities.iter().any(|modality| !modality.eq_ignore_ascii_case("text")) {
                return Ok(Some(value.at.clone()));
            }
        }
        let schemas = usize::from(self.schema.is_some()) + usize::from(self.json_schema.is_some());
        let known = match mime {
            None | Some("application/json") => schemas < 2,
            Some("text/plain") => schemas == 0,
            Some(_) => false,
        };
        let culprit = self.mime.as_ref().or(self.schema.as_ref());
        Ok(culprit.filter(|_| !known).map(|value| value.at.clone()))
    }

    fn as_they_stand(&self) -> Box<RawValue> {
        let mut out = Vec::new();
        let mut object = ObjectWriter::new(&mut out);
        for (name, value) in [
            ("responseMimeType", &self.mime),
            ("responseSchema", &self.schema),
            ("responseJsonSchema", &self.json_schema),
            ("responseModalities", &self.modalities),
        ] {
            object.maybe(name, value.as_ref().map(|value| value.raw));
        }
        object.end();
        let text = String::from_utf8(out).expect("written from texts");
        RawValue::from_string(text).expect("written as JSON")
    }
}
