//! The services of a provider, and their paths by its kind.

use url::Url;

use crate::config::ProviderKind;
use tollgate_formats::Format;

/// A service of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpstreamAction {
    /// One turn of a conversation.
    Turn {
        /// True if the answer is to be a stream.
        stream: bool,
    },
    /// Completion of a text; format O alone has it beside chat.
    Complete,
    /// Embeddings, of one content or several.
    Embed,
    /// The embedding of one content, which only format G has as a service of its own.
    EmbedOne,
    /// The token count of a turn; format O alone has none.
    Count,
    /// Image generation from a text.
    Draw,
    /// Image edits from images and a text.
    Edit,
    /// Moderation of texts.
    Moderate,
}

impl UpstreamAction {
    /// All of them, in the order of [`index`](Self::index).
    pub(super) const ALL: [Self; 9] = [
        Self::Turn { stream: false },
        Self::Turn { stream: true },
        Self::Complete,
        Self::Embed,
        Self::EmbedOne,
        Self::Count,
        Self::Draw,
        Self::Edit,
        Self::Moderate,
    ];

    /// The place of the service in [`ALL`](Self::ALL).
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Turn { stream: false } => 0,
            Self::Turn { stream: true } => 1,
            Self::Complete => 2,
            Self::Embed => 3,
            Self::EmbedOne => 4,
            Self::Count => 5,
            Self::Draw => 6,
            Self::Edit => 7,
            Self::Moderate => 8,
        }
    }

    /// The URL of the service at a provider of this kind; in format G it has the model's name.
    ///
    /// Services that a kind lacks are never requested from it; their URL would be that of another service.
    pub(super) fn url(self, base: &Url, kind: ProviderKind, model: &str) -> Url {
        let mut url = base.clone();
        let mut path = url.path_segments_mut().expect("an http address has a path");
        match kind {
            ProviderKind::Speaks(Format::Chat | Format::Completions) => path.extend(self.chat()),
            ProviderKind::Speaks(Format::Responses) => path.extend(self.responses()),
            ProviderKind::Speaks(Format::Messages) => path.extend(self.messages()),
            ProviderKind::Speaks(Format::Generate) => path.extend(["models", &format!("{model}:{}", self.generate())]),
            // Generation and edits have one path.
            ProviderKind::Pictures => path.extend(["services", "aigc", "multimodal-generation", "generation"]),
            ProviderKind::PicturesLater => path.extend(self.pictures_later()),
            ProviderKind::VideoA => path.extend(["videos"]),
        };
        drop(path);
        if kind == ProviderKind::Speaks(Format::Generate) && self == (Self::Turn { stream: true }) {
            url.set_query(Some("alt=sse"));
        }
        url
    }

    const fn chat(self) -> &'static [&'static str] {
        match self {
            Self::Turn { .. } | Self::Count => &["chat", "completions"],
            Self::Complete => &["completions"],
            Self::Embed | Self::EmbedOne => &["embeddings"],
            Self::Draw => &["images", "generations"],
            Self::Edit => &["images", "edits"],
            Self::Moderate => &["moderations"],
        }
    }

    const fn responses(self) -> &'static [&'static str] {
        match self {
            Self::Turn { .. } => &["responses"],
            Self::Count => &["responses", "input_tokens"],
            // The other services are those of format O.
            Self::Complete | Self::Embed | Self::EmbedOne | Self::Draw | Self::Edit | Self::Moderate => self.chat(),
        }
    }

    const fn messages(self) -> &'static [&'static str] {
        match self {
            Self::Count => &["messages", "count_tokens"],
            Self::Turn { .. }
            | Self::Complete
            | Self::Embed
            | Self::EmbedOne
            | Self::Draw
            | Self::Edit
            | Self::Moderate => &["messages"],
        }
    }

    const fn pictures_later(self) -> &'static [&'static str] {
        match self {
            Self::Edit => &["services", "aigc", "image2image", "image-synthesis"],
            Self::Turn { .. }
            | Self::Complete
            | Self::Embed
            | Self::EmbedOne
            | Self::Count
            | Self::Draw
            | Self::Moderate => &["services", "aigc", "text2image", "image-synthesis"],
        }
    }

    const fn generate(self) -> &'static str {
        match self {
            Self::Turn { stream: false } | Self::Complete | Self::Draw | Self::Edit | Self::Moderate => {
                "generateContent"
            }
            Self::Turn { stream: true } => "streamGenerateContent",
            Self::Embed => "batchEmbedContents",
            Self::EmbedOne => "embedContent",
            Self::Count => "countTokens",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_service_has_its_place() {
        assert_eq!(UpstreamAction::ALL.map(UpstreamAction::index), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn each_format_has_its_paths() {
        let base = Url::parse("https://x.example/v1").expect("an address");
        for (format, action, path) in [
            (Format::Chat, UpstreamAction::Turn { stream: true }, "/v1/chat/completions"),
            (Format::Chat, UpstreamAction::Complete, "/v1/completions"),
            (Format::Chat, UpstreamAction::Embed, "/v1/embeddings"),
            (Format::Chat, UpstreamAction::Moderate, "/v1/moderations"),
            (Format::Chat, UpstreamAction::Draw, "/v1/images/generations"),
            (Format::Chat, UpstreamAction::Edit, "/v1/images/edits"),
            (Format::Responses, UpstreamAction::Turn { stream: false }, "/v1/responses"),
            (Format::Responses, UpstreamAction::Embed, "/v1/embeddings"),
            (Format::Responses, UpstreamAction::Count, "/v1/responses/input_tokens"),
            (Format::Messages, UpstreamAction::Turn { stream: true }, "/v1/messages"),
            (Format::Messages, UpstreamAction::Count, "/v1/messages/count_tokens"),
            (Format::Generate, UpstreamAction::Count, "/v1/models/a%2Fb:countTokens"),
            (Format::Generate, UpstreamAction::Turn { stream: false }, "/v1/models/a%2Fb:generateContent"),
            (Format::Generate, UpstreamAction::Turn { stream: true }, "/v1/models/a%2Fb:streamGenerateContent?alt=sse"),
            (Format::Generate, UpstreamAction::Embed, "/v1/models/a%2Fb:batchEmbedContents"),
            (Format::Generate, UpstreamAction::EmbedOne, "/v1/models/a%2Fb:embedContent"),
        ] {
            assert_eq!(
                action.url(&base, ProviderKind::Speaks(format), "a/b").as_str(),
                format!("https://x.example{path}")
            );
        }
        for (kind, action, path) in [
            (ProviderKind::Pictures, UpstreamAction::Draw, "multimodal-generation/generation"),
            (ProviderKind::Pictures, UpstreamAction::Edit, "multimodal-generation/generation"),
            (ProviderKind::PicturesLater, UpstreamAction::Draw, "text2image/image-synthesis"),
            (ProviderKind::PicturesLater, UpstreamAction::Edit, "image2image/image-synthesis"),
        ] {
            let painter = action.url(&base, kind, "a/b");
            assert_eq!(painter.as_str(), format!("https://x.example/v1/services/aigc/{path}"));
        }
    }
}
