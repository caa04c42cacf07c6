//! Complaints as people read them.

use std::borrow::Cow;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use super::{Diagnostic, DiagnosticLabel, Severity};
use crate::parse::{FileId, SpecSources};

/// Renders complaints in the look of rustc.
pub struct DiagnosticPrinter<'a> {
    sources: &'a SpecSources,
    renderer: Renderer,
}

impl<'a> DiagnosticPrinter<'a> {
    /// A printer over the texts that the places point into.
    #[must_use]
    pub fn new(sources: &'a SpecSources, coloured: bool) -> Self {
        let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
        Self { sources, renderer }
    }

    /// One complaint, without a line end.
    #[must_use]
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.as_str());
        let mut main = Group::with_title(title);
        for file in files_of(diagnostic) {
            main = match self.snippet(diagnostic, file) {
                Some(snippet) => main.element(snippet),
                None => main.element(Origin::path("spec")),
            };
        }
        for note in &diagnostic.notes {
            main = main.element(Level::NOTE.message(note.as_str()));
        }
        let mut report = vec![main];
        report.extend(self.help(diagnostic));
        self.renderer.render(&report)
    }

    /// The labels of a complaint that lie in one file, on its text.
    fn snippet(&self, diagnostic: &'a Diagnostic, file: FileId) -> Option<Snippet<'a, Annotation<'a>>> {
        let source = self.sources.file(file)?;
        let annotate = |kind: AnnotationKind, label: &'a DiagnosticLabel| {
            let text = (!label.text.is_empty()).then_some(Cow::Borrowed(label.text.as_str()));
            kind.span(clamp(label, &source.text)).label(text)
        };
        let primary =
            (diagnostic.primary.place.file == file).then(|| annotate(AnnotationKind::Primary, &diagnostic.primary));
        let secondary = diagnostic.secondary.iter().filter(|label| label.place.file == file);
        Some(
            Snippet::source(source.text.as_str())
                .path(source.path.as_str())
                .annotations(primary)
                .annotations(secondary.map(|label| annotate(AnnotationKind::Context, label))),
        )
    }

    /// The correction, shown as the changed line.
    fn help(&self, diagnostic: &'a Diagnostic) -> Option<Group<'a>> {
        let suggestion = diagnostic.suggestion.as_ref()?;
        let source = self.sources.file(suggestion.place.file)?;
        let label = DiagnosticLabel { place: suggestion.place, text: String::new() };
        let span = clamp(&label, &source.text);
        let title = Level::HELP.secondary_title(format!("did you mean `{}`?", suggestion.text));
        let snippet = Snippet::source(source.text.as_str()).path(source.path.as_str());
        Some(title.element(snippet.patch(Patch::new(span, suggestion.text.as_str()))))
    }
}

/// The last line: how many of what.
#[must_use]
pub fn summary(diagnostics: &[Diagnostic], files: usize) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let warnings = diagnostics.len() - errors;
    format!("{}, {} in {}", count(errors, "error"), count(warnings, "warning"), count(files, "file"))
}

/// The files a complaint points into, the one at fault first.
fn files_of(diagnostic: &Diagnostic) -> Vec<FileId> {
    let mut files = vec![diagnostic.primary.place.file];
    for label in &diagnostic.secondary {
        if !files.contains(&label.place.file) {
            files.push(label.place.file);
        }
    }
    files
}

/// The bytes of a label, cut to the text and to whole characters, so that no complaint can break the printing.
fn clamp(label: &DiagnosticLabel, text: &str) -> std::ops::Range<usize> {
    let inside = |at: u32| {
        let at = (at as usize).min(text.len());
        (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
    };
    let start = inside(label.place.start);
    start..inside(label.place.end).max(start)
}
