//! Rate limit headers: how much of its rates a key has left, by the names that the clients of each format know.

use http::{HeaderMap, HeaderName, HeaderValue};

use tollgate_base::rfc3339;
use tollgate_credit::{RateLimitState, RateMeter};

/// The header names of one rate: its limit, what is left, and when it is full again.
struct RateHeaderNames {
    limit: HeaderName,
    remaining: HeaderName,
    reset: HeaderName,
}

const fn names(limit: &'static str, remaining: &'static str, reset: &'static str) -> RateHeaderNames {
    RateHeaderNames {
        limit: HeaderName::from_static(limit),
        remaining: HeaderName::from_static(remaining),
        reset: HeaderName::from_static(reset),
    }
}

/// Adds the headers for the rates of a key, if it has any. They have the names of format A's SDKs, or the common ones.
pub(crate) fn insert_headers(headers: &mut HeaderMap, to_a: bool, standing: &RateLimitState) {
    if standing.is_empty() {
        return;
    }
    let [requests, tokens] = if to_a {
        [
            names(
                "anthropic-ratelimit-requests-limit",
                "anthropic-ratelimit-requests-remaining",
                "anthropic-ratelimit-requests-reset",
            ),
            names(
                "anthropic-ratelimit-tokens-limit",
                "anthropic-ratelimit-tokens-remaining",
                "anthropic-ratelimit-tokens-reset",
            ),
        ]
    } else {
        [
            names("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
            names("x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
        ]
    };
    for (names, meter) in [(requests, standing.requests), (tokens, standing.tokens)] {
        let Some(RateMeter { limit, remaining, reset_ms }) = meter else { continue };
        headers.insert(names.limit, limit.into());
        headers.insert(names.remaining, remaining.into());
        let at_ms = standing.at_ms.saturating_add(i64::try_from(reset_ms).unwrap_or(i64::MAX));
        let reset = if to_a { rfc3339(at_ms) } else { lasting(reset_ms) };
        headers.insert(names.reset, HeaderValue::try_from(reset).expect("digits and letters"));
    }
}

/// A duration as `120ms`, `7s` or `6m0s`, rounded up to whole seconds from one second on.
fn lasting(ms: u64) -> String {
    match (ms, ms.div_ceil(1_000)) {
        (..1_000, _) => format!("{ms}ms"),
        (_, seconds @ ..60) => format!("{seconds}s"),
        (_, seconds) => format!("{}m{}s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_told_in_its_own_words() {
        let requests = Some(RateMeter { limit: 60, remaining: 59, reset_ms: 1_000 });
        let tokens = Some(RateMeter { limit: 1_000, remaining: 0, reset_ms: 59_001 });
        let told = |to_a, requests, tokens| {
            let standing = RateLimitState { at_ms: 1_800_000_000_000, requests, tokens };
            let mut headers = HeaderMap::new();
            insert_headers(&mut headers, to_a, &standing);
            let text = |(name, value): (&HeaderName, &HeaderValue)| format!("{name}: {}", value.to_str().unwrap());
            headers.iter().map(text).collect::<Vec<_>>()
        };
        assert_eq!(
            told(false, requests, tokens),
            [
                "x-ratelimit-limit-requests: 60",
                "x-ratelimit-remaining-requests: 59",
                "x-ratelimit-reset-requests: 1s",
                "x-ratelimit-limit-tokens: 1000",
                "x-ratelimit-remaining-tokens: 0",
                "x-ratelimit-reset-tokens: 1m0s",
            ]
        );
        assert_eq!(
            told(true, requests, None),
            [
                "anthropic-ratelimit-requests-limit: 60",
                "anthropic-ratelimit-requests-remaining: 59",
                "anthropic-ratelimit-requests-reset: 2027-01-15T08:00:01Z",
            ]
        );
        assert_eq!(told(false, None, None), [""; 0]);
        assert_eq!([lasting(0), lasting(999), lasting(59_000), lasting(360_000)], ["0ms", "999ms", "59s", "6m0s"]);
    }
}
