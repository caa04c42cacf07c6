//! Storage of a response after its request was answered.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::streaming::closed_thinking::ClientResponse;
use tollgate_base::AccountId;
use tollgate_store::StoreError;

use super::items::ID_BYTES;
use super::{NewResponse, ParentResponse, ResponseStore};

/// A request whose response is to be stored.
#[derive(Debug)]
pub struct PendingStorage {
    memory: ResponseStore,
    account: AccountId,
    model: String,
    input: Vec<Box<RawValue>>,
    parent: Option<ParentResponse>,
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
    /// The storage for a request of `account` to `model`, where `input` is the model's whole input, which begins with the
    /// conversation of `parent`.
    #[must_use]
    pub fn new(
        memory: ResponseStore,
        account: AccountId,
        model: String,
        input: Vec<Box<RawValue>>,
        parent: Option<ParentResponse>,
    ) -> Self {
        Self { memory, account, model, input, parent }
    }

    /// Stores the response, which is found when this returns. A response whose id could not be asked for again is not stored,
    /// nor is one larger than the account's quota.
    ///
    /// # Errors
    /// When the store takes no write now.
    pub async fn response(self, response: &ClientResponse) -> Result<Option<StoredResponse>, Arc<StoreError>> {
        let Self { memory, account, model, input, parent } = self;
        let ClientResponse { body, hidden } = response;
        let named = serde_json::from_slice::<ResponseIdMember<'_>>(body).ok().map(|named| named.id.into_owned());
        let text = std::str::from_utf8(body).ok();
        let is_findable = |id: &String| (1..=ID_BYTES).contains(&id.len());
        let (Some(id), Some(text)) = (named.filter(is_findable), text) else { return Ok(None) };
        let (response, hidden) = (text.to_owned(), hidden.to_text());
        let new = NewResponse { id: id.clone(), model, input, parent, response, hidden };
        let is_kept = memory.keep(account, new).await?;
        Ok(is_kept.then_some(StoredResponse { memory, account, id }))
    }
}

impl StoredResponse {
    /// Deletes it again: its charge could not be recorded, so the client never saw it complete.
    pub async fn undo(self) {
        // This is called when the ledger takes no writes, so the deletion may fail too.
        if let Err(error) = self.memory.delete(self.account, &self.id).await {
            let error = &*error as &dyn std::error::Error;
            tracing::warn!(error, "a response that was not charged is kept until it expires");
        }
    }
}
