//! Bytes in JSON. The format takes both alphabets, padded or not; everybody else takes the standard one, padded.

use data_encoding::BASE64;

/// First characters of well-known kinds of file, in standard base64.
const MAGIC: [(&str, &str); 6] = [
    ("iVBORw0KGgo", "image/png"),
    ("/9j/", "image/jpeg"),
    ("R0lGOD", "image/gif"),
    ("UklGR", "image/webp"),
    ("JVBERi0", "application/pdf"),
    ("SUQz", "audio/mpeg"),
];

/// The text in the standard alphabet of base64, padded; `None` when it is no base64.
pub fn standard(mut text: String) -> Option<String> {
    text.truncate(text.trim_end_matches('=').len());
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
    if text.len() % 4 == 1 || !text.bytes().all(known) {
        return None;
    }
    if text.contains(['-', '_']) {
        text = text.replace('-', "+").replace('_', "/");
    }
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    Some(text)
}

/// The bytes; `None` when it is no base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(standard(text.to_owned())?.as_bytes()).ok()
}

/// In the standard alphabet, padded.
pub fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// The kind of file by its first bytes, for media that came without a word about it.
pub fn sniff(standard: &str) -> Option<&'static str> {
    MAGIC.iter().find(|(magic, _)| standard.starts_with(magic)).map(|(_, mime)| *mime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_alphabets_come_out_standard() {
        for (given, expected) in
            [("-_8", Some("+/8=")), ("+/8=", Some("+/8=")), ("", Some("")), ("a", None), ("a b=", None)]
        {
            assert_eq!(standard(given.to_owned()).as_deref(), expected, "{given}");
        }
        assert_eq!(decode("-_8"), Some(vec![0xfb, 0xff]));
    }
}
