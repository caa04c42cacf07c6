//! Nothing vanishes silently: without a member of a full request the provider's body is another, or fewer places are told
//! as dropped; or the member was refused by name.

use serde_json::Value;

use super::super::{Format, MalformedRequest, Unsupported, decode_request, encode_request};
use super::place::{self, Step};
use super::{FORMATS, golden, name, target};

/// Members that say nothing which the rest of the request, or the answer, does not: whose, for whom (`None`: for all), the
/// end of their place, and why.
const SAY_NOTHING: &[(Option<Format>, Option<Format>, &str, &str)] = &[
    (None, None, "model", "it is sold under another name than the provider's"),
    (None, Some(Format::Generate), "stream", "it stands in the path"),
    (Some(Format::Chat), None, "stream_options.include_usage", "usage is always asked for, and told or not by us"),
    (Some(Format::Responses), None, "stream_options.include_obfuscation", "no stream of ours is padded"),
    (Some(Format::Responses), None, "store", "answers are kept here and never at the provider"),
    (Some(Format::Responses), None, ".id", "the item's own, for providers of this format"),
    (Some(Format::Responses), None, ".status", "the item's own, for providers of this format"),
    (Some(Format::Responses), None, ".phase", "the item's own, for providers of this format"),
    (None, None, ".json_schema.name", "a label"),
    (None, None, "text.format.name", "a label"),
    (None, Some(Format::Messages), ".json_schema.strict", "schemas always bind there"),
    (None, Some(Format::Messages), "text.format.strict", "schemas always bind there"),
    (Some(Format::Responses), Some(Format::Chat), "reasoning.summary", "what thinking is shown cannot be chosen"),
    (Some(Format::Messages), Some(Format::Chat), "thinking.display", "what thinking is shown cannot be chosen"),
    (Some(Format::Generate), Some(Format::Chat), ".includeThoughts", "what thinking is shown cannot be chosen"),
    (Some(Format::Messages), None, "tools[1].name", "a hosted tool goes by its type"),
    (Some(Format::Messages), None, ".source.media_type", "of a text there is one"),
    (Some(Format::Chat), Some(Format::Responses), "stop[0]", STOPS),
    (Some(Format::Chat), Some(Format::Responses), "stop[1]", STOPS),
    (Some(Format::Messages), Some(Format::Responses), "stop_sequences[0]", STOPS),
    (Some(Format::Generate), Some(Format::Responses), "stopSequences[0]", STOPS),
    (Some(Format::Generate), None, "systemInstruction.role", "it has one role"),
    (Some(Format::Generate), None, ".functionResponse.name", "the call with the id has it"),
];

const STOPS: &str = "the answer is cut there by us";

/// The outcome of a request: the body as a text, and the places dropped.
type Written = Result<(String, Vec<String>), Refused>;

/// A place that was refused by name.
#[derive(Debug, PartialEq)]
struct Refused {
    at: String,
    /// True if the reader refused it.
    unreadable: bool,
}

impl From<MalformedRequest> for Refused {
    fn from(MalformedRequest { at, .. }: MalformedRequest) -> Self {
        Self { at, unreadable: true }
    }
}

impl From<Unsupported> for Refused {
    fn from(Unsupported { at, .. }: Unsupported) -> Self {
        Self { at, unreadable: false }
    }
}

fn written(client: Format, upstream: Format, request: &Value) -> Written {
    let ask = decode_request(client, request.to_string().as_bytes(), "m", true)?;
    let encoded = encode_request(upstream, &ask, &target())?;
    Ok((String::from_utf8(encoded.body.to_vec()).expect("text"), encoded.dropped))
}

/// The request without what the provider cannot be told, and the places that were refused.
fn carriable(client: Format, upstream: Format, mut request: Value) -> (Value, Vec<String>) {
    let mut refused = Vec::new();
    while let Err(Refused { at, .. }) = written(client, upstream, &request) {
        let mut place = place::found(&request, &at);
        assert!(!place.is_empty(), "{} to {}: `{at}` is no place", name(client), name(upstream));
        let mut without = taken_out(&request, &place);
        // What its object cannot be without goes with the object.
        while is_missing(&written(client, upstream, &without), &place) {
            place.pop();
            without = taken_out(&request, &place);
        }
        request = without;
        refused.push(at);
        assert!(refused.len() < 100, "{} to {}: {refused:?}", name(client), name(upstream));
    }
    (request, refused)
}

fn taken_out(request: &Value, place: &[Step]) -> Value {
    let mut without = request.clone();
    place::remove(&mut without, place);
    without
}

/// True if the reader complains of the object around `place`.
fn is_missing(written: &Written, place: &[Step]) -> bool {
    let around = place::spelt(&place[..place.len() - 1]);
    matches!(written, Err(Refused { at, unreadable: true }) if place::is_within(at, &around))
}

/// True if the outcome is another one without what stands at `place`, or with another value there.
fn matters(client: Format, upstream: Format, request: &Value, place: &[Step], whole: &Written) -> bool {
    let without = written(client, upstream, &taken_out(request, place));
    if without != *whole && !matches!(without, Err(Refused { unreadable: true, .. })) {
        return true;
    }
    let mut other = request.clone();
    let value = place::get(&mut other, place).expect("a place in the request");
    *value = match &*value {
        Value::String(text) => Value::String(format!("QQ{text}")),
        Value::Bool(flag) => Value::Bool(!flag),
        Value::Number(number) => (number.as_u64().unwrap_or_default() + 1).into(),
        Value::Null | Value::Array(_) | Value::Object(_) => return false,
    };
    written(client, upstream, &other) != *whole
}

fn says_nothing(client: Format, upstream: Format, place: &str) -> bool {
    SAY_NOTHING.iter().any(|(of, to, ending, _)| {
        of.is_none_or(|of| of == client) && to.is_none_or(|to| to == upstream) && place.ends_with(ending)
    })
}

#[test]
fn nothing_vanishes_silently() {
    let mut silent = Vec::new();
    let mut counts = [0; 4];
    for (client, upstream) in FORMATS.into_iter().flat_map(|client| FORMATS.map(|upstream| (client, upstream))) {
        let fixtures = golden::fixtures("full", ".json");
        let (_, body) = fixtures.iter().find(|(of, _)| *of == name(client)).expect("a full request");
        let (request, refused) = carriable(client, upstream, serde_json::from_slice(body).expect("JSON"));
        counts[0] += refused.len();
        let whole = written(client, upstream, &request);
        let (_, dropped) = whole.as_ref().expect("carried");
        for leaf in place::leaves(&request) {
            let place = place::spelt(&leaf);
            if dropped.iter().any(|dropped| place::is_within(&place, dropped)) {
                counts[1] += 1;
            } else if matters(client, upstream, &request, &leaf, &whole) {
                counts[2] += 1;
            } else if says_nothing(client, upstream, &place) || refused.iter().any(|at| place::is_within(at, &place)) {
                counts[3] += 1;
            } else {
                silent.push(format!("{} to {}: {place}", name(client), name(upstream)));
            }
        }
    }
    let [refused, dropped, carried, empty] = counts;
    println!("{refused} refused, {dropped} dropped, {carried} carried, {empty} say nothing");
    assert!(silent.is_empty(), "{} vanish silently:\n{}", silent.len(), silent.join("\n"));
}
