//! One row of the store: a response with its input.

/// A stored response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponseRow {
    /// The id that the client knows.
    pub id: String,
    /// The model as the client named it.
    pub model: String,
    /// Its whole input: a JSON list of items, each with an id.
    pub input: String,
    /// The response as the client got it: a JSON object.
    pub response: String,
    /// The thinking that was hidden from the client, as
    /// [`HiddenThinking`](crate::streaming::closed_thinking::HiddenThinking) writes it.
    pub hidden: String,
}

impl StoredResponseRow {
    /// Its share of the account's quota, in bytes.
    pub(super) fn bytes(&self) -> usize {
        [&self.id, &self.model, &self.input, &self.response, &self.hidden].map(String::len).iter().sum()
    }
}
