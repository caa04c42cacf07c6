//! Embeddings independent of a format: the numbers as the provider wrote them, or packed in base64.

use data_encoding::BASE64;
use serde_json::value::RawValue;

use crate::routing::candidate_error::CandidateError;

use super::super::garbled;

/// Embeddings, in the order of their texts.
#[derive(Debug)]
pub struct EmbeddingVectors<'a> {
    /// The embeddings as they are written, each a list of numbers or a text of packed ones.
    pub vectors: Vec<&'a str>,
    /// The provider's usage object.
    pub usage: Option<&'a str>,
}

impl EmbeddingVectors<'_> {
    /// Checks that there are `count` embeddings, one for each text.
    pub fn expect(&self, count: usize) -> Result<(), CandidateError> {
        let enough = self.vectors.len() == count;
        enough.then_some(()).ok_or_else(|| garbled("embeddings", "one for each input"))
    }
}

/// True if an embedding is packed into a text.
pub fn is_packed(vector: &str) -> bool {
    vector.starts_with('"')
}

/// An embedding packed into a text: 32-bit floats, little-endian, in base64.
pub fn packed(vector: &str) -> Result<String, CandidateError> {
    if is_packed(vector) {
        return serde_json::from_str(vector).map_err(|_| garbled("embedding", "a text"));
    }
    let numbers: Vec<f32> = serde_json::from_str(vector).map_err(|_| garbled("embedding", "numbers"))?;
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    Ok(BASE64.encode(&bytes))
}

/// An embedding as a list of numbers; those that are one keep their spelling.
pub fn listed(vector: &str) -> Result<Box<RawValue>, CandidateError> {
    if !is_packed(vector) {
        return serde_json::from_str(vector).map_err(|_| garbled("embedding", "numbers"));
    }
    let bytes = BASE64.decode(packed(vector)?.as_bytes()).ok().filter(|bytes| bytes.len().is_multiple_of(4));
    let bytes = bytes.ok_or_else(|| garbled("embedding", "32-bit floats in base64"))?;
    let numbers: Vec<f32> = bytes.as_chunks().0.iter().map(|float| f32::from_le_bytes(*float)).collect();
    serde_json::value::to_raw_value(&numbers).map_err(|_| garbled("embedding", "finite numbers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_little_endian_and_comes_back() {
        let list = "[1.0,-0.5,3]";
        assert_eq!(packed(list).expect("numbers"), "AACAPwAAAL8AAEBA");
        let text = "\"AACAPwAAAL8AAEBA\"";
        assert_eq!(packed(text).expect("packed"), "AACAPwAAAL8AAEBA");
        assert_eq!(listed(text).expect("floats").get(), "[1.0,-0.5,3.0]");
        assert_eq!(listed(list).expect("a list").get(), "[1.0,-0.5,3]", "numbers keep their spelling");
    }

    #[test]
    fn what_is_no_embedding_is_not_taken_for_one() {
        for text in [r#""AAA""#, r#""not base64!""#, "[1,,2]", "[1", "{}]"] {
            assert!(listed(text).is_err(), "{text}");
        }
        assert!(packed("[\"a\"]").is_err());
    }
}
