//! The ends of strings, a block of bytes at a time.

use wide::u8x16;

/// The bytes that are looked at together.
const BLOCK: usize = 16;

/// The place behind a string whose inside begins at `at`; `None` where JSON has no such string.
pub(super) fn end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let (start, rest) = (at, bytes.get(at..)?);
        at += BLOCK;
        // All special bytes of a block are found before the first is looked at: it is loaded once, however many escapes are in it.
        let mut special = rest.first_chunk().map_or_else(|| special_bytes(&padded(rest)), special_bytes);
        while special != 0 {
            let place = start + special.trailing_zeros() as usize;
            let next = match bytes.get(place)? {
                b'"' => return Some(place + 1),
                b'\\' => past_escape(bytes, place)?,
                _ => return None,
            };
            if next >= start + BLOCK {
                at = next;
                break;
            }
            special &= u32::MAX << (next - start);
        }
    }
}

/// The last bytes of a text, with zeros behind them, which no string may have in it.
fn padded(rest: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// The same in a text that is known to be JSON: the next quote that no backslash escapes.
pub(super) fn end_of_sound(bytes: &[u8], start: usize) -> Option<usize> {
    let block = bytes[start..].first_chunk::<BLOCK>();
    if let Some(first) = block.map(special_bytes).filter(|special| *special != 0).map(u32::trailing_zeros) {
        let place = start + first as usize;
        if bytes[place] == b'"' {
            return Some(place + 1);
        }
    }
    let mut at = start;
    loop {
        let quote = at + memchr::memchr(b'"', &bytes[at..])?;
        let backslashes = bytes[start..quote].iter().rev().take_while(|byte| **byte == b'\\').count();
        at = quote + 1;
        if backslashes % 2 == 0 {
            return Some(at);
        }
    }
}

/// The place behind the escape that begins at `at`.
fn past_escape(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
        b'u' => bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit).then_some(at + 6),
        _ => None,
    }
}

/// A bit for each quote, backslash and control character, which are not plain inside a string: the lowest for the first.
fn special_bytes(block: &[u8; BLOCK]) -> u32 {
    let block = u8x16::new(*block);
    let control = block.simd_lt(u8x16::splat(0x20));
    (block.simd_eq(u8x16::splat(b'"')) | block.simd_eq(u8x16::splat(b'\\')) | control).to_bitmask()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_special_byte_has_its_bit() {
        for byte in u8::MIN..=u8::MAX {
            for place in 0..BLOCK {
                for around in [b'a', 0, b'"', 0xff] {
                    let mut block = [around; BLOCK];
                    block[place] = byte;
                    let special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
                    let bits = block.iter().rev().fold(0, |bits, byte| bits << 1 | u32::from(special(*byte)));
                    assert_eq!(special_bytes(&block), bits, "{block:?}");
                }
            }
        }
    }

    /// Strings of all small lengths, before and behind the end of a block.
    #[test]
    fn the_quick_end_is_the_end_in_sound_texts() {
        let parts = ["a", "\\\"", "\\\\", "\\u0022", "é", "0123456789abcdef"];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer = texts.iter().flat_map(|text| parts.map(|part| format!("{text}{part}")));
            texts = texts.iter().cloned().chain(longer.collect::<Vec<_>>()).collect();
        }
        for inside in texts {
            for behind in ["", ",\"b\":\"\\\\\"}", "]]]]]]]]]]]]]]]]]]]]"] {
                let text = format!("\"{inside}\"{behind}");
                let expected = Some(inside.len() + 2);
                assert_eq!((end(text.as_bytes(), 1), end_of_sound(text.as_bytes(), 1)), (expected, expected), "{text}");
            }
        }
        assert_eq!((end(b"\"abc", 1), end_of_sound(b"\"abc\\\"", 1), end_of_sound(b"\"", 1)), (None, None, None));
    }
}
