//! `delegate!`: hands each operation of a service to the room that answers it.

use std::borrow::Cow;

use askama::Template;

use super::scope::{Scope, Stands};
use super::{ops, word};
use crate::lower::Lowered;

#[derive(Template)]
#[template(path = "delegate.rs", escape = "none")]
struct Delegate<'l> {
    arms: Vec<Arm<'l>>,
}

struct Arm<'l> {
    name: &'l str,
    answers: Cow<'l, str>,
    module: String,
    method: String,
    reply: String,
    error: String,
}

pub(super) fn table(lowered: &Lowered<'_>) -> String {
    let scope = Scope::new(Stands::Anywhere, lowered);
    let arms = ops::routed(lowered).map(|(_, operation)| Arm {
        name: &operation.rust,
        answers: word(&operation.rust),
        module: word(&operation.module).into_owned(),
        method: ops::method(operation),
        reply: ops::reply(operation, &scope),
        error: ops::error(operation, &scope),
    });
    Delegate { arms: arms.collect() }.render().expect("writing to a string cannot fail")
}
