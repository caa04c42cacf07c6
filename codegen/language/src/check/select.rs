//! `select`: the reply chosen by what the request has.

use std::collections::BTreeSet;

use super::{context::CheckContext, expressions::ExpressionPosition};
use crate::{
    diagnostics::{Diagnostic, closest, codes::operations, codes::references},
    model::{DeclaredBranch, DeclaredOperation, SpannedText, SpannedValue, SpecEntry, SpecSection},
};

/// With more names than this, branches are not compared: every combination of them is tried.
const NAMES_MAX: usize = 12;

impl<'a> CheckContext<'a> {
    pub(super) fn select(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        let known = self.selectable(operation);
        let schemes = operation.auth.schemes();
        let all_known = schemes.iter().all(|scheme| self.exists(SpecSection::Auth, &scheme.value));
        let mut sound = !self.damage.is_hurt(SpecSection::Operations, name) && all_known;
        for branch in &operation.select {
            self.resolve(SpecSection::Envelopes, &branch.envelope, references::UNKNOWN_ENVELOPE);
            self.expression(&branch.ok, ExpressionPosition::Whole);
            for word in branch.has.iter().chain(&branch.has_any) {
                if all_known && !known.contains(word.value.as_str()) && !self.damage.lost_name(&word.value) {
                    sound = false;
                    let message = format!("the operation has no header or parameter `{}`", word.value);
                    let meant = closest(&word.value, known.iter().map(String::as_str));
                    self.complain(Diagnostic::error(references::UNKNOWN_HEADER, word.place, message).suggest(meant));
                }
            }
        }
        if sound && self.shape_of_branches(operation) {
            self.unreachable(&operation.select);
        }
    }

    /// The members that a branch may ask for: the operation's headers and query parameters, and those its schemes read.
    fn selectable(&self, operation: &DeclaredOperation) -> BTreeSet<String> {
        let mut known: BTreeSet<String> = operation.headers.keys().cloned().collect();
        known.extend(operation.query.keys().map(|name| format!("query.{name}")));
        for scheme in operation.auth.schemes().iter().filter_map(|scheme| self.spec.auth.get(&scheme.value)) {
            known.extend(scheme.header.as_ref().map(|header| header.value.clone()));
            known.extend(scheme.query.as_ref().map(|query| format!("query.{}", query.value)));
        }
        known
    }

    /// The last branch fits always, all others ask for something.
    fn shape_of_branches(&mut self, operation: &SpecEntry<DeclaredOperation>) -> bool {
        let mut sound = true;
        let last = operation.select.len() - 1;
        for (index, branch) in operation.select.iter().enumerate() {
            let asks = !branch.has.is_empty() || !branch.has_any.is_empty();
            let message = match (index == last, branch.otherwise, asks) {
                (true, true, false) | (false, false, true) => continue,
                (_, true, true) => "a branch that asks for something is no `else`",
                (false, true, false) => "`else` is not the last branch",
                (true, false, _) => "the last branch is not `else: true`",
                (false, false, false) => "a branch that asks for nothing is `else: true`, and the last",
            };
            sound = false;
            self.complain(Diagnostic::error(operations::ELSE_LAST, branch.place, message));
        }
        sound
    }

    /// Tries every combination of what a request may have.
    fn unreachable(&mut self, branches: &[SpannedValue<DeclaredBranch>]) {
        let words = branches.iter().flat_map(|branch| branch.has.iter().chain(&branch.has_any));
        let names: BTreeSet<&str> = words.map(|word| word.value.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        if names.len() > NAMES_MAX {
            return;
        }
        let mut taken = vec![false; branches.len()];
        for present in 0..1_u32 << names.len() {
            let has = |word: &SpannedText| {
                names.binary_search(&word.value.as_str()).is_ok_and(|bit| present & (1 << bit) != 0)
            };
            let fits = |branch: &SpannedValue<DeclaredBranch>| {
                branch.has.iter().all(has) && (branch.has_any.is_empty() || branch.has_any.iter().any(has))
            };
            if let Some(first) = branches.iter().position(fits) {
                taken[first] = true;
            }
        }
        for (branch, _) in branches.iter().zip(taken).filter(|(_, taken)| !taken) {
            let message = "this branch is never taken: an earlier one fits whenever it does";
            self.complain(Diagnostic::error(operations::UNREACHABLE_BRANCH, branch.place, message));
        }
    }
}
