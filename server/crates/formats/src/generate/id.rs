//! Ids for calls of those who have none: the format lets them out, every other needs them.

use std::hash::{DefaultHasher, Hasher};

/// The id of a call that a client wrote without one, from its place: `contents[1].parts[0]` gives `call_1_0`. A
/// conversation only grows at its end, so that the same call has the same id in every later request.
pub fn of_place(at: &str) -> String {
    let numbers: Vec<&str> = at.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()).collect();
    if numbers.is_empty() { "call_0".to_owned() } else { format!("call_{}", numbers.join("_")) }
}

/// The id of a call that a provider sent without one. `chunk` is the JSON that it came in: with the answer's id and its
/// running figures no two of a conversation are the same.
pub fn of_answer(chunk: &[u8], calls_before: usize) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(chunk);
    hasher.write_usize(calls_before);
    format!("call_{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_gives_its_id() {
        assert_eq!(of_place("contents[1].parts[10]"), "call_1_10");
        assert_eq!(of_place("contents.parts"), "call_0");
        assert_ne!(of_answer(b"{}", 0), of_answer(b"{}", 1));
        assert_eq!(of_answer(b"{}", 1), of_answer(b"{}", 1));
    }
}
