//! Storage of a response after its request was answered.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::streaming::closed_thinking::ClientResponse;
use tollgate_base::AccountId;
use tollgate_store::StoreError;

use super::{ResponseStore, StoredResponseRow};

/// A request whose response is to be stored.
#[derive(Debug)]
pub struct PendingStorage {
    memory: ResponseStore,
    account: AccountId,
    model: String,
    input: Vec<Box<RawValue>>,
}

/// A response that was stored.
#[derive(Debug)]
pub struct StoredResponse {
    memory: ResponseStore,
    account: AccountId,
    id: String,
}

/// The member of a response that is read.
#[derive(Deserialize)]
struct ResponseIdMember<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
}

impl PendingStorage {
    /// The storage for a request of `account` to `model`, where `input` is the model's whole input.
    #[must_use]
    pub fn new(memory: ResponseStore, account: AccountId, model: String, input: Vec<Box<RawValue>>) -> Self {
        Self { memory, account, model, input }
    }

    /// Stores the response, durable when it returns. A response without an id, which could not be found again, is not
    /// stored, nor is one larger than the account's quota.
    ///
    /// # Errors
    /// When the store takes no write now.
    pub async fn response(self, response: &ClientResponse) -> Result<Option<StoredResponse>, StoreError> {
        let Self { memory, account, model, input } = self;
        let ClientResponse { body, hidden } = response;
        let named = serde_json::from_slice::<ResponseIdMember<'_>>(body).ok().map(|named| named.id.into_owned());
        let text = std::str::from_utf8(body).ok();
        let (Some(id), Some(text)) = (named.filter(|id| !id.is_empty()), text) else { return Ok(None) };
        let row =
            StoredResponseRow { id, model, input: list(&input), response: text.to_owned(), hidden: hidden.to_text() };
        let is_kept = memory.keep(account, &row).await?;
        Ok(is_kept.then_some(StoredResponse { memory, account, id: row.id }))
    }
}

impl StoredResponse {
    /// Deletes it again: its charge could not be recorded, so the client never saw it complete.
    pub async fn undo(self) {
        // This is called when the ledger takes no writes, so the deletion may fail too.
        if let Err(error) = self.memory.delete(self.account, &self.id).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "a response that was not charged is kept until it expires");
        }
    }
}

fn list(items: &[Box<RawValue>]) -> String {
    let texts: Vec<&str> = items.iter().map(|item| item.get()).collect();
    format!("[{}]", texts.join(","))
}
