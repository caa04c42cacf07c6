//! `codegen new machine`

use clap::Args;
use tollgate_spec_language::model::{Spec, SpecSection};

use super::{
    entry::{NewEntry, NewStub},
    fact,
};

/// The arguments of `codegen new machine`.
#[derive(Debug, Args)]
pub(in crate::cli) struct NewMachine {
    /// `video_task`
    name: String,
    /// The table of its rows; its name and an `s` where absent.
    #[arg(long)]
    table: Option<String>,
    /// The actor of its moves, from `actors`; the first where absent.
    #[arg(long, value_name = "ACTOR")]
    by: Option<String>,
}

impl NewMachine {
    pub(super) fn stub(&self, spec: &Spec) -> Result<NewStub, String> {
        let name = &self.name;
        let file = format!("spec/machines/{name}.yaml");
        let fact = fact::open(spec, &format!("{}-states", name.replace('_', "-")), &format!("machines.{name}"), &file);
        let table = self.table.clone().unwrap_or_else(|| format!("{name}s"));
        let first = || spec.actors.keys().next().cloned();
        let by = self.by.clone().or_else(first).ok_or("there is nobody who makes moves; add one to `actors`")?;
        let text = format!(
            "  {name}:\n    doc: What it is that has these states.\n    row: {{table: {table}, key: id, state: state}}\n    \
             states: [open, closed]\n    start: open\n    final: [closed]\n    moves:\n      close: {{doc: What ends it., \
             from: open, to: closed, by: {by}}}\n    fact: {}\n",
            fact.name,
        );
        let machine = NewEntry { section: SpecSection::Machines, name: name.clone(), state: "", path: file, text };
        let next = [
            "Name its states and moves, and who makes each.".to_owned(),
            "Decide the fact, or name a heading of the source with `from:` and drop the fact.".to_owned(),
            format!("Make the table `{table}` in a migration, and run `cargo codegen` for its triggers."),
        ];
        Ok(NewStub { entries: vec![machine, fact], group: None, next: next.into() })
    }
}
