//! `codegen diff`

use std::{io, path::Path};

use clap::Args;
use tollgate_spec_language::{
    check::{CheckedSpec, load},
    diagnostics::{Diagnostic, Severity, codes::references, summary},
    diff::{self, SideNames},
    model::Spec,
    parse::SpecSources,
};

use super::{
    git::{self, BaseCommit, ReleaseLookup},
    output,
    project::SpecProject,
};

/// The two specs to compare, and the form of the result.
#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The older spec: a git revision, or a folder that holds `spec`. Without it: the release that `since` of `changes` names;
    /// where it names none, where this branch left `main`, and on `main` itself the commit before.
    old: Option<String>,
    /// The newer spec: a git revision, or a folder that holds `spec`. Without it: the working tree.
    new: Option<String>,
    /// Print the changes as a changelog.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Fail where there is nothing to compare with, as in a clone without history.
    #[arg(long)]
    must_compare: bool,
    /// Print the classes of change that there are, and compare nothing.
    #[arg(long, conflicts_with_all = ["old", "new"])]
    classes: bool,
}

/// One side of a comparison: its name, and its texts.
struct ComparedSide {
    name: String,
    sources: SpecSources,
}

/// The older side.
enum OlderSpec {
    /// The release that `since` names, which alone tells whether what is accepted has happened.
    Release(ComparedSide),
    /// Another, from which on only some of what is accepted need have happened.
    Other(ComparedSide),
    /// There is none, which is no mistake of the spec.
    Absent(String),
    /// There should be one.
    Unknown(Diagnostic),
}

impl DiffArgs {
    /// True if only the classes are asked for.
    pub(super) const fn only_classes(&self) -> bool {
        self.classes
    }
}

impl SpecProject {
    /// Prints the changes; true if nothing breaks that was not accepted.
    pub(super) fn diff(&self, args: &DiffArgs) -> io::Result<bool> {
        let new = match &args.new {
            Some(new) => self.side(new)?,
            None => ComparedSide { name: "the working tree".to_owned(), sources: self.sources.clone() },
        };
        let is = load(&new.sources);
        if is.has_errors() {
            self.report(&new.sources, &is.diagnostics)?;
            return Ok(false);
        }
        let (old, is_release) = match self.old(args, &is.spec)? {
            OlderSpec::Release(old) => (old, true),
            OlderSpec::Other(old) => (old, false),
            OlderSpec::Absent(why) => {
                output::err(format_args!("nothing was compared: {why}"))?;
                return Ok(!args.must_compare);
            }
            OlderSpec::Unknown(complaint) => {
                self.report(&new.sources, &[complaint])?;
                return Ok(false);
            }
        };
        let was = load(&old.sources);
        report_unsound(&old, &was)?;
        let mut judged = diff::apply_acceptances(diff::compare(&was.spec, &is.spec), &is.spec);
        if !is_release {
            judged.stale.clear();
        }
        let names = SideNames { old: &old.name, new: &new.name };
        if self.json {
            for (finding, accepted) in &judged.findings {
                output::out(diff::to_json(finding, accepted.as_deref()))?;
            }
        } else if args.markdown {
            output::out(diff::markdown(&judged, names).trim_end())?;
        } else {
            output::out(diff::text(&judged, names).trim_end())?;
        }
        if self.json || args.markdown {
            for stale in &judged.stale {
                output::err(format_args!("stale: {} accepts {} of {}", stale.at, stale.class, stale.subject))?;
            }
        }
        let needless = judged.stale.len();
        if needless > 0 {
            output::err(format_args!(
                "error: {needless} acceptances of what did not happen since the release; take them out"
            ))?;
        }
        Ok(judged.refused() == 0 && needless == 0)
    }

    /// The older spec, which the new one is compared with.
    fn old(&self, args: &DiffArgs, new: &Spec) -> io::Result<OlderSpec> {
        if let Some(old) = &args.old {
            let side = self.side(old)?;
            return Ok(if self.is_release(old, new)? { OlderSpec::Release(side) } else { OlderSpec::Other(side) });
        }
        let Some(since) = &new.since else {
            return Ok(match git::base(&self.root)? {
                Ok(base) => OlderSpec::Other(self.of_commit(base)?),
                Err(why) => OlderSpec::Absent(why),
            });
        };
        Ok(match git::release(&self.root, &since.value)? {
            ReleaseLookup::Here(base) => OlderSpec::Release(self.of_commit(base)?),
            ReleaseLookup::Elsewhere(why) => OlderSpec::Absent(why),
            ReleaseLookup::Nowhere => {
                let message = format!("there is no release `{}`: neither a tag nor a commit", since.value);
                OlderSpec::Unknown(Diagnostic::error(references::UNKNOWN_RELEASE, since.place, message))
            }
        })
    }

    /// True if a revision is the release that `since` names.
    fn is_release(&self, revision: &str, new: &Spec) -> io::Result<bool> {
        let Some(since) = &new.since else { return Ok(false) };
        if Path::new(revision).join("spec").is_dir() {
            return Ok(false);
        }
        let ReleaseLookup::Here(release) = git::release(&self.root, &since.value)? else { return Ok(false) };
        Ok(git::commit(&self.root, revision)?.is_some_and(|commit| commit == release.commit))
    }

    fn of_commit(&self, base: BaseCommit) -> io::Result<ComparedSide> {
        let sources = git::sources(&self.root, &base.commit)?;
        Ok(ComparedSide { name: base.name, sources })
    }

    /// A spec by the name of a folder or of a revision.
    fn side(&self, name: &str) -> io::Result<ComparedSide> {
        let sources = if Path::new(name).join("spec").is_dir() {
            SpecSources::read(Path::new(name))?
        } else {
            let commit = git::commit(&self.root, name)?.ok_or_else(|| {
                io::Error::new(
                    io::ErrorKind::NotFound,
                    format!("`{name}` is neither a folder that holds `spec` nor a revision that git knows here"),
                )
            })?;
            git::sources(&self.root, &commit)?
        };
        Ok(ComparedSide { name: name.to_owned(), sources })
    }
}

/// The language may have moved on since the old spec was written. What can be read of it is compared all the same: what
/// cannot is told as new, which breaks nobody.
fn report_unsound(old: &ComparedSide, loaded: &CheckedSpec) -> io::Result<()> {
    if !loaded.has_errors() {
        return Ok(());
    }
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|it| it.severity == Severity::Error).cloned().collect();
    let files = old.sources.files().count();
    output::err(format_args!(
        "note: {} has mistakes by the rules of today ({}); it is compared as far as it can be read",
        old.name,
        summary(&errors, files)
    ))
}
