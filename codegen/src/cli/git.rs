//! The specs of other revisions. The `git` command is asked, and nothing is written anywhere.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
};

use tollgate_spec_language::parse::SpecSources;

/// The commit that the work at hand is compared with.
pub(super) struct BaseCommit {
    /// Its name for people.
    pub(super) name: String,
    /// Its full id.
    pub(super) commit: String,
}

/// The commit where this branch left the main one; on the main one itself, the commit before. The inner error says why there is
/// neither: a clone may be without history, and that is no mistake of the spec.
pub(super) fn base(root: &Path) -> io::Result<Result<BaseCommit, String>> {
    let head = match head(root)? {
        Ok(head) => head,
        Err(why) => return Ok(Err(why)),
    };
    for main in ["main", "origin/main"] {
        let Some(commit) = ask(root, &["merge-base", "HEAD", main])? else { continue };
        if commit != head {
            return Ok(Ok(BaseCommit { name: format!("{main} ({})", short(&commit)), commit }));
        }
    }
    match commit(root, "HEAD~1")? {
        Some(commit) => Ok(Ok(BaseCommit { name: format!("the commit before ({})", short(&commit)), commit })),
        None => Ok(Err(format!("{} has no commit before it in this clone", short(&head)))),
    }
}

/// A release, and whether it is here.
pub(super) enum ReleaseLookup {
    /// It is here.
    Here(BaseCommit),
    /// It is not here, which is no mistake of the spec: the reason in words.
    Elsewhere(String),
    /// This clone has all of the history, and not that.
    Nowhere,
}

/// A release by its tag, or by the id of its commit. No branch is one, whatever it is called.
pub(super) fn release(root: &Path, named: &str) -> io::Result<ReleaseLookup> {
    if let Err(why) = head(root)? {
        return Ok(ReleaseLookup::Elsewhere(why));
    }
    if let Some(commit) = commit(root, &format!("refs/tags/{named}"))? {
        return Ok(ReleaseLookup::Here(BaseCommit { name: format!("{named} ({})", short(&commit)), commit }));
    }
    let is_id = named.len() >= ID_MIN && named.bytes().all(|byte| byte.is_ascii_hexdigit());
    let by_id = if is_id { commit(root, named)? } else { None };
    if let Some(commit) = by_id.filter(|commit| commit.starts_with(&named.to_ascii_lowercase())) {
        return Ok(ReleaseLookup::Here(BaseCommit { name: format!("the release {}", short(&commit)), commit }));
    }
    if ask(root, &["rev-parse", "--is-shallow-repository"])?.is_none_or(|told| told != "true") {
        return Ok(ReleaseLookup::Nowhere);
    }
    let fetch = match (is_id, named.len()) {
        (true, ID | ID_LONG) => format!("git fetch --depth=1 origin {named}"),
        (true, _) => "git fetch --unshallow origin".to_owned(),
        (false, _) => format!("git fetch --depth=1 origin tag {named}"),
    };
    Ok(ReleaseLookup::Elsewhere(format!(
        "the release {named} is not in this clone, which is shallow; `{fetch}` brings it"
    )))
}

/// Fewer letters of an id may be a word.
const ID_MIN: usize = 7;
/// The letters of a whole id.
const ID: usize = 40;
/// The letters of a whole id where ids are SHA-256.
const ID_LONG: usize = 64;

/// The full id of a revision; `None` where git knows no such one.
pub(super) fn commit(root: &Path, revision: &str) -> io::Result<Option<String>> {
    ask(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")])
}

/// The commit of the work at hand; the inner error says why there is none.
fn head(root: &Path) -> io::Result<Result<String, String>> {
    match ask(root, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]) {
        Ok(Some(head)) => Ok(Ok(head)),
        Ok(None) => Ok(Err("there is no git repository with a commit here".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    }
}

/// The spec of a commit, with the paths that it has below `root`.
pub(super) fn sources(root: &Path, commit: &str) -> io::Result<SpecSources> {
    let listed = run(root, &["ls-tree", "-r", "-z", commit, "--", "spec"])?
        .ok_or_else(|| io::Error::other(format!("git cannot list the files of {commit}")))?;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let mut files = Vec::new();
    for entry in listed.split('\0') {
        // `<mode> <type> <id>\t<path>`
        let Some((about, path)) = entry.split_once('\t') else { continue };
        if !SpecSources::holds(path) {
            continue;
        }
        let blob = about.rsplit(' ').next().unwrap_or_default();
        let text = run(root, &["cat-file", "blob", blob])?
            .ok_or_else(|| io::Error::other(format!("git cannot read {path} of {commit}")))?;
        files.push((path.to_owned(), text));
    }
    Ok(SpecSources::new(files))
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
