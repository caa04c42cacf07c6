//! The report of members that an encoder leaves out, because the provider's format or the model does not take them.

use serde_json::value::RawValue;

use super::json::ObjectWriter;
use super::{
    ChatRequest, ConversionTarget, Format, LocatedValue, MediaContent, ReasoningSettings, ThinkingMode,
    ThinkingSignature, UnknownMember, Unsupported,
};

/// Collects the places of a request that the provider will not see, while the request is written.
#[derive(Debug)]
pub struct DropReport {
    from: Format,
    to: Format,
    dropped: Vec<String>,
    /// The places beyond the most that are named. They are only counted: a hostile request may hold any number.
    more: usize,
}

/// A number in the client's spelling.
pub type SamplingNumber = Option<LocatedValue<Box<RawValue>>>;

/// The most places that are named one by one.
const TOLD_MAX: usize = 64;
/// The longest id of an end user, and the longest cache key, that providers of formats O and R take, in characters.
const ID_LONGEST: usize = 64;

impl DropReport {
    /// An empty report for a request to a provider that speaks `to`.
    #[must_use]
    pub const fn new(ask: &ChatRequest, to: Format) -> Self {
        Self { from: ask.from, to, dropped: Vec::new(), more: 0 }
    }

    /// True if the client speaks the provider's format.
    #[must_use]
    pub fn same_format(&self) -> bool {
        self.from == self.to
    }

    /// Notes that the member at `at` is left out. Only for what does not change what the client gets.
    pub fn drop(&mut self, at: &str) {
        if self.dropped.iter().any(|dropped| dropped == at) {
            return;
        }
        if self.dropped.len() < TOLD_MAX {
            self.dropped.push(at.to_owned());
        } else {
            self.more += 1;
        }
    }

    /// Notes a member as left out, where it is set.
    pub fn drop_any<T>(&mut self, member: Option<&LocatedValue<T>>) {
        if let Some(member) = member {
            self.drop(&member.at);
        }
    }

    /// An id of the client that providers of formats O and R take up to 64 characters of; a longer one is noted as left out.
    /// A client of the provider's format knows itself.
    pub fn short_id<'a>(&mut self, id: Option<&'a LocatedValue<String>>) -> Option<&'a LocatedValue<String>> {
        let id = id?;
        let fits = self.same_format() || id.value.chars().nth(ID_LONGEST).is_none();
        if !fits {
            self.drop(&id.at);
        }
        fits.then_some(id)
    }

    /// Notes the name of a medium as left out, where there is one and the client speaks another format.
    pub fn drop_name(&mut self, at: &str, media: &MediaContent) {
        if media.name.is_none() || self.same_format() {
            return;
        }
        let word = match self.from {
            Format::Chat | Format::Completions | Format::Responses => "filename",
            Format::Messages => "title",
            Format::Generate => "displayName",
        };
        self.drop(&format!("{at}.{word}"));
    }

    /// Notes the signature of the call at `at` as left out, where the client's format has a member for it.
    /// Elsewhere it is part of the call's id, which the client did not write.
    pub fn drop_signature(&mut self, at: &str, signature: Option<&ThinkingSignature>) {
        if signature.is_some() && self.from == Format::Generate && !self.same_format() {
            self.drop(&format!("{at}.thoughtSignature"));
        }
    }

    /// Temperature, `top_p` and `top_k` as the model may see them: for one that takes none, they are noted as left out but for
    /// a 1, which models do unasked. A client of the provider's format knows itself.
    pub fn sampling<'a>(&mut self, ask: &'a ChatRequest, target: &ConversionTarget<'_>) -> [&'a SamplingNumber; 3] {
        let numbers = [&ask.temperature, &ask.top_p, &ask.top_k];
        if self.same_format() || target.capabilities.sampling != Some(false) {
            return numbers;
        }
        let usual = |number: &LocatedValue<Box<RawValue>>| number.value.get().parse() == Ok(1.0);
        let [temperature, top_p, top_k] = numbers;
        self.drop_any(temperature.as_ref().filter(|number| !usual(number)));
        self.drop_any(top_p.as_ref().filter(|number| !usual(number)));
        self.drop_any(top_k.as_ref());
        [&None; 3]
    }

    /// True if the model does not think, so that no setting of thinking may be sent to it.
    /// A request to think is then noted as left out.
    pub fn drop_thinking(&mut self, asked: &LocatedValue<ReasoningSettings>, target: &ConversionTarget<'_>) -> bool {
        let drops = !self.same_format() && target.capabilities.thinking == Some(ThinkingMode::None);
        if drops && asked.value.wants_thinking() {
            self.drop(&asked.at);
        }
        drops
    }

    /// Writes members of the client's format into an object of the same format; of another, notes them as left out.
    pub fn extras(&mut self, extras: &[UnknownMember], object: &mut ObjectWriter<'_>) {
        if self.same_format() {
            object.extras(extras);
        } else {
            self.drop_extras(extras);
        }
    }

    /// Notes the members as left out, nulls and marks excepted: a null asks for nothing, and a mark (see [`UnknownMember::at`])
    /// says nothing that the inner language does not say.
    pub fn drop_extras(&mut self, extras: &[UnknownMember]) {
        for extra in extras.iter().filter(|extra| extra.value.get() != "null" && !extra.at.is_empty()) {
            self.drop(&extra.at);
        }
    }

    /// The places that were left out, in order; beyond the most that are named, only their number.
    #[must_use]
    pub fn into_dropped(mut self) -> Vec<String> {
        if self.more > 0 {
            self.dropped.push(format!("and {} more", self.more));
        }
        self.dropped
    }
}

impl Unsupported {
    /// A refusal of what stands at `at`.
    #[must_use]
    pub fn new(at: &str, reason: impl Into<String>) -> Self {
        Self { at: at.to_owned(), reason: reason.into() }
    }
}
