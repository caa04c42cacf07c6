//! The items of a stored response that a later request may refer to by their ids.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Deserialize;

use tollgate_api::generated::limits;

use super::row::StoredResponseRow;

/// The most items of one response that can be found, and that one request may refer to.
pub const ITEMS: usize = limits::STORED_ITEMS as usize;
/// The longest id that is taken, in bytes: what the table holds.
const ID_BYTES: usize = 256;

#[derive(Deserialize)]
struct ItemIdMember<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct OutputItemIds<'a> {
    #[serde(borrow)]
    output: Vec<ItemIdMember<'a>>,
}

/// True if an item can be found by this id; providers and this service make no others.
#[must_use]
pub fn is_findable(id: &str) -> bool {
    (1..=ID_BYTES).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The ids of a response's items, the newest [`ITEMS`] of them, as a JSON list. A list that cannot be read
/// gives none.
#[must_use]
pub fn ids(row: &StoredResponseRow) -> String {
    let input = serde_json::from_str::<Vec<ItemIdMember<'_>>>(&row.input).unwrap_or_default();
    let output =
        serde_json::from_str::<OutputItemIds<'_>>(&row.response).map(|response| response.output).unwrap_or_default();
    let newest_first = output.into_iter().rev().chain(input.into_iter().rev());
    let ids = newest_first.filter_map(|item| item.id).filter(|id| is_findable(id));
    let ids: BTreeSet<Cow<'_, str>> = ids.take(ITEMS).collect();
    serde_json::to_string(&ids).expect("texts are JSON")
}
