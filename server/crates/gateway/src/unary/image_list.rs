//! A list of images, as clients read it.

use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize};

/// A list of images, with every member that the spec's source has.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(bound(deserialize = "T: Deserialize<'de> + Default"))]
pub struct ImageList<T = String> {
    /// The creation time, in Unix seconds.
    #[serde(default)]
    pub created: i64,
    /// One or more images.
    pub data: Vec<ListedImage<T>>,
}

/// An image. Members that do not apply are empty.
#[derive(Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(bound(deserialize = "T: Deserialize<'de> + Default"))]
pub struct ListedImage<T = String> {
    /// Its URL.
    #[serde(default, deserialize_with = "text_or_null")]
    pub url: T,
    /// The image itself, in base64.
    #[serde(default, deserialize_with = "text_or_null")]
    pub b64_json: T,
    /// The prompt as the provider changed it.
    #[serde(default, deserialize_with = "text_or_null")]
    pub revised_prompt: T,
}

impl ImageList {
    /// The JSON that the client reads.
    #[must_use]
    pub fn written(&self) -> Bytes {
        serde_json::to_vec(self).expect("texts and numbers are JSON").into()
    }
}

fn text_or_null<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}
