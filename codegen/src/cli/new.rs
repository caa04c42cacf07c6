//! `codegen new operation`

use std::{
    fs, io,
    time::{SystemTime, UNIX_EPOCH},
};

use super::{new_text, project::Project};
use crate::{
    check::{is_operation_name, load},
    diagnostics::{Diagnostic, Severity},
    model::{Auth, Spec},
    parse::Sources,
};

/// Where decisions go, unless the project keeps them elsewhere.
const FACTS: &str = "spec/facts.yaml";

/// A stub that follows from its name and its neighbours.
struct Stub {
    /// The id of the decision that it rests on.
    fact: String,
    operation: String,
    decision: String,
}

impl Project {
    /// Adds a planned operation and the open decision behind it, if the spec is still sound with them.
    pub(super) fn new_operation(&self, name: &str) -> io::Result<bool> {
        if !is_operation_name(name) {
            eprintln!("error: an operation is called `group.verb`, in snake case: `keys.create`");
            return Ok(false);
        }
        let loaded = self.load();
        if loaded.has_errors() {
            self.tell(&self.sources, &loaded.diagnostics);
            eprintln!("error: the spec must be sound before something is added to it");
            return Ok(false);
        }
        if let Some(entry) = loaded.spec.operations.get(name) {
            eprintln!("error: there is an operation `{name}` already, at {}", loaded.spec.at(entry.place));
            return Ok(false);
        }
        let stub = Stub::new(name, &loaded.spec);
        let group = name.split('.').next().unwrap_or(name);
        let path = format!("spec/operations/{group}.yaml");
        let mut texts: Vec<(String, String)> =
            self.sources.files().map(|(_, file)| (file.path.clone(), file.text.clone())).collect();
        let added = [
            new_text::add(&mut texts, &path, "operations", &stub.operation),
            new_text::add(&mut texts, FACTS, "facts", &stub.decision),
        ];
        let [Some(operation_line), Some(fact_line)] = added else {
            eprintln!("error: a section is written in braces; add `{name}` by hand");
            return Ok(false);
        };
        let sources = Sources::new(texts.iter().map(|(path, text)| (path.as_str(), text)));
        let after = load(&sources);
        if after.has_errors() {
            let errors: Vec<Diagnostic> =
                after.diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error).collect();
            self.tell(&sources, &errors);
            eprintln!("error: with `{name}` the spec would not be sound; nothing was written");
            return Ok(false);
        }
        for (path, text) in texts.iter().filter(|(changed, _)| *changed == path || changed == FACTS) {
            let place = self.root.join(path);
            if let Some(folder) = place.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(place, text)?;
        }
        println!("{path}:{operation_line}: operation `{name}`, planned");
        println!("{FACTS}:{fact_line}: fact `{}`, open\n", stub.fact);
        println!("Next:");
        println!("  1. Say what it takes and gives: route, auth, body, ok, errors, limits.");
        println!("  2. Decide the fact, or name a heading of the source with `from:` and drop the fact.");
        println!("  3. Take out `stage: planned` and run `cargo codegen`.");
        println!("  4. `cargo check -p tollgate-server` names the handler that is missing, and what to write.");
        Ok(true)
    }
}

impl Stub {
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
            .flat_map(Auth::schemes)
            .map(|scheme| scheme.value.as_str())
            .collect();
        let auth = if schemes.is_empty() { "public".to_owned() } else { format!("[{}]", schemes.join(", ")) };
        let guarded = !schemes.is_empty() && spec.groups.contains_key("$auth");
        let errors = if guarded { "\n    errors: [$auth]" } else { "" };
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
