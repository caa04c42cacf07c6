//! The formats: paths and bodies of each.

use bytes::Bytes;

/// A text format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Chat,
    Messages,
    Generate,
    Responses,
}

impl Format {
    pub(crate) const ALL: [Self; 4] = [Self::Chat, Self::Messages, Self::Generate, Self::Responses];

    /// Its name in a configuration and in the table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Messages => "messages",
            Self::Generate => "generate",
            Self::Responses => "responses",
        }
    }

    /// The path at which a client of it asks a model.
    pub(crate) fn path(self, model: &str, stream: bool) -> String {
        match self {
            Self::Chat => "/v1/chat/completions".to_owned(),
            Self::Messages => "/v1/messages".to_owned(),
            Self::Responses => "/v1/responses".to_owned(),
            Self::Generate if stream => format!("/v1beta/models/{model}:streamGenerateContent?alt=sse"),
            Self::Generate => format!("/v1beta/models/{model}:generateContent"),
        }
    }

    /// A request of format R that says nothing of `store`, so that the response is stored: 500 bytes.
    pub(crate) fn stored_body(model: &str) -> Bytes {
        let text = "word \\n ".repeat(62);
        let input = format!("[{{\"role\":\"user\",\"content\":\"{text}\"}}]");
        Bytes::from(format!("{{\"model\":\"{model}\",\"max_output_tokens\":200,\"input\":{input}}}"))
    }

    /// A conversation of so many turns of the user's, 500 bytes each. Format R keeps nothing of it.
    pub(crate) fn body(self, model: &str, turns: usize, stream: bool) -> Bytes {
        let text = "word \\n ".repeat(62);
        let turn = match self {
            Self::Chat | Self::Messages | Self::Responses => format!("{{\"role\":\"user\",\"content\":\"{text}\"}}"),
            Self::Generate => format!("{{\"role\":\"user\",\"parts\":[{{\"text\":\"{text}\"}}]}}"),
        };
        let turns = vec![turn; turns].join(",");
        let head = format!("\"model\":\"{model}\",\"stream\":{stream}");
        Bytes::from(match self {
            Self::Chat | Self::Messages => format!("{{{head},\"max_tokens\":200,\"messages\":[{turns}]}}"),
            Self::Responses => format!("{{{head},\"store\":false,\"max_output_tokens\":200,\"input\":[{turns}]}}"),
            Self::Generate => format!("{{\"generationConfig\":{{\"maxOutputTokens\":200}},\"contents\":[{turns}]}}"),
        })
    }
}

/// The model that is reached over a format.
pub(crate) fn model(provider: Format) -> String {
    format!("m-{}", provider.name())
}
