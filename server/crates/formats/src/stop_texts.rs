//! Stop texts for providers that know none: an answer is cut before the first one, and what follows goes nowhere.
//!
//! Only what the model says is looked at, each block for itself: neither thinking nor arguments of calls. In a stream as
//! much is kept back as may turn out to be the beginning of a stop text.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::BytesMut;

use super::{
    BlockDelta, BlockKind, BlockOpening, ChatRequest, ChatResponse, Format, StopReason, StreamEncoder, StreamEvent,
    Unsupported,
};

/// The most stop texts that are looked for: each is compared with each byte of the answer.
const COUNT_MAX: usize = 16;
/// The longest of them in bytes.
const BYTES_MAX: usize = 1024;

/// The texts at which an answer has to be cut, because a provider of `to` is told none.
///
/// # Errors
/// When there are too many, or one is empty or too long.
pub fn stop_texts(ask: &ChatRequest, to: Format) -> Result<Arc<[String]>, Unsupported> {
    let Some(stop) = ask.stop.as_ref().filter(|_| to == Format::Responses && ask.from != to) else {
        return Ok(Arc::default());
    };
    let fits = |text: &String| (1..=BYTES_MAX).contains(&text.len());
    if stop.value.len() > COUNT_MAX || !stop.value.iter().all(fits) {
        let reason = format!("give at most {COUNT_MAX} stop texts for this model, of 1 to {BYTES_MAX} bytes each");
        return Err(Unsupported::new(&stop.at, reason));
    }
    Ok(stop.value.clone().into())
}

/// Cuts a whole answer.
pub fn cut(reply: &mut ChatResponse, texts: &[String]) {
    if texts.is_empty() {
        return;
    }
    for choice in &mut reply.choices {
        let cut = choice.blocks.iter_mut().enumerate().find_map(|(at, block)| {
            let BlockKind::Text(text) = &mut block.kind else { return None };
            let (start, stop) = StopTextSearch::new(texts).push(text)?;
            text.truncate(start);
            Some((at + usize::from(start > 0), stop))
        });
        if let Some((left, stop)) = cut {
            choice.blocks.truncate(left);
            choice.stop = StopReason::Sequence(Some(stop));
        }
    }
}

/// Writes a stream up to the first stop text.
#[derive(Debug)]
pub struct StopTextCutter {
    writer: Box<dyn StreamEncoder>,
    texts: Arc<[String]>,
    /// Blocks that the client has seen begin and not end; of texts what may be the beginning of a stop text.
    open: BTreeMap<usize, Option<UnwrittenTail>>,
    /// The stop text that has come.
    met: Option<String>,
}

/// The end of a text that is not written yet.
#[derive(Debug)]
struct UnwrittenTail {
    search: StopTextSearch,
    kept: String,
}

impl StopTextCutter {
    /// In front of the writer of the client's format.
    #[must_use]
    pub fn wrap(writer: Box<dyn StreamEncoder>, texts: Arc<[String]>) -> Box<dyn StreamEncoder> {
        if texts.is_empty() { writer } else { Box::new(Self { writer, texts, open: BTreeMap::new(), met: None }) }
    }

    fn text(&mut self, index: usize, piece: &str, out: &mut BytesMut) {
        let Some(Some(tail)) = self.open.get_mut(&index) else { return };
        tail.kept.push_str(piece);
        let (said, met) = match tail.search.push(piece) {
            // Counted from the beginning of the text: what is kept begins where the rest was written.
            Some((start, stop)) => (start - tail.search.written, Some(stop)),
            None => (tail.kept.len() - tail.search.may_begin(), None),
        };
        let said: String = tail.kept.drain(..said).collect();
        tail.search.written += said.len();
        if !said.is_empty() {
            self.writer.write(StreamEvent::Delta { index, delta: BlockDelta::Text(said) }, out);
        }
        if met.is_some() {
            self.met = met;
            for index in std::mem::take(&mut self.open).into_keys() {
                self.writer.write(StreamEvent::Close { index }, out);
            }
        }
    }

    fn close(&mut self, index: usize, out: &mut BytesMut) {
        if let Some(Some(UnwrittenTail { kept, .. })) = self.open.remove(&index)
            && !kept.is_empty()
        {
            self.writer.write(StreamEvent::Delta { index, delta: BlockDelta::Text(kept) }, out);
        }
        self.writer.write(StreamEvent::Close { index }, out);
    }
}

impl StreamEncoder for StopTextCutter {
    fn write(&mut self, event: StreamEvent, out: &mut BytesMut) {
        match event {
            StreamEvent::Open { .. } | StreamEvent::Delta { .. } | StreamEvent::Close { .. } if self.met.is_some() => {}
            StreamEvent::Stop(_) if self.met.is_some() => {
                self.writer.write(StreamEvent::Stop(StopReason::Sequence(self.met.clone())), out);
            }
            StreamEvent::Open { index, opening } => {
                let is_text = matches!(opening, BlockOpening::Text);
                let tail =
                    is_text.then(|| UnwrittenTail { search: StopTextSearch::new(&self.texts), kept: String::new() });
                self.open.insert(index, tail);
                self.writer.write(StreamEvent::Open { index, opening }, out);
            }
            StreamEvent::Delta { index, delta: BlockDelta::Text(piece) }
                if matches!(self.open.get(&index), Some(Some(_))) =>
            {
                self.text(index, &piece, out);
            }
            StreamEvent::Close { index } => self.close(index, out),
            other => self.writer.write(other, out),
        }
    }

    fn response(&self) -> Option<Vec<u8>> {
        self.writer.response()
    }

    fn fail(&mut self, code: &str, message: &str, body: &[u8], out: &mut BytesMut) {
        self.writer.fail(code, message, body, out);
    }
}

/// Looks for several texts in one that comes in pieces; each byte is looked at once for each of them.
#[derive(Debug)]
struct StopTextSearch {
    texts: Vec<StopTextPattern>,
    /// Bytes that have come.
    read: usize,
    /// Bytes that have been written on.
    written: usize,
}

/// One of the texts, after Knuth, Morris and Pratt.
#[derive(Debug)]
struct StopTextPattern {
    text: String,
    /// For each beginning of it: the longest shorter one that it ends with.
    shorter: Vec<usize>,
    /// The number of its first bytes that the input so far ends with.
    matched: usize,
}

impl StopTextSearch {
    fn new(texts: &[String]) -> Self {
        Self { texts: texts.iter().map(|text| StopTextPattern::new(text)).collect(), read: 0, written: 0 }
    }

    /// Takes a piece; gives the first text that is now complete, with its place counted from the beginning of the input.
    fn push(&mut self, piece: &str) -> Option<(usize, String)> {
        for byte in piece.bytes() {
            self.read += 1;
            let mut found: Option<&StopTextPattern> = None;
            for wanted in &mut self.texts {
                // Of those that end here the longest begins first.
                if wanted.push(byte) && found.is_none_or(|found| found.text.len() < wanted.text.len()) {
                    found = Some(wanted);
                }
            }
            if let Some(found) = found {
                return Some((self.read - found.text.len(), found.text.clone()));
            }
        }
        None
    }

    /// The number of bytes at the end that may be the beginning of one of the texts.
    fn may_begin(&self) -> usize {
        self.texts.iter().map(|wanted| wanted.matched).max().unwrap_or_default()
    }
}

impl StopTextPattern {
    fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut shorter = vec![0; bytes.len()];
        let mut length = 0;
        for at in 1..bytes.len() {
            while length > 0 && bytes[at] != bytes[length] {
                length = shorter[length - 1];
            }
            length += usize::from(bytes[at] == bytes[length]);
            shorter[at] = length;
        }
        Self { text: text.to_owned(), shorter, matched: 0 }
    }

    /// Takes a byte, and tells whether the text is complete.
    fn push(&mut self, byte: u8) -> bool {
        let bytes = self.text.as_bytes();
        while self.matched > 0 && bytes[self.matched] != byte {
            self.matched = self.shorter[self.matched - 1];
        }
        self.matched += usize::from(bytes[self.matched] == byte);
        self.matched == bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that a client sees of one in `pieces`, and the stop text that cut it.
    fn cut_stream(texts: &[&str], pieces: &[&str]) -> (String, Option<String>) {
        #[derive(Debug, Default)]
        struct Log(Vec<StreamEvent>);
        impl StreamEncoder for Arc<std::sync::Mutex<Log>> {
            fn write(&mut self, event: StreamEvent, _: &mut BytesMut) {
                self.lock().expect("no panic").0.push(event);
            }
            fn fail(&mut self, _: &str, _: &str, _: &[u8], _: &mut BytesMut) {}
        }
        let log = Arc::new(std::sync::Mutex::new(Log::default()));
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let mut writer = StopTextCutter::wrap(Box::new(log.clone()), texts.into());
        let mut out = BytesMut::new();
        writer.write(StreamEvent::Open { index: 0, opening: BlockOpening::Text }, &mut out);
        for piece in pieces {
            writer.write(StreamEvent::Delta { index: 0, delta: BlockDelta::Text((*piece).to_owned()) }, &mut out);
        }
        writer.write(StreamEvent::Close { index: 0 }, &mut out);
        writer.write(StreamEvent::Open { index: 1, opening: BlockOpening::Text }, &mut out);
        writer.write(StreamEvent::Close { index: 1 }, &mut out);
        writer.write(StreamEvent::Stop(StopReason::Natural), &mut out);
        let (mut said, mut met) = (String::new(), None);
        let log = log.lock().expect("no panic");
        let blocks = log.0.iter().filter(|event| matches!(event, StreamEvent::Open { .. })).count();
        let closed = log.0.iter().filter(|event| matches!(event, StreamEvent::Close { .. })).count();
        for event in &log.0 {
            match event {
                StreamEvent::Delta { delta: BlockDelta::Text(text), .. } => said.push_str(text),
                StreamEvent::Stop(StopReason::Sequence(stop)) => met.clone_from(stop),
                _ => {}
            }
        }
        assert_eq!((blocks, closed), if met.is_some() { (1, 1) } else { (2, 2) }, "{log:?}");
        (said, met)
    }

    #[test]
    fn an_answer_is_cut_before_the_first_stop_text() {
        for (texts, answer, said, met) in [
            (&["END"][..], "one END two END", "one ", Some("END")),
            (&["b", "a"], "xab", "x", Some("a")),
            (&["bc", "abc"], "xabcd", "x", Some("abc")),
            (&["aab"], "aaaab", "aa", Some("aab")),
            (&["abab", "x"], "ababx", "", Some("abab")),
            (&["END"], "no EN", "no EN", None),
            (&["é!", "ü"], "é?é!ü", "é?", Some("é!")),
        ] {
            let expected = (said.to_owned(), met.map(str::to_owned));
            let pieces: Vec<String> = answer.chars().map(String::from).collect();
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            assert_eq!(cut_stream(texts, &[answer]), expected, "{answer}");
            assert_eq!(cut_stream(texts, &pieces), expected, "{answer}");
            for at in (1..answer.len()).filter(|at| answer.is_char_boundary(*at)) {
                assert_eq!(cut_stream(texts, &[&answer[..at], &answer[at..]]), expected, "{answer} {at}");
            }
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            let text = |text: &str| super::super::ContentBlock {
                at: String::new(),
                kind: BlockKind::Text(text.to_owned()),
                extra: Vec::new(),
            };
            let blocks = vec![text(answer), text("more")];
            let choice = super::super::ResponseChoice { blocks, stop: StopReason::Natural, extra: Vec::new() };
            let mut reply = ChatResponse { choices: vec![choice], ..ChatResponse::default() };
            cut(&mut reply, &texts);
            let choice = &reply.choices[0];
            let left: Vec<&str> = choice
                .blocks
                .iter()
                .map(|block| match &block.kind {
                    BlockKind::Text(text) => text.as_str(),
                    _ => "",
                })
                .collect();
            match met {
                Some(met) => {
                    let expected = (said.to_owned(), &StopReason::Sequence(Some(met.to_owned())));
                    assert_eq!((left.concat(), &choice.stop), expected);
                }
                None => assert_eq!((left, &choice.stop), (vec![answer, "more"], &StopReason::Natural)),
            }
        }
    }
}
