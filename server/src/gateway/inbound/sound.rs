//! Sound in a request of format O, which names it: it is not sold by a model that has no price for it.

use crate::api::ProxyBody;
use crate::credit::Media;
use crate::generated::ops::chat::CreateChatCompletionHead;

/// Where a request names sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sound {
    /// The kind of part that holds some.
    heard: Option<&'static str>,
    /// The member that asks for some in the answer.
    spoken: Option<&'static str>,
}

impl Sound {
    /// Of a request of format O.
    #[must_use]
    pub fn of(body: &ProxyBody<CreateChatCompletionHead>) -> Self {
        const PART: &str = "input_audio";
        let text = |span: &std::ops::Range<usize>| &body.bytes[span.clone()];
        let holds = |text: &[u8], word: &str| memchr::memmem::find(text, format!("\"{word}\"").as_bytes()).is_some();
        let head = &body.head;
        let audio = head.audio.as_ref().filter(|audio| text(&audio.span) != b"null").map(|_| "audio");
        let modalities =
            head.modalities.as_ref().filter(|kinds| holds(text(&kinds.span), "audio")).map(|_| "modalities");
        Self { heard: holds(text(&head.messages.span), PART).then_some(PART), spoken: audio.or(modalities) }
    }

    /// Whether the answer is to be sound.
    #[must_use]
    pub const fn is_spoken(self) -> bool {
        self.spoken.is_some()
    }

    /// What of it a model has no price for, by its name.
    #[must_use]
    pub fn not_sold(self, priced: Media<bool>) -> Option<&'static str> {
        self.heard.filter(|_| !priced.audio_prompt).or(self.spoken.filter(|_| !priced.audio_completion))
    }
}
