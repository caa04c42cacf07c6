//! Examples: that they name what is there, send what is taken, and expect what can be answered.

mod coverage;
mod expect;
mod fit;
mod fixtures;
mod send;

pub(super) use self::fit::ValueMismatch;
use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, codes::examples, codes::references},
    map::{HashMap, HashSet},
    model::{DeclaredOperation, Example, OperationStage, SpannedText, SpecEntry, SpecSection},
};

/// An operation by its name.
pub(super) type NamedOperation<'a> = (&'a str, &'a SpecEntry<DeclaredOperation>);

/// The routed operations that declare each code.
type DeclaringOperations<'a> = HashMap<&'a str, Vec<NamedOperation<'a>>>;

impl<'a> CheckContext<'a> {
    /// Checks fixtures and examples, and at last whether there are enough of them.
    pub(super) fn examples(&mut self) {
        let spec = self.spec;
        for (name, fixture) in &spec.fixtures {
            self.fixture(name, fixture);
        }
        let declaring = self.declaring();
        for (name, example) in &spec.examples {
            let operations = self.of(name, example, &declaring);
            self.callers_of(example, &operations);
            self.given(name, example);
            self.code_of(example, &operations);
            self.sent(name, example, &operations);
            self.expected(name, example, &operations);
        }
        self.reasons();
        self.complete(&declaring);
    }

    /// The operations that an example is of.
    fn of(
        &mut self,
        name: &str,
        example: &'a SpecEntry<Example>,
        declaring: &DeclaringOperations<'a>,
    ) -> Vec<NamedOperation<'a>> {
        let spec = self.spec;
        for except in &example.except {
            self.resolve(SpecSection::Operations, except, references::UNKNOWN_OPERATION);
        }
        let Some(of) = &example.of else {
            if let Some(code) = &example.expect.code {
                let mut all = declaring.get(code.value.as_str()).cloned().unwrap_or_default();
                let except: HashSet<&str> = example.except.iter().map(|except| except.value.as_str()).collect();
                all.retain(|(name, operation)| !except.contains(name) && spec.may_call(example, operation));
                return all;
            }
            if !self.damage.lacks(SpecSection::Examples, name, &["of", "expect", "code"]) {
                let message = "an example of a success says what it is `of`";
                self.complain(Diagnostic::error(examples::BAD_EXPECTATION, example.place, message));
            }
            return Vec::new();
        };
        if let Some(except) = example.except.first() {
            let message = "`except` is for examples that are of all operations with a code";
            self.complain(Diagnostic::error(examples::BAD_EXPECTATION, except.place, message));
        }
        let mut named = Vec::new();
        for word in of.all() {
            if self.resolve(SpecSection::Operations, word, references::UNKNOWN_OPERATION) {
                named.extend(spec.operations.get_key_value(&word.value).map(|(name, entry)| (name.as_str(), entry)));
            }
        }
        named
    }

    /// The routed operations that declare a code, for each code, in their order.
    fn declaring(&self) -> DeclaringOperations<'a> {
        let mut declaring = DeclaringOperations::default();
        for (name, operation) in
            self.spec.operations.iter().filter(|(_, operation)| operation.stage == OperationStage::Routed)
        {
            for code in self.codes_of(operation) {
                let operations = declaring.entry(code).or_default();
                // Several of its groups may have the code.
                if operations.last().is_none_or(|(last, _)| last != name) {
                    operations.push((name, operation));
                }
            }
        }
        declaring
    }

    /// The codes that an operation declares, groups spelled out.
    pub(in crate::check) fn codes_of(&self, operation: &'a DeclaredOperation) -> Vec<&'a str> {
        let spec = self.spec;
        let spelled = |word: &'a SpannedText| match spec.groups.get(&word.value) {
            Some(group) => group.value.as_slice(),
            None => std::slice::from_ref(word),
        };
        operation.errors.iter().flat_map(spelled).map(|code| code.value.as_str()).collect()
    }

    /// Checks that the code exists, and that the operations answer with it.
    fn code_of(&mut self, example: &'a SpecEntry<Example>, operations: &[NamedOperation<'a>]) {
        let Some(code) = &example.expect.code else { return };
        if !self.resolve(SpecSection::Errors, code, references::UNKNOWN_ERROR) || example.of.is_none() {
            return;
        }
        if self.spec.is_implied(&code.value) {
            return;
        }
        for (name, operation) in operations {
            let hurt = self.damage.is_hurt(SpecSection::Operations, name);
            if !hurt && !self.codes_of(operation).contains(&code.value.as_str()) {
                let message = format!("the operation `{name}` does not declare `{}`", code.value);
                let complaint = Diagnostic::error(examples::CODE_NOT_DECLARED, code.place, message);
                self.complain_once(&code.value, complaint.and(operation.place, "the operation"));
            }
        }
    }

    /// True if the expected answer is the refusal of a request that does not fit.
    fn is_misfit(&self, example: &Example) -> bool {
        const EVENTS: [&str; 6] =
            ["bad_json", "bad_field", "missing_field", "missing_header", "bad_parameter", "bad_content_type"];
        let Some(code) = &example.expect.code else { return false };
        let refused = EVENTS.iter().filter_map(|event| self.spec.framework.get(*event));
        refused.map(|event| &event.value.value).any(|event| *event == code.value)
    }
}
