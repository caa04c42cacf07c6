//! `codegen gen`

use std::io;

use tollgate_spec_generator::emit::{self, OutputPart, WriteMode};
use tollgate_spec_language::diagnostics::Severity;

use super::{output, project::SpecProject};

impl SpecProject {
    pub(super) fn generate(&self, check: bool) -> io::Result<bool> {
        let mut loaded = self.load();
        let warned = loaded.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Warning);
        if warned && !loaded.has_errors() {
            self.report(&self.sources, &loaded.diagnostics)?;
        }
        let Some(lowered) = self.resolved(&mut loaded)? else { return Ok(false) };
        let outputs = emit::generate(&lowered, OutputPart::All);
        drop(lowered);
        let mode = if check { WriteMode::Check } else { WriteMode::Write };
        // The model goes while files are compared and written.
        let report = rayon::join(|| emit::apply(&self.root, &outputs, mode), || drop(loaded)).0?;
        let (made, gone) = if check { ("differs", "is no longer made") } else { ("wrote", "removed") };
        report.changed.iter().try_for_each(|path| output::err(format_args!("{made} {path}")))?;
        report.orphaned.iter().try_for_each(|path| output::err(format_args!("{gone} {path}")))?;
        if !report.diff.is_empty() {
            output::out(report.diff.trim_end())?;
        }
        if report.is_clean() {
            output::err(format_args!("{} files are up to date", outputs.len()))?;
        }
        Ok(report.is_clean() || !check)
    }
}
