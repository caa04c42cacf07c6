//! `codegen new operation`

use std::{
    fs, io,
    time::{SystemTime, UNIX_EPOCH},
};

use tollgate_spec_language::{
    check::{CheckedSpec, is_operation_name, load},
    diagnostics::{Diagnostic, Severity},
    model::{KEY_MISSING, OperationAuth, SpannedText, Spec},
    parse::SpecSources,
};

use super::{new_text, output, project::SpecProject};

/// The file of decisions, unless the project keeps them elsewhere.
const FACTS: &str = "spec/facts.yaml";

/// A stub that follows from its name and its neighbours.
struct OperationStub {
    /// The id of the decision that it rests on.
    fact: String,
    operation: String,
    decision: String,
}

/// The spec with a stub in it, not written yet.
struct SpecDraft {
    texts: Vec<(String, String)>,
    /// The file of the operation.
    path: String,
    operation_line: usize,
    fact_line: usize,
}

impl SpecProject {
    /// Adds a planned operation and the open decision behind it, if the spec is still sound with them.
    pub(super) fn new_operation(&self, name: &str) -> io::Result<bool> {
        let loaded = self.load();
        if let Some(why) = refused(name, &loaded) {
            if is_operation_name(name) && loaded.has_errors() {
                self.report(&self.sources, &loaded.diagnostics)?;
            }
            return output::err(format_args!("error: {why}")).map(|()| false);
        }
        let stub = OperationStub::new(name, &loaded.spec);
        let Some(draft) = self.draft(name, &stub) else {
            return output::err(format_args!("error: a section is written in braces; add `{name}` by hand"))
                .map(|()| false);
        };
        let sources = SpecSources::new(draft.texts.iter().map(|(path, text)| (path.as_str(), text)));
        let errors = errors(load(&sources));
        if !errors.is_empty() {
            self.report(&sources, &errors)?;
            output::err(format_args!("error: with `{name}` the spec would not be sound; nothing was written"))?;
            return Ok(false);
        }
        self.write(&draft)?;
        print_next_steps(name, &stub, &draft)?;
        Ok(true)
    }

    /// The texts with the stub in them; `None` where it cannot be added.
    fn draft(&self, name: &str, stub: &OperationStub) -> Option<SpecDraft> {
        let group = name.split('.').next().unwrap_or(name);
        let path = format!("spec/operations/{group}.yaml");
        let mut texts: Vec<(String, String)> =
            self.sources.files().map(|(_, file)| (file.path.clone(), file.text.clone())).collect();
        let operation_line = new_text::add(&mut texts, &path, "operations", &stub.operation)?;
        let fact_line = new_text::add(&mut texts, FACTS, "facts", &stub.decision)?;
        Some(SpecDraft { texts, path, operation_line, fact_line })
    }

    fn write(&self, draft: &SpecDraft) -> io::Result<()> {
        for (path, text) in draft.texts.iter().filter(|(path, _)| *path == draft.path || path == FACTS) {
            let place = self.root.join(path);
            if let Some(folder) = place.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(place, text)?;
        }
        Ok(())
    }
}

/// The reason why nothing can be added under this name.
fn refused(name: &str, loaded: &CheckedSpec) -> Option<String> {
    if !is_operation_name(name) {
        return Some("an operation is called `group.verb`, in snake case: `keys.create`".to_owned());
    }
    if loaded.has_errors() {
        return Some("the spec must be sound before something is added to it".to_owned());
    }
    let entry = loaded.spec.operations.get(name)?;
    Some(format!("there is an operation `{name}` already, at {}", loaded.spec.at(entry.place)))
}

fn errors(loaded: CheckedSpec) -> Vec<Diagnostic> {
    loaded.diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error).collect()
}

fn print_next_steps(name: &str, stub: &OperationStub, draft: &SpecDraft) -> io::Result<()> {
    output::out(format_args!("{}:{}: operation `{name}`, planned", draft.path, draft.operation_line))?;
    output::out(format_args!("{FACTS}:{}: fact `{}`, open\n", draft.fact_line, stub.fact))?;
    output::out("Next:")?;
    output::out("  1. Say what it takes and gives: route, auth, body, ok, errors, limits.")?;
    output::out("  2. Decide the fact, or name a heading of the source with `from:` and drop the fact.")?;
    output::out("  3. Take out `stage: planned` and run `cargo codegen`.")?;
    output::out("  4. `cargo check -p tollgate-server` names the handler that is missing, and what to write.")
}

impl OperationStub {
    /// Takes after the operations of the same group, else after what stands for `/`.
    fn new(name: &str, spec: &Spec) -> Self {
        let (group, verb) = name.split_once('.').unwrap_or((name, "new"));
        let neighbour = spec.operations.iter().find(|(other, _)| other.split('.').next() == Some(group));
        let neighbour = neighbour.map(|(_, operation)| &operation.value);
        let root = spec.families.get("/").map(|family| family.value.value.as_str());
        let envelope = neighbour.map(|operation| operation.envelope.value.as_str()).or(root).unwrap_or("o");
        let schemes: Vec<&str> = neighbour
            .map(|operation| &operation.auth)
            .into_iter()
            .flat_map(OperationAuth::schemes)
            .map(|scheme| scheme.value.as_str())
            .collect();
        let auth = if schemes.is_empty() { "public".to_owned() } else { format!("[{}]", schemes.join(", ")) };
        let refuses = |group: &&SpannedText| {
            let missing = spec.event_code(KEY_MISSING);
            let codes = spec.groups.get(&group.value).into_iter().flat_map(|codes| &codes.value);
            codes.into_iter().any(|code| Some(code.value.as_str()) == missing)
        };
        let refusals = neighbour.into_iter().flat_map(|operation| &operation.errors).find(refuses);
        let errors = refusals.map_or(String::new(), |group| format!("\n    errors: [{}]", group.value));
        let fact = free_fact(spec, &name.replace(['.', '_'], "-"));
        let operation = format!(
            "  {name}:\n    stage: planned\n    doc: What it does, in one sentence.\n    \
             route: POST /v1/{group}/{verb}\n    envelope: {envelope}\n    auth: {auth}\n    ok: json{errors}\n    \
             fact: {fact}\n"
        );
        let decision = format!(
            "  {fact}:\n    about: [operations.{name}]\n    choice: What was decided.\n    because: Why.\n    \
             status: open\n    when: {}\n",
            today()
        );
        Self { fact, operation, decision }
    }
}

/// An id for a fact that is not taken.
fn free_fact(spec: &Spec, wanted: &str) -> String {
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    let mut all = std::iter::once(wanted.to_owned()).chain(numbered);
    all.find(|id| !spec.facts.contains_key(id)).unwrap_or_default()
}

/// The day, `2026-11-21`, in UTC.
#[expect(
    clippy::disallowed_methods,
    reason = "a command for people asks what day it is; nothing generated depends on it"
)]
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = new_text::civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}
