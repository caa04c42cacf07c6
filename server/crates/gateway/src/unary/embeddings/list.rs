//! Embeddings of format O: `input` in, a list with one entry for each text out.

use std::ops::Range;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::routing::candidate_error::CandidateError;
use tollgate_api::FastScanner;
use tollgate_formats::MalformedRequest;
use tollgate_formats::wire::splice::{JsonSplice, range_within};

use super::super::{model_splice, not_carried};
use super::texts::EmbeddingTexts;
use super::vectors::{EmbeddingVectors, is_packed, listed, packed};

/// The details of a request that the edits of its body and its answer need.
#[derive(Debug)]
pub struct EmbeddingListDetails {
    /// The model that the body names, and its range.
    pub named: Option<(String, Range<usize>)>,
    /// True if the embeddings are wanted packed, in base64.
    pub base64: bool,
}

/// The members of a request that other formats can express.
#[derive(Deserialize)]
struct EmbeddingListRequest {
    input: serde_json::Value,
    dimensions: Option<u64>,
    #[serde(flatten)]
    rest: serde_json::Map<String, serde_json::Value>,
}

#[derive(Serialize)]
struct EmbeddingListRequestJson<'a> {
    model: &'a str,
    input: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<u64>,
}

#[derive(Serialize)]
struct EmbeddingListJson<'a> {
    object: &'static str,
    data: Vec<EmbeddingEntryJson>,
    model: &'a str,
    usage: EmbeddingUsageJson,
}

#[derive(Serialize)]
struct EmbeddingEntryJson {
    object: &'static str,
    index: usize,
    embedding: Box<RawValue>,
}

#[derive(Serialize)]
struct EmbeddingUsageJson {
    prompt_tokens: u64,
    total_tokens: u64,
}

/// Checks that `input` is not empty.
pub fn not_empty(input: &[u8]) -> Result<(), MalformedRequest> {
    let found = match input {
        b"\"\"" => "an empty text",
        [b'[', inside @ .., b']'] if inside.trim_ascii().is_empty() => "an empty list",
        [b'"' | b'[', ..] => return Ok(()),
        _ => "something else",
    };
    let expected = "a text, a list of texts, or tokens, and not empty".to_owned();
    Err(MalformedRequest { at: "input".to_owned(), expected, found: found.to_owned() })
}

/// True if the input is texts and tokens alone. Some providers take images too, as objects.
pub fn holds_no_object(input: &[u8]) -> bool {
    let listed: Vec<&RawValue> = serde_json::from_slice(input).unwrap_or_default();
    listed.iter().all(|one| !one.get().starts_with('{'))
}

/// The texts of a request.
pub fn read(bytes: &Bytes) -> Result<EmbeddingTexts, CandidateError> {
    let request: EmbeddingListRequest = serde_json::from_slice(bytes)
        .map_err(|_| not_carried("dimensions", "it is no number of places in an embedding"))?;
    let texts = match request.input {
        serde_json::Value::String(text) => Some(vec![text]),
        serde_json::Value::Array(texts) => texts
            .into_iter()
            .map(|text| if let serde_json::Value::String(text) = text { Some(text) } else { None })
            .collect(),
        _ => None,
    };
    let texts = texts.ok_or_else(|| not_carried("input", "its format takes texts, not tokens"))?;
    // The gateway converts the encoding of the numbers itself.
    let ours = |name: &str| matches!(name, "model" | "encoding_format");
    let dropped =
        request.rest.into_iter().filter(|(name, value)| !ours(name) && !value.is_null()).map(|(name, _)| name);
    Ok(EmbeddingTexts { texts, dimensions: request.dimensions, dropped: dropped.collect() })
}

/// A request for these texts.
pub fn write(texts: &EmbeddingTexts, model: &str) -> Bytes {
    let asked = EmbeddingListRequestJson { model, input: &texts.texts, dimensions: texts.dimensions };
    serde_json::to_vec(&asked).expect("texts and numbers are JSON").into()
}

/// The embeddings of an answer, in the order of their index; `None` where it holds none.
///
/// All is checked to be JSON but the numbers, which are passed over: half a megabyte of them is usual, and most answers go to the
/// client as they are.
pub fn answered(answer: &[u8]) -> Option<EmbeddingVectors<'_>> {
    let mut json = FastScanner::checking(std::str::from_utf8(answer).ok()?);
    let (mut entries, mut usage) = (None, None);
    json.members(|name, json| match &*name {
        "data" => {
            let mut data = Vec::new();
            json.elements(|json| {
                data.push(entry(json)?);
                Some(())
            })?;
            once(&mut entries, data)
        }
        "usage" => once(&mut usage, json.text()?),
        _ => json.pass(),
    })?;
    let mut entries = entries?;
    if entries.iter().all(|(index, _)| index.is_some()) {
        entries.sort_by_key(|(index, _)| *index);
    }
    let vectors: Vec<_> = entries.into_iter().map(|(_, embedding)| embedding).collect();
    let usage = usage.filter(|usage| *usage != "null");
    (json.is_over() && !vectors.is_empty()).then_some(EmbeddingVectors { vectors, usage })
}

/// An entry of the list: the index of its text, absent where the provider relies on the order, and the embedding.
fn entry<'a>(json: &mut FastScanner<'a>) -> Option<(Option<usize>, &'a str)> {
    let (mut index, mut embedding) = (None, None);
    json.members(|name, json| match &*name {
        "index" => once(&mut index, json.text()?),
        "embedding" => {
            let numbers = json.numbers();
            once(&mut embedding, numbers.or_else(|| json.text())?)
        }
        _ => json.pass(),
    })?;
    let index = match index {
        None | Some("null") => None,
        Some(number) => Some(number.parse().ok()?),
    };
    Some((index, embedding?))
}

/// Keeps the value of a member; `None` for a second one of the same name.
fn once<T>(member: &mut Option<T>, value: T) -> Option<()> {
    member.replace(value).is_none().then_some(())
}

impl EmbeddingListDetails {
    /// The request for a provider that knows the model as `model`.
    pub fn edited(&self, bytes: &Bytes, model: &str) -> Bytes {
        model_splice::with_model(bytes, self.named.as_ref().map(|(name, place)| (name.as_str(), place.clone())), model)
    }

    /// An answer of this format, unchanged except that embeddings are packed where the client wants them packed.
    pub fn own(&self, answer: &Bytes, vectors: &EmbeddingVectors<'_>) -> Result<Bytes, CandidateError> {
        let mut splice = JsonSplice::default();
        for vector in vectors.vectors.iter().filter(|vector| self.base64 && !is_packed(vector)) {
            let place = range_within(answer, vector).expect("it was borrowed from these bytes");
            splice.replace(place, format!("\"{}\"", packed(vector)?));
        }
        Ok(splice.apply(answer))
    }

    /// The answer for vectors of another format.
    pub fn converted(&self, vectors: &EmbeddingVectors<'_>, model: &str, tokens: u64) -> Result<Bytes, CandidateError> {
        let embedding = |vector: &str| match self.base64 {
            true => Ok(serde_json::value::to_raw_value(&packed(vector)?).expect("a text is JSON")),
            false => listed(vector),
        };
        let entry = |(index, vector): (usize, &&str)| {
            Ok(EmbeddingEntryJson { object: "embedding", index, embedding: embedding(vector)? })
        };
        let data = vectors.vectors.iter().enumerate().map(entry).collect::<Result<_, CandidateError>>()?;
        let usage = EmbeddingUsageJson { prompt_tokens: tokens, total_tokens: tokens };
        let written = EmbeddingListJson { object: "list", data, model, usage };
        Ok(serde_json::to_vec(&written).expect("texts and numbers are JSON").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &[u8] =
        br#"{"data":[{"index":1,"embedding":[2.50]},{"index":0,"embedding":[1]}],"x":1e2,"usage":{"prompt_tokens":3}}"#;

    #[test]
    fn nothing_cannot_be_embedded() {
        for input in [&b"\"\""[..], b"[ ]", b"[]", b"3", b"null", b"{}"] {
            assert!(not_empty(input).is_err(), "{input:?}");
        }
        for input in [&b"\"a\""[..], b"[\"\"]", b"[1,2]"] {
            assert!(not_empty(input).is_ok(), "{input:?}");
        }
    }

    #[test]
    fn an_answer_stands_as_it_is_unless_packed_ones_were_asked_for() {
        let answer = Bytes::from_static(ANSWER);
        let vectors = answered(&answer).expect("embeddings");
        let list = |base64| EmbeddingListDetails { named: None, base64 };
        assert_eq!(list(false).own(&answer, &vectors).expect("an answer"), answer);
        assert_eq!(
            list(true).own(&answer, &vectors).expect("an answer"),
            r#"{"data":[{"index":1,"embedding":"AAAgQA=="},{"index":0,"embedding":"AACAPw=="}],"x":1e2,"usage":{"prompt_tokens":3}}"#
        );
    }

    #[test]
    fn the_index_decides_the_order() {
        let vectors = answered(ANSWER).expect("embeddings");
        assert_eq!(vectors.vectors, ["[1]", "[2.50]"]);
    }

    #[test]
    fn what_is_no_list_of_embeddings_is_none() {
        for answer in [
            r#"{"data":[]}"#,
            r#"{"error":{}}"#,
            r#"{"data":[{"index":0}]}"#,
            r#"{"data":[{"index":"0","embedding":[1]}]}"#,
            r#"{"data":[{"embedding":[1],"embedding":[2]}]}"#,
            r#"{"data":[{"embedding":[1]}],"usage":{},"usage":{}}"#,
            r#"{"data":[{"embedding":[1]}],"data":[]}"#,
            r#"{"data":[],"data":[{"embedding":[1]}]}"#,
            r#"{"data":[{"embedding":[NaN]}]}"#,
            r#"{"data":[{"embedding":[tru]}]}"#,
            r#"{"data":[{"embedding":[1}]}"#,
            "{\"data\":[{\"embedding\":\"AA\n==\"}]}",
            "{\"data\":[{\"embedding\":[1]}],\"model\":\"\\q\"}",
            r#"{"data":[{"embedding":[1]}],"usage":{"x":[NaN]}}"#,
            r#"{"data":[{"embedding":[1]}]"#,
            r#"{"data":[{"embedding":[1"#,
            r#"{"data":[{"embedding":[1]}]}{}"#,
            r#"[{"embedding":[1]}]"#,
            "<html>",
            "",
        ] {
            assert!(answered(answer.as_bytes()).is_none(), "{answer}");
        }
        let answer = answered(br#"{"usage":null,"data":[{"index":null,"embedding":[]},{"embedding":"AA=="}]}"#);
        let answer = answer.expect("two of them");
        assert_eq!((answer.vectors, answer.usage), (vec!["[]", "\"AA==\""], None));
    }

    #[test]
    fn texts_are_carried_and_tokens_are_not() {
        let body = br#"{"model":"m","input":["a","b"],"dimensions":3,"encoding_format":"base64","user":"u","x":null}"#;
        let texts = read(&Bytes::from_static(body)).expect("texts");
        assert_eq!((texts.texts, texts.dimensions), (vec!["a".to_owned(), "b".to_owned()], Some(3)));
        assert_eq!(texts.dropped, ["user"]);
        for body in [r#"{"input":[1,2]}"#, r#"{"input":[[1],[2]]}"#, r#"{"input":"a","dimensions":"3"}"#] {
            assert!(read(&Bytes::from_static(body.as_bytes())).is_err(), "{body}");
        }
    }
}
