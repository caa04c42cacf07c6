//! The project that a command works on, and the printing of complaints.

use std::{
    env, io,
    path::{Path, PathBuf},
};

use tollgate_spec_generator::resolve::{ResolvedSpec, resolve};
use tollgate_spec_language::{
    check::{CheckedSpec, load},
    diagnostics::{Diagnostic, DiagnosticPrinter, summary, to_json},
    parse::SpecSources,
};

use super::output;

/// A project and its spec.
pub(super) struct SpecProject {
    /// The folder that holds `spec`.
    pub(super) root: PathBuf,
    /// The texts.
    pub(super) sources: SpecSources,
    coloured: bool,
    /// True if results and complaints are printed as JSON.
    pub(super) json: bool,
    /// True if a missing example is an error.
    strict: bool,
}

impl SpecProject {
    pub(super) fn open(root: Option<&Path>, coloured: bool, json: bool, strict: bool) -> io::Result<Self> {
        let root = match root {
            Some(root) => root.to_owned(),
            None => above(&env::current_dir()?).ok_or_else(|| {
                io::Error::new(
                    io::ErrorKind::NotFound,
                    "no folder `spec` here or above; name its place with --root DIR",
                )
            })?,
        };
        let sources = SpecSources::read(&root).map_err(|error| {
            io::Error::new(error.kind(), format!("reading {}: {error}", root.join("spec").display()))
        })?;
        Ok(Self { root, sources, coloured, json, strict })
    }

    pub(super) fn load(&self) -> CheckedSpec {
        let mut loaded = load(&self.sources);
        if self.strict {
            loaded.require_examples();
        }
        loaded
    }

    /// Prints complaints, then their number.
    pub(super) fn report(&self, sources: &SpecSources, diagnostics: &[Diagnostic]) -> io::Result<()> {
        let printer = DiagnosticPrinter::new(sources, self.coloured);
        for diagnostic in diagnostics {
            if self.json {
                output::out(to_json(diagnostic, sources))?;
            } else {
                output::err(format_args!("{}\n", printer.render(diagnostic)))?;
            }
        }
        output::err(summary(diagnostics, sources.files().count()))
    }

    /// The resolved spec, where it is sound; prints all complaints otherwise, and warnings in any case.
    pub(super) fn resolved<'l>(&self, loaded: &'l mut CheckedSpec) -> io::Result<Option<ResolvedSpec<'l>>> {
        if loaded.has_errors() {
            self.report(&self.sources, &loaded.diagnostics)?;
            return Ok(None);
        }
        match resolve(&loaded.spec) {
            Ok(lowered) => Ok(Some(lowered)),
            Err(refusals) => {
                let refused = refusals.into_iter().map(Diagnostic::from);
                let all: Vec<Diagnostic> = loaded.diagnostics.iter().cloned().chain(refused).collect();
                self.report(&self.sources, &all)?;
                Ok(None)
            }
        }
    }
}

/// The nearest folder from here upwards that holds a folder `spec`.
fn above(here: &Path) -> Option<PathBuf> {
    here.ancestors().find(|folder| folder.join("spec").is_dir()).map(Path::to_owned)
}
