//! The pass that nearly every body takes: one look at each byte, a block at a time inside strings.
//!
//! It is as strict as the parser and makes no error texts. A body that it does not accept is given to the parser, which
//! makes them, and which reads the few spellings that only it understands.

mod string;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::scan::FoundMembers;

/// Containers inside each other that the stack below can hold.
const DEPTH_MAX: usize = 128;

/// Finds the members called `names` at the top of `text`, if all of it is certainly one JSON object that is nested no
/// deeper than `depth`.
pub(super) fn members<'b>(text: &'b str, names: &[&str], depth: usize) -> Option<FoundMembers<'b>> {
    let mut found = FoundMembers::default();
    let depth = depth.min(DEPTH_MAX).checked_sub(1)?;
    let mut skim = FastScanner { depth, ..FastScanner::checking(text) };
    skim.expect(b'{')?;
    let mut more = !skim.comes(b'}');
    while more {
        let key = skim.key()?;
        let start = skim.past_space();
        skim.value()?;
        match names.iter().position(|name| *name == key) {
            Some(index) => found.add(index, &text[start..skim.at]),
            None => found.pass(key, names),
        }
        more = skim.comes(b',');
        if !more {
            skim.expect(b'}')?;
        }
    }
    (skim.past_space() == text.len()).then_some(found)
}

/// A reader of a JSON text, for whoever looks into some of its objects and passes over the rest. Each step gives `None` where the
/// text is not what is asked for.
#[derive(Debug)]
pub struct FastScanner<'b> {
    source: &'b str,
    at: usize,
    /// The most levels that a value may be nested that is passed over.
    depth: usize,
    /// True for a text that was checked before, whose strings are looked at for their ends alone.
    is_sound: bool,
}

impl<'b> FastScanner<'b> {
    /// A reader at the beginning of a text that was checked before. In one that is no JSON it finds anything or nothing, and comes to
    /// an end.
    #[must_use]
    pub const fn trusting(text: &'b str) -> Self {
        Self { source: text, at: 0, depth: DEPTH_MAX, is_sound: true }
    }

    /// A reader at the beginning of a text that is checked as it is read.
    #[must_use]
    pub const fn checking(text: &'b str) -> Self {
        Self { is_sound: false, ..Self::trusting(text) }
    }

    /// The first byte of what comes next.
    pub fn first(&mut self) -> Option<u8> {
        self.past_space();
        self.peek()
    }

    /// True if this byte comes next; it is passed then.
    pub fn takes(&mut self, byte: u8) -> bool {
        self.comes(byte)
    }

    /// The name of the member that comes next, escapes resolved; its colon is passed too.
    pub fn name(&mut self) -> Option<Cow<'b, str>> {
        self.expect(b'"')?;
        let start = self.at - 1;
        let inside = self.string()?;
        let quoted = &self.bytes()[start..self.at];
        self.expect(b':')?;
        match inside.contains(&b'\\') {
            true => serde_json::from_slice::<String>(quoted).ok().map(Cow::Owned),
            false => self.source.get(start + 1..start + 1 + inside.len()).map(Cow::Borrowed),
        }
    }

    /// The value that comes next, as it is written.
    pub fn text(&mut self) -> Option<&'b str> {
        let start = self.past_space();
        self.value()?;
        self.source.get(start..self.at)
    }

    /// The list of numbers that comes next, as it is written: each byte of it may stand in such a list. Whether they make numbers
    /// there is not checked, which would take ten times as long. `None` for any other value, which still comes next.
    pub fn numbers(&mut self) -> Option<&'b str> {
        let start = self.past_space();
        let inside = self.bytes().get(start..)?.strip_prefix(b"[")?;
        let inside = &inside[..memchr::memchr(b']', inside)?];
        // The compiler makes vectors of it, as it does not where the first that is wrong ends it.
        if !inside.iter().fold(true, |all, byte| all & is_of_numbers(*byte)) {
            return None;
        }
        self.at = start + inside.len() + 2;
        self.source.get(start..self.at)
    }

    /// Passes over the value that comes next.
    pub fn pass(&mut self) -> Option<()> {
        self.value()
    }

    /// Looks at each member of the object that comes next; `None` where it is none, or `look` says so.
    pub fn members(&mut self, mut look: impl FnMut(Cow<'b, str>, &mut Self) -> Option<()>) -> Option<()> {
        self.expect(b'{')?;
        let mut more = !self.comes(b'}');
        while more {
            let name = self.name()?;
            look(name, self)?;
            more = self.comes(b',');
            (more || self.comes(b'}')).then_some(())?;
        }
        Some(())
    }

    /// Looks at each element of the list that comes next; `None` where it is none, or `look` says so.
    pub fn elements(&mut self, mut look: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.expect(b'[')?;
        let mut more = !self.comes(b']');
        while more {
            look(self)?;
            more = self.comes(b',');
            (more || self.comes(b']')).then_some(())?;
        }
        Some(())
    }

    /// True if everything was read.
    pub fn is_over(&mut self) -> bool {
        self.past_space() == self.bytes().len()
    }
}

/// Digits, signs, points, exponents, commas and space.
const fn is_of_numbers(byte: u8) -> bool {
    (matches!(byte, b'+'..=b'9') & (byte != b'/')) | matches!(byte, b'e' | b'E' | b' ' | b'\n' | b'\r' | b'\t')
}

/// Open containers: a one for an object, a zero for a list, the innermost last.
#[derive(Default)]
struct OpenContainers {
    kinds: u128,
    count: usize,
}

impl<'b> FastScanner<'b> {
    /// Passes over one value. Iterative, so that depth costs no stack.
    fn value(&mut self) -> Option<()> {
        let mut open = OpenContainers::default();
        loop {
            self.past_space();
            match self.next()? {
                b'"' => drop(self.string()?),
                first @ (b'{' | b'[') => {
                    if open.count == self.depth {
                        return None;
                    }
                    let object = first == b'{';
                    if !self.comes(if object { b'}' } else { b']' }) {
                        open.push(object);
                        if object {
                            self.member()?;
                        }
                        continue;
                    }
                }
                b't' => self.word(b"rue")?,
                b'f' => self.word(b"alse")?,
                b'n' => self.word(b"ull")?,
                first => self.number(first)?,
            }
            // Behind a value: what follows it, or the ends of what it was the last of.
            loop {
                if open.count == 0 {
                    return Some(());
                }
                self.past_space();
                match (self.next()?, open.in_object()) {
                    (b',', true) => {
                        self.member()?;
                        break;
                    }
                    (b',', false) => break,
                    (b'}', true) | (b']', false) => open.pop(),
                    _ => return None,
                }
            }
        }
    }

    /// A key on a level where no name is looked for, and its colon.
    fn member(&mut self) -> Option<()> {
        self.expect(b'"')?;
        self.string()?;
        self.expect(b':')
    }

    /// A key without escapes, and its colon.
    fn key(&mut self) -> Option<&'b str> {
        self.expect(b'"')?;
        let key = self.string()?;
        self.expect(b':')?;
        // Cut at quotes, so whole letters are left.
        std::str::from_utf8(key).ok().filter(|key| !key.contains('\\'))
    }

    /// The rest of a string behind its first quote; what stands between the quotes.
    fn string(&mut self) -> Option<&'b [u8]> {
        let start = self.at;
        let end = if self.is_sound { string::end_of_sound } else { string::end };
        self.at = end(self.bytes(), start)?;
        Some(&self.bytes()[start..self.at - 1])
    }

    /// The rest of a number behind its first byte.
    fn number(&mut self, first: u8) -> Option<()> {
        let first = if first == b'-' { self.next()? } else { first };
        match first {
            b'0' => {}
            b'1'..=b'9' => drop(self.digits()),
            _ => return None,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.some_digits()?;
        }
        // A digit here stands behind a leading zero.
        (!matches!(self.peek(), Some(b'0'..=b'9'))).then_some(())
    }

    fn some_digits(&mut self) -> Option<()> {
        (self.digits() > 0).then_some(())
    }

    fn digits(&mut self) -> usize {
        let count = self.bytes()[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        count
    }

    fn word(&mut self, rest: &[u8]) -> Option<()> {
        let here = self.bytes()[self.at..].starts_with(rest);
        self.at += rest.len();
        here.then_some(())
    }

    /// Passes over space, and gives the place of the next thing.
    fn past_space(&mut self) -> usize {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
        self.at
    }

    fn comes(&mut self, byte: u8) -> bool {
        self.past_space();
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.comes(byte).then_some(())
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    const fn bytes(&self) -> &'b [u8] {
        self.source.as_bytes()
    }
}

impl OpenContainers {
    fn push(&mut self, object: bool) {
        self.kinds = self.kinds << 1 | u128::from(object);
        self.count += 1;
    }

    fn pop(&mut self) {
        self.kinds >>= 1;
        self.count -= 1;
    }

    fn in_object(&self) -> bool {
        self.kinds & 1 == 1
    }
}
