//! Which headers cross the gateway, in each direction. Everything else stays on its side: credentials, cookies,
//! hop-by-hop headers, and limits that describe our account and not the caller's.

use http::{HeaderMap, HeaderName, header};

/// No idempotency key: keys of all accounts would meet under the one that we show the provider.
const UP: [HeaderName; 3] = [header::ACCEPT, header::USER_AGENT, HeaderName::from_static("openai-beta")];

const DOWN: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::RETRY_AFTER,
    HeaderName::from_static("retry-after-ms"),
    HeaderName::from_static("openai-processing-ms"),
    HeaderName::from_static("openai-version"),
];

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
        client.insert("set-cookie", "x".parse().expect("a value"));
        client.insert("content-type", "application/json".parse().expect("a value"));
        assert_eq!(downstream(&client).keys().map(HeaderName::as_str).collect::<Vec<_>>(), ["content-type"]);
    }
}
