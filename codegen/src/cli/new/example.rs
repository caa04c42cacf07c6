//! `codegen new example`

use clap::Args;
use serde_json::Value;
use tollgate_spec_generator::{
    emit::{self, client::least_request},
    resolve::resolve,
};
use tollgate_spec_language::model::{OneOrMore, Spec, SpecSection};

use super::entry::{NewEntry, NewStub, file_of_last};
use crate::cli::project::SpecProject;

/// The arguments of `codegen new example`.
#[derive(Debug, Args)]
pub(in crate::cli) struct NewExample {
    /// `order-expired`
    name: String,
    /// The operation; with `--code` it may be absent, for all that answer with the code.
    #[arg(long, value_name = "OPERATION", required_unless_present = "code")]
    of: Option<String>,
    /// The code that is expected; a success where absent.
    #[arg(long)]
    code: Option<String>,
}

impl NewExample {
    pub(super) fn stub(&self, project: &SpecProject, spec: &Spec) -> Result<NewStub, String> {
        if let Some(of) = self.of.as_ref().filter(|of| !spec.operations.contains_key(*of)) {
            return Err(format!("there is no operation `{of}`"));
        }
        let of = self.of.as_ref().map(|of| format!("    of: {of}\n")).unwrap_or_default();
        let text = match (&self.code, &self.of) {
            (None, Some(operation)) => {
                let request = Value::from(least_request(&interface(spec)?, operation));
                format!("{of}    send: {}\n    expect: {{}}\n", flow(&request))
            }
            (code, _) => format!("{of}    expect: {{code: {}}}\n", code.as_deref().unwrap_or_default()),
        };
        let text = format!("  {}:\n    doc: What it shows, in one sentence.\n{text}", self.name);
        let path = self.file(project, spec);
        let example = NewEntry { section: SpecSection::Examples, name: self.name.clone(), state: "", path, text };
        let next = [
            "Say what it shows; give the request the values that matter, and name what exists before it in `given`.",
            "Write the whole answer into `expect`: of a success its `body`, and in `varies` what differs each time.",
        ];
        Ok(NewStub { entries: vec![example], group: None, next: next.map(str::to_owned).into() })
    }

    /// The file of the last example of the same group or code; else one for the group.
    fn file(&self, project: &SpecProject, spec: &Spec) -> String {
        let group = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        let Some(wanted) = self.of.as_deref().map(group) else {
            let mut refusals = spec.examples.values().filter(|example| !example.is_success());
            let last = refusals.next_back().map(|example| spec.path(example.place).to_owned());
            return last
                .or_else(|| file_of_last(spec, SpecSection::Examples))
                .unwrap_or_else(|| "spec/examples/refusals.yaml".to_owned());
        };
        let mut same = spec.examples.values().filter(|example| {
            let of = example.of.iter().flat_map(OneOrMore::all);
            of.map(|name| group(&name.value)).any(|name| name == wanted)
        });
        let last = same.next_back().map(|example| spec.path(example.place).to_owned());
        let one_file = project.sources.files().count() == 1;
        last.or_else(|| file_of_last(spec, SpecSection::Operations).filter(|_| one_file))
            .unwrap_or_else(|| format!("spec/examples/{wanted}.yaml"))
    }
}

fn interface(spec: &Spec) -> Result<tollgate_spec_generator::client_model::ApiDocument, String> {
    let lowered = resolve(spec).map_err(|refusals| {
        let told = refusals.iter().map(|refusal| format!("{}: {}", spec.at(refusal.place), refusal.message));
        told.collect::<Vec<_>>().join("; ")
    })?;
    Ok(emit::interface(&lowered))
}

/// A value in one line of YAML, with keys as the spec writes them.
fn flow(value: &Value) -> String {
    let is_word = |key: &str| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| {
                let key =
                    if is_word(key) && !key.is_empty() { key.clone() } else { Value::from(key.as_str()).to_string() };
                format!("{key}: {}", flow(value))
            });
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
