//! Which headers cross the gateway, in each direction. Everything else stays on its side: credentials, cookies,
//! hop-by-hop headers, and limits that describe our account and not the caller's.

use http::{HeaderMap, HeaderName, header};

/// No idempotency key: keys of all accounts would meet under the one that we show the provider.
const UP: [HeaderName; 3] = [header::ACCEPT, header::USER_AGENT, HeaderName::from_static("openai-beta")];

/// No Retry-After: what is passed on is an answer or a refusal, and neither is to be asked for again. Where a wait matters
/// the error is ours, and so is its header.
const DOWN: [HeaderName; 3] =
    [header::CONTENT_TYPE, HeaderName::from_static("openai-processing-ms"), HeaderName::from_static("openai-version")];

/// The client's headers that the provider is shown.
#[must_use]
pub fn upstream(client: &HeaderMap) -> HeaderMap {
    pick(client, &UP)
}

/// The provider's headers that the client is shown.
#[must_use]
pub fn downstream(provider: &HeaderMap) -> HeaderMap {
    pick(provider, &DOWN)
}

fn pick(from: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    let mut picked = HeaderMap::with_capacity(names.len() + 4);
    for name in names {
        for value in from.get_all(name) {
            picked.append(name, value.clone());
        }
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_and_cookies_stay_behind() {
        let mut client = HeaderMap::new();
        for name in ["authorization", "x-api-key", "x-goog-api-key", "cookie", "connection", "host", "openai-beta"] {
            client.insert(HeaderName::from_static(name), "x".parse().expect("a value"));
        }
        assert_eq!(upstream(&client).keys().map(HeaderName::as_str).collect::<Vec<_>>(), ["openai-beta"]);
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
