//! Events as bytes.

use bytes::BytesMut;

use crate::json::ObjectWriter;

/// Opens block `index`.
pub fn start(index: usize, out: &mut BytesMut, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
    event("content_block_start", out, |data| {
        data.member("index", &index);
        let mut content = data.object("content_block");
        fill(&mut content);
        content.end();
    });
}

/// Adds to block `index`: `name` is the member that holds the `text` in a delta of type `word`.
pub fn delta(index: usize, word: &str, name: &str, text: &str, out: &mut BytesMut) {
    event("content_block_delta", out, |data| {
        data.member("index", &index);
        let mut delta = data.object("delta");
        delta.member("type", word).member(name, text);
        delta.end();
    });
}

/// Closes block `index`.
pub fn stop(index: usize, out: &mut BytesMut) {
    event("content_block_stop", out, |data| {
        data.member("index", &index);
    });
}

/// Writes an event whose name is its type.
pub fn event(word: &str, out: &mut BytesMut, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
    let mut json = Vec::with_capacity(128);
    let mut data = ObjectWriter::new(&mut json);
    data.member("type", word);
    fill(&mut data);
    data.end();
    send(word, &json, out);
}

/// Writes an event of which the data is made. JSON has line ends between its members only, where a space does as well; in
/// an event one would end the data.
pub fn send(name: &str, json: &[u8], out: &mut BytesMut) {
    out.extend_from_slice(b"event: ");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\ndata: ");
    let start = out.len();
    out.extend_from_slice(json);
    for byte in &mut out[start..] {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    out.extend_from_slice(b"\n\n");
}
