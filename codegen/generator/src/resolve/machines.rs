//! State machines.

use serde::Serialize;

use super::ResolvedOrigin;
use crate::map::{IndexMap, IndexSet};
use crate::model::{self, DeclaredStates, OneOrMore, SpannedText, Spec, SpecEntry};

/// A state machine over a stored row, or a view of one.
#[derive(Debug, Serialize)]
pub struct ResolvedMachine<'s> {
    /// The subject of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The row it is stored in; absent for a view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<ResolvedRow<'s>>,
    /// The machine that this one is another vocabulary of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view_of: Option<&'s str>,
    /// Its states; for a view, each with the state of the base.
    pub states: IndexMap<&'s str, Option<&'s str>>,
    /// The first state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<&'s str>,
    /// The states without a way out.
    #[serde(rename = "final", skip_serializing_if = "Vec::is_empty")]
    pub finals: Vec<&'s str>,
    /// Conditions on moves.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub guards: IndexMap<&'s str, ResolvedGuard<'s>>,
    /// Effects of moves beside the change of state.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub effects: IndexMap<&'s str, ResolvedEffect<'s>>,
    /// The moves.
    pub moves: IndexMap<&'s str, ResolvedMove<'s>>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
}

/// The row a machine is stored in.
#[derive(Debug, Serialize)]
pub struct ResolvedRow<'s> {
    /// The table.
    pub table: &'s str,
    /// Its key column.
    pub key: &'s str,
    /// The column of the state.
    pub state: &'s str,
    /// The column that counts changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<&'s str>,
}

/// A condition on a move: SQL in the statement, or a value that only the checker can build. Of a view, words alone.
#[derive(Debug, Serialize)]
pub struct ResolvedGuard<'s> {
    /// The condition in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<&'s str>,
    /// The value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<&'s str>,
}

/// An effect of a move beside the change of state; always in the transaction of the move. Of a view, words alone.
#[derive(Debug, Serialize)]
pub struct ResolvedEffect<'s> {
    /// The effect in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The thing that it happens once for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub once_per: Option<&'s str>,
}

/// A move.
#[derive(Debug, Serialize)]
pub struct ResolvedMove<'s> {
    /// The move in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The states it may start in; `none` is before the row exists.
    pub from: Vec<&'s str>,
    /// The state it ends in.
    pub to: &'s str,
    /// The actors and operations that may make it.
    pub by: Vec<&'s str>,
    /// The guards that must hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<&'s str>,
    /// The effects it has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub does: Vec<&'s str>,
    /// The decision behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<&'s str>,
    /// The file and key in the spec.
    pub at: String,
}

impl<'s> ResolvedMachine<'s> {
    /// Every pair of states that a move allows, each once, in the order of the moves.
    #[must_use]
    pub fn pairs(&self) -> IndexSet<(&'s str, &'s str)> {
        let moves = self.moves.values();
        moves
            .flat_map(|step| step.from.iter().map(|from| (*from, step.to)))
            .filter(|(from, _)| *from != "none")
            .collect()
    }
}

pub(super) fn resolve(spec: &Spec) -> IndexMap<&str, ResolvedMachine<'_>> {
    spec.machines.iter().map(|(name, entry)| (name.as_str(), machine(spec, name, entry))).collect()
}

fn machine<'s>(spec: &'s Spec, machine: &str, entry: &'s SpecEntry<model::DeclaredMachine>) -> ResolvedMachine<'s> {
    ResolvedMachine {
        doc: entry.doc.as_deref(),
        row: entry.row.as_ref().map(row),
        view_of: word(entry.view_of.as_ref()),
        states: states(&entry.states),
        start: word(entry.start.as_ref()),
        finals: entry.finals.iter().map(|state| state.value.as_str()).collect(),
        guards: entry
            .guards
            .iter()
            .map(|(name, guard)| {
                let (sql, proof) = (word(guard.sql.as_ref()), word(guard.proof.as_ref()));
                (name.as_str(), ResolvedGuard { doc: guard.doc.as_deref(), sql, proof })
            })
            .collect(),
        effects: entry
            .effects
            .iter()
            .map(|(name, effect)| {
                (name.as_str(), ResolvedEffect { doc: effect.doc.as_deref(), once_per: word(effect.once_per.as_ref()) })
            })
            .collect(),
        moves: entry
            .moves
            .iter()
            .map(|(name, step)| {
                let at = spec.entry_at(step.place, &format!("{machine}.{name}"));
                (name.as_str(), resolve_move(step, at))
            })
            .collect(),
        origin: ResolvedOrigin::of(spec, machine, entry),
    }
}

fn row(row: &model::DeclaredRow) -> ResolvedRow<'_> {
    ResolvedRow {
        table: &row.table.value,
        key: &row.key.value,
        state: &row.state.value,
        revision: word(row.revision.as_ref()),
    }
}

fn states(states: &DeclaredStates) -> IndexMap<&str, Option<&str>> {
    match states {
        DeclaredStates::Own(own) => own.iter().map(|state| (state.value.as_str(), None)).collect(),
        DeclaredStates::View(view) => {
            view.iter().map(|(state, base)| (state.as_str(), Some(base.value.value.as_str()))).collect()
        }
    }
}

fn resolve_move<'s>(step: &'s SpecEntry<model::DeclaredMove>, at: String) -> ResolvedMove<'s> {
    let words = |list: &'s OneOrMore| list.all().iter().map(|word| word.value.as_str()).collect::<Vec<_>>();
    ResolvedMove {
        doc: step.doc.as_deref(),
        from: words(&step.from),
        to: &step.to.value,
        by: words(&step.by),
        when: step.when.as_ref().map(words).unwrap_or_default(),
        does: step.does.as_ref().map(words).unwrap_or_default(),
        fact: word(step.fact.as_ref()),
        at,
    }
}

fn word(text: Option<&SpannedText>) -> Option<&str> {
    text.map(|text| text.value.as_str())
}
