//! Headers with credentials of ours for a provider.

use data_encoding::BASE64;
use http::header::InvalidHeaderValue;
use http::{HeaderName, HeaderValue, header};
use percent_encoding::percent_decode_str;
use url::Url;

use crate::config::ProviderKind;
use tollgate_formats::Format;

/// The header for the API key, by the kind of provider.
pub(super) fn api_key(kind: ProviderKind, key: &str) -> Result<(HeaderName, HeaderValue), InvalidHeaderValue> {
    match kind {
        ProviderKind::Speaks(Format::Messages) => Ok((HeaderName::from_static("x-api-key"), secret(key)?)),
        ProviderKind::Speaks(Format::Generate) => Ok((HeaderName::from_static("x-goog-api-key"), secret(key)?)),
        ProviderKind::Speaks(Format::Chat | Format::Completions | Format::Responses)
        | ProviderKind::Pictures
        | ProviderKind::PicturesLater
        | ProviderKind::VideoA => Ok((header::AUTHORIZATION, bearer(key)?)),
    }
}

/// True if a key can be sent in a header: it has no line breaks and the like.
#[must_use]
pub fn is_header_value(key: &str) -> bool {
    HeaderValue::from_str(key).is_ok()
}

/// The Authorization of a key or token.
pub(super) fn bearer(token: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    secret(&format!("Bearer {token}"))
}

/// Takes user name and password out of a URL: their Authorization, where it has any.
pub(super) fn take_basic(url: &mut Url) -> Option<HeaderValue> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (user, password) = (decoded(url.username()), url.password().map(decoded));
    if user.is_empty() && password.is_none() {
        return None;
    }
    url.set_username("").and_then(|()| url.set_password(None)).expect("an address with a user can have none");
    let pair = BASE64.encode(format!("{user}:{}", password.unwrap_or_default()).as_bytes());
    Some(secret(&format!("Basic {pair}")).expect("base64 has no odd letters"))
}

fn secret(text: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(text)?;
    value.set_sensitive(true);
    Ok(value)
}
