//! Reading of format O's multipart form: files become `data:` URLs.

use data_encoding::BASE64;

use crate::routing::candidate_error::CandidateError;
use tollgate_api::{FormPart, MultipartForm};
use tollgate_formats::MalformedRequest;

use super::super::image_type::picture_type;
use super::super::not_carried;
use super::ImagePrompt;
use super::prompt_body::{READ, no_mask};

impl ImagePrompt {
    /// Reads a form; its files lie in `body`.
    ///
    /// # Errors
    /// When a part has the wrong type, or a part that matters cannot be sent in messages.
    pub(in super::super) fn of_form(
        form: &MultipartForm,
        body: &[u8],
        is_image: fn(&str) -> bool,
    ) -> Result<Self, CandidateError> {
        let mut brief = Self { count: 1, ..Self::default() };
        for part in &form.parts {
            match part.name.as_str() {
                "mask" => return Err(no_mask()),
                "prompt" => brief.prompt = text(part, body)?.to_owned(),
                "n" => {
                    let written = text(part, body)?;
                    let wrong = |_| MalformedRequest::new("n", "a number", written);
                    brief.count = written.trim().parse().map_err(wrong)?;
                }
                "size" => brief.size = Some(text(part, body)?.to_owned()).filter(|size| size != "auto"),
                name if is_image(name) => brief.images.push(data_url(part, body)?),
                name if READ.contains(&name) => {}
                name => brief.dropped.push(name.to_owned()),
            }
        }
        Ok(brief)
    }
}

fn text<'b>(part: &FormPart, body: &'b [u8]) -> Result<&'b str, MalformedRequest> {
    let bytes = &body[part.span.clone()];
    std::str::from_utf8(bytes).map_err(|_| MalformedRequest::new(&part.name, "a text", "bytes that are none"))
}

/// The `data:` URL of an image, typed by its first bytes. Clients that send a stream name no type, or a wrong one.
fn data_url(part: &FormPart, body: &[u8]) -> Result<String, CandidateError> {
    let bytes = &body[part.span.clone()];
    let kind = picture_type(bytes).ok_or_else(|| not_carried(&part.name, "it is a picture of no known type"))?;
    Ok(format!("data:{kind};base64,{}", BASE64.encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parts: &[(&str, &[u8])]) -> Result<ImagePrompt, CandidateError> {
        let mut body = Vec::new();
        let mut form = MultipartForm { boundary: "x".to_owned(), parts: Vec::new() };
        for (name, content) in parts {
            let start = body.len();
            body.extend_from_slice(content);
            form.parts.push(FormPart { name: (*name).to_owned(), file_name: None, span: start..body.len() });
        }
        ImagePrompt::of_form(&form, &body, |name| name == "image")
    }

    #[test]
    fn files_become_addresses_by_what_they_hold() {
        let parts: &[(&str, &[u8])] = &[
            ("model", b"m"),
            ("prompt", "a h\u{e4}t".as_bytes()),
            ("image", b"\x89PNG\r\n\x1a\n"),
            ("image", b"\xff\xd8\xff\xe0"),
            ("n", b"2"),
            ("size", b"1024x768"),
            ("response_format", b"b64_json"),
            ("quality", b"high"),
        ];
        let expected = ImagePrompt {
            prompt: "a h\u{e4}t".to_owned(),
            images: vec!["data:image/png;base64,iVBORw0KGgo=".to_owned(), "data:image/jpeg;base64,/9j/4A==".to_owned()],
            count: 2,
            size: Some("1024x768".to_owned()),
            dropped: vec!["quality".to_owned()],
            ..ImagePrompt::default()
        };
        assert_eq!(read(parts).expect("a brief"), expected);
    }

    #[test]
    fn what_matters_and_has_no_word_is_refused() {
        assert!(matches!(read(&[("mask", b"\x89PNG\r\n\x1a\n")]), Err(CandidateError::NotCarried(_))));
        assert!(matches!(read(&[("image", b"no picture")]), Err(CandidateError::NotCarried(_))));
        assert!(matches!(read(&[("n", b"two")]), Err(CandidateError::Unreadable(_))));
        assert!(matches!(read(&[("prompt", b"\xff")]), Err(CandidateError::Unreadable(_))));
    }
}
