//! `codegen client`

use std::{fs, io, path::PathBuf};

use super::{package, project::Project, say};
use crate::{
    emit::{
        self,
        client::{self, Language},
    },
    interface::{self, Document},
};

/// What a client is made of.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ClientArgs {
    /// Its language.
    #[arg(long, value_enum)]
    lang: Language,
    /// The folder that it is written to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The resolved spec, where the spec itself is not at hand.
    #[arg(long, value_name = "FILE")]
    resolved: Option<PathBuf>,
    /// The version of the package.
    #[arg(long, value_name = "VERSION", default_value = "0.1.0")]
    package_version: String,
}

impl ClientArgs {
    /// Writes the package of a resolved spec; of the project's own where none is named.
    pub(super) fn run(&self, project: impl FnOnce() -> io::Result<Project>) -> io::Result<bool> {
        let bytes = match &self.resolved {
            Some(path) => fs::read(path)
                .map_err(|error| io::Error::new(error.kind(), format!("reading {}: {error}", path.display())))?,
            None => {
                let project = project()?;
                let mut loaded = project.load();
                let Some(lowered) = project.lowered(&mut loaded)? else { return Ok(false) };
                emit::resolved(&lowered)
            }
        };
        let document = interface::read(&bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.write(&document)
    }

    fn write(&self, document: &Document) -> io::Result<bool> {
        let files = client::generate(document, self.lang, &self.package_version);
        let leftovers = package::write(&self.out, &files)?;
        say::err(format_args!("wrote {} files to {}", files.len(), self.out.display()))?;
        if leftovers.removed > 0 {
            say::err(format_args!("removed {} that are not part of it any more", leftovers.removed))?;
        }
        for path in leftovers.changed {
            say::err(format_args!("left {path}, which is not part of it any more: somebody changed it"))?;
        }
        Ok(true)
    }
}
