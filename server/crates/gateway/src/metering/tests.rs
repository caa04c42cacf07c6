//! Token usage, against a calculation of its own: the buckets are disjoint and add up, whole and in streams, read from
//! each format and written for each.

use serde_json::{Value, json};

use super::{MeteredEvent, UsageMeter, UsageReport};
use tollgate_base::{PicoUsd, PriceRatio};
use tollgate_credit::{MediaTokens, TokenPrices};
use tollgate_formats::testing::{FORMATS, UPSTREAM, echo, name};
use tollgate_formats::wire::sse;
use tollgate_formats::{Format, StreamEvent, TokenUsage, convert_response, stream_decoder};

/// The counts of a provider, by bucket: uncached, read, written for minutes, written for an hour, said, thought.
type Counts = [u64; 6];

/// Small, large and empty buckets, in all mixtures.
fn counts() -> impl Iterator<Item = Counts> {
    let figures = [0, 1, 1000];
    (0..3_usize.pow(6)).map(move |mut n| {
        [0; 6].map(|_: u64| {
            let figure = figures[n % 3];
            n /= 3;
            figure
        })
    })
}

/// The counts that a format can tell: only format A has two lifetimes, and format G tells of nothing written.
fn told(format: Format, [input, read, minutes, hour, said, thought]: Counts) -> Counts {
    match format {
        Format::Messages => [input, read, minutes, hour, said, thought],
        Format::Chat | Format::Completions | Format::Responses => [input, read, minutes + hour, 0, said, thought],
        Format::Generate => [input + minutes + hour, read, 0, 0, said, thought],
    }
}

/// The usage object of a format, in the words of its facts.
fn object(format: Format, [input, read, minutes, hour, said, thought]: Counts) -> Value {
    let written = minutes + hour;
    let (prompt, output) = (input + read + written, said + thought);
    match format {
        Format::Chat | Format::Completions => {
            json!({"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output,
            "prompt_tokens_details": {"cached_tokens": read, "cache_write_tokens": written},
            "completion_tokens_details": {"reasoning_tokens": thought}})
        }
        Format::Responses => json!({"input_tokens": prompt, "output_tokens": output, "total_tokens": prompt + output,
            "input_tokens_details": {"cached_tokens": read, "cache_write_tokens": written},
            "output_tokens_details": {"reasoning_tokens": thought}}),
        Format::Messages => json!({"input_tokens": input, "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written, "output_tokens": output,
            "cache_creation": {"ephemeral_5m_input_tokens": minutes, "ephemeral_1h_input_tokens": hour},
            "output_tokens_details": {"thinking_tokens": thought}}),
        Format::Generate => json!({"promptTokenCount": prompt, "cachedContentTokenCount": read,
            "candidatesTokenCount": said, "thoughtsTokenCount": thought, "totalTokenCount": prompt + output}),
    }
}

/// A whole answer with that usage.
fn whole(format: Format, usage: &Value) -> Value {
    match format {
        Format::Chat | Format::Completions => {
            json!({"id": "i", "object": "chat.completion", "usage": usage, "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "t"}, "finish_reason": "stop"}]})
        }
        Format::Responses => json!({"id": "i", "object": "response", "status": "completed", "usage": usage, "output": [
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "t"}]}]}),
        Format::Messages => json!({"id": "i", "type": "message", "role": "assistant", "usage": usage,
            "content": [{"type": "text", "text": "t"}], "stop_reason": "end_turn"}),
        Format::Generate => json!({"responseId": "i", "usageMetadata": usage, "candidates": [
            {"content": {"parts": [{"text": "t"}]}, "finishReason": "STOP"}]}),
    }
}

/// The events of a stream that tells that usage.
fn streamed(format: Format, usage: &Value) -> Vec<Value> {
    match format {
        Format::Chat | Format::Completions => vec![
            json!({"choices": [{"index": 0, "delta": {"content": "t"}, "finish_reason": "stop"}]}),
            json!({"choices": [], "usage": usage}),
        ],
        Format::Responses => vec![json!({"type": "response.completed", "response": whole(format, usage)})],
        Format::Messages => {
            // The first event knows of no output yet; the last repeats the sums, and not how long what was written lasts.
            let (mut start, mut last) = (usage.clone(), usage.clone());
            start["output_tokens"] = json!(1);
            start["output_tokens_details"] = Value::Null;
            last.as_object_mut().expect("an object").remove("cache_creation");
            vec![
                json!({"type": "message_start", "message": {"id": "i", "content": [], "usage": start}}),
                json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": last}),
                json!({"type": "message_stop"}),
            ]
        }
        Format::Generate => {
            let running = json!({"promptTokenCount": usage["promptTokenCount"], "totalTokenCount": 1});
            let piece = json!({"candidates": [{"content": {"parts": [{"text": "t"}]}}], "usageMetadata": running});
            vec![piece, whole(format, usage)]
        }
    }
}

/// The last usage that a reader tells of a stream.
fn of_stream(format: Format, usage: &Value) -> TokenUsage {
    let mut reader = stream_decoder(format, UPSTREAM);
    let mut out = Vec::new();
    for event in streamed(format, usage) {
        let text = format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or("message"));
        let data = sse::data(text.as_bytes()).expect("data");
        reader.read(sse::name(text.as_bytes()), &data, &mut out).unwrap_or_else(|fault| panic!("{event}: {fault}"));
    }
    reader.finish(&mut out);
    let mut usages =
        out.iter().filter_map(|event| if let StreamEvent::Usage(usage) = event { Some(*usage) } else { None });
    usages.next_back().unwrap_or_else(|| panic!("{}: {usage}", name(format)))
}

/// The usage object in a whole answer.
fn member(format: Format, answer: &Value) -> &Value {
    let name = if format == Format::Generate { "usageMetadata" } else { "usage" };
    &answer[name]
}

/// True if all that `expected` tells stands in `found`; a zero may be absent.
fn tells(found: &Value, expected: &Value) -> bool {
    match expected {
        Value::Object(members) => members.iter().all(|(name, value)| tells(&found[name], value)),
        Value::Number(number) if number.as_u64() == Some(0) => found.is_null() || found == expected,
        value => found == value,
    }
}

#[test]
fn streams_tell_disjoint_buckets() {
    for (format, counts) in FORMATS.into_iter().flat_map(|format| counts().map(move |counts| (format, counts))) {
        let [input, cache_read, cache_write, cache_write_hour, said, reasoning] = told(format, counts);
        let output = said + reasoning;
        let expected =
            TokenUsage { input, cache_read, cache_write, cache_write_hour, output, reasoning, ..TokenUsage::default() };
        let found = of_stream(format, &object(format, told(format, counts)));
        assert_eq!(found, expected, "{} {counts:?}", name(format));
        assert_eq!(found.total(), counts.iter().sum::<u64>(), "{} {counts:?}", name(format));
    }
}

#[test]
fn whole_answers_tell_the_same_in_every_format() {
    for (from, to) in FORMATS.into_iter().flat_map(|from| FORMATS.map(|to| (from, to))) {
        for counts in counts() {
            let counts = told(from, counts);
            let body = whole(from, &object(from, counts)).to_string();
            let answer = convert_response(from, to, body.as_bytes(), UPSTREAM, &echo()).expect("an answer");
            let answer: Value = serde_json::from_slice(&answer.body).expect("JSON");
            let expected = object(to, told(to, counts));
            let found = member(to, &answer);
            assert!(tells(found, &expected), "{} to {}: {found}\nnot {expected}", name(from), name(to));
        }
    }
}

/// Pico-USD for a token: uncached, read, written for minutes, written for an hour, said or thought. No sum of some is a
/// multiple of another by chance.
const PICOS: [i64; 5] = [7_001, 313, 11_003, 17_011, 29_017];

fn price() -> TokenPrices {
    let [prompt, cached, cache_write, cache_write_long, completion] =
        PICOS.map(|picos| PicoUsd::new(picos).expect("a price"));
    TokenPrices {
        prompt,
        cached,
        cache_write,
        cache_write_long,
        completion,
        media: MediaTokens::default(),
        reasoning: completion,
        request: PicoUsd::ZERO,
        ratio: PriceRatio::ONE,
        version: String::new(),
    }
}

/// The cost of a mixture, in nano-USD.
fn cost([input, read, minutes, hour, said, thought]: Counts) -> i64 {
    let tokens = [input, read, minutes, hour, said + thought].map(|tokens| i64::try_from(tokens).expect("few"));
    let picos: i64 = tokens.into_iter().zip(PICOS).map(|(tokens, picos)| tokens * picos).sum();
    (picos + 999) / 1000
}

#[test]
fn every_mixture_is_charged_bucket_by_bucket() {
    for (format, counts) in FORMATS.into_iter().flat_map(|format| counts().map(move |counts| (format, counts))) {
        let counts = told(format, counts);
        let usage = object(format, counts);
        let mut tally = UsageMeter::new(format, 10_000, 0);
        for event in streamed(format, &usage) {
            tally.add(&MeteredEvent::read(format, event.to_string().as_bytes()).expect("an event"));
        }
        let passed = UsageReport::read(format, &usage.to_string(), 10_000);
        let converted = UsageReport::converted(of_stream(format, &usage), 10_000);
        for (way, reported) in [("passed", passed), ("converted", converted)] {
            let UsageReport::Figures(usage) = reported else { panic!("{} {way} {counts:?}", name(format)) };
            let charged = price().charge(&usage, &[]).expect("a cost").nanos();
            assert_eq!(charged, cost(counts), "{} {way} {counts:?}: {usage:?}", name(format));
        }
        // A report without a word of the output that was seen is not believed, whatever else it says.
        if counts[4] + counts[5] > 0 {
            let streamed = tally.reported().map(|usage| price().charge(&usage, &[]).expect("a cost").nanos());
            assert_eq!(streamed, Some(cost(counts)), "{} streamed {counts:?}", name(format));
        }
    }
}

/// A figure that is none loses no answer, takes back what was told before, and is told to nobody.
#[test]
fn impossible_figures_lose_no_answer() {
    for (format, name_of_output) in [
        (Format::Chat, "completion_tokens"),
        (Format::Responses, "output_tokens"),
        (Format::Messages, "output_tokens"),
        (Format::Generate, "candidatesTokenCount"),
    ] {
        for figure in [json!(-1), json!("many"), json!(1.5), json!([])] {
            let mut usage = object(format, [5, 0, 0, 0, 7, 0]);
            usage[name_of_output] = figure.clone();
            assert_eq!(of_stream(format, &usage), TokenUsage::IMPOSSIBLE, "{} {figure}", name(format));
            assert_eq!(UsageReport::converted(of_stream(format, &usage), 10_000), UsageReport::Absurd);
            let body = whole(format, &usage).to_string();
            for to in FORMATS {
                let answer = convert_response(format, to, body.as_bytes(), UPSTREAM, &echo()).expect("an answer");
                let answer: Value = serde_json::from_slice(&answer.body).expect("JSON");
                let told = sum(member(to, &answer));
                assert_eq!(told, 0, "{} to {}: {answer}", name(format), name(to));
            }
        }
    }
}

/// Parts that are more than their whole are no figures, whether the answer passes or is converted.
#[test]
fn parts_beyond_their_whole_are_believed_nowhere() {
    for (format, usage) in [
        (
            Format::Chat,
            json!({"prompt_tokens": 5, "completion_tokens": 7, "completion_tokens_details": {"reasoning_tokens": 8}}),
        ),
        (
            Format::Chat,
            json!({"prompt_tokens": 5, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 6}}),
        ),
        (
            Format::Chat,
            json!({"prompt_tokens": 5, "completion_tokens": 7, "prompt_tokens_details": {"audio_tokens": 6}}),
        ),
        (
            Format::Chat,
            json!({"prompt_tokens": 5, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": "4"}}),
        ),
        (
            Format::Responses,
            json!({"input_tokens": 5, "output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 8}}),
        ),
        (
            Format::Messages,
            json!({"input_tokens": 5, "output_tokens": 7, "output_tokens_details": {"thinking_tokens": 8}}),
        ),
        (Format::Generate, json!({"promptTokenCount": 5, "candidatesTokenCount": 7, "cachedContentTokenCount": 6})),
    ] {
        assert_eq!(UsageReport::read(format, &usage.to_string(), 10_000), UsageReport::Absurd, "{usage}");
        assert_eq!(of_stream(format, &usage), TokenUsage::IMPOSSIBLE, "{usage}");
    }
}

/// A figure that the last report of a stream leaves out holds, whether the answer passes or is converted.
#[test]
fn a_cache_that_only_the_first_report_tells_is_charged_once() {
    let events = [
        json!({"type": "message_start", "message": {"id": "i", "content": [],
            "usage": {"input_tokens": 3, "cache_read_input_tokens": 100, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "t"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
            "usage": {"input_tokens": 3, "output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ]
    .map(|event| event.to_string());
    let mut tally = UsageMeter::new(Format::Messages, 10_000, 0);
    let (mut reader, mut out) = (stream_decoder(Format::Messages, UPSTREAM), Vec::new());
    for event in &events {
        tally.add(&MeteredEvent::read(Format::Messages, event.as_bytes()).expect("an event"));
        reader.read(None, event.as_bytes(), &mut out).expect("an event");
    }
    let passed = tally.reported().expect("figures");
    let told =
        out.iter().rev().find_map(|event| if let StreamEvent::Usage(usage) = event { Some(*usage) } else { None });
    let converted = UsageReport::converted(told.expect("usage"), 10_000);
    assert_eq!((passed.prompt, passed.cached, passed.completion), (103, 100, 9));
    assert_eq!(converted, UsageReport::Figures(passed));
}

fn sum(usage: &Value) -> u64 {
    match usage {
        Value::Object(members) => members.values().map(sum).sum(),
        value => value.as_u64().unwrap_or(0),
    }
}
