//! Machine migrations: the tables of allowed moves as triggers, for SQLite and PostgreSQL.
//!
//! Names are the spec's own and are checked to be plain words, so they stand in the text unquoted.

use askama::Template;

use super::output_files::OutputFiles;
use crate::resolve::ResolvedSpec;

#[derive(Template)]
#[template(path = "machines.sqlite.sql", escape = "none")]
struct SqliteMigration<'l> {
    machines: &'l [MachineRules<'l>],
}

#[derive(Template)]
#[template(path = "machines.postgres.sql", escape = "none")]
struct PostgresMigration<'l> {
    machines: &'l [MachineRules<'l>],
}

/// The rules of a machine, as a database keeps them.
struct MachineRules<'l> {
    name: &'l str,
    at: &'l str,
    table: &'l str,
    state: &'l str,
    revision: Option<&'l str>,
    start: &'l str,
    pairs: Vec<(&'l str, &'l str)>,
}

pub(super) fn generate(lowered: &ResolvedSpec<'_>) -> OutputFiles {
    let machines: Vec<MachineRules<'_>> =
        lowered.machines.iter().filter_map(|(name, machine)| rules(name, machine)).collect();
    let sqlite = SqliteMigration { machines: &machines }.render();
    let postgres = PostgresMigration { machines: &machines }.render();
    [("sqlite", sqlite), ("postgres", postgres)]
        .into_iter()
        .map(|(database, text)| {
            let text = text.expect("writing to a string cannot fail");
            (format!("server/crates/store/migrations/{database}/machines.sql"), text.into_bytes())
        })
        .collect()
}

/// The rules of a machine that has a row; a view has none of its own.
fn rules<'l>(name: &'l str, machine: &'l crate::resolve::ResolvedMachine<'_>) -> Option<MachineRules<'l>> {
    let row = machine.row.as_ref()?;
    Some(MachineRules {
        name,
        at: &machine.origin.at,
        table: row.table,
        state: row.state,
        revision: row.revision,
        start: machine.start?,
        pairs: machine.pairs().into_iter().collect(),
    })
}
