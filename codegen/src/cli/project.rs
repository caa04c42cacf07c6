//! The project that a command works on, and the printing of complaints.

use std::{
    env, io,
    path::{Path, PathBuf},
};

use tollgate_spec_generator::lower::{Lowered, lower};
use tollgate_spec_language::{
    check::{Loaded, load},
    diagnostics::{Diagnostic, Printer, summary, to_json},
    parse::Sources,
};

use super::say;

/// A project and its spec.
pub(super) struct Project {
    /// The folder that holds `spec`.
    pub(super) root: PathBuf,
    /// The texts.
    pub(super) sources: Sources,
    coloured: bool,
    /// True if results and complaints are printed as JSON.
    pub(super) json: bool,
}

impl Project {
    pub(super) fn open(root: Option<&Path>, coloured: bool, json: bool) -> io::Result<Self> {
        let root = match root {
            Some(root) => root.to_owned(),
            None => above(&env::current_dir()?).ok_or_else(|| {
                io::Error::new(
                    io::ErrorKind::NotFound,
                    "no folder `spec` here or above; name its place with --root DIR",
                )
            })?,
        };
        let sources = Sources::read(&root).map_err(|error| {
            io::Error::new(error.kind(), format!("reading {}: {error}", root.join("spec").display()))
        })?;
        Ok(Self { root, sources, coloured, json })
    }

    pub(super) fn load(&self) -> Loaded {
        load(&self.sources)
    }

    /// Prints complaints, then their number.
    pub(super) fn tell(&self, sources: &Sources, diagnostics: &[Diagnostic]) -> io::Result<()> {
        let printer = Printer::new(sources, self.coloured);
        for diagnostic in diagnostics {
            if self.json {
                say::out(to_json(diagnostic, sources))?;
            } else {
                say::err(format_args!("{}\n", printer.render(diagnostic)))?;
            }
        }
        say::err(summary(diagnostics, sources.files().count()))
    }

    /// The resolved spec, where it is sound; prints all complaints otherwise, and warnings in any case.
    pub(super) fn lowered<'l>(&self, loaded: &'l mut Loaded) -> io::Result<Option<Lowered<'l>>> {
        if loaded.has_errors() {
            self.tell(&self.sources, &loaded.diagnostics)?;
            return Ok(None);
        }
        match lower(&loaded.spec) {
            Ok(lowered) => Ok(Some(lowered)),
            Err(refusals) => {
                let refused = refusals.into_iter().map(Diagnostic::from);
                let all: Vec<Diagnostic> = loaded.diagnostics.iter().cloned().chain(refused).collect();
                self.tell(&self.sources, &all)?;
                Ok(None)
            }
        }
    }
}

/// The nearest folder from here upwards that holds a folder `spec`.
fn above(here: &Path) -> Option<PathBuf> {
    here.ancestors().find(|folder| folder.join("spec").is_dir()).map(Path::to_owned)
}
