//! Texts to embed, between the reader of one format and the writer of another.

/// Texts to embed, independent of a format.
#[derive(Debug, PartialEq, Eq)]
pub struct EmbeddingTexts {
    /// The texts, in order.
    pub(super) texts: Vec<String>,
    /// The wanted length of each embedding.
    pub(super) dimensions: Option<u64>,
    /// Members that another format lacks and that do not change the result.
    pub(super) dropped: Vec<String>,
}
