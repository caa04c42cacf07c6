//! `codegen client`

use std::{fs, io, path::PathBuf};

use tollgate_spec_generator::{
    client_model::{self, ApiDocument},
    emit::{
        self,
        client::{self, ClientLanguage, PackageListing},
    },
};

use super::{
    output,
    package::{self, PackageKind},
    project::SpecProject,
};

/// The arguments of `codegen client`.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ClientArgs {
    /// Its language.
    #[arg(long, value_enum)]
    lang: LanguageName,
    /// The folder that it is written to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The resolved spec, where the spec itself is not at hand.
    #[arg(long, value_name = "FILE")]
    resolved: Option<PathBuf>,
    /// The version of the package.
    #[arg(long, value_name = "VERSION", default_value = "0.1.0")]
    package_version: String,
    /// The name of the package; that of the service where absent. In TypeScript it may have a scope.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The licence of the package as an SPDX expression: `MIT OR Apache-2.0`. The registry of Rust takes no package without one.
    #[arg(long, value_name = "SPDX")]
    license: Option<String>,
    /// The address of the package's source.
    #[arg(long, value_name = "URL")]
    repository: Option<String>,
    /// Write over files that are not as they were made, or that were never made.
    #[arg(long)]
    force: bool,
}

/// The languages that there are clients in, as an argument names them.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum LanguageName {
    /// For browsers, Node, Deno and Bun, over `fetch`.
    Typescript,
    /// Python 3.11 and newer, over its standard library.
    Python,
    /// Rust, over reqwest.
    Rust,
}

impl From<LanguageName> for ClientLanguage {
    fn from(name: LanguageName) -> Self {
        match name {
            LanguageName::Typescript => Self::Typescript,
            LanguageName::Python => Self::Python,
            LanguageName::Rust => Self::Rust,
        }
    }
}

impl ClientArgs {
    /// Writes the package of a resolved spec; of the project's own where none is named.
    pub(super) fn run(&self, project: impl FnOnce() -> io::Result<SpecProject>) -> io::Result<bool> {
        let bytes = match &self.resolved {
            Some(path) => fs::read(path)
                .map_err(|error| io::Error::new(error.kind(), format!("reading {}: {error}", path.display())))?,
            None => {
                let project = project()?;
                let mut loaded = project.load();
                let Some(lowered) = project.resolved(&mut loaded)? else { return Ok(false) };
                emit::resolved(&lowered)
            }
        };
        let document = client_model::read(&bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.write(&document)
    }

    fn write(&self, document: &ApiDocument) -> io::Result<bool> {
        let language = ClientLanguage::from(self.lang);
        if let Some(name) = self.name.as_ref().filter(|name| !language.may_be_called(name)) {
            output::err(format_args!("error: a package cannot be called `{name}` in every registry of its language"))?;
            output::err("help: words of small letters and digits, a letter first, with one `-` or `_` between two")?;
            output::err("help: in Python and Rust no keyword; in TypeScript also `@scope/name`")?;
            return Ok(false);
        }
        let listing = PackageListing {
            version: self.package_version.clone(),
            name: self.name.clone(),
            license: self.license.clone(),
            repository: self.repository.clone(),
        };
        let files = client::generate(document, language, &listing);
        package::write(&self.out, PackageKind::Client, &files, self.force)
    }
}
