//! The pages, what stands on each, and the links between them.

use std::collections::BTreeMap;

use super::guide_headings;
use super::markup::escaped;
use crate::client_model::{ApiCall, ApiDocument, ApiReply, ExampleCase, FixtureValues, samples};
use crate::emit::client::CallSamples;
use crate::naming;
use crate::parse::GuideText;
use crate::resolve::{ResolvedSpec, ResolvedType};

/// The first page.
pub(super) const HOME: &str = "index";
pub(super) const ACCESS: &str = "access";
pub(super) const ERRORS: &str = "errors";
pub(super) const STATES: &str = "states";
pub(super) const LIMITS: &str = "limits";
pub(super) const TYPES: &str = "types";

/// The pages that are not of a group, with their titles.
const SHARED: [(&str, &str); 6] = [
    (HOME, "Overview"),
    (ACCESS, "Access"),
    (ERRORS, "Errors"),
    (STATES, "States"),
    (LIMITS, "Limits and rails"),
    (TYPES, "Shared types"),
];

/// An entry of the navigation inside a page.
#[derive(Default)]
pub(super) struct InnerEntry {
    /// Of an operation: its method.
    pub(super) method: String,
    pub(super) name: String,
    pub(super) href: String,
    pub(super) is_deprecated: bool,
}

impl InnerEntry {
    fn heading(name: &str, anchor: &str) -> Self {
        Self { name: name.to_owned(), href: format!("#{anchor}"), ..Self::default() }
    }
}

/// Everything that pages are made of.
pub(super) struct DocsSite<'l> {
    pub(super) lowered: &'l ResolvedSpec<'l>,
    pub(super) document: &'l ApiDocument,
    pub(super) calls: CallSamples<'l>,
    /// The values in examples.
    pub(super) values: FixtureValues,
    /// The written examples of each operation.
    written: BTreeMap<&'l str, Vec<&'l ExampleCase<'l>>>,
    /// The page of each type.
    homes: BTreeMap<&'l str, String>,
    /// The types of each page.
    types: BTreeMap<String, Vec<&'l str>>,
    /// The page of each group.
    groups: BTreeMap<&'l str, String>,
    /// The place of the group of each page among the groups of calls.
    of_pages: BTreeMap<String, usize>,
}

impl<'l> DocsSite<'l> {
    pub(super) fn new(lowered: &'l ResolvedSpec<'l>, document: &'l ApiDocument, cases: &'l [ExampleCase<'l>]) -> Self {
        let calls = CallSamples::new(document);
        // A group that is called like a page of ours has another name in addresses.
        let page = |group: &str| match SHARED.iter().any(|(name, _)| *name == group) {
            true => format!("{group}-operations"),
            false => group.to_owned(),
        };
        let groups: BTreeMap<&str, String> =
            calls.groups().iter().map(|group| (group.name, page(group.name))).collect();
        let of_pages = calls.groups().iter().enumerate().map(|(at, group)| (page(group.name), at)).collect();
        let homes: BTreeMap<&str, String> = document
            .types
            .iter()
            .map(|(name, def)| {
                let stem = def.at.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or_default();
                (name.as_str(), if groups.contains_key(stem) { page(stem) } else { TYPES.to_owned() })
            })
            .collect();
        let mut types: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (name, home) in &homes {
            types.entry(home.clone()).or_default().push(name);
        }
        let mut written: BTreeMap<&str, Vec<&ExampleCase<'_>>> = BTreeMap::new();
        for case in cases.iter().filter(|case| document.examples.contains_key(case.name)) {
            written.entry(case.id).or_default().push(case);
        }
        Self { lowered, document, calls, values: samples(document), written, homes, types, groups, of_pages }
    }

    /// All pages with their titles, in the order of the navigation.
    pub(super) fn pages(&self) -> Vec<(String, String)> {
        let shared = SHARED.iter().filter(|(name, _)| match *name {
            STATES => !self.lowered.machines.is_empty(),
            TYPES => self.types.contains_key(TYPES),
            _ => true,
        });
        let shared = shared.map(|(name, title)| ((*name).to_owned(), (*title).to_owned()));
        let guides =
            self.lowered.guides.iter().map(|guide| (guide_headings::page_name(guide), guide_headings::title(guide)));
        let groups = self.groups.iter().map(|(group, page)| (page.clone(), title(group)));
        shared.chain(guides).chain(groups).collect()
    }

    /// The guide of a page.
    pub(super) fn guide(&self, page: &str) -> Option<&'l GuideText> {
        self.lowered.guides.iter().find(|guide| guide_headings::page_name(guide) == page)
    }

    pub(super) fn is_group(&self, page: &str) -> bool {
        self.of_pages.contains_key(page)
    }

    /// The group of a page.
    pub(super) fn group(&self, page: &str) -> Option<&crate::client_model::CallGroup<'l>> {
        self.calls.groups().get(*self.of_pages.get(page)?)
    }

    /// The operations of a page, each once.
    pub(super) fn operations(&self, page: &str) -> Vec<&'l str> {
        let calls = self.group(page).map(|group| group.calls.as_slice()).unwrap_or_default();
        let mut ids: Vec<&str> = calls.iter().map(|call| call.id).collect();
        ids.dedup();
        ids
    }

    /// The types of a page.
    pub(super) fn types(&self, page: &str) -> &[&'l str] {
        self.types.get(page).map(Vec::as_slice).unwrap_or_default()
    }

    /// The entries of a page in the navigation.
    pub(super) fn inside(&self, page: &str) -> Vec<InnerEntry> {
        if page == STATES {
            return self.lowered.machines.keys().map(|name| InnerEntry::heading(name, name)).collect();
        }
        if let Some(guide) = self.guide(page) {
            let headings = guide_headings::headings(guide).into_iter();
            return headings.map(|(anchor, text)| InnerEntry::heading(&text, &anchor)).collect();
        }
        let line = |id: &str| {
            let operation = &self.document.operations[id];
            InnerEntry {
                method: operation.routes[0].method.clone(),
                is_deprecated: operation.deprecated.is_some(),
                ..InnerEntry::heading(id.split_once('.').map_or(id, |(_, verb)| verb), id)
            }
        };
        let operations = self.operations(page).into_iter().map(line);
        let types = !self.types(page).is_empty() && self.is_group(page);
        operations.chain(types.then(|| InnerEntry::heading("Types", "types"))).collect()
    }

    /// The successes of a call that somebody wrote.
    pub(super) fn examples(&self, call: &ApiCall<'_>) -> Vec<&'l ExampleCase<'l>> {
        let answers = |case: &ExampleCase<'_>| match (call.reply, case.expect.reply) {
            (ApiReply::Named(own), ApiReply::Named(other)) => own == other && call.envelope == case.expect.envelope,
            _ => true,
        };
        let written = self.written.get(call.id).into_iter().flatten().copied();
        written.filter(|case| case.expect.code.is_none() && answers(case)).collect()
    }

    fn home_of_type(&self, name: &str) -> Option<&str> {
        self.homes.get(name).map(String::as_str)
    }

    /// The page of an operation.
    pub(super) fn home_of_operation(&self, id: &str) -> Option<&str> {
        self.document.operations.get(id)?;
        let group = id.split('.').next()?;
        self.groups.get(group).map(String::as_str)
    }

    /// Page and heading of something that has a name, and what it is.
    pub(super) fn place(&self, name: &str) -> Option<(&str, &'static str)> {
        if let Some(page) = self.home_of_operation(name) {
            return Some((page, "operation"));
        }
        if self.document.errors.contains_key(name) {
            return Some((ERRORS, "error"));
        }
        self.home_of_type(name).map(|page| (page, "type"))
    }
}

/// A page under way.
#[derive(Clone, Copy)]
pub(super) struct DocsPage<'s, 'l> {
    pub(super) site: &'s DocsSite<'l>,
    pub(super) name: &'s str,
}

impl<'s, 'l> DocsPage<'s, 'l> {
    pub(super) fn new(site: &'s DocsSite<'l>, name: &'s str) -> Self {
        Self { site, name }
    }

    /// The prefix for the names of other files: the first page is one level up.
    pub(super) fn base(&self) -> &'static str {
        if self.name == HOME { "docs/" } else { "" }
    }

    /// A link to a heading of a page; to the page itself where there is none.
    pub(super) fn href(&self, page: &str, heading: &str) -> String {
        let mark = if heading.is_empty() { "" } else { "#" };
        if page == self.name && !heading.is_empty() {
            return format!("#{heading}");
        }
        let file = match (page, self.name) {
            (HOME, HOME) => "docs".to_owned(),
            (HOME, _) => "../docs".to_owned(),
            (page, _) => format!("{}{page}", self.base()),
        };
        format!("{file}{mark}{heading}")
    }

    /// A name as a link; the name alone where it is not on these pages.
    pub(super) fn link(&self, name: &str) -> String {
        let shown = escaped(name);
        match self.site.place(name) {
            Some((page, _)) => format!("<a href=\"{}\">{shown}</a>", escaped(&self.href(page, name))),
            None => shown,
        }
    }

    /// An operation, as a link to it.
    pub(super) fn operation(&self, id: &str) -> String {
        let group = id.split('.').next().unwrap_or(id);
        match self.site.groups.get(group) {
            Some(page) => format!("<a href=\"{}\"><code>{}</code></a>", escaped(&self.href(page, id)), escaped(id)),
            None => format!("<code>{}</code>", escaped(id)),
        }
    }

    /// A limit, as a link to it.
    pub(super) fn limit(&self, name: &str) -> String {
        format!("<a href=\"{}\"><code>{}</code></a>", escaped(&self.href(LIMITS, name)), escaped(name))
    }

    /// A type expression, its name a link.
    pub(super) fn ty(&self, ty: &ResolvedType) -> String {
        match ty {
            ResolvedType::List(item) => format!("list of {}", self.ty(item)),
            ResolvedType::TextOrList(item) => format!("string or list of {}", self.ty(item)),
            ResolvedType::Map(item) => format!("map of {}", self.ty(item)),
            ResolvedType::Ref(name) => self.link(name),
            ResolvedType::Const(_) | ResolvedType::Primitive(_) => escaped(&ty.words()),
        }
    }

    /// Words of the spec: what stands between backticks is code, and a link where it names something of these pages.
    pub(super) fn words(&self, text: &str) -> String {
        let mut html = String::with_capacity(text.len() + 32);
        for (index, part) in text.trim().split('`').enumerate() {
            if index % 2 == 0 {
                html.push_str(&escaped(part));
            } else {
                html.push_str(&format!("<code>{}</code>", self.link(part)));
            }
        }
        html
    }

    /// Names with commas, each a link.
    pub(super) fn links<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> String {
        names.into_iter().map(|name| format!("<code>{}</code>", self.link(name))).collect::<Vec<_>>().join(", ")
    }
}

/// The name of a group for readers.
pub(super) fn title(group: &str) -> String {
    let words = naming::words(group).join(" ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
