//! What an encoder keeps of the members that it was not made for, or that its model does not take.

use serde_json::value::RawValue;

use super::json::ObjectWriter;
use super::{Ask, At, Extra, Format, Media, NotCarried, Reasoning, Signature, Target, ThinkingMode};

/// Gathers what a provider will not see, while a request is written.
#[derive(Debug)]
pub struct Carry {
    from: Format,
    to: Format,
    dropped: Vec<String>,
    /// Beyond what a header can tell, they are only counted: a hostile request may hold any number.
    more: usize,
}

/// A number in the client's spelling.
pub type Number = Option<At<Box<RawValue>>>;

/// The most places that are told one by one.
const TOLD_MAX: usize = 64;

impl Carry {
    /// Of a request on its way to a provider that speaks `to`.
    #[must_use]
    pub const fn new(ask: &Ask, to: Format) -> Self {
        Self { from: ask.from, to, dropped: Vec::new(), more: 0 }
    }

    /// Whether the client speaks the provider's format.
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

    /// Notes it where there is one.
    pub fn drop_any<T>(&mut self, member: Option<&At<T>>) {
        if let Some(member) = member {
            self.drop(&member.at);
        }
    }

    /// Notes the name of a medium as left out, where there is one and the client speaks another format.
    pub fn drop_name(&mut self, at: &str, media: &Media) {
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

    /// Notes the signature of the call at `at` as left out, where the client's format has a member for it: elsewhere it
    /// rides on an id, and nobody wrote it.
    pub fn drop_signature(&mut self, at: &str, signature: Option<&Signature>) {
        if signature.is_some() && self.from == Format::Generate && !self.same_format() {
            self.drop(&format!("{at}.thoughtSignature"));
        }
    }

    /// Temperature, `top_p` and `top_k` as the model may see them: for one that takes none, they are noted as left out but for
    /// a 1, which models do unasked. A client of the provider's format knows itself.
    pub fn sampling<'a>(&mut self, ask: &'a Ask, target: &Target<'_>) -> [&'a Number; 3] {
        let numbers = [&ask.temperature, &ask.top_p, &ask.top_k];
        if self.same_format() || target.capabilities.sampling != Some(false) {
            return numbers;
        }
        let usual = |number: &At<Box<RawValue>>| number.value.get().parse() == Ok(1.0);
        let [temperature, top_p, top_k] = numbers;
        self.drop_any(temperature.as_ref().filter(|number| !usual(number)));
        self.drop_any(top_p.as_ref().filter(|number| !usual(number)));
        self.drop_any(top_k.as_ref());
        [&None; 3]
    }

    /// Whether the model does not think, so that nothing that is said of thinking may be sent to it. Who asked for it is told.
    pub fn drops_thinking(&mut self, asked: &At<Reasoning>, target: &Target<'_>) -> bool {
        let drops = !self.same_format() && target.capabilities.thinking == Some(ThinkingMode::None);
        if drops && asked.value.asks() {
            self.drop(&asked.at);
        }
        drops
    }

    /// Writes members of the client's format into an object of the same format; of another, notes them as left out.
    pub fn extras(&mut self, extras: &[Extra], object: &mut ObjectWriter<'_>) {
        if self.same_format() {
            object.extras(extras);
        } else {
            self.drop_extras(extras);
        }
    }

    /// Notes all of them as left out, nulls and marks excepted: a null asks for nothing, and a mark (see [`Extra::at`])
    /// says nothing that the inner language does not say.
    pub fn drop_extras(&mut self, extras: &[Extra]) {
        for extra in extras.iter().filter(|extra| extra.value.get() != "null" && !extra.at.is_empty()) {
            self.drop(&extra.at);
        }
    }

    /// What was left out, in order.
    #[must_use]
    pub fn into_dropped(mut self) -> Vec<String> {
        if self.more > 0 {
            self.dropped.push(format!("and {} more", self.more));
        }
        self.dropped
    }
}

impl NotCarried {
    /// A refusal of what stands at `at`.
    #[must_use]
    pub fn new(at: &str, reason: impl Into<String>) -> Self {
        Self { at: at.to_owned(), reason: reason.into() }
    }
}
