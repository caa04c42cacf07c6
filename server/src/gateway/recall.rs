//! What a request of format R refers to, put in its place: the response that it goes on from, stored items that stand in
//! its input by their ids, and compacted conversations. After this a request says all that it means, and any provider can
//! be asked.

mod referred;

use bytes::Bytes;
use serde_json::value::RawValue;

use crate::base::AccountId;
use crate::store::StoreError;

use super::Gateway;
use super::closed_thinking::HiddenThinking;
use super::exchange::Unreadable;
use super::exchange::responses::{closed, expand, items, keeps_own_compaction, opened, outputs, with_items};
use super::inbound::members::StoredItems;
use super::memory::{NotOurs, Row, Seal};

/// A request that says all that it means.
#[derive(Debug)]
pub struct Recalled {
    /// The body; the client's own bytes where it referred to nothing.
    pub bytes: Bytes,
    /// Its whole input, earlier turns included, each item with an id, as it is kept.
    pub input: Vec<Box<RawValue>>,
    /// Which of these items the client did not send itself.
    pub stored: StoredItems,
}

/// Why a request cannot be made whole.
#[derive(Debug, thiserror::Error)]
pub enum NotRecalled {
    /// Its input is not what the format says, or refers to too much.
    #[error("the request cannot be read")]
    Unreadable(#[from] Unreadable),
    /// The account has no such response.
    #[error("there is no response `{0}` to go on from")]
    NoResponse(String),
    /// The account has no such item.
    #[error("there is no item `{0}`")]
    NoItem(String),
    /// A compacted part is not ours.
    #[error("a compacted part cannot be opened")]
    BadCompaction(#[from] NotOurs),
    /// The memory cannot be read.
    #[error("the memory cannot be read")]
    Memory(#[from] StoreError),
}

impl Gateway {
    /// Makes a request whole. `previous` is the response that it names; `answer` is what ids of new items are made of.
    pub(super) async fn recall(
        &self,
        account: AccountId,
        bytes: Bytes,
        previous: Option<&str>,
        answer: &str,
    ) -> Result<Recalled, NotRecalled> {
        // 1. What is there: the conversation before, and what the client adds to it, by words or by ids.
        let mut input = match previous {
            Some(id) => self.before(account, id).await?,
            None => Vec::new(),
        };
        let before = input.len();
        let mut stored = StoredItems::first(before);
        let mut own = items(&bytes, answer)?;
        let referred = self.refer(account, &mut own).await?;
        for index in &referred {
            stored.add(before + index);
        }
        input.extend(own);
        // 2. Whose compacted parts there are. Those of a provider are let through where they were let in before, and
        //    where the request itself says that the provider compacts.
        let parts: Vec<(usize, String)> =
            input.iter().enumerate().filter_map(|(index, item)| Some((index, closed(item)?))).collect();
        let of_provider = keeps_own_compaction(&bytes)?;
        let foreign = |(index, part): &(usize, String)| !stored.holds(*index) && !Seal::is_one(part);
        if !of_provider && parts.iter().any(foreign) {
            return Err(NotOurs.into());
        }
        let sealed: Vec<&(usize, String)> = parts.iter().filter(|(_, part)| Seal::is_one(part)).collect();
        if previous.is_none() && referred.is_empty() && sealed.is_empty() {
            return Ok(Recalled { bytes, input, stored });
        }
        // 3. What is sent: the parts opened. What is kept: the parts as the client knows them.
        let mut sent = input.clone();
        for (index, part) in sealed {
            sent[*index] = opened(&self.memory.seal().open(account, part)?);
        }
        let bytes = expand(&[], &with_items(&bytes, &sent)?)?;
        Ok(Recalled { bytes: bytes.into(), input, stored })
    }

    /// The conversation that a kept response ended.
    async fn before(&self, account: AccountId, id: &str) -> Result<Vec<Box<RawValue>>, NotRecalled> {
        let row = self.memory.find(account, id).await?.ok_or_else(|| NotRecalled::NoResponse(id.to_owned()))?;
        conversation(&row)
    }
}

/// All items of a kept response, those of its input first, with what was hidden of them.
fn conversation(row: &Row) -> Result<Vec<Box<RawValue>>, NotRecalled> {
    let unreadable = |what| move |_| StoreError::Unreadable { what, found: format!("another value in {}", row.id) };
    let mut items: Vec<Box<RawValue>> = serde_json::from_str(&row.input).map_err(unreadable("a list of items"))?;
    let hidden = HiddenThinking::from_text(&row.hidden).map_err(unreadable("texts by ids of items"))?;
    items.extend(outputs(row.response.as_bytes())?.into_iter().map(|item| hidden.shown_in(item)));
    Ok(items)
}
