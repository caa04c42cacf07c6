//! Lists that come in pages: the place of the items, and the request for the next page.

use serde::Serialize;

use super::context::ResolveContext;
use super::csv::names;
use crate::model;

/// The pagination of a list.
#[derive(Debug, Serialize)]
pub struct ResolvedPages<'s> {
    /// The fields that lead to the list.
    pub items: Vec<&'s str>,
    /// The query parameter that asks for a later page.
    pub by: &'s str,
    /// The fields that lead to what it has to be for the next page.
    pub next: Vec<&'s str>,
    /// The fields that lead to whether there is a next page; without it, there is one where `next` leads to something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<Vec<&'s str>>,
}

/// The check has seen where the paths lead.
pub(super) fn resolve<'s>(
    cx: &mut ResolveContext<'s>,
    operation: &'s model::DeclaredOperation,
    pages: &'s model::DeclaredPages,
) -> Option<ResolvedPages<'s>> {
    if operation.ok.is_none() {
        cx.refuse(pages.items.place, "only an operation with `ok:` has pages");
        return None;
    }
    Some(ResolvedPages {
        items: names(&pages.items),
        by: &pages.by.value,
        next: names(&pages.next),
        more: pages.more.as_ref().map(names),
    })
}
