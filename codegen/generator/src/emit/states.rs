//! `states.md`: a diagram and a table per machine.

use askama::Template;

use super::text::{bytes, cell, decision, list};
use crate::resolve::{ResolvedMachine, ResolvedMove, ResolvedSpec};

#[derive(Template)]
#[template(path = "states.md", escape = "none")]
struct StatesPage<'l> {
    machines: Vec<MachineText<'l>>,
}

struct MachineText<'l> {
    name: &'l str,
    about: String,
    edges: Vec<String>,
    moves: Vec<StatesRow<'l>>,
    words: Vec<String>,
}

struct StatesRow<'l> {
    name: &'l str,
    from: String,
    to: &'l str,
    by: String,
    when: String,
    does: String,
    about: String,
}

pub(super) fn generate(lowered: &ResolvedSpec<'_>) -> Vec<u8> {
    let machines = lowered.machines.iter().map(|(name, machine)| text(name, machine)).collect();
    bytes(StatesPage { machines }.render().expect("writing to a string cannot fail"))
}

fn text<'l>(name: &'l str, machine: &'l ResolvedMachine<'_>) -> MachineText<'l> {
    MachineText {
        name,
        about: about(machine),
        edges: edges(machine),
        moves: machine.moves.iter().map(|(name, step)| row(name, step)).collect(),
        words: words(machine),
    }
}

fn about(machine: &ResolvedMachine<'_>) -> String {
    let stored = match (&machine.row, machine.view_of) {
        (Some(row), _) => format!("Stored in `{}.{}`.", row.table, row.state),
        (None, Some(base)) => format!("Another vocabulary of `{base}`; nothing is stored twice."),
        (None, None) => String::new(),
    };
    let origin = [machine.origin.from.map(str::to_owned), machine.origin.fact.map(decision)];
    let origin = list(origin.into_iter().flatten());
    format!("{} {stored} ({origin}; {})", machine.doc.unwrap_or_default().trim(), machine.origin.at).trim().to_owned()
}

/// `pending --> settling: begin_settlement by settlement [within_validity] / credit_balance`.
fn edges(machine: &ResolvedMachine<'_>) -> Vec<String> {
    let mut edges: Vec<String> = machine.start.iter().map(|start| format!("[*] --> {start}")).collect();
    for (name, step) in &machine.moves {
        let when = if step.when.is_empty() { String::new() } else { format!(" [{}]", step.when.join(", ")) };
        let does = if step.does.is_empty() { String::new() } else { format!(" / {}", step.does.join(", ")) };
        for from in &step.from {
            let from = if *from == "none" { "[*]" } else { from };
            edges.push(format!("{from} --> {}: {name} by {}{when}{does}", step.to, step.by.join(", ")));
        }
    }
    edges.extend(machine.finals.iter().map(|state| format!("{state} --> [*]")));
    edges
}

fn row<'l>(name: &'l str, step: &'l ResolvedMove<'_>) -> StatesRow<'l> {
    let words = |words: &[&str]| list(words.iter().map(|word| (*word).to_owned()));
    StatesRow {
        name,
        from: words(&step.from),
        to: step.to,
        by: words(&step.by),
        when: words(&step.when),
        does: words(&step.does),
        about: cell(step.doc.unwrap_or_default()),
    }
}

/// The meanings of the names of guards, effects and views.
fn words(machine: &ResolvedMachine<'_>) -> Vec<String> {
    let guards = machine.guards.iter().map(|(name, guard)| {
        let test = match (guard.sql, guard.proof) {
            (Some(sql), _) => format!(", `{sql}`"),
            (None, Some(proof)) => format!(", proven by a `{proof}`"),
            (None, None) => String::new(),
        };
        format!("**{name}**{test}: {}", cell(guard.doc.unwrap_or("no words")))
    });
    let effects = machine.effects.iter().map(|(name, effect)| {
        let once = effect.once_per.map(|per| format!(", once per {per}")).unwrap_or_default();
        let place = if machine.view_of.is_some() { "" } else { ", in the transaction of the move" };
        format!("**{name}**{place}{once}: {}", cell(effect.doc.unwrap_or("no words")))
    });
    let states =
        machine.states.iter().filter_map(|(state, base)| Some(format!("**{state}** is `{}` there.", (*base)?)));
    guards.chain(effects).chain(states).collect()
}
