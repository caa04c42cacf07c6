//! Encrypted thinking in answers of format R: only the provider that wrote it can read it, and it is sent back in a later turn.
//!
//! Providers are asked for it wherever the answer is stored, so that a later turn has it. Clients that asked for it are
//! shown it; for the others the member is null, and its value is kept beside the stored response.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use tollgate_formats::wire::splice::{JsonSplice, range_within};
use tollgate_formats::wire::sse;

/// The value of `include` by which a request asks for encrypted thinking.
pub const INCLUDE: &str = "reasoning.encrypted_content";
/// The name of the member that holds encrypted thinking, with its quotes.
const MEMBER: &[u8] = b"\"encrypted_content\"";

/// Encrypted thinking that the client was not shown, by the id of its item.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HiddenThinking(BTreeMap<String, String>);

/// A whole answer as the client gets it, and the thinking that was removed from it.
#[derive(Debug, Clone)]
pub struct ClientResponse {
    /// The response object.
    pub body: Bytes,
    /// The encrypted thinking that is not in `body`.
    pub hidden: HiddenThinking,
}

/// Memory of whether one model at one provider accepts requests for encrypted thinking.
/// Providers refuse such a request with an error for models that do not think, and nothing else tells which models these
/// are.
#[derive(Debug, Default)]
pub struct ClosedThinking {
    refused: AtomicBool,
}

impl ClosedThinking {
    /// True until a provider has refused such a request.
    #[must_use]
    pub fn may_be_asked_for(&self) -> bool {
        !self.refused.load(Ordering::Relaxed)
    }

    /// Notes that a request was refused because it asked for encrypted thinking, and answered without asking.
    pub fn refused(&self) {
        self.refused.store(true, Ordering::Relaxed);
    }
}

/// True if a refusal complains that encrypted thinking was asked for, so that sending again without asking is worthwhile.
/// Complaints about thinking that the client sent back do not count.
#[must_use]
pub fn blames_question(refusal: &str) -> bool {
    const WHAT: [&str; 2] = ["encrypted content", "encrypted_content"];
    const WHY: [&str; 4] = ["not supported", "unsupported", "invalid value", "include"];
    let words = refusal.to_ascii_lowercase();
    WHAT.iter().any(|word| words.contains(word)) && WHY.iter().any(|word| words.contains(word))
}

#[derive(Deserialize)]
struct ThinkingEvent<'a> {
    #[serde(borrow, default)]
    item: Option<&'a RawValue>,
    #[serde(borrow, default)]
    response: Option<ThinkingOutput<'a>>,
}

#[derive(Deserialize)]
struct ThinkingOutput<'a> {
    #[serde(borrow, default)]
    output: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct ThinkingOutputItem<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    encrypted_content: Option<&'a RawValue>,
}

impl HiddenThinking {
    /// The response object without its encrypted thinking, which is kept here. An item without an id keeps its own,
    /// because it could not be found again.
    pub fn hide_in_response(&mut self, body: Bytes) -> Bytes {
        if memchr::memmem::find(&body, MEMBER).is_none() {
            return body;
        }
        let Ok(ThinkingOutput { output }) = serde_json::from_slice(&body) else { return body };
        let splice = self.take(&body, &output);
        splice.apply(&body)
    }

    /// The event of a stream without the encrypted thinking of its item or response, which is kept here.
    pub fn hide_in_event(&mut self, event: Bytes) -> Bytes {
        if memchr::memmem::find(&event, MEMBER).is_none() {
            return event;
        }
        // An event of several data lines was joined elsewhere, and is left as it is.
        let splice = sse::data(&event).and_then(|data| {
            let ThinkingEvent { item, response } = serde_json::from_slice(&data).ok()?;
            let items: Vec<&RawValue> = item.into_iter().chain(response.into_iter().flat_map(|it| it.output)).collect();
            Some(self.take(&event, &items))
        });
        splice.map(|splice| splice.apply(&event)).unwrap_or(event)
    }

    /// Several whole events in a row without their encrypted thinking, which is kept here.
    pub fn hide_in_events(&mut self, events: Bytes) -> Bytes {
        if memchr::memmem::find(&events, MEMBER).is_none() {
            return events;
        }
        let mut rows = sse::SseDecoder::default();
        rows.push(&events);
        let mut shown = Vec::with_capacity(events.len());
        while let Some(event) = rows.next_event() {
            shown.extend_from_slice(&self.hide_in_event(event));
        }
        shown.extend_from_slice(&rows.rest());
        shown.into()
    }

    /// The text that is stored: a JSON object, or empty where nothing is hidden.
    #[must_use]
    pub fn to_text(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        serde_json::to_string(&self.0).expect("texts by texts are JSON")
    }

    /// Reads a text that [`to_text`](Self::to_text) wrote.
    ///
    /// # Errors
    /// When the text is neither empty nor such a JSON object.
    pub fn from_text(text: &str) -> Result<Self, serde_json::Error> {
        if text.is_empty() { Ok(Self::default()) } else { serde_json::from_str(text).map(Self) }
    }

    /// The item with its encrypted thinking put back, as the provider sent it.
    #[must_use]
    pub fn shown_in(&self, item: Box<RawValue>) -> Box<RawValue> {
        if self.0.is_empty() {
            return item;
        }
        let Some(closed) = self.of(&item) else { return item };
        let closed = serde_json::Value::from(closed).to_string();
        let bytes = Bytes::from(item.get().to_owned());
        let mut splice = JsonSplice::default();
        match member(&bytes) {
            Some(null) => splice.replace(null, closed),
            None => splice.replace(1..1, format!("\"encrypted_content\":{closed},")),
        }
        let whole =
            String::from_utf8(splice.apply(&bytes).to_vec()).ok().and_then(|text| RawValue::from_string(text).ok());
        whole.unwrap_or(item)
    }

    fn of(&self, item: &RawValue) -> Option<&str> {
        let ThinkingOutputItem { id, .. } = serde_json::from_str::<ThinkingOutputItem<'_>>(item.get()).ok()?;
        self.0.get(&*id?).map(String::as_str)
    }

    /// The edits that remove the encrypted thinking of items in `source`; its values are kept here.
    fn take(&mut self, source: &Bytes, items: &[&RawValue]) -> JsonSplice {
        let mut splice = JsonSplice::default();
        for raw in items {
            let Ok(ThinkingOutputItem { kind, id: Some(id), encrypted_content: Some(closed) }) =
                serde_json::from_str(raw.get())
            else {
                continue;
            };
            let text =
                serde_json::from_str::<String>(closed.get()).ok().filter(|_| kind == "reasoning" && !id.is_empty());
            if let (Some(text), Some(range)) = (text, range_within(source, closed.get())) {
                self.0.insert(id.into_owned(), text);
                splice.replace(range, "null".to_owned());
            }
        }
        splice
    }
}

/// The range of the value of `encrypted_content` in an item, null included.
fn member(bytes: &Bytes) -> Option<Range<usize>> {
    #[derive(Deserialize)]
    struct EncryptedContentMember<'a> {
        #[serde(borrow, default, deserialize_with = "tollgate_formats::wire::splice::raw")]
        encrypted_content: Option<&'a RawValue>,
    }
    let EncryptedContentMember { encrypted_content } = serde_json::from_slice(bytes).ok()?;
    range_within(bytes, encrypted_content?.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: &str = r#"{"id":"rs_1", "type":"reasoning","encrypted_content" : "gA\"1","summary":[]}"#;
    const HIDDEN: &str = r#"{"id":"rs_1", "type":"reasoning","encrypted_content" : null,"summary":[]}"#;

    fn hidden() -> HiddenThinking {
        HiddenThinking(BTreeMap::from([("rs_1".to_owned(), "gA\"1".to_owned())]))
    }

    #[test]
    fn an_answer_hides_its_closed_thinking_and_nothing_else() {
        for (body, expected, kept) in [
            (format!(r#"{{"n":1.0,"output":[{SHOWN}]}}"#), format!(r#"{{"n":1.0,"output":[{HIDDEN}]}}"#), hidden()),
            (
                r#"{"output":[{"type":"compaction","id":"c","encrypted_content":"x"}]}"#.to_owned(),
                r#"{"output":[{"type":"compaction","id":"c","encrypted_content":"x"}]}"#.to_owned(),
                HiddenThinking::default(),
            ),
            (
                r#"{"output":[{"type":"reasoning","encrypted_content":"x"}]}"#.to_owned(),
                r#"{"output":[{"type":"reasoning","encrypted_content":"x"}]}"#.to_owned(),
                HiddenThinking::default(),
            ),
            ("<\"encrypted_content\">".to_owned(), "<\"encrypted_content\">".to_owned(), HiddenThinking::default()),
        ] {
            let mut taken = HiddenThinking::default();
            assert_eq!(taken.hide_in_response(Bytes::from(body.clone())), expected, "{body}");
            assert_eq!(taken, kept, "{body}");
        }
    }

    #[test]
    fn a_refusal_of_the_question_is_told_from_one_of_the_conversation() {
        for (words, blames) in [
            ("Encrypted content is not supported with this model.", true),
            ("Invalid value: 'reasoning.encrypted_content'. Supported values are: 'a'.", true),
            (r#"{"message":"Unknown word reasoning.encrypted_content","param":"include"}"#, true),
            ("The encrypted content for item rs_1 could not be verified.", false),
            ("include[0] is not supported", false),
        ] {
            assert_eq!(blames_question(words), blames, "{words}");
        }
    }

    #[test]
    fn events_hide_it_in_items_and_in_responses() {
        let event = format!("event: a\r\ndata: {{\"item\":{SHOWN}}}\r\n\r\n");
        let last = format!("data: {{\"response\":{{\"output\":[{SHOWN}]}}}}\n\n");
        let other = "data: {\"delta\":\"\\\"encrypted_content\\\"\"}\n\n";
        let mut taken = HiddenThinking::default();
        let shown = taken.hide_in_events([event, other.to_owned(), last].concat().into());
        let expected = format!(
            "event: a\r\ndata: {{\"item\":{HIDDEN}}}\r\n\r\n{other}data: {{\"response\":{{\"output\":[{HIDDEN}]}}}}\n\n"
        );
        assert_eq!((shown, taken), (Bytes::from(expected), hidden()));
    }

    #[test]
    fn what_was_hidden_is_put_back_where_it_was() {
        let stored = HiddenThinking::from_text(&hidden().to_text()).expect("it was written so");
        let raw = |text: &str| RawValue::from_string(text.to_owned()).expect("JSON");
        assert_eq!(stored.shown_in(raw(HIDDEN)).get(), SHOWN);
        let without = r#"{"id":"rs_1","type":"reasoning"}"#;
        assert_eq!(
            stored.shown_in(raw(without)).get(),
            r#"{"encrypted_content":"gA\"1","id":"rs_1","type":"reasoning"}"#
        );
        let other = r#"{"id":"rs_2","type":"reasoning","encrypted_content":null}"#;
        assert_eq!(stored.shown_in(raw(other)).get(), other);
        assert_eq!(HiddenThinking::default().to_text(), "");
        assert!(HiddenThinking::from_text("[1]").is_err());
    }
}
