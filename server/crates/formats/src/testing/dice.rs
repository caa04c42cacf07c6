//! Faults in bytes, by a die that rolls the same numbers for the same seed.

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

/// A generator that gives the same numbers for the same seed, which is not 0.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`; 0 where there are none.
    pub fn roll(&mut self, sides: usize) -> usize {
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
    pub fn spoil(&mut self, bytes: &mut Vec<u8>) {
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
