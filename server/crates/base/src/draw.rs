//! Numbers and texts that nobody can guess.

use super::ids::ALPHABET;

/// The bits of an integer that stays exact as a JSON number.
const ID_BITS: u32 = 53;

/// A random number of 53 bits, at least `min`: not countable from outside, exact in JSON.
#[must_use]
pub fn draw_id(min: u64) -> i64 {
    loop {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).expect("the operating system has randomness");
        let id = u64::from_le_bytes(bytes) >> (u64::BITS - ID_BITS);
        if id >= min {
            return i64::try_from(id).expect("53 bits fit");
        }
    }
}

/// A random text of so many letters and digits, five bits each.
#[must_use]
pub fn draw_text<const N: usize>() -> String {
    draw_bytes::<N>().iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)])).collect()
}

/// Random bytes, as many as asked for.
#[must_use]
pub fn draw_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_within_their_bounds_and_texts_within_their_letters() {
        for min in [1, 1 << 32] {
            let id = draw_id(min);
            assert!(u64::try_from(id).is_ok_and(|id| (min..1 << 53).contains(&id)), "{id}");
        }
        let text = draw_text::<26>();
        assert!(text.len() == 26 && text.bytes().all(|byte| ALPHABET.contains(&byte)), "{text}");
        assert_ne!(text, draw_text::<26>());
    }
}
