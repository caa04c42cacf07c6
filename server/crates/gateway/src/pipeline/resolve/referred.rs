//! Replacement of item ids in the input by the items that the account has stored.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Gateway;
use crate::stored_responses::{ITEMS, is_findable};
use tollgate_api::generated::limits;
use tollgate_base::AccountId;
use tollgate_formats::MalformedRequest;
use tollgate_formats::responses::{StoredReference, reference};

use super::UnresolvedReference;

impl Gateway {
    /// Replaces references by stored items, and returns the indexes of the replaced ones.
    /// Thinking whose encrypted content is not stored stays as the client sent it; the provider gets its text, and need
    /// not use it.
    pub(super) async fn insert_stored_items(
        &self,
        account: AccountId,
        items: &mut [Box<RawValue>],
    ) -> Result<Vec<usize>, UnresolvedReference> {
        // 1. The references.
        let references: Vec<(usize, StoredReference)> =
            items.iter().enumerate().filter_map(|(index, item)| Some((index, reference(item)?))).collect();
        if references.is_empty() {
            return Ok(Vec::new());
        }
        if references.len() > ITEMS {
            return Err(too_much(format!("a list with at most {ITEMS} references"), references.len().to_string()));
        }
        // 2. The stored items.
        let ids = references.iter().map(|(_, reference)| id(reference));
        let found = self.stored_items(account, ids.filter(|id| is_findable(id)).map(str::to_owned).collect()).await?;
        // 3. The replacements, up to the size that a request may have.
        let mut bytes = 0;
        let mut replaced = Vec::with_capacity(references.len());
        for (index, reference) in references {
            let Some(item) = found.get(id(&reference)) else {
                match reference {
                    StoredReference::Item(id) => return Err(UnresolvedReference::NoItem(id)),
                    StoredReference::ClosedThinking(_) => continue,
                }
            };
            bytes += item.get().len();
            if bytes > limits::MEDIA_BODY {
                let most = limits::MEDIA_BODY;
                return Err(too_much(format!("at most {most} bytes with what it refers to"), "more".to_owned()));
            }
            items[index].clone_from(item);
            replaced.push(index);
        }
        Ok(replaced)
    }

    /// The stored items among `ids`, by their ids. Rows are read one after the other, so that only one is in memory at a
    /// time.
    async fn stored_items(
        &self,
        account: AccountId,
        ids: BTreeSet<String>,
    ) -> Result<BTreeMap<String, Box<RawValue>>, UnresolvedReference> {
        let mut found = BTreeMap::new();
        if ids.is_empty() {
            return Ok(found);
        }
        let holders = self.memory.holders(account, &ids).await?;
        let mut bytes = 0;
        for holder in holders {
            // It may have been deleted in between.
            let Some(row) = self.memory.row(account, holder).await? else { continue };
            for item in row.items()? {
                if let Some(id) = named(&item).filter(|id| ids.contains(id)) {
                    bytes += item.get().len();
                    if bytes > limits::MEDIA_BODY {
                        let most = limits::MEDIA_BODY;
                        return Err(too_much(
                            format!("at most {most} bytes with what it refers to"),
                            "more".to_owned(),
                        ));
                    }
                    found.insert(id, item);
                }
            }
        }
        Ok(found)
    }
}

fn id(reference: &StoredReference) -> &str {
    match reference {
        StoredReference::Item(id) | StoredReference::ClosedThinking(id) => id,
    }
}

fn named(item: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct StoredItemId {
        id: String,
    }
    serde_json::from_str::<StoredItemId>(item.get()).ok().map(|named| named.id)
}

fn too_much(expected: String, found: String) -> UnresolvedReference {
    MalformedRequest { at: "input".to_owned(), expected, found }.into()
}
