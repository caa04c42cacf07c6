//! Blocks of a stream one after the other, for formats in which they may not interleave.

use std::collections::VecDeque;

use super::{BlockDelta, BlockOpening, StreamEvent};

/// Keeps one block open and holds back the others until it is closed. Every block comes out whole and in order of
/// opening; what is no part of a block passes at once.
#[derive(Debug, Default)]
pub struct BlockSequencer {
    /// The block that is open in what came out.
    open: Option<usize>,
    /// Blocks that wait, in order of opening.
    waiting: VecDeque<WaitingBlock>,
}

/// The events of a block that came while another one was open.
#[derive(Debug)]
struct WaitingBlock {
    index: usize,
    opening: BlockOpening,
    deltas: Vec<BlockDelta>,
    closed: bool,
}

impl BlockSequencer {
    /// Takes one event; adds to `out` what may come out now.
    pub fn take(&mut self, event: StreamEvent, out: &mut Vec<StreamEvent>) {
        match event {
            StreamEvent::Open { index, opening } if self.open.is_some() => {
                self.waiting.push_back(WaitingBlock { index, opening, deltas: Vec::new(), closed: false });
            }
            StreamEvent::Open { index, .. } => {
                self.open = Some(index);
                out.push(event);
            }
            StreamEvent::Delta { index, delta } if self.open != Some(index) => self.hold(index, delta),
            StreamEvent::Close { index } if self.open == Some(index) => {
                out.push(event);
                self.open = None;
                self.let_out(out);
            }
            StreamEvent::Close { index } => {
                if let Some(waiting) = self.waiting(index) {
                    waiting.closed = true;
                }
            }
            StreamEvent::Start { .. }
            | StreamEvent::Delta { .. }
            | StreamEvent::Usage(_)
            | StreamEvent::Stop(_)
            | StreamEvent::End
            | StreamEvent::Error(_)
            | StreamEvent::Ping => out.push(event),
        }
    }

    fn hold(&mut self, index: usize, delta: BlockDelta) {
        let Some(waiting) = self.waiting(index) else { return };
        match (waiting.deltas.last_mut(), delta) {
            (Some(BlockDelta::Text(held)), BlockDelta::Text(more))
            | (Some(BlockDelta::Arguments(held)), BlockDelta::Arguments(more)) => {
                held.push_str(&more);
            }
            (_, delta) => waiting.deltas.push(delta),
        }
    }

    /// Lets out those that wait, up to the first that is still open.
    fn let_out(&mut self, out: &mut Vec<StreamEvent>) {
        while let Some(WaitingBlock { index, opening, deltas, closed }) = self.waiting.pop_front() {
            out.push(StreamEvent::Open { index, opening });
            out.extend(deltas.into_iter().map(|delta| StreamEvent::Delta { index, delta }));
            if !closed {
                self.open = Some(index);
                return;
            }
            out.push(StreamEvent::Close { index });
        }
    }

    fn waiting(&mut self, index: usize) -> Option<&mut WaitingBlock> {
        self.waiting.iter_mut().find(|waiting| waiting.index == index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `+n` opens block n, `n:words` adds to it, `-n` closes it, `.` is a ping.
    fn events(script: &str) -> Vec<StreamEvent> {
        let index = |digits: &str| digits.parse().expect("a digit");
        let event = |step: &str| match step.split_at(1) {
            ("+", digits) => StreamEvent::Open { index: index(digits), opening: BlockOpening::Text },
            ("-", digits) => StreamEvent::Close { index: index(digits) },
            (".", _) => StreamEvent::Ping,
            (digit, words) => {
                StreamEvent::Delta { index: index(digit), delta: BlockDelta::Text(words[1..].to_owned()) }
            }
        };
        script.split_whitespace().map(event).collect()
    }

    fn script(events: &[StreamEvent]) -> String {
        let step = |event: &StreamEvent| match event {
            StreamEvent::Open { index, .. } => format!("+{index}"),
            StreamEvent::Delta { index, delta: BlockDelta::Text(words) } => format!("{index}:{words}"),
            StreamEvent::Close { index } => format!("-{index}"),
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
            let (mut sequencer, mut out) = (BlockSequencer::default(), Vec::new());
            for event in events(taken) {
                sequencer.take(event, &mut out);
            }
            assert_eq!(script(&out), given, "{taken}");
        }
    }
}
