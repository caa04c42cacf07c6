//! `thoughtSignature`: bytes in base64. What another maker signed is packed, and the packed text is these bytes, because
//! the official SDKs decode the field and send it back in the other alphabet.

use super::super::{Format, ThinkingSignature};
use super::base64;

/// On a call for which there is none: the format's documented word for histories that were made elsewhere.
pub const BYPASS: &str = "skip_thought_signature_validator";

/// The signature that a client sent: one of ours, or its own provider's.
pub fn read(text: &str) -> ThinkingSignature {
    let packed = base64::decode(text).and_then(|bytes| String::from_utf8(bytes).ok());
    match packed.as_deref().map(ThinkingSignature::read) {
        Some(signature) if signature.maker.is_some() => signature,
        _ => ThinkingSignature { maker: None, item: None, text: text.to_owned() },
    }
}

/// The text of a signature for a client of the format.
pub fn write(signature: &ThinkingSignature) -> String {
    let text = signature.for_client(Format::Generate);
    if text == signature.text { text } else { base64::encode(text.as_bytes()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_maker_s_signature_is_bytes_to_the_sdk_and_comes_back() {
        let made = ThinkingSignature::made_by("up", Format::Messages, Some("i".into()), "sig\u{e9}".into());
        let url_safe = write(&made).replace('+', "-").replace('/', "_");
        assert!(base64::decode(&url_safe).is_some());
        assert_eq!(read(&url_safe), made);
        let own = ThinkingSignature::made_by("up", Format::Generate, None, "Cq+/".into());
        assert_eq!(write(&own), "Cq+/");
        assert_eq!(read("Cq+/").text, "Cq+/");
        assert_eq!(read(BYPASS).maker, None);
    }
}
