//! `delegate!`: hands each operation of a service to the room that answers it.

use std::borrow::Cow;

use askama::Template;

use super::handler;
use super::scope::{CodePosition, ImportScope};
use crate::naming::word;
use crate::resolve::ResolvedSpec;

#[derive(Template)]
#[template(path = "delegate.rs", escape = "none")]
struct DelegateMacro<'l> {
    arms: Vec<DelegateArm<'l>>,
}

struct DelegateArm<'l> {
    name: &'l str,
    answers: Cow<'l, str>,
    module: String,
    method: String,
    reply: String,
    error: String,
}

pub(super) fn table(lowered: &ResolvedSpec<'_>) -> String {
    let scope = ImportScope::new(CodePosition::Anywhere, lowered);
    let arms = handler::routed(lowered).map(|(_, operation)| DelegateArm {
        name: &operation.rust,
        answers: word(&operation.rust),
        module: word(&operation.module).into_owned(),
        method: handler::method(operation),
        reply: handler::reply(operation, &scope),
        error: handler::error(operation, &scope),
    });
    DelegateMacro { arms: arms.collect() }.render().expect("writing to a string cannot fail")
}
