//! The specs of other revisions. The `git` command is asked, and nothing is written anywhere.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
};

use crate::parse::Sources;

/// What the work at hand is compared with.
pub(super) struct Base {
    /// As people name it.
    pub(super) name: String,
    /// Its full id.
    pub(super) commit: String,
}

/// Where this branch left the main one; on the main one itself, the commit before. The inner error says why there is
/// neither: a clone may be without history, and that is no mistake of the spec.
pub(super) fn base(root: &Path) -> io::Result<Result<Base, String>> {
    let head = match ask(root, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]) {
        Ok(Some(head)) => head,
        Ok(None) => return Ok(Err("there is no git repository with a commit here".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Err(error.to_string())),
        Err(error) => return Err(error),
    };
    for main in ["main", "origin/main"] {
        let Some(commit) = ask(root, &["merge-base", "HEAD", main])? else { continue };
        if commit != head {
            return Ok(Ok(Base { name: format!("{main} ({})", short(&commit)), commit }));
        }
    }
    match commit(root, "HEAD~1")? {
        Some(commit) => Ok(Ok(Base { name: format!("the commit before ({})", short(&commit)), commit })),
        None => Ok(Err(format!("{} has no commit before it in this clone", short(&head)))),
    }
}

/// The full id of a revision; `None` where git knows no such one.
pub(super) fn commit(root: &Path, revision: &str) -> io::Result<Option<String>> {
    ask(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")])
}

/// The spec of a commit, with the paths that it has below `root`.
pub(super) fn sources(root: &Path, commit: &str) -> io::Result<Sources> {
    let listed = run(root, &["ls-tree", "-r", "-z", commit, "--", "spec"])?
        .ok_or_else(|| io::Error::other(format!("git cannot list the files of {commit}")))?;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let mut files = Vec::new();
    for entry in listed.split('\0') {
        // `<mode> <type> <id>\t<path>`
        let Some((about, path)) = entry.split_once('\t') else { continue };
        if !Sources::holds(path) {
            continue;
        }
        let blob = about.rsplit(' ').next().unwrap_or_default();
        let text = run(root, &["cat-file", "blob", blob])?
            .ok_or_else(|| io::Error::other(format!("git cannot read {path} of {commit}")))?;
        files.push((path.to_owned(), text));
    }
    Ok(Sources::new(files))
}

/// One line of an answer; `None` where git says no.
fn ask(root: &Path, arguments: &[&str]) -> io::Result<Option<String>> {
    Ok(run(root, arguments)?.map(|answer| String::from_utf8_lossy(&answer).trim().to_owned()))
}

fn run(root: &Path, arguments: &[&str]) -> io::Result<Option<Vec<u8>>> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|error| io::Error::new(error.kind(), format!("asking git: {error}")))?;
    Ok(output.status.success().then_some(output.stdout))
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
