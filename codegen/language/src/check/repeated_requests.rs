//! Requests that are sent again: with the same Idempotency-Key, or with the tag of an answer.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, codes::operations},
    map::HashSet,
    model::{DeclaredOperation, DeclaredRoute, OperationStage, RouteMethod, RuntimeCause, SpecEntry, SpecSection},
};

/// The header that a conditional request names the value of.
const TAG: &str = "etag";

impl<'a> CheckContext<'a> {
    pub(super) fn repeated_requests(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        if self.damage.is_hurt(SpecSection::Operations, name) || self.damage.lacks(SpecSection::Operations, name, &[]) {
            return;
        }
        let method = DeclaredRoute::parse(&operation.route.value).map(|route| route.method).ok();
        self.idempotency_key(name, operation, method);
        self.conditional(operation, method);
    }

    /// An operation is carried out once for each key where it changes something for a caller, and can say what is in the way.
    fn idempotency_key(&mut self, name: &str, operation: &'a DeclaredOperation, method: Option<RouteMethod>) {
        let Some(switch) = operation.idempotency_key.as_ref().filter(|switch| switch.value) else { return };
        let listed: HashSet<&str> = self.codes_of(operation).into_iter().collect();
        let mut missing: Vec<&str> = self.spec.event_codes(RuntimeCause::IdempotencyKey).collect();
        missing.sort_unstable();
        missing.dedup();
        missing.retain(|code| !listed.contains(code) && self.exists(SpecSection::Errors, code));
        let message = if method == Some(RouteMethod::Get) {
            "a GET changes nothing, and needs no key to be sent again".to_owned()
        } else if operation.auth.schemes().is_empty() {
            "a key is a caller's, and this operation admits anyone: it needs `auth`".to_owned()
        } else if self.spec.is_of_operators(operation) {
            "a key is an account's, and operators have none: leave it out".to_owned()
        } else if operation.is_idempotent() {
            "what may be sent twice as it is needs no key: leave one of the two out".to_owned()
        } else if !missing.is_empty() && self.all_known(name) {
            format!("with a key it may answer with {} too: add them to `errors`", missing.join(", "))
        } else {
            return;
        };
        self.complain(Diagnostic::error(operations::IDEMPOTENCY_KEY, switch.place, message));
    }

    /// Checks that a conditional operation is a GET whose answer has the tag.
    fn conditional(&mut self, operation: &'a DeclaredOperation, method: Option<RouteMethod>) {
        if !operation.conditional.value || operation.stage != OperationStage::Routed {
            return;
        }
        let tagged = operation.reply_headers.iter().any(|name| self.spec.wire_name(&name.value) == TAG);
        let message = if method.is_some_and(|method| method != RouteMethod::Get) {
            "only a GET is answered with 304"
        } else if !tagged {
            "what is answered with 304 is told by `etag`: add it to `reply_headers`"
        } else {
            return;
        };
        self.complain(Diagnostic::error(operations::CONDITIONAL, operation.conditional.place, message));
    }
}
