//! Handlers of operations: the operations that have one, its method, its reply and its error.

use super::scope::ImportScope;
use super::ty;
use crate::model::SessionEffect;
use crate::naming::{self, word};
use crate::resolve::{ResolvedOperation, ResolvedSpec};

/// The operations that are served, with their ids.
pub(super) fn routed<'l, 's>(
    lowered: &'l ResolvedSpec<'s>,
) -> impl Iterator<Item = (&'l str, &'l ResolvedOperation<'s>)> {
    lowered.operations.iter().filter(|(_, operation)| !operation.planned).map(|(id, operation)| (*id, operation))
}

/// The type that a handler gives back.
pub(super) fn reply(operation: &ResolvedOperation<'_>, scope: &ImportScope<'_>) -> String {
    let ok = match (&operation.select, &operation.ok) {
        (Some(_), _) => return scope.beside(operation, "Reply"),
        (None, Some(ok)) if !operation.is_raw() => ty::ty(&ok.ty, scope),
        (None, _) => return scope.api("ProxyReply"),
    };
    if operation.session == Some(SessionEffect::Begins) {
        return format!("{}<{ok}>", scope.api("BeginsSession"));
    }
    headed(operation, ok, scope)
}

/// The type of its error.
pub(super) fn error(operation: &ResolvedOperation<'_>, scope: &ImportScope<'_>) -> String {
    headed(operation, scope.beside(operation, "Error"), scope)
}

/// With the operation's headers, where it has any.
fn headed(operation: &ResolvedOperation<'_>, inner: String, scope: &ImportScope<'_>) -> String {
    if !operation.is_headed() {
        return inner;
    }
    format!("{}<{inner}, {}>", scope.api("Headed"), scope.beside(operation, "Headers"))
}

/// Its method and its route function: the trait's name in snake case.
pub(super) fn method(operation: &ResolvedOperation<'_>) -> String {
    word(&naming::snake(&operation.rust)).into_owned()
}
