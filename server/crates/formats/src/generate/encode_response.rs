//! A whole answer, written for a client.

use super::super::json::ObjectWriter;
use super::super::{ChatResponse, ContentBlock, ResponseChoice, ResponseContext, UnknownMember};
use super::{encode_parts, encode_value};

/// Members of a candidate that no other format has; others' are not copied.
const OWN_OF_CANDIDATE: [&str; 8] = [
    "avgLogprobs",
    "citationMetadata",
    "finishMessage",
    "groundingAttributions",
    "groundingMetadata",
    "logprobsResult",
    "tokenCount",
    "urlContextMetadata",
];

/// Writes the answer of `:generateContent`: a candidate for each choice, always with `safetyRatings`, and the usage, always
/// with the three figures. Without choices it is a blocked prompt.
#[must_use]
pub fn write(reply: &ChatResponse, echo: &ResponseContext) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    let mut answer = ObjectWriter::new(&mut out);
    let mut candidates = answer.array("candidates");
    for (index, choice) in reply.choices.iter().enumerate() {
        let mut candidate = candidates.object();
        self::candidate(index, choice, &mut candidate);
        candidate.end();
    }
    candidates.end();
    if reply.choices.is_empty() {
        match own(&reply.extra, "promptFeedback") {
            Some(feedback) => answer.member("promptFeedback", &feedback.value),
            None => answer.member("promptFeedback", &blocked()),
        };
    }
    encode_parts::foot(Some(&reply.usage.unwrap_or_default()), echo, &mut answer);
    answer.end();
    encode_value::one_line(&mut out);
    out
}

/// True if the format has a part for a block.
#[must_use]
pub fn has_place(block: &ContentBlock) -> bool {
    encode_parts::part(block).is_some()
}

fn candidate(index: usize, choice: &ResponseChoice, candidate: &mut ObjectWriter<'_>) {
    let ResponseChoice { blocks, stop, extra } = choice;
    let parts: Vec<_> = blocks.iter().filter_map(encode_parts::part).collect();
    encode_parts::content(&parts, candidate);
    encode_parts::ending(stop, candidate);
    candidate.member("index", &index);
    match own(extra, "safetyRatings") {
        Some(ratings) => candidate.member("safetyRatings", &ratings.value),
        None => candidate.member("safetyRatings", &[(); 0]),
    };
    candidate.extras(extra.iter().filter(|extra| OWN_OF_CANDIDATE.contains(&extra.name.as_str())));
}

fn own<'e>(extras: &'e [UnknownMember], name: &str) -> Option<&'e UnknownMember> {
    extras.iter().find(|extra| extra.name == name && extra.value.get() != "null")
}

fn blocked() -> Box<serde_json::value::RawValue> {
    encode_value::of_writer(|feedback| {
        feedback.member("blockReason", "OTHER");
    })
}
