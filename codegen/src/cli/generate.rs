//! `codegen gen`

use std::io;

use super::project::Project;
use crate::{
    diagnostics::Severity,
    emit::{self, Mode, Part},
};

impl Project {
    pub(super) fn generate(&self, check: bool) -> io::Result<bool> {
        let mut loaded = self.load();
        let warned = loaded.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Warning);
        if warned && !loaded.has_errors() {
            self.tell(&self.sources, &loaded.diagnostics);
        }
        let Some(lowered) = self.lowered(&mut loaded) else { return Ok(false) };
        let outputs = emit::generate(&lowered, Part::All);
        let mode = if check { Mode::Check } else { Mode::Write };
        let report = emit::apply(&self.root, &outputs, mode)?;
        let (made, gone) = if check { ("differs", "is no longer made") } else { ("wrote", "removed") };
        report.changed.iter().for_each(|path| eprintln!("{made} {path}"));
        report.orphaned.iter().for_each(|path| eprintln!("{gone} {path}"));
        print!("{}", report.diff);
        if report.is_clean() {
            eprintln!("{} files are up to date", outputs.len());
        }
        Ok(report.is_clean() || !check)
    }
}
