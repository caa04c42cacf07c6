//! Embeddings of format G: contents with parts in, a list of values for each out. Member names may be in camel or snake case.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::routing::candidate_error::CandidateError;
use crate::upstream::UpstreamAction;
use tollgate_formats::wire::splice::{JsonSplice, range_within};

use super::super::{model_splice, not_carried};
use super::texts::EmbeddingTexts;
use super::vectors::{EmbeddingVectors, listed};

/// The number of contents that the operation takes; the answer has the same form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentBatching {
    /// `:embedContent`.
    One,
    /// `:batchEmbedContents`.
    Several,
}

#[derive(Deserialize)]
struct BatchedContents<T> {
    requests: Vec<T>,
}

/// A request that may name the model.
#[derive(Deserialize)]
struct ContentModelMember<'a> {
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ContentEmbeddingRequest {
    content: EmbeddedContent,
    #[serde(rename = "outputDimensionality", alias = "output_dimensionality")]
    dimensions: Option<u64>,
    #[serde(flatten)]
    rest: serde_json::Map<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct EmbeddedContent {
    parts: Vec<EmbeddedPart>,
}

#[derive(Deserialize)]
struct EmbeddedPart {
    text: Option<String>,
}

#[derive(Serialize)]
struct ContentRequestJson<'a> {
    model: &'a str,
    content: ContentJson<'a>,
    #[serde(rename = "outputDimensionality", skip_serializing_if = "Option::is_none")]
    dimensions: Option<u64>,
}

#[derive(Serialize)]
struct ContentJson<'a> {
    parts: [ContentPartJson<'a>; 1],
}

#[derive(Serialize)]
struct ContentPartJson<'a> {
    text: &'a str,
}

#[derive(Deserialize)]
struct ContentEmbeddings<'a> {
    #[serde(borrow)]
    embedding: Option<EmbeddingValues<'a>>,
    #[serde(borrow)]
    embeddings: Option<Vec<EmbeddingValues<'a>>>,
    #[serde(borrow, rename = "usageMetadata", alias = "usage_metadata")]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct EmbeddingValues<'a> {
    #[serde(borrow)]
    values: &'a RawValue,
}

impl ContentBatching {
    /// The service of a provider of this format that takes the request.
    pub const fn action(self) -> UpstreamAction {
        match self {
            Self::One => UpstreamAction::EmbedOne,
            Self::Several => UpstreamAction::Embed,
        }
    }

    /// The request with the provider's name of the model in each content.
    pub fn edited(self, bytes: &Bytes, model: &str) -> Result<Bytes, CandidateError> {
        let unreadable = |_| not_carried("requests", "one of them is no object with contents");
        let all: Vec<&RawValue> = match self {
            Self::One => vec![serde_json::from_slice(bytes).map_err(unreadable)?],
            Self::Several => serde_json::from_slice::<BatchedContents<_>>(bytes).map_err(unreadable)?.requests,
        };
        let resource = resource(model);
        let mut splice = JsonSplice::default();
        for request in all {
            let start = range_within(bytes, request.get()).expect("it was borrowed from these bytes").start;
            let ContentModelMember { model } = serde_json::from_str(request.get()).map_err(unreadable)?;
            let named = model.and_then(|model| range_within(bytes, model.get()));
            model_splice::put_model(&mut splice, request.get().as_bytes(), start, named, &resource);
        }
        Ok(splice.apply(bytes))
    }

    /// The texts of a request.
    pub fn read(self, bytes: &Bytes) -> Result<EmbeddingTexts, CandidateError> {
        let unreadable = |_| not_carried("content", "it is no content with parts");
        let requests: Vec<ContentEmbeddingRequest> = match self {
            Self::One => vec![serde_json::from_slice(bytes).map_err(unreadable)?],
            Self::Several => {
                serde_json::from_slice::<BatchedContents<ContentEmbeddingRequest>>(bytes).map_err(unreadable)?.requests
            }
        };
        let mut texts = EmbeddingTexts { texts: Vec::new(), dimensions: None, dropped: Vec::new() };
        texts.dimensions = requests.first().and_then(|request| request.dimensions);
        for request in requests {
            if request.dimensions != texts.dimensions {
                return Err(not_carried("outputDimensionality", "the provider takes one for all contents"));
            }
            let parts = request.content.parts.into_iter().map(|part| part.text);
            let text = parts.collect::<Option<String>>();
            texts.texts.push(text.ok_or_else(|| not_carried("content.parts", "the provider embeds texts alone"))?);
            for (name, _) in request.rest {
                if name != "model" && !texts.dropped.contains(&name) {
                    texts.dropped.push(name);
                }
            }
        }
        Ok(texts)
    }

    /// The embeddings of an answer; `None` where it holds none.
    pub fn answered(answer: &[u8]) -> Option<EmbeddingVectors<'_>> {
        let ContentEmbeddings { embedding, embeddings, usage } = serde_json::from_slice(answer).ok()?;
        let vectors: Vec<_> =
            embedding.into_iter().chain(embeddings.unwrap_or_default()).map(|one| one.values.get()).collect();
        (!vectors.is_empty()).then_some(EmbeddingVectors { vectors, usage: usage.map(RawValue::get) })
    }

    /// The answer for vectors of another format.
    pub fn converted(self, vectors: &EmbeddingVectors<'_>) -> Result<Bytes, CandidateError> {
        let mut written = Vec::with_capacity(vectors.vectors.len());
        for vector in &vectors.vectors {
            written.push(format!("{{\"values\":{}}}", listed(vector)?.get()));
        }
        Ok(match self {
            Self::One => format!("{{\"embedding\":{}}}", written.join(",")),
            Self::Several => format!("{{\"embeddings\":[{}]}}", written.join(",")),
        }
        .into())
    }
}

/// A request for these texts; it repeats the model.
pub fn write(texts: &EmbeddingTexts, model: &str) -> Bytes {
    let resource = resource(model);
    let asked = |text: &String| {
        serde_json::to_string(&ContentRequestJson {
            model: &resource,
            content: ContentJson { parts: [ContentPartJson { text }] },
            dimensions: texts.dimensions,
        })
        .expect("texts and numbers are JSON")
    };
    let requests: Vec<String> = texts.texts.iter().map(asked).collect();
    format!("{{\"requests\":[{}]}}", requests.join(",")).into()
}

/// The resource name of a model: `models/<name>`, unless it has a prefix.
fn resource(model: &str) -> String {
    let prefix = if model.contains('/') { "" } else { "models/" };
    format!("{prefix}{model}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &'static str) -> Bytes {
        Bytes::from_static(text.as_bytes())
    }

    #[test]
    fn every_content_names_the_model_of_the_provider() {
        let several = bytes(r#"{"requests": [{"model":"models/a","content":{ "parts":[]}}, {"content":{}}],"x":1}"#);
        assert_eq!(
            ContentBatching::Several.edited(&several, "up").expect("requests"),
            r#"{"requests": [{"model":"models/up","content":{ "parts":[]}}, {"model":"models/up","content":{}}],"x":1}"#
        );
        assert_eq!(
            ContentBatching::One.edited(&bytes(r#"{"content":{}}"#), "t/up").expect("a request"),
            r#"{"model":"t/up","content":{}}"#
        );
    }

    #[test]
    fn texts_are_read_in_both_spellings() {
        let body = bytes(
            r#"{"requests":[{"model":"models/m","content":{"parts":[{"text":"a"},{"text":"b"}]},"output_dimensionality":2,
            "taskType":"T"},{"content":{"parts":[{"text":"c"}]},"outputDimensionality":2,"taskType":"T"}]}"#,
        );
        let texts = ContentBatching::Several.read(&body).expect("texts");
        assert_eq!((texts.texts, texts.dimensions), (vec!["ab".to_owned(), "c".to_owned()], Some(2)));
        assert_eq!(texts.dropped, ["taskType"]);
        for body in [
            r#"{"requests":[{"content":{"parts":[{"inlineData":{}}]}}]}"#,
            r#"{"requests":[{"content":{"parts":[]},"outputDimensionality":2},{"content":{"parts":[]}}]}"#,
            r#"{"requests":[3]}"#,
        ] {
            assert!(ContentBatching::Several.read(&bytes(body)).is_err(), "{body}");
        }
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let texts =
            EmbeddingTexts { texts: vec!["a\"".to_owned(), String::new()], dimensions: Some(4), dropped: Vec::new() };
        let written = write(&texts, "m");
        assert_eq!(ContentBatching::Several.read(&written).expect("texts"), texts);
        let answer = br#"{"embeddings":[{"values":[0.10]},{"values":[2]}],"usageMetadata":{"promptTokenCount":3}}"#;
        let vectors = ContentBatching::answered(answer).expect("embeddings");
        assert_eq!(vectors.usage, Some(r#"{"promptTokenCount":3}"#));
        let written = ContentBatching::Several.converted(&vectors).expect("numbers");
        assert_eq!(written, r#"{"embeddings":[{"values":[0.10]},{"values":[2]}]}"#);
    }
}
