//! The first page: what the service is, a first call, all operations.

use askama::Template;

use super::calls::{OperationSample, sample};
use super::guide_headings;
use super::markup::rendered;
use super::site::{ACCESS, DocsPage, ERRORS, LIMITS, STATES, title};
use crate::model::REQUEST_ID;

#[derive(Template)]
#[template(path = "docs/overview.html")]
struct OverviewPage<'l> {
    title: String,
    about: String,
    package: String,
    request_id: &'l str,
    first: Option<OperationSample>,
    /// Links, titles and words of what all operations share, and of the guides.
    cards: Vec<(String, String, String)>,
    groups: Vec<GroupSummary>,
}

struct GroupSummary {
    anchor: String,
    title: String,
    href: String,
    operations: Vec<OperationSummary>,
}

struct OperationSummary {
    method: String,
    path: String,
    href: String,
    about: String,
}

pub(super) fn content(page: &DocsPage<'_, '_>) -> String {
    let site = page.site;
    let first = site.calls.first().map(|call| sample(site, call));
    let cards = [
        (ACCESS, "Access", "Keys and sessions, and where they stand in a request."),
        (ERRORS, "Errors", "Every code, what it says, and what to do about it."),
        (STATES, "States", "How orders, payments and tasks move, with diagrams."),
        (LIMITS, "Limits and rails", "Every bound, and the ways to pay."),
    ];
    let pages = site.pages();
    let cards = cards.into_iter().filter(|(name, ..)| pages.iter().any(|(page, _)| page == name));
    let cards = cards.map(|(name, title, about)| (page.href(name, ""), title.to_owned(), about.to_owned()));
    let guides = site.lowered.guides.iter().map(|guide| {
        let href = page.href(&guide_headings::page_name(guide), "");
        (href, guide_headings::title(guide), guide_headings::summary(guide))
    });
    let groups = pages.iter().filter(|(name, _)| site.is_group(name));
    rendered(&OverviewPage {
        title: site.document.service.title.clone(),
        about: page.words(site.document.service.doc.as_deref().unwrap_or_default()),
        package: site.calls.package(),
        request_id: site.document.runtime_header(REQUEST_ID).map_or("", |(name, _)| name),
        first,
        cards: cards.chain(guides).collect(),
        groups: groups.map(|(name, _)| group(page, name)).collect(),
    })
}

fn group(page: &DocsPage<'_, '_>, name: &str) -> GroupSummary {
    let site = page.site;
    let line = |id: &str| {
        let operation = &site.document.operations[id];
        let route = &operation.routes[0];
        let doc = operation.doc.as_deref().unwrap_or_default();
        OperationSummary {
            method: route.method.clone(),
            path: format!("{}{}", route.path.replace("{*", "{"), route.suffix),
            href: page.href(name, id),
            about: page.words(doc.split_inclusive(". ").next().unwrap_or(doc)),
        }
    };
    GroupSummary {
        anchor: format!("group-{name}"),
        title: title(site.group(name).map_or(name, |group| group.name)),
        href: page.href(name, ""),
        operations: site.operations(name).into_iter().map(line).collect(),
    }
}
