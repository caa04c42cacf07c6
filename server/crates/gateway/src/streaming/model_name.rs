//! The model's name in an answer of the client's own format: the client's name, wherever the provider tells its own.

use std::ops::Range;

use bytes::Bytes;

/// The client's name of a model, as JSON.
#[derive(Debug, Default)]
pub struct ModelName(String);

impl ModelName {
    /// The name of the model in a request.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self(serde_json::Value::from(model).to_string())
    }

    /// True if there is no name.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `source` with this name in the place of the one that stands there. All else stays as it is.
    #[must_use]
    pub fn put(&self, source: Bytes, place: Option<Range<usize>>) -> Bytes {
        // What is no text, as null, names nothing.
        match place.filter(|place| source[place.start] == b'"') {
            Some(place) if source[place.clone()] != *self.0.as_bytes() => {
                [&source[..place.start], self.0.as_bytes(), &source[place.end..]].concat().into()
            }
            _ => source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_takes_the_place_of_another_and_of_nothing_else() {
        let name = ModelName::new("a\"b");
        for (source, place, expected) in [
            (r#"{"model":"up","x":1.0}"#, Some(9..13), r#"{"model":"a\"b","x":1.0}"#),
            (r#"{"model":null}"#, Some(9..13), r#"{"model":null}"#),
            (r#"{"model":"up"}"#, None, r#"{"model":"up"}"#),
        ] {
            assert_eq!(name.put(Bytes::from_static(source.as_bytes()), place), expected);
        }
        let same = Bytes::from_static(br#"{"model":"a\"b"}"#);
        assert_eq!(name.put(same.clone(), Some(9..15)).as_ptr(), same.as_ptr(), "no edit is no copy");
    }
}
