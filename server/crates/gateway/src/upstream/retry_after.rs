//! The Retry-After of a provider.

use http::{HeaderMap, HeaderName, header};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use tollgate_api::generated::limits;

const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

/// The wait that an answer asks for, in seconds, rounded up: from 0 to the spec's longest. `None` where it names none
/// that can be parsed. `now_ms` is the Unix time, for a wait given as a date.
#[must_use]
pub fn retry_after_seconds(headers: &HeaderMap, now_ms: i64) -> Option<u32> {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let seconds = text(&RETRY_AFTER_MS).and_then(whole).map(|ms| ms.div_ceil(1000));
    let seconds = seconds.or_else(|| {
        let text = text(&header::RETRY_AFTER)?;
        whole(text).or_else(|| until(text, now_ms))
    })?;
    let most = limits::RETRY_AFTER_MAX.as_secs();
    u32::try_from(seconds.min(most)).ok()
}

/// Parses digits and nothing else; a number that does not fit counts as the largest.
fn whole(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// Seconds until a date as HTTP writes it; 0 for one that is over.
fn until(date: &str, now_ms: i64) -> Option<u64> {
    let at = OffsetDateTime::parse(date, &Rfc2822).ok()?.unix_timestamp();
    let ms = at.saturating_mul(1000).saturating_sub(now_ms);
    Some(u64::try_from(ms).unwrap_or(0).div_ceil(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sat, 21 Nov 2026 12:00:00 GMT.
    const NOW_MS: i64 = 1_795_262_400_000;

    #[test]
    fn a_wait_is_well_formed_and_bounded() {
        for (name, value, expected) in [
            ("retry-after", "7", Some(7)),
            ("retry-after", " 7 ", Some(7)),
            ("retry-after", "0", Some(0)),
            ("retry-after", "61", Some(60)),
            ("retry-after", "99999999999999999999999", Some(60)),
            ("retry-after", "-1", None),
            ("retry-after", "+1", None),
            ("retry-after", "1.5", None),
            ("retry-after", "soon", None),
            ("retry-after", "", None),
            ("retry-after", "Sat, 21 Nov 2026 12:00:30 GMT", Some(30)),
            ("retry-after", "Sat, 21 Nov 2026 11:00:00 GMT", Some(0)),
            ("retry-after", "Sun, 22 Nov 2026 12:00:00 GMT", Some(60)),
            ("retry-after-ms", "1", Some(1)),
            ("retry-after-ms", "2500", Some(3)),
            ("retry-after-ms", "x", None),
            ("x-other", "7", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HeaderName::from_static(name), value.parse().expect("a value"));
            assert_eq!(retry_after_seconds(&headers, NOW_MS), expected, "{name}: {value}");
        }
    }

    #[test]
    fn what_is_not_understood_does_not_hide_what_is() {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after-ms", "x".parse().expect("a value"));
        headers.insert("retry-after", "5".parse().expect("a value"));
        assert_eq!(retry_after_seconds(&headers, NOW_MS), Some(5));
    }
}
