//! Reading of format O's JSON, for new images and for edits.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::routing::candidate_error::CandidateError;
use tollgate_formats::MalformedRequest;

use super::super::not_carried;
use super::{ImagePrompt, unread};

/// Members that are read elsewhere, or ask for what is done anyway.
pub(super) const READ: [&str; 4] = ["model", "stream", "response_format", "input"];

#[derive(Deserialize)]
struct ImagePromptBody {
    prompt: String,
    #[serde(default)]
    n: Option<u64>,
    #[serde(default)]
    size: Option<String>,
    #[serde(default)]
    images: Option<Vec<ImageReference>>,
    #[serde(default)]
    mask: Option<Value>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct ImageReference {
    #[serde(default)]
    image_url: Option<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl ImagePrompt {
    /// Reads a body whose text stands in `prompt`.
    ///
    /// # Errors
    /// When a member has the wrong type, or one that matters cannot be sent in messages.
    pub(in super::super) fn of_prompt(bytes: &[u8]) -> Result<Self, CandidateError> {
        let ImagePromptBody { prompt, n, size, images, mask, rest } = serde_json::from_slice(bytes)
            .map_err(|error| MalformedRequest::new("prompt", "a text with its settings", &error.to_string()))?;
        if mask.is_some() {
            return Err(no_mask());
        }
        let (mut addresses, mut beside) = (Vec::new(), Vec::new());
        for (index, ImageReference { image_url, rest }) in images.unwrap_or_default().into_iter().enumerate() {
            let place = format!("images[{index}]");
            addresses.push(
                image_url.ok_or_else(|| not_carried(&place, "its provider takes an image by its address alone"))?,
            );
            beside.extend(unread(&format!("{place}."), &rest, |_, _| false));
        }
        let mut dropped = unread("", &rest, |name, _| READ.contains(&name));
        dropped.sort_unstable();
        dropped.extend(beside);
        let (count, size) = (n.unwrap_or(1), size.filter(|size| size != "auto"));
        Ok(Self { prompt, images: addresses, count, size, dropped, ..Self::default() })
    }
}

/// True if a JSON body asks for the images themselves, and not for URLs.
pub(in super::super) fn wants_bytes(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct ResponseFormatMember {
        #[serde(default)]
        response_format: Option<String>,
    }
    let wanted = serde_json::from_slice(body).ok().and_then(|ResponseFormatMember { response_format }| response_format);
    wanted.as_deref() == Some("b64_json")
}

/// The error for a mask, which other body formats lack.
pub(super) fn no_mask() -> CandidateError {
    not_carried("mask", "its provider changes whole pictures")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_read_and_what_has_no_word_is_told() {
        let body = br#"{"model":"m","prompt":"a cat","n":2,"size":"1024x768","quality":"high","user":null,
            "images":[{"image_url":"https://x.example/a","detail":"low","file_id":null}],"response_format":"url","background":"transparent"}"#;
        let expected = ImagePrompt {
            prompt: "a cat".to_owned(),
            images: vec!["https://x.example/a".to_owned()],
            count: 2,
            size: Some("1024x768".to_owned()),
            dropped: ["background", "quality", "images[0].detail"].map(str::to_owned).to_vec(),
            ..ImagePrompt::default()
        };
        assert_eq!(ImagePrompt::of_prompt(body).expect("a brief"), expected);
        let plain = ImagePrompt::of_prompt(br#"{"prompt":"a","size":"auto","n":null,"mask":null}"#).expect("a brief");
        assert_eq!(plain, ImagePrompt { prompt: "a".to_owned(), count: 1, ..ImagePrompt::default() });
    }

    #[test]
    fn what_matters_and_has_no_word_is_refused() {
        for (body, at) in [
            (r#"{"prompt":"a","images":[{"image_url":"https://x"},{"file_id":"file-1"}]}"#, "images[1]"),
            (r#"{"prompt":"a","mask":{"image_url":"https://x"}}"#, "mask"),
        ] {
            let Err(CandidateError::NotCarried(refused)) = ImagePrompt::of_prompt(body.as_bytes()) else {
                panic!("{body} is carried")
            };
            assert_eq!(refused.at, at);
        }
        assert!(matches!(ImagePrompt::of_prompt(br#"{"prompt":["a"]}"#), Err(CandidateError::Unreadable(_))));
    }
}
