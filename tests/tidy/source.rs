//! The files of the tree.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A text file and where it stands, from the root.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files below `folder` whose name ends so, in order.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<File> {
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    found.sort();
    let relative = |path: &Path| path.strip_prefix(root()).expect("below the root").display().to_string();
    let read =
        |path: PathBuf| File { path: relative(&path), text: std::fs::read_to_string(&path).expect("a text file") };
    found.into_iter().filter(|path| path.to_string_lossy().ends_with(ending)).map(read).collect()
}

/// Every text file that is kept, whatever its name: the list is git's.
pub(crate) fn kept() -> Vec<File> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().expect("git runs");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let paths = String::from_utf8(listed.stdout).expect("paths are text");
    // What is deleted and not yet committed is listed too; what is no text says nothing.
    let read =
        |path: &str| Some(File { path: path.to_owned(), text: std::fs::read_to_string(root().join(path)).ok()? });
    paths.split('\0').filter_map(read).collect()
}

/// Paths of the files that differ from the commit before the last one, new ones included; none where git has no such commit.
pub(crate) fn recently_changed() -> BTreeSet<String> {
    let changed = ["diff --name-only --no-renames HEAD~1", "ls-files --others --exclude-standard"];
    let git = |arguments: &str| {
        let output = Command::new("git").args(arguments.split(' ')).current_dir(root()).output().expect("git runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    changed.map(git).join("").lines().map(str::to_owned).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}
