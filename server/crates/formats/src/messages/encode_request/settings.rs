//! Settings of the answer: its shape, its end, for whom it is.

use super::super::nested;
use super::purpose::RequestPurpose;
use super::shape::EncodedShape;
use super::thinking::ThinkingPlan;
use super::unsupported;
use crate::json::ObjectWriter;
use crate::{ChatRequest, DropReport, LocatedValue, ReasoningEffort, Unsupported};

/// Objects whose unknown members are kept one level up.
const WITHIN: [&str; 3] = ["metadata", "output_config", "tool_choice"];
/// The longest id of an end user, in bytes.
const USER_LENGTH_MAX: usize = 256;
/// Members that bound or place an answer: the endpoint that counts refuses them.
const OF_ANSWERS: [&str; 5] = ["container", "diagnostics", "inference_geo", "metadata", "speed"];

/// Writes `output_config`: the shape, and the word for the effort.
pub fn output(
    ask: &ChatRequest,
    shape: &EncodedShape<'_>,
    plan: &ThinkingPlan<'_>,
    carry: &DropReport,
    object: &mut ObjectWriter<'_>,
) {
    let kept = carry.same_format() && nested::any(&ask.extra, "output_config");
    if !shape.is_written() && plan.effort.is_none() && !kept {
        return;
    }
    let mut config = object.object("output_config");
    config.maybe("effort", plan.effort.map(ReasoningEffort::word));
    shape.write(&mut config);
    if kept {
        nested::write(&ask.extra, "output_config", &mut config);
    }
    config.end();
}

/// Writes what ends an answer, and for whom it is.
///
/// # Errors
/// When a stop text is one that providers refuse.
pub fn answer(ask: &ChatRequest, carry: &mut DropReport, object: &mut ObjectWriter<'_>) -> Result<(), Unsupported> {
    let same = carry.same_format();
    if let Some(stop) = ask.stop.as_ref().filter(|stop| same || !stop.value.is_empty()) {
        if !same {
            unsupported::blank_stops(stop)?;
        }
        object.member("stop_sequences", &stop.value);
    }
    let user = ask.user.as_ref().filter(|user| same || is_anonymous(user, carry));
    if user.is_some() || (same && nested::any(&ask.extra, "metadata")) {
        let mut metadata = object.object("metadata");
        metadata.maybe("user_id", user.map(|user| user.value.as_str()));
        nested::write(if same { &ask.extra } else { &[] }, "metadata", &mut metadata);
        metadata.end();
    }
    let tier = ask.service_tier.as_ref();
    object.maybe("service_tier", tier.and_then(|tier| self::tier(tier, carry)));
    Ok(())
}

/// Notes all of that as left out.
pub fn drop_answer(ask: &ChatRequest, carry: &mut DropReport) {
    carry.drop_any(ask.stop.as_ref());
    carry.drop_any(ask.user.as_ref());
    carry.drop_any(ask.service_tier.as_ref());
}

/// Writes what only this format's clients know to say, for one of them. Ways to think that go by no name here are among them: where
/// thinking is impossible they go.
pub fn extras(
    ask: &ChatRequest,
    impossible: bool,
    purpose: RequestPurpose,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) {
    let leaves = |name: &str| {
        let first = name.split('.').next().unwrap_or(name);
        (impossible && name == "thinking") || (purpose == RequestPurpose::Count && OF_ANSWERS.contains(&first))
    };
    let (left, written): (Vec<_>, Vec<_>) = ask.extra.iter().cloned().partition(|extra| leaves(&extra.name));
    carry.drop_extras(&left);
    nested::write_own(&written, &WITHIN, object);
}

/// Providers refuse ids that are long, or addresses.
fn is_anonymous(user: &LocatedValue<String>, carry: &mut DropReport) -> bool {
    let fits = user.value.len() <= USER_LENGTH_MAX && !user.value.contains('@');
    if !fits {
        carry.drop(&user.at);
    }
    fits
}

fn tier<'a>(tier: &'a LocatedValue<String>, carry: &mut DropReport) -> Option<&'a str> {
    match tier.value.as_str() {
        word if carry.same_format() => Some(word),
        "auto" => Some("auto"),
        "default" | "standard_only" => Some("standard_only"),
        _ => {
            carry.drop(&tier.at);
            None
        }
    }
}
