//! Settings of the answer: its shape, its end, for whom it is.

use super::super::super::json::ObjectWriter;
use super::super::super::{Ask, At, Carry, Effort, NotCarried, OutputShape};
use super::super::nested;
use super::thinking::Plan;
use super::{Purpose, WITHIN, refused, schema};

/// The longest id of an end user, in bytes.
const USER_LENGTH_MAX: usize = 256;
/// Members that bound or place an answer: the endpoint that counts refuses them.
const OF_ANSWERS: [&str; 5] = ["container", "diagnostics", "inference_geo", "metadata", "speed"];

/// Writes `output_config`: the shape, and the word for the effort.
///
/// # Errors
/// When the shape is another format's own.
pub fn output(ask: &Ask, plan: &Plan<'_>, carry: &mut Carry, object: &mut ObjectWriter<'_>) -> Result<(), NotCarried> {
    let shape = ask.shape.as_ref().filter(|shape| !matches!(shape.value, OutputShape::Text));
    let kept = carry.same_format() && nested::any(&ask.extra, "output_config");
    if shape.is_none() && plan.effort.is_none() && !kept {
        return Ok(());
    }
    let mut config = object.object("output_config");
    config.maybe("effort", plan.effort.map(Effort::word));
    if let Some(shape) = shape {
        self::shape(shape, carry, &mut config)?;
    }
    if kept {
        nested::write(&ask.extra, "output_config", &mut config);
    }
    config.end();
    Ok(())
}

/// Writes what ends an answer, and for whom it is.
///
/// # Errors
/// When a stop text is one that providers refuse.
pub fn answer(ask: &Ask, carry: &mut Carry, object: &mut ObjectWriter<'_>) -> Result<(), NotCarried> {
    let same = carry.same_format();
    if let Some(stop) = ask.stop.as_ref().filter(|stop| same || !stop.value.is_empty()) {
        if !same {
            refused::blank_stops(stop)?;
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
pub fn drop_answer(ask: &Ask, carry: &mut Carry) {
    carry.drop_any(ask.stop.as_ref());
    carry.drop_any(ask.user.as_ref());
    carry.drop_any(ask.service_tier.as_ref());
}

/// Writes what only this format's clients know to say, for one of them. Ways to think that go by no name here are among them: where
/// thinking is impossible they go.
pub fn extras(ask: &Ask, impossible: bool, purpose: Purpose, carry: &mut Carry, object: &mut ObjectWriter<'_>) {
    let leaves = |name: &str| {
        let first = name.split('.').next().unwrap_or(name);
        (impossible && name == "thinking") || (purpose == Purpose::Count && OF_ANSWERS.contains(&first))
    };
    let (left, written): (Vec<_>, Vec<_>) = ask.extra.iter().cloned().partition(|extra| leaves(&extra.name));
    carry.drop_extras(&left);
    nested::write_own(&written, &WITHIN, object);
}

fn shape(shape: &At<OutputShape>, carry: &Carry, config: &mut ObjectWriter<'_>) -> Result<(), NotCarried> {
    let mut format = match &shape.value {
        OutputShape::Other(raw) if carry.same_format() => {
            config.member("format", raw);
            return Ok(());
        }
        OutputShape::Other(_) => {
            let reason = "the model's provider answers in text or JSON only; choose another model";
            return Err(NotCarried::new(&shape.at, reason));
        }
        OutputShape::Text => return Ok(()),
        OutputShape::JsonObject | OutputShape::JsonSchema { .. } => config.object("format"),
    };
    format.member("type", "json_schema");
    if let OutputShape::JsonSchema { schema, description, name: _, strict: _ } = &shape.value {
        // Schemas bind here always, and their name says nothing; the description has a place in the schema.
        let described = description.as_deref().map(|words| schema::with(schema, "description", words));
        format.member("schema", described.as_ref().unwrap_or(schema));
    } else {
        let mut any = format.object("schema");
        any.member("type", "object");
        any.end();
    }
    format.end();
    Ok(())
}

/// Providers refuse ids that are long, or addresses.
fn is_anonymous(user: &At<String>, carry: &mut Carry) -> bool {
    let fits = user.value.len() <= USER_LENGTH_MAX && !user.value.contains('@');
    if !fits {
        carry.drop(&user.at);
    }
    fits
}

fn tier<'a>(tier: &'a At<String>, carry: &mut Carry) -> Option<&'a str> {
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
