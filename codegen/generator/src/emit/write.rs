//! The one writer: compares, then writes what differs and removes what is no longer made.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;
use similar::TextDiff;

use super::COMMAND;
use super::manifest::{DOCUMENTS, OutputManifest, SERVER};
use super::output_files::OutputFiles;

/// Lines of unchanged text around a difference.
const CONTEXT_LINES: usize = 3;

/// The treatment of differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// Write them away.
    Write,
    /// Only report them.
    Check,
}

/// The differences that were found.
#[derive(Debug, Default)]
pub struct WriteReport {
    /// Files whose bytes were other, or that were missing.
    pub changed: Vec<String>,
    /// Files that a manifest lists and that are no longer made.
    pub orphaned: Vec<String>,
    /// With [`WriteMode::Check`]: the differences as a unified diff, then the command to run; empty when there are none.
    pub diff: String,
}

impl WriteReport {
    /// True if all files were as they should be.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.changed.is_empty() && self.orphaned.is_empty()
    }
}

/// Compares the outputs with what stands under `root` and, with [`WriteMode::Write`], makes it so. A file whose bytes are
/// right is not touched, so that nothing is built again for it.
///
/// # Errors
/// When a file cannot be read, written or removed, other than by not being there.
pub fn apply(root: &Path, outputs: &OutputFiles, mode: WriteMode) -> io::Result<WriteReport> {
    let mut report = WriteReport::default();
    for path in orphans(root, outputs)? {
        match mode {
            WriteMode::Write => remove(&root.join(&path))?,
            WriteMode::Check => report.diff.push_str(&diff(&path, &fs::read(root.join(&path))?, b"")),
        }
        report.orphaned.push(path);
    }
    let compared = outputs.par_iter().map(|(path, wanted)| {
        let file = root.join(path);
        if mode == WriteMode::Write && make(&file, wanted)? {
            return Ok(Some((path, String::new())));
        }
        let found = read(&file)?;
        if found.as_deref() == Some(wanted) {
            return Ok(None);
        }
        Ok(Some(match mode {
            WriteMode::Write => replace(&file, wanted).map(|()| (path, String::new()))?,
            WriteMode::Check => (path, diff(path, &found.unwrap_or_default(), wanted)),
        }))
    });
    for (path, diff) in compared.collect::<io::Result<Vec<_>>>()?.into_iter().flatten() {
        report.diff.push_str(&diff);
        report.changed.push(path.clone());
    }
    if !report.diff.is_empty() {
        report.diff.push_str(&format!("\nThese files are made from spec/. Run `{COMMAND}` and commit the result.\n"));
    }
    Ok(report)
}

/// The files that a manifest on disk lists, that still exist and are no longer made.
fn orphans(root: &Path, outputs: &OutputFiles) -> io::Result<Vec<String>> {
    let mut orphans = Vec::new();
    for manifest in [SERVER, DOCUMENTS].into_iter().filter(|manifest| outputs.contains_key(*manifest)) {
        let Some(bytes) = read(&root.join(manifest))? else { continue };
        // A manifest that does not read is rewritten; what it listed is then found by eye.
        let listed: OutputManifest = serde_json::from_slice(&bytes).unwrap_or_default();
        let gone = listed.files.into_iter().filter(|path| is_ours(path) && !outputs.contains_key(path));
        orphans.extend(gone.filter(|path| root.join(path).is_file()));
    }
    Ok(orphans)
}

/// True if a path that a manifest lists is one that we would have written: a manifest is a file like any other, and
/// must not lead us elsewhere.
fn is_ours(path: &str) -> bool {
    let inside = ["server/crates/api/src/generated/", "server/crates/store/migrations/", "spec/dist/"]
        .iter()
        .any(|folder| path.starts_with(folder));
    inside && !path.split('/').any(|part| part == "..")
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file that is not there yet; true if it was not. It is written in its place, at half the cost: whoever reads a file
/// that was not there a moment ago has to read again anyway. One that cannot be written whole does not stay; one that a kill cuts
/// short differs from what is wanted, and is replaced the next time.
fn make(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let made = match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            File::create_new(path)
        }
        made => made,
    };
    match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
        Ok(mut file) => match file.write_all(bytes) {
            Ok(()) => Ok(true),
            Err(error) => {
                let _ = fs::remove_file(path);
                Err(error)
            }
        },
    }
}

/// Writes beside the file and moves it there, so that a build that reads at the same time sees one or the other.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    fs::write(&beside, bytes)?;
    fs::rename(&beside, path)
}

fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    // A folder that has become empty goes too; one that has not stays.
    if let Some(folder) = path.parent() {
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}

fn diff(path: &str, found: &[u8], wanted: &[u8]) -> String {
    let (found, wanted) = (String::from_utf8_lossy(found), String::from_utf8_lossy(wanted));
    let diff = TextDiff::from_lines(found.as_ref(), wanted.as_ref());
    diff.unified_diff().context_radius(CONTEXT_LINES).header(&format!("a/{path}"), &format!("b/{path}")).to_string()
}
