//! The service for those who call it, as pages that the server shows at `/docs`.
//!
//! A page for each group of operations with its types, and one each for what all of them share. Everything stands in the pages
//! themselves and can be read without a script; `docs.js` adds searching, tabs and copying. Nothing is loaded from elsewhere.
//!
//! Invariants: links are relative, so that a proxy may serve it all under any path; each leads to a page and a heading that
//! exist ([`site::DocsPage::href`] is the one place that makes them); what the spec says is put in as text and never as markup.

mod access;
mod calls;
mod code;
mod diagram;
mod errors;
mod fields;
mod guide_headings;
mod guides;
mod limits;
mod machines;
mod markup;
mod operation;
mod overview;
mod search;
mod site;
#[cfg(test)]
mod tests;
mod types;

use std::collections::BTreeMap;

use askama::Template;
use rayon::prelude::*;

use self::markup::rendered;
use self::site::{DocsPage, DocsSite, HOME, InnerEntry};
use crate::client_model::{ApiDocument, ExampleCase};
use crate::resolve::ResolvedSpec;

const STYLE: &str = include_str!("../../../templates/docs/docs.css");
const SCRIPT: &str = include_str!("../../../templates/docs/docs.js");
/// With more groups than these, the navigation shows the one of its page alone.
const GROUPS_SHOWN: usize = 100;

/// The frame of every page.
#[derive(Template)]
#[template(path = "docs/page.html")]
struct PageFrame<'p> {
    service: &'p str,
    title: &'p str,
    base: &'p str,
    home: String,
    openapi: String,
    /// The pages that all operations share.
    shared: Vec<NavigationEntry>,
    guides: Vec<NavigationEntry>,
    groups: Vec<NavigationEntry>,
    content: String,
}

/// A line of the navigation.
struct NavigationEntry {
    title: String,
    href: String,
    is_here: bool,
    /// The entries of the page, where it is this one.
    inside: Vec<InnerEntry>,
}

pub(super) fn generate(
    lowered: &ResolvedSpec<'_>,
    document: &ApiDocument,
    cases: &[ExampleCase<'_>],
) -> BTreeMap<String, Vec<u8>> {
    let site = DocsSite::new(lowered, document, cases);
    let pages = site.pages();
    let shown = pages.par_iter().map(|(name, title)| {
        let page = DocsPage::new(&site, name);
        let content = content(&page);
        (format!("{name}.html"), framed(&page, &pages, title, content).into_bytes())
    });
    let mut files: BTreeMap<String, Vec<u8>> = shown.collect();
    let others =
        [("docs.css", STYLE.to_owned()), ("docs.js", SCRIPT.to_owned()), ("search.json", search::index(&site))];
    files.extend(others.map(|(name, text)| (name.to_owned(), text.into_bytes())));
    files
}

fn content(page: &DocsPage<'_, '_>) -> String {
    match page.name {
        HOME => overview::content(page),
        site::ACCESS => access::content(page),
        site::ERRORS => errors::content(page),
        site::STATES => machines::content(page),
        site::LIMITS => limits::content(page),
        site::TYPES => types::content(page),
        name => match page.site.guide(name) {
            Some(guide) => guides::content(page, guide),
            None => operation::content(page),
        },
    }
}

fn framed(page: &DocsPage<'_, '_>, pages: &[(String, String)], title: &str, content: String) -> String {
    let site = page.site;
    let entry = |(name, title): &(String, String)| NavigationEntry {
        title: title.clone(),
        href: page.href(name, ""),
        is_here: *name == page.name,
        inside: if *name == page.name { site.inside(name) } else { Vec::new() },
    };
    let (groups, others): (Vec<_>, Vec<_>) = pages.iter().partition(|(name, _)| site.is_group(name));
    let (guides, shared): (Vec<_>, Vec<_>) = others.into_iter().partition(|(name, _)| site.guide(name).is_some());
    // Beside so many others nobody finds one by reading; they stand on the first page.
    let is_shown = |(name, _): &&(String, String)| groups.len() <= GROUPS_SHOWN || *name == page.name;
    let frame = PageFrame {
        service: &site.document.service.title,
        title,
        base: page.base(),
        home: page.href(HOME, ""),
        openapi: if page.name == HOME { "openapi.json".to_owned() } else { "../openapi.json".to_owned() },
        shared: shared.into_iter().map(entry).collect(),
        guides: guides.into_iter().map(entry).collect(),
        groups: groups.iter().copied().filter(is_shown).map(entry).collect(),
        content,
    };
    rendered(&frame)
}
