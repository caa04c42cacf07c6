//! Blocks of a stream one after the other, for formats in which they may not interleave.

use std::collections::VecDeque;

use super::{Delta, Event, Opening};

/// Keeps one block open and holds back the others until it is closed. Every block comes out whole and in order of
/// opening; what is no part of a block passes at once.
#[derive(Debug, Default)]
pub struct Sequencer {
    /// The block that is open in what came out.
    open: Option<usize>,
    /// Blocks that wait, in order of opening.
    waiting: VecDeque<Waiting>,
}

/// The events of a block that came while another one was open.
#[derive(Debug)]
struct Waiting {
    index: usize,
    opening: Opening,
    deltas: Vec<Delta>,
    closed: bool,
}

impl Sequencer {
    /// Takes one event; adds to `out` what may come out now.
    pub fn take(&mut self, event: Event, out: &mut Vec<Event>) {
        match event {
            Event::Open { index, opening } if self.open.is_some() => {
                self.waiting.push_back(Waiting { index, opening, deltas: Vec::new(), closed: false });
            }
            Event::Open { index, .. } => {
                self.open = Some(index);
                out.push(event);
            }
            Event::Delta { index, delta } if self.open != Some(index) => self.hold(index, delta),
            Event::Close { index } if self.open == Some(index) => {
                out.push(event);
                self.open = None;
                self.let_out(out);
            }
            Event::Close { index } => {
                if let Some(waiting) = self.waiting(index) {
                    waiting.closed = true;
                }
            }
            Event::Start { .. }
            | Event::Delta { .. }
            | Event::Usage(_)
            | Event::Stop(_)
            | Event::End
            | Event::Error(_)
            | Event::Ping => out.push(event),
        }
    }

    fn hold(&mut self, index: usize, delta: Delta) {
        let Some(waiting) = self.waiting(index) else { return };
        match (waiting.deltas.last_mut(), delta) {
            (Some(Delta::Text(held)), Delta::Text(more)) | (Some(Delta::Arguments(held)), Delta::Arguments(more)) => {
                held.push_str(&more);
            }
            (_, delta) => waiting.deltas.push(delta),
        }
    }

    /// Lets out those that wait, up to the first that is still open.
    fn let_out(&mut self, out: &mut Vec<Event>) {
        while let Some(Waiting { index, opening, deltas, closed }) = self.waiting.pop_front() {
            out.push(Event::Open { index, opening });
            out.extend(deltas.into_iter().map(|delta| Event::Delta { index, delta }));
            if !closed {
                self.open = Some(index);
                return;
            }
            out.push(Event::Close { index });
        }
    }

    fn waiting(&mut self, index: usize) -> Option<&mut Waiting> {
        self.waiting.iter_mut().find(|waiting| waiting.index == index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `+n` opens block n, `n:words` adds to it, `-n` closes it, `.` is a ping.
    fn events(script: &str) -> Vec<Event> {
        let index = |digits: &str| digits.parse().expect("a digit");
        let event = |step: &str| match step.split_at(1) {
            ("+", digits) => Event::Open { index: index(digits), opening: Opening::Text },
            ("-", digits) => Event::Close { index: index(digits) },
            (".", _) => Event::Ping,
            (digit, words) => Event::Delta { index: index(digit), delta: Delta::Text(words[1..].to_owned()) },
        };
        script.split_whitespace().map(event).collect()
    }

    fn script(events: &[Event]) -> String {
        let step = |event: &Event| match event {
            Event::Open { index, .. } => format!("+{index}"),
            Event::Delta { index, delta: Delta::Text(words) } => format!("{index}:{words}"),
            Event::Close { index } => format!("-{index}"),
            _ => ".".to_owned(),
        };
        events.iter().map(step).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn blocks_come_out_one_after_the_other() {
        for (taken, given) in [
            ("+0 0:a 0:b -0 +1 1:c -1", "+0 0:a 0:b -0 +1 1:c -1"),
            ("+0 +1 1:c 0:a 1:d 0:b -1 -0", "+0 0:a 0:b -0 +1 1:cd -1"),
            ("+0 +1 +2 2:e 1:c . -0 1:d 2:f -2 -1", "+0 . -0 +1 1:c 1:d -1 +2 2:ef -2"),
            ("+0 +1 -1 +2 -2 -0 +3 -3", "+0 -0 +1 -1 +2 -2 +3 -3"),
        ] {
            let (mut sequencer, mut out) = (Sequencer::default(), Vec::new());
            for event in events(taken) {
                sequencer.take(event, &mut out);
            }
            assert_eq!(script(&out), given, "{taken}");
        }
    }
}
