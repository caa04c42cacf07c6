//! Properties of every stream, whatever a provider sends: checked over one stream at a time, by [`hunt`](super::hunt).

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use bytes::Bytes;
use serde::de::IgnoredAny;

use crate::metering::UsageMeter;
use crate::streaming::chunk::StreamState;
use crate::streaming::client_error::ClientStreamError;
use crate::streaming::forward::StreamForwarder;
use crate::streaming::passthrough::StreamPassthrough;
use crate::streaming::stream_room::StreamRoom;
use crate::streaming::transcode::StreamTranscoder;
use tollgate_formats::wire::sse;

use tollgate_formats::testing::dice::Dice;
use tollgate_formats::testing::{UPSTREAM, echo};
use tollgate_formats::{BlockDelta, BlockOpening, Format, StreamEvent, stream_decoder, stream_encoder};

/// More than any stream under test has, so that its cuts do not decide whether one event is too large.
const EVENT_BYTES_MAX: usize = 1 << 20;
const CONTEXT_TOKENS: u64 = 200_000;
/// The most bytes that come out for each byte that came in: format R tells a text six times over.
const GROWTH_MAX: usize = 24;
/// And for each event: a frame around it, and the echo of the request in format R.
const FRAME_BYTES_MAX: usize = 4096;
/// Of a sequence of kinds of events, what tells one stream from another.
const KINDS_MAX: usize = 48;
const CLIENTS: [Format; 5] = [Format::Chat, Format::Completions, Format::Responses, Format::Messages, Format::Generate];

/// Checks all laws of one stream that comes in reads of any size; gives what is new about it, as a number.
pub fn keep(format: Format, stream: &[u8], dice: &mut Dice) -> u64 {
    let reads = reads(stream, dice);
    let mut news = DefaultHasher::new();
    split(stream, &reads).hash(&mut news);
    if format != Format::Completions {
        read(format, stream).hash(&mut news);
        let client = CLIENTS[dice.roll(CLIENTS.len())];
        let as_list = client == Format::Generate && dice.roll(2) == 0;
        let recode = || {
            let writer = stream_encoder(client, echo(), as_list);
            let tally = UsageMeter::new(format, CONTEXT_TOKENS, 40);
            StreamForwarder::Recoded(StreamTranscoder::new(
                stream_decoder(format, UPSTREAM),
                writer,
                tally,
                StreamRoom::uncounted(EVENT_BYTES_MAX),
            ))
        };
        let seen = same_by_any_reads(&recode, stream, &reads);
        well_formed(client, as_list, &seen.shown);
        let most = stream.len() * GROWTH_MAX + (2 + lines(stream)) * FRAME_BYTES_MAX;
        assert!(seen.shown.len() <= most, "{} bytes of {}", seen.shown.len(), stream.len());
    }
    let hide_usage = dice.roll(2) == 0;
    let as_list = format == Format::Generate && dice.roll(2) == 0;
    let relay = || {
        let relay = StreamPassthrough::new(
            format,
            UsageMeter::new(format, CONTEXT_TOKENS, 40),
            hide_usage,
            StreamRoom::uncounted(EVENT_BYTES_MAX),
        );
        let relay = if as_list { relay.listed() } else { relay };
        StreamForwarder::Same(if format == Format::Responses { relay.with_failed_response(echo()) } else { relay })
    };
    let seen = same_by_any_reads(&relay, stream, &reads);
    seen.tally.hash(&mut news);
    std::mem::discriminant(&seen.then).hash(&mut news);
    if as_list {
        well_formed(format, true, &seen.shown);
    } else if !hide_usage && !is_counted(format, relay(), stream) {
        // Or with the blank line that the provider forgot behind its last event.
        let closed = |line: &[u8]| seen.passed.strip_suffix(line) == Some(stream);
        let passed = stream.starts_with(&seen.passed) || closed(b"\n") || closed(b"\n\n");
        assert!(passed, "a stream of the client's own format passes as it came");
    }
    news.finish()
}

/// True if a client is told our own count, beside what the provider sent.
///
/// That is at the end, or in formats A and R with the event that says why the answer ended, behind which a provider may still
/// report.
fn is_counted(format: Format, mut flow: StreamForwarder, stream: &[u8]) -> bool {
    let at_once = matches!(format, Format::Messages | Format::Responses);
    let counted = |flow: &StreamForwarder| flow.tally().finished() && flow.tally().counted_for_client().is_some();
    let mut events = sse::SseDecoder::default();
    events.push(stream);
    let (mut told, mut goes) = (false, true);
    while let Some(event) = events.next_event().filter(|_| goes) {
        goes = flow.take(&event).then == StreamState::Goes;
        told |= at_once && counted(&flow);
    }
    if goes {
        flow.take(&events.rest());
        flow.end();
    }
    told || flow.tally().counted_for_client().is_some()
}

/// The stream as a connection may give it.
fn reads<'a>(stream: &'a [u8], dice: &mut Dice) -> Vec<&'a [u8]> {
    let size = [1, 3, 17, 200, 4000][dice.roll(5)];
    let (mut reads, mut rest) = (Vec::new(), stream);
    while !rest.is_empty() {
        let (read, after) = rest.split_at((1 + dice.roll(size)).min(rest.len()));
        reads.push(read);
        rest = after;
    }
    reads
}

fn lines(stream: &[u8]) -> usize {
    memchr::memchr2_iter(b'\n', b'\r', stream).count()
}

/// The splitter gives back every byte, and the same events by any reads. Gives how many, roughly.
fn split(stream: &[u8], reads: &[&[u8]]) -> Option<u32> {
    let split = |reads: &[&[u8]]| {
        let mut events = sse::SseDecoder::default();
        let mut out = Vec::new();
        for read in reads {
            events.push(read);
            while let Some(event) = events.next_event() {
                out.push(event);
            }
        }
        (out, events.rest())
    };
    let (events, rest) = split(&[stream]);
    assert!(events.concat().iter().chain(&rest).eq(stream), "no byte is lost");
    assert!((events.clone(), rest) == split(reads), "the same events by any reads");
    events.len().checked_ilog2()
}

/// Checks the order of a reader's events; gives their kinds in order, and the fault that ended them.
///
/// Blocks open in turn, are written to while open, and are closed when the answer says why it ended and when it ends; a
/// provider that goes on in between is heard.
fn read(format: Format, stream: &[u8]) -> Vec<String> {
    let mut reader = stream_decoder(format, UPSTREAM);
    let (mut events, mut steps, mut fault) = (sse::SseDecoder::default(), Vec::new(), None);
    events.push(stream);
    while let Some(event) = events.next_event() {
        let Some(data) = sse::data(&event) else { continue };
        if let Err(garbled) = reader.read(sse::name(&event), &data, &mut steps) {
            fault = Some(garbled);
            break;
        }
        if steps.iter().any(|step| matches!(step, StreamEvent::End | StreamEvent::Error(_))) {
            break;
        }
    }
    if fault.is_none() && !steps.iter().any(|step| matches!(step, StreamEvent::End | StreamEvent::Error(_))) {
        reader.finish(&mut steps);
    }
    in_order(&steps);
    let mut kinds: Vec<String> = steps.iter().map(kind).collect();
    kinds.dedup();
    kinds.truncate(KINDS_MAX);
    kinds.extend(fault.map(|garbled| {
        let place: String = garbled.at.chars().filter(|character| !character.is_ascii_digit()).collect();
        format!("{place}: {}", garbled.expected)
    }));
    kinds
}

fn in_order(steps: &[StreamEvent]) {
    let (mut opened, mut open) = (0, BTreeSet::new());
    for step in steps {
        match step {
            StreamEvent::Open { index, .. } => {
                assert_eq!(*index, opened, "blocks open in turn: {steps:?}");
                opened += 1;
                open.insert(*index);
            }
            StreamEvent::Delta { index, .. } => assert!(open.contains(index), "written to while open: {steps:?}"),
            StreamEvent::Close { index } => assert!(open.remove(index), "closed once: {steps:?}"),
            StreamEvent::Stop(_) | StreamEvent::End => assert!(open.is_empty(), "closed at the end: {steps:?}"),
            StreamEvent::Start { .. } | StreamEvent::Usage(_) | StreamEvent::Error(_) | StreamEvent::Ping => {}
        }
    }
}

fn kind(step: &StreamEvent) -> String {
    match step {
        StreamEvent::Open { opening: BlockOpening::Whole(block), .. } => {
            format!("open {:?}", std::mem::discriminant(&block.kind))
        }
        StreamEvent::Open { opening, .. } => format!("open {:?}", std::mem::discriminant(opening)),
        StreamEvent::Delta { delta: BlockDelta::Text(text), .. } => format!("text {}", text.is_empty()),
        StreamEvent::Delta { delta, .. } => format!("delta {:?}", std::mem::discriminant(delta)),
        StreamEvent::Stop(stop) => format!("stop {stop:?}"),
        StreamEvent::Usage(_) => "usage".to_owned(),
        step => format!("{:?}", std::mem::discriminant(step)),
    }
}

/// The view that the client and the ledger have of a stream.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    /// The bytes that are the provider's.
    passed: Vec<u8>,
    /// All that the client gets, our own words at the end of a broken stream included.
    shown: Vec<u8>,
    then: StreamState,
    tally: String,
}

fn same_by_any_reads(flow: &dyn Fn() -> StreamForwarder, stream: &[u8], reads: &[&[u8]]) -> Seen {
    let whole = seen(flow(), &[stream]);
    assert_eq!(whole, seen(flow(), reads), "the same by any reads");
    whole
}

fn seen(mut flow: StreamForwarder, reads: &[&[u8]]) -> Seen {
    let (mut passed, mut then) = (Vec::new(), StreamState::Goes);
    for read in reads {
        let taken = flow.take(read);
        passed.extend_from_slice(&taken.forward);
        then = taken.then;
        if then != StreamState::Goes {
            break;
        }
    }
    if then == StreamState::Goes {
        let taken = flow.end();
        passed.extend_from_slice(&taken.forward);
        then = taken.then;
    }
    let mut shown = passed.clone();
    match &then {
        StreamState::Ends(last) => {
            passed.extend_from_slice(last);
            shown.extend_from_slice(last);
        }
        StreamState::Failed(last) if !last.is_empty() => shown.extend_from_slice(last),
        StreamState::Goes
        | StreamState::Failed(_)
        | StreamState::Broken
        | StreamState::TooLarge
        | StreamState::NoRoom => {
            shown.extend_from_slice(&flow.held());
            shown.extend_from_slice(&flow.error_event(&words()));
        }
    }
    Seen { passed, shown, then, tally: format!("{:?}", flow.tally()) }
}

fn words() -> ClientStreamError {
    let body = Bytes::from_static(br#"{"error":{"message":"It broke."}}"#);
    let event = [b"data: ", &body[..], b"\n\n"].concat().into();
    ClientStreamError { code: "upstream_error", message: "It broke.".to_owned(), body, event }
}

/// Checks that the output is of the client's format: JSON in every event, or one list.
fn well_formed(client: Format, as_list: bool, shown: &[u8]) {
    let is_json = |bytes: &[u8]| serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
    if as_list {
        assert!(is_json(shown), "one list: {}", shown.escape_ascii());
        return;
    }
    let mut events = sse::SseDecoder::default();
    events.push(shown);
    while let Some(event) = events.next_event() {
        let Some(data) = sse::data(&event) else { continue };
        let done = &*data == b"[DONE]" && matches!(client, Format::Chat | Format::Completions);
        assert!(done || is_json(&data), "an event of {client:?}: {}", data.escape_ascii());
    }
    assert!(events.rest().is_empty(), "ends with a whole event: {}", shown.escape_ascii());
}
