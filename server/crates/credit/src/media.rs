//! Sound and pictures that are counted in tokens, and which of them a request may bring along.

/// One value for each kind of token that is sound or a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MediaTokens<T> {
    /// Sound in the prompt.
    pub audio_prompt: T,
    /// Pictures in the prompt.
    pub image_prompt: T,
    /// Sound in the answer.
    pub audio_completion: T,
    /// Pictures in the answer.
    pub image_completion: T,
}

/// The sound and pictures that a request may bring along beside text. They bound at which price its tokens can be charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MediaKinds {
    /// Sound or pictures in the prompt.
    pub prompt: bool,
    /// Sound in the answer.
    pub audio: bool,
    /// Pictures in the answer.
    pub image: bool,
}
