//! One stream on its way from a provider to a client of the same format: events are forwarded byte for byte, metered as
//! they pass.
//!
//! Two things are held back. The terminal event, or in format G, which has none, the event that says why the answer ended, waits for the settlement, so that what a client saw complete is in the
//! ledger. And where the usage switch was ours and not the client's, usage is taken out again, and nothing else with it.

use bytes::{Bytes, BytesMut};

use super::exchange::Format;
use super::flow::FaultWords;
use super::hide::{usage_alone, without_member};
use super::meter::{Seen, Tally};
use super::splice::range_within;
use super::sse::{self, Events};

/// The state of one stream.
#[derive(Debug)]
pub struct Relay {
    format: Format,
    events: Events,
    /// Events behind which nothing but the end of the connection is to come.
    held: Forward,
    hide_usage: bool,
    /// Shown as one JSON list: how many elements there are so far.
    list: Option<usize>,
    event_bytes_max: usize,
    begun: bool,
    /// What has gone by.
    pub tally: Tally,
}

/// What a read gave.
#[derive(Debug, PartialEq, Eq)]
pub struct Taken {
    /// To be forwarded now; may be empty.
    pub forward: Bytes,
    /// Where the stream stands after it.
    pub then: Then,
}

/// Where a stream stands.
#[derive(Debug, PartialEq, Eq)]
pub enum Then {
    /// More will come.
    Goes,
    /// The terminal event has come; here it is, held back.
    Ends(Bytes),
    /// The provider reported an error in the stream; here is its event, held back.
    Failed(Bytes),
    /// Cannot go on: the provider broke off, an event is larger than we keep, or the first one has no shape we know.
    Broken,
}

impl Relay {
    /// Starts a stream. `hide_usage` when the client did not ask for usage.
    #[must_use]
    pub fn new(format: Format, tally: Tally, hide_usage: bool, event_bytes_max: usize) -> Self {
        let (events, held) = (Events::default(), Forward::default());
        Self { format, events, held, hide_usage, list: None, event_bytes_max, begun: false, tally }
    }

    /// Shows the events as the elements of one JSON list.
    #[must_use]
    pub fn as_list(mut self) -> Self {
        self.list = Some(0);
        self
    }

    /// What is held back, where the provider broke off before the end that it waited for.
    pub fn held(&mut self) -> Bytes {
        std::mem::take(&mut self.held).join()
    }

    /// The event that tells the client that the stream broke. Nothing follows it.
    #[must_use]
    pub fn fault(&mut self, words: &FaultWords) -> Bytes {
        match self.list {
            None => words.event.clone(),
            Some(0) => [b"[", &words.body[..], b"]"].concat().into(),
            Some(_) => [b",\n", &words.body[..], b"]"].concat().into(),
        }
    }

    /// An event as the client is shown it.
    fn shown(&mut self, event: Bytes) -> Bytes {
        let (Some(count), Some(data)) = (self.list.as_mut(), sse::data(&event)) else { return event };
        let before: &[u8] = if *count == 0 { b"[" } else { b",\n" };
        *count += 1;
        [before, &data].concat().into()
    }

    /// The provider's own error event, the last that is shown.
    fn failed(&mut self, event: Bytes) -> Bytes {
        let event = self.shown(event);
        if self.list.is_some() { [event, Bytes::from_static(b"]")].concat().into() } else { event }
    }

    fn hold(&mut self, event: Bytes) {
        let event = self.shown(event);
        self.held.push(event);
    }

    /// The end of a stream without a terminator of its own.
    fn last(&mut self) -> Bytes {
        let mut last = std::mem::take(&mut self.held);
        if self.list.is_some() {
            last.push(Bytes::from_static(b"]"));
        }
        last.join()
    }

    /// Whether an event has come that belongs to an answer: no comment, no error, and not the mere end.
    #[must_use]
    pub fn begun(&self) -> bool {
        self.begun
    }

    /// Takes a read from the provider.
    pub fn take(&mut self, read: &[u8]) -> Taken {
        self.events.push(read);
        let mut forward = Forward::default();
        while let Some(event) = self.events.next_event() {
            match self.pass(event) {
                Passed::Forward(event) => forward.push(self.shown(event)),
                Passed::Hidden => {}
                Passed::Held(event) => self.hold(event),
                Passed::Terminal(event) => return Taken { forward: forward.join(), then: Then::Ends(event) },
                Passed::Error(event) => {
                    return Taken { forward: forward.join(), then: Then::Failed(self.failed(event)) };
                }
                Passed::Garbage => return Taken { forward: forward.join(), then: Then::Broken },
            }
        }
        let too_large = self.events.waiting() > self.event_bytes_max;
        Taken { forward: forward.join(), then: if too_large { Then::Broken } else { Then::Goes } }
    }

    /// The provider has closed the stream: what is left of it.
    pub fn end(&mut self) -> Taken {
        let rest = self.events.rest();
        let passed = if rest.is_empty() { Passed::Hidden } else { self.pass(rest) };
        match passed {
            Passed::Forward(event) => Taken { forward: self.shown(event), then: Then::Goes },
            Passed::Held(event) => {
                self.hold(event);
                Taken { forward: Bytes::new(), then: Then::Ends(self.last()) }
            }
            Passed::Hidden if self.held.len() > 0 => Taken { forward: Bytes::new(), then: Then::Ends(self.last()) },
            Passed::Hidden => Taken { forward: Bytes::new(), then: Then::Goes },
            Passed::Terminal(event) => Taken { forward: Bytes::new(), then: Then::Ends(event) },
            Passed::Error(event) => Taken { forward: Bytes::new(), then: Then::Failed(self.failed(event)) },
            Passed::Garbage => Taken { forward: Bytes::new(), then: Then::Broken },
        }
    }

    fn pass(&mut self, event: Bytes) -> Passed {
        let Some(data) = sse::data(&event) else { return Passed::Forward(event) };
        match data.trim_ascii() {
            b"[DONE]" if matches!(self.format, Format::Chat | Format::Completions) => {
                drop(data);
                return Passed::Terminal(event);
            }
            b"" => {
                drop(data);
                return Passed::Forward(event);
            }
            _ => {}
        }
        let Ok(seen) = Seen::look(self.format, &data) else {
            if !self.begun {
                return Passed::Garbage;
            }
            self.tally.add_delivered(data.len());
            drop(data);
            return Passed::Forward(event);
        };
        self.tally.add(&seen);
        if seen.error {
            drop(data);
            return Passed::Error(event);
        }
        self.begun = true;
        if seen.terminal {
            drop(data);
            return Passed::Terminal(event);
        }
        if self.format == Format::Generate && (seen.finished || self.held.len() > 0) {
            drop(data);
            return Passed::Held(event);
        }
        if self.hide_usage {
            if seen.usage().is_some() && seen.choices == 0 && usage_alone(&data) {
                return Passed::Hidden;
            }
            // An event of several data lines was joined elsewhere: its usage stays, which does no harm.
            if let Some(value) = seen.usage.and_then(|value| range_within(&event, value.get())) {
                return Passed::Forward(without_member(&event, value));
            }
        }
        drop(data);
        Passed::Forward(event)
    }
}

enum Passed {
    Forward(Bytes),
    Hidden,
    /// To be shown with the end.
    Held(Bytes),
    Terminal(Bytes),
    Error(Bytes),
    /// No event of format O, where the stream should begin.
    Garbage,
}

/// Events put together for one write; a single one is not copied.
#[derive(Debug, Default)]
pub struct Forward {
    first: Bytes,
    more: BytesMut,
}

impl Forward {
    /// Adds what follows.
    pub fn push(&mut self, event: Bytes) {
        if event.is_empty() {
            return;
        }
        if self.first.is_empty() {
            self.first = event;
        } else {
            if self.more.is_empty() {
                self.more.extend_from_slice(&self.first);
            }
            self.more.extend_from_slice(&event);
        }
    }

    /// How many bytes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.first.len().max(self.more.len())
    }

    /// All of it.
    #[must_use]
    pub fn join(self) -> Bytes {
        if self.more.is_empty() { self.first } else { self.more.freeze() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":null}\n\n\
        : note\n\n\
        data: {\"usage\" : null , \"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
        data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n\n\
        data: [DONE]\n\n";

    fn run(hide_usage: bool, reads: &[&[u8]]) -> (String, Option<String>) {
        let mut relay = Relay::new(Format::Chat, Tally::new(Format::Chat, 100, 0), hide_usage, 1000);
        let mut out = Vec::new();
        for read in reads {
            let taken = relay.take(read);
            out.extend_from_slice(&taken.forward);
            if let Then::Ends(event) = taken.then {
                assert!(relay.tally.finished() && relay.tally.reported().is_some());
                return (String::from_utf8(out).expect("text"), Some(String::from_utf8_lossy(&event).into_owned()));
            }
        }
        (String::from_utf8(out).expect("text"), None)
    }

    #[test]
    fn forwarded_as_it_came_but_for_the_end() {
        let done = "data: [DONE]\n\n";
        let before = STREAM.strip_suffix(done).expect("the end");
        assert_eq!(run(false, &[STREAM.as_bytes()]), (before.to_owned(), Some(done.to_owned())));
        for cut in 0..STREAM.len() {
            let (head, tail) = STREAM.as_bytes().split_at(cut);
            assert_eq!(run(false, &[head, tail]), (before.to_owned(), Some(done.to_owned())), "cut at {cut}");
        }
    }

    #[test]
    fn usage_that_we_asked_for_is_taken_out_again() {
        let expected = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n\
            : note\n\n\
            data: { \"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
        for cut in 0..STREAM.len() {
            let (head, tail) = STREAM.as_bytes().split_at(cut);
            assert_eq!(run(true, &[head, tail]).0, expected, "cut at {cut}");
        }
    }

    /// What a provider adds to the last chunk is the client's, though the usage in it is not.
    #[test]
    fn a_usage_chunk_with_more_in_it_is_kept_without_the_usage() {
        const USAGE: &str = "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}";
        let standard = "\"id\":\"x\",\"object\":\"y\",\"created\":1,\"model\":\"m\",\"service_tier\":null,\
            \"system_fingerprint\":\"f\",\"obfuscation\":\"aa\",\"choices\":[]";
        for (event, expected) in [
            (format!("data: {{{standard},{USAGE}}}\n\n"), String::new()),
            (format!("data: {{{USAGE},{standard}}}\n\n"), String::new()),
            (
                format!("data: {{{standard},\"cost\":1.50,{USAGE}}}\n\n"),
                format!("data: {{{standard},\"cost\":1.50}}\n\n"),
            ),
            (
                format!("data: {{{USAGE},\"choices\":[],\"citations\":[\"u\"]}}\n\n"),
                "data: {\"choices\":[],\"citations\":[\"u\"]}\n\n".to_owned(),
            ),
        ] {
            let mut relay = Relay::new(Format::Chat, Tally::new(Format::Chat, 100, 0), true, 1000);
            assert_eq!(relay.take(event.as_bytes()).forward, expected.as_bytes(), "{event}");
            assert!(relay.tally.reported().is_some());
            let mut shown = Relay::new(Format::Chat, Tally::new(Format::Chat, 100, 0), false, 1000);
            assert_eq!(shown.take(event.as_bytes()).forward, event.as_bytes(), "the client asked for it");
        }
    }

    #[test]
    fn garbage_is_no_beginning_and_no_end() {
        let garbage = "data: <html>\n\n";
        let mut relay = Relay::new(Format::Chat, Tally::new(Format::Chat, 100, 0), true, 1000);
        assert_eq!(relay.take(garbage.as_bytes()).then, Then::Broken);
        assert!(!relay.begun() && !relay.tally.delivered());
        let mut relay = Relay::new(Format::Chat, Tally::new(Format::Chat, 100, 0), true, 1000);
        let comment = ": wait\n\ndata:\n\n";
        assert_eq!(relay.take(comment.as_bytes()), Taken { forward: comment.into(), then: Then::Goes });
        assert!(!relay.begun());
        relay.take(b"data: {\"choices\":[]}\n\n");
        assert!(relay.begun());
        assert_eq!(relay.take(garbage.as_bytes()), Taken { forward: garbage.into(), then: Then::Goes });
        assert!(relay.tally.delivered(), "what came is paid for, in whatever shape");
    }

    #[test]
    fn an_error_in_the_stream_ends_it() {
        let mut relay = Relay::new(Format::Chat, Tally::new(Format::Chat, 100, 0), true, 1000);
        let error = "data: {\"error\":{\"message\":\"x\"}}\n\n";
        let taken = relay.take([error, "data: [DONE]\n\n"].concat().as_bytes());
        assert_eq!((taken.forward.as_ref(), taken.then), (&b""[..], Then::Failed(error.into())));
    }

    /// Joined lines lie elsewhere than the event: looking for the usage in the event must not reach outside it.
    #[test]
    fn usage_over_several_lines_is_left_alone() {
        let event = "data: {\"choices\":[{\"delta\":{}}],\ndata: \"usage\":null}\n\n";
        let mut relay = Relay::new(Format::Chat, Tally::new(Format::Chat, 100, 0), true, 1000);
        assert_eq!(relay.take(event.as_bytes()).forward, event);
    }

    #[test]
    fn an_event_without_end_is_bounded() {
        let mut relay = Relay::new(Format::Chat, Tally::new(Format::Chat, 100, 0), true, 10);
        assert_eq!(relay.take(b"data: 1234").then, Then::Goes);
        assert_eq!(relay.take(b"5").then, Then::Broken);
    }
}
