//! The body that a provider is sent: the client's own bytes, with few edits.
//!
//! - The model's name, where the provider has another one.
//! - The usage switch of a stream, so that the provider's own figures can be charged.
//! - The output bound: where the credit buys less than the model's maximum, where the client gave it by a name that the provider
//!   does not know, or where it is too large for a fallback.
//! - The name of the client's bound, where the model thinks and would refuse the older name.
//!
//! Everything else, order and spelling included, is the client's.

use std::ops::Range;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::config::OutputBoundField;
use tollgate_api::Spanned;
use tollgate_formats::wire::splice::{JsonSplice, range_within, raw};

/// The ranges of the members that are edited.
#[derive(Debug)]
pub struct ChatEditPlaces {
    /// The range of the model's name.
    pub model: Range<usize>,
    /// True if the client asked for a stream.
    pub stream: bool,
    /// The range of the stream's options, null included.
    pub stream_options: Option<Range<usize>>,
    /// The bound by its current name, null included.
    pub max_completion_tokens: Option<OutputBound>,
    /// The bound by its older name, null included.
    pub max_tokens: Option<OutputBound>,
}

/// A bound of the output as the client wrote it.
#[derive(Debug)]
pub struct OutputBound {
    place: Range<usize>,
    /// The number of tokens; `None` where it is null.
    tokens: Option<u64>,
}

impl From<Spanned<Option<i64>>> for OutputBound {
    fn from(member: Spanned<Option<i64>>) -> Self {
        Self { place: member.span, tokens: member.value.and_then(|tokens| u64::try_from(tokens).ok()) }
    }
}

/// The edits of one request that are the same for every provider.
#[derive(Debug)]
pub struct OutgoingBody<'a> {
    bytes: &'a Bytes,
    /// The model as the client names it.
    named: &'a str,
    places: &'a ChatEditPlaces,
    /// The bound to write where the client gave none, or a larger one.
    output_bound: Option<u64>,
    /// True if the model is known to think.
    thinks: bool,
}

impl<'a> OutgoingBody<'a> {
    /// The edits of a request with an `output_bound` for one choice, unless the client's own bound is smaller.
    #[must_use]
    pub fn new(bytes: &'a Bytes, named: &'a str, places: &'a ChatEditPlaces, output_bound: Option<u64>) -> Self {
        Self { bytes, named, places, output_bound, thinks: false }
    }

    /// Sets whether the model is known to think.
    #[must_use]
    pub fn for_thinking(self, thinks: bool) -> Self {
        Self { thinks, ..self }
    }

    /// True if the usage switch of the stream is the gateway's and not the client's.
    #[must_use]
    pub fn hides_usage(&self) -> bool {
        self.places.stream && !self.stream_options().is_some_and(|(options, _)| options.asks_for_usage())
    }

    /// Adds the edits of the body for a provider that knows the model as `model`.
    pub fn edit(&self, model: &str, bound_field: OutputBoundField, splice: &mut JsonSplice) {
        if self.named != model {
            splice.replace(self.places.model.clone(), json_text(model));
        }
        if self.hides_usage() {
            self.switch_usage_on(splice);
        }
        self.cut(splice);
        if self.thinks && !bound_field.is_older() {
            self.rename_older_bound(splice);
        }
        if let Some(bound) = self.bound_to_write(bound_field) {
            let field = bound_field.as_str();
            let null = match bound_field {
                OutputBoundField::MaxCompletionTokens => &self.places.max_completion_tokens,
                OutputBoundField::MaxTokens => &self.places.max_tokens,
            };
            match null {
                Some(null) => splice.replace(null.place.clone(), bound.to_string()),
                None => splice.replace(self.first_member(), format!("\"{field}\":{bound},")),
            }
        }
    }

    /// Replaces each of the client's bounds that is larger than ours.
    fn cut(&self, splice: &mut JsonSplice) {
        let Some(bound) = self.output_bound else { return };
        let given = [&self.places.max_completion_tokens, &self.places.max_tokens];
        for larger in given.into_iter().flatten().filter(|given| given.tokens.is_some_and(|tokens| bound < tokens)) {
            splice.replace(larger.place.clone(), bound.to_string());
        }
    }

    /// Replaces the older name of the client's bound by the newer one.
    /// Where both are there, they stay, and any complaint is the provider's; a name with escaped letters stays too.
    fn rename_older_bound(&self, splice: &mut JsonSplice) {
        const OLDER: &[u8] = b"\"max_tokens\"";
        let ChatEditPlaces { max_completion_tokens: None, max_tokens: Some(older), .. } = self.places else { return };
        let before = self.bytes[..older.place.start].trim_ascii_end().strip_suffix(b":").map(<[u8]>::trim_ascii_end);
        if let Some(before) = before.filter(|before| older.tokens.is_some() && before.ends_with(OLDER)) {
            splice.replace(before.len() - OLDER.len()..before.len(), json_text(OutputBoundField::default().as_str()));
        }
    }

    /// The bound that is to be written where the provider reads it. It is ours where the client gave none, or the
    /// client's for a provider of the older name, because only that much is held.
    fn bound_to_write(&self, field: OutputBoundField) -> Option<u64> {
        let given = |bound: &Option<OutputBound>| bound.as_ref().and_then(|bound| bound.tokens);
        let (newer, older) = (given(&self.places.max_completion_tokens), given(&self.places.max_tokens));
        match field {
            OutputBoundField::MaxCompletionTokens => self.output_bound.filter(|_| newer.or(older).is_none()),
            OutputBoundField::MaxTokens => {
                let unheard = newer.into_iter().chain(self.output_bound).min();
                unheard.filter(|_| older.is_none())
            }
        }
    }

    fn switch_usage_on(&self, splice: &mut JsonSplice) {
        const ON: &str = "\"include_usage\":true";
        match self.stream_options() {
            // Absent or null.
            None => match &self.places.stream_options {
                Some(null) => splice.replace(null.clone(), format!("{{{ON}}}")),
                None => splice.replace(self.first_member(), format!("\"stream_options\":{{{ON}}},")),
            },
            Some((options, span)) => match options.include_usage {
                Some(value) => {
                    let place = range_within(self.bytes, value.get()).expect("it was borrowed from these bytes");
                    splice.replace(place, "true".to_owned());
                }
                None => {
                    let comma = if options.empty { "" } else { "," };
                    splice.replace(span.start + 1..span.start + 1, format!("{ON}{comma}"));
                }
            },
        }
    }

    /// The place right behind the opening brace: the body has a model, so another member follows.
    fn first_member(&self) -> Range<usize> {
        let brace = self.bytes.iter().position(|byte| *byte == b'{').expect("a proxied body is a JSON object");
        brace + 1..brace + 1
    }

    /// The client's stream options, unless absent or null.
    fn stream_options(&self) -> Option<(ClientStreamOptions<'_>, Range<usize>)> {
        let span = self.places.stream_options.clone()?;
        let text = std::str::from_utf8(&self.bytes[span.clone()]).expect("a proxied body is UTF-8");
        let options = serde_json::from_str::<Option<ClientStreamOptions<'_>>>(text).ok().flatten()?;
        Some((ClientStreamOptions { empty: text[1..text.len() - 1].trim().is_empty(), ..options }, span))
    }
}

/// The stream options in the client's bytes.
#[derive(Deserialize)]
struct ClientStreamOptions<'a> {
    /// Null counts as present, because its place is needed.
    #[serde(borrow, default, deserialize_with = "raw")]
    include_usage: Option<&'a RawValue>,
    #[serde(skip)]
    empty: bool,
}

impl ClientStreamOptions<'_> {
    fn asks_for_usage(&self) -> bool {
        self.include_usage.is_some_and(|value| value.get() == "true")
    }
}

/// The value of a switch; absent and null mean false.
pub(super) fn flag(member: Option<&Spanned<Option<bool>>>) -> bool {
    member.and_then(|member| member.value).unwrap_or(false)
}

pub(super) fn json_text(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}
