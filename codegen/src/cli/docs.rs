//! `codegen docs`

use std::{io, path::PathBuf};

use clap::Args;
use tollgate_spec_generator::emit;

use super::{
    package::{self, PackageKind},
    project::SpecProject,
};

/// The arguments of `codegen docs`.
#[derive(Debug, Args)]
pub(super) struct DocsArgs {
    /// The folder that the pages are written to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write over files that are not as they were made, or that were never made.
    #[arg(long)]
    force: bool,
}

impl SpecProject {
    /// Writes the pages of `/docs`, with their style, script and search index, and OpenAPI 3.0.3.
    pub(super) fn docs(&self, args: &DocsArgs) -> io::Result<bool> {
        let mut loaded = self.load();
        let Some(lowered) = self.resolved(&mut loaded)? else { return Ok(false) };
        let interface = emit::interface(&lowered);
        let mut files = emit::pages(&lowered, &interface);
        files.insert(emit::OPENAPI_30.to_owned(), emit::openapi_30(&interface));
        package::write(&args.out, PackageKind::Docs, &files, args.force)
    }
}
