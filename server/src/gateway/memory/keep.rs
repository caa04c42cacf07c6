//! What is to be kept of a request once it is answered.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::base::AccountId;
use crate::store::StoreError;

use super::super::closed_thinking::ToldResponse;
use super::{Memory, Row};

/// A request whose response is to be kept.
#[derive(Debug)]
pub struct Keep {
    memory: Memory,
    account: AccountId,
    model: String,
    input: Vec<Box<RawValue>>,
}

/// A response that was kept.
#[derive(Debug)]
pub struct Kept {
    memory: Memory,
    account: AccountId,
    id: String,
}

/// What is looked for in a response.
#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
}

impl Keep {
    /// For a request of `account` to `model`, with everything that the model was given as `input`.
    #[must_use]
    pub fn new(memory: Memory, account: AccountId, model: String, input: Vec<Box<RawValue>>) -> Self {
        Self { memory, account, model, input }
    }

    /// Keeps the response; durable when it returns. A response without an id, which nobody could ask for, is not kept, nor
    /// is one that is larger than all that an account may keep.
    ///
    /// # Errors
    /// When the store takes no write now.
    pub async fn response(self, response: &ToldResponse) -> Result<Option<Kept>, StoreError> {
        let Self { memory, account, model, input } = self;
        let ToldResponse { body, hidden } = response;
        let named = serde_json::from_slice::<Named<'_>>(body).ok().map(|named| named.id.into_owned());
        let text = std::str::from_utf8(body).ok();
        let (Some(id), Some(text)) = (named.filter(|id| !id.is_empty()), text) else { return Ok(None) };
        let row = Row { id, model, input: list(&input), response: text.to_owned(), hidden: hidden.to_text() };
        let is_kept = memory.keep(account, &row).await?;
        Ok(is_kept.then_some(Kept { memory, account, id: row.id }))
    }
}

impl Kept {
    /// Forgets it again: its charge could not be recorded, so that the client never saw it complete.
    pub async fn undo(self) {
        // The ledger does not take writes either, or this would not be asked for.
        if let Err(error) = self.memory.forget(self.account, &self.id).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "a response that was not charged is kept until it expires");
        }
    }
}

fn list(items: &[Box<RawValue>]) -> String {
    let texts: Vec<&str> = items.iter().map(|item| item.get()).collect();
    format!("[{}]", texts.join(","))
}
