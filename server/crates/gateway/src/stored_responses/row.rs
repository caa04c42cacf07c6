//! Stored responses as they are written, and as they are read.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use tollgate_base::AccountId;
use tollgate_formats::MalformedRequest;
use tollgate_formats::responses::outputs;
use tollgate_store::StoreError;

use super::items::ids;
use crate::streaming::closed_thinking::HiddenThinking;

/// The stored response that a request goes on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParentResponse {
    /// The number of its row.
    pub(super) seq: i64,
    /// Its id.
    pub(super) id: String,
    /// The number of items in its conversation: its input and its output.
    pub(super) items: usize,
    /// The size of its conversation, in bytes.
    pub(super) bytes: usize,
}

/// A response to be stored.
#[derive(Debug, Clone)]
pub struct NewResponse {
    /// The id that the client knows.
    pub id: String,
    /// The model as the client named it.
    pub model: String,
    /// Its whole input, each item with an id.
    pub input: Vec<Box<RawValue>>,
    /// The response that it goes on from, whose items begin `input`.
    pub parent: Option<ParentResponse>,
    /// The response as the client got it: a JSON object.
    pub response: String,
    /// The thinking that was hidden from the client, as [`HiddenThinking`] writes it.
    pub hidden: String,
}

/// A response with the texts of its row, which are made before the writer has it.
#[derive(Debug)]
pub(super) struct PreparedResponse {
    new: NewResponse,
    /// The items of the input that stand in no row before it: a JSON list.
    input: String,
    ids: BTreeSet<String>,
    /// `ids` as a JSON list.
    items: String,
}

impl PreparedResponse {
    pub(super) fn new(new: NewResponse) -> Self {
        let skipped = new.parent.as_ref().map_or(0, |parent| parent.items);
        Self::without(skipped, new)
    }

    /// Without the first `skipped` items of the input.
    fn without(skipped: usize, new: NewResponse) -> Self {
        let own = new.input.get(skipped..).unwrap_or_default();
        let texts: Vec<&str> = own.iter().map(|item| item.get()).collect();
        let input = format!("[{}]", texts.join(","));
        let ids = ids(own, &new.response);
        let items = serde_json::to_string(&ids).expect("texts are JSON");
        Self { new, input, ids, items }
    }

    /// The same without the response that it goes on from: its input is whole.
    pub(super) fn whole(&self) -> Self {
        Self::without(0, NewResponse { parent: None, ..self.new.clone() })
    }

    pub(super) fn id(&self) -> &str {
        &self.new.id
    }

    /// The row of the response that it goes on from, which is of the same account.
    pub(super) fn parent(&self, account: AccountId) -> Option<RowName> {
        self.new.parent.as_ref().map(|parent| (parent.seq, account.0, parent.id.clone()))
    }

    /// The ids of its items.
    pub(super) fn items(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(String::as_str)
    }

    /// Its share of the account's quota, in bytes.
    pub(super) fn bytes(&self) -> i64 {
        let NewResponse { id, model, response, hidden, .. } = &self.new;
        counted([id, model, &self.input, response, hidden].map(String::len).iter().sum())
    }

    /// Its size with all that it goes on from, in bytes.
    pub(super) fn conversation_bytes(&self) -> i64 {
        let before = self.new.parent.as_ref().map_or(0, |parent| parent.bytes);
        self.bytes().saturating_add(counted(before))
    }

    /// Its row.
    pub(super) fn row(&self, account: AccountId, created_at_ms: i64, expires_at_ms: i64) -> InsertedRow<'_> {
        InsertedRow {
            account,
            id: &self.new.id,
            parent: self.new.parent.as_ref().map(|parent| parent.seq),
            created_at_ms,
            expires_at_ms,
            bytes: self.bytes(),
            conversation_bytes: self.conversation_bytes(),
            model: &self.new.model,
            items: &self.items,
            hidden: &self.new.hidden,
            input: &self.input,
            response: &self.new.response,
        }
    }
}

/// A row's number, account and id. The number alone may come again on a server that lost its last commits.
pub(super) type RowName = (i64, i64, String);

/// A row to be inserted.
#[derive(Debug, Clone, Copy)]
pub(super) struct InsertedRow<'a> {
    pub(super) account: AccountId,
    pub(super) id: &'a str,
    pub(super) parent: Option<i64>,
    pub(super) created_at_ms: i64,
    pub(super) expires_at_ms: i64,
    pub(super) bytes: i64,
    pub(super) conversation_bytes: i64,
    pub(super) model: &'a str,
    /// A JSON list of ids.
    pub(super) items: &'a str,
    pub(super) hidden: &'a str,
    pub(super) input: &'a str,
    pub(super) response: &'a str,
}

/// A size as the database has it.
pub(super) fn counted(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// A row of the store: what a response adds to the one that it goes on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponseRow {
    /// Its number.
    pub(super) seq: i64,
    /// The items of the input that stand in no row before it: a JSON list.
    pub input: String,
    /// The response as the client got it: a JSON object.
    pub response: String,
    /// The thinking that was hidden from the client, as [`HiddenThinking`] writes it.
    pub hidden: String,
}

/// A stored response with all those that it goes on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredConversation {
    /// The id of the last response.
    pub(super) id: String,
    /// Oldest first; never empty.
    pub(super) rows: Vec<StoredResponseRow>,
    /// The size of all rows, in bytes.
    pub(super) bytes: usize,
}

/// A stored response that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableResponse {
    /// The row holds something else than was written.
    #[error(transparent)]
    Row(#[from] StoreError),
    /// The provider's response has no list of items.
    #[error("a stored response has no items")]
    Output(#[from] MalformedRequest),
}

impl StoredResponseRow {
    /// Its items: of its own input, then of its output with the hidden thinking.
    ///
    /// # Errors
    /// [`UnreadableResponse`] where one of the texts cannot be read.
    pub fn items(&self) -> Result<Vec<Box<RawValue>>, UnreadableResponse> {
        let mut items = self.input()?;
        let hidden = HiddenThinking::from_text(&self.hidden).map_err(self.unreadable("texts by ids of items"))?;
        items.extend(outputs(self.response.as_bytes())?.into_iter().map(|item| hidden.shown_in(item)));
        Ok(items)
    }

    fn input(&self) -> Result<Vec<Box<RawValue>>, StoreError> {
        serde_json::from_str(&self.input).map_err(self.unreadable("a list of items"))
    }

    fn unreadable(&self, what: &'static str) -> impl FnOnce(serde_json::Error) -> StoreError {
        let found = format!("another value in row {}", self.seq);
        move |_| StoreError::Unreadable { what, found }
    }
}

impl StoredConversation {
    /// All items, those of the last output included.
    ///
    /// # Errors
    /// [`UnreadableResponse`] where a row cannot be read.
    pub fn items(&self) -> Result<Vec<Box<RawValue>>, UnreadableResponse> {
        items_of(&self.rows)
    }

    /// The input of the last response: all items but those of its output.
    ///
    /// # Errors
    /// As [`items`](Self::items).
    pub fn input(&self) -> Result<Vec<Box<RawValue>>, UnreadableResponse> {
        let Some((last, earlier)) = self.rows.split_last() else { return Ok(Vec::new()) };
        let mut items = items_of(earlier)?;
        items.extend(last.input()?);
        Ok(items)
    }

    /// The last response as the one that a request goes on from, where `items` are [its own](Self::items).
    #[must_use]
    pub fn as_parent(&self, items: &[Box<RawValue>]) -> Option<ParentResponse> {
        let seq = self.rows.last()?.seq;
        Some(ParentResponse { seq, id: self.id.clone(), items: items.len(), bytes: self.bytes })
    }
}

fn items_of(rows: &[StoredResponseRow]) -> Result<Vec<Box<RawValue>>, UnreadableResponse> {
    let mut items = Vec::new();
    for row in rows {
        items.extend(row.items()?);
    }
    Ok(items)
}
