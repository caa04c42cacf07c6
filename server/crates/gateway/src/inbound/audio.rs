//! Audio in a request of format O or R, found by its members and kinds: a model without a price for audio does not sell it.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem};

use tollgate_api::ProxyBody;
use tollgate_api::generated::ops::chat::CreateChatCompletionHead;
use tollgate_credit::MediaTokens;

use super::words::{spells_letters, words};

/// The words for audio in these formats: kinds of parts, and members of parts and of earlier answers.
pub(super) const WORDS: [&str; 3] = ["\"input_audio", "\"audio_url", "\"audio"];

/// The audio that a request mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AudioMentions {
    /// The kind of part that holds audio, or the member that names it.
    heard: Option<&'static str>,
    /// The member that asks for audio in the answer.
    spoken: Option<&'static str>,
}

impl AudioMentions {
    /// The audio in a request of format O. A conversation of texts alone has none.
    #[must_use]
    pub fn of(body: &ProxyBody<CreateChatCompletionHead>, text_alone: bool) -> Self {
        let text = |span: &Range<usize>| written_out(&body.bytes[span.clone()]);
        let head = &body.head;
        let audio = head.audio.as_ref().filter(|audio| *text(&audio.span) != *b"null").map(|_| "audio");
        let names_it = |kinds: &[u8]| memmem::find(kinds, b"\"audio\"").is_some();
        let modalities = head.modalities.as_ref().filter(|kinds| names_it(&text(&kinds.span))).map(|_| "modalities");
        let heard = if text_alone { None } else { heard(&text(&head.messages.span)) };
        Self { heard, spoken: audio.or(modalities) }
    }

    /// The audio in the input of a request of format R, whose answers have none.
    #[must_use]
    pub fn within(input: &[u8]) -> Self {
        Self { heard: heard(&written_out(input)), spoken: None }
    }

    /// True if the answer is to be audio.
    #[must_use]
    pub const fn is_spoken(self) -> bool {
        self.spoken.is_some()
    }

    /// The name of audio that a model has no price for; `None` where all is priced.
    #[must_use]
    pub fn not_sold(self, priced: MediaTokens<bool>) -> Option<&'static str> {
        self.heard.filter(|_| !priced.audio_prompt).or(self.spoken.filter(|_| !priced.audio_completion))
    }
}

/// The first word for audio in a conversation.
fn heard(conversation: &[u8]) -> Option<&'static str> {
    let mut named = words(conversation, &WORDS).filter(|(place, _)| is_named(conversation, place.clone()));
    named.next().map(|(_, word)| word.trim_start_matches('"'))
}

/// True if a quoted word is a kind, or the name of a member that is not null. Other texts and names of tools do not
/// count.
fn is_named(json: &[u8], word: Range<usize>) -> bool {
    let (before, after) = (json[..word.start].trim_ascii_end(), json[word.end..].trim_ascii_start());
    match after.strip_prefix(b":") {
        Some(value) => !value.trim_ascii_start().starts_with(b"null"),
        None => before.strip_suffix(b":").is_some_and(|before| before.trim_ascii_end().ends_with(b"\"type\"")),
    }
}

/// The JSON with escaped letters and `_` written out, so that no word is hidden by them.
/// Where a text only quotes such escapes, their backslash is escaped, and it stays as it is.
fn written_out(json: &[u8]) -> Cow<'_, [u8]> {
    if !spells_letters(json) {
        return Cow::Borrowed(json);
    }
    let mut plain = Vec::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = memchr(b'\\', rest) {
        let (before, escape) = rest.split_at(at);
        plain.extend_from_slice(before);
        if let Some(letter) = spelt(escape) {
            plain.push(letter);
            rest = &escape[6..];
        } else {
            let (kept, after) = escape.split_at(escape.len().min(2));
            plain.extend_from_slice(kept);
            rest = after;
        }
    }
    plain.extend_from_slice(rest);
    Cow::Owned(plain)
}

/// The letter, or `_`, of an escape at the beginning.
fn spelt(escape: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(escape.strip_prefix(b"\\u00")?.get(..2)?).ok()?;
    u8::from_str_radix(digits, 16).ok().filter(|letter| letter.is_ascii_alphabetic() || *letter == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_is_found_by_its_kind_and_by_its_member_however_they_are_spelt() {
        for (conversation, word) in [
            (r#"[{"content":[{"type":"input_audio"}]}]"#, Some("input_audio")),
            (r#"[{"content":[{"type":"input\u005faudio"}]}]"#, Some("input_audio")),
            (r#"[{"content":[{"type":"input\u005Faudio","x":"\\"}]}]"#, Some("input_audio")),
            (r#"[{"content":[{"t\u0079pe" : "\u0061udio"}]}]"#, Some("audio")),
            (r#"[{"content":[{"input_audio":{"data":"x"}}]}]"#, Some("input_audio")),
            (r#"[{"content":[{"type":"audio_url","audio_url":{"url":"x"}}]}]"#, Some("audio_url")),
            (r#"[{"role":"assistant","audio" : {"id":"a"}}]"#, Some("audio")),
            (r#"[{"role":"assistant","audio": null,"content":"x"}]"#, None),
            (r#"[{"role":"user","content":"audio"}]"#, None),
            (r#"[{"role":"user","content":["audio"]}]"#, None),
            (r#"[{"content":"{\"type\":\"input_audio\"}"}]"#, None),
            (r#"[{"content":"it is spelt \"type\":\"\\u0061udio\""}]"#, None),
            (r#"[{"content":"cut \u006"#, None),
        ] {
            assert_eq!(heard(&written_out(conversation.as_bytes())), word, "{conversation}");
        }
    }

    #[test]
    fn letters_alone_are_written_out() {
        for (json, plain) in [
            (r#"["\u0061\u005f\u005A"]"#, r#"["a_Z"]"#),
            (r#"["\u0061\u0022\u005c\u00e9\n"]"#, r#"["a\u0022\u005c\u00e9\n"]"#),
            (r#"["\\u0061\\\u0061"]"#, r#"["\\u0061\\a"]"#),
            (r#"["\u0061\"#, r#"["a\"#),
        ] {
            assert_eq!(*written_out(json.as_bytes()), *plain.as_bytes(), "{json}");
        }
    }
}
