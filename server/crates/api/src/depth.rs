//! The nesting of a JSON text, measured without parsing it.
//!
//! The parser's own bound holds for what it builds, not for what it skips, and a proxied body is mostly skipped.

use memchr::memchr2;

/// The place of the first bracket that opens a level beyond `limit`. On text that is no JSON the answer may be wrong
/// either way; the parser refuses that text anyway.
pub(super) fn too_deep(text: &[u8], limit: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => at = string_end(text, at + 1),
            b'[' | b'{' => {
                depth += 1;
                if depth > limit {
                    return Some(at);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The place of the quote that ends a string which begins at `at`; the end of the text where none does.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(found) = text.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if text[at] == b'"' {
            return at;
        }
        at += 2;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_count_and_strings_do_not() {
        assert_eq!(too_deep(br#"{"a":[1,{"b":2}]}"#, 3), None);
        assert_eq!(too_deep(br#"{"a":[1,{"b":2}]}"#, 2), Some(8));
        assert_eq!(too_deep(br#"["[[[[","\"[[",[]]"#, 2), None);
        assert_eq!(too_deep(br#"[[],[],[]]"#, 2), None);
        assert_eq!(too_deep(br#""\\"[["#, 1), Some(5));
        assert_eq!(too_deep(b"\"open [[", 0), None);
    }
}
