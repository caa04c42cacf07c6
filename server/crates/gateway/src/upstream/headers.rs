//! Allow-lists of the headers that are forwarded, in each direction. Everything else is dropped: credentials, cookies,
//! hop-by-hop headers, and rate limits of our account, which are not the caller's.

use http::{HeaderMap, HeaderName, header};

use crate::config::ProviderKind;
use tollgate_api::WireName;
use tollgate_api::generated::auth::names;
use tollgate_formats::Format;

/// Headers of the client for every provider. No Idempotency-Key: keys of different accounts would collide at the
/// provider.
const UP: [HeaderName; 2] = [header::ACCEPT, header::USER_AGENT];

/// Headers of the provider for the client. No Retry-After: answers and refusals are not to be repeated, and an error with
/// a wait has our own.
const DOWN: [HeaderName; 3] =
    [header::CONTENT_TYPE, HeaderName::from_static("openai-processing-ms"), HeaderName::from_static("openai-version")];

/// Headers of formats O and R only; providers of other formats do not get them.
const UP_O: [HeaderName; 1] = [HeaderName::from_static("openai-beta")];

/// Headers of format A only: the names by which clients send them, and the one that providers know.
const UP_A: [(&WireName, HeaderName); 2] =
    [(&names::A_VERSION, A_VERSION), (&names::A_BETA, HeaderName::from_static("anthropic-beta"))];

/// The header for the version of format A.
pub(super) const A_VERSION: HeaderName = HeaderName::from_static("anthropic-version");

/// The client's headers that some provider may get, under the names that providers know.
#[must_use]
pub fn kept(client: &HeaderMap) -> HeaderMap {
    let mut kept = pick(client, &UP);
    add(&mut kept, client, &UP_O);
    add_a(&mut kept, client);
    kept
}

/// The headers of a client of `client_format` for a provider of this kind.
#[must_use]
pub fn upstream(client: &HeaderMap, client_format: Format, kind: ProviderKind) -> HeaderMap {
    let mut picked = pick(client, &UP);
    match kind {
        ProviderKind::Speaks(format) if format != client_format => {}
        ProviderKind::Speaks(Format::Chat | Format::Completions | Format::Responses) => add(&mut picked, client, &UP_O),
        ProviderKind::Speaks(Format::Messages) => add_a(&mut picked, client),
        ProviderKind::Speaks(Format::Generate)
        | ProviderKind::Pictures
        | ProviderKind::PicturesLater
        | ProviderKind::VideoA => {}
    }
    picked
}

/// The provider's headers that the client gets.
#[must_use]
pub fn downstream(provider: &HeaderMap) -> HeaderMap {
    pick(provider, &DOWN)
}

fn pick(from: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    let mut picked = HeaderMap::with_capacity(names.len() + 4);
    add(&mut picked, from, names);
    picked
}

fn add(picked: &mut HeaderMap, from: &HeaderMap, names: &[HeaderName]) {
    for name in names {
        for value in from.get_all(name) {
            picked.append(name, value.clone());
        }
    }
}

/// Adds the headers of format A; a value under two names is sent once.
fn add_a(picked: &mut HeaderMap, client: &HeaderMap) {
    for (wire, name) in &UP_A {
        for value in wire.values(client) {
            if !picked.get_all(name).iter().any(|known| known == value) {
                picked.append(name, value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn credentials_and_cookies_stay_behind() {
        let mut client = HeaderMap::new();
        for name in ["authorization", "x-api-key", "x-goog-api-key", "cookie", "connection", "host", "openai-beta"]
            .into_iter()
            .chain(["anthropic-beta", "anthropic-version"])
        {
            client.insert(HeaderName::from_static(name), "x".parse().expect("a value"));
        }
        let shown = |to| {
            let shown = upstream(&client, Format::Messages, ProviderKind::Speaks(to));
            let mut names: Vec<_> = shown.keys().map(|name| name.as_str().to_owned()).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(shown(Format::Messages), ["anthropic-beta", "anthropic-version"]);
        assert!(shown(Format::Chat).is_empty(), "another format's headers mean nothing");
        assert_eq!(upstream(&client, Format::Chat, ProviderKind::Speaks(Format::Chat)).len(), 1);
    }

    #[test]
    fn a_header_of_format_a_goes_up_under_the_name_that_providers_know() {
        let header = |pairs: &[(&'static str, &'static str)]| -> HeaderMap {
            pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
        };
        let expected = header(&[("anthropic-version", "2023-06-01"), ("anthropic-beta", "b")]);
        for client in [
            header(&[("a-version", "2023-06-01"), ("a-beta", "b")]),
            header(&[("anthropic-version", "2023-06-01"), ("a-beta", "b"), ("a-version", "2023-06-01")]),
        ] {
            assert_eq!(upstream(&kept(&client), Format::Messages, ProviderKind::Speaks(Format::Messages)), expected);
        }
    }

    #[test]
    fn only_what_describes_the_answer_comes_down() {
        let mut provider = HeaderMap::new();
        for name in [
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "content-length",
            "content-encoding",
            "set-cookie",
            "retry-after",
            "retry-after-ms",
            "x-ratelimit-remaining-requests",
            "x-request-id",
            "server",
            "alt-svc",
            "content-type",
            "openai-version",
        ] {
            provider.insert(HeaderName::from_static(name), "x".parse().expect("a value"));
        }
        let shown = downstream(&provider);
        assert_eq!(shown.keys().map(HeaderName::as_str).collect::<Vec<_>>(), ["content-type", "openai-version"]);
    }
}
