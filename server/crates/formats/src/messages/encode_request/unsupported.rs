//! Settings that the format has no word for and that must not be left out.

use serde_json::value::RawValue;

use crate::{LocatedValue, Unsupported};

/// Only one answer can be had.
///
/// # Errors
/// When more, or none, are asked for.
pub fn choices(choices: Option<&LocatedValue<u64>>) -> Result<(), Unsupported> {
    match choices {
        Some(choices) if choices.value != 1 => {
            Err(Unsupported::new(&choices.at, "the model's provider gives one answer to a request; ask for 1"))
        }
        _ => Ok(()),
    }
}

/// Log probabilities are not reported, and biases of tokens are not taken.
///
/// # Errors
/// When one of the three is asked for.
pub fn likelihoods(
    told: Option<&LocatedValue<bool>>,
    alternatives: Option<&LocatedValue<u64>>,
    bias: Option<&LocatedValue<Box<RawValue>>>,
) -> Result<(), Unsupported> {
    let refuse = |at: &str, what: &str| Err(Unsupported::new(at, format!("the model's provider {what}; leave it out")));
    if let Some(told) = told.filter(|told| told.value) {
        return refuse(&told.at, "reports no log probabilities");
    }
    if let Some(alternatives) = alternatives.filter(|alternatives| alternatives.value > 0) {
        return refuse(&alternatives.at, "reports no log probabilities");
    }
    let asks = |bias: &&LocatedValue<Box<RawValue>>| bias.value.get().bytes().any(|byte| byte == b':');
    match bias.filter(asks) {
        Some(bias) => refuse(&bias.at, "takes no bias of tokens"),
        None => Ok(()),
    }
}

/// Stop texts need a letter or sign.
///
/// # Errors
/// When one is empty or blank.
pub fn blank_stops(stop: &LocatedValue<Vec<String>>) -> Result<(), Unsupported> {
    let blank = stop.value.iter().any(|stop| stop.trim().is_empty());
    let reason = "the model's provider takes no stop text of blank space alone; give one with a letter or sign";
    if blank { Err(Unsupported::new(&stop.at, reason)) } else { Ok(()) }
}
