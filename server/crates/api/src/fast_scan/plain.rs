//! The inside of a string, words and blocks at a time.

/// The number of bytes before the next quote, backslash or control character, or before the end.
pub(super) fn plain(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(word) = bytes[at..].first_chunk() {
        let special = special(u64::from_le_bytes(*word));
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
        // Where one special byte soon follows another, blocks would be in vain.
        if at == 16 {
            at += plain_blocks(&bytes[at..]);
        }
    }
    at + bytes[at..].iter().take_while(|byte| !is_special(**byte)).count()
}

/// The number of bytes in blocks without a special byte; the compiler makes vectors of it.
fn plain_blocks(bytes: &[u8]) -> usize {
    let (blocks, _) = bytes.as_chunks::<32>();
    let special = |block: &[u8; 32]| block.iter().fold(false, |any, byte| any | is_special(*byte));
    32 * blocks.iter().take_while(|block| !special(block)).count()
}

fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// A word of which the lowest bit that is set lies in the first special byte; none is set where there is none.
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (zero(word ^ (ONES * b'"' as u64)) | zero(word ^ (ONES * b'\\' as u64)) | control) & HIGHS
}
