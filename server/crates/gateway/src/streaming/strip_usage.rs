//! Removal of the usage from a stream whose client did not ask for it, and nothing else: the gateway switched it on.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use bytes::Bytes;
use serde::de::IgnoredAny;

/// True if a chunk without choices holds only the usage and the members that every chunk has.
#[must_use]
pub fn usage_alone(chunk: &[u8]) -> bool {
    const KNOWN: [&str; 9] =
        ["id", "object", "created", "model", "choices", "usage", "system_fingerprint", "service_tier", "obfuscation"];
    // Parsed once a stream, which costs less than a check of every chunk.
    let members = serde_json::from_slice::<HashMap<Cow<'_, str>, IgnoredAny>>(chunk);
    members.is_ok_and(|members| members.keys().all(|name| KNOWN.contains(&name.as_ref())))
}

/// The event without the member `"usage"` whose value is at `value`, and without the comma beside it.
#[must_use]
pub fn without_member(event: &Bytes, value: Range<usize>) -> Bytes {
    const NAME: &[u8] = b"\"usage\"";
    let before = event[..value.start].trim_ascii_end();
    let Some(name) = before.strip_suffix(b":").map(<[u8]>::trim_ascii_end).and_then(|rest| rest.strip_suffix(NAME))
    else {
        // A name spelt with escapes; no provider does it, and the member does no harm.
        return event.clone();
    };
    let before = name.trim_ascii_end();
    let (start, end) = match before.strip_suffix(b",") {
        Some(kept) => (kept.trim_ascii_end().len(), value.end),
        None => {
            let after = event[value.end..].trim_ascii_start();
            let comma = usize::from(after.starts_with(b","));
            (before.len(), event.len() - after.len() + comma)
        }
    };
    [&event[..start], &event[end..]].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_every_chunk_has_may_go_with_the_usage() {
        for (chunk, alone) in [
            (r#"{"choices":[],"usage":{}}"#, true),
            (r#"{"id":"","object":"","created":1,"model":"m","choices":[],"usage":{},"service_tier":"x"}"#, true),
            (r#"{"choices":[],"usage":{},"system_fingerprint":null,"obfuscation":"aaaa"}"#, true),
            (r#"{"choices":[],"\u0075sage":{}}"#, true),
            (r#"{"choices":[],"usage":{},"cost":1.50}"#, false),
            (r#"{"choices":[],"usage":{},"x":null}"#, false),
        ] {
            assert_eq!(usage_alone(chunk.as_bytes()), alone, "{chunk}");
        }
    }

    #[test]
    fn a_member_goes_with_one_comma() {
        for (event, expected) in [
            (r#"data: {"usage":1}"#, "data: {}"),
            (r#"data: {"usage" : 1 , "b":2}"#, r#"data: { "b":2}"#),
            (r#"data: {"a":0 , "usage":1}"#, r#"data: {"a":0}"#),
            (r#"data: {"a":0,"usage":1,"b":2}"#, r#"data: {"a":0,"b":2}"#),
        ] {
            let at = event.find('1').expect("the value");
            assert_eq!(without_member(&Bytes::from_static(event.as_bytes()), at..at + 1), expected);
        }
    }
}
