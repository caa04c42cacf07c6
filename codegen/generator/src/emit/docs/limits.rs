//! Bounds, and the ways to pay.

use askama::Template;

use super::markup::{escaped, rendered};
use super::site::DocsPage;
use crate::emit::reference::bound;
use crate::resolve::{ResolvedLimit, ResolvedRail, ResolvedSpec};

#[derive(Template)]
#[template(path = "docs/limits.html")]
struct LimitsPage {
    limits: Vec<LimitTableRow>,
    rails: Vec<RailSection>,
}

struct LimitTableRow {
    name: String,
    bound: String,
    about: String,
    /// The code that is answered beyond it.
    error: String,
}

struct RailSection {
    name: String,
    about: String,
    facts: Vec<(&'static str, String)>,
}

pub(super) fn content(page: &DocsPage<'_, '_>) -> String {
    let ResolvedSpec { limits, rails, .. } = page.site.lowered;
    rendered(&LimitsPage {
        limits: limits.iter().map(|(name, limit)| row(*page, name, limit)).collect(),
        rails: rails.iter().map(|(name, rail)| text(*page, name, rail)).collect(),
    })
}

fn row(page: DocsPage<'_, '_>, name: &str, limit: &ResolvedLimit<'_>) -> LimitTableRow {
    let per = limit.per.map(|per| format!(" per {per}")).unwrap_or_default();
    let live = if limit.live || limit.setting.is_some() { ", unless the operator set another" } else { "" };
    LimitTableRow {
        name: name.to_owned(),
        bound: format!("{}{per}{live}", bound(limit)),
        about: page.words(limit.doc.unwrap_or_default()),
        error: limit.error.map(|code| page.link(code)).unwrap_or_default(),
    }
}

fn text(page: DocsPage<'_, '_>, name: &str, rail: &ResolvedRail<'_>) -> RailSection {
    let mut facts = vec![("Pays", escaped(rail.pays)), ("Credit lands on", escaped(&rail.credit_on.replace('_', " ")))];
    facts.extend(rail.signer.map(|signer| ("Signed by", escaped(signer))));
    if !rail.chains.is_empty() {
        facts.push(("Chains", escaped(&rail.chains.join(", "))));
    }
    facts.extend(rail.wallets.map(|wallets| ("Wallets", wallets.to_string())));
    facts.extend(rail.validity.map(|limit| ("Payable for", page.limit(limit))));
    facts.extend(rail.rate.map(|rate| ("Credit per unit paid", format!("{} USD", escaped(rate)))));
    RailSection { name: name.to_owned(), about: page.words(rail.doc.unwrap_or_default()), facts }
}
