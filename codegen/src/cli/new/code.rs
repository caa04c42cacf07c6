//! `codegen new code`

use clap::Args;
use tollgate_spec_language::model::{Spec, SpecSection};

use super::entry::{NewEntry, NewStub, file_of_last};

/// The arguments of `codegen new code`.
#[derive(Debug, Args)]
pub(in crate::cli) struct NewCode {
    /// `ORDER_EXPIRED`
    name: String,
    /// Its kind, from `kinds`; the first where absent.
    #[arg(long)]
    kind: Option<String>,
    /// Its status.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u16).range(400..600))]
    http: u16,
}

impl NewCode {
    pub(super) fn stub(&self, spec: &Spec) -> Result<NewStub, String> {
        let first = || spec.kinds.keys().next().cloned();
        let kind = self.kind.clone().or_else(first).ok_or("there is no kind of errors; add one to `kinds`")?;
        let path = file_of_last(spec, SpecSection::Errors).unwrap_or_else(|| "spec/errors.yaml".to_owned());
        let text = format!(
            "  {}:\n    kind: {kind}\n    http: {}\n    say: what happened, and with what\n    do: what the client does about \
             it\n",
            self.name, self.http
        );
        let code = NewEntry { section: SpecSection::Errors, name: self.name.clone(), state: "", path, text };
        let next = [
            "Say what happened and what to do; name the values of `say` in `with`.".to_owned(),
            "List the code in the `errors` of the operations that answer with it.".to_owned(),
            format!("`cargo codegen new example NAME --code {}` adds its example.", self.name),
        ];
        Ok(NewStub { entries: vec![code], group: None, next: next.into() })
    }
}
