//! Server-sent events as byte ranges: where one ends, and what its data is. Nothing is copied or changed.
//!
//! Line ends may be `\n`, `\r\n` or `\r`; an event ends at its blank line. Events may be cut anywhere between reads,
//! in the middle of a character or of a line end.

use std::borrow::Cow;

use bytes::{Bytes, BytesMut};

/// The size of an event whose buffer is not used on: what follows it is small mostly, and would keep all of it.
const LARGE_EVENT_BYTES: usize = 4 << 20;

/// Collects reads and gives out whole events, terminator included, byte for byte.
#[derive(Debug, Default)]
pub struct SseDecoder {
    /// Bytes that have arrived and were not given out.
    pending: BytesMut,
    /// The bytes of `pending` that were searched. `line_start` is where the line under the search starts.
    searched: usize,
    line_start: usize,
}

impl SseDecoder {
    /// Takes a read.
    pub fn push(&mut self, read: &[u8]) {
        self.pending.extend_from_slice(read);
    }

    /// Bytes that wait for the rest of their event.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.pending.len()
    }

    /// The next whole event, or `None` until more has arrived.
    pub fn next_event(&mut self) -> Option<Bytes> {
        while let Some(found) = memchr::memchr2(b'\n', b'\r', &self.pending[self.searched..]) {
            let end = self.searched + found;
            let next = self.after_line_end(end)?;
            let blank = end == self.line_start;
            self.searched = next;
            self.line_start = next;
            if blank {
                self.searched = 0;
                self.line_start = 0;
                let event = self.pending.split_to(next).freeze();
                if event.len() > LARGE_EVENT_BYTES {
                    self.pending = BytesMut::from(&self.pending[..]);
                }
                return Some(event);
            }
        }
        self.searched = self.pending.len();
        None
    }

    /// The rest of a stream that has ended: an event without its blank line, or nothing.
    pub fn rest(&mut self) -> Bytes {
        self.searched = 0;
        self.line_start = 0;
        self.pending.split().freeze()
    }

    /// The start of the next line.
    ///
    /// A `\r` at the very end may be half of `\r\n`: that waits for the next read.
    fn after_line_end(&self, end: usize) -> Option<usize> {
        match (self.pending[end], self.pending.get(end + 1)) {
            (b'\n', _) => Some(end + 1),
            (_, Some(b'\n')) => Some(end + 2),
            (_, Some(_)) => Some(end + 1),
            (_, None) => None,
        }
    }
}

/// The event's data: the text after `data:` (and one space), lines joined by `\n`; `None` for an event without data.
#[must_use]
pub fn data(event: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut lines = lines(event).filter_map(data_of_line);
    let first = lines.next()?;
    let Some(second) = lines.next() else { return Some(Cow::Borrowed(first)) };
    let mut joined = [first, b"\n", second].concat();
    for line in lines {
        joined.push(b'\n');
        joined.extend_from_slice(line);
    }
    Some(Cow::Owned(joined))
}

/// The event's name: the text after `event:`, where there is one and it is UTF-8.
#[must_use]
pub fn name(event: &[u8]) -> Option<&str> {
    let value = lines(event).find_map(|line| line.strip_prefix(b"event:"))?;
    std::str::from_utf8(value).ok().map(str::trim)
}

fn data_of_line(line: &[u8]) -> Option<&[u8]> {
    let value = line.strip_prefix(b"data")?;
    if value.is_empty() {
        return Some(value);
    }
    let value = value.strip_prefix(b":")?;
    Some(value.strip_prefix(b" ").unwrap_or(value))
}

/// The lines of an event, line ends left out. A leading byte order mark is no part of the first line.
fn lines(event: &[u8]) -> impl Iterator<Item = &[u8]> {
    let event = event.strip_prefix(b"\xef\xbb\xbf").unwrap_or(event);
    // `\r\n` gives an empty line between the two, which has no data and is passed over.
    event.split(|byte| matches!(byte, b'\n' | b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &[u8] =
        b"data: {\"a\":1}\n\n: note\r\n\r\nevent: x\rdata: \xe2\x82\xac\rdata:two\r\rdata: [DONE]\n\r\n";

    fn decode(reads: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut events = SseDecoder::default();
        let mut out = Vec::new();
        for read in reads {
            events.push(read);
            while let Some(event) = events.next_event() {
                out.push(event.to_vec());
            }
        }
        assert!(events.rest().is_empty());
        out
    }

    #[test]
    fn cut_at_every_byte_gives_the_same_events() {
        let whole = decode(&[STREAM]);
        assert_eq!(whole.len(), 4);
        assert_eq!(whole.concat(), STREAM);
        for cut in 0..STREAM.len() {
            assert_eq!(decode(&[&STREAM[..cut], &STREAM[cut..]]), whole, "cut at {cut}");
        }
        let bytes: Vec<&[u8]> = STREAM.chunks(1).collect();
        assert_eq!(decode(&bytes), whole);
    }

    #[test]
    fn a_large_event_does_not_keep_its_buffer() {
        let mut events = SseDecoder::default();
        events.push(&vec![b'x'; LARGE_EVENT_BYTES]);
        events.push(b"\n\ndata: 1");
        assert_eq!(events.next_event().map(|event| event.len()), Some(LARGE_EVENT_BYTES + 2));
        assert!(events.pending.capacity() < 1_024, "{}", events.pending.capacity());
        events.push(b"\n\n");
        assert_eq!(events.next_event().as_deref(), Some(&b"data: 1\n\n"[..]));
    }

    #[test]
    fn data_is_what_follows_the_colon() {
        let data: Vec<_> = decode(&[STREAM]).iter().map(|event| data(event).map(Cow::into_owned)).collect();
        let text = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(data, [text("{\"a\":1}"), None, text("€\ntwo"), text("[DONE]")]);
    }
}
