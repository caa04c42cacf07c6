//! Signatures for a client, which sends them back: on call ids, and in members that some clients keep.

use super::super::json::{ArrayWriter, ObjectWriter};
use super::super::{Format, ThinkingSignature};

/// The id that a client gets for a call: with the signature on it, unless that has a place of its own in this format.
pub fn id(id: &str, signature: Option<&ThinkingSignature>) -> String {
    match signature {
        Some(signature) if maker(signature) != Some(Format::Chat) => signature.append_to_id(id),
        Some(_) | None => id.to_owned(),
    }
}

/// Writes `extra_content`, where clients and upstreams that know it keep the signature of a call.
pub fn extra_content(signature: Option<&ThinkingSignature>, call: &mut ObjectWriter<'_>) {
    let known = |signature: &&ThinkingSignature| matches!(maker(signature), Some(Format::Chat | Format::Generate));
    let Some(signature) = signature.filter(known) else { return };
    let mut content = call.object("extra_content");
    let mut google = content.object("google");
    google.member("thought_signature", &signature.for_client(Format::Chat));
    google.end();
    content.end();
}

/// The signature of a thought, to be put on the next call's id; `text` is `None` for a closed thought.
///
/// It is for clients that send back nothing else of the thought. [`restore_signatures`](super::thinking::restore_signatures)
/// takes it off again.
///
/// Format A refuses a signature beside any text but the one that it signs, so the length of that text is put there too; and
/// a closed thought of its could not be told from an open one, and is not put there.
pub fn signature_for_call_id(signature: &ThinkingSignature, text: Option<&str>) -> Option<ThinkingSignature> {
    match maker(signature)? {
        Format::Messages => {
            let length = text?.len().to_string();
            Some(ThinkingSignature { item: Some(length), ..signature.clone() })
        }
        Format::Responses => Some(signature.clone()),
        Format::Chat | Format::Completions | Format::Generate => None,
    }
}

/// One of `reasoning_details`: a thought with what its maker wants back.
#[derive(Debug, Clone)]
pub struct ReasoningDetail {
    /// The thought in words; `None` for a closed one.
    pub text: Option<String>,
    /// The id of its item.
    pub id: Option<String>,
    /// The signature that its maker wants back.
    pub signature: ThinkingSignature,
}

impl ReasoningDetail {
    /// Writes it, unless the maker wants nothing but the text, which the client has already.
    pub fn write(&self, index: usize, list: &mut ArrayWriter<'_>) {
        let signature = self.signature.for_client(Format::Chat);
        let mut detail = list.object();
        match &self.text {
            Some(text) => detail.member("type", "reasoning.text").member("text", text).member("signature", &signature),
            None => detail.member("type", "reasoning.encrypted").member("data", &signature),
        };
        detail.maybe("id", self.id.as_ref()).member("index", &index);
        detail.end();
    }

    /// True if it says more than the plain text of the thought.
    pub fn is_needed(&self) -> bool {
        !self.signature.text.is_empty()
    }
}

/// The format of its maker.
pub fn maker(signature: &ThinkingSignature) -> Option<Format> {
    signature.maker.as_ref().map(|maker| maker.format)
}
