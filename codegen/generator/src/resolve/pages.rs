//! Lists that come in pages: the place of the items, and the request for the next page.

use serde::Serialize;

use super::ResolvedType;
use super::context::ResolveContext;
use super::csv::{ResolvedTypes, led_to, names};
use crate::model::{self, Primitive, SpannedText, TypeExpr};

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

pub(super) fn resolve<'s>(
    cx: &mut ResolveContext<'s>,
    types: ResolvedTypes<'_, 's>,
    operation: &'s model::DeclaredOperation,
    pages: &'s model::DeclaredPages,
) -> Option<ResolvedPages<'s>> {
    let refused = cx.refusals.len();
    let ok = operation.ok.as_ref().and_then(|ok| TypeExpr::parse(&ok.value).ok());
    let Some(reply) = ok.map(|expr| ResolvedType::of(&expr.base)) else {
        cx.refuse(pages.items.place, "only an operation with `ok:` has pages");
        return None;
    };
    let mut ask = |path: &SpannedText, fits: fn(&ResolvedType) -> bool, what: &str| {
        if !led_to(types, &reply, path).is_some_and(|ty| fits(&ty)) {
            cx.refuse(path.place, format!("this leads to no {what} of the reply"));
        }
    };
    ask(&pages.items, |ty| matches!(ty, ResolvedType::List(_)), "list");
    ask(&pages.next, is_text, "text");
    if let Some(more) = &pages.more {
        ask(more, |ty| *ty == ResolvedType::Primitive(Primitive::Bool), "`bool`");
    }
    let by = operation.query.get(pages.by.value.as_str()).and_then(|field| TypeExpr::parse(&field.ty.value).ok());
    if !by.is_some_and(|expr| expr.optional && is_text(&ResolvedType::of(&expr.base))) {
        cx.refuse(pages.by.place, "this is no `optional string` of `query`");
    }
    (cx.refusals.len() == refused).then(|| ResolvedPages {
        items: names(&pages.items),
        by: &pages.by.value,
        next: names(&pages.next),
        more: pages.more.as_ref().map(names),
    })
}

fn is_text(ty: &ResolvedType) -> bool {
    *ty == ResolvedType::Primitive(Primitive::String)
}
