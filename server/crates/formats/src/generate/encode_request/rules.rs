//! Settings of other formats that are refused here, and the names that functions may have.

use crate::{ChatRequest, Format, Unsupported};

/// Most texts at which an answer can end.
const STOP_TEXTS_MAX: usize = 5;

/// Refuses what would change the answer if it were left out.
///
/// # Errors
/// [`Unsupported`] for the first such member.
pub fn refuse(ask: &ChatRequest) -> Result<(), Unsupported> {
    if let Some(choices) = ask.choices.as_ref().filter(|choices| choices.value > 1) {
        return Err(Unsupported::new(&choices.at, "one answer is all that this model gives here; ask several times"));
    }
    let likely = "log probabilities are not converted between formats; leave it out";
    if let Some(logprobs) = ask.logprobs.as_ref().filter(|logprobs| logprobs.value) {
        return Err(Unsupported::new(&logprobs.at, likely));
    }
    if let Some(top) = ask.top_logprobs.as_ref().filter(|top| top.value > 0) {
        return Err(Unsupported::new(&top.at, likely));
    }
    if let Some(bias) =
        ask.logit_bias.as_ref().filter(|bias| !bias.value.get().trim_matches(['{', '}', ' ']).is_empty())
    {
        return Err(Unsupported::new(&bias.at, "the model's provider takes no bias of tokens; leave it out"));
    }
    if let Some(stop) = ask.stop.as_ref().filter(|stop| stop.value.len() > STOP_TEXTS_MAX) {
        let reason = format!("the model's provider takes at most {STOP_TEXTS_MAX} stop texts");
        return Err(Unsupported::new(&stop.at, reason));
    }
    Ok(())
}

/// The name, where the format allows it.
///
/// # Errors
/// [`Unsupported`] where it does not.
pub fn name<'n>(name: &'n str, at: &str) -> Result<&'n str, Unsupported> {
    if Format::Generate.takes_function_name(name) {
        return Ok(name);
    }
    let rule = "starts with a letter or `_`, goes on with letters, digits, `_`, `.`, `:`, `-`";
    let reason = format!("a function's name here {rule} and has at most 64 characters; rename `{name}`");
    Err(Unsupported::new(at, reason))
}
