//! Examples: a request as it is sent, and what it is answered with. They are documentation and tests at once.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{EntryMap, OneOrMore, SpannedJson, SpannedText, SpannedValue};

/// Something that is there before a request is sent: an account that calls, an order that waits, a provider that fails.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fixture {
    /// One line on the thing that exists.
    pub doc: String,
    /// Of a caller: the scheme of `auth` that it is admitted by. It then gives a `secret`.
    pub caller: Option<SpannedText>,
    /// Headers that it adds to each request.
    #[serde(default)]
    pub sends: EntryMap<SpannedText>,
    /// The values that examples name as `{fixture.value}`, each with one as it may look.
    #[serde(default)]
    pub gives: EntryMap<SpannedJson>,
}

/// A request and its answer.
///
/// A success is whole in itself. A refusal is the first success of its operation with what it says itself put in the place
/// of what is there, so that one example can stand for many operations.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// One line on its purpose.
    pub doc: String,
    /// The operations that it is an example of; where absent, all that declare the code that is expected and admit its caller.
    pub of: Option<OneOrMore>,
    /// Without `of`: operations that it is no example of.
    #[serde(default)]
    pub except: Vec<SpannedText>,
    /// The caller, from `fixtures`; where absent, the first that an operation admits.
    #[serde(rename = "as")]
    pub caller: Option<SpannedText>,
    /// The fixtures that exist before the request, from `fixtures`.
    #[serde(default)]
    pub given: Vec<SpannedText>,
    /// The request.
    #[serde(default)]
    pub send: ExampleRequest,
    /// The answer.
    pub expect: ExampleAnswer,
}

/// The request of an example, beside its credentials.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Sent")]
#[serde(deny_unknown_fields)]
pub struct ExampleRequest {
    /// Parameters of the path.
    #[serde(default)]
    pub path: EntryMap<SpannedJson>,
    /// Parameters of the query.
    #[serde(default)]
    pub query: EntryMap<SpannedJson>,
    /// Headers, by our names for them.
    #[serde(default)]
    pub headers: EntryMap<SpannedJson>,
    /// The body. Of a refusal: members in the place of those of the success.
    pub body: Option<SpannedValue<SpannedJson>>,
    /// Of a refusal: headers and members of the body that the success has, and that are left out.
    #[serde(default)]
    pub without: Vec<SpannedText>,
}

/// The answer that an example expects.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Expected")]
#[serde(deny_unknown_fields)]
pub struct ExampleAnswer {
    /// Of a refusal: its code.
    pub code: Option<SpannedText>,
    /// Of a refusal: whether the last event of a stream tells it.
    #[serde(default)]
    pub late: SpannedValue<bool>,
    /// The status, where it is not the one that the operation or the code has by itself.
    #[schemars(range(min = 200, max = 599))]
    pub status: Option<SpannedValue<u16>>,
    /// Headers of the answer; `*` is any value.
    #[serde(default)]
    pub headers: EntryMap<SpannedJson>,
    /// The whole body of a success.
    pub body: Option<SpannedValue<SpannedJson>>,
    /// The `data` of a success, in place of the whole body: the other members are those that the envelope always has
    /// (`reply_values`).
    pub data: Option<SpannedValue<SpannedJson>>,
    /// All events of a success that is a stream, but for a line that only ends it.
    pub stream: Option<Vec<SpannedValue<SpannedJson>>>,
    /// Parts of the body or of the events whose values differ from time to time: `data.created`, with `*` for every item.
    #[serde(default)]
    pub varies: Vec<SpannedText>,
}

/// The reason why some codes of some operations have no example.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Untold")]
#[serde(deny_unknown_fields)]
pub struct UntoldCodes {
    /// The codes; `success` for having no success.
    #[schemars(length(min = 1))]
    pub codes: Vec<SpannedText>,
    /// The operations; where absent, all that declare the codes and have no example of them.
    #[serde(default)]
    pub of: Vec<SpannedText>,
    /// The reason.
    pub because: String,
}

/// The word for a success among codes.
pub const SUCCESS: &str = "success";

impl Example {
    /// True for an example of a success: it expects no error code.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.expect.code.is_none()
    }
}

/// `{fixture.value}` in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixturePlaceholder<'t> {
    /// Its bytes, braces included.
    pub range: Range<usize>,
    /// The fixture.
    pub fixture: &'t str,
    /// The value.
    pub value: &'t str,
}

impl<'t> FixturePlaceholder<'t> {
    /// All of a text.
    #[must_use]
    pub fn all(text: &'t str) -> Vec<Self> {
        let word = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(start) = text[from..].find('{').map(|at| from + at) {
            from = start + 1;
            let Some(length) = text[from..].find(['{', '}']) else { break };
            let inside = text[from..from + length].split_once('.');
            let closed = text[from + length..].starts_with('}');
            if let Some((fixture, value)) = inside.filter(|(fixture, value)| closed && word(fixture) && word(value)) {
                found.push(Self { range: start..from + length + 1, fixture, value });
            }
        }
        found
    }

    /// The one that is the whole of a text.
    #[must_use]
    pub fn whole(text: &'t str) -> Option<Self> {
        Self::all(text).into_iter().next().filter(|found| found.range == (0..text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::FixturePlaceholder;

    #[test]
    fn placeholders_are_found() {
        let found = |text| {
            FixturePlaceholder::all(text).into_iter().map(|one| (one.range, one.fixture, one.value)).collect::<Vec<_>>()
        };
        assert_eq!(found("a {key.secret}{b.c_1}"), [(2..14, "key", "secret"), (14..21, "b", "c_1")]);
        assert_eq!(found("{} {a} {a.B} {a.b"), []);
        assert_eq!(found("{\"a\": \"{a.b}\"}"), [(7..12, "a", "b")]);
        assert!(FixturePlaceholder::whole("{a.b}").is_some() && FixturePlaceholder::whole("{a.b} ").is_none());
    }
}
