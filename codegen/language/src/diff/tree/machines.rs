//! State machines.

use super::super::node::{DiffNode, FacetKind};
use super::facets::{choice, flag, plain, word};
use crate::model::{DeclaredMachine, DeclaredMove, DeclaredStates, OneOrMore, SpannedText, Spec, SpecEntry};

pub(super) fn all(spec: &Spec) -> Vec<DiffNode> {
    spec.machines.iter().map(|(name, entry)| machine(name, entry)).collect()
}

fn machine(name: &str, entry: &SpecEntry<DeclaredMachine>) -> DiffNode {
    let place = entry.place;
    let mut node = DiffNode::thing(FacetKind::Machine, name, place)
        .under("machines")
        .with([
            choice(FacetKind::Start, entry.start.as_ref(), place),
            plain(FacetKind::ViewOf, Some(entry.view_of.as_ref().map_or("nothing", |base| &base.value)), place),
        ])
        .with(entry.moves.iter().map(|(name, step)| moved(entry, name, step)));
    if let Some(row) = &entry.row {
        node.children.push(word(FacetKind::Table, &row.table).step("row.table"));
        node.children.push(word(FacetKind::Column, &row.key).keyed("key").step("row.key"));
        node.children.push(word(FacetKind::Column, &row.state).keyed("state").step("row.state"));
        let revision = row.revision.as_ref();
        let (name, at) = revision.map_or(("none", row.table.place), |revision| (&revision.value, revision.place));
        node.children.push(plain(FacetKind::Column, Some(name), at).keyed("revision").step("row.revision"));
    }
    match &entry.states {
        DeclaredStates::Own(own) => {
            let last = |state: &SpannedText| entry.finals.iter().find(|last| last.value == state.value);
            node.with(own.iter().map(|state| {
                let place = last(state).map_or(state.place, |last| last.place);
                DiffNode::thing(FacetKind::State, &state.value, state.place).under("states").with([flag(
                    FacetKind::Final,
                    last(state).is_some(),
                    place,
                )])
            }))
        }
        DeclaredStates::View(view) => node.with(view.iter().map(|(state, base)| {
            DiffNode::thing(FacetKind::ViewState, state, base.place)
                .under("states")
                .with([word(FacetKind::ViewOf, &base.value)])
        })),
    }
}

fn moved(machine: &DeclaredMachine, name: &str, step: &SpecEntry<DeclaredMove>) -> DiffNode {
    let list = |kind, words: Option<&OneOrMore>, above: &str| -> Vec<DiffNode> {
        let words = words.map(OneOrMore::all).unwrap_or_default();
        words.iter().map(|word| DiffNode::thing(kind, &word.value, word.place).under(above)).collect()
    };
    let guards = list(FacetKind::MoveGuard, step.when.as_ref(), "when").into_iter().map(|node| {
        let guard = machine.guards.get(&node.key);
        let text = guard.and_then(|guard| guard.sql.as_ref().or(guard.proof.as_ref()));
        let place = text.map_or(node.place, |text| text.place);
        node.with([plain(FacetKind::GuardText, Some(text.map_or("words", |text| &text.value)), place)])
    });
    let effects = list(FacetKind::MoveEffect, step.does.as_ref(), "does").into_iter().map(|node| {
        let effect = machine.effects.get(&node.key);
        let place = effect.map_or(node.place, |effect| effect.place);
        let scope = effect.and_then(|effect| effect.once_per.as_ref());
        node.with([choice(FacetKind::EffectScope, scope, place)])
    });
    // Those of a view are words for readers: what holds and what happens is told of its base.
    let (guards, effects) = if machine.view_of.is_some() { (None, None) } else { (Some(guards), Some(effects)) };
    DiffNode::thing(FacetKind::Move, name, step.place)
        .under("moves")
        .with([word(FacetKind::MoveTo, &step.to)])
        .with(list(FacetKind::MoveFrom, Some(&step.from), "from"))
        .with(list(FacetKind::Mover, Some(&step.by), "by"))
        .with(guards.into_iter().flatten())
        .with(effects.into_iter().flatten())
}
