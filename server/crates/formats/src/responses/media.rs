//! Bytes in `data:` addresses.

use super::super::json::JsonValue;
use super::super::{MalformedRequest, MediaSource};

/// The media type and the bytes of a `data:` address, or any other address as it stands.
///
/// # Errors
/// When it is a `data:` address that is not in base64.
pub fn of_address(value: &JsonValue<'_>) -> Result<(Option<String>, MediaSource), MalformedRequest> {
    let address = value.text()?;
    let Some((scheme, rest)) = address.split_once(':') else { return Ok((None, MediaSource::Url(address))) };
    if !scheme.eq_ignore_ascii_case("data") {
        return Ok((None, MediaSource::Url(address)));
    }
    let (head, data) = rest.split_once(',').ok_or_else(|| value.wrong(EXPECTED))?;
    let kind = head.strip_suffix(";base64").ok_or_else(|| value.wrong(EXPECTED))?;
    let mime = kind.split(';').next().filter(|mime| !mime.is_empty()).map(str::to_owned);
    Ok((mime, MediaSource::Base64(standard(data.to_owned()))))
}

const EXPECTED: &str = "an address, or `data:<kind>;base64,<bytes>`";

/// A `data:` address of bytes in base64.
#[must_use]
pub fn address(mime: &str, data: &str) -> String {
    ["data:", mime, ";base64,", data].concat()
}

/// Standard base64 for URL-safe base64.
#[must_use]
pub fn standard(data: String) -> String {
    if data.bytes().any(|byte| matches!(byte, b'-' | b'_')) {
        return data.replace('-', "+").replace('_', "/");
    }
    data
}

/// The kind of a picture by its first bytes, which look the same in base64.
#[must_use]
pub fn picture_kind(data: &str) -> &'static str {
    const KINDS: [(&str, &str); 3] = [("/9j/", "image/jpeg"), ("R0lG", "image/gif"), ("UklG", "image/webp")];
    KINDS.iter().find(|(start, _)| data.starts_with(start)).map_or("image/png", |(_, kind)| kind)
}

/// The kind of a document by the name of its file.
#[must_use]
pub fn document_kind(name: Option<&str>) -> &'static str {
    let ending = name.and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("txt") => "text/plain",
        Some("md") => "text/markdown",
        Some("csv") => "text/csv",
        Some("html" | "htm") => "text/html",
        Some("json") => "application/json",
        _ => "application/pdf",
    }
}
