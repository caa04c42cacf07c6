//! The members of a body of format R that are edited for a provider of this format, and the places of its edits.

use std::borrow::Cow;
use std::ops::Range;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::streaming::closed_thinking::INCLUDE;
use tollgate_formats::ThinkingSignature;
use tollgate_formats::wire::splice::{JsonSplice, range_within, raw};

use super::outgoing::json_text;

/// The ranges of the body to edit for a provider of this format.
#[derive(Debug)]
pub(super) struct ResponsesEditPlaces {
    model: Range<usize>,
    store: Option<Range<usize>>,
    /// The range of a bound that is null.
    null_bound: Option<Range<usize>>,
    /// The place behind the opening bracket of `include`, or the range of a null. True if the list has elements.
    include: Option<(Range<usize>, bool)>,
    /// True if encrypted thinking is to be asked for and hidden. The client did not ask, and a later turn needs it.
    pub(super) hides_closed_thinking: bool,
    /// Items that the provider does not get. Each has its range with a comma beside it, and its place as text.
    left_out: Vec<(Range<usize>, String)>,
}

/// The members of a body of format R that decide, and those that are edited.
#[derive(Debug, Deserialize)]
pub(super) struct ResponsesMembers<'a> {
    #[serde(borrow)]
    pub(super) model: &'a RawValue,
    /// Null counts as present, because its place is needed; also in the two below.
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) store: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) max_output_tokens: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) include: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tools: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) stream: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ThinkingInputItem<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    encrypted_content: Option<Cow<'a, str>>,
}

impl ResponsesEditPlaces {
    /// The places in `bytes`, of which `members` were read; `kept` tells if the response is stored.
    pub(super) fn of(members: &ResponsesMembers<'_>, bytes: &Bytes, kept: bool) -> Self {
        let place = |raw: &RawValue| range_within(bytes, raw.get());
        let asks = members.include.is_some_and(|include| include.get().contains(INCLUDE));
        Self {
            model: place(members.model).expect("it was borrowed from these bytes"),
            store: members.store.and_then(place),
            null_bound: members.max_output_tokens.filter(|bound| bound.get() == "null").and_then(place),
            include: members.include.and_then(|include| list_start(include, place(include)?)),
            hides_closed_thinking: kept && !asks,
            left_out: members.input.map(|input| left_out(input, bytes)).unwrap_or_default(),
        }
    }

    /// Places that a provider of this format does not get.
    pub(super) fn dropped(&self) -> Vec<String> {
        self.left_out.iter().map(|(_, at)| at.clone()).collect()
    }

    /// Adds the edits of the body for a provider that knows the model as `model`. `closed_thinking` tells if encrypted
    /// thinking may be asked for.
    pub(super) fn edit(
        &self,
        bytes: &Bytes,
        model: Option<&str>,
        output_bound: Option<u64>,
        closed_thinking: bool,
        splice: &mut JsonSplice,
    ) {
        let brace = bytes.iter().position(|byte| *byte == b'{').expect("a proxied body is a JSON object") + 1;
        let mut added = String::new();
        if let Some(model) = model {
            splice.replace(self.model.clone(), json_text(model));
        }
        match &self.store {
            Some(store) => splice.replace(store.clone(), "false".to_owned()),
            None => added.push_str("\"store\":false,"),
        }
        if let Some(bound) = output_bound {
            match &self.null_bound {
                Some(null) => splice.replace(null.clone(), bound.to_string()),
                None => added.push_str(&format!("\"max_output_tokens\":{bound},")),
            }
        }
        if self.hides_closed_thinking && closed_thinking {
            match &self.include {
                Some((place, more)) => {
                    let (open, comma, close) =
                        if place.is_empty() { ("", if *more { "," } else { "" }, "") } else { ("[", "", "]") };
                    splice.replace(place.clone(), format!("{open}\"{INCLUDE}\"{comma}{close}"));
                }
                None => added.push_str(&format!("\"include\":[\"{INCLUDE}\"],")),
            }
        }
        for (range, _) in &self.left_out {
            splice.replace(range.clone(), String::new());
        }
        splice.replace(brace..brace, added);
    }
}

/// The place where a list takes another first element; `None` for what is no list, which the provider will refuse.
fn list_start(list: &RawValue, place: Range<usize>) -> Option<(Range<usize>, bool)> {
    if list.get() == "null" {
        return Some((place, false));
    }
    let inside = list.get().strip_prefix('[')?;
    let at = place.start + 1;
    Some((at..at, !inside.trim_start().starts_with(']')))
}

/// The items to remove: thinking without its encrypted content, or with one packed for another format.
fn left_out(input: &RawValue, bytes: &Bytes) -> Vec<(Range<usize>, String)> {
    // Most conversations hold no thinking, and are not parsed.
    if !input.get().contains("\"reasoning\"") {
        return Vec::new();
    }
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(input.get()) else { return Vec::new() };
    let place = |item: &RawValue| range_within(bytes, item.get()).expect("it was borrowed from these bytes");
    let shown: Vec<bool> = items.iter().map(|item| !is_lost(item)).collect();
    let mut ranges = Vec::new();
    for (index, item) in items.iter().enumerate().filter(|(index, _)| !shown[*index]) {
        let Range { start, end } = place(item);
        // The comma behind it goes too, or the one in front where it is last.
        let range = match items.get(index + 1) {
            Some(next) => start..place(next).start,
            None => start..end,
        };
        ranges.push((range, format!("input[{index}]")));
    }
    if let (Some(false), Some(last)) = (shown.last(), shown.iter().rposition(|shown| *shown)) {
        // The comma behind the last item that is shown goes with the first that is left out after it.
        let first = ranges.iter_mut().find(|(_, at)| *at == format!("input[{}]", last + 1));
        if let Some((range, _)) = first {
            range.start = place(items[last]).end;
        }
    }
    ranges
}

fn is_lost(item: &RawValue) -> bool {
    let Ok(thinking) = serde_json::from_str::<ThinkingInputItem<'_>>(item.get()) else { return false };
    let of_another = |closed: &str| ThinkingSignature::read(closed).maker.is_some();
    thinking.kind.as_deref() == Some("reasoning") && thinking.encrypted_content.as_deref().is_none_or(of_another)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_formats::Format;

    fn sent(body: &'static str, bound: Option<u64>, kept: bool) -> String {
        let bytes = Bytes::from_static(body.as_bytes());
        let members: ResponsesMembers<'_> = serde_json::from_slice(&bytes).expect("members");
        let places = ResponsesEditPlaces::of(&members, &bytes, kept);
        let mut splice = JsonSplice::default();
        places.edit(&bytes, Some("up"), bound, true, &mut splice);
        String::from_utf8(splice.apply(&bytes).to_vec()).expect("text")
    }

    #[test]
    fn the_provider_keeps_nothing_and_gets_the_rest_as_it_came() {
        for (body, bound, expected) in [
            (r#"{"model":"m", "x":1.0}"#, None, r#"{"store":false,"model":"up", "x":1.0}"#),
            (r#"{"store" : true,"model":"m"}"#, None, r#"{"store" : false,"model":"up"}"#),
            (
                r#"{"model":"m","max_output_tokens": null,"store":null}"#,
                Some(7),
                r#"{"model":"up","max_output_tokens": 7,"store":false}"#,
            ),
            (r#"{"model":"m","store":false}"#, Some(7), r#"{"max_output_tokens":7,"model":"up","store":false}"#),
        ] {
            assert_eq!(sent(body, bound, false), expected, "{body}");
        }
    }

    #[test]
    fn closed_thinking_is_asked_for_where_the_answer_is_kept() {
        for (body, kept, expected) in [
            (
                r#"{"model":"m","store":true}"#,
                true,
                r#"{"include":["reasoning.encrypted_content"],"model":"up","store":false}"#,
            ),
            (
                r#"{"model":"m","store":true,"include":[ "x"]}"#,
                true,
                r#"{"model":"up","store":false,"include":["reasoning.encrypted_content", "x"]}"#,
            ),
            (
                r#"{"model":"m","store":true,"include":[]}"#,
                true,
                r#"{"model":"up","store":false,"include":["reasoning.encrypted_content"]}"#,
            ),
            (
                r#"{"model":"m","store":true,"include":null}"#,
                true,
                r#"{"model":"up","store":false,"include":["reasoning.encrypted_content"]}"#,
            ),
            (
                r#"{"model":"m","store":true,"include":["reasoning.encrypted_content"]}"#,
                true,
                r#"{"model":"up","store":false,"include":["reasoning.encrypted_content"]}"#,
            ),
            (r#"{"model":"m","store":false,"reasoning":{}}"#, false, r#"{"model":"up","store":false,"reasoning":{}}"#),
        ] {
            assert_eq!(sent(body, None, kept), expected, "{body}");
        }
    }

    #[test]
    fn thinking_that_nobody_could_find_is_left_out() {
        const LOST: &str = r#"{"type":"reasoning","id":"rs_1","summary":[]}"#;
        const CLOSED: &str = r#"{"type":"reasoning","encrypted_content":"x"}"#;
        let packed = ThinkingSignature::made_by("a", Format::Messages, None, "s".into()).for_client(Format::Responses);
        let packed = format!(r#"{{"type":"reasoning","encrypted_content":"{packed}"}}"#);
        for (input, expected, dropped) in [
            (format!("[{LOST}]"), "[]".to_owned(), 1),
            (format!("[{LOST} , {CLOSED}]"), format!("[{CLOSED}]"), 1),
            (format!("[{CLOSED} , {LOST}]"), format!("[{CLOSED}]"), 1),
            (format!("[{CLOSED},{LOST},{packed}, {CLOSED}]"), format!("[{CLOSED},{CLOSED}]"), 2),
            (format!("[{CLOSED},{LOST},{packed} ]"), format!("[{CLOSED} ]"), 2),
            (format!("[{CLOSED}]"), format!("[{CLOSED}]"), 0),
        ] {
            let body: &'static str = String::leak(format!(r#"{{"model":"m","store":false,"input":{input}}}"#));
            assert_eq!(sent(body, None, false), format!(r#"{{"model":"up","store":false,"input":{expected}}}"#));
            let members: ResponsesMembers<'_> = serde_json::from_str(body).expect("members");
            assert_eq!(
                ResponsesEditPlaces::of(&members, &Bytes::from_static(body.as_bytes()), false).dropped().len(),
                dropped
            );
        }
    }
}
