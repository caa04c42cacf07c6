//! The size of a prompt, for the gateway's own count, in bytes of text.

use memchr::{memchr, memchr2, memmem};

use tollgate_api::generated::limits;

use super::size;

/// The tokens that a picture, a sound or a file is counted as. What it is worth is for its provider to say.
const MEDIUM_TOKENS: u64 = 1_000;
/// The bytes of one that is written out for which a token is counted beside these: long documents have many.
const MEDIUM_BYTES_PER_TOKEN: u64 = 512;
/// The bytes at both ends of a text that must be base64 for it to be a medium.
const ENDS_BYTES: usize = 1_024;
/// The longest address of a medium.
const ADDRESS_BYTES_MAX: usize = 8 << 10;
/// The start of a document in base64.
const PDF: &[u8] = b"JVBERi";
/// The end of the media type in an address that holds its medium.
const BASE64: &[u8] = b";base64,";
/// Members of a body in which media may stand.
const CONVERSATION: [&[u8]; 6] =
    [b"messages", b"system", b"input", b"contents", b"systemInstruction", b"system_instruction"];
/// Members within these whose values are the client's own, and are read as text.
const OWN: [&[u8]; 9] =
    [b"input", b"arguments", b"args", b"response", b"tools", b"parameters", b"input_schema", b"action", b"metadata"];

/// The size of a body in bytes. Where it has media, they are counted as so much text as their tokens would be.
#[must_use]
pub fn prompt_bytes(body: &[u8], text_alone: bool) -> u64 {
    if text_alone { size(body.len()) } else { bytes_with_media(body) }
}

/// An object or a list that has not ended yet.
#[derive(Debug, Clone, Copy, Default)]
struct OpenValue<'a> {
    /// The name that it has in the object around it.
    name: &'a [u8],
    /// True where no medium may stand.
    closed: bool,
    /// The value of its member `type`.
    kind: &'a [u8],
    /// The claim of its media type: a medium, or something that is read as text.
    says_medium: bool,
    says_text: bool,
    /// True if one of its members has a name with escapes: nothing in it is a medium for certain.
    has_escaped_name: bool,
    /// Media for certain.
    media: MediaSum,
    /// Media where the object says that they are.
    data: MediaSum,
}

/// Media of one object, and the tokens that they count as.
#[derive(Debug, Clone, Copy, Default)]
struct MediaSum {
    bytes: u64,
    tokens: u64,
}

/// The size of a JSON text whose media are counted as what they are. What stands under a name with escapes counts as text.
fn bytes_with_media(json: &[u8]) -> u64 {
    let mut sum = size(json.len());
    let (mut open, mut rest, mut name) = (Vec::<OpenValue<'_>>::new(), json, &b""[..]);
    while let Some((between, text, after)) = next_text(rest) {
        rest = after;
        for byte in between {
            match byte {
                b'{' | b'[' => {
                    open.push(OpenValue::within(&open, name));
                    name = b"";
                }
                b'}' | b']' => {
                    sum = open.pop().map_or(sum, |ended| ended.counted_in(sum));
                    name = b"";
                }
                b',' => name = b"",
                _ => {}
            }
        }
        if after.trim_ascii_start().starts_with(b":") {
            name = text;
            // Who reads it decodes it, and may find any name.
            if let Some(object) = open.last_mut().filter(|_| memchr(b'\\', text).is_some()) {
                object.has_escaped_name = true;
            }
        } else if let Some(object) = open.last_mut() {
            object.look_at(std::mem::take(&mut name), text);
        }
    }
    open.into_iter().fold(sum, |sum, ended| ended.counted_in(sum))
}

impl<'a> OpenValue<'a> {
    /// The value of the member `name` of the last of these. Elements of a list have no name.
    fn within(open: &[Self], name: &'a [u8]) -> Self {
        let closed = match open {
            [] => false,
            [_] => !CONVERSATION.contains(&name),
            [.., around] => around.closed || OWN.contains(&name) || memchr(b'\\', name).is_some(),
        };
        Self { name, closed, ..Self::default() }
    }

    fn look_at(&mut self, name: &[u8], text: &'a [u8]) {
        match name {
            b"type" => self.kind = text,
            b"media_type" | b"mime_type" | b"mimeType" => match is_of_medium(text) {
                true => self.says_medium = true,
                false => self.says_text = true,
            },
            _ if self.closed => {}
            b"data" | b"result" if text.len() >= ENDS_BYTES && is_base64(text) => {
                self.data.add(text, written_out(text));
            }
            b"file_data" if text.starts_with(PDF) && is_base64(text) => self.media.add(text, written_out(text)),
            b"image_url" | b"video_url" | b"audio_url" | b"file_url" | b"file_data" | b"fileUri" | b"file_uri" => {
                self.address(text);
            }
            b"url" if matches!(self.name, b"image_url" | b"video_url" | b"audio_url" | b"source") => self.address(text),
            _ => {}
        }
    }

    /// Counts a medium by its address, which may hold it.
    fn address(&mut self, text: &[u8]) {
        if let Some(inlined) = text.strip_prefix(b"data:") {
            let start = &inlined[..inlined.len().min(ENDS_BYTES)];
            let data = memmem::find(start, BASE64).map(|at| &inlined[at + BASE64.len()..]);
            if is_of_medium(inlined) && data.is_some_and(is_base64) {
                self.media.add(text, written_out(text));
            }
        } else if text.len() <= ADDRESS_BYTES_MAX
            && [&b"https:"[..], b"http:", b"gs:"].iter().any(|scheme| text.starts_with(scheme))
        {
            self.media.add(text, MEDIUM_TOKENS);
        }
    }

    /// The sum with its media as their tokens.
    fn counted_in(&self, sum: u64) -> u64 {
        if self.has_escaped_name {
            return sum;
        }
        let is_medium = match self.name {
            b"inlineData" | b"inline_data" => self.says_medium && !self.says_text,
            b"source" => self.kind == b"base64" && self.says_medium && !self.says_text,
            b"input_audio" => true,
            _ => self.kind == b"image_generation_call",
        };
        let sum = self.media.counted_in(sum);
        if is_medium { self.data.counted_in(sum) } else { sum }
    }
}

impl MediaSum {
    fn add(&mut self, text: &[u8], tokens: u64) {
        self.bytes = self.bytes.saturating_add(size(text.len()));
        self.tokens = self.tokens.saturating_add(tokens);
    }

    fn counted_in(self, sum: u64) -> u64 {
        let counted = self.tokens.saturating_mul(limits::COUNTED_BYTES_PER_TOKEN.into());
        sum.saturating_sub(self.bytes).saturating_add(counted)
    }
}

/// The tokens of a medium that is written out.
fn written_out(text: &[u8]) -> u64 {
    MEDIUM_TOKENS + size(text.len()) / MEDIUM_BYTES_PER_TOKEN
}

/// True for the media type of a picture, a sound, a film or a page, at the start of a text. What has another is read as text.
fn is_of_medium(media_type: &[u8]) -> bool {
    let starts = |kind: &&[u8]| media_type.starts_with(kind);
    [&b"image"[..], b"audio", b"video", b"application/pdf", b"application\\/pdf"].iter().any(starts)
}

/// True if both ends of a text are base64, whose slashes may be escaped.
fn is_base64(text: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=\\".contains(byte);
    let ends = text.len().min(ENDS_BYTES);
    text[..ends].iter().chain(&text[text.len() - ends..]).all(is_digit)
}

/// The next text of a JSON text, without its quotes and as it is written, between the parts before and behind it.
fn next_text(json: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let start = memchr(b'"', json)?;
    let (between, text) = (&json[..start], &json[start + 1..]);
    let mut at = 0;
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some((between, &text[..at], &text[at + 1..]));
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The difference that media make to the size of a body with this part.
    fn change(part: &str) -> i64 {
        let body = format!(r#"{{"model":"m","messages":[{{"role":"user","content":[{part}]}}],"tools":[]}}"#);
        let bytes = prompt_bytes(body.as_bytes(), false);
        i64::try_from(bytes).expect("few") - i64::try_from(body.len()).expect("few")
    }

    #[test]
    fn a_body_of_text_alone_is_as_long_as_it_is() {
        assert_eq!(prompt_bytes(br#"{"image_url":"https://x"}"#, true), 25);
        assert_eq!(change(r#"{"type":"text","text":"a \"text\" of https://x"}"#), 0);
        assert_eq!(prompt_bytes(br#"{"a":["#, false), 6);
    }

    #[test]
    fn a_medium_counts_as_its_tokens_and_not_as_its_bytes() {
        let run = "A".repeat(51_200);
        let (size, written) = (51_200, 4 * (1_000 + 100));
        for (part, expected) in [
            (r#"{"type":"image_url","image_url":{"url":"https://x"}}"#.to_owned(), 4_000 - 9),
            (r#"{"type":"input_image","image_url":"https://x"}"#.to_owned(), 4_000 - 9),
            (r#"{"fileData":{"mimeType":"text/plain","fileUri":"gs://x"}}"#.to_owned(), 4_000 - 6),
            (r#"{"type":"image","source":{"type":"url","url":"https://x"}}"#.to_owned(), 4_000 - 9),
            (format!(r#"{{"image_url":{{"url":"data:image/png;base64,{run}"}}}}"#), written - size - 22),
            (format!(r#"{{"source":{{"data":"{run}","media_type":"image/png","type":"base64"}}}}"#), written - size),
            (format!(r#"{{"inlineData":{{"mimeType":"application/pdf","data":"{run}"}}}}"#), written - size),
            (format!(r#"{{"input_audio":{{"data":"{run}","format":"wav"}}}}"#), written - size),
            (format!(r#"{{"result":"{run}","type":"image_generation_call"}}"#), written - size),
        ] {
            assert_eq!(change(&part), expected, "{}", &part[..part.len().min(60)]);
        }
    }

    #[test]
    fn no_text_is_made_cheap_or_dear_by_looking_like_a_medium() {
        let run = "A".repeat(51_200);
        for part in [
            r#"{"citations":[{"url":"https://x","source":"https://x"}],"url":"https://x"}"#.to_owned(),
            r#"{"sources":[{"type":"url","url":"https://x"}],"source":[{"url":"https://x"}]}"#.to_owned(),
            format!(r#"{{"type":"text","text":"{run}"}}"#),
            format!(r#"{{"content":"{run}","output":"{run}","data":"{run}","signature":"{run}"}}"#),
            format!(r#"{{"type":"image_url","image_url":{{"url":"https://{run}"}}}}"#),
            format!(r#"{{"source":{{"type":"text","media_type":"text/plain","data":"{run}"}}}}"#),
            format!(r#"{{"source":{{"type":"t\u0065xt","data":"{run}"}}}}"#),
            format!(r#"{{"inlineData":{{"mimeType":"text/plain","data":"{run}"}}}}"#),
            format!(r#"{{"inlineData":{{"data":"{run}","mimeType":"image/png","mime_type":"text/plain"}}}}"#),
            format!(r#"{{"file":{{"file_data":"data:text/plain;base64,{run}"}}}}"#),
            format!(r#"{{"image_url":{{"url":"data:image/png;base64,{run} and words"}}}}"#),
            format!(r#"{{"type":"tool_use","input":{{"image_url":"https://x","source":{{"data":"{run}"}}}}}}"#),
            format!(r#"{{"type":"tool_use","inp\u0075t":{{"image_url":"data:image/png;base64,{run}"}}}}"#),
            format!(r#"{{"inlineData":{{"mimeType":"image/png","mim\u0065Type":"text/plain","data":"{run}"}}}}"#),
            format!(r#"{{"type":"text","text":"x","image_url":null}},"data:image/png;base64,{run}""#),
            format!(r#"{{"functionResponse":{{"response":{{"result":"{run}","type":"image_generation_call"}}}}}}"#),
        ] {
            assert_eq!(change(&part), 0, "{}", &part[..part.len().min(60)]);
        }
        let tools = r#"{"tools":[{"image_url":"https://x"}],"messages":[]}"#;
        assert_eq!(prompt_bytes(tools.as_bytes(), false), size(tools.len()));
    }
}
