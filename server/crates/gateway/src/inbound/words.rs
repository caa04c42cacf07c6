//! Words in the text of a conversation that tell of what is no text.

use std::ops::Range;

/// True if none of these words is in a conversation, before a quote. With an image or a file, the size of a conversation
/// does not bound its tokens.
pub(crate) fn text_alone(conversation: &[u8], parts: &[&'static str]) -> bool {
    words(conversation, parts).next().is_none() && !spells_letters(conversation)
}

/// The ranges of these words in a JSON text, with the quote that closes each. One pass over the quotes finds them all:
/// conversations are long, and have few quotes.
pub(super) fn words(json: &[u8], words: &[&'static str]) -> impl Iterator<Item = (Range<usize>, &'static str)> {
    memchr::memchr_iter(b'"', json).filter_map(|at| {
        let word = words.iter().find(|word| json[..at].ends_with(word.as_bytes()))?;
        Some((at - word.len()..at + 1, *word))
    })
}

/// True if a letter or `_` is written as an escape. Programs do not do that, and a word could be hidden by it.
pub(super) fn spells_letters(json: &[u8]) -> bool {
    const ESCAPE: &[u8] = b"\\u00";
    let next = |at: usize| json.get(at + ESCAPE.len());
    memchr::memmem::find_iter(json, ESCAPE).any(|at| matches!(next(at), Some(b'4'..=b'7')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_however_it_is_spelt() {
        let words = &["\"image_url"];
        for (conversation, alone) in [
            (r#"[{"content":"caf\u00e9 \u003cb\u003e"}]"#, true),
            (r#"[{"content":[{"type":"image_url"}]}]"#, false),
            (r#"[{"content":[{"type":"image\u005furl"}]}]"#, false),
            (r#"[{"content":[{"type":"\u0069mage_url"}]}]"#, false),
            (r#"[{"content":"cut \u00"#, true),
        ] {
            assert_eq!(text_alone(conversation.as_bytes(), words), alone, "{conversation}");
        }
    }
}
