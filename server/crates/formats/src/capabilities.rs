//! Capabilities of a model, as far as they are known: conversions follow them, and the lists of models show them.

use serde::{Deserialize, Serialize};

/// The capabilities of a model, as far as they are known; `None` means unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelCapabilities {
    /// The way in which the model is told to think.
    pub thinking: Option<ThinkingMode>,
    /// True if it takes `temperature`, `top_p` and `top_k`.
    pub sampling: Option<bool>,
    /// The kinds of input that it reads beside text.
    pub input: Option<InputKinds>,
    /// True if it keeps to a JSON schema.
    pub structured_output: Option<bool>,
    /// True if it calls tools.
    pub tools: Option<bool>,
}

/// The way in which a model is told to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingMode {
    /// By effort, in a word; how many tokens that takes is the model's to decide.
    Adaptive,
    /// By a budget in tokens.
    Budget,
    /// It does not think.
    None,
}

/// A kind of content that a model reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// Text, which every model reads.
    Text,
    /// Pictures.
    Image,
    /// PDF documents.
    Pdf,
    /// Sound.
    Audio,
    /// Film.
    Video,
}

/// The kinds of input that a model reads beside text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InputKinds {
    image: bool,
    pdf: bool,
    audio: bool,
    video: bool,
}

impl ModelCapabilities {
    /// Nothing is known.
    pub const UNKNOWN: Self =
        Self { thinking: None, sampling: None, input: None, structured_output: None, tools: None };

    /// True if it is known that the model thinks.
    #[must_use]
    pub const fn thinks(&self) -> bool {
        matches!(self.thinking, Some(ThinkingMode::Adaptive | ThinkingMode::Budget))
    }
}

impl InputKind {
    /// All kinds, in the order in which they are told.
    pub const ALL: [Self; 5] = [Self::Text, Self::Image, Self::Pdf, Self::Audio, Self::Video];

    /// Its word in a configuration.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Image => "image",
            Self::Pdf => "pdf",
            Self::Audio => "audio",
            Self::Video => "video",
        }
    }
}

impl ThinkingMode {
    /// Its word in a configuration.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Adaptive => "adaptive",
            Self::Budget => "budget",
            Self::None => "none",
        }
    }
}

impl InputKinds {
    /// True if the kind is among them; text always is.
    #[must_use]
    pub const fn has(self, kind: InputKind) -> bool {
        match kind {
            InputKind::Text => true,
            InputKind::Image => self.image,
            InputKind::Pdf => self.pdf,
            InputKind::Audio => self.audio,
            InputKind::Video => self.video,
        }
    }

    /// The kinds, text first.
    pub fn iter(self) -> impl Iterator<Item = InputKind> {
        InputKind::ALL.into_iter().filter(move |kind| self.has(*kind))
    }
}

impl FromIterator<InputKind> for InputKinds {
    fn from_iter<T: IntoIterator<Item = InputKind>>(kinds: T) -> Self {
        let mut all = Self::default();
        for kind in kinds {
            match kind {
                InputKind::Text => {}
                InputKind::Image => all.image = true,
                InputKind::Pdf => all.pdf = true,
                InputKind::Audio => all.audio = true,
                InputKind::Video => all.video = true,
            }
        }
        all
    }
}
