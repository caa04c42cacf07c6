//! Streams cut anywhere: a reader gets the same events whatever the reads were.

use crate::wire::sse;

use super::super::{Format, StreamEvent, stream_decoder};
use super::{FORMATS, UPSTREAM, answers, golden, name};

/// The events of a stream that comes in these reads.
fn read(upstream: Format, reads: &[&[u8]]) -> String {
    let mut reader = stream_decoder(upstream, UPSTREAM);
    let mut events = sse::SseDecoder::default();
    let mut out: Vec<StreamEvent> = Vec::new();
    for read in reads {
        events.push(read);
        while let Some(event) = events.next_event() {
            if let Some(data) = sse::data(&event) {
                reader.read(sse::name(&event), &data, &mut out).expect("of its format");
            }
        }
    }
    assert!(events.rest().is_empty(), "the stream ends with a whole event");
    reader.finish(&mut out);
    format!("{out:?}")
}

#[test]
fn a_cut_at_any_byte_changes_nothing() {
    for upstream in FORMATS {
        for (fixture, stream) in golden::fixtures(&format!("streams/{}", name(upstream)), ".sse") {
            let whole = format!("{:?}", answers::read(&mut *stream_decoder(upstream, UPSTREAM), &stream));
            for cut in 0..=stream.len() {
                let (before, after) = stream.split_at(cut);
                assert_eq!(read(upstream, &[before, after]), whole, "{} {fixture} cut at {cut}", name(upstream));
            }
        }
    }
}

#[test]
fn reads_of_any_size_change_nothing() {
    for upstream in FORMATS {
        for (fixture, stream) in golden::fixtures(&format!("streams/{}", name(upstream)), ".sse") {
            let whole = format!("{:?}", answers::read(&mut *stream_decoder(upstream, UPSTREAM), &stream));
            for size in [1, 2, 3, 7, 64, 1000] {
                let reads: Vec<&[u8]> = stream.chunks(size).collect();
                assert_eq!(read(upstream, &reads), whole, "{} {fixture} by {size}", name(upstream));
            }
        }
    }
}

#[test]
fn the_ends_of_lines_change_nothing() {
    for upstream in FORMATS {
        for (fixture, stream) in golden::fixtures(&format!("streams/{}", name(upstream)), ".sse") {
            let text = String::from_utf8(stream).expect("text").replace("\r\n", "\n");
            let whole = read(upstream, &[text.as_bytes()]);
            // A lone return at the very end waits for the rest of its line end.
            for ends in [text.replace('\n', "\r\n"), text.replace('\n', "\r") + "\n", format!("\u{feff}{text}")] {
                assert_eq!(read(upstream, &[ends.as_bytes()]), whole, "{} {fixture}", name(upstream));
            }
        }
    }
}
