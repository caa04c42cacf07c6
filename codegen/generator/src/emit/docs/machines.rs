//! State machines, each with its diagram.

use askama::Template;

use super::diagram;
use super::markup::{escaped, rendered};
use super::site::DocsPage;
use crate::resolve::{ResolvedMachine, ResolvedMove};

#[derive(Template)]
#[template(path = "docs/machines.html")]
struct MachinesPage {
    machines: Vec<MachineSection>,
}

struct MachineSection {
    name: String,
    about: String,
    view_of: String,
    diagram: String,
    moves: Vec<MoveTableRow>,
    /// Names of guards, effects and views with what they mean.
    words: Vec<(String, &'static str, String)>,
}

struct MoveTableRow {
    name: String,
    way: String,
    by: String,
    when: String,
    does: String,
    about: String,
}

pub(super) fn content(page: &DocsPage<'_, '_>) -> String {
    let machines = page.site.lowered.machines.iter().map(|(name, machine)| text(*page, name, machine)).collect();
    rendered(&MachinesPage { machines })
}

fn text(page: DocsPage<'_, '_>, name: &str, machine: &ResolvedMachine<'_>) -> MachineSection {
    MachineSection {
        name: name.to_owned(),
        about: page.words(machine.doc.unwrap_or_default()),
        view_of: machine
            .view_of
            .map(|base| format!("<a href=\"#{0}\"><code>{0}</code></a>", escaped(base)))
            .unwrap_or_default(),
        diagram: diagram::svg(name, machine),
        moves: machine.moves.iter().map(|(name, step)| row(page, name, step)).collect(),
        words: words(page, machine),
    }
}

fn row(page: DocsPage<'_, '_>, name: &str, step: &ResolvedMove<'_>) -> MoveTableRow {
    let codes = |words: &[&str]| {
        words.iter().map(|word| format!("<code>{}</code>", escaped(word))).collect::<Vec<_>>().join(", ")
    };
    MoveTableRow {
        name: name.to_owned(),
        way: format!("{} → <code>{}</code>", codes(&step.from), escaped(step.to)),
        by: page.links(step.by.iter().copied()),
        when: codes(&step.when),
        does: codes(&step.does),
        about: page.words(step.doc.unwrap_or_default()),
    }
}

fn words(page: DocsPage<'_, '_>, machine: &ResolvedMachine<'_>) -> Vec<(String, &'static str, String)> {
    let guards = machine
        .guards
        .iter()
        .map(|(name, guard)| ((*name).to_owned(), "condition", page.words(guard.doc.unwrap_or_default())));
    let effects = machine
        .effects
        .iter()
        .map(|(name, effect)| ((*name).to_owned(), "effect", page.words(effect.doc.unwrap_or_default())));
    let states = machine.states.iter().filter_map(|(state, base)| {
        let base = (*base)?;
        Some(((*state).to_owned(), "state", format!("Called <code>{}</code> there.", escaped(base))))
    });
    guards.chain(effects).chain(states).collect()
}
