//! The folder that a package is written to. What stood there because of an earlier version of the package, and is not part of
//! this one, goes; nothing else in the folder does.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path},
};

use serde::{Deserialize, Serialize};
use tollgate_spec_generator::emit::digest;

use super::output;

/// What a folder is filled with.
#[derive(Debug, Clone, Copy)]
pub(super) enum PackageKind {
    /// A client.
    Client,
    /// The pages of the documentation.
    Docs,
}

impl PackageKind {
    /// The command that makes it.
    const fn command(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Docs => "docs",
        }
    }

    /// The file that lists what was written, with the SHA-256 of each file.
    fn list(self) -> String {
        format!(".codegen-{}.json", self.command())
    }

    fn about(self) -> String {
        format!(
            "Made by `codegen {}`. What is listed here is written over, or removed when it is no longer made, as long as it \
             was not changed.",
            self.command()
        )
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct PackageManifest {
    about: String,
    files: BTreeMap<String, String>,
}

/// The files of an earlier version that are not part of this one.
#[derive(Debug, Default)]
struct StaleFiles {
    removed: usize,
    /// Files that somebody changed, and that stay.
    changed: Vec<String>,
}

/// The outcome of writing a package.
#[derive(Debug)]
enum PackageOutcome {
    /// It is there.
    All(StaleFiles),
    /// Nothing was written: these files are somebody else's, or somebody changed them.
    Nothing(Vec<String>),
}

/// Writes the files and says so; true if they are there.
pub(super) fn write(
    folder: &Path,
    kind: PackageKind,
    files: &BTreeMap<String, Vec<u8>>,
    forced: bool,
) -> io::Result<bool> {
    let leftovers = match replace(folder, kind, files, forced)? {
        PackageOutcome::All(leftovers) => leftovers,
        PackageOutcome::Nothing(others) => {
            let others = others.join(", ");
            output::err(format_args!("error: these are not as they were made here, or were never made: {others}"))?;
            output::err("help: nothing was written; give another folder, or `--force` to write over them")?;
            return Ok(false);
        }
    };
    output::err(format_args!("wrote {} files to {}", files.len(), folder.display()))?;
    if leftovers.removed > 0 {
        output::err(format_args!("removed {} that are not part of it any more", leftovers.removed))?;
    }
    for path in leftovers.changed {
        output::err(format_args!("left {path}, which is not part of it any more: somebody changed it"))?;
    }
    Ok(true)
}

/// Writes the files, and removes what an earlier version had and this one has not. What is not as it was made stays as it is,
/// unless it is `forced`, and the package is not written then: half of it would be of no use.
///
/// A file that is right is not touched, so that nothing is built again for it.
fn replace(
    folder: &Path,
    kind: PackageKind,
    files: &BTreeMap<String, Vec<u8>>,
    forced: bool,
) -> io::Result<PackageOutcome> {
    let before = listed(&folder.join(kind.list()))?;
    let others = if forced { Vec::new() } else { others(folder, &before, files)? };
    if !others.is_empty() {
        return Ok(PackageOutcome::Nothing(others));
    }
    for (path, bytes) in files {
        write_file(&folder.join(path), bytes)?;
    }
    let mut leftovers = StaleFiles::default();
    for (path, was) in before.files {
        if files.contains_key(&path) || !is_inside(&path) {
            continue;
        }
        let Some(found) = read(&folder.join(&path))? else { continue };
        if digest(&found) == was {
            remove(folder, &path)?;
            leftovers.removed += 1;
        } else {
            leftovers.changed.push(path);
        }
    }
    // Last, so that a run that ends before leaves the old list, and the next one finds what is left of it.
    let files = files.iter().map(|(path, bytes)| (path.clone(), digest(bytes))).collect();
    let mut list = serde_json::to_vec_pretty(&PackageManifest { about: kind.about(), files }).expect("texts are JSON");
    list.push(b'\n');
    write_file(&folder.join(kind.list()), &list)?;
    Ok(PackageOutcome::All(leftovers))
}

/// The files that would be written over, and are not as an earlier run made them.
fn others(folder: &Path, before: &PackageManifest, files: &BTreeMap<String, Vec<u8>>) -> io::Result<Vec<String>> {
    let mut others = Vec::new();
    for (path, bytes) in files {
        let Some(found) = read(&folder.join(path))? else { continue };
        if found != *bytes && before.files.get(path) != Some(&digest(&found)) {
            others.push(path.clone());
        }
    }
    Ok(others)
}

fn listed(list: &Path) -> io::Result<PackageManifest> {
    let bytes = read(list)?;
    // A list that does not read is written anew; what it listed is then found by eye.
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
}

/// True if a path stays in the folder: a list is a file like any other, and must not lead us elsewhere.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        // A folder in the place of a file is none of ours.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => Ok(None),
        Err(error) => Err(error),
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if read(path)?.as_deref() == Some(bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

fn remove(folder: &Path, path: &str) -> io::Result<()> {
    fs::remove_file(folder.join(path))?;
    // Folders that have become empty go too; those that have not stay.
    let above = Path::new(path).ancestors().skip(1).take_while(|above| !above.as_os_str().is_empty());
    for above in above {
        if fs::remove_dir(folder.join(above)).is_err() {
            break;
        }
    }
    Ok(())
}
