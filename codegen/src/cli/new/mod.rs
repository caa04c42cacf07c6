//! `codegen new`: stubs of entries, which pass the check but for what only their author can say.
//!
//! A stub takes after its neighbours. What it leaves open is told with its place; nothing is written where the rest of the spec
//! would suffer.

mod code;
mod entry;
mod example;
mod fact;
mod machine;
mod operation;
mod text;

use std::{fs, io};

use clap::Subcommand;
use tollgate_spec_language::{
    check::{CheckedSpec, load},
    diagnostics::{Diagnostic, Severity},
    model::{SourceSpan, Spec},
    parse::SpecSources,
};

use self::{
    code::NewCode,
    entry::{NewEntry, NewGroup, NewStub},
    example::NewExample,
    machine::NewMachine,
    operation::NewOperation,
};
use super::{output, project::SpecProject};

/// The kinds of entries that a stub can be added of.
#[derive(Debug, Subcommand)]
pub(super) enum NewCommand {
    /// Add an operation, planned, in the file of its group, and the open decision behind it.
    Operation(NewOperation),
    /// Add an error code beside the others.
    Code(NewCode),
    /// Add a state machine in a file of its own, and the open decision behind it.
    Machine(NewMachine),
    /// Add an example of an operation or of a code, with the least request that the operation takes.
    Example(NewExample),
}

/// The spec with a stub in it.
struct SpecDraft {
    sources: SpecSources,
    /// The first line and the number of lines of each entry.
    lines: Vec<(usize, usize)>,
    /// True if the text of the group is in it.
    has_group: bool,
}

impl SpecProject {
    /// Adds a stub to the spec.
    pub(super) fn new_entry(&self, command: &NewCommand) -> io::Result<bool> {
        let loaded = self.load();
        if loaded.has_errors() {
            self.report(&self.sources, &loaded.diagnostics)?;
            return refuse("the spec must be sound before something is added to it");
        }
        let stub = match command {
            NewCommand::Operation(new) => new.stub(&loaded.spec),
            NewCommand::Code(new) => new.stub(&loaded.spec),
            NewCommand::Machine(new) => new.stub(&loaded.spec),
            NewCommand::Example(new) => new.stub(self, &loaded.spec),
        };
        match stub.and_then(|stub| taken(&stub, &loaded.spec).map_or(Ok(stub), Err)) {
            Ok(stub) => self.add(&stub),
            Err(why) => refuse(&why),
        }
    }

    fn add(&self, stub: &NewStub) -> io::Result<bool> {
        let name = &stub.entries[0].name;
        let Some(draft) = self.draft(stub) else {
            return refuse(&format!("a section is written in braces; add `{name}` by hand"));
        };
        let (left, wrong): (Vec<_>, Vec<_>) =
            errors(load(&draft.sources)).into_iter().partition(|error| draft.holds(stub, error.primary.place));
        if !wrong.is_empty() {
            self.report(&draft.sources, &wrong)?;
            return refuse(&format!("with `{name}` the spec would not be sound; nothing was written"));
        }
        self.write(stub, &draft)?;
        for (entry, (line, _)) in stub.entries.iter().zip(&draft.lines) {
            let NewEntry { section, name, state, path, .. } = entry;
            output::out(format_args!("{path}:{line}: {} `{name}`{state}", section.entry()))?;
        }
        for error in left {
            let (path, place) = (path(&draft.sources, error.primary.place), error.primary.place);
            output::out(format_args!("{path}:{}:{}: left to say: {}", place.line, place.column, error.message))?;
        }
        let group = stub.group.as_ref();
        if let Some(group) = group.filter(|_| draft.has_group) {
            output::out(format_args!("{}: group `{}`: left to say: its text", group.path, group.name))?;
        }
        let step = group.filter(|_| !draft.has_group).map(NewGroup::step);
        output::out("\nNext:")?;
        for (index, step) in step.iter().chain(&stub.next).enumerate() {
            output::out(format_args!("  {}. {step}", index + 1))?;
        }
        Ok(true)
    }

    /// The texts with the stub in them; `None` where it cannot be added.
    fn draft(&self, stub: &NewStub) -> Option<SpecDraft> {
        let mut texts: Vec<(String, String)> =
            self.sources.files().map(|(_, file)| (file.path.clone(), file.text.clone())).collect();
        // The last first: in a new file, what an entry rests on stands above it.
        for entry in stub.entries.iter().rev() {
            text::add(&mut texts, &entry.path, entry.section.key(), &entry.text)?;
        }
        let of_group = stub.group.as_ref().and_then(|group| {
            let (_, text) = texts.iter_mut().find(|(path, _)| *path == group.path)?;
            text::add_tag(text, &group.name)
        });
        let lines = stub.entries.iter().map(|entry| {
            let (_, text) = texts.iter().find(|(path, _)| *path == entry.path)?;
            let begins = text.find(&entry.text)?;
            Some((text[..begins].matches('\n').count() + 1, entry.text.matches('\n').count()))
        });
        let lines = lines.collect::<Option<_>>()?;
        Some(SpecDraft { sources: SpecSources::new(texts), lines, has_group: of_group.is_some() })
    }

    fn write(&self, stub: &NewStub, draft: &SpecDraft) -> io::Result<()> {
        let of_group = stub.group.as_ref().map(|group| &group.path);
        let is_new =
            |path: &String| stub.entries.iter().map(|entry| &entry.path).chain(of_group).any(|new| new == path);
        for (_, file) in draft.sources.files().filter(|(_, file)| is_new(&file.path)) {
            let place = self.root.join(&file.path);
            if let Some(folder) = place.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(place, &file.text)?;
        }
        Ok(())
    }
}

impl SpecDraft {
    /// True if a place is in what was added.
    fn holds(&self, stub: &NewStub, place: SourceSpan) -> bool {
        let path = path(&self.sources, place);
        stub.entries.iter().zip(&self.lines).any(|(entry, (first, count))| {
            entry.path == path && (*first..first + count).contains(&(place.line as usize))
        })
    }
}

fn path(sources: &SpecSources, place: SourceSpan) -> &str {
    sources.file(place.file).map_or("spec", |file| file.path.as_str())
}

fn refuse(why: &str) -> io::Result<bool> {
    output::err(format_args!("error: {why}")).map(|()| false)
}

/// The reason why an entry cannot be added: its name is taken.
fn taken(stub: &NewStub, spec: &Spec) -> Option<String> {
    stub.entries.iter().find_map(|NewEntry { section, name, .. }| {
        let (_, place) = spec.names(*section).find(|(other, _)| other == name)?;
        Some(format!("the {} `{name}` is there already, at {}", section.entry(), spec.at(place)))
    })
}

fn errors(loaded: CheckedSpec) -> Vec<Diagnostic> {
    loaded.diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error).collect()
}
