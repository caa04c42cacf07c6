//! Resolution of the references in a request of format R: the previous response, stored items in the input by their ids, and
//! compacted conversations. The result is self-contained, so that any provider can be asked.

mod referred;

use bytes::Bytes;
use serde_json::value::RawValue;

use crate::Gateway;
use crate::members::StoredItems;
use crate::stored_responses::{CompactionSeal, ForeignSeal, ParentResponse, UnreadableResponse};
use tollgate_base::AccountId;
use tollgate_formats::MalformedRequest;
use tollgate_formats::responses::{closed_content, expand, items, keeps_own_compaction, summary_item, with_items};
use tollgate_store::StoreError;

/// A request without references to stored responses.
#[derive(Debug)]
pub struct ResolvedRequest {
    /// The body; the client's own bytes where it had no references.
    pub bytes: Bytes,
    /// The whole input with earlier turns, each item with an id, as it is stored.
    pub input: Vec<Box<RawValue>>,
    /// The response whose conversation `input` begins with.
    pub parent: Option<ParentResponse>,
    /// The items of `input` that the client did not send itself.
    pub stored: StoredItems,
}

/// An error in resolving the references of a request.
#[derive(Debug, thiserror::Error)]
pub enum UnresolvedReference {
    /// The input does not fit the format, or refers to too much.
    #[error("the request cannot be read")]
    Unreadable(#[from] MalformedRequest),
    /// The account has no such response.
    #[error("there is no response `{0}` to go on from")]
    NoResponse(String),
    /// The account has no such item.
    #[error("there is no item `{0}`")]
    NoItem(String),
    /// A compacted part was not sealed by this service for this account.
    #[error("a compacted part of the input cannot be decrypted")]
    BadCompaction(#[from] ForeignSeal),
    /// The stored responses cannot be read.
    #[error("the stored responses cannot be read")]
    Memory(#[from] StoreError),
}

impl Gateway {
    /// Resolves the references of a request. `previous` is the response that it names; the ids of new items derive from
    /// `answer`.
    pub(crate) async fn resolve_references(
        &self,
        account: AccountId,
        bytes: Bytes,
        previous: Option<&str>,
        answer: &str,
    ) -> Result<ResolvedRequest, UnresolvedReference> {
        // 1. The input: the earlier conversation, and the items that the client adds to it, in full or by ids.
        let (mut input, parent) = match previous {
            Some(id) => self.stored_conversation(account, id).await?,
            None => (Vec::new(), None),
        };
        let before = input.len();
        let mut stored = StoredItems::first(before);
        let mut own = items(&bytes, answer)?;
        let referred = self.insert_stored_items(account, &mut own).await?;
        for index in &referred {
            stored.add(before + index);
        }
        input.extend(own);
        // 2. The compacted parts. Those of a provider pass where they were stored before, and where the request itself says
        //    that the provider compacts.
        let parts: Vec<(usize, String)> =
            input.iter().enumerate().filter_map(|(index, item)| Some((index, closed_content(item)?))).collect();
        let of_provider = keeps_own_compaction(&bytes)?;
        let foreign = |(index, part): &(usize, String)| !stored.holds(*index) && !CompactionSeal::is_one(part);
        if !of_provider && parts.iter().any(foreign) {
            return Err(ForeignSeal.into());
        }
        let sealed: Vec<&(usize, String)> = parts.iter().filter(|(_, part)| CompactionSeal::is_one(part)).collect();
        if previous.is_none() && referred.is_empty() && sealed.is_empty() {
            return Ok(ResolvedRequest { bytes, input, parent, stored });
        }
        // 3. The provider is sent the decrypted parts; the parts are stored as the client knows them.
        let mut sent = input.clone();
        for (index, part) in sealed {
            sent[*index] = summary_item(&self.memory.seal().open(account, part)?);
        }
        let bytes = expand(&[], &with_items(&bytes, &sent)?)?;
        Ok(ResolvedRequest { bytes: bytes.into(), input, parent, stored })
    }

    /// The conversation up to and including a stored response.
    async fn stored_conversation(
        &self,
        account: AccountId,
        id: &str,
    ) -> Result<(Vec<Box<RawValue>>, Option<ParentResponse>), UnresolvedReference> {
        let found =
            self.memory.find(account, id).await?.ok_or_else(|| UnresolvedReference::NoResponse(id.to_owned()))?;
        let items = found.items()?;
        let parent = found.as_parent(&items);
        Ok((items, parent))
    }
}

impl From<UnreadableResponse> for UnresolvedReference {
    fn from(error: UnreadableResponse) -> Self {
        match error {
            UnreadableResponse::Row(error) => Self::Memory(error),
            UnreadableResponse::Output(malformed) => Self::Unreadable(malformed),
        }
    }
}
