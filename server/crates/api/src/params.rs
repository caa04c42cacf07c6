//! Path and query parameters: raw text to typed values. Routing is done on the raw path; decoding comes after, once.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::wire::Named;
use tollgate_base::{Day, Moment, Usd};

/// A type that a header, path or query parameter can have.
pub trait ParamValue: Sized {
    /// Reads the decoded text.
    fn read(text: &str) -> Option<Self>;
}

/// A set of names: an enum of the spec.
impl<T: Named> ParamValue for T {
    fn read(text: &str) -> Option<Self> {
        T::from_name(text)
    }
}

impl ParamValue for String {
    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl ParamValue for i64 {
    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|_| !text.starts_with('+'))
    }
}

impl ParamValue for bool {
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl ParamValue for Usd {
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl ParamValue for Day {
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl ParamValue for Moment {
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// A list of values with commas between.
impl<T: ParamValue> ParamValue for Vec<T> {
    fn read(text: &str) -> Option<Self> {
        text.split(',').map(T::read).collect()
    }
}

/// Undoes percent-encoding; `None` when the bytes are not UTF-8.
pub(super) fn decode(raw: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(raw).decode_utf8().ok()
}

/// The raw names and values of a query.
fn raw_pairs(query: Option<&str>) -> impl Iterator<Item = (&str, &str)> {
    let parts = query.unwrap_or_default().split('&').filter(|part| !part.is_empty());
    parts.map(|part| part.split_once('=').unwrap_or((part, "")))
}

/// The decoded names and raw values of a query. `+` is a space, as in forms.
pub(super) fn query_pairs(query: Option<&str>) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
    raw_pairs(query).map(|(name, value)| (decode(name).unwrap_or(Cow::Borrowed(name)), value))
}

/// The decoded value of a query parameter.
pub(super) fn decode_query_value(raw: &str) -> Option<String> {
    decode(&raw.replace('+', " ")).map(Cow::into_owned)
}

/// The rest of a query without the named parameters; `None` when that is nothing.
pub(super) fn query_without(query: &str, names: impl Fn(&str) -> bool) -> Option<String> {
    let mut left = String::with_capacity(query.len());
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let name = part.split_once('=').map_or(part, |(name, _)| name);
        if names(&decode(name).unwrap_or(Cow::Borrowed(name))) {
            continue;
        }
        if !left.is_empty() {
            left.push('&');
        }
        left.push_str(part);
    }
    (!left.is_empty()).then_some(left)
}

/// True if a raw path has the shape of a pattern; `suffix` ends the last segment, perhaps with its colon encoded.
pub(super) fn path_matches(pattern: &str, suffix: Option<&str>, path: &str) -> bool {
    let mut given = path.split('/');
    for want in pattern.split('/') {
        if want.starts_with("{*") {
            let rest = given.next().is_some_and(|first| !first.is_empty() || given.next().is_some());
            return rest && suffix.is_none_or(|suffix| without_suffix(path, suffix).is_some());
        }
        let Some(segment) = given.next() else { return false };
        let fits = if want.starts_with('{') { !segment.is_empty() } else { segment == want };
        if !fits {
            return false;
        }
    }
    given.next().is_none() && suffix.is_none_or(|suffix| without_suffix(path, suffix).is_some())
}

/// The raw value of a pattern's parameter in a path of that shape.
pub(super) fn path_value<'p>(pattern: &str, suffix: Option<&str>, path: &'p str, name: &str) -> Option<&'p str> {
    let path = suffix.map_or(Some(path), |suffix| without_suffix(path, suffix))?;
    let mut start = 0;
    for want in pattern.split('/') {
        let rest = path.get(start..)?;
        let segment = rest.split('/').next()?;
        match want.strip_prefix('{').and_then(|want| want.strip_suffix('}')) {
            Some(inner) if inner == name => return Some(segment),
            Some(inner) if inner.strip_prefix('*') == Some(name) => return Some(rest),
            _ => start += segment.len() + 1,
        }
    }
    None
}

/// The path without a suffix such as `:generateContent`, whose colon a client may have encoded. At least one character
/// of the last segment is left.
fn without_suffix<'p>(path: &'p str, suffix: &str) -> Option<&'p str> {
    let (colon, verb) = suffix.split_at(1);
    let before = path.strip_suffix(verb)?;
    let rest = before.strip_suffix(colon).or_else(|| {
        let encoded = before.get(before.len().checked_sub(3)?..)?;
        encoded.eq_ignore_ascii_case("%3a").then(|| &before[..before.len() - 3])
    })?;
    (!rest.ends_with('/')).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_matched_raw_and_values_found() {
        let cases = [
            ("/v1/models", None, "/v1/models", "", Some(None)),
            ("/v1/models", None, "/v1/models/", "", None),
            ("/v1/orders/{id}", None, "/v1/orders/7", "id", Some(Some("7"))),
            ("/v1/orders/{id}", None, "/v1/orders/7/8", "id", None),
            ("/v1/orders/{id}", None, "/v1/orders/", "id", None),
            ("/v1/{id}/content", None, "/v1/a%2Fb/content", "id", Some(Some("a%2Fb"))),
            ("/v1/models/{*model}", None, "/v1/models/meta/llama-3", "model", Some(Some("meta/llama-3"))),
            ("/v1/models/{*model}", None, "/v1/models/", "model", None),
            ("/m/{model}", Some(":run"), "/m/x:run", "model", Some(Some("x"))),
            ("/m/{model}", Some(":run"), "/m/x%3Arun", "model", Some(Some("x"))),
            ("/m/{model}", Some(":run"), "/m/:run", "model", None),
            ("/m/{model}", Some(":run"), "/m/a/x:run", "model", None),
            ("/m/{*model}", Some(":run"), "/m/a/x%3arun", "model", Some(Some("a/x"))),
            ("/m/{model}", Some(":run"), "/m/x:walk", "model", None),
            ("/m/{model}", Some(":run"), "/m/x:y:run", "model", Some(Some("x:y"))),
            ("/m/{model}", Some(":run"), "/m/é:run", "model", Some(Some("é"))),
        ];
        for (pattern, suffix, path, name, want) in cases {
            let matches = path_matches(pattern, suffix, path);
            let got = matches.then(|| path_value(pattern, suffix, path, name));
            assert_eq!(got, want, "{pattern} {suffix:?} {path}");
        }
    }

    #[test]
    fn queries_lose_their_credentials_and_keep_the_rest() {
        let secret = |name: &str| name == "key";
        assert_eq!(query_without("a=1&key=sk&b=%2F", secret).as_deref(), Some("a=1&b=%2F"));
        assert_eq!(query_without("k%65y=sk", secret), None);
        assert_eq!(query_without("keys=1&&", secret).as_deref(), Some("keys=1"));
        assert_eq!(decode_query_value("a+b%20c").as_deref(), Some("a b c"));
        assert_eq!(decode_query_value("%ff"), None);
    }
}
