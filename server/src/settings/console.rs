//! Name, logo and colour of the pages for people.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::file::ConsoleTable;
use tollgate_base::{Accent, Branding, LOGO_BYTES_MAX, Logo, ServiceName};
use tollgate_catalog::UnplacedComplaint;

/// The branding as the pages take it.
pub(super) fn branding(table: &ConsoleTable, found: &mut Vec<UnplacedComplaint>) -> Branding {
    let mut complain = |key: &str, message: String| found.push(UnplacedComplaint::new(&["console", key], message));
    let name = table.name.as_deref().map(ServiceName::new).transpose();
    let name = name.map_err(|error| complain("name", error.to_string())).ok().flatten();
    let logo = table.logo_file.as_deref().map(logo).transpose();
    let logo = logo.map_err(|message| complain("logo_file", message)).ok().flatten();
    let accent = table.accent.as_deref().map(str::parse::<Accent>).transpose();
    let accent = accent.map_err(|error| complain("accent", error.to_string())).ok().flatten();
    Branding { name: name.unwrap_or_default(), logo, accent }
}

/// Reads a logo, and of a file no more than tells that it is too large.
fn logo(path: &Path) -> Result<Logo, String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LOGO_BYTES_MAX as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("reading {} failed: {error}", path.display()))?;
    Logo::read(bytes).map_err(|error| format!("{} {error}", path.display()))
}
