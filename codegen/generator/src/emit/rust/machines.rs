//! `machines/`: one module per machine, its table as the macro reads it.

use askama::Template;
use quote::quote;

use super::doc::lines;
use super::source::{RustFileJob, RustSource, job};
use super::tokens::{ident, joined, quoted};
use crate::map::IndexSet;
use crate::naming::{self, word};
use crate::resolve::{ResolvedEffect, ResolvedGuard, ResolvedMachine, ResolvedMove, ResolvedSpec};

#[derive(Template)]
#[template(path = "machine.rs", escape = "none")]
struct MachineTable {
    name: String,
    spec: String,
    table: String,
    key: String,
    state: String,
    revision: Option<String>,
    states: String,
    start: String,
    finals: String,
    actors: String,
    guards: Vec<TableLine>,
    effects: Vec<TableLine>,
    moves: Vec<TableLine>,
}

#[derive(Template)]
#[template(path = "view.rs", escape = "none")]
struct ViewTable {
    name: String,
    base: String,
    spec: String,
    states: String,
    pairs: String,
    moves: Vec<TableLine>,
}

/// An entry of a table with its doc lines.
struct TableLine {
    docs: Vec<String>,
    text: String,
}

/// The files under `machines/`, with the door.
pub(super) fn files<'l>(lowered: &'l ResolvedSpec<'_>) -> impl Iterator<Item = (String, RustFileJob<'l>)> {
    let door = job("machines/mod", || {
        let names = lowered.machines.keys().map(|name| ident(&naming::module(name)));
        quote! {
            //! State machines, a module each: states, moves, who may make them, and the statements that do.

            #(pub mod #names;)*
        }
    });
    let files = lowered.machines.iter().map(move |(name, machine)| {
        let made: RustFileJob<'_> = Box::new(move || file(lowered, name, machine));
        (format!("machines/{}", naming::module(name)), made)
    });
    std::iter::once(door).chain(files)
}

fn file(lowered: &ResolvedSpec<'_>, name: &str, machine: &ResolvedMachine<'_>) -> RustSource {
    let base = machine.view_of.and_then(|base| lowered.machines.get(base).map(|of| (base, of)));
    let table = match base {
        Some((base, of)) => view(name, machine, base, of).render(),
        None => self::machine(name, machine).render(),
    };
    let about = lines(machine.doc.unwrap_or(name)).into_iter().map(|line| quote!(#![doc = #line]));
    RustSource::Printed { tokens: quote!(#(#about)*), table: table.expect("writing to a string cannot fail") }
}

fn machine(name: &str, machine: &ResolvedMachine<'_>) -> MachineTable {
    let row =
        |column: fn(&crate::resolve::ResolvedRow<'_>) -> String| machine.row.as_ref().map(column).unwrap_or_default();
    let actors: IndexSet<&str> = machine.moves.values().flat_map(|step| step.by.iter().copied()).collect();
    MachineTable {
        name: naming::snake(name),
        spec: quoted(&machine.origin.at),
        table: row(|row| quoted(row.table)),
        key: row(|row| quoted(row.key)),
        state: row(|row| quoted(row.state)),
        revision: machine.row.as_ref().and_then(|row| row.revision).map(quoted),
        states: joined(machine.states.keys().map(|state| named(state))),
        start: machine.start.map(camel).unwrap_or_default(),
        finals: camels(&machine.finals),
        actors: joined(actors.into_iter().map(named)),
        guards: machine.guards.iter().map(|(name, guard)| self::guard(name, guard)).collect(),
        effects: machine.effects.iter().map(|(name, effect)| self::effect(name, effect)).collect(),
        moves: machine
            .moves
            .iter()
            .map(|(name, step)| self::step(name, step, &camels(&step.from), &camels(&step.by), &clauses(step)))
            .collect(),
    }
}

fn view(name: &str, machine: &ResolvedMachine<'_>, base: &str, of: &ResolvedMachine<'_>) -> ViewTable {
    let pairs = of.states.keys().map(|state| {
        let own = machine.states.iter().find(|(_, base)| **base == Some(*state)).map(|(own, _)| camel(own));
        format!("{} => {}", camel(state), own.unwrap_or_else(|| "none".to_owned()))
    });
    let moves = machine.moves.iter().map(|(name, step)| {
        let from = step.from.iter().map(|state| if *state == "none" { (*state).to_owned() } else { camel(state) });
        // What a view's moves ask and do is for readers; the base's statements test and do it.
        self::step(name, step, &joined(from), &joined(step.by.iter().map(|actor| quoted(actor))), "")
    });
    ViewTable {
        name: naming::snake(name),
        base: word(&naming::module(base)).into_owned(),
        spec: quoted(&machine.origin.at),
        states: joined(machine.states.keys().map(|state| named(state))),
        pairs: joined(pairs),
        moves: moves.collect(),
    }
}

fn guard(name: &str, guard: &ResolvedGuard<'_>) -> TableLine {
    let test = match (guard.sql, guard.proof) {
        (Some(sql), _) => format!("sql {}", quoted(sql)),
        (None, proof) => format!("proof {}", proof.unwrap_or("Proof")),
    };
    TableLine { docs: docs(guard.doc), text: format!("{}: {test}", named(name)) }
}

fn effect(name: &str, effect: &ResolvedEffect<'_>) -> TableLine {
    let once = effect.once_per.map(|per| format!(", once per {per}")).unwrap_or_default();
    let about = quoted(&format!("in the transaction of the move{once}"));
    TableLine { docs: docs(effect.doc), text: format!("{}: {about}", named(name)) }
}

/// The guards and effects of a move.
fn clauses(step: &ResolvedMove<'_>) -> String {
    let clause = |name: &str, words: &[&str]| match words {
        [] => String::new(),
        words => format!(" {name}: [{}],", camels(words)),
    };
    clause("when", &step.when) + &clause("does", &step.does)
}

fn step(name: &str, step: &ResolvedMove<'_>, from: &str, by: &str, clauses: &str) -> TableLine {
    let (to, spec) = (camel(step.to), quoted(&step.at));
    let text = format!("{} {{ from: [{from}], to: {to}, by: [{by}],{clauses} spec: {spec} }}", named(name));
    TableLine { docs: docs(step.doc), text }
}

fn docs(about: Option<&str>) -> Vec<String> {
    about.map(lines).unwrap_or_default().into_iter().map(|line| line.trim_start().to_owned()).collect()
}

/// The name of a state, a move, or what goes with them. Beside states and moves stand the traits of all of them.
fn camel(name: &str) -> String {
    let camel = naming::upper_camel(name);
    match camel.as_str() {
        "At" | "Moves" => camel + "_",
        _ => word(&camel).into_owned(),
    }
}

/// `Pending = "pending"`.
fn named(word: &str) -> String {
    format!("{} = {}", camel(word), quoted(word))
}

fn camels(words: &[&str]) -> String {
    joined(words.iter().map(|word| camel(word)))
}
