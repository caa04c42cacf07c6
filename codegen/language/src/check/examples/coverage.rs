//! The coverage by examples: one of everything, or a reason for what has none.

use super::{DeclaringOperations, NamedOperation};
use crate::{
    check::context::CheckContext,
    diagnostics::{Diagnostic, codes::examples, codes::references},
    map::{HashMap, HashSet},
    model::{ExamplesPolicy, KEY_MISSING, OperationStage, SUCCESS, SpannedText, SpecEntry, SpecSection, UntoldCodes},
};

impl<'a> CheckContext<'a> {
    /// The reasons for what has no example: that they name what is there.
    pub(super) fn reasons(&mut self) {
        for untold in self.spec.untold.values() {
            for code in untold.codes.iter().filter(|code| code.value != SUCCESS) {
                self.resolve(SpecSection::Errors, code, references::UNKNOWN_ERROR);
            }
            for operation in &untold.of {
                self.resolve(SpecSection::Operations, operation, references::UNKNOWN_OPERATION);
            }
        }
    }

    /// Comes last, and reports nothing while anything else is wrong: what is missing may be what could not be read.
    pub(super) fn complete(&mut self, declaring: &DeclaringOperations<'a>) {
        let spec = self.spec;
        let required = spec.service.as_ref().is_some_and(|service| service.examples == ExamplesPolicy::Required);
        if !required || !self.is_sound() {
            return;
        }
        let mut told = self.exampled(declaring);
        let routed: Vec<NamedOperation<'a>> = spec
            .operations
            .iter()
            .filter(|(_, operation)| operation.stage == OperationStage::Routed)
            .map(|(name, operation)| (name.as_str(), operation))
            .collect();
        let mut due: HashMap<&str, Vec<&str>> = HashMap::default();
        // The generator makes the example of a request without credentials itself.
        let made = spec.event_code(KEY_MISSING);
        for (name, operation) in &routed {
            let codes = self.codes_of(operation).into_iter().filter(|code| made != Some(*code));
            due.insert(name, std::iter::once(SUCCESS).chain(codes).collect());
        }
        for untold in spec.untold.values() {
            self.reason(untold, &due, &mut told);
        }
        for (name, operation) in routed {
            let none: Vec<String> = due[name]
                .iter()
                .filter(|code| !told.contains(&(name, **code)))
                .map(|code| if *code == SUCCESS { "its success".to_owned() } else { format!("`{code}`") })
                .collect();
            if !none.is_empty() {
                let message = format!("the operation `{name}` has no example of {}", none.join(", "));
                self.complain(Diagnostic::warning(examples::NO_EXAMPLE, operation.place, message));
            }
        }
    }

    /// Operations and codes that examples show.
    fn exampled(&mut self, declaring: &DeclaringOperations<'a>) -> HashSet<(&'a str, &'a str)> {
        let spec = self.spec;
        let mut told = HashSet::default();
        for (name, example) in &spec.examples {
            let code = example.expect.code.as_ref().map_or(SUCCESS, |code| code.value.as_str());
            let operations = self.of(name, example, declaring);
            told.extend(operations.into_iter().map(|(operation, _)| (operation, code)));
        }
        told
    }

    /// Checks that a reason is for what has no example, and for all that it lists.
    fn reason(
        &mut self,
        untold: &'a SpecEntry<UntoldCodes>,
        due: &HashMap<&'a str, Vec<&'a str>>,
        told: &mut HashSet<(&'a str, &'a str)>,
    ) {
        for code in &untold.codes {
            if untold.of.is_empty() {
                let lacking: Vec<&str> = due
                    .iter()
                    .filter(|(name, codes)| {
                        codes.contains(&code.value.as_str()) && !told.contains(&(**name, code.value.as_str()))
                    })
                    .map(|(name, _)| *name)
                    .collect();
                if lacking.is_empty() {
                    let message = format!("every operation with `{}` has an example of it", code.value);
                    self.complain(Diagnostic::error(examples::NEEDLESS_REASON, code.place, message));
                }
                told.extend(lacking.into_iter().map(|name| (name, code.value.as_str())));
                continue;
            }
            for operation in &untold.of {
                self.reason_of(operation, code, due, told);
            }
        }
    }

    fn reason_of(
        &mut self,
        operation: &'a SpannedText,
        code: &'a SpannedText,
        due: &HashMap<&'a str, Vec<&'a str>>,
        told: &mut HashSet<(&'a str, &'a str)>,
    ) {
        let (operation_name, code_name) = (operation.value.as_str(), code.value.as_str());
        let declared = due.get(operation_name).is_some_and(|codes| codes.contains(&code_name));
        if !declared {
            let message = format!("`{operation_name}` does not answer with `{code_name}`");
            self.complain(
                Diagnostic::error(examples::NEEDLESS_REASON, operation.place, message).and(code.place, "the code"),
            );
        } else if !told.insert((operation_name, code_name)) {
            let message = format!("`{operation_name}` has an example of `{code_name}`, or another reason");
            self.complain(
                Diagnostic::error(examples::NEEDLESS_REASON, operation.place, message).and(code.place, "the code"),
            );
        }
    }
}
