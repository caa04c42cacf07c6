//! `decisions.md`: every decision with its reason, and every gap with what closes it.

use askama::Template;

use super::text::{anchor, bytes, cell, list};
use crate::resolve::{ResolvedFact, ResolvedSpec};

#[derive(Template)]
#[template(path = "decisions.md", escape = "none")]
struct DecisionsPage<'l> {
    title: &'l str,
    gaps: Vec<GapRow<'l>>,
    facts: Vec<FactText<'l>>,
}

struct GapRow<'l> {
    name: &'l str,
    part: &'l str,
    open: String,
    closed_by: String,
}

struct FactText<'l> {
    name: &'l str,
    choice: &'l str,
    because: String,
    instead_of: Vec<String>,
    closes: String,
    about: String,
    status: &'l str,
    when: &'l str,
    at: &'l str,
}

pub(super) fn generate(lowered: &ResolvedSpec<'_>) -> Vec<u8> {
    let gaps = lowered.gaps.iter().map(|(name, gap)| {
        let closing = lowered.facts.iter().filter(|(_, fact)| fact.closes.contains(name));
        let closed_by = list(closing.map(|(fact, _)| format!("[{fact}](#{})", anchor(fact))));
        GapRow { name, part: gap.part, open: cell(gap.open), closed_by }
    });
    let decisions = DecisionsPage {
        title: lowered.service.title,
        gaps: gaps.collect(),
        facts: lowered.facts.iter().map(|(name, fact)| text(name, fact)).collect(),
    };
    bytes(decisions.render().expect("writing to a string cannot fail"))
}

fn text<'l>(name: &'l str, fact: &'l ResolvedFact<'_>) -> FactText<'l> {
    let quoted = |words: &[&str]| list(words.iter().map(|word| format!("`{word}`")));
    FactText {
        name,
        choice: fact.choice,
        because: cell(fact.because),
        instead_of: fact.instead_of.iter().map(|other| cell(other)).collect(),
        closes: quoted(&fact.closes),
        about: quoted(&fact.about),
        status: fact.status,
        when: fact.when,
        at: &fact.at,
    }
}
