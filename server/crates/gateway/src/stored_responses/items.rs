//! The items of a stored response that a later request may refer to by their ids.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use tollgate_api::generated::limits;

/// The most items of one response that can be found, and that one request may refer to.
pub const ITEMS: usize = limits::STORED_ITEMS as usize;
/// The longest id that is taken, in bytes.
pub(super) const ID_BYTES: usize = 256;

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

/// The ids of items of an input and of a response, the newest [`ITEMS`] of them. What cannot be read gives none.
#[must_use]
pub fn ids(input: &[Box<RawValue>], response: &str) -> BTreeSet<String> {
    let id = |item: &RawValue| serde_json::from_str::<ItemIdMember<'_>>(item.get()).ok()?.id.map(Cow::into_owned);
    let output = serde_json::from_str::<OutputItemIds<'_>>(response).map(|it| it.output).unwrap_or_default();
    let output = output.into_iter().rev().filter_map(|item| item.id).map(Cow::into_owned);
    let newest_first = output.chain(input.iter().rev().filter_map(|item| id(item)));
    newest_first.filter(|id| is_findable(id)).take(ITEMS).collect()
}
