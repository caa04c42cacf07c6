//! `codegen facts`

use std::io;

use tollgate_spec_language::model::{Fact, FactStatus, Spec};

use super::{output, project::SpecProject};

impl SpecProject {
    /// Prints every gap with what closes it, then the decisions that close none; true if every gap is decided.
    pub(super) fn facts(&self) -> io::Result<bool> {
        let loaded = self.load();
        if loaded.has_errors() {
            self.report(&self.sources, &loaded.diagnostics)?;
            return Ok(false);
        }
        let spec = &loaded.spec;
        let mut rows: Vec<[String; 4]> = Vec::new();
        let mut undecided = 0;
        for (gap, entry) in spec.source.iter().flat_map(|source| &source.gaps) {
            let closing = closing(spec, gap);
            undecided += usize::from(!closing.iter().any(|(_, fact)| is_decided(fact)));
            for (name, fact) in &closing {
                rows.push([format!("§{}", entry.part.value), gap.clone(), status(fact).to_owned(), (*name).to_owned()]);
            }
            if closing.is_empty() {
                rows.push([format!("§{}", entry.part.value), gap.clone(), "none".to_owned(), String::new()]);
            }
        }
        for (name, fact) in spec.facts.iter().filter(|(_, fact)| fact.closes.is_empty()) {
            rows.push([String::new(), "(our own)".to_owned(), status(fact).to_owned(), name.clone()]);
        }
        output::out(table(rows))?;
        output::out(format_args!("{} decisions; {undecided} gaps without one", spec.facts.len()))?;
        Ok(undecided == 0)
    }
}

fn closing<'s>(spec: &'s Spec, gap: &str) -> Vec<(&'s str, &'s Fact)> {
    let closes = |fact: &Fact| fact.closes.iter().any(|closed| closed.value == gap);
    spec.facts.iter().filter(|(_, fact)| closes(fact)).map(|(name, fact)| (name.as_str(), &fact.value)).collect()
}

const fn is_decided(fact: &Fact) -> bool {
    matches!(fact.status.value, FactStatus::Decided | FactStatus::Confirmed)
}

const fn status(fact: &Fact) -> &'static str {
    match fact.status.value {
        FactStatus::Open => "open",
        FactStatus::Decided => "decided",
        FactStatus::Confirmed => "confirmed",
        FactStatus::Contradicted => "contradicted",
    }
}

/// Rows in columns, two spaces between, under a head.
fn table(mut rows: Vec<[String; 4]>) -> String {
    rows.insert(0, ["part", "gap", "status", "fact"].map(str::to_owned));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for [part, gap, status, fact] in rows {
        let line = format!(
            "{part:<first$}  {gap:<second$}  {status:<third$}  {fact}",
            first = widths[0],
            second = widths[1],
            third = widths[2]
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
