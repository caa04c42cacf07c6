//! Items of the input that stand there by their ids, found in what the account has stored.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::base::AccountId;
use crate::generated::limits;

use super::super::Gateway;
use super::super::exchange::Unreadable;
use super::super::exchange::responses::{Reference, reference};
use super::super::memory::{ITEMS, is_findable};
use super::{NotRecalled, conversation};

/// Responses that are read for one request. An item is found in the newest one that it stands in, and that of a conversation
/// holds all of it.
const HOLDERS_MAX: usize = 64;

impl Gateway {
    /// Puts stored items in the place of what refers to them; where that was. Thinking whose closed content is not stored
    /// stays as it came: its provider was told what it says, and is not bound to take it.
    pub(super) async fn refer(
        &self,
        account: AccountId,
        items: &mut [Box<RawValue>],
    ) -> Result<Vec<usize>, NotRecalled> {
        // 1. What is referred to.
        let references: Vec<(usize, Reference)> =
            items.iter().enumerate().filter_map(|(index, item)| Some((index, reference(item)?))).collect();
        if references.is_empty() {
            return Ok(Vec::new());
        }
        if references.len() > ITEMS {
            return Err(too_much(format!("a list with at most {ITEMS} references"), references.len().to_string()));
        }
        // 2. What is found.
        let ids = references.iter().map(|(_, reference)| id(reference));
        let found = self.stored_items(account, ids.filter(|id| is_findable(id)).map(str::to_owned).collect()).await?;
        // 3. What takes its place, as long as the whole is no larger than a request may be.
        let mut bytes = 0;
        let mut replaced = Vec::with_capacity(references.len());
        for (index, reference) in references {
            let Some(item) = found.get(id(&reference)) else {
                match reference {
                    Reference::Item(id) => return Err(NotRecalled::NoItem(id)),
                    Reference::ClosedThinking(_) => continue,
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

    /// Those of these items that are stored, by their ids. One response after the other is read, so that only one is in
    /// memory at a time.
    async fn stored_items(
        &self,
        account: AccountId,
        ids: BTreeSet<String>,
    ) -> Result<BTreeMap<String, Box<RawValue>>, NotRecalled> {
        let mut found = BTreeMap::new();
        if ids.is_empty() {
            return Ok(found);
        }
        let holders = self.memory.holders(account, &ids).await?;
        if holders.len() > HOLDERS_MAX {
            let most = format!("references to what stands in at most {HOLDERS_MAX} responses");
            return Err(too_much(most, holders.len().to_string()));
        }
        let mut bytes = 0;
        for holder in holders {
            // It may have been dropped in between.
            let Some(row) = self.memory.find(account, &holder).await? else { continue };
            for item in conversation(&row)? {
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

fn id(reference: &Reference) -> &str {
    match reference {
        Reference::Item(id) | Reference::ClosedThinking(id) => id,
    }
}

fn named(item: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        id: String,
    }
    serde_json::from_str::<Named>(item.get()).ok().map(|named| named.id)
}

fn too_much(expected: String, found: String) -> NotRecalled {
    Unreadable { at: "input".to_owned(), expected, found }.into()
}
