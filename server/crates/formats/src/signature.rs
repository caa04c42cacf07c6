//! Signatures of thinking: opaque to us, wanted back by their maker, refused by everybody else.
//!
//! A client whose format has a field for a signature keeps the text that it was given. Across formats that text is
//! packed: maker, item id and the signature itself, so that a later turn can be handed to the provider that issued it and
//! is left out on the way to any other.

use data_encoding::BASE64URL_NOPAD;

use super::Format;

/// The prefix of a packed signature. The digit is the version of the packing.
const PREFIX: &str = "tg1.";
/// The separator between a call's id and the packed signature that follows it.
const ON_ID: &str = "__tg1_";

/// An opaque text that the maker of thinking wants back with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThinkingSignature {
    /// The upstream that made it; `None` for one in the client's own words, which goes to an upstream of the client's
    /// format as it stands and to no other.
    pub maker: Option<SignatureMaker>,
    /// The id of the item that it belongs to, in formats that have one.
    pub item: Option<String>,
    /// The signature, byte for byte.
    pub text: String,
}

/// The maker of a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureMaker {
    /// The upstream's name in the configuration.
    pub upstream: String,
    /// The format that it spoke.
    pub format: Format,
}

/// True if a request holds a packed signature: one of another format's maker, which no provider may see.
///
/// It is told by its beginning at the beginning of a JSON text, plain or in the base64 of format G, or on a call's id. A client
/// that writes such a text itself only has its request read, and loses nothing.
#[must_use]
pub fn has_foreign_signature(body: &[u8]) -> bool {
    // `PREFIX` and `ON_ID` are looked for at once, by what they have in common.
    const COMMON: &[u8] = b"tg1";
    // `tg1.` as the first bytes of base64; the last letter holds no bit of what follows.
    const IN_BASE64: &[u8] = b"\"dGcxL";
    let is_mark = |at: usize| {
        let (before, behind) = (&body[..at], &body[at..]);
        (before.ends_with(b"\"") && behind.starts_with(PREFIX.as_bytes()))
            || body[at.saturating_sub(2)..].starts_with(ON_ID.as_bytes())
    };
    memchr::memmem::find_iter(body, COMMON).any(is_mark) || memchr::memmem::find(body, IN_BASE64).is_some()
}

impl ThinkingSignature {
    /// One that a provider sent just now.
    #[must_use]
    pub fn made_by(upstream: &str, format: Format, item: Option<String>, text: String) -> Self {
        Self { maker: Some(SignatureMaker { upstream: upstream.to_owned(), format }), item, text }
    }

    /// True if it may be the signature of a text.
    /// Format G signs the last part of an answer, whether that was thought or said.
    /// It asks for its thoughts and calls to come back signed, and would like it of texts.
    #[must_use]
    pub fn may_sign_text(&self) -> bool {
        self.maker.as_ref().is_some_and(|maker| maker.format == Format::Generate)
    }

    /// The signature in a client's field for signatures: a packed one, or the client's own words.
    #[must_use]
    pub fn read(text: &str) -> Self {
        unpack(text).unwrap_or_else(|| Self { maker: None, item: None, text: text.to_owned() })
    }

    /// One line of text for a client's field: the signature itself where the client speaks the maker's format, else packed.
    #[must_use]
    pub fn for_client(&self, client: Format) -> String {
        match &self.maker {
            Some(maker) if maker.format == client && self.item.is_none() => self.text.clone(),
            Some(maker) => pack(maker, self.item.as_deref(), &self.text),
            None => self.text.clone(),
        }
    }

    /// The signature for an upstream, or `None` when that upstream did not make it.
    #[must_use]
    pub fn for_upstream(&self, from: Format, upstream: &str, to: Format) -> Option<&str> {
        let its_own = match &self.maker {
            Some(maker) => maker.upstream == upstream && maker.format == to,
            None => from == to,
        };
        its_own.then_some(self.text.as_str())
    }

    /// A call's id with the signature on it, for formats that have no other place that every client sends back. Letters,
    /// digits, `_` and `-` only.
    #[must_use]
    pub fn append_to_id(&self, id: &str) -> String {
        let Some(maker) = &self.maker else { return id.to_owned() };
        let packed = pack(maker, self.item.as_deref(), &self.text);
        format!("{id}{ON_ID}{}", BASE64URL_NOPAD.encode(packed.as_bytes()))
    }

    /// Splits an id that a client sent into the call's own id and the signature that follows it.
    #[must_use]
    pub fn split_from_id(id: &str) -> (&str, Option<Self>) {
        let Some((id, packed)) = id.split_once(ON_ID) else { return (id, None) };
        let packed = BASE64URL_NOPAD.decode(packed.as_bytes()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        (id, packed.as_deref().and_then(unpack))
    }
}

fn pack(maker: &SignatureMaker, item: Option<&str>, text: &str) -> String {
    let parts = [maker.upstream.as_str(), word(maker.format), item.unwrap_or_default(), text];
    let parts = parts.map(|part| BASE64URL_NOPAD.encode(part.as_bytes()));
    format!("{PREFIX}{}", parts.join("."))
}

fn unpack(text: &str) -> Option<ThinkingSignature> {
    let mut parts = text.strip_prefix(PREFIX)?.split('.').map(|part| {
        let bytes = BASE64URL_NOPAD.decode(part.as_bytes()).ok()?;
        String::from_utf8(bytes).ok()
    });
    let (upstream, format, item, text) = (parts.next()??, parts.next()??, parts.next()??, parts.next()??);
    let maker = Some(SignatureMaker { upstream, format: format_of(&format)? });
    parts.next().is_none().then_some(ThinkingSignature { maker, item: (!item.is_empty()).then_some(item), text })
}

const fn word(format: Format) -> &'static str {
    match format {
        Format::Chat | Format::Completions => "o",
        Format::Responses => "r",
        Format::Messages => "a",
        Format::Generate => "g",
    }
}

fn format_of(word: &str) -> Option<Format> {
    [Format::Chat, Format::Responses, Format::Messages, Format::Generate]
        .into_iter()
        .find(|format| self::word(*format) == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_back_to_its_maker_and_to_nobody_else() {
        let made = ThinkingSignature::made_by("up", Format::Generate, Some("item".into()), "sig+/=\u{e9}".into());
        let back = ThinkingSignature::read(&made.for_client(Format::Messages));
        assert_eq!(back, made);
        assert_eq!(back.for_upstream(Format::Messages, "up", Format::Generate), Some("sig+/=\u{e9}"));
        assert_eq!(back.for_upstream(Format::Messages, "other", Format::Generate), None);
        assert_eq!(back.for_upstream(Format::Messages, "up", Format::Messages), None);
    }

    #[test]
    fn the_client_s_own_words_stay_in_its_format() {
        let own = ThinkingSignature::read("EqRk");
        assert_eq!(own.for_upstream(Format::Messages, "any", Format::Messages), Some("EqRk"));
        assert_eq!(own.for_upstream(Format::Messages, "any", Format::Generate), None);
    }

    #[test]
    fn a_packed_one_is_found_wherever_it_stands() {
        let made = ThinkingSignature::made_by("up", Format::Generate, None, "sig".into());
        let packed = made.for_client(Format::Messages);
        let bytes = data_encoding::BASE64.encode(packed.as_bytes());
        for text in [&packed, &made.append_to_id("call_1"), &bytes] {
            assert!(has_foreign_signature(format!(r#"{{"a":["{text}"]}}"#).as_bytes()), "{text}");
        }
        for body in
            [r#"{"signature":"EqRk"}"#, r#"{"text":"of tg1. and dGcxL"}"#, r#"["tg1_","_tg1_","__tg1."]"#, "tg1", ""]
        {
            assert!(!has_foreign_signature(body.as_bytes()), "{body}");
        }
    }

    #[test]
    fn it_rides_on_an_id_and_gets_off_again() {
        let made = ThinkingSignature::made_by("up", Format::Generate, None, "sig".into());
        let id = made.append_to_id("call_1");
        assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')));
        assert_eq!(ThinkingSignature::split_from_id(&id), ("call_1", Some(made)));
        assert_eq!(ThinkingSignature::split_from_id("call_2"), ("call_2", None));
        assert_eq!(ThinkingSignature::split_from_id("call_3__tg1_!"), ("call_3", None));
    }
}
