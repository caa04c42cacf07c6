//! State machines.

use super::super::node::{Kind, Node};
use super::{choice, flag, plain, word};
use crate::model::{Entry, Machine, Move, OneOrMore, Spec, States, Text};

pub(super) fn all(spec: &Spec) -> Vec<Node> {
    spec.machines.iter().map(|(name, entry)| machine(name, entry)).collect()
}

fn machine(name: &str, entry: &Entry<Machine>) -> Node {
    let place = entry.place;
    let mut node = Node::thing(Kind::Machine, name, place)
        .under("machines")
        .with([
            choice(Kind::Start, entry.start.as_ref(), place),
            plain(Kind::ViewOf, Some(entry.view_of.as_ref().map_or("nothing", |base| &base.value)), place),
        ])
        .with(entry.moves.iter().map(|(name, step)| moved(entry, name, step)));
    if let Some(row) = &entry.row {
        node.children.push(word(Kind::Table, &row.table).step("row.table"));
        node.children.push(word(Kind::Column, &row.key).keyed("key").step("row.key"));
        node.children.push(word(Kind::Column, &row.state).keyed("state").step("row.state"));
        let revision = row.revision.as_ref();
        let (name, at) = revision.map_or(("none", row.table.place), |revision| (&revision.value, revision.place));
        node.children.push(plain(Kind::Column, Some(name), at).keyed("revision").step("row.revision"));
    }
    match &entry.states {
        States::Own(own) => {
            let last = |state: &Text| entry.finals.iter().find(|last| last.value == state.value);
            node.with(own.iter().map(|state| {
                let place = last(state).map_or(state.place, |last| last.place);
                Node::thing(Kind::State, &state.value, state.place).under("states").with([flag(
                    Kind::Final,
                    last(state).is_some(),
                    place,
                )])
            }))
        }
        States::View(view) => node.with(view.iter().map(|(state, base)| {
            Node::thing(Kind::ViewState, state, base.place).under("states").with([word(Kind::ViewOf, &base.value)])
        })),
    }
}

fn moved(machine: &Machine, name: &str, step: &Entry<Move>) -> Node {
    let list = |kind, words: Option<&OneOrMore>, above: &str| -> Vec<Node> {
        let words = words.map(OneOrMore::all).unwrap_or_default();
        words.iter().map(|word| Node::thing(kind, &word.value, word.place).under(above)).collect()
    };
    let guards = list(Kind::MoveGuard, step.when.as_ref(), "when").into_iter().map(|node| {
        let guard = machine.guards.get(&node.key);
        let text = guard.and_then(|guard| guard.sql.as_ref().or(guard.proof.as_ref()));
        let place = text.map_or(node.place, |text| text.place);
        node.with([plain(Kind::GuardText, Some(text.map_or("words", |text| &text.value)), place)])
    });
    let effects = list(Kind::MoveEffect, step.does.as_ref(), "does").into_iter().map(|node| {
        let effect = machine.effects.get(&node.key);
        let place = effect.map_or(node.place, |effect| effect.place);
        let scope = effect.and_then(|effect| effect.once_per.as_ref());
        node.with([choice(Kind::EffectScope, scope, place)])
    });
    // Those of a view are words for readers: what holds and what happens is told of its base.
    let (guards, effects) = if machine.view_of.is_some() { (None, None) } else { (Some(guards), Some(effects)) };
    Node::thing(Kind::Move, name, step.place)
        .under("moves")
        .with([word(Kind::MoveTo, &step.to)])
        .with(list(Kind::MoveFrom, Some(&step.from), "from"))
        .with(list(Kind::Mover, Some(&step.by), "by"))
        .with(guards.into_iter().flatten())
        .with(effects.into_iter().flatten())
}
