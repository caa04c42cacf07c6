//! Sampling of tokens. Providers take a temperature up to 1, none beside thinking, and not both of temperature and
//! `top_p`.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::json::{JsonValue, ObjectWriter};
use crate::{DropReport, LocatedValue, SamplingNumber};

/// The three settings.
#[derive(Debug, Clone, Copy)]
pub struct SamplingSettings<'a> {
    pub temperature: &'a SamplingNumber,
    pub top_p: &'a SamplingNumber,
    pub top_k: &'a SamplingNumber,
}

/// The least `top_p` beside thinking.
const TOP_P_MIN_THINKING: f64 = 0.95;

impl<'a> SamplingSettings<'a> {
    /// Of temperature, `top_p` and `top_k`.
    pub fn of([temperature, top_p, top_k]: [&'a SamplingNumber; 3]) -> Self {
        Self { temperature, top_p, top_k }
    }

    /// Notes all of them as left out.
    pub fn drop(self, carry: &mut DropReport) {
        for member in [self.temperature, self.top_p, self.top_k] {
            carry.drop_any(member.as_ref());
        }
    }

    /// Writes them.
    pub fn write(self, thinks: bool, carry: &mut DropReport, object: &mut ObjectWriter<'_>) {
        if carry.same_format() {
            for (name, member) in [("temperature", self.temperature), ("top_p", self.top_p), ("top_k", self.top_k)] {
                object.maybe(name, member.as_ref().map(|member| &member.value));
            }
            return;
        }
        let one = self.one_of_two(carry);
        let temperature = one.temperature.as_ref().and_then(|member| temperature(member, thinks, carry));
        object.maybe("temperature", temperature.as_deref());
        object.maybe("top_p", one.top_p.as_ref().and_then(|member| top_p(member, thinks, carry)));
        object.maybe("top_k", self.top_k.as_ref().and_then(|member| top_k(member, thinks, carry)).as_ref());
    }

    /// Keeps one of temperature and `top_p` where both are set: the one that is not 1, of two the temperature.
    fn one_of_two(self, carry: &mut DropReport) -> Self {
        let (Some(temperature), Some(top_p)) = (self.temperature, self.top_p) else { return self };
        if is_one(&temperature.value) {
            return Self { temperature: &None, ..self };
        }
        if !is_one(&top_p.value) {
            carry.drop(&top_p.at);
        }
        Self { top_p: &None, ..self }
    }
}

fn temperature<'a>(
    member: &'a LocatedValue<Box<RawValue>>,
    thinks: bool,
    carry: &mut DropReport,
) -> Option<Cow<'a, RawValue>> {
    if thinks {
        drop_unless_one(member, carry);
        return None;
    }
    let value: f64 = serde_json::from_str(member.value.get()).ok()?;
    if (0.0..=1.0).contains(&value) {
        return Some(Cow::Borrowed(&member.value));
    }
    carry.drop(&member.at);
    let nearest = if value > 1.0 { "1" } else { "0" };
    serde_json::from_str(nearest).ok().map(Cow::Owned)
}

fn top_p<'a>(member: &'a LocatedValue<Box<RawValue>>, thinks: bool, carry: &mut DropReport) -> Option<&'a RawValue> {
    let value: f64 = serde_json::from_str(member.value.get()).ok()?;
    if thinks && value < TOP_P_MIN_THINKING {
        carry.drop(&member.at);
        return None;
    }
    Some(&member.value)
}

fn top_k(member: &LocatedValue<Box<RawValue>>, thinks: bool, carry: &mut DropReport) -> Option<u64> {
    let whole = as_value(&member.value).whole().ok().filter(|_| !thinks);
    if whole.is_none() {
        carry.drop(&member.at);
    }
    whole
}

/// 1 is what providers do unasked.
fn drop_unless_one(member: &LocatedValue<Box<RawValue>>, carry: &mut DropReport) {
    if !is_one(&member.value) {
        carry.drop(&member.at);
    }
}

fn is_one(number: &RawValue) -> bool {
    as_value(number).whole() == Ok(1)
}

fn as_value(raw: &RawValue) -> JsonValue<'_> {
    JsonValue { at: String::new(), raw }
}
