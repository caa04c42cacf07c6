//! Streams, answers and requests with something wrong in them: nothing panics, hangs, or grows beyond measure.
//!
//! `FUZZ_INPUTS` says how many of each; a run by hand in release takes millions.

use bytes::BytesMut;

use super::super::super::sse;
use super::super::{Event, Format, convert_reply, event_reader, event_writer, read_ask, write_ask};
use super::{FORMATS, UPSTREAM, echo, golden, name, target};

/// Of each kind in the suite.
const INPUTS: u64 = 1500;
/// What comes out for each byte that came in, at most: format R tells a text six times over.
const GROWTH_MAX: usize = 24;
/// And for each event: a frame around it, and the echo of the request in format R.
const FRAME_BYTES_MAX: usize = 4096;
/// Pieces that readers trip over.
const STUMBLES: [&[u8]; 14] = [
    b"null",
    b"{}",
    b"[]",
    b"\"\"",
    b"-1",
    b"1e400",
    b"18446744073709551616",
    b"\\ud800",
    b"\xff",
    b"data: ",
    b"\n\n",
    b"\"type\":",
    b"[DONE]",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];

/// A generator that gives the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).expect("64 bits") % sides.max(1)
    }

    fn span(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let start = self.roll(bytes.len());
        start..(start + self.roll(40)).min(bytes.len())
    }

    /// One thing goes wrong.
    fn spoil(&mut self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match self.roll(7) {
            0 => {
                let at = self.roll(bytes.len());
                bytes[at] ^= 1 << self.roll(8);
            }
            1 => drop(bytes.drain(self.span(bytes))),
            2 => bytes.truncate(self.roll(bytes.len())),
            3 => {
                let stumble = STUMBLES[self.roll(STUMBLES.len())];
                let span = self.span(bytes);
                drop(bytes.splice(span, stumble.iter().copied()));
            }
            4 => {
                let (from, to) = (self.span(bytes), self.roll(bytes.len()));
                let copied = bytes[from].to_vec();
                drop(bytes.splice(to..to, copied));
            }
            5 => self.swap_events(bytes),
            _ => self.spoil_value(bytes),
        }
    }

    /// Two events change places, or one comes twice.
    fn swap_events(&mut self, bytes: &mut Vec<u8>) {
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        let mut events: Vec<&str> = text.split_inclusive("\n\n").collect();
        let (one, other) = (self.roll(events.len()), self.roll(events.len()));
        if self.roll(2) == 0 {
            events.swap(one, other);
        } else {
            events.insert(one, events[other]);
        }
        *bytes = events.concat().into_bytes();
    }

    /// Another value stands behind a colon.
    fn spoil_value(&mut self, bytes: &mut Vec<u8>) {
        let colons: Vec<usize> = memchr::memchr_iter(b':', bytes).collect();
        let Some(colon) = colons.get(self.roll(colons.len())) else { return };
        let end = bytes[*colon..].iter().position(|byte| matches!(byte, b',' | b'}' | b'\n'));
        let end = colon + end.unwrap_or(1).max(1);
        drop(bytes.splice(colon + 1..end, STUMBLES[self.roll(STUMBLES.len())].iter().copied()));
    }
}

fn inputs() -> u64 {
    std::env::var("FUZZ_INPUTS").ok().and_then(|inputs| inputs.parse().ok()).unwrap_or(INPUTS)
}

/// Runs `try_one` on spoilt copies of the fixtures in `folder/{format}`.
fn spoilt(folder: &str, ending: &str, mut try_one: impl FnMut(Format, Format, &[u8])) {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let fixtures = FORMATS.map(|format| golden::fixtures(&format!("{folder}/{}", name(format)), ending));
    for input in 0..inputs() {
        let of = usize::try_from(input).expect("64 bits") % FORMATS.len();
        let mut bytes = fixtures[of][dice.roll(fixtures[of].len())].1.clone();
        for _ in 0..=dice.roll(4) {
            dice.spoil(&mut bytes);
        }
        try_one(FORMATS[of], FORMATS[dice.roll(FORMATS.len())], &bytes);
    }
}

#[test]
fn spoilt_streams_do_no_harm() {
    spoilt("streams", ".sse", |upstream, client, stream| {
        let mut reader = event_reader(upstream, UPSTREAM);
        let mut writer = event_writer(client, echo(), false);
        let (mut events, mut steps, mut out) = (sse::Events::default(), Vec::new(), BytesMut::new());
        let mut count = 1;
        events.push(stream);
        while let Some(event) = events.next_event() {
            let Some(data) = sse::data(&event) else { continue };
            if reader.read(sse::name(&event), &data, &mut steps).is_err() {
                break;
            }
        }
        reader.finish(&mut steps);
        for step in steps {
            count += 1;
            if !matches!(step, Event::Error(_)) {
                writer.write(step, &mut out);
            }
        }
        writer.fail("broken", "It broke.", b"{}", &mut out);
        let most = stream.len() * GROWTH_MAX + count * FRAME_BYTES_MAX;
        assert!(out.len() <= most, "{} bytes of {}: {}", out.len(), stream.len(), String::from_utf8_lossy(stream));
    });
}

#[test]
fn spoilt_answers_do_no_harm() {
    spoilt("replies", ".json", |upstream, client, body| {
        if let Ok(answer) = convert_reply(upstream, client, body, UPSTREAM, &echo()) {
            assert!(serde_json::from_slice::<serde::de::IgnoredAny>(&answer.body).is_ok(), "{answer:?}");
        }
    });
}

#[test]
fn spoilt_requests_do_no_harm() {
    spoilt("asks", ".json", |client, upstream, body| {
        let Ok(ask) = read_ask(client, body, "m", false) else { return };
        if let Ok(encoded) = write_ask(upstream, &ask, &target()) {
            let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&encoded.body).is_ok();
            assert!(is_json, "{:?} of {}", encoded.body, String::from_utf8_lossy(body));
        }
    });
}
