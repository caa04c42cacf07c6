//! The size of a prompt, for the gateway's own count: all of a body that the model reads, in bytes of text.

use memchr::{memchr, memchr2, memmem};

use tollgate_api::FastScanner;
use tollgate_api::generated::limits;
use tollgate_formats::Format;

use super::size;

/// The tokens that a picture, a sound or a file is counted as. What it is worth is for its provider to say.
const MEDIUM_TOKENS: u64 = 1_000;
/// The bytes of one that is written out for which a token is counted beside these: long documents have many.
const MEDIUM_BYTES_PER_TOKEN: u64 = 512;
/// A run of so many letters of base64 is no text.
const RUN_BYTES: usize = 1_024;
/// Members whose base64 a model reads as it stands, or as the thinking that it stands for.
const CLOSED: [&[u8]; 4] = [b"signature", b"thoughtSignature", b"thought_signature", b"encrypted_content"];

/// The size of what the model reads of a body, in bytes: the conversation, the instructions, the tools and the form of the output.
/// Media are counted as so much text as their tokens would be.
#[must_use]
pub fn prompt_bytes(format: Format, body: &[u8], text_alone: bool) -> u64 {
    let mut sum = 0_u64;
    let read = std::str::from_utf8(body).ok().and_then(|text| {
        FastScanner::trusting(text).members(|name, json| {
            if !is_read(format, &name) {
                return json.pass();
            }
            let value = json.text()?.as_bytes();
            sum = sum.saturating_add(if text_alone { size(value.len()) } else { bytes_with_media(value) });
            Some(())
        })
    });
    // What cannot be told apart is counted whole.
    read.map_or(size(body.len()), |()| sum)
}

/// True for the members of a body that its model reads.
fn is_read(format: Format, name: &str) -> bool {
    let names: &[&str] = match format {
        Format::Chat => &["messages", "tools", "functions", "response_format", "documents"],
        Format::Completions => &["prompt", "suffix"],
        Format::Responses => &["input", "instructions", "tools", "text"],
        Format::Messages => &["messages", "system", "tools", "output_config", "output_format"],
        Format::Generate => &["contents", "systemInstruction", "system_instruction", "tools"],
    };
    names.contains(&name)
}

/// The size of a JSON text whose media are counted as what they are.
fn bytes_with_media(json: &[u8]) -> u64 {
    let (mut sum, mut rest, mut name): (u64, &[u8], &[u8]) = (size(json.len()), json, b"");
    while let Some((text, after)) = next_text(rest) {
        rest = after;
        if after.trim_ascii_start().starts_with(b":") {
            name = text;
        } else if let Some(tokens) = tokens_of_medium(text, name) {
            let counted = tokens.saturating_mul(limits::COUNTED_BYTES_PER_TOKEN.into());
            sum = sum.saturating_sub(size(text.len())).saturating_add(counted);
        }
    }
    sum
}

/// The tokens of a text that is a medium, or the address of one; `None` for any other.
fn tokens_of_medium(text: &[u8], name: &[u8]) -> Option<u64> {
    let is_inlined =
        text.starts_with(b"data:") && memmem::find(&text[..text.len().min(RUN_BYTES)], b";base64,").is_some();
    let is_run = || text.len() >= RUN_BYTES && !CLOSED.contains(&name) && text.iter().all(|byte| is_base64(*byte));
    if is_inlined || is_run() {
        return Some(MEDIUM_TOKENS + size(text.len()) / MEDIUM_BYTES_PER_TOKEN);
    }
    let is_address = [&b"https:"[..], b"http:", b"gs:"].iter().any(|scheme| text.starts_with(scheme));
    (is_address && memchr(b' ', text).is_none()).then_some(MEDIUM_TOKENS)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_=\\".contains(&byte)
}

/// The next text of a JSON text, without its quotes and as it is written, and what follows it.
fn next_text(json: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = &json[memchr(b'"', json)? + 1..];
    let mut at = 0;
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some((&text[..at], &text[at + 1..]));
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_the_model_reads_counts() {
        for (format, body, expected) in [
            (Format::Chat, r#"{"model":"m","messages":[1],"tools":[{}],"max_tokens":7}"#, 3 + 4),
            (Format::Responses, r#"{"input":"hi","instructions":"hello","user":"u"}"#, 4 + 7),
            (Format::Messages, r#"{"system":"s","messages":[],"metadata":{"user_id":"u"}}"#, 3 + 2),
            (Format::Generate, r#"{"contents":[],"system_instruction":{},"toolConfig":{}}"#, 2 + 2),
            (Format::Completions, r#"{"prompt":"abc","stop":"x"}"#, 5),
            (Format::Chat, "[1]", 3),
        ] {
            assert_eq!(prompt_bytes(format, body.as_bytes(), true), expected, "{body}");
        }
    }

    #[test]
    fn a_medium_counts_as_its_tokens_and_not_as_its_bytes() {
        let run = "A".repeat(51_200);
        let content = |value: &str| format!(r#"{{"messages":[{{"a":"a \"text\" of https://x","b":"{value}"}}]}}"#);
        let bytes = |value: &str| prompt_bytes(Format::Chat, content(value).as_bytes(), false);
        let none = bytes("");
        assert_eq!(bytes("https://x/y.png"), none + 4_000);
        assert_eq!(bytes(&run), none + 4 * (1_000 + 100));
        assert_eq!(bytes(&format!("data:image/png;base64,{run}")), none + 4 * (1_000 + 100));
        assert_eq!(bytes("see https://x"), none + 13);
        assert_eq!(bytes("https://x and more"), none + 18);
        assert_eq!(bytes(&run[..1_000]), none + 1_000);
        // Thinking that only its maker reads is as long as it is.
        let closed = format!(r#"{{"messages":[{{"signature":"{run}"}}]}}"#);
        assert_eq!(prompt_bytes(Format::Chat, closed.as_bytes(), false), size(closed.len() - r#"{"messages":}"#.len()));
    }
}
