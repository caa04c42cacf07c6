//! Events on the wire: a name, the same name in the data, and a number that counts them.

use bytes::BytesMut;

use crate::json::ObjectWriter;

/// Numbers events.
#[derive(Debug, Default)]
pub struct NumberedEvents {
    next: u64,
    buffer: Vec<u8>,
}

impl NumberedEvents {
    /// Goes on with the number `next`.
    pub fn from(next: u64) -> Self {
        Self { next, buffer: Vec::new() }
    }

    /// Writes an event; `members` writes what it holds besides its name and number.
    pub fn event(&mut self, out: &mut BytesMut, name: &str, members: impl FnOnce(&mut ObjectWriter<'_>)) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        write(self.next, &mut buffer, out, name, members);
        self.buffer = buffer;
        self.next += 1;
    }

    /// Writes the event after which none comes.
    pub fn last_event(&self, out: &mut BytesMut, name: &str, members: impl FnOnce(&mut ObjectWriter<'_>)) {
        write(self.next, &mut Vec::with_capacity(2048), out, name, members);
    }
}

fn write(
    number: u64,
    buffer: &mut Vec<u8>,
    out: &mut BytesMut,
    name: &str,
    members: impl FnOnce(&mut ObjectWriter<'_>),
) {
    let mut event = ObjectWriter::new(buffer);
    event.member("type", name);
    members(&mut event);
    event.member("sequence_number", &number);
    event.end();
    for piece in [b"event: ", name.as_bytes(), b"\ndata: ", buffer, b"\n\n"] {
        out.extend_from_slice(piece);
    }
}
